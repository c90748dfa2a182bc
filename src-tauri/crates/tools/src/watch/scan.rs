//! Scans one watched item: which files exist and their metadata, without reading any.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::fs::{FileType, Stat};

use super::{ChangeKind, Watched, What};
use crate::walk::{Step, walk};
use crate::workspace::Workspace;

/// Maximum number of entries of one tree.
pub(super) const MAX_ENTRIES: usize = 20_000;

/// File systems record times in steps of up to 10 ms, so a file that changed this shortly before a
/// scan may change again without different metadata.
const TIME_STEP: Duration = Duration::from_millis(20);

/// Metadata of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Look {
    id: (u64, u64),
    len: i64,
    mode: u32,
    modified: (i64, u64),
    changed: (i64, u64),
}

/// A file at the time of a scan.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stamp {
    look: Look,
    /// Whether it changed so shortly before the scan that its metadata is not reliable.
    is_fresh: bool,
}

pub(super) type Files = BTreeMap<PathBuf, Stamp>;

/// The result of a scan.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) files: Files,
    /// The canonical paths of the item, existing or not. Change notifications about other paths are
    /// ignored.
    pub(super) targets: Vec<PathBuf>,
    /// Whether there were more than [`MAX_ENTRIES`] entries.
    pub(super) is_cut: bool,
}

/// Scans an item. Each relevant folder is passed to `listen` *before* it is listed, so that no
/// later change is missed.
pub(super) fn look(watched: &Watched, listen: &mut dyn FnMut(&Path)) -> Seen {
    let now = SystemTime::now();
    let mut seen = Seen::default();
    let Ok(workspace) = Workspace::open(&watched.top) else {
        seen.targets.push(watched.top.join(&watched.inside));
        let above = watched.top.ancestors().skip(1);
        if let Some(nearest) = above.into_iter().find(|folder| folder.is_dir()) {
            listen(nearest);
        }
        return seen;
    };
    match &watched.what {
        What::File => file(&workspace, watched, listen, now, &mut seen),
        What::Folder { ending, deep } => {
            seen.targets.push(workspace.path().join(&watched.inside));
            let Ok((rel, _)) = workspace.folder(&watched.inside) else {
                listen_above(&workspace, &watched.inside, listen);
                return seen;
            };
            listen_down(&workspace, &rel, listen);
            seen.targets.push(workspace.path().join(rel));
            let rule = Rule {
                ending,
                deep: *deep,
            };
            folder(&workspace, &watched.inside, rule, listen, now, &mut seen);
        }
    }
    seen
}

fn file(
    workspace: &Workspace,
    watched: &Watched,
    listen: &mut dyn FnMut(&Path),
    now: SystemTime,
    seen: &mut Seen,
) {
    let link = workspace.place_of_link(&watched.inside);
    let real = workspace.place(&watched.inside);
    for place in [&link, &real].into_iter().flatten() {
        let mut folder = place.rel.clone();
        for _ in 0..=place.missing.len() {
            folder.pop();
        }
        listen_down(workspace, &folder, listen);
        seen.targets.push(workspace.path().join(&place.rel));
    }
    if link.is_err() && real.is_err() {
        seen.targets.push(workspace.path().join(&watched.inside));
        listen_above(workspace, &watched.inside, listen);
    }
    let stat = match (&real, &link) {
        (Ok(place), _) => place.stat().ok().flatten().filter(is_regular),
        (Err(_), Ok(link)) => link.stat().ok().flatten(),
        (Err(_), Err(_)) => None,
    };
    if let Some(stat) = stat {
        let path = watched.top.join(&watched.inside);
        seen.files.insert(path, Stamp::of(&stat, now));
    }
}

/// Which files of a folder are watched.
#[derive(Clone, Copy)]
struct Rule<'a> {
    ending: &'a str,
    deep: bool,
}

fn folder(
    workspace: &Workspace,
    inside: &Path,
    rule: Rule<'_>,
    listen: &mut dyn FnMut(&Path),
    now: SystemTime,
    seen: &mut Seen,
) {
    // The walk takes only Unicode paths, and other folders contain no plans.
    let Some(start) = inside.to_str() else { return };
    let mut entries = 0;
    let walked = walk(workspace, start, &mut |entry| {
        entries += 1;
        if entries > MAX_ENTRIES {
            seen.is_cut = true;
            return Ok(Step::Stop);
        }
        match entry.kind() {
            FileType::Directory => {
                if !rule.deep || entry.ignored || entry.name == "node_modules" {
                    return Ok(Step::Over);
                }
                listen(&workspace.path().join(&entry.path));
            }
            FileType::RegularFile if has_ending(&entry.path, rule.ending) => {
                let path = workspace.path().join(&entry.path);
                seen.files.insert(path, Stamp::of(&entry.stat, now));
            }
            _ => {}
        }
        Ok(Step::On)
    });
    if walked.is_err() {
        // The file was removed during the walk, so nothing is left to compare.
        seen.files.clear();
    }
}

pub(super) fn has_ending(path: &Path, ending: &str) -> bool {
    let name = path.file_name().unwrap_or_default();
    name.as_encoded_bytes().ends_with(ending.as_bytes())
}

/// Watches a folder (relative, links resolved) and its parents in the workspace, since any of them
/// may be moved or replaced.
fn listen_down(workspace: &Workspace, rel: &Path, listen: &mut dyn FnMut(&Path)) {
    let mut folder = workspace.path().to_owned();
    listen(&folder);
    for name in rel {
        folder.push(name);
        listen(&folder);
    }
}

/// Watches the existing parent folders of something that does not exist.
fn listen_above(workspace: &Workspace, inside: &Path, listen: &mut dyn FnMut(&Path)) {
    let mut above = inside.ancestors().skip(1);
    let nearest = above.find_map(|folder| workspace.folder(folder).ok());
    let rel = nearest.map(|(rel, _)| rel).unwrap_or_default();
    listen_down(workspace, &rel, listen);
}

fn is_regular(stat: &Stat) -> bool {
    FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile
}

impl Stamp {
    fn of(stat: &Stat, now: SystemTime) -> Self {
        let look = Look {
            id: (stat.st_dev, stat.st_ino),
            len: stat.st_size,
            mode: stat.st_mode,
            modified: (stat.st_mtime, stat.st_mtime_nsec),
            changed: (stat.st_ctime, stat.st_ctime_nsec),
        };
        let seconds = Duration::from_secs(u64::try_from(stat.st_ctime).unwrap_or(0));
        let changed = UNIX_EPOCH + seconds + Duration::from_nanos(stat.st_ctime_nsec);
        Self {
            look,
            is_fresh: changed + TIME_STEP >= now,
        }
    }
}

/// The changes between two scans. A file whose metadata is the same, but unreliable, counts as
/// changed if `may_differ` says so.
pub(super) fn difference(
    before: &Files,
    after: &Files,
    may_differ: impl Fn(&Path) -> bool,
) -> BTreeMap<PathBuf, ChangeKind> {
    let mut changes = BTreeMap::new();
    for path in before.keys().filter(|path| !after.contains_key(*path)) {
        changes.insert(path.clone(), ChangeKind::Removed);
    }
    for (path, stamp) in after {
        let kind = match before.get(path) {
            None => ChangeKind::Created,
            Some(old) if old.look != stamp.look => ChangeKind::Changed,
            Some(old) if old.is_fresh && may_differ(path) => ChangeKind::Changed,
            Some(_) => continue,
        };
        changes.insert(path.clone(), kind);
    }
    changes
}

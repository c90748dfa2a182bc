//! Walks the workspace on open folder handles and marks what Git would ignore.
//!
//! Rules come from `.gitignore` files (including those above the workspace, up to the repository's
//! top), `.git/info/exclude` and the user's global excludes; they also apply without a repository.
//! Links are reported but never followed. `.git` and our own temporary names are left out.
//! Unreadable folders are reported and don't end the walk.
//!
//! Tracked files that match an ignore rule count as ignored, because the index is not read.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cap_fs_ext::DirExt as _;
use cap_std::fs::Dir;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use rustix::fs::{FileType, Mode, OFlags, Stat};

use crate::atomic::is_temp_name;
use crate::error::ToolError;
use crate::workspace::{Workspace, open_regular, stat_at};

/// Maximum size of an ignore file that is read, in bytes.
const MAX_RULES: u64 = 1 << 20;

/// An entry that the walk found.
pub(crate) struct Entry<'a> {
    /// The entry's path, relative to the workspace.
    pub(crate) path: PathBuf,
    /// Its metadata, without following links.
    pub(crate) stat: Stat,
    /// A handle of the folder that contains it.
    pub(crate) dir: &'a Dir,
    /// Its name in that folder.
    pub(crate) name: &'a OsStr,
    /// Whether Git would ignore it.
    pub(crate) ignored: bool,
    /// How deep it is below the start folder; 1 for entries directly in it.
    pub(crate) depth: usize,
}

impl Entry<'_> {
    pub(crate) fn kind(&self) -> FileType {
        FileType::from_raw_mode(self.stat.st_mode)
    }
}

/// How the walk continues after an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Continue, and enter the entry if it is a folder.
    On,
    /// Continue, but skip this folder.
    Over,
    /// End the walk.
    Stop,
}

/// Walks below `start` (empty: everything), folder by folder, names sorted. Returns the folders
/// that could not be read.
pub(crate) fn walk(
    workspace: &Workspace,
    start: &str,
    visit: &mut dyn FnMut(&Entry<'_>) -> Result<Step, ToolError>,
) -> Result<Vec<PathBuf>, ToolError> {
    workspace.ensure_present()?;
    let (rel, dir) = workspace.folder(start)?;
    let mut rules = Rules::above(workspace);
    // Rules of parent folders apply, but not to the start folder itself: whoever names an ignored
    // folder wants to see it.
    let mut on_the_way = PathBuf::new();
    for name in &rel {
        if let Ok((_, dir)) = workspace.folder(&on_the_way) {
            rules = rules.with_folder(&dir, &workspace.path().join(&on_the_way));
        }
        on_the_way.push(name);
    }
    let mut walker = Walker {
        root: workspace.path(),
        visit,
        unreadable: Vec::new(),
    };
    walker.folder(&dir, &rel, &rules, false, 1)?;
    Ok(walker.unreadable)
}

struct Walker<'w> {
    root: &'w Path,
    visit: &'w mut dyn FnMut(&Entry<'_>) -> Result<Step, ToolError>,
    unreadable: Vec<PathBuf>,
}

impl Walker<'_> {
    /// Walks one folder and those below it. Returns `false` if the visitor stopped the walk.
    fn folder(
        &mut self,
        dir: &Dir,
        rel: &Path,
        rules: &Rules,
        ignored: bool,
        depth: usize,
    ) -> Result<bool, ToolError> {
        let Ok(names) = names_in(dir) else {
            self.unreadable.push(rel.to_owned());
            return Ok(true);
        };
        let here = if !ignored && names.iter().any(|name| name == ".gitignore") {
            rules.with_folder(dir, &self.root.join(rel))
        } else {
            rules.clone()
        };
        for name in &names {
            if name == ".git" || is_temp_name(name) {
                continue;
            }
            let path = rel.join(name);
            let stat = match stat_at(dir, name) {
                Ok(Some(stat)) => stat,
                // The entry was removed in the meantime.
                Ok(None) => continue,
                Err(_) => {
                    self.unreadable.push(path);
                    continue;
                }
            };
            let folder = FileType::from_raw_mode(stat.st_mode) == FileType::Directory;
            let ignored = ignored || here.ignores(&self.root.join(&path), folder);
            let entry = Entry {
                path,
                stat,
                dir,
                name,
                ignored,
                depth,
            };
            let step = (self.visit)(&entry)?;
            let path = entry.path;
            match step {
                Step::Stop => return Ok(false),
                Step::On if folder => match dir.open_dir_nofollow(name) {
                    Ok(inner) => {
                        if !self.folder(&inner, &path, &here, ignored, depth + 1)? {
                            return Ok(false);
                        }
                    }
                    Err(_) => self.unreadable.push(path),
                },
                _ => {}
            }
        }
        Ok(true)
    }
}

/// The names in a folder, sorted.
fn names_in(dir: &Dir) -> std::io::Result<Vec<OsString>> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let fd = rustix::fs::openat(dir, ".", flags, Mode::empty())?;
    let mut names = Vec::new();
    for entry in rustix::fs::Dir::new(fd)? {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if name != b"." && name != b".." {
            names.push(OsStr::from_bytes(name).to_owned());
        }
    }
    names.sort_unstable();
    Ok(names)
}

/// The rules that apply in a folder, nearest last.
#[derive(Clone)]
struct Rules(Vec<Arc<Gitignore>>);

impl Rules {
    /// The rules that apply to the whole workspace.
    fn above(workspace: &Workspace) -> Self {
        let root = workspace.path();
        let (global, _) = GitignoreBuilder::new(root).build_global();
        let mut rules = vec![Arc::new(global)];
        let top = root.ancestors().find(|folder| folder.join(".git").exists());
        if let Some(top) = top {
            // Git doesn't follow links here either; if `.git` is a file, the excludes are
            // elsewhere.
            let exclude = fs::read_to_string(top.join(".git/info/exclude")).unwrap_or_default();
            rules.extend(parse(top, &exclude));
            let between: Vec<&Path> = root
                .ancestors()
                .skip(1)
                .take_while(|folder| folder.starts_with(top))
                .collect();
            for folder in between.into_iter().rev() {
                let text = fs::read_to_string(folder.join(".gitignore")).unwrap_or_default();
                rules.extend(parse(folder, &text));
            }
        }
        Self(rules)
    }

    /// These rules plus those of one more folder.
    fn with_folder(&self, dir: &Dir, absolute: &Path) -> Self {
        let mut rules = self.clone();
        if let Ok(Some((file, stat))) = open_regular(dir, OsStr::new(".gitignore"))
            && u64::try_from(stat.st_size).is_ok_and(|len| len <= MAX_RULES)
        {
            let mut text = Vec::new();
            if file.take(MAX_RULES).read_to_end(&mut text).is_ok() {
                rules
                    .0
                    .extend(parse(absolute, &String::from_utf8_lossy(&text)));
            }
        }
        rules
    }

    /// Whether the rules ignore a path; the nearest matching rule decides.
    fn ignores(&self, path: &Path, folder: bool) -> bool {
        for rules in self.0.iter().rev() {
            match rules.matched(path, folder) {
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
                Match::None => {}
            }
        }
        false
    }
}

fn parse(folder: &Path, text: &str) -> Option<Arc<Gitignore>> {
    let mut builder = GitignoreBuilder::new(folder);
    for line in text.trim_start_matches('\u{feff}').lines() {
        // As in Git, an invalid pattern ignores nothing.
        let _ = builder.add_line(None, line);
    }
    builder
        .build()
        .ok()
        .filter(|rules| !rules.is_empty())
        .map(Arc::new)
}

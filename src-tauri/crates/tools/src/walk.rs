//! Walking the workspace on held folders, with what Git would ignore marked.
//!
//! Rules come from `.gitignore` files (those above the workspace too, up to the repository's top),
//! `.git/info/exclude` and the user's global excludes; they hold without a repository as well. Links
//! are told, never followed. `.git` and our own temporary names are left out. A folder that cannot
//! be read is told as such; it does not end the walk.
//!
//! A file that Git tracks although a rule ignores it counts as ignored: the index is not read.

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

/// Ignore files above this size are no ignore files.
const MAX_RULES: u64 = 1 << 20;

/// One thing found.
pub(crate) struct Entry<'a> {
    /// Relative to the workspace.
    pub(crate) path: PathBuf,
    /// Its metadata, links not followed.
    pub(crate) stat: Stat,
    /// Its folder.
    pub(crate) dir: &'a Dir,
    /// Its name in that folder.
    pub(crate) name: &'a OsStr,
    /// Whether Git would ignore it.
    pub(crate) ignored: bool,
    /// 1 for what stands directly in the folder where the walk starts.
    pub(crate) depth: usize,
}

impl Entry<'_> {
    pub(crate) fn kind(&self) -> FileType {
        FileType::from_raw_mode(self.stat.st_mode)
    }
}

/// How the walk goes on after an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// On, into the entry if it is a folder.
    On,
    /// On, but not into this folder.
    Over,
    /// No further.
    Stop,
}

/// Walks below `start` (empty: everything), folder by folder, names sorted. Gives the folders that
/// could not be read.
pub(crate) fn walk(
    workspace: &Workspace,
    start: &str,
    visit: &mut dyn FnMut(&Entry<'_>) -> Result<Step, ToolError>,
) -> Result<Vec<PathBuf>, ToolError> {
    workspace.ensure_present()?;
    let (rel, dir) = workspace.folder(start)?;
    let mut rules = Rules::above(workspace);
    // Rules of the folders on the way count, but not for the folder itself: who names an ignored
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
    /// False: the visitor stopped the walk.
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
                // What went away meanwhile is not there.
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

/// The rules in force in one folder, the nearest last.
#[derive(Clone)]
struct Rules(Vec<Arc<Gitignore>>);

impl Rules {
    /// Those that hold for the whole workspace.
    fn above(workspace: &Workspace) -> Self {
        let root = workspace.path();
        let (global, _) = GitignoreBuilder::new(root).build_global();
        let mut rules = vec![Arc::new(global)];
        let top = root.ancestors().find(|folder| folder.join(".git").exists());
        if let Some(top) = top {
            // Git reads it without links, too; a `.git` that is a file has its excludes elsewhere.
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

    /// These and those of one more folder.
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

    /// The nearest rule that says something wins.
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
        // A line that is no pattern ignores nothing, as in Git.
        let _ = builder.add_line(None, line);
    }
    builder
        .build()
        .ok()
        .filter(|rules| !rules.is_empty())
        .map(Arc::new)
}

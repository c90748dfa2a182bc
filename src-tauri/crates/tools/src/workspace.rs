//! The workspace as a capability: a handle to its folder, and paths that cannot leave it.
//!
//! A path is followed name by name on `cap-std` handles, each opened without following links, so a
//! link swapped in concurrently makes the operation fail instead of leading it outside. Relative
//! links are followed as long as they stay inside; absolute links never are.
//!
//! A hard link to a file outside can't be detected, so files with several names are read but never
//! written to (see [`ToolError::HardLinked`]). Ignored files are not hidden here.

mod place;

use std::collections::{BTreeSet, VecDeque};
use std::ffi::OsString;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use cap_fs_ext::DirExt;
use cap_std::ambient_authority;
use cap_std::fs::Dir;
use rustix::fs::FileType;

pub(crate) use place::{Place, kind_of, mode_of, open_regular, read_all, stat_at, sync_folder};

use crate::error::ToolError;
use crate::private::PrivateFiles;

/// Maximum number of links followed in one path, the same as in Linux.
const MAX_LINKS: usize = 40;

/// A folder that the user opened.
#[derive(Debug)]
pub struct Workspace {
    path: PathBuf,
    dir: Dir,
    id: (u64, u64),
    protected: RwLock<BTreeSet<PathBuf>>,
    private: RwLock<Arc<PrivateFiles>>,
}

impl Workspace {
    /// Opens the folder at `path` and keeps a handle.
    ///
    /// # Errors
    /// If the path does not exist, is not a folder, or can't be read.
    pub fn open(path: &Path) -> Result<Self, ToolError> {
        let shown = path.display().to_string();
        let refuse = |error: &io::Error| match error.kind() {
            io::ErrorKind::NotFound => ToolError::WorkspaceMissing {
                path: shown.clone(),
            },
            io::ErrorKind::NotADirectory => ToolError::WorkspaceNotAFolder {
                path: shown.clone(),
            },
            _ => ToolError::WorkspaceUnreadable {
                path: shown.clone(),
                reason: error.to_string(),
            },
        };
        let path = path.canonicalize().map_err(|error| refuse(&error))?;
        let dir =
            Dir::open_ambient_dir(&path, ambient_authority()).map_err(|error| refuse(&error))?;
        // Opening requires search permission only; listing requires read permission.
        dir.entries().map_err(|error| refuse(&error))?;
        let stat = rustix::fs::fstat(&dir).map_err(|error| refuse(&error.into()))?;
        Ok(Self {
            path,
            dir,
            id: (stat.st_dev, stat.st_ino),
            protected: RwLock::default(),
            private: RwLock::new(PrivateFiles::usual()),
        })
    }

    /// Its absolute path without links when it was opened. For display and for programs that run in
    /// it; file access goes through [`Workspace::dir`].
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The handle of the folder.
    pub fn dir(&self) -> &Dir {
        &self.dir
    }

    /// Sets the patterns of files that no tool may show, in addition to the default list.
    pub fn hide(&self, patterns: &[String]) {
        let private = Arc::new(PrivateFiles::new(patterns));
        *self.private.write().unwrap_or_else(PoisonError::into_inner) = private;
    }

    /// Whether no tool may show the file at this path (relative, links resolved).
    pub fn is_private(&self, rel: &Path) -> bool {
        let private = self.private.read().unwrap_or_else(PoisonError::into_inner);
        private.covers_any_of(rel) || private.covers_in(&self.path, rel, false)
    }

    /// Protects a file from all tools, since a plan is changed only by its editor. Paths outside
    /// the workspace are ignored, as no tool writes there.
    ///
    /// # Errors
    /// If the path is refused as for any tool.
    pub fn protect(&self, path: &Path) -> Result<(), ToolError> {
        let inside = match path.strip_prefix(&self.path) {
            Ok(inside) => inside,
            Err(_) if path.is_absolute() => return Ok(()),
            Err(_) => path,
        };
        let place = self.place(inside)?;
        self.protected
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(place.rel);
        Ok(())
    }

    /// The files given to [`Workspace::protect`], relative to the workspace, links resolved.
    pub fn protected(&self) -> Vec<PathBuf> {
        let protected = self.protected.read();
        let protected = protected.unwrap_or_else(PoisonError::into_inner);
        protected.iter().cloned().collect()
    }

    /// Fails if the folder was moved, removed or replaced since it was opened.
    ///
    /// # Errors
    /// [`ToolError::WorkspaceGone`].
    pub fn ensure_present(&self) -> Result<(), ToolError> {
        match rustix::fs::stat(&self.path) {
            Ok(stat) if (stat.st_dev, stat.st_ino) == self.id => Ok(()),
            _ => Err(ToolError::WorkspaceGone {
                path: self.path.display().to_string(),
            }),
        }
    }

    /// Whether this path (relative, links resolved) is a plan file.
    pub(crate) fn is_plan(&self, rel: &Path) -> bool {
        let protected = self.protected.read();
        let protected = protected.unwrap_or_else(PoisonError::into_inner);
        protected.contains(rel)
    }

    /// Where a file is or would be, with links resolved.
    pub(crate) fn place(&self, path: impl AsRef<Path>) -> Result<Place, ToolError> {
        self.place_at(path.as_ref(), true)
    }

    /// The path inside the workspace that `path` leads to, with links resolved; it need not exist.
    ///
    /// # Errors
    /// If it leads out of the workspace or through something that is not a folder, or is the top
    /// folder.
    pub fn resolved(&self, path: impl AsRef<Path>) -> Result<PathBuf, ToolError> {
        Ok(self.place(path)?.rel)
    }

    /// Like [`Workspace::place`], but does not follow a link in the last name.
    pub(crate) fn place_of_link(&self, path: impl AsRef<Path>) -> Result<Place, ToolError> {
        self.place_at(path.as_ref(), false)
    }

    fn place_at(&self, path: &Path, last_link: bool) -> Result<Place, ToolError> {
        let walked = self.follow(path, last_link)?;
        let Some(name) = walked.name else {
            let path = path.display().to_string();
            return Err(ToolError::NotAFile {
                path,
                kind: "a folder",
            });
        };
        let rel = walked
            .rel
            .iter()
            .chain(&walked.missing)
            .chain([&name])
            .collect();
        Ok(Place {
            rel,
            dir: walked.dir,
            missing: walked.missing,
            name,
        })
    }

    /// The folder at `path` with its resolved path; the top folder if `path` is empty or `.`.
    pub(crate) fn folder(&self, path: impl AsRef<Path>) -> Result<(PathBuf, Dir), ToolError> {
        let path = path.as_ref();
        let mut walked = self.follow(path, true)?;
        let Some(name) = walked.name else {
            return Ok((walked.rel.iter().collect(), walked.dir));
        };
        if !walked.missing.is_empty() {
            return Err(ToolError::NotFound {
                path: path.display().to_string(),
            });
        }
        let dir = walked
            .dir
            .open_dir_nofollow(&name)
            .map_err(|error| match error.kind() {
                io::ErrorKind::NotADirectory => ToolError::NotAFolder {
                    path: path.display().to_string(),
                },
                _ => ToolError::io("opening", path, &error),
            })?;
        walked.rel.push(name);
        Ok((walked.rel.iter().collect(), dir))
    }

    fn follow(&self, path: &Path, last_link: bool) -> Result<Walked, ToolError> {
        let mut todo: VecDeque<Step> = self.clean(path)?;
        let path: &str = &path.to_string_lossy();
        let root = self
            .dir
            .try_clone()
            .map_err(|error| ToolError::io("opening", path, &error))?;
        let mut names: Vec<OsString> = Vec::new();
        let mut dirs = vec![root];
        let mut links = 0;
        let mut link = PathBuf::new();
        let walked = |names: Vec<OsString>, mut dirs: Vec<Dir>, missing, name| match dirs.pop() {
            Some(dir) => Ok(Walked {
                rel: names,
                dir,
                missing,
                name,
            }),
            None => Err(ToolError::PathShifted {
                path: path.to_owned(),
            }),
        };
        while let Some(Step { name, from_link }) = todo.pop_front() {
            if name == ".." {
                dirs.pop();
                if names.pop().is_none() {
                    let link = link.display().to_string();
                    return Err(ToolError::SymlinkOut {
                        path: path.to_owned(),
                        link,
                    });
                }
                continue;
            }
            let Some(dir) = dirs.last() else { break };
            let stat =
                stat_at(dir, &name).map_err(|error| ToolError::io("opening", path, &error))?;
            let kind = stat
                .as_ref()
                .map(|stat| FileType::from_raw_mode(stat.st_mode));
            match kind {
                None if from_link => {
                    return Err(ToolError::DanglingSymlink {
                        path: path.to_owned(),
                    });
                }
                None => {
                    let mut missing: Vec<OsString> = [name].into();
                    missing.extend(todo.into_iter().map(|step| step.name));
                    let name = missing.pop();
                    return walked(names, dirs, missing, name);
                }
                Some(FileType::Symlink) if last_link || !todo.is_empty() => {
                    links += 1;
                    link = names.iter().chain([&name]).collect();
                    let target = dir
                        .read_link_contents(&name)
                        .map_err(|error| ToolError::io("opening", path, &error))?;
                    if target.is_absolute() || links > MAX_LINKS {
                        return Err(self.link_refused(path, &link, &target));
                    }
                    for name in target.components().rev() {
                        match name {
                            Component::Normal(_) | Component::ParentDir => {
                                let name = name.as_os_str().to_owned();
                                todo.push_front(Step {
                                    name,
                                    from_link: true,
                                });
                            }
                            _ => {}
                        }
                    }
                }
                Some(FileType::Directory) if !todo.is_empty() => {
                    let next = dir.open_dir_nofollow(&name).map_err(|error| {
                        match error.kind() {
                            // This was a folder a moment ago, so the path has changed.
                            io::ErrorKind::NotADirectory => ToolError::PathShifted {
                                path: path.to_owned(),
                            },
                            _ => ToolError::io("opening", path, &error),
                        }
                    })?;
                    names.push(name);
                    dirs.push(next);
                }
                Some(_) if todo.is_empty() => return walked(names, dirs, Vec::new(), Some(name)),
                Some(_) => {
                    let middle: PathBuf = names.iter().chain([&name]).collect();
                    return Err(ToolError::NotAFolder {
                        path: middle.display().to_string(),
                    });
                }
            }
        }
        walked(names, dirs, Vec::new(), None)
    }

    /// Splits a path written by a plan or a model into its names; refuses absolute paths, `~` and
    /// `..`.
    fn clean(&self, written: &Path) -> Result<VecDeque<Step>, ToolError> {
        let path: &str = &written.to_string_lossy();
        if path.contains('\0') {
            let reason = format!("the path {path:?} contains a NUL character: remove it");
            return Err(ToolError::Argument { reason });
        }
        if written.is_absolute() || path == "~" || path.starts_with("~/") {
            let hint = match written.strip_prefix(&self.path) {
                Ok(inside) => format!(", as `{}`", inside.display()),
                Err(_) => String::new(),
            };
            return Err(ToolError::Absolute {
                path: path.to_owned(),
                hint,
            });
        }
        let mut names = VecDeque::new();
        for component in written.components() {
            match component {
                Component::Normal(name) => {
                    names.push_back(Step {
                        name: name.to_owned(),
                        from_link: false,
                    });
                }
                Component::ParentDir => {
                    return Err(ToolError::ParentFolder {
                        path: path.to_owned(),
                    });
                }
                _ => {}
            }
        }
        Ok(names)
    }

    fn link_refused(&self, path: &str, link: &Path, target: &Path) -> ToolError {
        let (path, link) = (path.to_owned(), link.display().to_string());
        if target.is_absolute() && !target.starts_with(&self.path) {
            ToolError::SymlinkOut { path, link }
        } else if target.is_absolute() {
            ToolError::AbsoluteSymlink {
                path,
                link,
                target: target.display().to_string(),
            }
        } else {
            ToolError::DanglingSymlink { path }
        }
    }
}

struct Step {
    name: OsString,
    /// Whether the name comes from a link's target; nothing is created through a dangling link.
    from_link: bool,
}

struct Walked {
    rel: Vec<OsString>,
    dir: Dir,
    missing: Vec<OsString>,
    name: Option<OsString>,
}

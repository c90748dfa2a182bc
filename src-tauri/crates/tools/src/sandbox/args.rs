//! Builds the bubblewrap command line as a pure function.
//!
//! The sandbox starts empty, and later mounts take precedence, so the order is the policy: programs
//! and settings, new system folders, an empty home, toolchains, the workspace with its protected
//! names read-only again, and finally covers over anything inside these that must not be read.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::Mode;

/// A folder or file to hide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Hidden {
    Folder(PathBuf),
    File(PathBuf),
    /// An existing file whose content is replaced by that of an open file, given by its descriptor.
    Replaced(i32, PathBuf),
}

impl Hidden {
    /// Hides a path, as a folder or as a file.
    pub(super) fn of(path: &Path) -> Self {
        if path.is_dir() {
            Self::Folder(path.to_owned())
        } else {
            Self::File(path.to_owned())
        }
    }

    pub(super) fn path(&self) -> &Path {
        match self {
            Self::Folder(path) | Self::File(path) | Self::Replaced(_, path) => path,
        }
    }
}

/// Everything the command line depends on; every path is absolute and exists.
#[derive(Debug, Clone)]
pub(super) struct Layout<'a> {
    pub(super) workspace: &'a Path,
    pub(super) mode: Mode,
    /// In plan mode: a writable private folder that the command sees instead of the workspace.
    pub(super) copy: Option<&'a Path>,
    /// Whether the command shares the host's network.
    pub(super) network: bool,
    /// Programs and libraries: each is a folder, or a link with its target.
    pub(super) system: &'a [(PathBuf, Option<PathBuf>)],
    /// The home folders: in place of each, the command sees an empty, private, writable folder.
    pub(super) homes: &'a [PathBuf],
    /// Other readable paths, parents first.
    pub(super) readable: &'a [PathBuf],
    /// The writable paths of the workspace; `None` for all of it.
    pub(super) writable: Option<&'a [PathBuf]>,
    /// Folders between the workspace and a protected name. As mount points, they cannot be renamed,
    /// which would free the name.
    pub(super) held: &'a [PathBuf],
    pub(super) read_only: &'a [PathBuf],
    /// Mounts that come last: source, target, and whether it is writable.
    pub(super) placed: &'a [(PathBuf, PathBuf, bool)],
    pub(super) hidden: &'a [Hidden],
    /// Kernel files that must not be written, regardless of their owner.
    pub(super) sealed: &'a [PathBuf],
    /// The user ID inside, if it differs from outside.
    pub(super) user: Option<u32>,
    /// Small files, by open descriptor, that are copied into place because each mount takes time.
    pub(super) files: &'a [(i32, PathBuf)],
    /// Memory limit of temporary files in bytes; `None` if bubblewrap is too old to set one.
    pub(super) temporary: Option<u64>,
    pub(super) seccomp_fd: i32,
    pub(super) status_fd: i32,
    pub(super) argv: &'a [String],
}

/// Folders that are created empty for each command, with the divisor of their share of memory.
const FRESH: &[(&str, u64)] = &[("/dev/shm", 2), ("/tmp", 1)];

/// The arguments after `bwrap`.
pub(super) fn bubblewrap(layout: &Layout<'_>) -> Vec<OsString> {
    let mut args = Args(Vec::new());
    args.words(&[
        "--unshare-user",
        "--unshare-pid",
        "--unshare-ipc",
        "--unshare-uts",
        "--unshare-cgroup-try",
        "--die-with-parent",
        "--new-session",
        // If started by root, bubblewrap would otherwise leave root's capabilities to the command.
        "--cap-drop",
        "ALL",
    ]);
    if let Some(user) = layout.user {
        args.words(&["--uid", &user.to_string(), "--gid", &user.to_string()]);
    }
    if !layout.network {
        args.words(&["--unshare-net"]);
    }
    args.words(&["--proc", "/proc", "--dev", "/dev"]);
    for path in layout.sealed {
        args.mount("--ro-bind", path);
    }
    for (folder, part) in FRESH {
        args.fresh(Path::new(folder), layout.temporary, *part);
    }
    args.words(&["--symlink", "/tmp", "/var/tmp", "--dir", "/run"]);
    for (path, target) in layout.system {
        match target {
            Some(target) => args
                .0
                .extend(["--symlink".into(), target.into(), path.into()]),
            None => args.mount("--ro-bind", path),
        }
    }
    if layout.network {
        // Needed for name resolution; on other systems, the file is not a link into `/run`.
        let resolver = "/run/systemd/resolve";
        args.words(&["--ro-bind-try", resolver, resolver]);
    }
    for home in layout.homes {
        args.fresh(home, layout.temporary, 2);
    }
    for path in layout.readable {
        args.mount("--ro-bind", path);
    }
    for (file, path) in layout.files {
        args.words(&["--file", &file.to_string()]);
        args.0.push(path.into());
    }
    let (above, inside): (Vec<_>, Vec<_>) = layout
        .hidden
        .iter()
        .filter(|hidden| hidden.path() != layout.workspace)
        .partition(|hidden| layout.workspace.starts_with(hidden.path()));
    // The workspace may be inside a hidden folder.
    for hidden in &above {
        args.hide(hidden);
    }
    args.workspace(layout);
    for hidden in &inside {
        args.hide(hidden);
    }
    for hidden in above.into_iter().chain(inside) {
        if let Hidden::Folder(path) = hidden {
            args.remount(path);
        }
    }
    // Must come last, since no mount points can be created once the root is read-only.
    args.remount(Path::new("/"));
    args.words(&["--chdir"]);
    args.0.push(layout.workspace.into());
    args.words(&["--seccomp", &layout.seccomp_fd.to_string()]);
    args.words(&["--json-status-fd", &layout.status_fd.to_string(), "--"]);
    args.0.extend(layout.argv.iter().map(OsString::from));
    args.0
}

struct Args(Vec<OsString>);

impl Args {
    fn words(&mut self, words: &[&str]) {
        self.0.extend(words.iter().map(OsString::from));
    }

    fn workspace(&mut self, layout: &Layout<'_>) {
        match (layout.mode, layout.copy) {
            (Mode::Plan, None) => return self.mount("--ro-bind", layout.workspace),
            (Mode::Plan, Some(copy)) => {
                let (copy, place) = (copy.into(), layout.workspace.into());
                self.0.extend(["--bind".into(), copy, place]);
                return self.place(layout.placed);
            }
            (Mode::Exec, _) => {}
        }
        let is_open = |path: &Path| {
            let only = layout.writable;
            only.is_none_or(|only| only.iter().any(|open| path.starts_with(open)))
        };
        match layout.writable {
            None => self.mount("--bind", layout.workspace),
            Some(only) => {
                self.mount("--ro-bind", layout.workspace);
                for path in only {
                    self.mount("--bind", path);
                }
            }
        }
        // In a read-only folder, nothing can be renamed.
        for path in layout.held.iter().filter(|path| is_open(path)) {
            self.mount("--bind", path);
        }
        for path in layout.read_only {
            self.mount("--ro-bind", path);
        }
        self.place(layout.placed);
    }

    fn place(&mut self, placed: &[(PathBuf, PathBuf, bool)]) {
        for (source, place, is_writable) in placed {
            let how = if *is_writable { "--bind" } else { "--ro-bind" };
            self.0.extend([how.into(), source.into(), place.into()]);
        }
    }

    /// Mounts an empty folder in memory with a share of the limit.
    fn fresh(&mut self, path: &Path, all: Option<u64>, part: u64) {
        if let Some(all) = all {
            self.words(&["--size", &(all / part).to_string()]);
        }
        self.0.extend(["--tmpfs".into(), path.into()]);
    }

    fn remount(&mut self, path: &Path) {
        self.0.extend(["--remount-ro".into(), path.into()]);
    }

    /// Mounts a path onto itself.
    fn mount(&mut self, how: &str, path: &Path) {
        self.0.extend([how.into(), path.into(), path.into()]);
    }

    fn hide(&mut self, hidden: &Hidden) {
        match hidden {
            Hidden::Folder(path) => self.0.extend(["--tmpfs".into(), path.into()]),
            Hidden::File(path) => {
                self.0
                    .extend(["--ro-bind".into(), "/dev/null".into(), path.into()]);
            }
            Hidden::Replaced(file, path) => {
                self.words(&["--ro-bind-data", &file.to_string()]);
                self.0.push(path.into());
            }
        }
    }
}

#[cfg(test)]
mod tests;

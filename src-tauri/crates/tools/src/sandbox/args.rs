//! The bubblewrap command line, as a pure function of what is known.
//!
//! Later mounts win, so the order is the policy: everything read-only, fresh system folders,
//! secrets away, the workspace back in, its protected names read-only again.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::Mode;

/// A folder or file to hide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Hidden {
    Folder(PathBuf),
    File(PathBuf),
}

impl Hidden {
    fn path(&self) -> &Path {
        match self {
            Self::Folder(path) | Self::File(path) => path,
        }
    }
}

/// All that the command line depends on; every path is absolute, canonical and exists.
#[derive(Debug, Clone)]
pub(super) struct Layout<'a> {
    pub(super) workspace: &'a Path,
    pub(super) mode: Mode,
    /// Whether the network stays as it is outside.
    pub(super) network: bool,
    /// What of the workspace is writable, where that is not all of it.
    pub(super) writable: Option<&'a [PathBuf]>,
    /// Folders on the way from the workspace to a protected name. As mount points of their own
    /// they cannot be renamed away, which would free the name.
    pub(super) held: &'a [PathBuf],
    pub(super) read_only: &'a [PathBuf],
    /// What else has its place in the end: source, place, and whether it can be written.
    pub(super) placed: &'a [(PathBuf, PathBuf, bool)],
    pub(super) hidden: &'a [Hidden],
    /// Shown although a fresh folder covers them.
    pub(super) shown: &'a [PathBuf],
    pub(super) seccomp_fd: i32,
    pub(super) status_fd: i32,
    pub(super) argv: &'a [String],
}

/// Folders that are new and empty for each command.
const FRESH: &[&str] = &["/dev/shm", "/run", "/tmp"];

/// Whether a path lies in a folder that is new and empty for each command.
pub(super) fn is_covered(path: &Path) -> bool {
    FRESH.iter().any(|fresh| path.starts_with(fresh))
}

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
        // Started by root, bubblewrap would leave root's capabilities to the command.
        "--cap-drop",
        "ALL",
    ]);
    if !layout.network {
        args.words(&["--unshare-net"]);
    }
    args.words(&["--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"]);
    for folder in FRESH {
        args.words(&["--tmpfs", folder]);
    }
    if layout.network {
        // Where names are looked up; elsewhere the file is no link into a fresh folder.
        let resolver = "/run/systemd/resolve";
        args.words(&["--ro-bind-try", resolver, resolver]);
    }
    // What is put back after the fresh folders; a secret in it has to be hidden after it.
    let is_inside = |path: &Path| {
        let back = layout
            .shown
            .iter()
            .map(PathBuf::as_path)
            .chain([layout.workspace]);
        back.into_iter()
            .any(|folder| path.starts_with(folder) && path != folder)
    };
    let hide_last: Vec<_> = layout
        .hidden
        .iter()
        .filter(|hidden| is_inside(hidden.path()))
        .collect();
    let hide_first: Vec<_> = layout
        .hidden
        .iter()
        .filter(|hidden| !is_inside(hidden.path()) && hidden.path() != layout.workspace)
        .filter(|hidden| !is_covered(hidden.path()))
        .collect();
    for hidden in &hide_first {
        args.hide(hidden);
    }
    for path in layout.shown {
        args.mount("--ro-bind", path);
    }
    match layout.mode {
        Mode::Plan => args.mount("--ro-bind", layout.workspace),
        Mode::Exec => {
            let is_open = |path: &Path| {
                let only = layout.writable;
                only.is_none_or(|only| only.iter().any(|open| path.starts_with(open)))
            };
            match layout.writable {
                None => args.mount("--bind", layout.workspace),
                Some(only) => {
                    args.mount("--ro-bind", layout.workspace);
                    for path in only {
                        args.mount("--bind", path);
                    }
                }
            }
            // In a folder that is not writable nothing can be renamed away.
            for path in layout.held.iter().filter(|path| is_open(path)) {
                args.mount("--bind", path);
            }
            for path in layout.read_only {
                args.mount("--ro-bind", path);
            }
            for (source, place, is_writable) in layout.placed {
                let how = if *is_writable { "--bind" } else { "--ro-bind" };
                args.0.extend([how.into(), source.into(), place.into()]);
            }
        }
    }
    for hidden in &hide_last {
        args.hide(hidden);
    }
    // Only now: the workspace may lie in a folder that is hidden, and needs its mount point there.
    for hidden in hide_first.into_iter().chain(hide_last) {
        if let Hidden::Folder(path) = hidden {
            args.words(&["--remount-ro"]);
            args.0.push(path.into());
        }
    }
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
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMON: &str = "--unshare-user --unshare-pid --unshare-ipc --unshare-uts \
        --unshare-cgroup-try --die-with-parent --new-session --cap-drop ALL --unshare-net --ro-bind / / \
        --proc /proc --dev /dev --tmpfs /dev/shm --tmpfs /run --tmpfs /tmp";

    fn layout<'a>(mode: Mode, argv: &'a [String], hidden: &'a [Hidden]) -> Layout<'a> {
        Layout {
            workspace: Path::new("/home/a/work"),
            mode,
            network: false,
            writable: None,
            held: &[],
            read_only: &[],
            placed: &[],
            hidden,
            shown: &[],
            seccomp_fd: 5,
            status_fd: 7,
            argv,
        }
    }

    fn text(layout: &Layout<'_>) -> String {
        let words: Vec<_> = bubblewrap(layout)
            .iter()
            .map(|word| word.to_str().unwrap().to_owned())
            .collect();
        words.join(" ")
    }

    #[test]
    fn exec_mode_binds_the_workspace_and_then_its_protected_names() {
        let argv = ["cargo".to_owned(), "test".to_owned()];
        let hidden = [
            Hidden::Folder("/home/a/.ssh".into()),
            Hidden::File("/home/a/.netrc".into()),
            Hidden::Folder("/home/a/work/data".into()),
            Hidden::Folder("/tmp/gone".into()),
        ];
        let held = ["/home/a/work/.git".into()];
        let read_only = [
            "/home/a/work/.git/hooks".into(),
            "/home/a/work/plan.md".into(),
        ];
        let mut layout = layout(Mode::Exec, &argv, &hidden);
        layout.held = &held;
        layout.read_only = &read_only;
        assert_eq!(
            text(&layout),
            format!(
                "{COMMON} --tmpfs /home/a/.ssh --ro-bind /dev/null /home/a/.netrc \
                 --bind /home/a/work /home/a/work --bind /home/a/work/.git /home/a/work/.git \
                 --ro-bind /home/a/work/.git/hooks /home/a/work/.git/hooks \
                 --ro-bind /home/a/work/plan.md /home/a/work/plan.md --tmpfs /home/a/work/data \
                 --remount-ro /home/a/.ssh --remount-ro /home/a/work/data --chdir /home/a/work \
                 --seccomp 5 --json-status-fd 7 -- cargo test"
            )
        );
    }

    #[test]
    fn the_network_is_there_for_what_was_granted_it_and_for_nothing_else() {
        let argv = ["agent".to_owned()];
        let mut layout = layout(Mode::Exec, &argv, &[]);
        assert!(text(&layout).contains("--unshare-net"));
        layout.network = true;
        assert!(!text(&layout).contains("--unshare-net"));
    }

    #[test]
    fn a_confined_command_gets_its_own_places_and_no_protected_name_back() {
        let argv = ["make".to_owned()];
        let held = ["/home/a/work/.git".into(), "/home/a/work/out/in".into()];
        let read_only = ["/home/a/work/.git/hooks".into()];
        let writable = ["/home/a/work/out".into()];
        let mut layout = layout(Mode::Exec, &argv, &[]);
        layout.held = &held;
        layout.read_only = &read_only;
        layout.writable = Some(&writable);
        assert_eq!(
            text(&layout),
            format!(
                "{COMMON} --ro-bind /home/a/work /home/a/work --bind /home/a/work/out \
                 /home/a/work/out --bind /home/a/work/out/in /home/a/work/out/in \
                 --ro-bind /home/a/work/.git/hooks /home/a/work/.git/hooks \
                 --chdir /home/a/work --seccomp 5 --json-status-fd 7 -- make"
            )
        );
    }

    #[test]
    fn plan_mode_leaves_nothing_writable_but_the_fresh_folders() {
        let argv = ["ls".to_owned()];
        let shown = ["/tmp/tools".into()];
        let hidden = [Hidden::File("/tmp/tools/key".into())];
        let mut layout = layout(Mode::Plan, &argv, &hidden);
        layout.shown = &shown;
        assert_eq!(
            text(&layout),
            format!(
                "{COMMON} --ro-bind /tmp/tools /tmp/tools --ro-bind /home/a/work /home/a/work \
                 --ro-bind /dev/null /tmp/tools/key \
                 --chdir /home/a/work --seccomp 5 --json-status-fd 7 -- ls"
            )
        );
    }

    #[test]
    fn a_workspace_that_is_or_lies_in_a_hidden_folder_is_mounted_after_it() {
        let argv = ["ls".to_owned()];
        let hidden = [
            Hidden::Folder("/home/a".into()),
            Hidden::Folder("/home/a/work".into()),
        ];
        assert_eq!(
            text(&layout(Mode::Exec, &argv, &hidden)),
            format!(
                "{COMMON} --tmpfs /home/a --bind /home/a/work /home/a/work --remount-ro /home/a \
                 --chdir /home/a/work --seccomp 5 --json-status-fd 7 -- ls"
            )
        );
    }
}

//! The order of mounts is the policy.

use super::*;

const COMMON: &str = "--unshare-user --unshare-pid --unshare-ipc --unshare-uts \
    --unshare-cgroup-try --die-with-parent --new-session --cap-drop ALL --unshare-net \
    --proc /proc --dev /dev --ro-bind /proc/sys /proc/sys --tmpfs /dev/shm --tmpfs /tmp \
    --symlink /tmp /var/tmp --dir /run --ro-bind /usr /usr --symlink usr/bin /bin \
    --tmpfs /home/a --ro-bind /home/a/.cargo /home/a/.cargo --file 9 /home/a/.gitconfig";

struct Owned {
    system: Vec<(PathBuf, Option<PathBuf>)>,
    homes: Vec<PathBuf>,
    readable: Vec<PathBuf>,
    sealed: Vec<PathBuf>,
    files: Vec<(i32, PathBuf)>,
    argv: Vec<String>,
}

impl Owned {
    fn new() -> Self {
        Self {
            system: vec![
                ("/usr".into(), None),
                ("/bin".into(), Some("usr/bin".into())),
            ],
            homes: vec!["/home/a".into()],
            readable: vec!["/home/a/.cargo".into()],
            sealed: vec!["/proc/sys".into()],
            files: vec![(9, "/home/a/.gitconfig".into())],
            argv: vec!["make".into()],
        }
    }

    fn layout<'a>(&'a self, mode: Mode, hidden: &'a [Hidden]) -> Layout<'a> {
        Layout {
            workspace: Path::new("/home/a/work"),
            mode,
            copy: None,
            network: false,
            system: &self.system,
            homes: &self.homes,
            readable: &self.readable,
            writable: None,
            held: &[],
            read_only: &[],
            placed: &[],
            hidden,
            sealed: &self.sealed,
            user: None,
            files: &self.files,
            temporary: None,
            seccomp_fd: 5,
            status_fd: 7,
            argv: &self.argv,
        }
    }
}

fn text(layout: &Layout<'_>) -> String {
    let words = bubblewrap(layout);
    let words: Vec<_> = words.iter().map(|word| word.to_str().unwrap()).collect();
    words.join(" ")
}

const END: &str = "--remount-ro / --chdir /home/a/work --seccomp 5 --json-status-fd 7 -- make";

#[test]
fn exec_mode_binds_the_workspace_and_then_its_protected_names() {
    let owned = Owned::new();
    let hidden = [
        Hidden::File("/home/a/.cargo/credentials".into()),
        Hidden::Folder("/home/a/work/data".into()),
    ];
    let held = ["/home/a/work/plans".into()];
    let read_only = ["/home/a/work/.git".into(), "/home/a/work/plans/p.md".into()];
    let placed = [
        ("/tmp/private_git".into(), "/home/a/work/.git".into(), true),
        (
            "/home/a/work/.git/hooks".into(),
            "/home/a/work/.git/hooks".into(),
            false,
        ),
    ];
    let mut layout = owned.layout(Mode::Exec, &hidden);
    (layout.held, layout.read_only, layout.placed) = (&held, &read_only, &placed);
    assert_eq!(
        text(&layout),
        format!(
            "{COMMON} --bind /home/a/work /home/a/work --bind /home/a/work/plans \
             /home/a/work/plans --ro-bind /home/a/work/.git /home/a/work/.git \
             --ro-bind /home/a/work/plans/p.md /home/a/work/plans/p.md \
             --bind /tmp/private_git /home/a/work/.git \
             --ro-bind /home/a/work/.git/hooks /home/a/work/.git/hooks \
             --ro-bind /dev/null /home/a/.cargo/credentials --tmpfs /home/a/work/data \
             --remount-ro /home/a/work/data {END}"
        )
    );
}

#[test]
fn the_network_is_there_for_what_was_granted_it_and_for_nothing_else() {
    let owned = Owned::new();
    let mut layout = owned.layout(Mode::Exec, &[]);
    assert!(text(&layout).contains("--unshare-net"));
    layout.network = true;
    assert!(!text(&layout).contains("--unshare-net"));
}

#[test]
fn root_is_somebody_else_inside_and_memory_is_bounded() {
    let owned = Owned::new();
    let mut layout = owned.layout(Mode::Exec, &[]);
    (layout.user, layout.temporary) = (Some(1000), Some(1 << 30));
    let text = text(&layout);
    assert!(text.contains("--uid 1000 --gid 1000"), "{text}");
    assert!(text.contains("--size 1073741824 --tmpfs /tmp"), "{text}");
    assert_eq!(
        text.matches("--size").count(),
        text.matches("--tmpfs").count()
    );
}

#[test]
fn a_confined_command_gets_its_own_places_and_no_protected_name_back() {
    let owned = Owned::new();
    let held = ["/home/a/work/plans".into(), "/home/a/work/out/in".into()];
    let read_only = ["/home/a/work/.git".into()];
    let writable = ["/home/a/work/out".into()];
    let mut layout = owned.layout(Mode::Exec, &[]);
    (layout.held, layout.read_only) = (&held, &read_only);
    layout.writable = Some(&writable);
    assert_eq!(
        text(&layout),
        format!(
            "{COMMON} --ro-bind /home/a/work /home/a/work --bind /home/a/work/out \
             /home/a/work/out --bind /home/a/work/out/in /home/a/work/out/in \
             --ro-bind /home/a/work/.git /home/a/work/.git {END}"
        )
    );
}

#[test]
fn plan_mode_leaves_nothing_of_the_workspace_writable_and_its_secrets_out() {
    let owned = Owned::new();
    let hidden = [Hidden::File("/home/a/work/.env".into())];
    assert_eq!(
        text(&owned.layout(Mode::Plan, &hidden)),
        format!(
            "{COMMON} --ro-bind /home/a/work /home/a/work \
             --ro-bind /dev/null /home/a/work/.env {END}"
        )
    );
}

#[test]
fn a_workspace_that_is_or_lies_in_a_hidden_folder_is_mounted_after_it() {
    let owned = Owned::new();
    let hidden = [
        Hidden::Folder("/home/a".into()),
        Hidden::Folder("/home/a/work".into()),
    ];
    assert_eq!(
        text(&owned.layout(Mode::Exec, &hidden)),
        format!(
            "{COMMON} --tmpfs /home/a --bind /home/a/work /home/a/work --remount-ro /home/a {END}"
        )
    );
}

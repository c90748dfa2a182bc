//! Snapshots, the differences between them, and restoring them.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod file_support;

use std::fs;
use std::os::unix::fs::symlink;
use std::time::{Duration, SystemTime};

use file_support::{Project, permits, project, set_mode};
use tools::ToolError;
use tools::checkpoint::{Blobs, Change, Limits, Snapshot, diff_of, restore, undo};

/// The changes between two snapshots, as `kind path`.
fn told(changes: &[Change]) -> Vec<String> {
    changes
        .iter()
        .map(|change| format!("{:?} {}", change.kind, change.path))
        .collect()
}

fn changes_since(project: &Project, before: &Snapshot) -> Vec<Change> {
    Snapshot::changes(before, &project.snapshot(Some(before)))
}

#[test]
fn changes_name_what_happened_to_each_file() {
    let project = project(&[
        ("edited", "one\n"),
        ("deleted", "d"),
        ("mode", "m"),
        ("same", "s"),
        ("becomes_link", "b"),
        (".planwright/x", "p"),
        ("plans/p.md", "p"),
    ]);
    symlink("same", project.path("link")).unwrap();
    project
        .workspace
        .protect(&project.path("plans/p.md"))
        .unwrap();
    let before = project.snapshot(None);
    assert!(changes_since(&project, &before).is_empty());
    project.write("edited", "two\n");
    fs::remove_file(project.path("deleted")).unwrap();
    set_mode(&project.path("mode"), 0o755);
    project.write("new/file", "n\n");
    project.write(".planwright/x", "changed");
    project.write("plans/p.md", "changed");
    for (path, target) in [("becomes_link", "same"), ("link", "edited")] {
        fs::remove_file(project.path(path)).unwrap();
        symlink(target, project.path(path)).unwrap();
    }
    let changes = changes_since(&project, &before);
    assert_eq!(
        told(&changes),
        [
            "Modified becomes_link",
            "Deleted deleted",
            "Modified edited",
            "Modified link",
            "ModeChanged mode",
            "Created new/file",
        ]
    );
    assert!(changes.iter().all(|change| change.held));
    let (text, hash) = diff_of(&project.blobs, &changes[2..3]).unwrap();
    assert_eq!(
        text,
        "--- a/edited\n+++ b/edited\n@@ -1 +1 @@\n-one\n+two\n"
    );
    assert_eq!(hash, tools::ContentHash::of(text.as_bytes()));
    let json = serde_json::to_string(&changes).unwrap();
    assert_eq!(serde_json::from_str::<Vec<Change>>(&json).unwrap(), changes);
}

#[test]
fn restore_makes_the_workspace_what_it_was() {
    let project = project(&[
        (".gitignore", "out\n"),
        ("a", "one"),
        ("b/c", "two"),
        ("b/d/e", "three"),
        ("out/built", "ignored but kept"),
        ("was_file", "f"),
        ("was_folder/x", "x"),
    ]);
    fs::create_dir(project.path("empty")).unwrap();
    symlink("a", project.path("link")).unwrap();
    set_mode(&project.path("a"), 0o750);
    let tree = project.tree();
    let before = project.snapshot(None);

    project.write("a", "changed");
    set_mode(&project.path("a"), 0o600);
    fs::remove_dir_all(project.path("b")).unwrap();
    symlink("empty", project.path("b")).unwrap();
    project.write("out/built", "changed");
    project.write("out/more/new", "n");
    fs::remove_file(project.path("was_file")).unwrap();
    project.write("was_file/now/folder", "x");
    fs::remove_dir_all(project.path("was_folder")).unwrap();
    project.write("was_folder", "now a file");
    fs::remove_file(project.path("link")).unwrap();
    fs::remove_dir(project.path("empty")).unwrap();
    fs::create_dir_all(project.path("hollow/inner")).unwrap();

    let changes = changes_since(&project, &before);
    let outcome = restore(
        &permits::to_take_back(),
        &project.workspace,
        &project.blobs,
        &before,
        &changes,
    )
    .unwrap();
    assert_eq!(outcome.not_restored, []);
    assert_eq!(project.tree(), tree);
    let again = restore(
        &permits::to_take_back(),
        &project.workspace,
        &project.blobs,
        &before,
        &changes,
    )
    .unwrap();
    assert_eq!(
        (again.not_restored, project.tree()),
        (vec![], tree),
        "twice is once"
    );
}

#[test]
fn restore_leaves_alone_what_changed_since() {
    let project = project(&[("a", "one"), ("b", "one"), ("hard", "one")]);
    let before = project.snapshot(None);
    project.write("a", "two");
    project.write("b", "two");
    project.write("c", "two");
    project.write("hard", "two");
    let changes = changes_since(&project, &before);
    project.write("a", "later");
    project.write("c", "later");
    fs::hard_link(project.path("hard"), project.folder.path().join("outside")).unwrap();
    let outcome = restore(
        &permits::to_take_back(),
        &project.workspace,
        &project.blobs,
        &before,
        &changes,
    )
    .unwrap();
    let left: Vec<String> = outcome
        .not_restored
        .iter()
        .map(|left| left.path.to_string())
        .collect();
    assert_eq!(left, ["c", "a", "hard"]);
    assert!(outcome.not_restored[2].reason.contains("hard links"));
    assert_eq!(
        ["a", "b", "c", "hard"].map(|path| project.read(path)),
        ["later", "one", "later", "two"]
    );
}

#[test]
fn ignored_files_beyond_the_limits_are_named_not_restored() {
    let project = project(&[
        (".gitignore", "out\n"),
        ("out/a", "1"),
        ("out/b", "2"),
        ("kept", "k"),
    ]);
    let limits = Limits {
        ignored_files: 1,
        ..Limits::default()
    };
    let take = |previous| Snapshot::take(&project.workspace, &project.blobs, previous, &limits);
    let before = take(None).unwrap();
    project.write("out/a", "changed");
    project.write("out/b", "changed");
    let changes = Snapshot::changes(&before, &take(Some(&before)).unwrap());
    assert_eq!(told(&changes), ["Modified out/a", "Modified out/b"]);
    assert_eq!(
        changes.iter().map(|change| change.held).collect::<Vec<_>>(),
        [true, false]
    );
    let outcome = restore(
        &permits::to_take_back(),
        &project.workspace,
        &project.blobs,
        &before,
        &changes,
    )
    .unwrap();
    assert_eq!(outcome.not_restored.len(), 1);
    assert!(outcome.not_restored[0].reason.contains("was not saved"));
    let error = undo(
        &permits::to_take_back(),
        &project.workspace,
        &project.blobs,
        &changes[1],
    )
    .unwrap_err();
    assert!(matches!(error, ToolError::NotKept { .. }));
    assert_eq!(project.read("out/b"), "changed");
}

#[test]
fn what_was_not_looked_at_is_neither_deleted_nor_removed() {
    let project = project(&[
        (".gitignore", "out\n"),
        ("out/a", "1"),
        ("out/b", "2"),
        ("out/c", "3"),
    ]);
    let all = project.snapshot(None);
    let limits = Limits {
        ignored_seen: 2,
        ..Limits::default()
    };
    let few = Snapshot::take(&project.workspace, &project.blobs, None, &limits).unwrap();
    assert!(Snapshot::changes(&all, &few).is_empty());
    assert!(Snapshot::changes(&few, &all).is_empty());
}

#[test]
fn an_unchanged_file_is_not_read_again() {
    let project = project(&[("a", "one"), ("sub/b", "two")]);
    // Files changed within the clock's resolution are deliberately read again.
    let young = || {
        let changed = fs::metadata(project.path("sub/b"))
            .unwrap()
            .modified()
            .unwrap();
        SystemTime::now() < changed + Duration::from_millis(40)
    };
    while young() {
        std::thread::yield_now();
    }
    let first = project.snapshot(None);
    let elsewhere = Blobs::open(&project.folder.path().join("elsewhere")).unwrap();
    let take = |previous: &Snapshot| {
        Snapshot::take(
            &project.workspace,
            &elsewhere,
            Some(previous),
            &Limits::default(),
        )
        .unwrap()
    };
    let second = take(&first);
    assert!(Snapshot::changes(&first, &second).is_empty());
    let kept = || {
        fs::read_dir(project.folder.path().join("elsewhere"))
            .unwrap()
            .count()
    };
    assert_eq!(kept(), 0, "nothing was kept anew");
    // The length is the same and the times are reset, but the change time still reveals the change.
    let times = fs::metadata(project.path("a")).unwrap().modified().unwrap();
    project.write("a", "eno");
    fs::File::options()
        .write(true)
        .open(project.path("a"))
        .unwrap()
        .set_modified(times)
        .unwrap();
    assert_eq!(
        told(&Snapshot::changes(&second, &take(&second))),
        ["Modified a"]
    );
    assert_eq!(kept(), 1);
}

#[test]
fn a_snapshot_survives_json_and_tells_a_moved_head() {
    use std::os::unix::ffi::OsStrExt as _;
    let project = project(&[("a", "one"), (".git/HEAD", "ref: refs/heads/main\n")]);
    let odd = project
        .path("")
        .join(std::ffi::OsStr::from_bytes(b"caf\xe9"));
    fs::write(&odd, "odd").unwrap();
    let before = project.snapshot(None);
    let json = serde_json::to_string(&before).unwrap();
    assert_eq!(serde_json::from_str::<Snapshot>(&json).unwrap(), before);
    project.write(".git/refs/heads/main", "1234\n");
    fs::write(&odd, "changed").unwrap();
    let after = project.snapshot(Some(&before));
    assert!(after.moved_git(&before));
    let changes = Snapshot::changes(&before, &after);
    assert_eq!(changes.len(), 1, "nothing inside .git is listed");
    restore(
        &permits::to_take_back(),
        &project.workspace,
        &project.blobs,
        &before,
        &changes,
    )
    .unwrap();
    assert_eq!(fs::read(&odd).unwrap(), b"odd");
}

#[test]
fn kept_contents_are_private_and_damage_is_noticed_and_mended() {
    use std::os::unix::fs::PermissionsExt as _;
    let project = project(&[]);
    let id = project.blobs.put(b"secret").unwrap();
    let hex = id.to_hex();
    let file = project
        .folder
        .path()
        .join("blobs")
        .join(&hex[..2])
        .join(&hex[2..]);
    assert_eq!(
        fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o600
    );
    assert_eq!(project.blobs.get(id).unwrap(), b"secret");
    fs::write(&file, "").unwrap();
    assert!(matches!(
        project.blobs.get(id),
        Err(ToolError::BlobLost { .. })
    ));
    project.blobs.put(b"secret").unwrap();
    assert_eq!(project.blobs.get(id).unwrap(), b"secret");
    project.blobs.sync().unwrap();
}

#[test]
fn undo_and_restore_do_not_write_to_protected_files() {
    let project = project(&[("plan.md", "one")]);
    let before = project.snapshot(None);
    project.write("plan.md", "two");
    let changes = changes_since(&project, &before);
    project.workspace.protect("plan.md".as_ref()).unwrap();
    let error = undo(
        &permits::to_take_back(),
        &project.workspace,
        &project.blobs,
        &changes[0],
    )
    .unwrap_err();
    assert!(matches!(error, ToolError::Protected { .. }));
    let outcome = restore(
        &permits::to_take_back(),
        &project.workspace,
        &project.blobs,
        &before,
        &changes,
    )
    .unwrap();
    assert_eq!(
        (outcome.not_restored.len(), project.read("plan.md")),
        (1, "two".into())
    );
}

#[test]
fn output_folders_hold_nothing_but_what_git_ignores() {
    let project = project(&[
        (".gitignore", "target/\n*.log\n"),
        ("src/main.rs", "m"),
        ("src/run.log", "l"),
        ("target/debug/a", "a"),
        ("logs/deep/x.log", "x"),
        ("mixed/y.log", "y"),
        ("mixed/kept", "k"),
    ]);
    fs::create_dir(project.path(".git")).unwrap();
    let folders = project.snapshot(None).output_folders();
    let folders: Vec<String> = folders.iter().map(ToString::to_string).collect();
    assert_eq!(folders, ["logs", "target"]);
}

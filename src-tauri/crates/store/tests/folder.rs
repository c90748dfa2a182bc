//! The data folder: private, with clear errors when it can't be used.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that fails here has found something"
)]

mod support;

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use store::{Store, StoreError};
use support::{RUN, command, database, entries, given_folder, mode, open, record, run};

#[test]
fn everything_in_it_is_the_users_alone() {
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("deep/planwright");
    let store = open(&folder);
    run(&store, 1);
    let copy = store.backup().unwrap().unwrap();
    store.journal().append(RUN, 2, &[("a", "1")], 0).unwrap();
    assert_eq!(mode(&folder), 0o700);
    assert_eq!(mode(&folder.join("backups")), 0o700);
    assert_eq!(mode(&copy), 0o600);
    let files = [
        "planwright.db",
        "planwright.db-wal",
        "planwright.db-shm",
        "planwright.lock",
    ];
    for file in files {
        assert_eq!(mode(&folder.join(file)), 0o600, "{file}");
    }
}

#[test]
fn a_database_copied_in_by_hand_becomes_private() {
    let folder = tempfile::tempdir().unwrap();
    drop(open(folder.path()));
    let db = database(folder.path());
    fs::set_permissions(&db, Permissions::from_mode(0o644)).unwrap();
    let store = open(folder.path());
    run(&store, 1);
    for side in ["", "-wal", "-shm"] {
        let file = folder.path().join(format!("planwright.db{side}"));
        assert_eq!(mode(&file), 0o600, "{side}");
    }
}

#[test]
fn it_is_created_once() {
    let folder = tempfile::tempdir().unwrap();
    for created in [true, false, false] {
        let (_store, report) = Store::open(folder.path(), 0).unwrap();
        assert_eq!(report.created, created);
        assert_eq!(report.damaged, None);
    }
}

#[test]
fn a_database_that_died_while_it_was_made_is_made_to_the_end() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(database(folder.path()), "").unwrap();
    run(&open(folder.path()), 1);
    // Simulate a crash right after WAL was enabled.
    let folder = tempfile::tempdir().unwrap();
    let blank = rusqlite::Connection::open(database(folder.path())).unwrap();
    blank
        .pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))
        .unwrap();
    drop(blank);
    run(&open(folder.path()), 1);
}

#[test]
fn a_folder_that_cannot_be_used_is_named() {
    let outer = tempfile::tempdir().unwrap();
    let file = outer.path().join("file");
    fs::write(&file, "").unwrap();
    let refused = Store::open(&file.join("planwright"), 0)
        .map(drop)
        .unwrap_err();
    assert!(
        matches!(refused, StoreError::Unusable { .. }),
        "{refused:?}"
    );
    let told = refused.to_string();
    assert!(
        told.contains("file/planwright") && told.contains("PLANWRIGHT_HOME"),
        "{told}"
    );
}

#[test]
fn a_copy_is_made_only_of_something_new_and_two_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let backups = || {
        let names = fs::read_dir(folder.path().join("backups")).unwrap();
        let mut names: Vec<_> = names
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    let store = open(folder.path());
    run(&store, 1);
    assert!(store.backup().unwrap().is_some());
    assert_eq!(store.backup().unwrap(), None);
    drop(store);
    let store = open(folder.path());
    assert_eq!(entries(&store), 1);
    assert_eq!(
        store.backup().unwrap(),
        None,
        "opening and reading change nothing"
    );
    for n in 0..3 {
        record(&store, format!("plan {n}").as_bytes());
        assert!(store.backup().unwrap().is_some());
    }
    assert_eq!(backups(), ["planwright-3.db", "planwright-4.db"]);
    // Left by a process that died during a backup; no process has this id.
    let orphan = folder.path().join("backups/planwright-5.db.part4294967295");
    fs::write(orphan, "half").unwrap();
    record(&store, b"one more");
    store.backup().unwrap().unwrap();
    assert_eq!(backups(), ["planwright-4.db", "planwright-5.db"]);
}

/// Helper, not a test by itself: fills the small file system that contains its folder.
#[test]
fn fills_the_disk() {
    let Some(folder) = given_folder() else {
        return;
    };
    let store = open(&folder.join("data"));
    run(&store, 1);
    let ballast = folder.join("ballast");
    // Fill the remaining space, so that no other page fits.
    let full = fs::write(&ballast, vec![1; 16 << 20]).unwrap_err();
    assert_eq!(full.kind(), std::io::ErrorKind::StorageFull);
    let long = "x".repeat(100_000);
    let mut next = 2;
    let refused = loop {
        match store.journal().append(RUN, next, &[("a", &long)], 0) {
            Ok(after) => next = after,
            Err(error) => break error,
        }
    };
    assert!(matches!(refused, StoreError::DiskFull), "{refused:?}");
    assert!(refused.to_string().contains("Free some space"));
    let refused = store.backup().unwrap_err();
    assert!(matches!(refused, StoreError::DiskFull), "{refused:?}");
    let refused = Store::open(&folder.join("another"), 0)
        .map(drop)
        .unwrap_err();
    assert!(matches!(refused, StoreError::DiskFull), "{refused:?}");
    let before = entries(&store);
    fs::remove_file(&ballast).unwrap();
    store
        .journal()
        .append(RUN, next, &[("a", &long)], 0)
        .unwrap();
    store.backup().unwrap().unwrap();
    drop(store);
    assert_eq!(entries(&open(&folder.join("data"))), before + 1);
    println!("the disk was full");
}

/// Uses a four-megabyte file system in a separate mount namespace. If the system refuses that,
/// nothing is tested here; the journal's own tests simulate a full disk with a page limit.
#[test]
fn a_full_disk_loses_nothing_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let small_disk = |then: &str| {
        let mut unshare = Command::new("unshare");
        unshare.args(["--user", "--map-root-user", "--mount", "sh", "-c"]);
        unshare.arg(format!("mount -t tmpfs -o size=4m none \"$0\" && {then}"));
        unshare.arg(folder.path());
        unshare
    };
    if !small_disk("true")
        .status()
        .is_ok_and(|status| status.success())
    {
        println!("no mount namespaces here");
        return;
    }
    let inner = command("fills_the_disk", folder.path());
    let mut outer = small_disk("exec \"$@\"");
    outer.arg(inner.get_program()).args(inner.get_args());
    for (name, value) in inner.get_envs() {
        outer.env(name, value.unwrap());
    }
    let output = outer.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        said.contains("the disk was full"),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

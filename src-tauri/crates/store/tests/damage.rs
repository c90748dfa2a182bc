//! A damaged database loses at most what was written after the newest valid backup.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that fails here has found something"
)]

mod support;

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::Path;

use store::{Damage, Store, StoreError};
use support::{RUN, database, entries, mode, open, run};

/// A store with 500 entries and a backup of them, then one more entry.
fn used_store() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    run(&store, 500);
    store.backup().unwrap().unwrap();
    store
        .journal()
        .append(RUN, 501, &[("late", "1")], 3)
        .unwrap();
    drop(store);
    folder
}

fn overwrite(path: &Path, at: u64, bytes: &[u8]) {
    let file = File::options().write(true).open(path).unwrap();
    file.write_all_at(bytes, at).unwrap();
}

fn mended(folder: &Path) -> (Store, Damage) {
    let (store, report) = Store::open(folder, 1_795_220_407_000).unwrap();
    assert!(!report.created);
    (store, report.damaged.unwrap())
}

#[test]
fn each_kind_of_damage_is_set_aside_and_the_newest_copy_used() {
    type Harm = fn(&Path);
    let kinds: [(&str, Harm); 5] = [
        ("garbage", |db| fs::write(db, vec![0x5a; 20_000]).unwrap()),
        ("a text file", |db| fs::write(db, "hello\n").unwrap()),
        ("the middle of a page", |db| {
            overwrite(db, 4096, &[0xa5; 8000])
        }),
        ("cut off", |db| {
            let file = File::options().write(true).open(db).unwrap();
            file.set_len(fs::metadata(db).unwrap().len() / 2).unwrap();
        }),
        ("another program's database", |db| {
            fs::remove_file(db).unwrap();
            let other = rusqlite::Connection::open(db).unwrap();
            other
                .execute_batch("CREATE TABLE theirs (x); PRAGMA user_version = 1")
                .unwrap();
        }),
    ];
    for (kind, harm) in kinds {
        let folder = used_store();
        let db = database(folder.path());
        harm(&db);
        let damaged_bytes = fs::read(&db).unwrap();
        let (store, damage) = mended(folder.path());
        // The last entry isn't in the backup; it is restored from the copy of the run's journal.
        assert_eq!(entries(&store), 501, "{kind}");
        let aside = damage.set_aside.unwrap();
        assert_eq!(
            aside.file_name().unwrap(),
            "planwright-damaged-20261121-002007.db"
        );
        assert_eq!(
            fs::read(&aside).unwrap(),
            damaged_bytes,
            "{kind}: kept as it was"
        );
        assert!(
            damage
                .restored_from
                .unwrap()
                .ends_with("backups/planwright-1.db")
        );
        assert!(damage.lost.contains("UTC are lost"), "{}", damage.lost);
        assert_eq!(mode(&db), 0o600, "{kind}");
        store
            .journal()
            .append(RUN, 502, &[("again", "1")], 4)
            .unwrap();
        drop(store);
        assert_eq!(
            entries(&open(folder.path())),
            502,
            "{kind}: mended for good"
        );
    }
}

#[test]
fn an_empty_or_missing_database_with_copies_is_mended_too() {
    for harm in [
        |db: &Path| fs::write(db, "").unwrap(),
        |db: &Path| fs::remove_file(db).unwrap(),
    ] {
        let folder = used_store();
        harm(&database(folder.path()));
        let (store, damage) = mended(folder.path());
        // The last entry isn't in the backup; it is restored from the copy of the run's journal.
        assert_eq!(entries(&store), 501);
        assert!(damage.restored_from.is_some());
    }
}

#[test]
fn a_bad_newest_copy_gives_way_to_the_one_before() {
    let folder = used_store();
    let store = open(folder.path());
    let newest = store.backup().unwrap().unwrap();
    assert!(newest.ends_with("planwright-2.db"));
    drop(store);
    overwrite(&newest, 4096, &[0xa5; 8000]);
    fs::write(database(folder.path()), "garbage").unwrap();
    let (store, damage) = mended(folder.path());
    assert!(damage.restored_from.unwrap().ends_with("planwright-1.db"));
    // The last entry isn't in the backup; it is restored from the copy of the run's journal.
    assert_eq!(entries(&store), 501);
}

#[test]
fn without_a_good_copy_the_store_starts_anew_and_says_so() {
    let folder = used_store();
    fs::write(folder.path().join("backups/planwright-1.db"), "garbage").unwrap();
    fs::write(database(folder.path()), "garbage").unwrap();
    let (store, damage) = mended(folder.path());
    assert_eq!(damage.restored_from, None);
    assert!(damage.lost.contains("no usable backup"), "{}", damage.lost);
    assert_eq!(entries(&store), 501, "all of the run is in its copy");
    drop(store);
    fs::remove_dir_all(folder.path().join("journals")).unwrap();
    fs::write(database(folder.path()), "garbage").unwrap();
    let (store, _) = mended(folder.path());
    run(&store, 3);
    drop(store);
    assert_eq!(entries(&open(folder.path())), 3);
}

#[test]
fn damage_twice_in_one_second_keeps_both_files() {
    let folder = used_store();
    let mut kept = Vec::new();
    for text in ["first", "second"] {
        fs::write(database(folder.path()), text).unwrap();
        kept.push(mended(folder.path()).1.set_aside.unwrap());
    }
    let texts: Vec<_> = kept
        .iter()
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    assert_eq!(texts, ["first", "second"]);
}

#[test]
fn a_wal_of_the_damaged_database_is_not_played_into_the_copy() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    run(&store, 500);
    store.backup().unwrap().unwrap();
    store
        .journal()
        .append(RUN, 501, &[("late", "1")], 3)
        .unwrap();
    // A killed process leaves a WAL that is not checkpointed yet.
    let dead = tempfile::tempdir().unwrap();
    fs::create_dir(dead.path().join("backups")).unwrap();
    for name in [
        "planwright.db",
        "planwright.db-wal",
        "backups/planwright-1.db",
    ] {
        fs::copy(folder.path().join(name), dead.path().join(name)).unwrap();
    }
    fs::write(database(dead.path()), vec![0x5a; 40_000]).unwrap();
    let (store, damage) = mended(dead.path());
    assert_eq!(entries(&store), 500);
    let wal = format!("{}-wal", damage.set_aside.unwrap().display());
    assert!(fs::metadata(wal).unwrap().len() > 0, "it went along");
}

#[test]
fn a_newer_database_is_refused_and_stays_byte_for_byte() {
    let folder = used_store();
    let db = database(folder.path());
    let newer = rusqlite::Connection::open(&db).unwrap();
    newer
        .execute_batch("CREATE TABLE things_to_come (x); PRAGMA user_version = 4711")
        .unwrap();
    newer.close().unwrap();
    let state = |path: &Path| {
        (
            fs::read(path).unwrap(),
            fs::metadata(path).unwrap().modified().unwrap(),
        )
    };
    let before = state(&db);
    for _ in 0..2 {
        let refused = Store::open(folder.path(), 0).map(drop).unwrap_err();
        let StoreError::Newer {
            found: 4711, known, ..
        } = refused
        else {
            panic!("{refused:?}");
        };
        assert!(known < 4711);
        let told = refused.to_string();
        assert!(told.contains("Update Planwright") && told.contains("nothing was changed"));
    }
    assert_eq!(state(&db), before);
}

#[test]
fn a_newer_database_whose_migration_is_still_in_the_wal_is_refused_too() {
    let folder = used_store();
    let db = database(folder.path());
    let newer = rusqlite::Connection::open(&db).unwrap();
    newer.execute_batch("PRAGMA user_version = 4711").unwrap();
    let before = fs::read(&db).unwrap();
    let refused = Store::open(folder.path(), 0).map(drop);
    assert!(
        matches!(refused, Err(StoreError::Newer { .. })),
        "{refused:?}"
    );
    assert_eq!(fs::read(&db).unwrap(), before);
}

#[test]
fn a_damaged_database_never_becomes_a_copy() {
    let folder = used_store();
    let store = open(folder.path());
    overwrite(&database(folder.path()), 4096, &[0xa5; 8000]);
    // A new connection, so that no page is cached.
    let late = rusqlite::Connection::open(database(folder.path())).unwrap();
    late.execute_batch("PRAGMA user_version").unwrap();
    let made = store.backup();
    if let Ok(made) = &made {
        panic!("a copy of a damaged database: {made:?}");
    }
    drop((store, late));
    let (store, damage) = mended(folder.path());
    assert!(damage.restored_from.unwrap().ends_with("planwright-1.db"));
    // The last entry isn't in the backup; it is restored from the copy of the run's journal.
    assert_eq!(entries(&store), 501);
}

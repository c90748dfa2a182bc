//! A database with the first format is migrated in place to the newest one, with all its data.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that fails here has found something"
)]

mod support;

use std::path::Path;

use store::{NewDraft, NewUndo, Phase, Store};
use support::{PLAN, RUN, database, entries, mode, record, run};

const FIRST: &str = include_str!("../../../../migrations/0001_plans_and_runs.sql");

/// Creates a database in the first format.
fn old_database(folder: &Path) {
    let store = support::open(folder);
    run(&store, 40);
    store
        .snapshots()
        .put(RUN, "T1", Phase::Before, b"{}", 3)
        .unwrap();
    drop(store);
    let newest = folder.join("newest.db");
    std::fs::rename(database(folder), &newest).unwrap();
    let old = rusqlite::Connection::open(database(folder)).unwrap();
    old.execute_batch(FIRST).unwrap();
    old.execute("ATTACH ?1 AS newest", [newest.to_str().unwrap()])
        .unwrap();
    // Foreign keys are checked on insert, so contents come first.
    old.execute_batch(
        "INSERT INTO main.revisions SELECT hash, size, content FROM newest.revisions",
    )
    .unwrap();
    for table in [
        "revision_events",
        "approvals",
        "runs",
        "journal",
        "leases",
        "permissions",
        "snapshots",
    ] {
        // The first format lacks columns that were added later.
        let known =
            format!("SELECT group_concat(name, ', ') FROM pragma_table_info('{table}', 'main')");
        let columns: String = old.query_row(&known, [], |row| row.get(0)).unwrap();
        let sql = format!("INSERT INTO main.{table} SELECT {columns} FROM newest.{table}");
        old.execute_batch(&sql).unwrap();
    }
    old.execute_batch("DETACH newest").unwrap();
    old.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))
        .unwrap();
    // `PLAN` in ASCII; the same in every format.
    old.pragma_update(None, "application_id", 0x504c_414e)
        .unwrap();
    old.pragma_update(None, "user_version", 1).unwrap();
    old.close().unwrap();
    std::fs::remove_file(newest).unwrap();
}

fn version(folder: &Path) -> i64 {
    rusqlite::Connection::open(database(folder))
        .unwrap()
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .unwrap()
}

#[test]
fn an_old_database_keeps_all_it_has_and_gains_what_the_window_needs() {
    let folder = tempfile::tempdir().unwrap();
    old_database(folder.path());
    assert_eq!(version(folder.path()), 1);
    let (store, report) = Store::open(folder.path(), 0).unwrap();
    assert!(!report.created && report.damaged.is_none());
    assert_eq!(entries(&store), 40);
    let body = store.snapshots().get(RUN, "T1", Phase::Before).unwrap();
    assert_eq!(body.as_deref(), Some(&b"{}"[..]));
    assert!(store.drafts().all().unwrap().is_empty());
    let draft = NewDraft {
        plan: PLAN,
        key: "goal",
        text: "half a sent",
        revision: None,
        at_ms: 1,
    };
    store.drafts().put(&draft).unwrap();
    // Contents of old revisions can be used for undo.
    let before = record(&store, b"a plan");
    let undo = NewUndo {
        plan: PLAN,
        before: &before,
        after: &record(&store, b"another"),
        label: "Renamed T1",
        at_ms: 2,
    };
    store.plan_undo().push(&undo).unwrap();
    drop(store);
    assert_eq!(mode(&database(folder.path())), 0o600);

    let store = support::open(folder.path());
    assert!(version(folder.path()) > 1);
    assert_eq!(store.drafts().all().unwrap()[0].text, "half a sent");
    let last = store.plan_undo().last(PLAN).unwrap().unwrap();
    assert_eq!((&*last.label, last.before), ("Renamed T1", before));
}

#[test]
fn an_old_copy_that_takes_the_place_of_a_damaged_database_is_upgraded_too() {
    let folder = tempfile::tempdir().unwrap();
    old_database(folder.path());
    std::fs::create_dir(folder.path().join("backups")).unwrap();
    let copy = folder.path().join("backups/planwright-1.db");
    std::fs::copy(database(folder.path()), &copy).unwrap();
    let in_place = rusqlite::Connection::open(&copy).unwrap();
    in_place
        .pragma_update_and_check(None, "journal_mode", "DELETE", |_| Ok(()))
        .unwrap();
    in_place.close().unwrap();
    std::fs::write(database(folder.path()), vec![0x5a; 20_000]).unwrap();
    let (store, report) = Store::open(folder.path(), 0).unwrap();
    assert!(report.damaged.unwrap().restored_from.is_some());
    assert_eq!(entries(&store), 40);
    store.workspaces().touch("/w", 1).unwrap();
    store.places().put("main", "{}", 1).unwrap();
}

#[test]
fn drafts_and_places_are_in_a_copy_too() {
    let folder = tempfile::tempdir().unwrap();
    let store = support::open(folder.path());
    store.places().put("main", "{\"tab\":\"plan\"}", 1).unwrap();
    let copy = store.backup().unwrap().unwrap();
    store.places().put("main", "{}", 2).unwrap();
    assert!(store.backup().unwrap().is_some(), "it has changed since");
    let kept: String = rusqlite::Connection::open(copy)
        .unwrap()
        .query_row("SELECT body FROM places", [], |row| row.get(0))
        .unwrap();
    assert_eq!(kept, "{\"tab\":\"plan\"}");
}

//! Nothing that a plan file ever held is lost or told twice.

use super::*;
use crate::table::testing::{PLAN, fresh, hash, record};

fn history(store: &crate::Store) -> Vec<(String, Option<String>)> {
    let events = store.revisions().events(PLAN).unwrap();
    events.into_iter().map(|e| (e.hash, e.parent)).collect()
}

#[test]
fn a_content_that_comes_back_is_a_new_event_on_the_old_content() {
    let (_folder, store) = fresh();
    let a = record(&store, "A", None);
    let b = record(&store, "B", Some(&a));
    record(&store, "A", Some(&b));
    record(&store, "B", Some(&a));
    let steps = [
        (a.clone(), None),
        (b.clone(), Some(a.clone())),
        (a.clone(), Some(b.clone())),
        (b.clone(), Some(a)),
    ];
    assert_eq!(history(&store), steps);
    let contents: i64 = store
        .conn
        .query_row("SELECT count(*) FROM revisions", [], |row| row.get(0))
        .unwrap();
    assert_eq!(contents, 2, "each content is kept once");
    let newest = store.revisions().latest(PLAN).unwrap().unwrap();
    assert_eq!(newest.hash, b, "what the file holds now");
}

#[test]
fn recording_again_after_a_crash_changes_nothing() {
    let (_folder, store) = fresh();
    let a = record(&store, "A", None);
    record(&store, "B", Some(&a));
    let before = history(&store);
    record(&store, "B", Some(&a));
    record(&store, "B", None);
    let b = hash(b"B");
    record(&store, "B", Some(&b));
    assert_eq!(history(&store), before);
}

#[test]
fn a_step_seen_by_the_watcher_first_still_gets_its_author() {
    let (_folder, store) = fresh();
    let a = record(&store, "A", None);
    let mut step = NewRevision {
        plan: PLAN,
        hash: &hash(b"B"),
        parent: Some(&a),
        author: Author::Outside,
        reason: "seen on disk",
        at_ms: 2,
        content: b"B",
    };
    assert!(store.revisions().record(&step).unwrap());
    step.author = Author::App;
    assert!(store.revisions().record(&step).unwrap());
    assert!(!store.revisions().record(&step).unwrap());
    let newest = store.revisions().latest(PLAN).unwrap().unwrap();
    assert_eq!((newest.author, newest.at_ms), (Author::App, 2));
}

#[test]
fn a_prefix_of_twelve_or_more_finds_a_revision_of_this_plan_alone() {
    let (_folder, store) = fresh();
    let a = record(&store, "A", None);
    let find = |prefix: &str| store.revisions().by_prefix(PLAN, prefix).unwrap();
    assert_eq!(find(&a), Lookup::One(a.clone()));
    assert_eq!(find(&a[..12].to_uppercase()), Lookup::One(a.clone()));
    assert_eq!(find(&a[..11]), Lookup::None, "too short");
    assert_eq!(find(&format!("{}%", &a[..12])), Lookup::None, "not hex");
    assert_eq!(find("000000000000"), Lookup::None);
    let elsewhere = store.revisions().by_prefix("/w/plans/b.md", &a).unwrap();
    assert_eq!(elsewhere, Lookup::None, "another plan's revision");
}

#[test]
fn a_prefix_that_fits_two_names_both() {
    let (_folder, store) = fresh();
    // Two contents with twelve equal digits are out of reach, so the rows are written by hand.
    let twins = [
        format!("{:0<64}", "abcdefabcdef1"),
        format!("{:0<64}", "abcdefabcdef2"),
    ];
    for twin in &twins {
        let insert = "INSERT INTO revisions (hash, size, content) VALUES (?1, 0, x'')";
        store.conn.execute(insert, [twin]).unwrap();
        let insert = "INSERT INTO revision_events (plan, hash, author, reason, at_ms)
                      VALUES (?1, ?2, 'person', '', 0)";
        store.conn.execute(insert, [PLAN, twin]).unwrap();
    }
    let found = store.revisions().by_prefix(PLAN, "ABCDEFabcdef").unwrap();
    assert_eq!(found, Lookup::Many(twins.to_vec()));
}

#[test]
fn content_comes_back_byte_for_byte() {
    let (_folder, store) = fresh();
    let text = "\u{feff}- [ ] a\r\n\t- [x] b \r- [-] c";
    let hash = record(&store, text, None);
    let content = store.revisions().content(&hash).unwrap();
    assert_eq!(content.as_deref(), Some(text.as_bytes()));
    assert_eq!(store.revisions().content(&"0".repeat(64)).unwrap(), None);
}

#[test]
fn a_content_under_a_wrong_name_is_refused() {
    let (_folder, store) = fresh();
    let revision = NewRevision {
        plan: PLAN,
        hash: &hash(b"A"),
        parent: None,
        author: Author::Person,
        reason: "",
        at_ms: 0,
        content: b"B",
    };
    let refused = store.revisions().record(&revision);
    assert!(matches!(refused, Err(StoreError::WrongHash { .. })));
    assert_eq!(store.revisions().latest(PLAN).unwrap(), None);
}

#[test]
fn a_content_that_changed_on_disk_is_never_handed_out() {
    let (_folder, store) = fresh();
    let a = record(&store, "A", None);
    let other = pack(b"Z").unwrap();
    store
        .conn
        .execute_batch("DROP TRIGGER revisions_are_never_changed")
        .unwrap();
    store
        .conn
        .execute("UPDATE revisions SET content = ?1", [other.bytes])
        .unwrap();
    let read = store.revisions().content(&a);
    assert!(matches!(read, Err(StoreError::Damaged { .. })));
}

#[test]
fn history_cannot_be_rewritten() {
    let (_folder, store) = fresh();
    record(&store, "A", None);
    for table in ["revisions", "revision_events"] {
        for sql in [
            format!("DELETE FROM {table}"),
            format!("UPDATE {table} SET hash = hash"),
        ] {
            let refused = store.conn.execute(&sql, []).unwrap_err();
            assert!(
                refused.to_string().contains("append-only"),
                "{sql}: {refused}"
            );
        }
    }
}

//! Undoing a single change, and the laws of undo and restore.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod file_support;

use std::collections::BTreeMap;
use std::fs;

use file_support::{Project, call, permits, project, set_mode};
use proptest::prelude::*;
use tools::checkpoint::{Change, ChangeKind, Snapshot, UndoOutcome, restore, undo};
use tools::files;

fn changes_since(project: &Project, before: &Snapshot) -> Vec<Change> {
    Snapshot::changes(before, &project.snapshot(Some(before)))
}

/// One change of `a`'s content, as recorded by snapshots.
fn one_change(project: &Project, after: &str) -> Change {
    let before = project.snapshot(None);
    project.write("a", after);
    changes_since(project, &before).remove(0)
}

#[test]
fn undo_after_later_work_keeps_the_later_work() {
    let text = |third: &str, last: &str| format!("1\n2\n{third}\n4\n5\n6\n7\n{last}\n");
    let project = project(&[("a", &text("3", "8"))]);
    let change = one_change(&project, &text("three", "8"));
    project.write("a", text("three", "eight"));
    assert_eq!(
        undo(
            &permits::to_take_back(),
            &project.workspace,
            &project.blobs,
            &change
        )
        .unwrap(),
        UndoOutcome::Merged
    );
    assert_eq!(project.read("a"), text("3", "eight"));
}

#[test]
fn undo_that_would_lose_later_work_is_a_conflict_and_touches_nothing() {
    let project = project(&[("a", "one\n")]);
    let change = one_change(&project, "two\n");
    let conflict = |outcome| match outcome {
        UndoOutcome::Conflict { text } => text,
        other => panic!("{other:?}"),
    };
    let undo = |change: &Change| {
        undo(
            &permits::to_take_back(),
            &project.workspace,
            &project.blobs,
            change,
        )
        .unwrap()
    };
    project.write("a", "three\n");
    let text = conflict(undo(&change));
    assert!(
        text.contains("<<<<<<<") && text.contains("three") && text.contains("one"),
        "{text}"
    );
    assert_eq!(project.read("a"), "three\n");
    project.write("a", "three\n\0");
    assert!(conflict(undo(&change)).contains("is not a text file"));
    fs::remove_file(project.path("a")).unwrap();
    assert!(conflict(undo(&change)).contains("deleted later"));

    let before = project.snapshot(None);
    project.write("b", "new");
    let created = changes_since(&project, &before).remove(0);
    project.write("b", "new and more");
    assert!(conflict(undo(&created)).contains("created by this step"));
    assert_eq!(project.read("b"), "new and more");
}

#[test]
fn undo_of_a_mode_gives_the_mode_back() {
    let project = project(&[("a", "one")]);
    set_mode(&project.path("a"), 0o644);
    let before = project.snapshot(None);
    set_mode(&project.path("a"), 0o755);
    let change = changes_since(&project, &before).remove(0);
    assert_eq!(change.kind, ChangeKind::ModeChanged);
    let outcome = undo(
        &permits::to_take_back(),
        &project.workspace,
        &project.blobs,
        &change,
    )
    .unwrap();
    assert_eq!(
        (outcome, project.tree()["a"].0 & 0o777),
        (UndoOutcome::Restored, 0o644)
    );
}

fn content() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..40),
        "[a-c\r\n\u{feff}é]{0,40}".prop_map(String::into_bytes),
    ]
}

fn tree() -> impl Strategy<Value = BTreeMap<String, Vec<u8>>> {
    // No name is a file in one tree and a folder in another, so that one tree can be written over
    // another.
    prop::collection::btree_map("(d[ab]/){0,2}f[a-d]", content(), 0..6)
}

fn make(project: &Project, tree: &BTreeMap<String, Vec<u8>>) {
    for (path, content) in tree {
        project.write(path, content);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn restore_is_the_inverse_of_any_change(one in tree(), other in tree()) {
        let project = project(&[]);
        make(&project, &one);
        let before = project.snapshot(None);
        let then = project.tree();
        for path in one.keys() {
            fs::remove_file(project.path(path)).unwrap();
        }
        make(&project, &other);
        let changes = changes_since(&project, &before);
        let outcome = restore(&permits::to_take_back(), &project.workspace, &project.blobs, &before, &changes).unwrap();
        prop_assert_eq!(outcome.not_restored, vec![]);
        prop_assert_eq!(project.tree(), then);
    }

    #[test]
    fn undo_is_the_inverse_of_commit(
        old in prop::option::of(content()),
        new in prop::option::of("[a-c\r\né]{0,40}"),
    ) {
        let project = project(&[]);
        if let Some(old) = &old {
            project.write("a", old);
        }
        let line = match &new {
            Some(new) => {
                let new = serde_json::to_string(new).unwrap();
                format!(r#"write_file {{"path": "a", "content": {new}}}"#)
            }
            None => r#"delete_file {"path": "a"}"#.to_owned(),
        };
        prop_assume!(old.is_some() || new.is_some());
        let (before, then) = (project.snapshot(None), project.tree());
        let prepared = files::prepare(&project.workspace, &call(&line)).unwrap();
        files::commit(&permits::for_call(prepared.call()), &project.workspace, &prepared).unwrap();
        for change in changes_since(&project, &before) {
            let outcome = undo(&permits::to_take_back(), &project.workspace, &project.blobs, &change).unwrap();
            prop_assert_eq!(outcome, UndoOutcome::Restored);
        }
        prop_assert_eq!(project.tree(), then);
    }

    #[test]
    fn undo_of_one_line_keeps_later_work_on_other_lines(
        lines in prop::collection::vec("[a-z]{0,4}", 12..20),
        crlf in any::<bool>(),
    ) {
        let end = if crlf { "\r\n" } else { "\n" };
        // Numbers make every line unique, so that there is one right answer.
        let text = |first: &str, last: &str| {
            let body: Vec<String> =
                lines.iter().enumerate().map(|(n, line)| format!("{n} {line}{end}")).collect();
            format!("{first}{end}{}{last}{end}", body.concat())
        };
        let project = project(&[("a", &text("first", "last"))]);
        let change = one_change(&project, &text("FIRST", "last"));
        project.write("a", text("FIRST", "LAST"));
        let outcome = undo(&permits::to_take_back(), &project.workspace, &project.blobs, &change).unwrap();
        prop_assert_eq!(outcome, UndoOutcome::Merged);
        prop_assert_eq!(project.read("a"), text("first", "LAST"));
    }
}

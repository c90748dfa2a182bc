//! Changes to files: prepared first, committed later, and examined after a crash.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod file_support;

use std::fs;

use file_support::{call, permits, project, set_mode};
use tools::files::{Situation, WriteRecord, commit, examine, prepare};
use tools::{ToolError, Workspace};

const EDIT: &str = r#"edit_file {"path": "a.txt", "old_text": "two", "new_text": "2"}"#;

#[test]
fn preparing_touches_nothing_and_committing_does_what_was_prepared() {
    let project = project(&[("a.txt", "one\ntwo\n")]);
    set_mode(&project.path("a.txt"), 0o640);
    let before = project.tree();
    let prepared = prepare(&project.workspace, &call(EDIT)).unwrap();
    assert_eq!(project.tree(), before);
    assert_eq!(
        prepared.diff(),
        "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"
    );
    let state = commit(
        &permits::for_call(prepared.call()),
        &project.workspace,
        &prepared,
    )
    .unwrap();
    assert_eq!(state, prepared.record.after);
    assert_eq!(project.read("a.txt"), "one\n2\n");
    assert_eq!(project.tree().len(), 1);
    assert_eq!(project.tree()["a.txt"].0 & 0o7777, 0o640);
}

#[test]
fn bytes_that_are_not_edited_stay() {
    let project = project(&[("a.txt", "\u{feff}one \r\n\ttwo\t\r\nthree")]);
    project
        .change(r#"edit_file {"path": "a.txt", "old_text": "two\t\nthree", "new_text": "2\n3"}"#)
        .unwrap();
    assert_eq!(project.read("a.txt"), "\u{feff}one \r\n\t2\r\n3");
}

#[test]
fn writing_makes_folders_and_deleting_removes_the_file() {
    let project = project(&[]);
    let line = r#"write_file {"path": "a/b/c.txt", "content": "x\r\n"}"#;
    let prepared = prepare(&project.workspace, &call(line)).unwrap();
    assert!(prepared.record.before.is_none() && project.tree().is_empty());
    let state = commit(
        &permits::for_call(prepared.call()),
        &project.workspace,
        &prepared,
    )
    .unwrap();
    assert_eq!(state, prepared.record.after, "the mode is foreseen too");
    assert_eq!(project.read("a/b/c.txt"), "x\r\n");
    assert_eq!(
        project
            .change(r#"delete_file {"path": "a/b/c.txt"}"#)
            .unwrap(),
        None
    );
    assert_eq!(project.tree().keys().collect::<Vec<_>>(), ["a", "a/b"]);
}

#[test]
fn calls_that_make_no_sense_are_refused() {
    let project = project(&[("a.txt", "one one\n")]);
    project.write("latin1", b"caf\xe9");
    project.write(".env", b"KEY=2\n");
    for (line, reason) in [
        (
            r#"edit_file {"path": "a.txt", "old_text": "one", "new_text": "1"}"#,
            "2 times",
        ),
        (
            r#"edit_file {"path": "a.txt", "old_text": "zwei", "new_text": "1"}"#,
            "does not contain",
        ),
        (
            r#"edit_file {"path": "b.txt", "old_text": "one", "new_text": "1"}"#,
            "no such file",
        ),
        (
            r#"edit_file {"path": "latin1", "old_text": "caf", "new_text": "1"}"#,
            "(invalid byte at 3)",
        ),
        (r#"write_file {"path": "new/", "content": ""}"#, "a folder"),
        (r#"write_file {"path": "", "content": ""}"#, "a folder"),
        (r#"delete_file {"path": "b.txt"}"#, "no such file"),
        (r#"write_file {"path": "a.txt ", "content": ""}"#, "a space"),
        (
            r#"write_file {"path": "\u3000a.txt", "content": ""}"#,
            "a space",
        ),
        (
            r#"edit_file {"path": ".env", "old_text": "KEY=0", "new_text": "KEY=1"}"#,
            "is private",
        ),
        (r#"read_file {"path": "a.txt"}"#, "doesn't change files"),
    ] {
        let message = prepare(&project.workspace, &call(line))
            .unwrap_err()
            .to_string();
        assert!(message.contains(reason), "{line}: {message}");
    }
}

#[test]
fn a_file_changed_after_preparing_is_left_alone() {
    let project = project(&[("a.txt", "one\ntwo\n")]);
    let change = |line: &str, meanwhile: &dyn Fn()| {
        let prepared = prepare(&project.workspace, &call(line)).unwrap();
        meanwhile();
        let before = project.tree();
        let error = commit(
            &permits::for_call(prepared.call()),
            &project.workspace,
            &prepared,
        )
        .unwrap_err();
        assert!(
            matches!(error, ToolError::ChangedMeanwhile { .. }),
            "{error}"
        );
        assert_eq!(project.tree(), before);
    };
    change(EDIT, &|| project.write("a.txt", "two and more"));
    change(r#"delete_file {"path": "a.txt"}"#, &|| {
        project.write("a.txt", "other")
    });
    change(r#"write_file {"path": "new", "content": "x"}"#, &|| {
        project.write("new", "theirs")
    });
    change(r#"write_file {"path": "a.txt", "content": "x"}"#, &|| {
        fs::remove_file(project.path("a.txt")).unwrap();
    });
    // Folders created for a file are removed if writing the file is refused.
    project.write("a.txt", "two");
    let prepared = prepare(
        &project.workspace,
        &call(r#"write_file {"path": "d/e", "content": ""}"#),
    )
    .unwrap();
    project.write("d", "a file now");
    assert!(
        commit(
            &permits::for_call(prepared.call()),
            &project.workspace,
            &prepared
        )
        .is_err()
    );
}

#[test]
fn a_link_put_on_the_way_after_preparing_is_refused() {
    let project = project(&[("dir/a.txt", "one"), ("other/a.txt", "one")]);
    let line = r#"write_file {"path": "dir/a.txt", "content": "two"}"#;
    let prepared = prepare(&project.workspace, &call(line)).unwrap();
    fs::rename(project.path("dir"), project.path("kept")).unwrap();
    std::os::unix::fs::symlink("other", project.path("dir")).unwrap();
    let error = commit(
        &permits::for_call(prepared.call()),
        &project.workspace,
        &prepared,
    )
    .unwrap_err();
    assert!(matches!(error, ToolError::PathShifted { .. }), "{error}");
    assert_eq!(
        (project.read("kept/a.txt"), project.read("other/a.txt")),
        ("one".into(), "one".into())
    );
}

#[test]
fn a_journaled_intent_tells_whether_the_change_was_made() {
    let project = project(&[("a.txt", "one\ntwo\n")]);
    for line in [
        EDIT,
        r#"write_file {"path": "deep/new.txt", "content": "x"}"#,
        r#"delete_file {"path": "a.txt"}"#,
    ] {
        let prepared = prepare(&project.workspace, &call(line)).unwrap();
        let json = serde_json::to_string(&prepared.record).unwrap();
        assert!(!json.contains("one\\ntwo"), "no contents in the journal");
        // After a crash, another process reads the record.
        let record: WriteRecord = serde_json::from_str(&json).unwrap();
        let workspace = Workspace::open(&project.path("")).unwrap();
        assert_eq!(
            examine(&workspace, &record).unwrap(),
            Situation::NotDone,
            "{line}"
        );
        commit(
            &permits::for_call(prepared.call()),
            &project.workspace,
            &prepared,
        )
        .unwrap();
        assert_eq!(
            examine(&workspace, &record).unwrap(),
            Situation::Done,
            "{line}"
        );
        project.write(&record.path, "third");
        assert_eq!(
            examine(&workspace, &record).unwrap(),
            Situation::Neither,
            "{line}"
        );
        project.write("a.txt", "one\ntwo\n");
    }
}

#[test]
fn leftovers_of_a_crash_are_hidden_from_the_tools_and_go_when_examined() {
    let project = project(&[("a.txt", "one\ntwo\n")]);
    let prepared = prepare(&project.workspace, &call(EDIT)).unwrap();
    let temp = &prepared.record.temp_name;
    project.write(temp, prepared.new_content.as_deref().unwrap());
    project.write(&format!("{temp}.part"), "o");
    assert_eq!(project.look("list_files").unwrap().text, "a.txt\n");
    assert_eq!(
        examine(&project.workspace, &prepared.record).unwrap(),
        Situation::NotDone
    );
    assert_eq!(project.tree().len(), 1);
    commit(
        &permits::for_call(prepared.call()),
        &project.workspace,
        &prepared,
    )
    .unwrap();
    assert_eq!(project.read("a.txt"), "one\n2\n");
}

#[test]
fn a_permit_for_something_else_changes_nothing() {
    let project = project(&[("a.txt", "a\n")]);
    let write = call(r#"write_file {"path": "a.txt", "content": "b\n"}"#);
    let prepared = prepare(&project.workspace, &write).unwrap();
    for permit in [
        permits::for_call(&call(r#"write_file {"path": "a.txt", "content": "c\n"}"#)),
        permits::for_call(&call(r#"delete_file {"path": "a.txt"}"#)),
        permits::to_write("a.txt"),
        permits::to_take_back(),
    ] {
        let error = commit(&permit, &project.workspace, &prepared).unwrap_err();
        assert!(matches!(error, ToolError::NotPermitted(_)), "{error}");
        assert_eq!(project.read("a.txt"), "a\n");
    }
    let permit = permits::to_write("b.txt");
    let error = tools::documents::create(&permit, &project.workspace, "c.txt", b"c").unwrap_err();
    assert!(matches!(error, ToolError::NotPermitted(_)), "{error}");
    assert!(!project.path("c.txt").exists());
}

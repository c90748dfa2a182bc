//! Tests of converting a reply to edits of the existing plan.

use adequacy::expansion::{ChangeKind, Event, Outcome};
use repair::ReplyTask;

use crate::support::{GOOD, PLAIN, THIN, auto, play, says, task, tasks};

fn merged(reply: Vec<ReplyTask>) -> Outcome {
    play(
        THIN,
        auto(),
        &[tasks(reply), adequacy::expansion::Event::Cancelled],
    )
}

/// A new step that improves THIN, so that the round is accepted.
fn helps() -> ReplyTask {
    ReplyTask {
        verify: vec!["python3 -m unittest tests.test_report".to_owned()],
        files: vec!["tests/test_report.py".to_owned()],
        covers: vec!["R2".to_owned()],
        depends_on: vec!["T2".to_owned()],
        ..task("T3", "Compare the default output with the one before")
    }
}

#[test]
fn a_full_reply_keeps_every_old_line() {
    let outcome = play(THIN, auto(), &[says(GOOD)]);
    for line in THIN.lines() {
        assert!(outcome.text.lines().any(|now| now == line), "lost: {line}");
    }
    insta::assert_snapshot!("good_reply", outcome.text);
}

#[test]
fn a_task_missing_from_the_reply_stays() {
    let outcome = merged(vec![helps()]);
    assert!(outcome.rounds[0].is_accepted, "{:?}", outcome.rounds[0]);
    assert!(
        outcome.text.starts_with(THIN.trim_end()),
        "{}",
        outcome.text
    );
}

#[test]
fn a_task_is_reworded_only_if_a_finding_asks_for_it() {
    let outcome = merged(vec![
        task("T2", "Add some flag to the parser of arguments"),
        helps(),
    ]);
    assert!(
        outcome
            .text
            .contains("Add a `--json` flag to the argument parser")
    );
    assert!(!outcome.text.contains("some flag"));
    assert!(
        outcome.rounds[0].message.contains("rewordings of 1 "),
        "{}",
        outcome.rounds[0].message
    );

    let vague = THIN.replace(
        "Add a `--json` flag to the argument parser",
        "Fix stuff in the parser of `cli`",
    );
    let reply = vec![
        task("T2", "Let the parser of `cli` accept a `--json` flag"),
        helps(),
    ];
    let outcome = play(
        &vague,
        auto(),
        &[tasks(reply), adequacy::expansion::Event::Cancelled],
    );
    assert!(
        outcome
            .text
            .contains("**T2** Let the parser of `cli` accept"),
        "{}",
        outcome.text
    );
    let change = outcome
        .changes
        .iter()
        .find(|change| change.id == "T2")
        .expect("a change");
    assert_eq!(change.kind, ChangeKind::Changed);
    assert!(
        change
            .why
            .iter()
            .any(|code| code.as_str() == "vague_phrase")
    );
}

#[test]
fn names_in_the_old_words_are_kept() {
    let vague = THIN.replace(
        "Add a `--json` flag to the argument parser",
        "Fix stuff in `build_parser` of src/cli.py",
    );
    let reply = vec![task("T2", "Let the parser accept a flag"), helps()];
    let outcome = play(
        &vague,
        auto(),
        &[tasks(reply), adequacy::expansion::Event::Cancelled],
    );
    assert!(
        outcome.text.contains("Fix stuff in `build_parser`"),
        "{}",
        outcome.text
    );
}

#[test]
fn a_renumbered_reply_is_matched_by_its_words() {
    let mut second = task("T1", "Add a `--json` flag to the argument parser");
    second.verify = vec!["python3 -m unittest tests.test_cli".to_owned()];
    let mut first = task("T2", "Find where the rows of the report are built");
    first.accept = vec!["the function is named in the notes".to_owned()];
    first.covers = vec!["R2".to_owned()];
    let outcome = merged(vec![second, first]);
    let (t1, t2) = outcome.text.split_once("**T2**").expect("both");
    assert!(t1.contains("the function is named"), "{}", outcome.text);
    assert!(t2.contains("tests.test_cli"), "{}", outcome.text);
}

#[test]
fn the_same_id_twice_is_one_old_and_one_new() {
    let again = ReplyTask {
        verify: vec!["python3 -m unittest tests.test_report".to_owned()],
        ..task("T2", "Measure how long a report of a million rows takes")
    };
    let outcome = merged(vec![
        task("T2", "Add a `--json` flag to the argument parser"),
        again,
    ]);
    assert!(
        outcome.text.contains("**T3** Measure how long"),
        "{}",
        outcome.text
    );
}

#[test]
fn an_old_id_with_unrelated_words_changes_nothing() {
    let mut other = task("T1", "Zeilen des Berichts suchen");
    other.files = vec!["src/cli.py".to_owned()];
    let outcome = merged(vec![other, helps()]);
    assert!(!outcome.text.contains("Zeilen"), "{}", outcome.text);
    let t1 = outcome.text.split("**T2**").next().expect("a part");
    assert!(!t1.contains("files: `src/report.py`, `src/cli.py`"), "{t1}");
}

#[test]
fn new_steps_come_after_their_prerequisites_and_before_their_dependents() {
    let mut t2 = task("T2", "Add a `--json` flag to the argument parser");
    t2.depends_on = vec!["T1".to_owned(), "T9".to_owned()];
    t2.verify = vec!["python3 -m unittest tests.test_cli".to_owned()];
    let mut new = task("T9", "Write down the shape of one JSON row");
    new.depends_on = vec!["T1".to_owned()];
    let outcome = merged(vec![t2, new]);
    let at = |words: &str| {
        outcome
            .text
            .find(words)
            .unwrap_or_else(|| panic!("{words}: {}", outcome.text))
    };
    assert!(at("**T1**") < at("Write down the shape"));
    assert!(at("Write down the shape") < at("**T2**"));
    assert!(outcome.text.contains("depends: T1, T3"), "{}", outcome.text);
    let change = outcome
        .changes
        .iter()
        .find(|change| change.id == "+1")
        .expect("a change");
    assert!(
        change.message.contains("makes T2 depend on it"),
        "{}",
        change.message
    );
}

#[test]
fn implicit_dependencies_on_the_step_above_are_kept() {
    let text = THIN.replace("  - depends: T1\n", "");
    let mut t2 = task("T2", "Add a `--json` flag to the argument parser");
    t2.depends_on = vec!["T9".to_owned()];
    t2.verify = vec!["python3 -m unittest tests.test_cli".to_owned()];
    let new = task("T9", "Write down the shape of one JSON row");
    let outcome = play(
        &text,
        auto(),
        &[tasks(vec![t2, new]), adequacy::expansion::Event::Cancelled],
    );
    assert!(outcome.rounds[0].is_accepted, "{:?}", outcome.rounds[0]);
    let after = plan::parse(&outcome.text).0;
    let graph = plan::graph::Graph::of(&after);
    assert_eq!(graph.waits_for(2), [1]);
    assert_eq!(graph.waits_for(1), [0]);
}

#[test]
fn no_more_tasks_are_added_than_allowed() {
    let many: Vec<ReplyTask> = (0..50)
        .map(|n| ReplyTask {
            verify: vec!["python3 -m unittest".to_owned()],
            ..task(
                &format!("N{n}"),
                &format!("Test that column {n} of the report is printed"),
            )
        })
        .collect();
    let settings = adequacy::expansion::Settings {
        max_tasks: 7,
        ..auto()
    };
    let outcome = play(
        THIN,
        settings,
        &[tasks(many), adequacy::expansion::Event::Cancelled],
    );
    assert_eq!(plan::parse(&outcome.text).0.tasks.len(), 7);
    assert!(
        outcome.rounds[0].message.contains("45 new steps"),
        "{}",
        outcome.rounds[0].message
    );
}

#[test]
fn completed_tasks_are_not_changed() {
    let text = THIN.replace("- [ ] **T1**", "- [x] **T1**");
    let mut t1 = task("T1", "Find where the rows of the report are built");
    t1.accept = vec!["something else".to_owned()];
    let outcome = play(
        &text,
        auto(),
        &[
            tasks(vec![t1, helps()]),
            adequacy::expansion::Event::Cancelled,
        ],
    );
    assert!(!outcome.text.contains("something else"));
}

#[test]
fn no_cycle_is_created() {
    let mut t1 = task("T1", "Find where the rows of the report are built");
    t1.depends_on = vec!["T2".to_owned()];
    let outcome = merged(vec![t1, helps()]);
    assert!(
        !outcome
            .text
            .contains("depends: T2\n  - files: `src/report.py`")
    );
    let t1 = outcome.text.split("**T2**").next().expect("a part");
    assert!(!t1.contains("depends"), "{t1}");
}

#[test]
fn invalid_values_are_left_out() {
    let odd = ReplyTask {
        files: vec![
            "TBD".to_owned(),
            "https://example.org/a".to_owned(),
            "two words.py".to_owned(),
            "src/json.py".to_owned(),
        ],
        covers: vec!["R2".to_owned(), "R77".to_owned()],
        verify: vec![
            "Run all the tests and look at them.".to_owned(),
            "python3 -m unittest".to_owned(),
        ],
        accept: vec!["x".repeat(5000), "one\ntwo".to_owned()],
        ..task("T3", "Print every row as one JSON object")
    };
    let outcome = merged(vec![odd]);
    let part = outcome.text.split("**T3**").nth(1).expect("a new step");
    insta::assert_snapshot!("odd_values", part.trim_end());
}

#[test]
fn a_generic_new_step_is_left_out_whatever_fields_it_has() {
    let fillers = [
        "Work on the remaining parts with care",
        "Make sure that everything works as expected",
        "Review the changes and adjust where needed",
        "Закончить всё, что осталось",
        "Finish the rest and look at the result",
    ];
    let claims = |nth: usize, description: &str| ReplyTask {
        covers: vec!["R1".to_owned(), "R2".to_owned()],
        accept: vec!["a person has looked at it and it is good".to_owned()],
        verify: vec!["true".to_owned()],
        estimated_complexity: Some(3),
        ..task(&format!("n{nth}"), description)
    };
    let replies = fillers.iter().enumerate();
    let reply: Vec<ReplyTask> = replies.map(|(nth, filler)| claims(nth, filler)).collect();
    for text in [THIN, PLAIN] {
        let outcome = play(text, auto(), &[tasks(reply.clone()), Event::Cancelled]);
        assert_eq!(outcome.text, text);
        let told = &outcome.rounds[0].message;
        assert!(told.contains("too generic"), "{told}");
    }
}

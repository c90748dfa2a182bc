//! Tests that changes can be accepted one by one.

use adequacy::Mend;
use adequacy::expansion::{Change, ChangeKind, Outcome, accept, losses};

use plan::edit::Place;
use plan::{TaskId, TaskKind};

use crate::support::{GOOD, PLAIN, THIN, auto, play, says};

fn good() -> Outcome {
    play(THIN, auto(), &[says(GOOD)])
}

fn taken(outcome: &Outcome, text: &str, chosen: &[&str]) -> String {
    let plan = plan::parse(text).0;
    let chosen: Vec<String> = chosen.iter().map(|id| (*id).to_owned()).collect();
    accept(text, &plan, &outcome.changes, &chosen).unwrap_or_else(|error| panic!("{error}"))
}

fn ids(changes: &[Change]) -> Vec<&str> {
    changes.iter().map(|change| change.id.as_str()).collect()
}

#[test]
fn accepting_all_changes_gives_the_best_text_and_none_the_original() {
    let outcome = good();
    assert_eq!(taken(&outcome, THIN, &ids(&outcome.changes)), outcome.text);
    assert_eq!(taken(&outcome, THIN, &[]), THIN);
    assert_eq!(taken(&outcome, THIN, &["no such"]), THIN);
}

#[test]
fn each_change_can_be_accepted_alone() {
    let outcome = good();
    let before = plan::parse(THIN).0;
    for change in &outcome.changes {
        let text = taken(&outcome, THIN, &[&change.id]);
        assert!(text.len() > THIN.len(), "{} does nothing", change.id);
        let (after, problems) = plan::parse(&text);
        assert_eq!(problems, [], "{}: {text}", change.id);
        assert_eq!(
            losses((THIN, &before), (&text, &after)),
            [],
            "{}",
            change.id
        );
        assert!(!text.contains('+'), "a handle was written: {text}");
        assert!(!change.message.is_empty(), "{}", change.id);
    }
}

#[test]
fn accepting_any_two_changes_loses_nothing() {
    let outcome = good();
    let before = plan::parse(THIN).0;
    let ids = ids(&outcome.changes);
    for one in &ids {
        for other in &ids {
            let text = taken(&outcome, THIN, &[one, other]);
            let after = plan::parse(&text).0;
            assert_eq!(
                losses((THIN, &before), (&text, &after)),
                [],
                "{one} {other}"
            );
            assert_eq!(text, taken(&outcome, THIN, &[other, one]));
        }
    }
}

#[test]
fn accepting_a_change_includes_what_it_needs() {
    let outcome = good();
    let last = outcome
        .changes
        .iter()
        .find(|change| change.title.starts_with("Note the flag"));
    let last = last.expect("the last step");
    assert!(!last.needs.is_empty());
    let text = taken(&outcome, THIN, &[&last.id]);
    assert!(
        text.contains("Describe the flag with the example"),
        "{text}"
    );
    assert!(!text.contains("width together"), "{text}");
}

#[test]
fn changes_to_a_list_without_ids_can_be_accepted_one_by_one() {
    let reply = r#"{"tasks": [
        {"id": "a", "description": "Write down which columns a contact needs", "files": ["docs/report.md"]},
        {"id": 2, "description": "Show a preview of the first rows", "depends_on": ["a", 1], "accept": "ten rows are shown"},
        {"id": "b", "description": "Test that a broken line is skipped and named", "depends_on": [3], "verify": "python3 -m unittest"}]}"#;
    let outcome = play(
        PLAIN,
        auto(),
        &[says(reply), adequacy::expansion::Event::Cancelled],
    );
    assert!(
        outcome.rounds[0].is_accepted,
        "{}",
        outcome.rounds[0].message
    );
    assert_eq!(taken(&outcome, PLAIN, &ids(&outcome.changes)), outcome.text);
    let before = plan::parse(PLAIN).0;
    for change in &outcome.changes {
        let text = taken(&outcome, PLAIN, &[&change.id]);
        let after = plan::parse(&text).0;
        assert_eq!(losses((PLAIN, &before), (&text, &after)), [], "{text}");
    }
    insta::assert_snapshot!("without_ids", outcome.text);
}

fn added(handle: &str, title: &str, after: &str, waits_for: &str, needs: &[&str]) -> Change {
    let mut mends = vec![Mend::AddTask {
        handle: TaskId::from(handle),
        place: Place::After(TaskId::from(after)),
        kind: TaskKind::Normal,
        title: title.to_owned(),
        fields: Vec::new(),
    }];
    if !waits_for.is_empty() {
        mends.push(Mend::SetValues {
            task: TaskId::from(handle),
            key: "depends".to_owned(),
            values: vec![waits_for.to_owned()],
        });
    }
    Change {
        id: handle.to_owned(),
        kind: ChangeKind::Added,
        task: None,
        title: title.to_owned(),
        why: Vec::new(),
        message: format!("Adds “{title}”."),
        mends,
        needs: needs.iter().map(|id| (*id).to_owned()).collect(),
    }
}

fn some(text: &str, changes: &[Change], chosen: &str) -> Vec<String> {
    let plan = plan::parse(text).0;
    let after = accept(text, &plan, changes, &[chosen.to_owned()]);
    let after = after.unwrap_or_else(|error| panic!("{error}"));
    let tasks = plan::parse(&after).0.tasks;
    tasks.into_iter().map(|task| task.title).collect()
}

#[test]
fn a_task_keeps_its_position_when_its_neighbor_is_not_accepted() {
    let text = "---\nplanwright: 1\n---\n- [ ] **T1** one\n";
    let changes = [
        added("+1", "left", "T1", "", &[]),
        added("+2", "before it", "T1", "", &[]),
        added("+3", "behind it", "+1", "+2", &["+2"]),
    ];
    assert_eq!(
        some(text, &changes, "+3"),
        ["one", "before it", "behind it"]
    );
}

#[test]
fn a_change_that_prevents_a_cycle_is_included() {
    let text = "---\nplanwright: 1\n---\n- [ ] **T1** one\n- [ ] **T2** two\n  - depends: T1\n";
    let mut last = added("+3", "last", "+2", "", &[]);
    last.mends.push(Mend::Connect {
        from: TaskId::from("+3"),
        to: TaskId::from("T2"),
    });
    let changes = [
        added("+1", "apart from all", "T1", "", &[]),
        added("+2", "between", "T2", "T1", &[]),
        last,
    ];
    assert_eq!(
        some(text, &changes, "+3"),
        ["one", "two", "between", "last"]
    );
}

//! Tests that nothing is lost and nothing gets worse, whichever driver is used.

use adequacy::expansion::{Edit, Event, LoopMode, Loss, Outcome, Refusal, Settings, losses};
use adequacy::{Code, Mend};
use plan::edit::Place;
use plan::{TaskId, TaskKind};

use crate::support::{THIN, auto, edits, play};

fn refused(text: &str, mends: Vec<Mend>) -> Vec<Refusal> {
    refused_with(text, auto(), mends)
}

fn refused_with(text: &str, settings: Settings, mut mends: Vec<Mend>) -> Vec<Refusal> {
    // An improvement, so that the round can be refused only because of the loss under test.
    mends.push(Mend::AddValue {
        task: TaskId::from("T1"),
        key: "covers".to_owned(),
        value: "R2".to_owned(),
    });
    let outcome = played(text, settings, mends);
    assert_eq!(outcome.text, text, "the best so far is kept");
    assert!(outcome.changes.is_empty());
    let round = &outcome.rounds[0];
    assert!(!round.is_accepted, "{}", round.message);
    assert!(round.message.starts_with("Refused: "), "{}", round.message);
    round.refusals.clone()
}

fn played(text: &str, settings: Settings, mends: Vec<Mend>) -> Outcome {
    let edit = Edit {
        task: None,
        why: Vec::new(),
        message: String::new(),
        mends,
    };
    play(text, settings, &[edits(vec![edit]), Event::Cancelled])
}

fn id(id: &str) -> TaskId {
    TaskId::from(id)
}

fn set(task: &str, key: &str, values: &[&str]) -> Mend {
    Mend::SetValues {
        task: id(task),
        key: key.to_owned(),
        values: values.iter().map(|value| (*value).to_owned()).collect(),
    }
}

#[test]
fn without_the_loss_the_round_is_kept() {
    let mend = Mend::AddValue {
        task: id("T1"),
        key: "covers".to_owned(),
        value: "R2".to_owned(),
    };
    assert!(played(THIN, auto(), vec![mend]).rounds[0].is_accepted);
}

#[test]
fn each_loss_is_named() {
    let checked = THIN.replace("  - accept: ", "  - verify: `make test`\n  - accept: ");
    let t2 = || id("T2");
    for (mend, loss) in [
        (Mend::DeleteTask { task: t2() }, Loss::Task { task: t2() }),
        (
            set("T2", "files", &["src/other.py"]),
            Loss::File {
                task: t2(),
                path: "src/cli.py".to_owned(),
            },
        ),
        (
            set("T2", "accept", &[]),
            Loss::Acceptance {
                task: t2(),
                line: "`report --help` lists `--json`".to_owned(),
            },
        ),
        (
            set("T2", "verify", &["true"]),
            Loss::Check {
                task: t2(),
                command: "make test".to_owned(),
            },
        ),
        (
            set("T2", "covers", &["R2"]),
            Loss::Coverage {
                task: t2(),
                requirement: "R1".to_owned(),
            },
        ),
        (
            Mend::Disconnect {
                from: id("T1"),
                to: t2(),
            },
            Loss::Dependency {
                task: t2(),
                on: id("T1"),
            },
        ),
        (
            set("T1", "note", &[]),
            Loss::Value {
                task: id("T1"),
                key: "note".to_owned(),
                value: "ask Mara about the column order".to_owned(),
            },
        ),
        (
            Mend::SetTitle {
                task: t2(),
                title: "Add a flag for the output".to_owned(),
            },
            Loss::Words { task: t2() },
        ),
    ] {
        let refusals = refused(&checked, vec![mend]);
        assert!(
            refusals.contains(&Refusal::Lost(loss.clone())),
            "{loss:?} not in {refusals:?}"
        );
    }
}

#[test]
fn a_step_that_becomes_a_group_keeps_its_check_running() {
    let checked = THIN.replace("  - accept: ", "  - verify: `make test`\n  - accept: ");
    let part = Mend::AddTask {
        handle: id("+1"),
        place: Place::Under(id("T2")),
        kind: TaskKind::Normal,
        title: "Add the option to the parser".to_owned(),
        fields: vec![("files".to_owned(), "src/cli.py".to_owned())],
    };
    let refusals = refused(&checked, vec![part]);
    let lost = Loss::CheckOfGroup {
        task: id("T2"),
        command: "make test".to_owned(),
    };
    assert!(refusals.contains(&Refusal::Lost(lost)), "{refusals:?}");
}

#[test]
fn a_new_severe_finding_is_refused() {
    let danger = Mend::AddTask {
        handle: id("+1"),
        place: Place::After(id("T2")),
        kind: TaskKind::Normal,
        title: "Drop database reports and load it anew".to_owned(),
        fields: Vec::new(),
    };
    let refusals = refused(THIN, vec![danger]);
    let is_named = |refusal: &Refusal| matches!(refusal, Refusal::NewFinding { code: Code::RiskDestructive, task: Some(task) } if task.as_str() == "T3");
    assert!(refusals.iter().any(is_named), "{refusals:?}");
}

#[test]
fn shrinking_is_refused_under_the_names_of_the_seed() {
    let body = "A long body that explains in detail how the flag works, what it prints and where. "
        .repeat(4);
    let text = format!("{THIN}- [ ] **T3** Fix stuff\n  {body}\n- [ ] **T4** Write the tests\n");
    let force = Settings {
        loop_mode: LoopMode::Force,
        ..Settings::default()
    };
    let refusals = refused_with(&text, force, vec![Mend::DeleteTask { task: id("T3") }]);
    for code in [
        Code::PossibleRewriteCompression,
        Code::DescriptionMassReduced,
    ] {
        assert!(
            refusals.contains(&Refusal::Regression(code)),
            "{code}: {refusals:?}"
        );
    }
    let refusals = refused(THIN, vec![set("T2", "files", &[])]);
    assert!(
        refusals.contains(&Refusal::Regression(Code::FileLinkageReduced)),
        "{refusals:?}"
    );
}

#[test]
fn more_tasks_than_allowed_are_refused() {
    let settings = Settings {
        max_tasks: 2,
        ..auto()
    };
    let more = Mend::AddTask {
        handle: id("+1"),
        place: Place::After(id("T2")),
        kind: TaskKind::Normal,
        title: "Test that an empty report prints nothing".to_owned(),
        fields: Vec::new(),
    };
    let refusals = refused_with(THIN, settings, vec![more]);
    assert!(
        refusals.contains(&Refusal::TooManyTasks { count: 3, most: 2 }),
        "{refusals:?}"
    );
}

#[test]
fn the_diff_reports_the_same_losses() {
    let before = plan::parse(THIN).0;
    assert_eq!(losses((THIN, &before), (THIN, &before)), []);
    let after = THIN
        .replace("  - covers: R1\n", "")
        .replace("- R2 the default", "- R2 a default");
    let plan = plan::parse(&after).0;
    let lost = losses((THIN, &before), (&after, &plan));
    assert!(
        lost.contains(&Loss::Requirement {
            id: "R2".to_owned()
        }),
        "{lost:?}"
    );
    assert!(
        lost.contains(&Loss::Coverage {
            task: id("T2"),
            requirement: "R1".to_owned()
        }),
        "{lost:?}"
    );
}

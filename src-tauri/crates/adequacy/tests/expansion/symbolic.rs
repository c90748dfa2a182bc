//! Tests of the driver that works without a model.

use adequacy::expansion::{LoopMode, Outcome, Settings, StopReason, accept, losses, symbolic};

use crate::support::{FULL, PLAIN, THIN, facts, input};

fn expanded(text: &str) -> Outcome {
    expanded_with(text, Settings::default())
}

fn expanded_with(text: &str, settings: Settings) -> Outcome {
    let outcome = symbolic::expand(input(text, settings));
    let before = plan::parse(text).0;
    let after = plan::parse(&outcome.text).0;
    assert_eq!(
        losses((text, &before), (&outcome.text, &after)),
        [],
        "{}",
        outcome.text
    );
    let all: Vec<String> = outcome
        .changes
        .iter()
        .map(|change| change.id.clone())
        .collect();
    let whole = accept(text, &before, &outcome.changes, &all);
    assert_eq!(whole.as_deref(), Ok(outcome.text.as_str()));
    for change in &outcome.changes {
        assert!(
            !change.why.is_empty() || change.message.contains(" names "),
            "{change:?}"
        );
        assert!(!change.message.is_empty(), "{change:?}");
        let alone = accept(
            text,
            &before,
            &outcome.changes,
            std::slice::from_ref(&change.id),
        );
        let alone = alone.unwrap_or_else(|error| panic!("{error}"));
        let part = plan::parse(&alone).0;
        assert_eq!(losses((text, &before), (&alone, &part)), [], "{alone}");
    }
    outcome
}

/// A plan with steps that are too large.
const LARGE: &str = "\
---
planwright: 1
goal: Implement the export of the ledger, migrate the old files and describe the format in docs/report.md for everyone who reads it
---
# Export

## Tasks
- [ ] **T1** Write the export of the ledger, migrate the old files in src/report.py and describe the format in docs/report.md
  - complexity: 9
  - verify: `python3 -m unittest`
- [ ] **T2** Replace the old reader, remove the old flag from src/cli.py and update the tests
  - files: `src/cli.py`
  - complexity: 9
";

#[test]
fn nothing_is_added_that_only_a_person_can_know() {
    /// A step's title with its `covers:` and `accept:` values.
    type Said = (String, Vec<String>, Vec<String>);
    let said = |text: &str| -> Vec<Said> {
        let tasks = plan::parse(text).0.tasks.into_iter();
        tasks
            .map(|task| (task.title, task.covers, task.accept))
            .collect()
    };
    for text in [THIN, PLAIN, LARGE, FULL] {
        let outcome = expanded(text);
        assert_eq!(said(text), said(&outcome.text), "{}", outcome.text);
    }
}

#[test]
fn a_file_mentioned_in_a_step_is_linked() {
    let settings = Settings {
        loop_mode: LoopMode::Force,
        ..Settings::default()
    };
    let after = plan::parse(&expanded_with(LARGE, settings).text).0;
    let mut linked = after.tasks[0].files.clone();
    linked.sort();
    assert_eq!(linked, ["docs/report.md", "src/report.py"]);
}

#[test]
fn a_good_plan_stays_unchanged() {
    let outcome = expanded(FULL);
    assert_eq!(outcome.text, FULL);
    assert!(outcome.changes.is_empty());
}

#[test]
fn a_list_without_ids_keeps_its_format() {
    let outcome = expanded(PLAIN);
    insta::assert_snapshot!("plain_list", outcome.text);
    assert!(!outcome.after.is_too_thin, "{:#?}", outcome.after);
}

#[test]
fn it_respects_the_limits_and_invents_nothing() {
    let settings = Settings {
        max_tasks: 3,
        loop_mode: LoopMode::Force,
        max_refine_rounds: 8,
        ..Settings::default()
    };
    let outcome = expanded_with(THIN, settings);
    let after = plan::parse(&outcome.text).0;
    assert!(after.tasks.len() <= 3);
    let known = facts();
    for task in &after.tasks {
        for path in &task.files {
            assert_eq!(known.has_file(path), Some(true), "{path}");
        }
        for command in &task.verify {
            assert!(known.commands.contains(command), "{command}");
        }
    }
}

#[test]
fn a_forced_loop_ends_on_a_plateau() {
    let settings = Settings {
        loop_mode: LoopMode::Force,
        max_refine_rounds: 8,
        refine_budget_tokens: 0,
        ..Settings::default()
    };
    let outcome = expanded_with(THIN, settings);
    let ends = [
        StopReason::NoImprovement,
        StopReason::Ready,
        StopReason::Oscillation,
    ];
    assert!(
        ends.contains(&outcome.stop_reason),
        "{:?}",
        outcome.stop_reason
    );
}

#[test]
fn the_same_plan_is_expanded_in_the_same_way() {
    assert_eq!(expanded(THIN), expanded(THIN));
}

#[test]
fn little_is_added_when_nothing_is_known() {
    let mut nothing = input(THIN, Settings::default());
    nothing.facts = std::sync::Arc::default();
    let outcome = symbolic::expand(nothing);
    assert!(!outcome.text.contains("verify:"), "{}", outcome.text);
}

//! The driver that needs no model.

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

#[test]
fn what_is_open_gets_a_step_and_nothing_that_only_repeats_the_goal() {
    let outcome = expanded(THIN);
    insta::assert_snapshot!("thin_draft", outcome.text);
    assert!(
        outcome.after.score > outcome.before.score,
        "{:#?}",
        outcome.after
    );
}

#[test]
fn what_is_good_is_left_alone() {
    let outcome = expanded(FULL);
    assert_eq!(outcome.text, FULL);
    assert!(outcome.changes.is_empty());
}

#[test]
fn a_list_without_ids_is_expanded_in_its_own_way() {
    let outcome = expanded(PLAIN);
    insta::assert_snapshot!("plain_list", outcome.text);
    assert!(!outcome.after.is_too_thin, "{:#?}", outcome.after);
}

#[test]
fn a_mega_step_is_divided_and_keeps_its_check_and_files() {
    let text = "\
---
planwright: 1
goal: Implement the export of the ledger, migrate the old files and describe the format in docs/report.md for everyone who reads it
---
# Export

## Tasks
- [ ] **T1** Write the export of the ledger, migrate the old files in src/report.py and describe the format in docs/report.md
  - files: `src/report.py`, `docs/report.md`
  - complexity: 9
  - verify: `python3 -m unittest`
- [ ] **T2** Replace the old reader, remove the old flag from src/cli.py and update the tests
  - files: `src/cli.py`
  - complexity: 9
";
    let outcome = expanded(text);
    insta::assert_snapshot!("mega_steps", outcome.text);
    assert!(!outcome.after.is_too_thin, "{:#?}", outcome.after);
    let after = plan::parse(&outcome.text).0;
    let group = after.task(&plan::TaskId::from("T1")).expect("T1");
    assert!(group.is_group());
}

#[test]
fn the_parts_of_a_step_are_taken_together() {
    let text = "\
---
planwright: 1
goal: Implement the export of the ledger, migrate the old files and describe the format in docs/report.md for everyone who reads it
---
## Tasks
- [ ] **T1** Write the export of the ledger, migrate the old files in src/report.py and describe the format in docs/report.md
  - complexity: 9
";
    let outcome = expanded(text);
    let before = plan::parse(text).0;
    let part = outcome
        .changes
        .iter()
        .find(|change| change.title.starts_with("Migrate the old"));
    let part = part.unwrap_or_else(|| panic!("{}", outcome.text));
    let text = accept(
        text,
        &before,
        &outcome.changes,
        std::slice::from_ref(&part.id),
    )
    .expect("it fits");
    for title in ["Write the export of the ledger\n", "Describe the format"] {
        assert!(text.contains(title), "{title}: {text}");
    }
}

#[test]
fn it_never_exceeds_what_is_allowed_and_invents_nothing() {
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
fn where_nothing_is_known_little_is_added() {
    let mut nothing = input(THIN, Settings::default());
    nothing.facts = std::sync::Arc::default();
    let outcome = symbolic::expand(nothing);
    assert!(!outcome.text.contains("verify:"), "{}", outcome.text);
}

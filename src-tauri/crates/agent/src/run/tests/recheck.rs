//! Tests that a check that passed is rerun when a later step may have changed its result.

use super::*;
use crate::journal::{EarlierEnd, Evidence};

const OVERWRITTEN: &str = "\
# Write a greeting

## Tasks
- [ ] **T1** Write the greeting into the first file
  - call: `write_file {\"path\": \"f\", \"content\": \"hi\"}`
  - verify: `grep -qx hi f`
- [ ] **T2** Write the other greeting into the first file
  - call: `write_file {\"path\": \"f\", \"content\": \"no\"}`
  - verify: `test -s f`
- [ ] **T3** Write the second file of the two
  - call: `write_file {\"path\": \"g\", \"content\": \"g\"}`
  - verify: `make test`
";

/// Makes the check on `f` fail once a later write overwrites the file.
fn breaks(world: &mut World) {
    world.breaking = vec![("\"no\"", "grep -qx hi f")];
}

fn checked(world: &World) -> Vec<String> {
    let lines = world.journal.iter().filter_map(|entry| match entry {
        Entry::Checked { outcome, .. } => outcome.command.clone(),
        _ => None,
    });
    lines.collect()
}

#[test]
fn a_step_that_a_later_one_broke_is_open_again_and_the_run_fails() {
    let mut world = World::new(OVERWRITTEN);
    breaks(&mut world);
    let (ended, _) = world.play(World::config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Failed));
    assert_eq!(world.standing("T1"), Standing::Failed);
    assert_eq!(world.standing("T2"), Standing::Done);
    let (_, message) = world.state().ended.unwrap();
    assert!(
        message.contains("T1") && message.contains("broken by T2"),
        "{message}"
    );
    assert!(world.plan.contains("- [ ] **T1**"), "{}", world.plan);
    assert!(world.plan.contains("- [x] **T2**"), "{}", world.plan);
    assert_eq!(
        world.standing("T3"),
        Standing::Pending,
        "the file that the check names was changed, so it ran at once"
    );
}

#[test]
fn side_by_side_no_run_is_done_while_a_check_runs_again() {
    let mut world = World::new(OVERWRITTEN);
    let Some(Entry::Started(started)) = world.journal.first_mut() else {
        panic!("a run begins so")
    };
    started.parallel = 2;
    breaks(&mut world);
    let (ended, _) = world.play(World::config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Failed));
    assert_eq!(world.standing("T1"), Standing::Failed);
}

#[test]
fn a_check_of_which_nobody_knows_what_it_reads_runs_again_at_the_end() {
    let text = OVERWRITTEN.replace("grep -qx hi f", "make hi");
    let text = text.replace("\"f\", \"content\": \"no\"", "\"h\", \"content\": \"no\"");
    let mut world = World::new(&text);
    world.breaking = vec![("\"no\"", "make hi")];
    let (ended, _) = world.play(World::config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Failed));
    assert_eq!(world.standing("T3"), Standing::Done);
    let (_, message) = world.state().ended.unwrap();
    assert!(message.contains("T1 failed: broken by T2"), "{message}");
}

#[test]
fn a_check_that_still_passes_costs_one_more_run_and_a_shared_one_none() {
    let mut world = World::new(OVERWRITTEN);
    assert_eq!(
        world.play(World::config("{}"), Die::Never).0,
        Some(EndState::Done)
    );
    let at_once = ["grep -qx hi f", "test -s f", "grep -qx hi f", "make test"];
    let at_the_end = ["grep -qx hi f", "test -s f"];
    assert_eq!(checked(&world), [&at_once[..], &at_the_end[..]].concat());

    let text = OVERWRITTEN.replace("grep -qx hi f", "make test");
    let mut world = World::new(&text.replace("test -s f", "make test"));
    assert_eq!(
        world.play(World::config("{}"), Die::Never).0,
        Some(EndState::Done)
    );
    assert_eq!(checked(&world), ["make test"; 3], "one a step");
}

#[test]
fn a_broken_step_is_asked_about_and_done_once_its_check_passes_again() {
    let mut world = World::new(OVERWRITTEN);
    breaks(&mut world);
    world.play(World::config("{}"), Die::Never);
    let (ended, _) = world.play(World::config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Waiting));
    assert_eq!(world.asked[0].question, QuestionKind::Failure);
    // Somebody fixed the file.
    world.breaking.clear();
    let (ended, _) = world.play(World::config(r#"{"T1": "Retry"}"#), Die::Never);
    assert_eq!(ended, Some(EndState::Done));
    assert_eq!(world.plan.matches("- [x]").count(), 3);
    assert_eq!(world.performed.len(), 3, "nothing was written twice");
}

#[test]
fn a_run_that_dies_while_it_checks_again_comes_to_the_same_end() {
    let mut whole = World::new(OVERWRITTEN);
    breaks(&mut whole);
    let (_, effects) = whole.play(World::config("{}"), Die::Never);
    for at in 0..effects {
        let mut world = World::new(OVERWRITTEN);
        breaks(&mut world);
        world.play(World::config("{}"), Die::Before(at));
        let (ended, _) = world.play(World::config(r#"{"unknown": "check"}"#), Die::Never);
        assert_ne!(ended, Some(EndState::Done), "died before effect {at}");
        assert_eq!(
            world.standing("T1"),
            Standing::Failed,
            "died before effect {at}"
        );
    }
}

#[test]
fn what_happened_between_two_processes_is_checked_too() {
    let text =
        format!("{OVERWRITTEN}- [ ] **C1** Review what was written so far\n  - type: checkpoint\n");
    let mut world = World::new(&text);
    let (ended, _) = world.play(World::config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Waiting));
    world.failing = vec!["make test"];
    let (ended, _) = world.play(World::config(r#"{"C1": "Continue"}"#), Die::Never);
    assert_eq!(ended, Some(EndState::Failed));
    assert_eq!(world.standing("T3"), Standing::Failed);
}

#[test]
fn a_step_that_is_half_done_breaks_nothing_yet() {
    let text = OVERWRITTEN.replace(
        "  - verify: `test -s f`",
        "  - call: `run_command {\"command\": \"make hi\"}`\n  - verify: `test -s f`",
    );
    let mut world = World::new(&text);
    breaks(&mut world);
    world.failing = vec!["make hi"];
    assert_eq!(
        world.play(World::config("{}"), Die::Never).0,
        Some(EndState::Failed)
    );
    assert_eq!(world.standing("T1"), Standing::Done);
    // The step's second call fixes what the first one broke.
    world.failing.clear();
    world.breaking.clear();
    let (ended, _) = world.play(World::config(r#"{"T2": "Retry"}"#), Die::Never);
    assert_eq!(ended, Some(EndState::Done), "{:?}", world.state().ended);
}

#[test]
fn what_passed_in_an_earlier_run_is_checked_again_once_this_one_changed_something() {
    for is_checked in [true, false] {
        let mut world = World::new(OVERWRITTEN);
        breaks(&mut world);
        world.plan = OVERWRITTEN.replacen("- [ ] **T1**", "- [x] **T1**", 1);
        let Some(Entry::Started(started)) = world.journal.first_mut() else {
            panic!("a run begins so")
        };
        let evidence = Evidence {
            run: "earlier".to_owned(),
            end: EarlierEnd::Done,
            is_checked,
        };
        started.evidence.insert("T1".to_owned(), evidence);
        let (ended, _) = world.play(World::config("{}"), Die::Never);
        // A signature also stands in for checks that didn't pass.
        let (end, standing) = match is_checked {
            true => (EndState::Failed, Standing::Failed),
            false => (EndState::Done, Standing::Done),
        };
        assert_eq!((ended, world.standing("T1")), (Some(end), standing));
    }
}

#[test]
fn what_somebody_removed_between_two_steps_is_not_blamed_on_a_step() {
    let text = OVERWRITTEN.replace("\"f\", \"content\": \"no\"", "\"h\", \"content\": \"no\"");
    let mut world = World::new(&text);
    breaks(&mut world);
    let (ended, _) = world.play(World::config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Failed));
    let (_, message) = world.state().ended.unwrap();
    assert!(message.contains("outside the run"), "{message}");
    assert!(!message.contains("broken by"), "{message}");
}

#[test]
fn a_step_whose_check_failed_is_done_once_somebody_mended_it() {
    for policy in [Policy::All, Policy::Each] {
        let mut world = World::with_policy(OVERWRITTEN, policy);
        world.failing = vec!["grep -qx hi f"];
        let yes = r#"{"T1": "Run", "T2": "Run", "T3": "Run"}"#;
        let (ended, _) = world.play(World::config(yes), Die::Never);
        assert_eq!(ended, Some(EndState::Failed));
        let (ended, _) = world.play(World::config(yes), Die::Never);
        assert_eq!(ended, Some(EndState::Waiting), "it fails still");
        assert_eq!(world.asked[0].question, QuestionKind::Failure);
        world.failing.clear();
        let (ended, _) = world.play(World::config(yes), Die::Never);
        assert_eq!(ended, Some(EndState::Done), "{:?}", world.asked);
        assert_eq!(world.performed.len(), 3, "nothing was written twice");
    }
}

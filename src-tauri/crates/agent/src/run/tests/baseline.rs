//! Tests of check results from before the first edit, and of their consequences.

use super::model_work::{call, config, file_of, is_letter, report, said, words};
use super::*;
use crate::verification::WorkspaceCheck;

fn before(world: &World) -> Vec<(String, bool)> {
    let lines = world.journal.iter().filter_map(|entry| match entry {
        Entry::BaselineChecked { line, outcome, .. } => Some((line.clone(), outcome.ok)),
        _ => None,
    });
    lines.collect()
}

#[test]
fn each_check_runs_once_before_the_first_change_and_never_after() {
    let text = WRITES.replace(
        "  - call: `list_files {}`",
        "  - call: `run_command {\"command\": \"make d\"}`\n  - verify: `test -f c`\n  - verify: `make test`",
    );
    let mut world = World::new(&text);
    world.failing = vec!["test -f c"];
    world.play(World::config("{}"), Die::Never);
    let both = [
        ("test -f c".to_owned(), false),
        ("make test".to_owned(), true),
    ];
    assert_eq!(before(&world), both);
    let first = world
        .journal
        .iter()
        .position(|entry| matches!(entry, Entry::Intended { .. }));
    let last = world
        .journal
        .iter()
        .rposition(|entry| matches!(entry, Entry::BaselineChecked { .. }));
    assert!(last < first);
    world.play(World::config(r#"{"T2": "Retry"}"#), Die::Never);
    assert_eq!(before(&world).len(), 2, "not again when it is resumed");
}

#[test]
fn a_check_that_was_red_before_is_said_so_in_the_failure_and_the_receipt() {
    let mut world = World::new(WRITES);
    world.failing = vec!["test -f c"];
    let (ended, _) = world.play(World::config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Failed));
    let (_, message) = world.state().ended.unwrap();
    assert!(
        message.contains("it was already failing before the run"),
        "{message}"
    );
    let receipt = crate::receipt::receipt(&world.timed()).unwrap();
    assert_eq!((receipt.baseline.len(), receipt.baseline[0].ok), (1, false));
}

#[test]
fn a_red_workspace_is_not_the_steps_fault_and_shows_nothing_either() {
    let mut world = World::new(&WRITES.replace("  - verify: `test -f c`\n", ""));
    world.failing = vec!["make test"];
    let config = || Config {
        workspace_checks: vec![WorkspaceCheck {
            line: "make test".to_owned(),
            is_own: true,
        }],
        ..World::config("{}")
    };
    let (ended, _) = world.play(config(), Die::Never);
    assert_eq!(
        ended,
        Some(EndState::Unverified),
        "{:?}",
        world.state().ended
    );
    let reasons = world.state().tasks["T1"].verdict.clone().unwrap().reasons;
    assert_eq!(
        reasons,
        ["`make test` failed; it was already failing before the run"]
    );
}

#[test]
fn only_lines_that_run_unasked_are_run_and_none_for_a_plan_that_only_reads() {
    let mut world = World::new(WRITES);
    let bare = Config {
        sandboxed: false,
        ..World::config("{}")
    };
    world.play(bare, Die::Never);
    assert_eq!(before(&world), []);
    let destroys = WRITES.replace("test -f c", "git clean -fdx");
    let mut world = World::new(&destroys);
    world.play(World::config("{}"), Die::Never);
    assert_eq!(before(&world), []);
    let reads = "# Look\n\n## Tasks\n- [ ] **T1** Look at what was written in the end\n  - call: `list_files {}`\n  - verify: `make test`\n";
    let mut world = World::new(reads);
    world.play(World::config("{}"), Die::Never);
    assert_eq!(before(&world), []);
}

#[test]
fn a_check_that_was_green_before_shows_nothing_of_a_step_that_changed_nothing() {
    fn changes_the_first_alone(request: &StepRequest) -> Reply {
        let path = file_of(request);
        match (is_letter(request), said(request), path == "hello.py") {
            (true, _, _) => words("D"),
            (false, 0, true) => call(
                "write_file",
                serde_json::json!({"path": path, "content": "a"}),
            ),
            (false, 1, false) => call("read_file", serde_json::json!({"path": path})),
            _ => report(true),
        }
    }
    let plan = "\
# Change two files of the program

## Tasks
- [ ] **T1** Change the greeting in the first file
  - files: `hello.py`
  - verify: `make test`
- [ ] **T2** Change the greeting in the second file
  - files: `NOTES.md`
  - verify: `make test`
";
    let mut world = World {
        model: changes_the_first_alone,
        ..World::new(plan)
    };
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Unverified), "{:?}", world.asked);
    assert!(!world.state().tasks["T1"].is_unverified());
    let reasons = world.state().tasks["T2"].verdict.clone().unwrap().reasons;
    assert!(
        reasons[0].contains("may already have passed before the run"),
        "{reasons:?}"
    );
}

const TWO: &str = "\
# Write two files

## Tasks
- [ ] **T1** Write the first file of the two
  - call: `write_file {\"path\": \"a\", \"content\": \"1\"}`
  - verify: `test -f a`
- [ ] **P1** Say whether the first file is right
  - by: person
  - verify: `test -f said`
- [ ] **T2** Write the second file of the two
  - call: `write_file {\"path\": \"b\", \"content\": \"2\"}`
  - verify: `test -f b`
";

#[test]
fn what_waits_for_a_person_is_not_checked_before_they_had_their_turn() {
    let mut world = World::new(TWO);
    let (ended, _) = world.play(World::config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Waiting));
    assert_eq!(before(&world), [("test -f a".to_owned(), true)]);
}

#[test]
fn where_each_step_is_asked_for_its_checks_run_once_it_may_start() {
    let text = TWO.replace("- [ ] **P1** Say whether the first file is right\n  - by: person\n  - verify: `test -f said`\n", "");
    let mut world = World::with_policy(&text, Policy::Each);
    world.play(World::config("{}"), Die::Never);
    assert_eq!(before(&world), []);
    world.play(World::config(r#"{"T1": "Run"}"#), Die::Never);
    assert_eq!(before(&world), [("test -f a".to_owned(), true)]);
    let (ended, _) = world.play(World::config(r#"{"T2": "Run"}"#), Die::Never);
    assert_eq!(ended, Some(EndState::Done));
    assert_eq!(before(&world).len(), 2);
    let place = |is: fn(&Entry) -> bool| world.journal.iter().rposition(is);
    let last = place(|entry| matches!(entry, Entry::BaselineChecked { .. }));
    assert!(last < place(|entry| matches!(entry, Entry::Intended { .. })));
}

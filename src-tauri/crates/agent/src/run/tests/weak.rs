//! What weak models do most, and what becomes of it: a step that only looks and never reports, calls in
//! the wrong order, a window that is smaller than was thought.

use serde_json::json;

use super::modelled::{call, calls, config, report, said};
use super::*;
use crate::model_step::{Offer, StepFault, StepTool};
use crate::repair::{FaultKind, Finish};

const LOOKS: &str = "\
---
planwright: 1
goal: Know where the greeting is
---
# Know where the greeting is

## Tasks
- [ ] **T1** Find the greeting
  - tools: search_files, read_file
";

const CHANGES: &str = "\
---
planwright: 1
goal: Greet in German
---
# Greet in German

## Tasks
- [ ] **T1** Change the greeting
  - files: `hello.py`
";

fn world(plan: &str, model: fn(&StepRequest) -> StepReply) -> World {
    World {
        model,
        ..World::new(plan)
    }
}

fn words(text: &str) -> StepReply {
    let fault = StepFault {
        kind: FaultKind::NoCall,
        message: "Answer with one call.".to_owned(),
    };
    StepReply {
        text: text.to_owned(),
        calls: Vec::new(),
        faults: vec![fault],
        finish: Finish::Stop,
        ..report(true)
    }
}

fn everything(request: &StepRequest) -> String {
    let contents = request.messages.iter().map(|m| m.content.clone());
    contents.collect::<Vec<_>>().join("\n")
}

fn read() -> StepReply {
    call("read_file", json!({"path": "hello.py"}))
}

fn write(content: &str) -> StepReply {
    let arguments = json!({"path": "hello.py", "content": content});
    call("write_file", arguments)
}

#[test]
fn a_step_that_only_looks_is_reminded_of_its_report_and_then_has_no_other_tool() {
    fn finds(request: &StepRequest) -> StepReply {
        match said(request) {
            0 => read(),
            1 | 2 => words("The greeting is in line 3 of hello.py."),
            _ if request.offer == Offer::Only(StepTool::ReportProgress) => report(true),
            _ => words("Shall I go on?"),
        }
    }
    let mut world = world(LOOKS, finds);
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Done), "{:?}", world.asked);
    let reminder = everything(&world.requests[2]);
    assert!(reminder.contains("Call report_progress"), "{reminder}");
    assert!(!world.state().tasks["T1"].work.is_inferred);
}

#[test]
fn a_look_that_is_never_reported_is_recorded_with_what_the_model_said_of_it() {
    fn mute(request: &StepRequest) -> StepReply {
        match said(request) {
            0 => read(),
            _ => words("The greeting is in line 3 of hello.py."),
        }
    }
    let mut world = world(LOOKS, mute);
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Done), "{:?}", world.asked);
    let state = world.state();
    let work = &state.tasks["T1"].work;
    assert!(work.is_inferred);
    assert!(work.recoveries.is_empty(), "{:?}", work.recoveries);
    let summary = &work.report.as_ref().unwrap().summary;
    assert_eq!(
        summary,
        "read_file hello.py. Not reported, only said: “The greeting is in line 3 of hello.py.”"
    );
}

#[test]
fn words_about_a_look_that_found_nothing_are_no_record() {
    fn fails(request: &StepRequest) -> StepReply {
        match said(request) {
            0 => read(),
            _ => words("The greeting is in line 3 of hello.py."),
        }
    }
    let mut world = world(LOOKS, fails);
    world.failing = vec!["hello.py"];
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Waiting));
    assert!(world.state().tasks["T1"].work.report.is_none());
}

#[test]
fn who_is_to_change_something_and_only_looked_is_not_done() {
    fn talks(request: &StepRequest) -> StepReply {
        match said(request) {
            0 => read(),
            _ => words("I have changed it."),
        }
    }
    let mut world = world(CHANGES, talks);
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Waiting));
    assert!(world.state().tasks["T1"].work.report.is_none());
}

#[test]
fn a_report_goes_behind_the_other_calls_of_its_reply() {
    fn hasty(_: &StepRequest) -> StepReply {
        calls(&[
            (
                "report_progress",
                json!({"summary": "changed", "done": true}),
            ),
            ("write_file", json!({"path": "hello.py", "content": "Moin"})),
        ])
    }
    let mut world = world(CHANGES, hasty);
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Done), "{:?}", world.asked);
    assert_eq!(world.performed.len(), 1, "{:?}", world.performed);
    assert_eq!(world.requests.len(), 1);
    let state = world.state();
    let moved = &state.tasks["T1"].work.turns[0].reply.calls[1];
    assert_eq!(moved.repairs, ["the report was put behind the other calls"]);
}

#[test]
fn of_two_reports_the_last_one_counts() {
    fn twice(request: &StepRequest) -> StepReply {
        match said(request) {
            0 => write("Moin"),
            _ => calls(&[
                (
                    "report_progress",
                    json!({"summary": "almost", "done": false}),
                ),
                (
                    "report_progress",
                    json!({"summary": "all of it", "done": true}),
                ),
            ]),
        }
    }
    let mut world = world(CHANGES, twice);
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Done), "{:?}", world.asked);
    let state = world.state();
    let work = &state.tasks["T1"].work;
    assert_eq!(work.report.as_ref().unwrap().summary, "all of it");
    assert_eq!(work.turns[1].reply.calls.len(), 1);
}

#[test]
fn a_report_beside_a_call_that_fails_is_not_taken() {
    fn hopes(request: &StepRequest) -> StepReply {
        match said(request) {
            0 => write("Moin"),
            1 => calls(&[
                ("run_command", json!({"command": "make test"})),
                (
                    "report_progress",
                    json!({"summary": "it passes", "done": true}),
                ),
            ]),
            _ => report(true),
        }
    }
    let plan = CHANGES.replace(
        "Change the greeting",
        "Change the greeting and run `make test`",
    );
    let mut world = world(&plan, hopes);
    world.failing = vec!["make test"];
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Done), "{:?}", world.asked);
    let told = everything(&world.requests[2]);
    assert!(told.contains("Not taken: a call before it"), "{told}");
}

#[test]
fn a_reply_in_the_wrong_order_happens_once_wherever_the_process_dies() {
    fn hasty(_: &StepRequest) -> StepReply {
        calls(&[
            (
                "report_progress",
                json!({"summary": "changed", "done": true}),
            ),
            ("write_file", json!({"path": "hello.py", "content": "Moin"})),
        ])
    }
    let (_, effects) = world(CHANGES, hasty).play(config("{}"), Die::Never);
    for at in 0..effects {
        let mut world = world(CHANGES, hasty);
        world.play(config("{}"), Die::Before(at));
        let (ended, _) = world.play(config(r#"{"unknown": "check"}"#), Die::Never);
        assert_eq!(ended, Some(EndState::Done), "died before effect {at}");
        assert_eq!(world.performed.len(), 1, "died before effect {at}");
    }
}

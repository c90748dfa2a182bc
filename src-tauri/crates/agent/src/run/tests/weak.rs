//! Tests of common failures of weak models: a read-only step that never reports, calls in the wrong
//! order, a context window that is smaller than assumed.

use gate::recovery::RecoveryStrategy;
use plan::ToolName;
use serde_json::json;

use super::model_work::{PROFILE, call, calls, config, report, said};
use super::*;
use crate::context::FileText;
use crate::model_step::act::EditForms;
use crate::model_step::{FailureKind, Offer, RecoveryBy, StepProfile};
use crate::model_tool::ModelTool;
use crate::turn::Fault;
use repair::{FaultKind, Finish};

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

fn world(plan: &str, model: fn(&StepRequest) -> Reply) -> World {
    World {
        model,
        ..World::new(plan)
    }
}

fn words(text: &str) -> Reply {
    let fault = Fault {
        kind: FaultKind::NoCall,
        message: "Answer with one call.".to_owned(),
    };
    Reply {
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

fn read() -> Reply {
    call("read_file", json!({"path": "hello.py"}))
}

fn write(content: &str) -> Reply {
    let arguments = json!({"path": "hello.py", "content": content});
    call("write_file", arguments)
}

#[test]
fn a_step_that_only_looks_is_reminded_of_its_report_and_then_has_no_other_tool() {
    fn finds(request: &StepRequest) -> Reply {
        match said(request) {
            0 => read(),
            1 | 2 => words("The greeting is in line 3 of hello.py."),
            _ if request.offer == Offer::Only(ModelTool::ReportProgress) => report(true),
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
    fn mute(request: &StepRequest) -> Reply {
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
    fn fails(request: &StepRequest) -> Reply {
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
    fn talks(request: &StepRequest) -> Reply {
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
    fn hasty(_: &StepRequest) -> Reply {
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
    let moved = &state.tasks["T1"].work.rounds.all()[0].reply.calls[1];
    assert_eq!(moved.repairs, ["moved the report after the other calls"]);
}

#[test]
fn of_two_reports_the_last_one_counts() {
    fn twice(request: &StepRequest) -> Reply {
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
    assert_eq!(work.rounds.all()[1].reply.calls.len(), 1);
}

#[test]
fn a_report_beside_a_call_that_fails_is_not_taken() {
    fn hopes(request: &StepRequest) -> Reply {
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
    fn hasty(_: &StepRequest) -> Reply {
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

/// A simulated workspace with a large file, and a server with this token limit.
fn in_a_window(tokens: u32) -> World {
    let text: String = (1..500).map(|n| format!("line_{n} = {n}\n")).collect();
    let file = FileText {
        path: "hello.py".to_owned(),
        text,
        lines_total: 499,
        ..FileText::default()
    };
    World {
        window: Some(tokens),
        material: Material {
            files: vec![file],
            ..Material::default()
        },
        ..world(CHANGES, |request| match said(request) {
            0 => write("Moin"),
            _ => report(true),
        })
    }
}

fn learned(world: &World) -> Vec<u32> {
    let entries = world.journal.iter();
    entries
        .filter_map(|entry| match entry {
            Entry::WindowLearned { tokens } => Some(*tokens),
            _ => None,
        })
        .collect()
}

#[test]
fn a_request_that_does_not_fit_is_made_smaller_and_never_sent_again_as_it_was() {
    let mut world = in_a_window(2_500);
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Done), "{:?}", world.asked);
    let (first, second) = (&world.requests[0], &world.requests[1]);
    assert!(first.tokens() + first.max_output_tokens > 2_500);
    assert!(second.tokens() + second.max_output_tokens <= 2_500);
    assert_eq!(learned(&world), [2_500]);
    let state = world.state();
    let decision = &state.tasks["T1"].work.recoveries[0];
    assert_eq!(decision.failure, FailureKind::TooLarge);
    assert_eq!(decision.strategy, RecoveryStrategy::RetrySimplified);
    assert_eq!(decision.by, RecoveryBy::Code);
}

#[test]
fn a_server_that_does_not_name_its_window_gets_six_tenths_and_then_the_step_alone() {
    let mut world = World {
        is_terse: true,
        ..in_a_window(1_700)
    };
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Done), "{:?}", world.asked);
    let sizes: Vec<u32> = world
        .requests
        .iter()
        .take(3)
        .map(|request| request.tokens() + request.max_output_tokens)
        .collect();
    assert!(sizes[1] * 10 <= sizes[0] * 6, "{sizes:?}");
    assert!(
        sizes[2] < sizes[1],
        "what is left is the step itself: {sizes:?}"
    );
}

#[test]
fn a_window_that_nothing_fits_ends_with_the_person() {
    let mut world = in_a_window(10);
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Waiting));
    assert!(world.requests.len() <= 4, "{}", world.requests.len());
    assert_eq!(world.asked[0].question, QuestionKind::Failure);
}

#[test]
fn the_window_is_known_to_whoever_takes_the_run_over() {
    let (_, effects) = in_a_window(2_500).play(config("{}"), Die::Never);
    for at in 0..effects {
        let mut world = in_a_window(2_500);
        world.play(config("{}"), Die::Before(at));
        let (ended, _) = world.play(config(r#"{"unknown": "check"}"#), Die::Never);
        assert_eq!(ended, Some(EndState::Done), "died before effect {at}");
        assert_eq!(learned(&world), [2_500], "died before effect {at}");
    }
}

#[test]
fn a_planner_that_has_no_room_is_asked_with_less_or_not_again() {
    let plan = CHANGES.replace("goal:", "strategy: iterative\ngoal:");
    for window in [10, 900, 1_200, 1_500] {
        let mut world = World {
            plan: plan.clone(),
            ..in_a_window(window)
        };
        let (ended, _) = world.play(config("{}"), Die::Never);
        assert!(ended.is_some());
        let sizes = world.requests.iter().filter(|r| r.offer == Offer::Words);
        let sizes: Vec<u32> = sizes.map(StepRequest::tokens).collect();
        let learned = learned(&world);
        assert!(sizes.len() <= learned.len() + 4, "{window}: {sizes:?}");
    }
}

/// The profile of a model whose server can't force calls but may enforce a JSON schema.
const LOOSE: StepProfile = StepProfile {
    can_force_calls: false,
    can_force_schema: true,
    is_schema_bound: false,
    forms: EditForms::ALL,
    ..PROFILE
};

fn loose() -> Config {
    Config {
        model: Some(LOOSE),
        ..config("{}")
    }
}

#[test]
fn where_no_call_can_be_demanded_one_tool_alone_is_offered_and_then_a_schema() {
    fn talks(request: &StepRequest) -> Reply {
        match (said(request), &request.offer) {
            (_, Offer::Schema(_)) => write("Moin"),
            (0..=3, _) => words("I will now look at the file."),
            _ => report(true),
        }
    }
    let mut world = world(CHANGES, talks);
    let (ended, _) = world.play(loose(), Die::Never);
    assert_eq!(ended, Some(EndState::Done), "{:?}", world.asked);
    let offers: Vec<&Offer> = world.requests.iter().map(|r| &r.offer).collect();
    let look = Offer::Only(ModelTool::Workspace(ToolName::ReadFile));
    assert_eq!(offers[..3], [&Offer::All, &Offer::All, &look]);
    assert!(matches!(offers[3], Offer::Schema(_)), "{offers:?}");
    assert_eq!(world.requests[2].offered().len(), 1);
}

#[test]
fn the_one_tool_is_the_one_that_the_model_speaks_of_or_the_change_that_is_due() {
    fn speaks(request: &StepRequest) -> Reply {
        match said(request) {
            0 | 1 => words("Next I call search_files for it."),
            2 => read(),
            3 | 4 => words("Now I would change it."),
            5 => write("Moin"),
            _ => report(true),
        }
    }
    let mut world = world(CHANGES, speaks);
    let (ended, _) = world.play(loose(), Die::Never);
    assert_eq!(ended, Some(EndState::Done), "{:?}", world.asked);
    let one = |tool| Offer::Only(ModelTool::Workspace(tool));
    assert_eq!(world.requests[2].offer, one(ToolName::SearchFiles));
    assert_eq!(world.requests[5].offer, one(ToolName::EditFile));
}

#[test]
fn a_deletion_is_never_the_only_tool() {
    fn talks(_: &StepRequest) -> Reply {
        words("I will delete_file hello.py now.")
    }
    let plan = CHANGES.replace(
        "  - files:",
        "  - tools: delete_file, read_file\n  - files:",
    );
    let mut world = world(&plan, talks);
    world.play(loose(), Die::Never);
    let deletion = Offer::Only(ModelTool::Workspace(ToolName::DeleteFile));
    assert!(world.requests.len() > 3);
    assert!(world.requests.iter().all(|r| r.offer != deletion));
}

#[test]
fn damaged_calls_keep_all_tools_on_offer() {
    fn damages(_: &StepRequest) -> Reply {
        let fault = Fault {
            kind: FaultKind::MissingRequired,
            message: "`path` is missing.".to_owned(),
        };
        Reply {
            faults: vec![fault],
            ..words("")
        }
    }
    let mut world = world(CHANGES, damages);
    world.play(loose(), Die::Never);
    assert!(world.requests[2].offered().len() > 1);
    assert!(matches!(world.requests[3].offer, Offer::Schema(_)));
}

/// A model that reads one file after another and makes no progress until the step is split.
fn wanders(request: &StepRequest) -> Reply {
    let text = everything(request);
    let part = [
        "Find what needs to change",
        "Make the change",
        "Look for missed locations",
    ];
    let is_part = part.iter().any(|part| text.contains(&format!(": {part}")));
    match (said(request), is_part) {
        (0, true) if text.contains(": Make the change") => write("Moin"),
        (0, true) => read(),
        (_, true) => report(true),
        (n, false) => call("read_file", json!({"path": format!("file_{n}.py")})),
    }
}

#[test]
fn a_step_that_passes_ten_calls_is_taken_apart_before_it_fails() {
    let mut world = world(CHANGES, wanders);
    world.play(config("{}"), Die::Never);
    let state = world.state();
    let work = &state.tasks["T1"].work;
    assert_eq!(
        work.rounds.all().len() + work.recoveries.len(),
        1,
        "{work:?}"
    );
    let decision = &work.recoveries[0];
    assert_eq!(decision.failure, FailureKind::Cap);
    assert_eq!(decision.strategy, RecoveryStrategy::DecomposeFurther);
    assert!(decision.reason.contains("11 calls"), "{}", decision.reason);
    assert_eq!(world.plan.matches("origin: run").count(), 3);
}

#[test]
fn a_look_at_many_files_stays_one_step() {
    fn surveys(request: &StepRequest) -> Reply {
        match said(request) {
            n @ 0..=12 => call("read_file", json!({"path": format!("file_{n}.py")})),
            _ => report(true),
        }
    }
    let mut world = world(LOOKS, surveys);
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Done), "{:?}", world.asked);
    assert!(!world.plan.contains("origin: run"));
}

#[test]
fn written_calls_stay_as_they_were_approved_however_many() {
    let calls: String = (0..14)
        .map(|n| format!("  - call: `write_file {{\"path\": \"f{n}\", \"content\": \"x\"}}`\n"))
        .collect();
    let plan = format!("# Many files\n\n## Tasks\n- [ ] **T1** Write all the files\n{calls}");
    let mut world = World::new(&plan);
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Done));
    assert_eq!(world.performed.len(), 14);
    assert!(!world.plan.contains("origin: run"));
}

#[test]
fn a_call_that_is_made_a_third_time_is_no_longer_on_offer() {
    fn stuck(request: &StepRequest) -> Reply {
        match (&request.offer, said(request)) {
            (Offer::AllBut(_), _) => write("Moin"),
            (_, 4) => report(true),
            _ => read(),
        }
    }
    let mut world = world(CHANGES, stuck);
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Done), "{:?}", world.asked);
    let without = &world.requests[3];
    assert_eq!(
        without.offer,
        Offer::AllBut(ModelTool::Workspace(ToolName::ReadFile))
    );
    assert!(
        !without
            .offered()
            .contains(&ModelTool::Workspace(ToolName::ReadFile))
    );
    assert!(
        without.offered().len() > 2,
        "what is left is all but that one"
    );
    assert_eq!(world.requests[4].offer, Offer::All, "for one request");
}

type Model = fn(&StepRequest) -> Reply;

/// A model that cycles through `period` writes. If `heeds` is true, it reports when asked to.
fn circling(request: &StepRequest, period: usize, heeds: bool) -> Reply {
    let is_told = everything(request).contains("You make the same calls in turn");
    match (is_told && heeds, is_letter(request)) {
        (_, true) => words("D"),
        (true, _) => report(true),
        _ => write(&format!("text {}", said(request) % period)),
    }
}

fn is_letter(request: &StepRequest) -> bool {
    matches!(request.offer, Offer::Letters(_))
}

#[test]
fn a_circle_of_changes_is_told_in_its_second_round_and_may_be_left() {
    let plays: [(usize, Model); 3] = [
        (2, |request| circling(request, 2, true)),
        (3, |request| circling(request, 3, true)),
        (4, |request| circling(request, 4, true)),
    ];
    for (period, model) in plays {
        let mut world = world(CHANGES, model);
        let (ended, _) = world.play(config("{}"), Die::Never);
        assert_eq!(ended, Some(EndState::Done), "{period}");
        assert_eq!(world.requests.len(), period * 2 + 1, "{period}");
    }
}

#[test]
fn who_goes_on_in_the_circle_begins_anew_with_the_circle_named() {
    let plays: [(usize, Model); 3] = [
        (2, |request| circling(request, 2, false)),
        (3, |request| circling(request, 3, false)),
        (4, |request| circling(request, 4, false)),
    ];
    for (period, model) in plays {
        let mut world = world(CHANGES, model);
        world.play(config("{}"), Die::Never);
        let state = world.state();
        let decision = &state.tasks["T1"].work.recoveries[0];
        assert_eq!(decision.failure, FailureKind::Loop, "{period}");
        assert_eq!(decision.strategy, RecoveryStrategy::RetrySimplified);
        let anew = &world.requests[period * 2 + 1];
        assert_eq!(
            said(anew),
            0,
            "{period}: one call after the warning is enough"
        );
        assert!(everything(anew).contains("stuck in a loop: write_file"));
    }
}

#[test]
fn who_only_thought_is_asked_to_think_less_until_a_call_comes() {
    fn thinks(request: &StepRequest) -> Reply {
        let fault = Fault {
            kind: FaultKind::ReasoningOnly,
            message: "You thought but did not answer.".to_owned(),
        };
        match said(request) {
            0 => Reply {
                faults: vec![fault],
                ..words("")
            },
            1 => write("Moin"),
            _ => report(true),
        }
    }
    let mut world = world(CHANGES, thinks);
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Done), "{:?}", world.asked);
    let less: Vec<bool> = world.requests.iter().map(|r| r.thinks_less).collect();
    assert_eq!(less, [false, true, false]);
}

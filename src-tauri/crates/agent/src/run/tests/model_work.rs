//! Tests of steps that a model carries out: whatever the model replies, the step ends well, asks
//! the person, or is reported as failed; and wherever the process dies, nothing happens twice.

use gate::recovery::RecoveryStrategy;
use serde_json::{Map, Value, json};

use super::*;
use crate::model_step::act::EditForms;
use crate::model_step::{FailureKind, Offer, RecoveryBy, StepProfile};
use crate::session::message::Role;
use crate::turn::{Call, Fault};
use gate::destructive::PathState;
use repair::{FaultKind, Finish};

const PLAN: &str = "\
---
planwright: 1
goal: Greet in German
---
# Greet in German

## Requirements
- R1 the greeting is German

## Tasks
- [ ] **T1** Change the greeting in the program
  - files: `hello.py`
  - covers: R1
  - verify: `python3 check.py`
- [ ] **T2** Write down what was changed
  - depends: T1
  - files: `NOTES.md`
";

pub(super) const PROFILE: StepProfile = StepProfile {
    writes_whole_files: false,
    context_window: 8_192,
    max_output_tokens: 1_024,
    is_small: true,
    can_force_calls: true,
    can_force_schema: true,
    is_schema_bound: false,
    forms: EditForms::ALL,
};

pub(super) fn config(answers: &str) -> Config {
    Config {
        model: Some(PROFILE),
        ..World::config(answers)
    }
}

pub(super) fn world(model: fn(&StepRequest) -> Reply) -> World {
    World {
        model,
        ..World::new(PLAN)
    }
}

pub(super) fn words(text: &str) -> Reply {
    let fault = Fault {
        kind: FaultKind::NoCall,
        message: "Answer with one call.".to_owned(),
    };
    Reply {
        text: text.to_owned(),
        calls: Vec::new(),
        faults: vec![fault],
        finish: Finish::Stop,
        usage: crate::turn::Usage::default(),
        elapsed_ms: 0,
    }
}

pub(super) fn calls(calls: &[(&str, Value)]) -> Reply {
    let calls = calls.iter().map(|(name, arguments)| {
        Call::new(
            *name,
            arguments.as_object().cloned().unwrap_or_else(Map::new),
        )
    });
    Reply {
        text: String::new(),
        calls: calls.collect(),
        faults: Vec::new(),
        finish: Finish::ToolCalls,
        ..words("")
    }
}

pub(super) fn call(name: &str, arguments: Value) -> Reply {
    calls(&[(name, arguments)])
}

pub(super) fn report(done: bool) -> Reply {
    call("report_progress", json!({"summary": "said", "done": done}))
}

/// How many replies the model has sent in this attempt.
pub(super) fn said(request: &StepRequest) -> usize {
    let replies = request.messages.iter();
    replies.filter(|m| m.role == Role::Assistant).count()
}

pub(super) fn is_letter(request: &StepRequest) -> bool {
    matches!(request.offer, Offer::Letters(_))
}

pub(super) fn everything(request: &StepRequest) -> String {
    let texts: Vec<&str> = request
        .messages
        .iter()
        .map(|m| m.content.as_str())
        .collect();
    texts.join("\n")
}

pub(super) fn file_of(request: &StepRequest) -> &'static str {
    if everything(request).contains("Your step, T1") {
        "hello.py"
    } else {
        "NOTES.md"
    }
}

/// A model that reads, writes and reports.
fn good(request: &StepRequest) -> Reply {
    let path = file_of(request);
    match said(request) {
        0 => call("read_file", json!({ "path": path })),
        1 => call("write_file", json!({"path": path, "content": "x"})),
        _ => report(true),
    }
}

#[test]
fn a_model_looks_writes_and_reports_and_the_check_decides() {
    let mut world = world(good);
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Done));
    assert_eq!(world.performed.len(), 2);
    assert_eq!(world.plan.matches("- [x]").count(), 2);
    assert_eq!(world.requests.len(), 6, "no request more than it takes");
    let first = everything(&world.requests[0]);
    for part in ["Greet in German", "R1", "hello.py", "python3 check.py"] {
        assert!(first.contains(part), "{first}");
    }
    assert!(
        !first.contains("NOTES.md"),
        "the other step is none of its business"
    );
}

#[test]
fn a_small_model_need_not_say_that_it_is_done_where_the_check_says_it() {
    let mut world = world(good);
    world.is_red = true;
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Done));
    let of_the_checked = 2;
    let of_the_other = 3;
    assert_eq!(world.requests.len(), of_the_checked + of_the_other);

    let mut world = self::world(good);
    world.is_red = true;
    let strong = StepProfile {
        is_small: false,
        ..PROFILE
    };
    let config = Config {
        model: Some(strong),
        ..World::config("{}")
    };
    assert_eq!(world.play(config, Die::Never).0, Some(EndState::Done));
    assert_eq!(world.requests.len(), 6, "a strong one reports by itself");
}

#[test]
fn nothing_happens_twice_wherever_the_process_dies() {
    let (_, effects) = world(good).play(config("{}"), Die::Never);
    for at in 0..effects {
        let mut world = world(good);
        assert_eq!(world.play(config("{}"), Die::Before(at)).0, None);
        let (ended, _) = world.play(config(r#"{"unknown": "check"}"#), Die::Never);
        assert_eq!(ended, Some(EndState::Done), "died before effect {at}");
        assert_eq!(world.performed.len(), 2, "died before effect {at}");
        assert_eq!(
            world.plan.matches("- [x]").count(),
            2,
            "died before effect {at}"
        );
    }
}

#[test]
fn what_is_asked_after_a_crash_is_what_would_have_been_asked() {
    let mut whole = world(good);
    let (_, effects) = whole.play(config("{}"), Die::Never);
    for at in 0..effects {
        let mut world = world(good);
        world.play(config("{}"), Die::Before(at));
        let before = world.requests.len();
        world.play(config(r#"{"unknown": "check"}"#), Die::Never);
        let mut asked = world.requests.clone();
        // If the reply was not stored, the request is sent again.
        if before > 0 && asked.get(before) == asked.get(before - 1) {
            asked.remove(before);
        }
        let words = |requests: &[StepRequest]| -> Vec<usize> {
            requests
                .iter()
                .map(|request| request.messages.len())
                .collect()
        };
        assert_eq!(
            words(&asked),
            words(&whole.requests),
            "died before effect {at}"
        );
    }
}

#[test]
fn done_is_a_claim_and_a_failing_check_goes_back_to_the_model() {
    fn hasty(request: &StepRequest) -> Reply {
        if is_letter(request) {
            return words("D");
        }
        match said(request) {
            0 => call("write_file", json!({"path": "hello.py", "content": "x"})),
            _ => report(true),
        }
    }
    let mut world = world(hasty);
    world.failing = vec!["check.py"];
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Waiting), "a person is asked");
    assert_eq!(world.plan.matches("- [x]").count(), 0);
    let told = everything(&world.requests[2]);
    assert!(told.contains("The check does not pass"), "{told}");
    assert_eq!(world.asked[0].question, QuestionKind::Failure);
}

#[test]
fn a_check_that_always_passes_is_not_enough_where_nothing_was_changed() {
    fn claims(request: &StepRequest) -> Reply {
        match (is_letter(request), said(request)) {
            (true, _) => words("D"),
            (false, 0) => call("read_file", json!({"path": "hello.py"})),
            _ => report(true),
        }
    }
    let mut world = world(claims);
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Waiting));
    assert_eq!(world.plan.matches("- [x]").count(), 0);
}

#[test]
fn what_is_so_already_is_a_persons_to_sign_whatever_its_check_says() {
    fn finds(request: &StepRequest) -> Reply {
        match said(request) {
            1 => call("read_file", json!({"path": file_of(request)})),
            _ => report(true),
        }
    }
    let mut world = world(finds);
    let (ended, _) = world.play(config("{}"), Die::Never);
    // A check that passes without changes proves nothing.
    assert_eq!(ended, Some(EndState::Unverified), "{:?}", world.asked);
    assert_eq!(world.performed, Vec::<String>::new());
    assert_eq!(world.plan.matches("- [x]").count(), 0);
    assert_eq!(world.asked[0].question, QuestionKind::Unverified);
    assert_eq!(world.asked[0].task, "T1");

    let signed = r#"{"T1": {"done": true, "note": "so it was"}, "T2": {"done": true, "note": "the notes said it before"}}"#;
    let (ended, _) = world.play(config(signed), Die::Never);
    assert_eq!(ended, Some(EndState::Done), "{:?}", world.asked);
    assert_eq!(world.plan.matches("- [x]").count(), 2);
    let receipt = crate::receipt::receipt(&world.timed()).unwrap();
    let signature = receipt.steps[1]
        .evidence
        .iter()
        .find(|one| one.kind == "signature");
    assert_eq!(signature.unwrap().summary, "the notes said it before");
}

#[test]
fn a_claim_is_not_proved_by_a_look_that_has_nothing_to_do_with_the_step() {
    fn looks_elsewhere(request: &StepRequest) -> Reply {
        if everything(request).contains("Your step, T1") {
            return good(request);
        }
        match (is_letter(request), said(request)) {
            (true, _) => words("D"),
            (false, 1) => call("list_files", json!({"path": "docs"})),
            (false, 3) => call("read_file", json!({"path": "README.md"})),
            _ => report(true),
        }
    }
    let mut world = world(looks_elsewhere);
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Waiting), "{:?}", world.asked);
    assert_eq!(world.plan.matches("- [x]").count(), 1);
    assert_eq!(world.standing("T2"), Standing::Failed);
}

#[test]
fn a_step_that_names_nothing_is_not_done_by_a_look_and_one_that_looks_is() {
    fn looks(request: &StepRequest) -> Reply {
        match said(request) {
            0 => call("search_files", json!({"pattern": "hello"})),
            _ => report(true),
        }
    }
    let plan = |title: &str| format!("# Greet in German\n\n## Tasks\n- [ ] **T1** {title}\n");
    let play = |title: &str| {
        let mut world = World {
            model: looks,
            ..World::new(&plan(title))
        };
        let (ended, _) = world.play(config("{}"), Die::Never);
        (ended, world.plan.matches("- [x]").count())
    };
    let finds = play("Find where the greeting hello is written");
    assert_eq!(finds, (Some(EndState::Done), 1));
    let adds = play("Add a German greeting to the program hello");
    assert_eq!(adds, (Some(EndState::Unverified), 0));
}

#[test]
fn leaving_a_step_out_is_for_a_person_to_say_and_not_for_the_model() {
    fn skips(request: &StepRequest) -> Reply {
        if everything(request).contains("Your step, T1") && !is_letter(request) {
            return good(request);
        }
        match is_letter(request) {
            true => words("C"),
            false => report(true),
        }
    }
    let mut world = world(skips);
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Waiting), "{:?}", world.asked);
    assert_eq!(world.standing("T2"), Standing::Failed);
    assert!(!world.plan.contains("skipped:"), "nobody has agreed to it");
    assert_eq!(world.asked[0].question, QuestionKind::Failure);

    // A person may skip or retry the step.
    let mut again = World {
        journal: world.journal.clone(),
        model: good,
        ..World::new(&world.plan)
    };
    let (ended, _) = again.play(config(r#"{"T2": "Retry"}"#), Die::Never);
    assert_eq!(ended, Some(EndState::Done), "{:?}", again.asked);
    let (ended, _) = world.play(config(r#"{"T2": {"skip": "no notes"}}"#), Die::Never);
    assert_eq!(ended, Some(EndState::Done), "{:?}", world.asked);
    assert!(world.plan.contains("skipped: no notes"), "{}", world.plan);
}

#[test]
fn a_requirement_that_nothing_done_covers_does_not_let_the_run_end_done() {
    let text = PLAN.replace(
        "  - files: `NOTES.md`\n",
        "  - files: `NOTES.md`\n  - covers: R2\n",
    );
    let text = text.replace("is German\n", "is German\n- R2 it is written down\n");
    let mut world = World {
        model: good,
        ..World::with_policy(&text, Policy::Each)
    };
    let (ended, _) = world.play(
        config(r#"{"T1": "Run", "T2": {"skip": "not now"}}"#),
        Die::Never,
    );
    assert_eq!(ended, Some(EndState::Incomplete), "{:?}", world.asked);
    let (_, message) = world.state().ended.unwrap();
    assert!(
        message.contains("not covered by any completed step: R2"),
        "{message}"
    );
}

#[test]
fn a_requirement_that_no_step_is_about_does_not_let_the_run_end_done() {
    let about = [
        ("- R1 the greeting is German\n", EndState::Done),
        (
            "- R1 the greeting is German\n- R2 the invoice is printed on paper\n",
            EndState::Incomplete,
        ),
        ("", EndState::Done),
    ];
    for (requirements, expected) in about {
        let plan = format!(
            "# Greet in German\n\n## Requirements\n{requirements}\n## Tasks\n- [ ] **T1** Write the German \
             greeting\n  - call: `write_file {{\"path\": \"a\", \"content\": \"1\"}}`\n"
        );
        let mut world = World::new(&plan);
        let (ended, _) = world.play(World::config("{}"), Die::Never);
        assert_eq!(ended, Some(expected), "{requirements}");
    }
}

#[test]
fn a_stub_is_not_done_where_nothing_checks_it() {
    fn stubs(request: &StepRequest) -> Reply {
        match said(request) {
            0 => call(
                "write_file",
                json!({"path": "a.py", "content": "def total(rows):\n    # TODO\n    pass\n"}),
            ),
            _ => report(true),
        }
    }
    let plan = "# Add a sum\n\n## Tasks\n- [ ] **T1** Add a function total that sums rows\n  - files: `a.py`\n";
    let mut world = World {
        model: stubs,
        ..World::new(plan)
    };
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Unverified), "{:?}", world.asked);
    assert!(
        world.asked[0].message.contains("`total`"),
        "{}",
        world.asked[0].message
    );
}

#[test]
fn a_model_is_told_of_a_doubt_again_as_long_as_it_changes_something() {
    fn mends(request: &StepRequest) -> Reply {
        let body = |text: &str| {
            let content = format!("def total(rows):\n    {text}\n");
            call("write_file", json!({"path": "a.py", "content": content}))
        };
        match said(request) {
            0 => body("# TODO\n    pass"),
            2 => body("# FIXME\n    ..."),
            4 => body("return sum(rows)"),
            _ => report(true),
        }
    }
    let plan = "# Add a sum\n\n## Tasks\n- [ ] **T1** Add a function total that sums rows\n  - files: `a.py`\n";
    let mut world = World {
        model: mends,
        ..World::new(plan)
    };
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Done), "{:?}", world.asked);
    assert_eq!(world.requests.len(), 6);
}

#[test]
fn a_step_without_a_check_is_not_done_without_any_work() {
    fn lazy(request: &StepRequest) -> Reply {
        if everything(request).contains("Your step, T1") {
            return good(request);
        }
        match is_letter(request) {
            true => words("D"),
            false => report(true),
        }
    }
    let mut world = world(lazy);
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Waiting));
    assert_eq!(world.plan.matches("- [x]").count(), 1);
}

#[test]
fn words_lead_to_a_reminder_then_to_narrower_offers() {
    fn talks(request: &StepRequest) -> Reply {
        match said(request) {
            0 => words("I will now read the file."),
            1 => words("Let me have a look."),
            _ if request.offer != Offer::All => match said(request) {
                2 => call(
                    "write_file",
                    json!({"path": file_of(request), "content": "x"}),
                ),
                _ => report(true),
            },
            3 => report(true),
            _ => words("Done!"),
        }
    }
    let mut world = world(talks);
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Done));
    assert_eq!(world.requests[1].offer, Offer::All);
    assert_eq!(world.requests[2].offer, Offer::OneCall);
}

#[test]
fn whoever_never_reports_gets_an_inferred_record() {
    fn mute(request: &StepRequest) -> Reply {
        match said(request) {
            0 => call(
                "write_file",
                json!({"path": file_of(request), "content": "x"}),
            ),
            _ => words("All done, the file is written."),
        }
    }
    let mut world = world(mute);
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Done));
    let state = world.state();
    let work = &state.tasks["T1"].work;
    assert!(work.is_inferred);
    let report = work.report.as_ref().unwrap();
    assert!(report.summary.contains("write_file hello.py"), "{report:?}");
    assert_eq!(
        report.learned,
        Vec::<String>::new(),
        "facts are not made up"
    );
    let mut offers = world.requests.iter().map(|request| &request.offer);
    assert!(offers.any(|offer| matches!(offer, Offer::Schema(_))));
}

#[test]
fn the_same_call_again_is_answered_from_before() {
    fn stuck(request: &StepRequest) -> Reply {
        if is_letter(request) {
            return words("D) ask");
        }
        call("read_file", json!({"path": "hello.py"}))
    }
    let mut world = world(stuck);
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Waiting));
    let told = everything(&world.requests[2]);
    assert!(told.contains("You made this call already"), "{told}");
    let state = world.state();
    let strategies: Vec<RecoveryStrategy> = state.tasks["T1"]
        .work
        .recoveries
        .iter()
        .map(|decision| decision.strategy)
        .collect();
    assert_eq!(
        strategies,
        [RecoveryStrategy::RetrySimplified, RecoveryStrategy::AskUser]
    );
}

#[test]
fn a_circle_of_changes_is_found() {
    fn flips(request: &StepRequest) -> Reply {
        if is_letter(request) {
            return words("D");
        }
        let content = if said(request).is_multiple_of(2) {
            "a"
        } else {
            "b"
        };
        call(
            "write_file",
            json!({"path": "hello.py", "content": content}),
        )
    }
    let mut world = world(flips);
    world.failing = vec!["check.py"];
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Waiting));
    assert!(world.requests.len() < 20, "{}", world.requests.len());
    let state = world.state();
    assert_eq!(
        state.tasks["T1"].work.recoveries[0].failure,
        FailureKind::Loop
    );
}

#[test]
fn no_strategy_is_used_twice_and_the_last_is_a_person() {
    fn hopeless(request: &StepRequest) -> Reply {
        match is_letter(request) {
            true => words("B) from the other end"),
            false => report(true),
        }
    }
    let mut world = world(hopeless);
    world.failing = vec!["check.py"];
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Waiting));
    let state = world.state();
    let recoveries = &state.tasks["T1"].work.recoveries;
    let mut strategies: Vec<_> = recoveries.iter().map(|d| d.strategy).collect();
    assert_eq!(strategies.last(), Some(&RecoveryStrategy::AskUser));
    let count = strategies.len();
    strategies.sort_unstable();
    strategies.dedup();
    assert_eq!(strategies.len(), count);
    assert_eq!(recoveries[0].by, RecoveryBy::Model);
    assert_eq!(recoveries[0].words.as_deref(), Some("from the other end"));
    let again = world.requests.iter().map(everything);
    assert!(
        again
            .into_iter()
            .any(|text| text.contains("Now do it this way: from the other end")),
        "the model gets its own words"
    );
}

#[test]
fn a_server_that_is_gone_is_asked_once_more_then_a_person() {
    let mut world = world(good);
    world.is_gone = true;
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Waiting));
    assert_eq!(world.requests.len(), 2);
    world.is_gone = false;
    let (ended, _) = world.play(config(r#"{"T1": "Retry"}"#), Die::Never);
    assert_eq!(ended, Some(EndState::Done));
    assert_eq!(world.performed.len(), 2);
}

#[test]
fn what_the_step_does_not_name_is_asked_when_the_model_insists_and_a_refusal_with_words_reaches_it()
{
    fn strays(request: &StepRequest) -> Reply {
        let text = everything(request);
        if text.contains("The person said no: leave that file alone") {
            return good_from(request, 3);
        }
        call("write_file", json!({"path": "other.py", "content": "x"}))
    }
    fn good_from(request: &StepRequest, skipped: usize) -> Reply {
        match said(request) - skipped {
            0 => call(
                "write_file",
                json!({"path": file_of(request), "content": "x"}),
            ),
            _ => report(true),
        }
    }
    let mut world = world(strays);
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Waiting));
    assert_eq!(world.asked[0].question, QuestionKind::Permission);
    assert_eq!(world.performed, Vec::<String>::new());
    let told = "the approved step is about hello.py, not about other.py";
    assert_eq!(
        world.requests.len(),
        3,
        "two reminders, then a person is asked"
    );
    for request in &world.requests[1..] {
        assert!(everything(request).contains(told));
    }
    let no = r#"{"permissions": [{"tool": "write_file", "match": "exact other.py", "answer": "no",
        "words": "leave that file alone"}]}"#;
    let (ended, _) = world.play(config(no), Die::Never);
    assert_eq!(ended, Some(EndState::Done), "{:?}", world.asked);
    assert!(
        world
            .performed
            .iter()
            .all(|line| !line.contains("other.py"))
    );
}

#[test]
fn a_question_of_the_models_waits_for_its_answer() {
    fn asks(request: &StepRequest) -> Reply {
        let path = file_of(request);
        match said(request) {
            0 => call(
                "ask_user",
                json!({"question": "Moin or Hallo?", "options": ["Moin", "Hallo"]}),
            ),
            1 => {
                assert!(everything(request).contains("The person answered: Moin"));
                call("write_file", json!({"path": path, "content": "Moin"}))
            }
            _ => report(true),
        }
    }
    let mut world = world(asks);
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Waiting));
    assert_eq!(world.asked[0].options, ["Moin", "Hallo"]);
    let (ended, _) = world.play(config(r#"{"T1": "Moin", "T2": "Moin"}"#), Die::Never);
    assert_eq!(ended, Some(EndState::Done));
}

#[test]
fn a_step_that_waits_for_a_person_does_not_hold_up_another_branch() {
    fn half(request: &StepRequest) -> Reply {
        match (
            is_letter(request),
            everything(request).contains("Your step, T1"),
        ) {
            (true, _) => words("D"),
            (false, true) => report(true),
            (false, false) => good(request),
        }
    }
    let mut world = World {
        model: half,
        ..World::new(&PLAN.replace("  - depends: T1\n", "  - depends: none\n"))
    };
    world.failing = vec!["check.py"];
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Waiting));
    assert_eq!(world.standing("T1"), Standing::Failed);
    assert_eq!(world.standing("T2"), Standing::Done);
}

#[test]
fn a_request_never_outgrows_the_window() {
    fn reads_on(request: &StepRequest) -> Reply {
        if is_letter(request) {
            return words("D");
        }
        let line = said(request) * 100 + 1;
        call("read_file", json!({"path": "hello.py", "start_line": line}))
    }
    let mut world = world(reads_on);
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Waiting));
    for request in &world.requests {
        let needed = request.tokens() + request.max_output_tokens;
        assert!(needed <= PROFILE.context_window, "{needed}");
    }
}

/// Adds a module with ten functions to the workspace, which rewriting the whole file would delete.
fn loses(world: &mut World, path: &str) {
    let functions = (0..10).map(|at| format!("def f{at}():\n    return {at}\n"));
    world
        .seen
        .found
        .insert(path.to_owned(), PathState::File { bytes: 240 });
    world
        .seen
        .texts
        .insert(path.to_owned(), functions.collect());
}

fn stubs(request: &StepRequest) -> Reply {
    let path = file_of(request);
    match (is_letter(request), said(request)) {
        (true, _) => words("D"),
        (false, 0..=2) => call("write_file", json!({"path": path, "content": "# later\n"})),
        _ => report(true),
    }
}

/// A model that makes several mistakes, each of which would need a person's decision, and corrects
/// them when told to.
fn slips(request: &StepRequest) -> Reply {
    let path = file_of(request);
    match said(request) {
        _ if is_letter(request) => words("D"),
        0 => call("write_file", json!({"path": "ideas.md", "content": "x"})),
        1 => call("write_file", json!({"path": path, "content": "# later\n"})),
        2 => call(
            "edit_file",
            json!({"path": path, "old_text": "f0", "new_text": "moin"}),
        ),
        _ => report(true),
    }
}

#[test]
fn nobody_is_asked_about_a_slip_that_the_model_mends_when_it_is_told() {
    let mut world = world(slips);
    loses(&mut world, "hello.py");
    let (ended, _) = world.play(config("{}"), Die::Never);
    let first = world.asked.iter().filter(|asked| asked.task == "T1");
    assert_eq!(first.count(), 0, "{ended:?}: {:?}", world.asked);
    assert!(
        world.performed[0].starts_with("edit_file"),
        "{:?}",
        world.performed
    );
    assert!(!world.performed.iter().any(|line| line.contains("ideas.md")));
    assert_eq!(world.standing("T1"), Standing::Done);
}

#[test]
fn a_write_that_throws_away_definitions_is_asked_about_when_the_model_insists() {
    let mut world = world(stubs);
    loses(&mut world, "hello.py");
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Waiting));
    assert_eq!(world.performed, Vec::<String>::new());
    let asked = &world.asked[0];
    assert_eq!(
        asked.question,
        QuestionKind::Destructive,
        "{}",
        asked.message
    );
    assert!(
        asked.message.contains("10 of its 10 definitions"),
        "{}",
        asked.message
    );
}

#[test]
fn a_write_that_throws_away_most_of_a_file_is_refused_where_no_check_would_miss_it() {
    fn stubs_notes(request: &StepRequest) -> Reply {
        match everything(request).contains("Your step, T1") && !is_letter(request) {
            true => good(request),
            false => stubs(request),
        }
    }
    let mut world = world(stubs_notes);
    loses(&mut world, "NOTES.md");
    let (ended, _) = world.play(config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Waiting), "{:?}", world.asked);
    assert_eq!(world.performed.len(), 1, "{:?}", world.performed);
    let told = world.requests.iter().map(everything);
    let mut told = told.filter(|told| told.contains("throws away NOTES.md"));
    assert!(
        told.next_back().unwrap().contains("call edit_file"),
        "the way to edit instead"
    );
}

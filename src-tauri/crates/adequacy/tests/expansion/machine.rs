//! Tests of the loop: when it runs, its limits, and how it ends.

use adequacy::expansion::{
    Edit, Event, Expansion, LoopMode, Settings, Status, Step, StopReason, first_plan_output_cap,
    limits, refine_output_cap,
};
use adequacy::{Mend, PlanDepth};
use plan::TaskId;

use crate::support::{
    FULL, GOOD, PLAIN, THIN, asked, auto, edits, input, play, says, start, stopped, task, tasks,
};

fn ended(text: &str, settings: Settings, replies: &[Event]) -> (Status, StopReason, usize) {
    let outcome = play(text, settings, replies);
    (outcome.status, outcome.stop_reason, outcome.rounds.len())
}

#[test]
fn the_defaults_and_limits_are_those_of_the_seed() {
    let settings = Settings::default();
    assert_eq!(settings.loop_mode, LoopMode::Off);
    assert_eq!(settings.max_refine_rounds, 2);
    assert_eq!(settings.refine_budget_tokens, 18_000);
    assert_eq!(settings.gap_risk_threshold, 0.28);
    assert!(settings.auto_expand_thin_plan);
    assert_eq!(settings.plan_depth, PlanDepth::Standard);
    assert_eq!(settings.max_tasks, 30);
    let wild = Settings {
        max_refine_rounds: 99,
        refine_budget_tokens: 1 << 40,
        gap_risk_threshold: 7.0,
        max_tasks: 0,
        ..Settings::default()
    }
    .clamped();
    assert_eq!(wild.max_refine_rounds, 8);
    assert_eq!(wild.refine_budget_tokens, 200_000);
    assert_eq!(wild.gap_risk_threshold, 0.95);
    assert_eq!(wild.max_tasks, 1);
    let none = Settings {
        gap_risk_threshold: f64::NAN,
        ..Settings::default()
    };
    assert_eq!(none.clamped().gap_risk_threshold, 0.28);
    assert_eq!(*limits::MAX_TASKS.end(), 2000);
}

#[test]
fn output_is_capped_by_depth_and_by_what_is_left() {
    use PlanDepth::{Deep, Minimal, Standard};
    let firsts = [Minimal, Standard, Deep].map(first_plan_output_cap);
    assert_eq!(firsts, [3072, 4096, 8192]);
    let ceilings = [Minimal, Standard, Deep].map(|depth| refine_output_cap(depth, 0, 0));
    assert_eq!(ceilings, [6144, 8192, 12_288]);
    assert_eq!(refine_output_cap(Deep, 18_000, 8_000), 10_000);
    assert_eq!(refine_output_cap(Deep, 18_000, 17_999), 4096, "never less");
}

#[test]
fn a_loop_that_is_off_still_expands_a_thin_plan() {
    let (_, step) = start(THIN, Settings::default());
    assert_eq!(asked(&step).round, 1);
    let outcome = play(THIN, Settings::default(), &[says(GOOD)]);
    assert_eq!(outcome.loop_mode_effective, "off+auto_expand_thin");
    assert!(outcome.adequacy_improved_heuristic);
    assert!(outcome.before.is_too_thin && !outcome.after.is_too_thin);
}

#[test]
fn a_good_plan_is_not_expanded() {
    let off = Settings {
        auto_expand_thin_plan: false,
        ..Settings::default()
    };
    let none = (Status::Off, StopReason::None, 0);
    assert_eq!(ended(THIN, off, &[]), none, "switched off");
    assert_eq!(ended(FULL, Settings::default(), &[]), none, "full");
    let never = Settings {
        max_refine_rounds: 0,
        ..auto()
    };
    assert_eq!(ended(THIN, never, &[]), none, "no rounds");
    assert_eq!(
        ended(FULL, auto(), &[]),
        (Status::Ready, StopReason::None, 0)
    );
}

#[test]
fn it_ends_when_the_plan_is_good_enough() {
    assert_eq!(
        ended(THIN, auto(), &[says(GOOD)]),
        (Status::Ready, StopReason::ReadyBelowThreshold, 1)
    );
}

#[test]
fn rounds_are_bounded() {
    let small = |n: u32| {
        let mut one = task(
            "",
            &format!("Test how row number {n} of the report is printed"),
        );
        one.files = vec!["tests/test_report.py".to_owned()];
        tasks(vec![one])
    };
    let replies: Vec<Event> = (0..12).map(small).collect();
    for (mode, asked_for, made) in [
        (LoopMode::Force, 3, 3),
        (LoopMode::Force, 99, 8),
        (LoopMode::Off, 8, 4),
    ] {
        let settings = Settings {
            loop_mode: mode,
            max_refine_rounds: asked_for,
            plan_depth: PlanDepth::Deep,
            refine_budget_tokens: 0,
            ..Settings::default()
        };
        let outcome = play(THIN, settings, &replies);
        if mode == LoopMode::Off && outcome.stop_reason == StopReason::ReadyBelowThreshold {
            assert!(outcome.rounds.len() <= made);
            continue;
        }
        assert_eq!(
            (outcome.status, outcome.stop_reason, outcome.rounds.len()),
            (Status::Ready, StopReason::MaxRefineRounds, made),
            "{mode:?} {asked_for}"
        );
    }
}

#[test]
fn auto_expand_makes_four_rounds_at_most() {
    // Every reply is refused, so the plan stays thin; no two replies are equal.
    let worse = |n: u32| {
        edits(vec![Edit {
            task: None,
            why: Vec::new(),
            message: String::new(),
            mends: vec![
                Mend::AddValue {
                    task: TaskId::from("T1"),
                    key: "note".to_owned(),
                    value: format!("{n}"),
                },
                Mend::DeleteTask {
                    task: TaskId::from("T2"),
                },
            ],
        }])
    };
    let replies: Vec<Event> = (0..12).map(worse).collect();
    let settings = Settings {
        max_refine_rounds: 8,
        ..Settings::default()
    };
    let outcome = play(THIN, settings, &replies);
    assert_eq!(outcome.rounds.len(), 4);
    assert_eq!(outcome.stop_reason, StopReason::MaxRefineRounds);
    assert_eq!(outcome.text, THIN);
}

#[test]
fn a_forced_loop_ends_when_nothing_is_left_to_fix() {
    let force = Settings {
        loop_mode: LoopMode::Force,
        ..Settings::default()
    };
    assert_eq!(
        ended(FULL, force, &[]),
        (Status::Ready, StopReason::Ready, 0)
    );
}

#[test]
fn a_forced_loop_continues_for_gaps_without_findings() {
    let settings = Settings {
        loop_mode: LoopMode::Force,
        ..Settings::default()
    };
    let mut with_gaps = input(FULL, settings);
    with_gaps.has_gaps = true;
    let (mut expansion, step) = Expansion::start(with_gaps);
    assert_eq!(asked(&step).round, 1);
    // An empty reply still ends the loop.
    let step = expansion.handle(tasks(Vec::new()));
    assert_eq!(stopped(&step).stop_reason, StopReason::NoImprovement);
}

#[test]
fn the_budget_is_checked_before_each_round() {
    let mut with_first = input(THIN, auto());
    with_first.tokens_used = 18_000;
    let (_, step) = adequacy::expansion::Expansion::start(with_first);
    let outcome = stopped(&step);
    assert_eq!(
        (outcome.status, outcome.stop_reason, outcome.rounds.len()),
        (Status::StoppedBudget, StopReason::TokenBudget, 0)
    );
    let tight = Settings {
        refine_budget_tokens: 900,
        max_refine_rounds: 8,
        ..auto()
    };
    let small = tasks(vec![task(
        "",
        "Describe the flag with an example in docs/report.md",
    )]);
    assert_eq!(
        ended(THIN, tight.clone(), &[small]),
        (Status::StoppedBudget, StopReason::TokenBudget, 1)
    );
    let (_, step) = start(THIN, tight);
    assert_eq!(asked(&step).output_cap, 4096);
}

#[test]
fn a_failing_driver_ends_the_loop_with_the_best_text_so_far() {
    for (event, status, reason) in [
        (
            Event::ModelMissing,
            Status::StoppedModelError,
            StopReason::ModelResolveFailed,
        ),
        (
            Event::ModelBusy,
            Status::StoppedModelError,
            StopReason::ModelLock,
        ),
        (
            Event::ModelFailed,
            Status::StoppedLlmError,
            StopReason::CompletionFailed,
        ),
        (Event::Cancelled, Status::Cancelled, StopReason::Cancelled),
    ] {
        let some = tasks(vec![task(
            "",
            "Print the rows with `json.dumps` in src/report.py",
        )]);
        let outcome = play(THIN, auto(), &[some, event]);
        assert_eq!((outcome.status, outcome.stop_reason), (status, reason));
        assert!(outcome.rounds[0].is_accepted);
        assert!(outcome.text.contains("json.dumps"), "{reason:?}");
    }
}

#[test]
fn an_unparsable_reply_is_requested_once_more() {
    let bad = format!("{{\"tasks\": [{{\"id\": \"T1\", {}", "x".repeat(4000));
    let (mut expansion, _) = start(THIN, auto());
    let step = expansion.handle(says(&bad));
    let request = asked(&step);
    let shown = request.repair.as_ref().expect("a repair");
    assert_eq!(shown.chars().count(), 1600);
    assert_eq!(request.round, 1, "a repair is no round");
    let mended = stopped(&expansion.handle(says(GOOD))).clone();
    assert_eq!(mended.stop_reason, StopReason::ReadyBelowThreshold);
    assert_eq!(mended.rounds[0].tokens, 2000, "both are paid for");
    assert_eq!(
        ended(THIN, auto(), &[says(&bad), says("I am sorry.")]),
        (Status::StoppedParseError, StopReason::InvalidRefineJson, 0)
    );
}

#[test]
fn two_equal_replies_in_a_row_end_it() {
    let worse = edits(vec![Edit {
        task: None,
        why: Vec::new(),
        message: String::new(),
        mends: vec![Mend::DeleteTask {
            task: TaskId::from("T2"),
        }],
    }]);
    let outcome = play(THIN, auto(), &[worse.clone(), worse]);
    assert_eq!(
        (outcome.status, outcome.stop_reason),
        (Status::StoppedPlateau, StopReason::Oscillation)
    );
    assert_eq!(outcome.text, THIN);
    assert_eq!(outcome.rounds.len(), 2);
}

#[test]
fn a_reply_without_improvement_ends_the_loop() {
    for reply in [
        tasks(Vec::new()),
        says(r#"{"summary": "It is fine.", "tasks": []}"#),
        tasks(vec![task(
            "T1",
            "Find where the rows of the report are built",
        )]),
    ] {
        assert_eq!(
            ended(THIN, auto(), &[reply]),
            (Status::StoppedPlateau, StopReason::NoImprovement, 1)
        );
    }
}

#[test]
fn an_ended_loop_stays_ended() {
    let (mut expansion, _) = start(THIN, auto());
    let first = stopped(&expansion.handle(Event::Cancelled)).clone();
    for event in [says(GOOD), Event::ModelFailed, Event::Cancelled] {
        assert_eq!(*stopped(&expansion.handle(event)), first);
    }
}

#[test]
fn the_next_round_learns_why_a_round_was_refused() {
    let (mut expansion, _) = start(THIN, auto());
    let step = expansion.handle(edits(vec![Edit {
        task: None,
        why: Vec::new(),
        message: String::new(),
        mends: vec![Mend::SetValues {
            task: TaskId::from("T2"),
            key: "files".to_owned(),
            values: Vec::new(),
        }],
    }]));
    let request = asked(&step);
    assert_eq!(request.round, 2);
    assert_eq!(request.text, THIN);
    let why = request.refused.as_deref().expect("a reason");
    assert!(why.contains("the file `src/cli.py` of T2"), "{why}");
}

#[test]
fn a_request_contains_what_a_driver_needs() {
    let (_, step) = start(THIN, auto());
    let request = asked(&step);
    let ids: Vec<&str> = request.ids.iter().map(TaskId::as_str).collect();
    assert_eq!(ids, ["T1", "T2"]);
    assert_eq!(request.text, THIN);
    assert_eq!(request.room, 28);
    assert!(request.report.is_too_thin);
    assert_eq!(request.output_cap, 8192);
}

#[test]
fn a_plan_without_ids_is_expanded_too() {
    let mut one = task("", "Test that a broken line is skipped and named");
    one.verify = vec!["python3 -m unittest".to_owned()];
    one.depends_on = vec!["2".to_owned()];
    let (mut expansion, _) = start(PLAIN, auto());
    let step = expansion.handle(tasks(vec![one]));
    let (text, rounds) = match &step {
        Step::Ask(request) => (request.text.clone(), None),
        Step::Stop(outcome) => (outcome.text.clone(), Some(outcome.rounds.clone())),
    };
    assert!(text.contains("broken line is skipped"), "{text} {rounds:?}");
    for old in ["Read the CSV file", "Show a preview", "Write the contacts"] {
        assert!(text.contains(old), "{text}");
    }
}

//! Tests the order in which plugins are tried.

use adequacy::WorkspaceFacts;

use super::*;
use crate::decision::{Effort, Orders, Plugins, Request, Statistics, decide};
use crate::intake::detect;

fn progress(effort: Effort, pins: &[&str], budget: Budget) -> RequestProgress {
    following_with(Some("m"), effort, pins, budget)
}

fn following_with(
    model: Option<&str>,
    effort: Effort,
    pins: &[&str],
    budget: Budget,
) -> RequestProgress {
    let intake = detect("Add CSV export to reports page", &WorkspaceFacts::default());
    let pins: Vec<String> = pins.iter().map(|pin| (*pin).to_owned()).collect();
    let decision = decide(&Request {
        intake: &intake,
        effort,
        pins: &pins,
        model,
        orders: &Orders::default(),
        plugins: &Plugins::built_in(),
        statistics: &Statistics::default(),
    });
    RequestProgress::new(decision.unwrap(), &Plugins::built_in(), budget)
}

fn plenty() -> Budget {
    Budget::new(100, 0, 1_000_000)
}

fn reserve(plugin: &str) -> (u32, bool) {
    let plugins = Plugins::built_in();
    let plugin = plugins.get(plugin).unwrap();
    (plugin.max_calls, plugin.needs_model)
}

/// Runs a request to its end; `end` gives each plugin's result. Returns the attempts and the final
/// step.
fn play(
    progress: &mut RequestProgress,
    end: &mut dyn FnMut(&str, usize) -> AttemptResult,
) -> (Vec<String>, Next) {
    let mut tried: Vec<String> = Vec::new();
    loop {
        match progress.next(&reserve) {
            Next::Try { plugin, .. } => {
                let before = tried.iter().filter(|known| **known == plugin).count();
                let ending = end(&plugin, before);
                tried.push(plugin);
                progress.ended(
                    ending,
                    Cost {
                        calls: 1,
                        ..Cost::default()
                    },
                );
            }
            last => return (tried, last),
        }
        assert!(tried.len() < 40, "it has an end");
    }
}

fn good() -> AttemptResult {
    AttemptResult::Good(String::new())
}

fn weak() -> AttemptResult {
    AttemptResult::Weak("is thin".to_owned())
}

fn failed() -> AttemptResult {
    AttemptResult::Failed("answered twice, and it was prose".to_owned())
}

#[test]
fn a_good_plan_ends_the_request() {
    let mut progress = progress(Effort::Auto, &[], plenty());
    let (tried, last) = play(&mut progress, &mut |_, _| good());
    assert_eq!(tried, ["sd-symbolic", "kb-fast", "gs-symbolic"]);
    assert_eq!(last, Next::Done);
    assert_eq!(progress.planners()[0].1, Status::Success);
}

#[test]
fn insufficient_results_lead_to_the_next_plugin_only() {
    let mut progress = progress(Effort::Auto, &[], plenty());
    let (tried, _) = play(&mut progress, &mut |plugin, _| match plugin {
        "kb-fast" | "gs-symbolic" => weak(),
        _ => good(),
    });
    assert_eq!(
        tried,
        [
            "sd-symbolic",
            "kb-fast",
            "kb-balanced",
            "gs-symbolic",
            "gs-llm-fast"
        ]
    );
}

#[test]
fn the_second_planner_runs_after_the_first_fails() {
    let mut progress = progress(Effort::Auto, &[], plenty());
    let (tried, last) = play(&mut progress, &mut |plugin, before| match plugin {
        "gs-symbolic" => weak(),
        "gs-llm-fast" => failed(),
        "gs-llm-deep" if before == 0 => failed(),
        _ => good(),
    });
    assert_eq!(last, Next::Done);
    assert_eq!(
        tried,
        [
            "sd-symbolic",
            "kb-fast",
            "gs-symbolic",
            "gs-llm-fast",
            "gs-llm-deep",
            // The second planner uses its own detector and context source, so its solver is worth
            // trying.
            "sd-llm-deep",
            "kb-thinkingdb",
            "gs-llm-deep"
        ]
    );
    let planners: Vec<(String, Status)> = progress
        .planners()
        .into_iter()
        .map(|(planner, status, _)| (planner, status))
        .collect();
    assert_eq!(
        planners,
        [
            ("planner-default".to_owned(), Status::Weak),
            ("planner-depth".to_owned(), Status::Success)
        ]
    );
}

#[test]
fn without_a_model_the_second_planner_is_skipped() {
    let mut progress = following_with(None, Effort::Auto, &[], plenty());
    let (tried, last) = play(&mut progress, &mut |_, _| weak());
    assert_eq!(last, Next::Done);
    assert_eq!(
        tried,
        [
            "sd-symbolic",
            "kb-fast",
            "kb-balanced",
            "kb-thinkingdb",
            "gs-symbolic"
        ]
    );
    let last = progress.attempts().last().unwrap();
    assert_eq!(
        (last.plugin.as_str(), last.kind, last.status),
        ("planner-depth", Kind::Planner, Status::Skipped)
    );
    assert_eq!(
        progress.planners().len(),
        1,
        "it is not held against the other"
    );
}

#[test]
fn an_unavailable_server_skips_the_other_planner() {
    let mut progress = progress(Effort::Auto, &[], plenty());
    let (tried, _) = play(&mut progress, &mut |plugin, _| match plugin {
        "gs-symbolic" => weak(),
        "gs-llm-fast" => AttemptResult::Unavailable("the server is unavailable".to_owned()),
        _ => good(),
    });
    assert_eq!(
        tried,
        ["sd-symbolic", "kb-fast", "gs-symbolic", "gs-llm-fast"]
    );
    assert_eq!(progress.attempts().last().unwrap().plugin, "planner-depth");
}

#[test]
fn weak_plugins_are_tried_once_per_context() {
    let mut progress = progress(Effort::Auto, &[], plenty());
    let (tried, last) = play(&mut progress, &mut |_, _| weak());
    assert_eq!(last, Next::Done);
    let count = |plugin: &str| tried.iter().filter(|known| *known == plugin).count();
    assert_eq!((count("sd-symbolic"), count("kb-thinkingdb")), (1, 1));
    // All context was already available on the first attempt.
    assert_eq!((count("gs-symbolic"), count("gs-llm-deep")), (1, 1));
}

#[test]
fn plugins_over_budget_are_skipped_before_any_call() {
    let mut budget = plenty();
    budget.calls = 2;
    budget.used_calls = 1;
    let mut progress = progress(Effort::Auto, &[], budget);
    let (tried, last) = play(&mut progress, &mut |plugin, _| match plugin {
        "gs-symbolic" => weak(),
        _ => good(),
    });
    assert_eq!(
        tried,
        [
            "sd-symbolic",
            "kb-fast",
            "gs-symbolic",
            "kb-thinkingdb",
            "gs-symbolic"
        ]
    );
    assert_eq!(last, Next::Done);
    let skipped: Vec<&Attempt> = progress
        .attempts()
        .iter()
        .filter(|attempt| attempt.status == Status::Skipped)
        .collect();
    assert_eq!(skipped[0].plugin, "gs-llm-fast");
    assert_eq!(
        skipped[0].why,
        "not enough model requests left: 1 of 2, needs up to 2"
    );
    assert!(
        skipped
            .iter()
            .all(|attempt| attempt.cost == Cost::default())
    );
}

#[test]
fn an_unavailable_model_is_not_asked_again() {
    let mut progress = progress(Effort::Thorough, &[], plenty());
    let (tried, _) = play(&mut progress, &mut |plugin, _| match plugin {
        "sd-llm-deep" => AttemptResult::Unavailable("the endpoint does not answer".to_owned()),
        _ => good(),
    });
    assert_eq!(
        tried,
        ["sd-llm-deep", "sd-symbolic", "kb-thinkingdb", "gs-symbolic"]
    );
}

#[test]
fn a_shallower_source_is_not_tried_after_a_deeper_one() {
    let mut progress = progress(Effort::Thorough, &[], plenty());
    let (tried, _) = play(&mut progress, &mut |plugin, _| match plugin {
        plugin if plugin.starts_with("kb") => weak(),
        _ => good(),
    });
    assert_eq!(tried, ["sd-llm-deep", "kb-thinkingdb", "gs-llm-deep"]);
}

#[test]
fn a_failed_solver_is_not_retried_with_less_context() {
    let mut progress = progress(Effort::Thorough, &[], plenty());
    let (tried, _) = play(&mut progress, &mut |plugin, _| match plugin {
        "gs-symbolic" => weak(),
        plugin if plugin.starts_with("gs") => failed(),
        _ => good(),
    });
    assert_eq!(
        tried,
        [
            "sd-llm-deep",
            "kb-thinkingdb",
            "gs-llm-deep",
            "gs-llm-fast",
            "gs-symbolic"
        ]
    );
}

#[test]
fn a_failed_pin_ends_the_request_and_is_reported() {
    let mut progress = progress(Effort::Auto, &["gs-llm-fast"], plenty());
    let (tried, last) = play(&mut progress, &mut |plugin, _| match plugin {
        "gs-llm-fast" => failed(),
        _ => good(),
    });
    assert_eq!(tried, ["sd-symbolic", "kb-fast", "gs-llm-fast"]);
    let Next::PinFailed { plugin, why } = last else {
        panic!("{last:?}");
    };
    assert_eq!(
        (plugin.as_str(), why.as_str()),
        ("gs-llm-fast", "answered twice, and it was prose")
    );
}

#[test]
fn a_pin_over_budget_is_reported() {
    let mut progress = progress(Effort::Auto, &["gs-llm-deep"], Budget::new(1, 0, 1_000));
    let (tried, last) = play(&mut progress, &mut |_, _| good());
    assert_eq!(tried, ["sd-symbolic", "kb-fast"]);
    assert!(matches!(last, Next::PinFailed { plugin, .. } if plugin == "gs-llm-deep"));
}

#[test]
fn a_weak_plan_of_a_pin_is_kept() {
    let mut progress = progress(Effort::Auto, &["gs-symbolic"], plenty());
    let (tried, last) = play(&mut progress, &mut |plugin, _| match plugin {
        "gs-symbolic" => weak(),
        _ => good(),
    });
    assert_eq!(tried.last().map(String::as_str), Some("gs-symbolic"));
    assert_eq!(last, Next::Done);
}

#[test]
fn cancelling_does_not_count_against_the_running_plugin() {
    let mut progress = progress(Effort::Auto, &[], plenty());
    assert!(matches!(progress.next(&reserve), Next::Try { .. }));
    progress.ended(
        AttemptResult::Skipped("you had enough".to_owned()),
        Cost::default(),
    );
    progress.stop();
    assert_eq!(progress.next(&reserve), Next::Done);
    assert_eq!(progress.attempts()[0].status, Status::Skipped);
}

//! The sequence of attempts.

use adequacy::WorkspaceFacts;

use super::*;
use crate::decision::{Effort, Orders, Plugins, Request, Statistics, decide};
use crate::intake::detect;

fn following(effort: Effort, pins: &[&str], budget: Budget) -> Following {
    following_with(Some("m"), effort, pins, budget)
}

fn following_with(model: Option<&str>, effort: Effort, pins: &[&str], budget: Budget) -> Following {
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
    Following::new(decision.unwrap(), &Plugins::built_in(), budget)
}

fn plenty() -> Budget {
    Budget::new(100, 0, 1_000_000)
}

fn reserve(plugin: &str) -> (u32, bool) {
    let plugins = Plugins::built_in();
    let plugin = plugins.get(plugin).unwrap();
    (plugin.max_calls, plugin.needs_model)
}

/// Plays a request through; `end` gives each plugin's result. Returns the attempts and the final
/// step.
fn play(
    following: &mut Following,
    end: &mut dyn FnMut(&str, usize) -> Ending,
) -> (Vec<String>, Next) {
    let mut tried: Vec<String> = Vec::new();
    loop {
        match following.next(&reserve) {
            Next::Try { plugin, .. } => {
                let before = tried.iter().filter(|known| **known == plugin).count();
                let ending = end(&plugin, before);
                tried.push(plugin);
                following.ended(
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

fn good() -> Ending {
    Ending::Good(String::new())
}

fn weak() -> Ending {
    Ending::Weak("is thin".to_owned())
}

fn failed() -> Ending {
    Ending::Failed("answered twice, and it was prose".to_owned())
}

#[test]
fn what_will_do_is_the_end_of_it() {
    let mut following = following(Effort::Auto, &[], plenty());
    let (tried, last) = play(&mut following, &mut |_, _| good());
    assert_eq!(tried, ["sd-symbolic", "kb-fast", "gs-symbolic"]);
    assert_eq!(last, Next::Done);
    assert_eq!(following.planners()[0].1, Status::Success);
}

#[test]
fn what_is_insufficient_leads_to_the_next_source_and_no_further_than_needed() {
    let mut following = following(Effort::Auto, &[], plenty());
    let (tried, _) = play(&mut following, &mut |plugin, _| match plugin {
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
fn the_first_route_exhausts_and_the_second_is_used_with_all_listed_in_order() {
    let mut following = following(Effort::Auto, &[], plenty());
    let (tried, last) = play(&mut following, &mut |plugin, before| match plugin {
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
            // The second planner uses its own detector and context source, so its solver is worth a
            // try.
            "sd-llm-deep",
            "kb-thinkingdb",
            "gs-llm-deep"
        ]
    );
    let planners: Vec<(String, Status)> = following
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
fn without_a_model_no_other_planner_is_asked_for_the_same_plan() {
    let mut following = following_with(None, Effort::Auto, &[], plenty());
    let (tried, last) = play(&mut following, &mut |_, _| weak());
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
    let last = following.attempts().last().unwrap();
    assert_eq!(
        (last.plugin.as_str(), last.kind, last.status),
        ("planner-depth", Kind::Planner, Status::Skipped)
    );
    assert_eq!(
        following.planners().len(),
        1,
        "it is not held against the other"
    );
}

#[test]
fn a_server_that_is_gone_leaves_the_other_planner_nothing_to_do() {
    let mut following = following(Effort::Auto, &[], plenty());
    let (tried, _) = play(&mut following, &mut |plugin, _| match plugin {
        "gs-symbolic" => weak(),
        "gs-llm-fast" => Ending::Gone("the server is gone".to_owned()),
        _ => good(),
    });
    assert_eq!(
        tried,
        ["sd-symbolic", "kb-fast", "gs-symbolic", "gs-llm-fast"]
    );
    assert_eq!(following.attempts().last().unwrap().plugin, "planner-depth");
}

#[test]
fn all_weak_comes_to_an_end_with_each_tried_once_for_each_context() {
    let mut following = following(Effort::Auto, &[], plenty());
    let (tried, last) = play(&mut following, &mut |_, _| weak());
    assert_eq!(last, Next::Done);
    let count = |plugin: &str| tried.iter().filter(|known| *known == plugin).count();
    assert_eq!((count("sd-symbolic"), count("kb-thinkingdb")), (1, 1));
    // All context was already available the first time.
    assert_eq!((count("gs-symbolic"), count("gs-llm-deep")), (1, 1));
}

#[test]
fn what_the_budget_has_no_room_for_is_skipped_before_any_call() {
    let mut budget = plenty();
    budget.calls = 2;
    budget.used_calls = 1;
    let mut following = following(Effort::Auto, &[], budget);
    let (tried, last) = play(&mut following, &mut |plugin, _| match plugin {
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
    let skipped: Vec<&Attempt> = following
        .attempts()
        .iter()
        .filter(|attempt| attempt.status == Status::Skipped)
        .collect();
    assert_eq!(skipped[0].plugin, "gs-llm-fast");
    assert_eq!(skipped[0].why, "it may take 2 requests and 1 of 2 are left");
    assert!(
        skipped
            .iter()
            .all(|attempt| attempt.cost == Cost::default())
    );
}

#[test]
fn a_model_that_is_gone_is_not_asked_again() {
    let mut following = following(Effort::Thorough, &[], plenty());
    let (tried, _) = play(&mut following, &mut |plugin, _| match plugin {
        "sd-llm-deep" => Ending::Gone("the endpoint does not answer".to_owned()),
        _ => good(),
    });
    assert_eq!(
        tried,
        ["sd-llm-deep", "sd-symbolic", "kb-thinkingdb", "gs-symbolic"]
    );
}

#[test]
fn a_source_that_holds_less_than_one_before_is_not_asked() {
    let mut following = following(Effort::Thorough, &[], plenty());
    let (tried, _) = play(&mut following, &mut |plugin, _| match plugin {
        plugin if plugin.starts_with("kb") => weak(),
        _ => good(),
    });
    assert_eq!(tried, ["sd-llm-deep", "kb-thinkingdb", "gs-llm-deep"]);
}

#[test]
fn what_failed_heavy_first_is_not_tried_again_with_less() {
    let mut following = following(Effort::Thorough, &[], plenty());
    let (tried, _) = play(&mut following, &mut |plugin, _| match plugin {
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
fn a_pinned_route_that_fails_is_the_end_and_is_named() {
    let mut following = following(Effort::Auto, &["gs-llm-fast"], plenty());
    let (tried, last) = play(&mut following, &mut |plugin, _| match plugin {
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
fn a_pinned_route_that_has_no_budget_is_named_too() {
    let mut following = following(Effort::Auto, &["gs-llm-deep"], Budget::new(1, 0, 1_000));
    let (tried, last) = play(&mut following, &mut |_, _| good());
    assert_eq!(tried, ["sd-symbolic", "kb-fast"]);
    assert!(matches!(last, Next::PinFailed { plugin, .. } if plugin == "gs-llm-deep"));
}

#[test]
fn a_pinned_route_whose_plan_is_weak_is_kept() {
    let mut following = following(Effort::Auto, &["gs-symbolic"], plenty());
    let (tried, last) = play(&mut following, &mut |plugin, _| match plugin {
        "gs-symbolic" => weak(),
        _ => good(),
    });
    assert_eq!(tried.last().map(String::as_str), Some("gs-symbolic"));
    assert_eq!(last, Next::Done);
}

#[test]
fn a_person_who_has_enough_ends_it_and_nothing_is_held_against_what_was_under_way() {
    let mut following = following(Effort::Auto, &[], plenty());
    assert!(matches!(following.next(&reserve), Next::Try { .. }));
    following.ended(
        Ending::LeftOut("you had enough".to_owned()),
        Cost::default(),
    );
    following.stop();
    assert_eq!(following.next(&reserve), Next::Done);
    assert_eq!(following.attempts()[0].status, Status::Skipped);
}

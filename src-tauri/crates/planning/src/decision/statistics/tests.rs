//! Tests the statistics that result from outcomes.

use proptest::prelude::*;

use super::*;

fn key(plugin: &str) -> Key {
    Key {
        request: "feature".to_owned(),
        model: "m".to_owned(),
        plugin: plugin.to_owned(),
    }
}

fn outcome(plugin: &str, request: i64, verdict: Verdict) -> Outcome {
    Outcome {
        key: key(plugin),
        request,
        verdict,
        ms: 1_000,
        calls: 1,
        tokens: 500,
        faults: 0,
        accepted: None,
        edited: 0.0,
        checks: None,
    }
}

fn of(outcomes: &[Outcome]) -> Statistics {
    Statistics::of(outcomes, &|id| id.starts_with("planner"))
}

fn figures(outcomes: &[Outcome], plugin: &str) -> Figures {
    of(outcomes).figures("feature", "m", plugin).unwrap()
}

#[test]
fn initial_utilities_match_the_reference_system() {
    assert!((cold_utility() - 0.755).abs() < 1e-12);
    assert!((cold_planner_utility() - 0.625).abs() < 1e-12);
}

#[test]
fn estimates_are_weighted_by_a_quarter() {
    let one = figures(&[outcome("p", 1, Verdict::Success)], "p");
    assert!((one.success_ewma - (0.25 + 0.75 * 0.7)).abs() < 1e-12);
    assert!((one.latency_ms_ewma - (0.25 * 1_000.0 + 0.75 * 250.0)).abs() < 1e-12);
    assert!((one.calls_ewma - 0.25).abs() < 1e-12);
    assert!((one.tokens_ewma - 500.0).abs() < 1e-12);
    let two = figures(
        &[
            outcome("p", 1, Verdict::Success),
            outcome("p", 2, Verdict::Weak),
        ],
        "p",
    );
    assert!((two.success_ewma - 0.75 * 0.775).abs() < 1e-12);
    assert_eq!(
        (two.attempts, two.successes, two.insufficiency, two.failures),
        (2, 1, 1, 0)
    );
}

#[test]
fn edits_and_failed_checks_lower_a_plans_worth() {
    let made = outcome("p", 1, Verdict::Success);
    let with = |accepted, edited, checks| Outcome {
        accepted,
        edited,
        checks,
        ..made.clone()
    };
    assert_eq!(made.worth(), 1.0);
    assert_eq!(with(Some(true), 0.0, Some(true)).worth(), 1.0);
    assert_eq!(with(Some(true), 0.5, None).worth(), 0.75);
    assert_eq!(with(Some(true), 1.0, Some(false)).worth(), 0.25);
    assert_eq!(with(Some(false), 0.0, None).worth(), 0.0);
    assert_eq!(outcome("p", 1, Verdict::Weak).worth(), 0.0);
    assert_eq!(with(Some(true), f64::INFINITY, None).worth(), 0.5);
}

#[test]
fn slow_and_very_slow_stay_apart() {
    let at = |ms: u64| {
        let all: Vec<Outcome> = (0..10)
            .map(|request| Outcome {
                ms,
                ..outcome("p", request, Verdict::Success)
            })
            .collect();
        figures(&all, "p").utility()
    };
    assert!(
        at(5_000) - at(20_000) > 0.08,
        "{} {}",
        at(5_000),
        at(20_000)
    );
    assert!(at(20_000) - at(60_000) > 0.05);
}

#[test]
fn statistics_of_untried_plugins_decay() {
    let mut all: Vec<Outcome> = (0..8).map(|at| outcome("p", at, Verdict::Failed)).collect();
    let before = figures(&all, "p").success_ewma;
    assert!(before < 0.1);
    all.extend((8..34).map(|at| outcome("other", at, Verdict::Success)));
    let after = figures(&all, "p").success_ewma;
    assert!(after > 0.5 && after < 0.7, "{after}");
    // Outcomes for another kind of request have no effect.
    let mut other = outcome("other", 40, Verdict::Success);
    other.key.request = "bug-fix".to_owned();
    all.push(other);
    assert_eq!(figures(&all, "p").success_ewma, after);
}

#[test]
fn every_tenth_request_of_a_kind_explores() {
    let mut all = Vec::new();
    let mut explored = Vec::new();
    for request in 0..30 {
        if of(&all).explores("feature", "m") {
            explored.push(request);
        }
        // Two plugins in one request count as one request.
        all.push(outcome("p", request, Verdict::Failed));
        all.push(outcome("q", request, Verdict::Success));
    }
    assert_eq!(explored, [9, 19, 29]);
}

#[test]
fn a_successful_retry_is_on_probation() {
    let mut all: Vec<Outcome> = (0..8).map(|at| outcome("p", at, Verdict::Failed)).collect();
    assert!(!of(&all).is_on_probation("feature", "m", "p"));
    for request in 8..13 {
        all.push(outcome("p", request, Verdict::Success));
        assert!(of(&all).is_on_probation("feature", "m", "p"), "{request}");
    }
    all.push(outcome("p", 13, Verdict::Success));
    assert!(
        !of(&all).is_on_probation("feature", "m", "p"),
        "it is known by now"
    );
}

#[test]
fn planners_have_their_own_prior_and_weak_plans_lower_it() {
    let weak: Vec<Outcome> = (0..5)
        .map(|at| outcome("planner-default", at, Verdict::Weak))
        .collect();
    let figures = figures(&weak, "planner-default");
    assert!(figures.planner_utility() < cold_planner_utility() - 0.4);
    assert!(figures.insufficiency_ewma > 0.7);
}

proptest! {
    #[test]
    fn estimates_stay_in_their_ranges(
        verdicts in prop::collection::vec((0..3_usize, any::<u64>(), any::<u32>(), any::<u64>(), any::<f64>()), 0..40)
    ) {
        let all: Vec<Outcome> = verdicts
            .iter()
            .enumerate()
            .map(|(at, (verdict, ms, calls, tokens, edited))| Outcome {
                ms: *ms,
                calls: *calls,
                tokens: *tokens,
                edited: *edited,
                verdict: [Verdict::Success, Verdict::Weak, Verdict::Failed][*verdict],
                ..outcome("p", at as i64, Verdict::Success)
            })
            .collect();
        for (_, figures) in of(&all).all() {
            prop_assert!((0.0..=1.0).contains(&figures.success_ewma));
            prop_assert!((0.0..=1.0).contains(&figures.sufficiency_ewma));
            let utility = figures.utility();
            prop_assert!((-0.8..=1.15).contains(&utility), "{}", utility);
            prop_assert_eq!(figures.attempts, figures.successes + figures.failures + figures.insufficiency);
        }
        // The same outcomes give the same statistics.
        prop_assert_eq!(of(&all), of(&all));
    }
}

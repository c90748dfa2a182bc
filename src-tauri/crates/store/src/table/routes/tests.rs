//! Stored routes, and the approvals and run results recorded for their plans.

use super::*;
use crate::table::testing::{PLAN, fresh};

const NEW: NewRoute<'_> = NewRoute {
    workspace: "/w",
    goal: "Add a flag",
    kind: "feature",
    model: "m",
    plan: Some((PLAN, "r1")),
    route: "{}",
    at_ms: 1,
};

const FAST: NewRouteOutcome<'_> = NewRouteOutcome {
    plugin: "gs-llm-fast",
    verdict: "success",
    is_used: true,
    ms: 1_200,
    calls: 1,
    tokens: 900,
    faults: 0,
};

#[test]
fn outcomes_come_back_with_what_became_of_their_plan() {
    let (_dir, store) = fresh();
    let routes = store.routes();
    let failed = NewRouteOutcome {
        plugin: "gs-symbolic",
        verdict: "weak",
        is_used: false,
        ..FAST
    };
    let request = routes.add(&NEW, &[failed, FAST]).unwrap();
    assert!(routes.accept(PLAN, 0.25).unwrap());
    assert!(!routes.accept(PLAN, 1.0).unwrap(), "the first word counts");
    assert!(routes.checked(PLAN, true).unwrap());
    assert!(!routes.checked(PLAN, false).unwrap());
    let outcomes = routes.outcomes().unwrap();
    let plugins: Vec<&str> = outcomes.iter().map(|one| one.plugin.as_str()).collect();
    assert_eq!(plugins, ["gs-symbolic", "gs-llm-fast"]);
    let fast = &outcomes[1];
    assert_eq!(
        (fast.request, fast.ms, fast.calls, fast.tokens),
        (request, 1_200, 1, 900)
    );
    assert_eq!(
        (fast.accepted, fast.edited, fast.checks),
        (Some(true), 0.25, Some(true))
    );
    assert_eq!(
        routes.of_plan(PLAN).unwrap().map(|one| one.revision),
        Some("r1".to_owned())
    );
    assert_eq!(routes.of_plan("/other.md").unwrap(), None);
}

#[test]
fn planning_a_goal_again_rejects_nothing_and_approving_one_plan_passes_the_others_over() {
    let (_dir, store) = fresh();
    let routes = store.routes();
    let at = |workspace, goal, plan| NewRoute {
        workspace,
        goal,
        plan,
        ..NEW
    };
    let second = "/w/plans/b.md";
    routes.add(&NEW, &[FAST]).unwrap();
    // Plans for other goals or workspaces are never compared.
    routes
        .add(&at("/w", "Fix it", Some(("/w/c.md", "r"))), &[FAST])
        .unwrap();
    routes
        .add(&at("/v", "Add a flag", Some(("/v/d.md", "r"))), &[FAST])
        .unwrap();
    routes.add(&at("/w", "Add a flag", None), &[]).unwrap();
    routes
        .add(&at("/w", "Add a flag", Some((second, "r2"))), &[FAST])
        .unwrap();
    let accepted = || -> Vec<Option<bool>> {
        let outcomes = routes.outcomes().unwrap();
        outcomes.iter().map(|one| one.accepted).collect()
    };
    assert_eq!(accepted(), [None; 4], "again is no rejection by itself");
    assert!(routes.accept(second, 0.0).unwrap());
    assert_eq!(accepted(), [Some(false), None, None, Some(true)]);
    // An approved plan stays approved when a later one for its goal is approved.
    let third = "/w/plans/e.md";
    routes
        .add(&at("/w", "Add a flag", Some((third, "r3"))), &[FAST])
        .unwrap();
    assert!(routes.accept(third, 0.0).unwrap());
    assert_eq!(
        accepted(),
        [Some(false), None, None, Some(true), Some(true)]
    );
}

#[test]
fn what_is_forgotten_is_of_one_kind_and_model_or_all_and_the_ways_stay() {
    let (_dir, store) = fresh();
    let routes = store.routes();
    routes.add(&NEW, &[FAST]).unwrap();
    routes
        .add(
            &NewRoute {
                goal: "b",
                kind: "bug-fix",
                ..NEW
            },
            &[FAST],
        )
        .unwrap();
    assert_eq!(routes.forget(Some(("feature", "m"))).unwrap(), 1);
    assert_eq!(routes.outcomes().unwrap().len(), 1);
    assert_eq!(routes.forget(None).unwrap(), 1);
    assert!(routes.outcomes().unwrap().is_empty());
    assert!(routes.of_plan(PLAN).unwrap().is_some());
}

//! Tests of requirements, and of plans that do more than they require.

use adequacy::{Badge, Code};
use plan::Task;

use crate::build::{With, finding, grouped, plan, plan_codes, report, requiring, step};

fn covering(covers: &[&str]) -> plan::Plan {
    let plan = plan(
        "Tidy the shop",
        [step("T1", "Sort the shelves by colour").covers(covers)],
    );
    requiring(
        plan,
        &[
            "shelves are sorted",
            "the till takes coupons",
            "prices are round",
        ],
    )
}

#[test]
fn a_requirement_that_no_step_covers_is_named() {
    let report = report(&covering(&["R1", "R3"]));
    assert_eq!(plan_codes(&report), ["uncovered_requirement"]);
    let covered: Vec<bool> = report.requirements.iter().map(|one| one.covered).collect();
    assert_eq!(covered, [true, false, true]);
    assert!(report.score < 0.84 && !report.is_too_thin);
    assert_ne!(report.badge, Badge::Adequate);
    let finding = finding(&report, Code::UncoveredRequirement);
    assert_eq!((finding.line, finding.task.as_ref()), (2, None));
    assert!(
        finding.message.contains("R2 (“the till takes coupons”)"),
        "{}",
        finding.message
    );
}

#[test]
fn a_plan_that_covers_less_than_half_is_thin() {
    let report = report(&covering(&["R1"]));
    assert!(report.score < 0.70);
    assert!(report.is_too_thin);
    assert_eq!(
        report.findings.len(),
        2,
        "one finding for each open requirement"
    );
}

#[test]
fn a_claim_covers_a_requirement_without_credit() {
    let claimed = report(&covering(&["R1", "R2", "R3"]));
    assert!(claimed.requirements.iter().all(|one| one.covered));
    let mut said = covering(&["R1", "R2", "R3"]);
    said.tasks[0].title =
        "`sort_shelves` by colour, let the till take coupons by `scan()`, round all prices up to 5"
            .to_owned();
    let said = report(&said);
    assert_eq!(
        (plan_codes(&claimed), plan_codes(&said)),
        (Vec::new(), Vec::new())
    );
    assert!(claimed.coverage < Some(0.6) && said.coverage > Some(0.9));
    assert!(claimed.score < said.score);
}

#[test]
fn without_a_goal_and_requirements_there_is_no_coverage() {
    let steps = || [step("T1", "Sort the shelves of the shop by colour")];
    assert_eq!(report(&plan("", steps())).coverage, None);
    assert!(
        report(&plan("Sort the shop's shelves", steps()))
            .coverage
            .is_some()
    );
}

/// A short goal needs only one step, so more than three can be too many.
fn is_overgrown(steps: impl IntoIterator<Item = Task>) -> bool {
    plan_codes(&report(&plan("Tidy the shop", steps))).contains(&"overgrown")
}

#[test]
fn many_steps_are_too_many_only_if_some_are_redundant() {
    let useful = [
        step("T1", "Sort the shelves by colour"),
        step("T2", "Print new labels for the shelves").after(&["T1"]),
        step("T3", "Teach the till about coupons"),
        step("T4", "Write tests for the till"),
        step("T5", "Move the counter to the door"),
    ];
    assert!(!is_overgrown(useful.clone()));
    let mut filler = useful.clone();
    filler[4] = step("T5", "Make sure everything is done");
    assert!(is_overgrown(filler.clone()));
    let mut twice = useful.clone();
    twice[4] = Task {
        id: "T5".into(),
        ..useful[3].clone()
    };
    assert!(is_overgrown(twice));
    assert!(!is_overgrown(filler[2..].to_vec()), "three are not many");
}

#[test]
fn steps_without_a_requirement_count_as_redundant() {
    let is_overgrown = |covered: bool| {
        let last = step("T6", "Move the counter to the door");
        let last = if covered { last.covers(&["R1"]) } else { last };
        let plan = plan(
            "Tidy the shop",
            [
                step("T1", "Everything about the till").covers(&["R1"]),
                step("T2", "Teach the till about coupons"),
                step("T3", "Teach the till about refunds").after(&["T2"]),
                step("T4", "Write tests for the till").after(&["T3"]),
                step("T5", "Tell the clerks about coupons").after(&["T4"]),
                last,
            ],
        );
        let plan = grouped(
            requiring(plan, &["the till takes coupons"]),
            0,
            &[1, 2, 3, 4],
        );
        plan_codes(&report(&plan)).contains(&"overgrown")
    };
    assert!(!is_overgrown(true), "what a group covers its steps cover");
    assert!(is_overgrown(false));
}

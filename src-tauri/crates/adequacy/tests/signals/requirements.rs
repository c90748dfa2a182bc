//! Requirements, and plans that grew past them.

use adequacy::{Badge, Code};
use plan::Task;

use crate::build::{With, close, finding, grouped, plan, plan_codes, report, requiring, step};

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
    assert!(report.coverage.is_some_and(|share| close(share, 2.0 / 3.0)));
    assert!(close(report.score, 0.84));
    assert_eq!((report.badge, report.is_too_thin), (Badge::Fair, false));
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
    assert!(close(report.score, 0.70));
    assert!(report.is_too_thin);
    assert_eq!(
        report.findings.len(),
        2,
        "one finding for each open requirement"
    );
}

#[test]
fn covering_everything_costs_nothing() {
    let report = report(&covering(&["R1", "R2", "R3"]));
    assert_eq!(
        (report.coverage, report.badge),
        (Some(1.0), Badge::Adequate)
    );
}

#[test]
fn without_requirements_there_is_no_coverage() {
    let report = report(&plan(
        "Tidy the shop",
        [step("T1", "Sort the shelves by colour")],
    ));
    assert_eq!((report.coverage, report.badge), (None, Badge::Adequate));
}

/// A short goal asks for one step, so more than three can be too many.
fn many(steps: impl IntoIterator<Item = Task>) -> Badge {
    report(&plan("Tidy the shop", steps)).badge
}

#[test]
fn many_steps_are_too_many_only_where_some_are_useless() {
    let useful = [
        step("T1", "Sort the shelves by colour"),
        step("T2", "Print new labels for the shelves").after(&["T1"]),
        step("T3", "Teach the till about coupons"),
        step("T4", "Write tests for the till"),
        step("T5", "Move the counter to the door"),
    ];
    assert_eq!(many(useful.clone()), Badge::Adequate);
    let mut filler = useful.clone();
    filler[4] = step("T5", "Make sure everything is done");
    assert_eq!(many(filler.clone()), Badge::Overgrown);
    let mut twice = useful.clone();
    twice[4] = Task {
        id: "T5".into(),
        ..useful[3].clone()
    };
    assert_eq!(many(twice), Badge::Overgrown);
    assert_eq!(
        many(filler[2..].to_vec()),
        Badge::Adequate,
        "three are not many"
    );
}

#[test]
fn steps_that_serve_no_requirement_count_as_useless() {
    let badge = |covered: bool| {
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
        report(&plan).badge
    };
    assert_eq!(
        badge(true),
        Badge::Adequate,
        "what a group covers its steps cover"
    );
    assert_eq!(badge(false), Badge::Overgrown);
}

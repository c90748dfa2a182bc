//! Tests of findings about unusual kinds of plans.

use adequacy::{Badge, CheckInput, Code, PlanDepth, Severity, WorkspaceFacts, check};
use plan::{Problem, ProblemCode, Task, TaskKind, Title};

use crate::build::{
    Ask, With, checkpoint, close, finding, grouped, plan, plan_codes, report, step,
};

#[test]
fn an_empty_plan_is_thin_whatever_the_goal() {
    for (goal, codes) in [
        ("Tidy", vec!["no_tasks"]),
        ("", vec!["no_tasks"]),
        (
            "Tidy the shop and the yard before winter",
            vec!["no_tasks", "too_few_tasks"],
        ),
    ] {
        let report = report(&plan(goal, []));
        assert_eq!(plan_codes(&report), codes, "{goal}");
        assert_eq!((report.badge, report.is_too_thin), (Badge::Empty, true));
        assert!(close(report.factor, 0.55));
        assert!(report.score < 0.05);
        assert!(close(report.aggregate_unresolved_risk, 0.0));
    }
}

#[test]
fn without_a_goal_nothing_is_compared_with_it() {
    let lone = plan(
        "",
        [step(
            "T1",
            "Sort the shelves of `aisle-7` by colour, violet first",
        )
        .verify("make check")],
    );
    let scope = ["a".to_owned()];
    let report = Ask {
        scope: &scope,
        ..Ask::about(&lone)
    }
    .check();
    assert_eq!(plan_codes(&report), [""; 0]);
    assert_eq!(report.badge, Badge::Fair);
}

#[test]
fn a_given_goal_precedes_the_plans_goal_and_its_title() {
    let mut subject = plan("", [step("T1", "Sort the shelves by colour")]);
    subject.title = Some(Title {
        text: "Implement the till".into(),
        line: 3,
        span: 0..0,
    });
    let codes = |plan: &plan::Plan, goal| {
        let facts = WorkspaceFacts::default();
        plan_codes(&check(&CheckInput {
            requirements: &[],
            plan,
            problems: &[],
            goal,
            depth: PlanDepth::Standard,
            scope: &[],
            before: None,
            facts: &facts,
            has_model: true,
        }))
    };
    assert_eq!(codes(&subject, None), ["missing_plan_verification"]);
    assert_eq!(codes(&subject, Some("Tidy the shop")), [""; 0]);
    subject.front.goal = Some("Tidy the shop".into());
    assert_eq!(codes(&subject, None), [""; 0]);
    assert_eq!(
        codes(&subject, Some("Refactor the till")),
        ["missing_plan_verification"]
    );
}

#[test]
fn only_normal_leaf_steps_count_toward_the_minimum() {
    // A goal of nine words needs two steps; this plan has only one, in a group, plus a checkpoint
    // and a decision.
    let goal = "Tidy the shop and the yard before winter comes";
    let decision = Task {
        kind: TaskKind::Decision,
        ..step("D1", "Which?")
    };
    let tasks = [
        step("G", "Yard"),
        step("T1", "Sort the shelves by colour"),
        checkpoint("C1"),
        decision,
    ];
    let subject = grouped(plan(goal, tasks), 0, &[1]);
    assert_eq!(plan_codes(&report(&subject)), ["too_few_tasks"]);
    assert_eq!(
        report(&subject).findings.len(),
        1,
        "short names of groups and questions are fine"
    );
}

#[test]
fn a_growing_plan_may_be_short_and_flat() {
    let goal = "Tidy the shop and the yard before winter comes and nobody can get in any more then";
    let steps = ["T1", "T2", "T3", "T4"].map(|id| {
        step(
            id,
            &format!("Sort shelf {id} by its colours and run the test"),
        )
    });
    let mut short = plan(goal, steps[..1].to_vec());
    let mut flat = plan("Tidy the shop", steps);
    assert_eq!(plan_codes(&report(&short)), ["too_few_tasks"]);
    assert_eq!(plan_codes(&report(&flat)), ["flat_dependency_graph"]);
    for plan in [&mut short, &mut flat] {
        plan.front.strategy = Some("iterative".into());
        assert_eq!(plan_codes(&report(plan)), [""; 0]);
        plan.front.strategy = Some("hybrid".into());
        assert_eq!(plan_codes(&report(plan)).len(), 1);
    }
}

#[test]
fn parse_problems_are_reported_under_their_own_codes() {
    let subject = plan(
        "Sort the shelves",
        [step(
            "T1",
            "Sort the shelves of `aisle-7` by colour, violet first",
        )
        .verify("make check")],
    );
    for (code, severity, badge) in [
        (ProblemCode::DuplicateId, Severity::Critical, Badge::Fair),
        (ProblemCode::Cycle, Severity::Critical, Badge::Thin),
        (
            ProblemCode::DanglingReference,
            Severity::Major,
            Badge::Adequate,
        ),
        (ProblemCode::BadCall, Severity::Major, Badge::Adequate),
        (ProblemCode::FrontMatter, Severity::Major, Badge::Adequate),
        (
            ProblemCode::UnknownVersion,
            Severity::Major,
            Badge::Adequate,
        ),
        (ProblemCode::BadValue, Severity::Minor, Badge::Adequate),
        (ProblemCode::LooseKey, Severity::Info, Badge::Adequate),
        (ProblemCode::OddBox, Severity::Info, Badge::Adequate),
    ] {
        let message = "Write it differently.".to_owned();
        let problem = Problem {
            code,
            task: Some("T1".into()),
            line: 12,
            message,
        };
        let report = Ask {
            problems: &[problem],
            ..Ask::about(&subject)
        }
        .check();
        let finding = finding(&report, Code::Problem(code));
        assert_eq!(finding.code.as_str(), code.as_str());
        assert_eq!((finding.severity, finding.line), (severity, 12));
        assert_eq!(finding.message, "Write it differently.");
        assert_eq!(report.badge, badge, "{}", code.as_str());
        assert!(close(report.factor, 1.0));
    }
}

#[test]
fn the_projects_check_is_offered_if_none_is_planned() {
    let subject = plan(
        "Implement the till",
        [step("T1", "Teach the till about coupons")],
    );
    let facts = WorkspaceFacts {
        commands: vec!["make check".into()],
        ..WorkspaceFacts::default()
    };
    let report = Ask {
        facts,
        ..Ask::about(&subject)
    }
    .check();
    let message = &finding(&report, Code::MissingPlanVerification).message;
    assert!(message.contains("`make check`"), "{message}");
}

#[test]
fn an_existing_path_is_a_path_whatever_it_looks_like() {
    let subject = plan(
        "Sort tools/sorter",
        [step("T1", "Sort the shelves by colour").after(&[])],
    );
    assert_eq!(plan_codes(&report(&subject)), [""; 0]);
    let paths = Some(["tools/sorter".to_owned()].into());
    let facts = WorkspaceFacts {
        paths,
        ..WorkspaceFacts::default()
    };
    assert_eq!(
        plan_codes(
            &Ask {
                facts,
                ..Ask::about(&subject)
            }
            .check()
        ),
        ["goal_paths_unlinked"]
    );
}

//! Tests of the report as a whole.

use std::collections::BTreeSet;

use adequacy::{Badge, Severity};
use plan::Task;
use proptest::prelude::*;

use crate::build::{Ask, With, plan, report, step};

#[test]
fn an_id_survives_moving_ticking_and_new_neighbors() {
    let vague = step("T1", "Fix stuff in the parser");
    let ids = |plan: &plan::Plan| -> BTreeSet<String> {
        report(plan)
            .findings
            .into_iter()
            .map(|finding| finding.id)
            .collect()
    };
    let alone = ids(&plan("Tidy the shop", [vague.clone()]));
    assert_eq!(alone.len(), 1);
    let ticked = Task {
        done: true,
        marker: 'x',
        ..vague.clone()
    };
    let moved = plan(
        "Tidy the shop",
        [step("T0", "Sort the shelves by colour"), ticked],
    );
    assert_eq!(ids(&moved), alone);
    let renamed = plan(
        "Tidy the shop",
        [Task {
            id: "T7".into(),
            ..vague.clone()
        }],
    );
    assert_eq!(ids(&renamed), alone);
    let reworded = plan(
        "Tidy the shop",
        [Task {
            title: "Fix stuff in the lexer".into(),
            ..vague
        }],
    );
    assert!(ids(&reworded).is_disjoint(&alone));
}

#[test]
fn questions_are_few_and_the_most_urgent_come_first() {
    let mut steps: Vec<Task> = (1..=12)
        .map(|nth| step(&format!("T{nth}"), &format!("Fix stuff in part {nth}")))
        .collect();
    steps[11] = step("T12", "Drop database shop, name TBD").after(&["T99"]);
    let report = report(&plan("Tidy the shop", steps));
    let asking: Vec<_> = report
        .findings
        .iter()
        .filter(|finding| finding.question.is_some())
        .collect();
    assert_eq!(asking.len(), 8);
    assert_eq!(asking[0].code.as_str(), "risk_destructive");
    let tasks: BTreeSet<_> = asking.iter().map(|finding| &finding.task).collect();
    assert_eq!(tasks.len(), 8, "one for a task");
}

#[test]
fn a_critical_finding_keeps_a_plan_from_being_adequate() {
    let calm = (1..=3).map(|nth| {
        step(
            &format!("T{nth}"),
            &format!("Paint shelf number {nth} in `#4455{nth}0` with two coats of lacquer"),
        )
        .verify("make check")
    });
    let mut steps: Vec<Task> = calm.collect();
    let calm = report(&plan("Paint the shelves with lacquer", steps.clone()));
    assert_eq!(calm.badge, Badge::Adequate, "{calm:#?}");
    steps[2] = step("T3", "Force push the shelves");
    let grave = report(&plan("Paint the shelves with lacquer", steps));
    assert_ne!(grave.badge, Badge::Adequate);
    assert!(grave.score < calm.score * 0.6 && grave.order <= 0.5);
}

#[test]
fn findings_are_readable_and_sorted_by_severity() {
    let subject = plan(
        "Implement coupons in src/till.py",
        [
            step("T1", "Parser"),
            step("T2", "Handle various coupons").after(&["T4"]),
            step("T3", "Drop table coupons"),
            step("T4", "Review everything again").files(&["tbd"]),
        ],
    );
    let shown: Vec<String> = report(&subject)
        .findings
        .iter()
        .map(|finding| {
            let place = finding.task.as_ref().map_or("plan", |task| task.as_str());
            format!(
                "{:<8} {place:<4} {}: {}",
                finding.severity.as_str(),
                finding.code,
                finding.message
            )
        })
        .collect();
    insta::assert_snapshot!(shown.join("\n"), @r"
    critical T3   risk_destructive: T3 includes “Drop table coupons”, which cannot be undone: limit what it affects and add a checkpoint, backup or dry run before it.
    major    plan goal_paths_unlinked: The goal names `src/till.py`, but no step names a file: add `files:` to the steps that change it.
    major    plan missing_plan_verification: The goal changes behavior, but no step checks it: add a `verify:` command, or a step that tests the result.
    major    T1   vague_short: T1 says only “Parser”: name the file or behavior to change, and the expected result.
    major    T2   deps_incomplete_or_order: T2 depends on T4, which comes later and in turn depends on it: remove T4 from `depends:`.
    major    T2   vague_phrase: T2 says “various”, which is vague: describe the exact change instead.
    major    T4   tbd_placeholder: T4 names the file “tbd”: write the real path.
    ");
}

/// Words that together raise every kind of code, and some that raise none.
const WORDS: &[&str] = &[
    "Sort",
    "the",
    "shelves",
    "fix stuff",
    "TBD",
    "todo",
    "rm -rf",
    "dist",
    "test",
    "drop table",
    "somehow",
    "review",
    "everything",
    "crates/shop/src/lib.rs",
    "größer",
    "设置",
    "`code`",
    "\n",
];

fn any_text() -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(WORDS), 0..12)
        .prop_map(|words| words.join(" "))
}

prop_compose! {
    fn any_task()(
        title in any_text(),
        body in any_text(),
        complexity in proptest::option::of(1u8..=10),
        depends in proptest::option::of(proptest::collection::vec(0usize..12, 0..3)),
        files in proptest::collection::vec(proptest::sample::select(vec!["a.rs", "tbd", "", "src/b.py"]), 0..3),
        covers in proptest::collection::vec(proptest::sample::select(vec!["R1", "R2", "R9"]), 0..2),
        checked: bool,
    ) -> Task {
        let mut task = Task { body, complexity, ..step("T0", &title) }.files(&files).covers(&covers);
        task.depends = depends.map(|ids| ids.iter().map(|id| format!("T{id}").as_str().into()).collect());
        if checked { task.verify("make check") } else { task }
    }
}

fn any_plan() -> impl Strategy<Value = plan::Plan> {
    (
        any_text(),
        proptest::collection::vec(any_task(), 0..10),
        0usize..3,
    )
        .prop_map(|(goal, tasks, required)| {
            let tasks = tasks.into_iter().enumerate().map(|(nth, task)| Task {
                id: format!("T{nth}").as_str().into(),
                ..task
            });
            crate::build::requiring(plan(&goal, tasks), &["one", "two"][..required.min(2)])
        })
}

proptest! {
    #[test]
    fn every_report_is_consistent(now in any_plan(), earlier in any_plan(), has_model: bool) {
        let ask = || Ask { before: Some(&earlier), has_model, ..Ask::about(&now) };
        let report = ask().check();
        prop_assert_eq!(&report, &ask().check(), "the same input gives the same report");
        prop_assert!((0.0..=1.0).contains(&report.score));
        prop_assert!((0.0..=1.0).contains(&report.aggregate_unresolved_risk));

        // Every number in the report has a reason.
        for one in report.dimensions.iter().filter(|_| !now.tasks.is_empty()) {
            let is_whole = one.share.is_none_or(|share| share > 0.9);
            prop_assert!(is_whole || one.missing.is_some(), "{one:?}");
            prop_assert!(one.credited.ends_with('.'));
        }
        prop_assert!(report.factor >= 1.0 || !report.adequacy_reason_codes.is_empty());
        for code in &report.adequacy_reason_codes {
            prop_assert!(report.findings.iter().any(|finding| finding.code == *code));
        }
        prop_assert_eq!(report.badge == Badge::Empty, now.tasks.is_empty());
        if report.badge == Badge::Adequate {
            prop_assert!(report.findings.iter().all(|finding| finding.severity != Severity::Critical));
        }

        let ids: BTreeSet<_> = report.findings.iter().map(|finding| &finding.id).collect();
        prop_assert_eq!(ids.len(), report.findings.len(), "ids are unique");
        prop_assert!(report.findings.is_sorted_by_key(|finding| (finding.severity, finding.line)));
        for finding in &report.findings {
            prop_assert!(finding.message.ends_with('.') && !finding.message.contains('\n'), "{}", finding.message);
        }
    }

    #[test]
    fn ticking_a_step_changes_nothing(now in any_plan()) {
        let mut ticked = now.clone();
        for task in &mut ticked.tasks {
            task.done = true;
            task.marker = 'x';
        }
        prop_assert_eq!(report(&now), report(&ticked));
    }
}

//! Tests of steps that release, use or remove something too early, and of steps without a rollback.

use adequacy::{Code, Severity};
use plan::Task;

use crate::build::{With, checkpoint, codes_of, finding, plan, plan_codes, report, step};

fn codes(tasks: impl IntoIterator<Item = Task>) -> Vec<&'static str> {
    plan_codes(&report(&plan("Tidy the shop", tasks)))
}

fn build() -> Task {
    step("T1", "Build the new pricing page").files(&["src/pricing.tsx"])
}

fn deploy(id: &str) -> Task {
    step(id, "Deploy the pricing page").after(&["T1"])
}

#[test]
fn a_release_before_its_check_is_found_by_dependencies() {
    let test = |after: &[&str]| {
        step("T3", "Test the pricing page with the new tax rules")
            .files(&["tests/pricing.ts"])
            .after(after)
    };
    let subject = plan(
        "Ship the new pricing page",
        [build(), deploy("T2"), test(&["T2"])],
    );
    let found = report(&subject);
    assert_eq!(plan_codes(&found), ["release_before_check"]);
    assert!(found.order < 1.0);
    let raised = finding(&found, Code::ReleaseBeforeCheck);
    assert_eq!(raised.severity, Severity::Major);
    assert_eq!(raised.task.as_ref().map(|id| id.as_str()), Some("T2"));
    assert_eq!(raised.fixes.len(), 2);
    assert!(raised.question.is_some());

    assert_eq!(
        codes([build(), test(&["T1"]), deploy("T2").after(&["T3"])]),
        [""; 0]
    );
    assert_eq!(
        codes([build(), deploy("T2").after(&["T3"]), test(&["T1"])]),
        [""; 0],
        "further up in the file and later in the run"
    );
}

#[test]
fn a_post_release_check_does_not_gate_the_release() {
    for title in [
        "Check the dashboards of the deployed page",
        "Run a smoke test against production",
        "Verify that the page is live",
        "Document the pricing page",
    ] {
        assert_eq!(
            codes([build(), deploy("T2"), step("T3", title).after(&["T2"])]),
            [""; 0],
            "{title}"
        );
    }
}

#[test]
fn a_check_of_later_work_does_not_gate_an_earlier_release() {
    let later = [
        build(),
        step("T2", "Test the pricing page"),
        step("T3", "Deploy the pricing page"),
        step("T4", "Add a coupon box to the till"),
        step("T5", "Test the coupon box"),
    ];
    assert!(!codes(later).contains(&"release_before_check"));
    let review = [
        build(),
        step("T2", "Test the page"),
        step("T3", "Merge the branch"),
        step("T4", "Review the change"),
    ];
    assert!(codes(review).contains(&"release_before_check"));
}

#[test]
fn checkpoints_and_migrations_gate_a_release_too() {
    let look = Task {
        title: "Review the pricing page".to_owned(),
        ..checkpoint("C1")
    };
    assert!(codes([build(), deploy("T2"), look]).contains(&"release_before_check"));
    assert!(
        codes([
            build(),
            deploy("T2"),
            step("T3", "Write the migration for the pricing page")
        ])
        .contains(&"release_before_check")
    );
}

#[test]
fn early_releases_in_other_languages_are_found() {
    let subject = [
        step("T1", "Preisseite bauen"),
        step(
            "T2",
            "Die Preisseite in Produktion nehmen, Rollback über die alte Version",
        ),
        step("T3", "Preisseite testen und abnehmen: prüfen"),
    ];
    assert_eq!(
        codes(subject),
        [""; 0],
        "the check does not begin the title"
    );
    let subject = [
        step("T1", "做定价页面"),
        step("T2", "发布定价页面,可回滚"),
        step("T3", "测试定价页面"),
    ];
    assert_eq!(codes(subject), ["release_before_check"]);
}

#[test]
fn irreversible_steps_need_a_way_back() {
    let publish = || step("T2", "Publish version 2.0.0 to the package registry");
    let raised = report(&plan("Tidy the shop", [build(), publish()]));
    assert_eq!(plan_codes(&raised), ["no_way_back"]);
    let found = finding(&raised, Code::NoWayBack);
    assert_eq!((found.severity, found.fixes.len()), (Severity::Major, 2));
    for way in [
        vec![
            build(),
            step(
                "T2",
                "Publish version 2.0.0 to the registry behind a feature flag",
            ),
        ],
        vec![build(), publish().field("rollback", "yank it", 100)],
        vec![
            build(),
            step("T1b", "Do a dry run of everything"),
            publish(),
        ],
        vec![
            build(),
            publish(),
            step("T3", "Roll back the version if the registry refuses it"),
        ],
        vec![build(), step("T2", "Publish the tax table page to staging")],
        vec![build(), step("T2", "Add a publish button")],
    ] {
        assert_eq!(
            codes(way.clone()),
            [""; 0],
            "{:?}",
            way.last().map(|task| &task.title)
        );
    }
    assert_eq!(
        codes([build(), step("T2", "Back up the images"), publish()]),
        ["no_way_back"],
        "a way back of something else"
    );
    assert_eq!(
        codes([step("T1", "Drop the production database")]),
        [""; 0],
        "says so itself"
    );
}

#[test]
fn use_before_creation_is_found() {
    let edit = |id: &str| {
        step(id, "Teach the till about coupons")
            .call(r#"edit_file {"path": "till.py", "old_text": "a", "new_text": "b"}"#)
    };
    let make = |id: &str| step(id, "Create `till.py` with the shelves");
    let of = |tasks: [Task; 2], id| codes_of(&report(&plan("Tidy the shop", tasks)), id);
    assert_eq!(
        of([edit("T1"), make("T2")], "T1"),
        ["deps_incomplete_or_order"]
    );
    assert_eq!(of([make("T1"), edit("T2")], "T2"), [""; 0]);
    assert_eq!(
        of([edit("T1").after(&["T2"]), make("T2").after(&[])], "T1"),
        ["deps_incomplete_or_order"],
        "further down only"
    );
}

#[test]
fn removal_before_migration_is_found() {
    let remove = |id: &str| step(id, "Remove the old till client");
    let moved = |id: &str| step(id, "Move all callers to the new till client");
    let of = |tasks: [Task; 2], id| codes_of(&report(&plan("Tidy the shop", tasks)), id);
    assert_eq!(
        of([remove("T1"), moved("T2")], "T1"),
        ["deps_incomplete_or_order"]
    );
    assert_eq!(of([moved("T1"), remove("T2")], "T2"), [""; 0]);
    assert_eq!(
        of(
            [remove("T1"), step("T2", "Move all users of the yard gate")],
            "T1"
        ),
        [""; 0],
        "something else"
    );
}

#[test]
fn tests_may_come_before_the_code() {
    let tasks = [
        step("T1", "Write failing tests for the till"),
        step("T2", "Teach the till about coupons"),
    ];
    assert_eq!(codes(tasks), [""; 0]);
}

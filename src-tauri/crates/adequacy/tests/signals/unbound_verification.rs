//! Tests of changes without a check.

use adequacy::{Code, Severity, WorkspaceFacts};
use plan::Task;

use crate::build::{Ask, With, codes_of, finding, plan, report, step};

fn raised(tasks: impl IntoIterator<Item = Task>) -> Vec<String> {
    let report = report(&plan("Tidy the shop", tasks));
    let of_code = report
        .findings
        .iter()
        .filter(|finding| finding.code == Code::UnboundVerification);
    of_code
        .filter_map(|finding| Some(finding.task.as_ref()?.to_string()))
        .collect()
}

fn change(id: &str, title: &str) -> Task {
    step(id, title)
}

const NOBODY: [&str; 0] = [];

#[test]
fn a_change_after_the_last_check_is_unbound() {
    let tasks = || {
        [
            change("T1", "Teach the till about coupons").verify("make till"),
            change("T2", "Change how half cents are rounded").files(&["till.py"]),
        ]
    };
    assert_eq!(raised(tasks()), ["T2"]);
    let [first, second] = tasks();
    assert_eq!(
        raised([first.clone(), second.clone().verify("make rounding")]),
        NOBODY
    );
    assert_eq!(
        raised([first.clone(), second.clone().accept("0.5 becomes 1")]),
        NOBODY
    );
    assert_eq!(
        raised([first.clone(), second.clone(), step("T3", "Run all tests")]),
        NOBODY
    );
    assert_eq!(
        raised([
            first,
            second.clone(),
            step("T3", "Run all tests").after(&["T1"])
        ]),
        ["T2"]
    );
    assert_eq!(
        raised([second]),
        NOBODY,
        "where nothing is checked the plan code speaks"
    );
}

#[test]
fn a_check_of_other_files_does_not_count() {
    let change = change("T1", "Change how coupons are stored").files(&["src/coupons.rs"]);
    let check = |title: &str, file: &str| step("T2", title).files(&[file]);
    assert_eq!(
        raised([
            change.clone(),
            check("Test the refunds", "tests/refunds.rs")
        ]),
        ["T1"]
    );
    assert_eq!(
        raised([change.clone(), check("Test the coupons", "tests/shop.rs")]),
        NOBODY
    );
    assert_eq!(
        raised([change, check("Test the shop", "tests/coupons.rs")]),
        NOBODY
    );
}

#[test]
fn tests_may_come_first() {
    let tasks = [
        step("T1", "Write failing tests for the coupons"),
        change("T2", "Add coupons to the till").files(&["till.py"]),
    ];
    assert_eq!(raised(tasks), NOBODY);
}

#[test]
fn documentation_manual_steps_and_small_edits_need_no_check() {
    let checked = change("T1", "Teach the till about coupons").verify("make till");
    for task in [
        step("T2", "Document the till").files(&["docs/till.md"]),
        step("T2", "Update the changelog"),
        step("T2", "Add a drawing of the till").files(&["till.png"]),
        step("T2", "Change the lock of the door").by_person(),
        step("T2", "Rename the till").size(1),
        step("T2", "Ask the owner about coupons"),
    ] {
        assert_eq!(
            raised([checked.clone(), task.clone()]),
            NOBODY,
            "{}",
            task.title
        );
    }
}

#[test]
fn a_run_of_changes_gets_one_finding_with_the_projects_check() {
    let tasks = [
        change("T1", "Teach the till about coupons").verify("make till"),
        change("T2", "Change how half cents are rounded"),
        change("T3", "Remove the second drawer"),
        change("T4", "Add a bell to the door"),
    ];
    let facts = WorkspaceFacts {
        commands: vec!["make check".into()],
        ..WorkspaceFacts::default()
    };
    let subject = plan("Tidy the shop", tasks.clone());
    let report = Ask {
        facts,
        ..Ask::about(&subject)
    }
    .check();
    assert_eq!(raised(tasks), ["T4"]);
    let found = finding(&report, Code::UnboundVerification);
    assert_eq!((found.severity, found.fixes.len()), (Severity::Minor, 1));
    assert!(found.message.starts_with("T2 to T4"), "{}", found.message);
    assert!(found.fixes[0].label.contains("`make check`"));
    assert!(found.question.is_some());
    assert_eq!(codes_of(&report, "T2"), NOBODY);
}

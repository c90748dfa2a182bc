//! Rules that edit by themselves do a goal wholly, or leave it to a person: a limit that they cannot keep and a part
//! that they do not do make an open step of each part, and nothing claims what it does not do.
#![allow(clippy::expect_used, dead_code)] // a plan that is not made fails the test

mod support;

use support::draft;
use support::shop::SHOP;

/// The tools that the steps of a plan call to change files.
fn changing(text: &str) -> usize {
    ["edit_file", "delete_file", "write_file", "move_file"]
        .iter()
        .map(|tool| text.matches(&format!("call: `{tool}")).count())
        .sum()
}

const RENAME: &str = "Rename the function total to sum_rows";
const DELETE: &str = "Delete data/orders.json";

#[test]
fn what_rules_do_wholly_is_done_by_calls() {
    for goal in [
        RENAME,
        DELETE,
        "Rename the function total to sum_rows and test it",
    ] {
        assert!(changing(&draft(SHOP, goal).text) > 0, "{goal}");
    }
}

#[test]
fn a_limit_or_another_part_leaves_every_change_to_a_person() {
    let more = [
        ", but not in the tests",
        ". Do not change shop/invoice.py",
        " without touching the README",
        " and add a discount to the invoice",
        "; write a page about gift cards",
    ];
    for work in [RENAME, DELETE] {
        for more in more {
            let goal = format!("{work}{more}");
            let plan = draft(SHOP, &goal).text;
            assert_eq!(changing(&plan), 0, "{goal}\n{plan}");
        }
    }
}

#[test]
fn each_part_has_a_step_and_no_step_claims_two() {
    let goal =
        "1. Rename total to sum_rows\n2. Add a discount to the invoice\n3. Delete data/orders.json";
    let text = draft(SHOP, goal).text;
    let (plan, _) = plan::parse(&text);
    assert_eq!(plan.requirements.len(), 3, "{text}");
    for requirement in &plan.requirements {
        let covering = plan
            .tasks
            .iter()
            .filter(|task| task.covers.contains(&requirement.id));
        assert_eq!(covering.count(), 1, "{}\n{text}", requirement.id);
    }
    assert!(
        plan.tasks.iter().all(|task| task.covers.len() < 2),
        "{text}"
    );
}

#[test]
fn a_question_beside_work_does_not_swallow_it() {
    let goal = "What does invoice do? Add a header row to it.";
    let text = draft(SHOP, goal).text;
    assert!(!text.contains("Nothing is changed"), "{text}");
}

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

/// Two pairs that are both in the shop, in several ways of saying it.
const PAIRS: [&str; 5] = [
    "Rename total to sum_rows and price to unit_price",
    "Rename total to sum_rows, then rename price to unit_price",
    "Rename `total` -> `sum_rows`, `price` -> `unit_price`",
    "1. Rename total to sum_rows\n2. Rename price to unit_price",
    "Rename total to sum_rows and rename price to unit_price, and run the tests",
];

#[test]
fn every_pair_of_a_rename_is_written_by_the_same_steps() {
    let files = [
        (
            "shop/sums.py",
            "def total(rows):\n    return sum(price(row) for row in rows)\n\n\ndef price(row):\n    return row[1]\n",
        ),
        (
            "shop/page.py",
            "from shop.sums import price, total\n\n\ndef page(rows):\n    return total(rows), [price(row) for row in rows]\n",
        ),
        (
            "tests/test_sums.py",
            "from shop.sums import total\n\n\ndef test_total():\n    assert total([(0, 2)]) == 2\n",
        ),
    ];
    for goal in PAIRS {
        let text = draft(&files, goal).text;
        let (plan, _) = plan::parse(&text);
        let mut after: std::collections::BTreeMap<&str, String> = files
            .iter()
            .map(|(path, text)| (*path, (*text).to_owned()))
            .collect();
        for call in plan.tasks.iter().flat_map(|task| &task.calls) {
            let Ok(call) = &call.parsed else {
                panic!("{goal}: {}", call.raw);
            };
            let value = |name: &str| {
                let value = call.arguments.get(name).and_then(|value| value.as_str());
                value.unwrap_or_default().to_owned()
            };
            if call.tool != plan::ToolName::EditFile {
                continue;
            }
            let file = after
                .get_mut(value("path").as_str())
                .expect("a file of the shop");
            assert_eq!(
                file.matches(&value("old_text")).count(),
                1,
                "{goal}\n{text}"
            );
            *file = file.replacen(&value("old_text"), &value("new_text"), 1);
        }
        let all: String = after.into_values().collect();
        let words: Vec<&str> = all
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .collect();
        for old in ["total", "price"] {
            assert!(!words.contains(&old), "{goal}: {old}\n{text}\n{all}");
        }
        assert!(words.contains(&"test_total"), "longer names stay\n{all}");
        for requirement in &plan.requirements {
            let is_covered = plan
                .tasks
                .iter()
                .any(|task| task.covers.contains(&requirement.id));
            assert!(is_covered, "{goal}: {}\n{text}", requirement.text);
        }
    }
}

#[test]
fn pairs_that_meet_are_left_to_a_person() {
    for goal in [
        "Rename total to price and price to total",
        "Rename total to price, then rename price to amount",
        "Rename total to amount and price to amount",
    ] {
        let plan = draft(SHOP, goal).text;
        assert_eq!(changing(&plan), 0, "{goal}\n{plan}");
    }
}

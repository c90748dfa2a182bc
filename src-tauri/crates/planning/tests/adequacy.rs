//! A plan made from a template parses without problems and is adequate to run.
#![allow(clippy::expect_used, dead_code)] // a plan that is not made fails the test

mod support;

use adequacy::{CheckInput, PlanDepth, check};
use support::draft;
use support::shop::{SHOP, WORDS};

const SHOP_GOALS: [&str; 11] = [
    "Rename the function total to sum_rows everywhere and test it",
    "Fix the crash in invoice when there are no lines",
    "Fix the bug in shop/order.py: subtotal() ignores the group",
    "Add a --json flag to invoice(). Document it in the README and add tests",
    "Change subtotal so that it rounds to two digits",
    "Refactor the invoice module into two files without changing the public API",
    "Where is total_count defined?",
    "Write documentation for subtotal",
    "Delete data/orders.json",
    "Remove old backup files",
    "Implement gift cards that can be used more than once, expire after a year, and show up in the invoice",
];

const WORDS_GOALS: [&str; 3] = [
    "Rename count_words to word_count and test it",
    "Update serde to 1.0.200",
    "Fix the bug in src/main.rs: it counts only one text",
];

#[test]
fn plans_from_templates_say_what_they_are() {
    let mut told = Vec::new();
    for (files, goals) in [(SHOP, &SHOP_GOALS[..]), (WORDS, &WORDS_GOALS[..])] {
        for goal in goals {
            let draft = draft(files, goal);
            let (plan, problems) = plan::parse(&draft.text);
            assert!(problems.is_empty(), "{goal}: {problems:?}\n{}", draft.text);
            assert!(
                plan.leaves()
                    .all(|(_, task)| task.calls.iter().all(|call| call.parsed.is_ok()))
            );
            assert_eq!(plan.front.id.as_deref(), Some(draft.id.as_str()));
            let intake = planning::detect(goal, &Default::default());
            let facts = support::context(files, &intake).facts();
            let report = check(&CheckInput {
                requirements: &[],
                plan: &plan,
                problems: &problems,
                goal: None,
                depth: PlanDepth::Standard,
                scope: &[],
                before: None,
                facts: &facts,
                has_model: false,
            });
            let (badge, score) = (report.badge.as_str(), report.score * 100.0);
            told.push(format!("{badge:<8} {score:>3.0}  {goal}"));
            assert_eq!(report.critical_count, 0, "{goal}");
        }
    }
    insta::assert_snapshot!(told.join("\n"), @r"
    adequate  92  Rename the function total to sum_rows everywhere and test it
    outline   11  Fix the crash in invoice when there are no lines
    outline    6  Fix the bug in shop/order.py: subtotal() ignores the group
    outline    6  Add a --json flag to invoice(). Document it in the README and add tests
    outline   17  Change subtotal so that it rounds to two digits
    outline   15  Refactor the invoice module into two files without changing the public API
    outline    8  Where is total_count defined?
    outline    5  Write documentation for subtotal
    adequate  86  Delete data/orders.json
    outline   22  Remove old backup files
    outline    6  Implement gift cards that can be used more than once, expire after a year, and show up in the invoice
    adequate  90  Rename count_words to word_count and test it
    fair      81  Update serde to 1.0.200
    outline    6  Fix the bug in src/main.rs: it counts only one text
    ");
}

#[test]
fn the_goal_is_read_back_word_for_word() {
    for goal in [
        "Fix: the \"quote\" #1 `bug`",
        "true",
        "Change a: b # c",
        "- dash first",
        "Ä ö: ü",
    ] {
        let draft = draft(SHOP, goal);
        let (plan, problems) = plan::parse(&draft.text);
        assert!(problems.is_empty(), "{problems:?}\n{}", draft.text);
        assert_eq!(plan.goal(), Some(goal));
    }
}

//! An incremental parse agrees with parsing the whole text.
#![allow(
    clippy::unwrap_used,
    reason = "a test may stop at what it did not expect"
)]

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;

use super::reparse;
use crate::edit::{self, NewTask, Place, Splice};
use crate::model::{Plan, TaskId, TaskKind};
use crate::parse::parse;
use crate::samples;

/// A text with one range replaced.
fn replaced(text: &str, place: (usize, usize), new: &str) -> String {
    let at = |place: usize| {
        let mut at = place % (text.len() + 1);
        while !text.is_char_boundary(at) {
            at += 1;
        }
        at
    };
    let (a, b) = (at(place.0), at(place.1));
    format!("{}{new}{}", &text[..a.min(b)], &text[a.max(b)..])
}

/// A random range, usually a short one.
fn place() -> impl Strategy<Value = (usize, usize)> {
    let short = (0..600_usize, 0..12_usize).prop_map(|(at, length)| (at, at + length));
    prop_oneof![4 => short, 1 => (0..600_usize, 0..600_usize)]
}

/// Number of cases; raise it with `PROPTEST_CASES`.
const CASES: u32 = 2_000;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: CASES.max(ProptestConfig::default().cases), ..ProptestConfig::default() })]

    #[test]
    fn an_incremental_parse_agrees_with_a_full_one(
        text in samples::text(),
        place in place(),
        new in samples::words(),
    ) {
        let (plan, problems) = parse(&text);
        let after = replaced(&text, place, &new);
        if let Some(found) = reparse(&text, &plan, &problems, &after) {
            prop_assert_eq!(found, parse(&after), "{:?}", after);
        }
    }

    #[test]
    fn it_can_be_repeated_after_each_change(
        text in samples::text(),
        steps in prop::collection::vec((place(), samples::words()), 1..6),
    ) {
        let (mut plan, mut problems) = parse(&text);
        let mut text = text;
        for (place, new) in steps {
            let after = replaced(&text, place, &new);
            let whole = parse(&after);
            if let Some(found) = reparse(&text, &plan, &problems, &after) {
                prop_assert_eq!(&found, &whole, "{:?}", after);
            }
            (plan, problems) = whole;
            text = after;
        }
    }
}

#[test]
fn many_changes_are_parsed_incrementally() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let strategy = (samples::text(), place(), samples::words());
    let mut told = 0;
    for _ in 0..600 {
        let (text, place, new) = strategy.new_tree(&mut runner).unwrap().current();
        let (plan, problems) = parse(&text);
        let after = replaced(&text, place, &new);
        told += u32::from(reparse(&text, &plan, &problems, &after).is_some());
    }
    assert!(told > 40, "{told} of 600");
}

/// A plan with problems of every kind above and below the change.
fn ordinary() -> String {
    let mut text = String::from(
        "---\nplanwright: 1\ngoal: a goal\n---\n# A plan\n\n## Requirements\n- R1 first\n- R2 second\n\n## Tasks\n",
    );
    for number in 1..=40 {
        text.push_str(&format!(
            "- [ ] **T{number}** Step {number} é\n  Its words.\n  - covers: R{}\n  - complexity: {}\n",
            number % 3 + 1,
            number % 12
        ));
        if number % 5 == 0 {
            text.push_str("  - [ ] a part of it\n    - call: `nothing`\n  - [ ] another\n");
        }
        if number % 7 == 0 {
            text.push_str("  - depends: T3, T99\n");
        }
    }
    text.push_str(
        "- [ ] **D1** Which?\n  - type: decision\n  - option: one -> T1\n  - option: two -> none\n",
    );
    text.push_str("\n## Decisions\n- D1 open\n\n## Notes\n- a note\n");
    text
}

type Change = fn(&str, &Plan, &TaskId) -> Vec<Splice>;

#[test]
fn ordinary_edits_are_parsed_incrementally() {
    let changes: [(&str, Change); 8] = [
        ("tick", |_, plan, id| edit::tick(plan, id).unwrap()),
        ("title", |text, plan, id| {
            edit::set_title(text, plan, id, "Other words").unwrap()
        }),
        ("body", |text, plan, id| {
            edit::set_body(text, plan, id, "Other prose.\n\nOf two parts.").unwrap()
        }),
        ("key", |text, plan, id| {
            edit::set_field(text, plan, id, "files", &["a.rs".to_owned()]).unwrap()
        }),
        ("depends", |text, plan, id| {
            edit::set_depends(text, plan, id, Some(&[TaskId::from("T1")])).unwrap()
        }),
        ("add", |text, plan, id| {
            let new = NewTask {
                title: "A new one".to_owned(),
                kind: TaskKind::Normal,
            };
            let place = Place::Under(id.clone());
            edit::add_task(text, plan, &place, &new).unwrap().splices
        }),
        ("delete", |text, plan, id| {
            edit::delete_task(text, plan, id).unwrap()
        }),
        ("split", |text, plan, id| {
            let split = edit::split_task(text, plan, id, "The other half", None);
            split.unwrap().splices
        }),
    ];
    let text = ordinary();
    let (plan, problems) = parse(&text);
    assert!(problems.len() > 20, "{problems:?}");
    for number in [2, 10, 21, 35, 39, 40] {
        for (name, change) in &changes {
            let id = TaskId(format!("T{number}"));
            let splices = change(&text, &plan, &id);
            let after = edit::apply(&text, &splices).unwrap().text;
            let found = reparse(&text, &plan, &problems, &after);
            // These edits change positional ids, including those of sub-tasks in groups further
            // down.
            let moves_places = ["delete", "split"].contains(name) && number < 40;
            assert!(found.is_some() || moves_places, "{name} of T{number}");
            if let Some(found) = found {
                assert_eq!(found, parse(&after), "{name} of T{number}");
            }
        }
    }
}

#[test]
fn changes_with_wider_effects_need_a_full_parse() {
    let text = ordinary();
    let (plan, problems) = parse(&text);
    let at = text.find("Step 20").unwrap();
    for new in [
        "\n```\n",
        "\n## Decisions\n",
        "\n# Title\n",
        "\n\n[x]: https://example.org\n\n",
        "\n- R3 an item of its own\n",
    ] {
        let after = format!("{}{new}{}", &text[..at], &text[at..]);
        assert_eq!(reparse(&text, &plan, &problems, &after), None, "{new:?}");
    }
    let above = text.replacen("R1 first", "R1 one", 1);
    assert_eq!(reparse(&text, &plan, &problems, &above), None);
    assert!(reparse(&text, &plan, &problems, "").is_none());
}

#[test]
fn a_text_that_does_not_match_the_plan_is_rejected() {
    let text = ordinary();
    let (plan, problems) = parse(&text);
    let other = text.replace("Step", "Stop");
    let after = other.replace("Stop 20 ", "Stop twenty ");
    assert_eq!(reparse(&other, &plan, &problems, &after), None);
}

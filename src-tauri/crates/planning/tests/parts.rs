//! Goals with several parts: rules do each part that they can complete, and the others become steps
//! for a person. Together they form one consistent plan.
#![allow(clippy::expect_used, dead_code)] // a plan that is not made fails the test

#[path = "support/carried_out.rs"]
mod carried_out;
mod support;

use std::collections::BTreeSet;

use carried_out::carried_out;
use plan::{By, Plan};
use proptest::prelude::*;
use support::draft;

const FILES: &[(&str, &str)] = &[
    (
        "package.json",
        "{\n  \"name\": \"bell\",\n  \"version\": \"1.2.0\",\n  \"dependencies\": {\n    \"ring\": \"^1.2.0\",\n    \"ping\": \"~0.4.1\"\n  }\n}\n",
    ),
    (
        "src/toll.js",
        "const ring = require('ring');\n\nfunction toll_all() {\n  return ring(peal_one());\n}\n\nfunction peal_one() {\n  return 1;\n}\n\nmodule.exports = { toll_all, peal_one };\n",
    ),
    (
        "README.md",
        "# Bell\n\nCall `toll_all()`, which calls `peal_one()`.\n",
    ),
    ("old.txt", "gone\n"),
    ("ci.yml", "run: old\n"),
];

/// Requests, each with a text that no file contains once the request is done; empty if only a
/// person can do it.
const PARTS: [(&str, &str); 9] = [
    ("rename toll_all to ring_out", "toll_all"),
    ("rename peal_one to strike", "peal_one"),
    ("delete old.txt", "gone"),
    ("delete ci.yml", "run: old"),
    ("bump the version to 2.0.0", "\"version\": \"1.2.0\""),
    ("update ring to 1.3.0", "\"^1.2.0\""),
    ("pin ping to 0.5.0", "\"~0.4.1\""),
    ("add a discount to the price", ""),
    ("write a page about the clapper", ""),
];

const JOINTS: [&str; 4] = [" and ", ", then ", ". ", "; "];

fn ids(plan: &Plan) -> BTreeSet<&str> {
    plan.tasks.iter().map(|task| task.id.0.as_str()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_part_is_done_or_open_and_all_of_them_fit_together(
        order in Just((0..PARTS.len()).collect::<Vec<_>>()).prop_shuffle(),
        count in 2..5usize,
        joints in prop::collection::vec(0..JOINTS.len(), 4),
    ) {
        let mut goal = String::new();
        for (nth, part) in order.iter().take(count).enumerate() {
            if nth > 0 {
                goal.push_str(JOINTS[joints[nth - 1]]);
            }
            goal.push_str(PARTS[*part].0);
        }
        let text = draft(FILES, &goal).text;
        let (plan, problems) = plan::parse(&text);
        prop_assert!(problems.is_empty(), "{problems:?}\n{text}");
        let after = carried_out(FILES, &plan);
        let all: String = after.into_values().collect();
        let is_of_person = |text: &str| {
            let mut tasks = plan.tasks.iter();
            tasks.any(|task| task.by == By::Person && task.title.to_lowercase().contains(text))
        };
        for part in order.iter().take(count) {
            let (asked, old) = PARTS[*part];
            let is_done = !old.is_empty() && !all.contains(old);
            prop_assert!(is_done || is_of_person(asked), "{goal}: {asked}\n{text}");
            // Rules handle every part that they can, since these goals are split into parts.
            prop_assert!(is_done || old.is_empty(), "{goal}: {asked} is left open\n{text}");
        }
        for requirement in &plan.requirements {
            let covered = plan.tasks.iter().any(|task| task.covers.contains(&requirement.id));
            prop_assert!(covered, "{goal}: {}\n{text}", requirement.text);
        }
        let known = ids(&plan);
        let mut looks = BTreeSet::new();
        for task in &plan.tasks {
            prop_assert!(task.depends.iter().flatten().all(|id| known.contains(id.0.as_str())), "{text}");
            let raw: Vec<&str> = task.calls.iter().map(|call| call.raw.as_str()).collect();
            prop_assert!(raw.is_empty() || looks.insert((task.title.clone(), raw.join("\n"))), "{text}");
        }
    }
}

#[test]
fn each_part_is_covered_by_its_own_steps_only() {
    let goal = "1. Rename toll_all to ring_out\n2. Add a discount to the price\n3. Delete old.txt";
    let text = draft(FILES, goal).text;
    let (plan, _) = plan::parse(&text);
    assert_eq!(plan.requirements.len(), 3, "{text}");
    assert!(
        plan.tasks.iter().all(|task| task.covers.len() < 2),
        "{text}"
    );
    for task in plan.tasks.iter().filter(|task| !task.covers.is_empty()) {
        let is_open = task.covers.contains(&"R2".to_owned());
        assert_eq!(is_open, task.by == By::Person, "{text}");
    }
}

#[test]
fn a_manual_step_before_a_rename_leaves_it_open() {
    let goal = "Fix the crash in toll_all and rename toll_all to ring_out";
    let text = draft(FILES, goal).text;
    assert!(!text.contains("call: `edit_file"), "{text}");
}

#[test]
fn files_are_deleted_after_the_steps_before_them() {
    let text = draft(
        FILES,
        "Write its content into the README and delete old.txt",
    )
    .text;
    let open = text
        .find("Write its content into the README\n  - by")
        .expect("an open step");
    let gone = text
        .find("call: `delete_file")
        .expect("a step that deletes");
    assert!(open < gone, "{text}");
}

#[test]
fn libraries_in_one_list_are_all_set_or_none() {
    let both = draft(FILES, "Pin ring to 1.3.0 and ping to 0.5.0").text;
    assert!(both.contains("^1.3.0") && both.contains("~0.5.0"), "{both}");
    for goal in [
        "Pin ring to 1.3.0 and pong to 0.5.0",
        "Pin ring to 1.3.0 and ping",
    ] {
        let text = draft(FILES, goal).text;
        assert!(!text.contains("call: `edit_file"), "{goal}\n{text}");
    }
}

//! By what a plan, and what a step of it does, is recognized when the file says it in other words.
//!
//! A plan that was carried out comes back under another file name, with another `id:`, with its steps
//! renumbered, or as a copy that somebody went on writing. Its steps are recognized by what they do, and
//! only where the plan is the same: `npm install` in two plans that have nothing in common is no repetition.
//! Two plans are the same where they share one of [`names`]. A single step's title is no such name, since
//! "Run the tests" stands in many plans; the titles of all steps together are.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::model::{Plan, Task};
use crate::revision::hex_sha256;
use crate::{ToolCall, ToolName};

/// Digits of a name: enough that no two meet by chance.
const DIGITS: usize = 24;

/// A heading of fewer words is no goal: `# Tasks` stands above many plans.
const MIN_WORDS: usize = 3;

/// The names of a plan: its path in the workspace, its id, its goal, and the titles of its steps together.
pub fn names(plan: &Plan, path: &str) -> BTreeSet<String> {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let heading = plan.title.as_ref().map(|title| words(&title.text));
    let heading = heading.filter(|heading| heading.split(' ').count() >= MIN_WORDS);
    let goal = plan.front.goal.as_deref().map(words).or(heading);
    let titles: Vec<String> = plan.leaves().map(|(_, task)| words(&task.title)).collect();
    let titles = (!titles.is_empty()).then(|| titles.join("\n"));
    let parts = [
        ("path", Some(path.to_owned())),
        ("id", plan.front.id.clone()),
        ("goal", goal),
        ("titles", titles),
    ];
    let parts = parts.into_iter();
    parts
        .filter_map(|(kind, part)| Some(name(kind, &part?)))
        .collect()
}

/// What a step does, by its own `call:` lines: each call that changes something, as a name and as the plan
/// writes it. A command that is also a check of the step may run as often as a check does.
pub fn acts(task: &Task) -> Vec<(String, String)> {
    let calls = task.calls.iter();
    let calls = calls.filter_map(|call| call.parsed.as_ref().ok());
    let is_check = |call: &&ToolCall| {
        let command = call.string("command").map(letters);
        let mut checks = task.verify.iter();
        command.is_some_and(|command| checks.any(|check| letters(check) == command))
    };
    let acts = calls.filter(|call| !is_check(call));
    acts.filter_map(|call| Some((act(call)?, call.to_line())))
        .collect()
}

/// The name of what a call does; none for one that only reads. Two spellings of one command, and two orders
/// of the same arguments, have one name.
pub fn act(call: &ToolCall) -> Option<String> {
    let path = |value: &str| value.trim_start_matches("./").to_owned();
    let text = |(key, value): (&String, &Value)| {
        let value = value.as_str().unwrap_or_default();
        let value = match key.as_str() {
            "timeout_s" => return None,
            "command" => letters(value),
            "path" => path(value),
            _ => value.to_owned(),
        };
        Some(format!("{key} {} {value}", value.len()))
    };
    let is_reading = call.tool.is_read_only();
    let arguments: BTreeSet<String> = call.arguments.iter().filter_map(text).collect();
    let arguments: Vec<String> = arguments.into_iter().collect();
    (!is_reading).then(|| name(ToolName::as_str(call.tool), &arguments.join("\n")))
}

/// A command without what is mere spelling: blanks, quotes and escapes. Commands that become equal by that
/// cost a question at most.
fn letters(command: &str) -> String {
    let is_spelling = |c: char| c.is_whitespace() || matches!(c, '\'' | '"' | '\\');
    command.chars().filter(|c| !is_spelling(*c)).collect()
}

fn name(kind: &str, of: &str) -> String {
    let mut digits = hex_sha256(format!("{kind}\n{of}").as_bytes());
    digits.truncate(DIGITS);
    digits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    const PLAN: &str = "\
---
planwright: 1
id: pay
goal: Pay the bill
---
# Bills

## Tasks
- [ ] **T1** Send the payment
  - call: `run_command {\"command\": \"pay 'the bill' --now\"}`
- [ ] **T2** Write the note
  - call: `write_file {\"path\": \"note.md\", \"content\": \"paid\"}`
";

    fn plan(text: &str) -> Plan {
        parse(text).0
    }

    fn shares(text: &str, path: &str) -> usize {
        let own = names(&plan(PLAN), "plans/p.md");
        own.intersection(&names(&plan(text), path)).count()
    }

    fn all_acts(text: &str) -> Vec<String> {
        let tasks = plan(text).tasks;
        let acts = tasks.iter().flat_map(acts);
        acts.map(|(act, _)| act).collect()
    }

    #[test]
    fn a_plan_keeps_a_name_whatever_one_of_them_becomes() {
        assert_eq!(shares(PLAN, "plans/p.md"), 4);
        assert_eq!(shares(PLAN, "plans/q.md"), 3);
        assert_eq!(shares(&PLAN.replace("id: pay", "id: pay-2"), "q.md"), 2);
        assert_eq!(
            shares(&PLAN.replace("goal: Pay the", "goal: Settle a"), "q.md"),
            2
        );
        assert_eq!(shares(&PLAN.replace("**T1**", "**T7**"), "q.md"), 3);
        let other = PLAN
            .replace("id: pay", "id: rent")
            .replace("Pay the bill", "Pay the rent")
            .replace("Write the note", "Write a letter");
        assert_eq!(
            shares(&other, "q.md"),
            0,
            "another plan with one step alike"
        );
    }

    #[test]
    fn a_heading_that_stands_above_many_plans_is_no_goal() {
        let bare = |title: &str, step: &str| plan(&format!("# {title}\n\n- [ ] {step}\n"));
        let one = names(&bare("Implementation Plan", "one"), "a.md");
        assert!(one.is_disjoint(&names(&bare("Implementation Plan", "two"), "b.md")));
        let one = names(&bare("Move the shop over", "one"), "a.md");
        assert!(!one.is_disjoint(&names(&bare("Move the shop over", "two"), "b.md")));
    }

    #[test]
    fn spelling_and_order_do_not_change_what_a_step_does() {
        let known = all_acts(PLAN);
        for (from, to) in [
            ("pay 'the bill'", "pay   'the bill'"),
            ("pay 'the bill'", "pay the\\\\ bill"),
            ("--now\"}", "--now\", \"timeout_s\": 5}"),
            (
                "\"path\": \"note.md\", \"content\": \"paid\"",
                "\"content\": \"paid\", \"path\": \"./note.md\"",
            ),
        ] {
            assert_eq!(all_acts(&PLAN.replace(from, to)), known, "{to}");
        }
        assert_ne!(all_acts(&PLAN.replace("--now", "--later")), known);
        assert_ne!(all_acts(&PLAN.replace("\"paid\"", "\"pa id\"")), known);
    }

    #[test]
    fn reading_and_a_step_s_own_check_are_no_acts() {
        let looks = "\
# Look

- [ ] **T1** Run the tests
  - call: `run_command {\"command\": \"cargo test\"}`
  - call: `read_file {\"path\": \"a\"}`
  - verify: `cargo  test`
";
        assert_eq!(all_acts(looks), Vec::<String>::new());
    }
}

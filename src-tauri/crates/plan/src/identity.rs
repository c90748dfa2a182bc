//! By what a plan, and what a step of it does, is recognized when the file says it in other words.
//!
//! A plan that was carried out comes back under another file name, with another `id:`, with its steps
//! renumbered, or as a copy that somebody went on writing. Its steps are recognized by what they do, and
//! only where the plan is the same: `npm install` in two plans that have nothing in common is no repetition.
//! Two plans are the same if they share one of [`names`]. Steps are not among them, because plans made after
//! one pattern have the same ones; only where a plan has no goal, or its file is gone, do all of its steps
//! together stand for it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::model::{Plan, Task, TaskId};
use crate::revision::hex_sha256;
use crate::{ToolCall, ToolName};

/// Digits of a name: enough that no two meet by chance.
const DIGITS: usize = 24;

/// A heading of fewer words is no goal: `# Tasks` stands above many plans.
const MIN_WORDS: usize = 3;

/// The names of a plan: its path in the workspace, its id, and its goal or else its steps.
pub fn names(plan: &Plan, path: &str) -> BTreeSet<String> {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let heading = plan.title.as_ref().map(|title| words(&title.text));
    let heading = heading.filter(|heading| heading.split(' ').count() >= MIN_WORDS);
    let goal = plan.front.goal.as_deref().map(words).or(heading);
    let parts = [
        ("path", Some(path.to_owned())),
        ("id", plan.front.id.clone()),
        ("goal", goal.or_else(|| all_steps(plan))),
    ];
    let parts = parts.into_iter();
    parts
        .filter_map(|(kind, part)| Some(name(kind, &part?)))
        .collect()
}

/// The name of all steps together: of a plan whose file is gone, since the same steps in another file are
/// its own then, whatever stands above them.
pub fn name_of_steps(plan: &Plan) -> Option<String> {
    Some(name("steps", &all_steps(plan)?))
}

/// What the steps do, and where they do not say it, how they are called.
fn all_steps(plan: &Plan) -> Option<String> {
    let of_step = |task: &Task| -> Vec<String> {
        let calls: Vec<String> = task.calls.iter().map(|call| letters(&call.raw)).collect();
        match calls.is_empty() {
            true => vec![letters(&task.title)],
            false => calls,
        }
    };
    let steps: Vec<String> = plan.leaves().flat_map(|(_, task)| of_step(task)).collect();
    (!steps.is_empty()).then(|| steps.join("\n"))
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

/// What one run carried out, in names alone.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RunRecord {
    /// Its id.
    pub run: String,
    /// When it began, in milliseconds since 1970.
    pub at_ms: i64,
    /// The names of its plan.
    pub names: BTreeSet<String>,
    /// What it came to.
    pub steps: Vec<StepRecord>,
}

/// What one step did.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct StepRecord {
    /// Its id then.
    pub task: String,
    /// The fingerprint under which it was approved.
    pub print: String,
    /// The names of the calls that it began and that did not fail.
    pub acts: BTreeSet<String>,
    /// Whether it was done.
    pub is_done: bool,
    /// Whether a person had it left out.
    #[serde(default)]
    pub is_skipped: bool,
    /// Whether what it changed was taken back.
    #[serde(default)]
    pub is_undone: bool,
}

/// What is on record of one step of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// The run, and when it began.
    pub run: (String, i64),
    /// The calls that would happen again, as the plan writes them.
    pub lines: Vec<String>,
    /// Whether the step was done, or left out where `shown` has it so.
    pub is_over: bool,
    /// Whether its fingerprint was another one.
    pub is_changed: bool,
}

/// What is on record of the steps of a plan, in runs of the same plan, the newest first: of an open step what
/// it does and would do again, of one that `shown` has as done or skipped its id too. What a step did
/// belongs to the step of that id as long as the plan has it, and only then to another one.
pub fn on_record(
    records: &[RunRecord],
    plan: &Plan,
    prints: &BTreeMap<String, String>,
    shown: &Plan,
) -> BTreeMap<TaskId, Known> {
    let leaves = plan.leaves().map(|(_, task)| task);
    let leaves: Vec<(&Task, Acts)> = leaves
        .filter(|task| !task.is_pause())
        .map(|task| (task, acts_or_print(task, prints)))
        .collect();
    // The newest run that started it or undid it decides.
    let mut over: BTreeMap<&str, By<'_>> = BTreeMap::new();
    let mut acts: BTreeMap<(&str, &str), By<'_>> = BTreeMap::new();
    let steps = records.iter();
    for (record, step) in steps.flat_map(|of| of.steps.iter().map(move |step| (of, step))) {
        let print = (step.is_done || step.is_undone).then_some(&step.print);
        for act in step.acts.iter().chain(print) {
            acts.entry((&step.task, act)).or_insert((record, step));
        }
        if step.is_skipped || print.is_some() {
            over.entry(&step.task).or_insert((record, step));
        }
    }
    let is_owned = |id: &str, act: &str| {
        let mut owners = leaves.iter().filter(|(task, _)| task.id.as_str() == id);
        owners.any(|(_, own)| own.iter().any(|(own, _)| own == act))
    };
    let orphans = acts.iter().filter(|((id, act), _)| !is_owned(id, act));
    let mut orphans: Vec<(&str, By<'_>)> = orphans.map(|((_, act), by)| (*act, *by)).collect();
    let mut found = BTreeMap::new();
    for (task, own) in &leaves {
        let (mut lines, mut by) = (Vec::new(), Vec::new());
        for (act, line) in own {
            let of_orphan = || {
                let at = orphans.iter().position(|(orphan, _)| orphan == act)?;
                Some(orphans.remove(at).1)
            };
            let known = acts.get(&(task.id.as_str(), act.as_str())).copied();
            if let Some(known) = known.or_else(of_orphan).filter(|(_, step)| !step.is_undone) {
                lines.extend(line.clone());
                by.push(known);
            }
        }
        let mut is_over = by.len() == own.len() && by.iter().all(|(_, step)| step.is_done);
        // What the file shows may be on record under other words.
        let as_shown = shown.task(&task.id).and_then(|shown| {
            let known = over.get(task.id.as_str())?;
            let is_skipped = shown.skipped.is_some() && known.1.is_skipped;
            (is_skipped || (shown.done && known.1.is_done)).then_some(*known)
        });
        if let Some(known) = as_shown.filter(|_| !is_over || by.is_empty()) {
            (by, is_over) = (vec![known], true);
        }
        let Some((record, _)) = by.first() else {
            continue;
        };
        let print = prints.get(task.id.as_str());
        let known = Known {
            run: (record.run.clone(), record.at_ms),
            lines,
            is_over,
            is_changed: by.iter().any(|(_, step)| Some(&step.print) != print),
        };
        found.insert(task.id.clone(), known);
    }
    found
}

/// A step of a run that carried something out.
type By<'r> = (&'r RunRecord, &'r StepRecord);

/// Names of acts, each with the line that would make it happen again.
type Acts = Vec<(String, Option<String>)>;

/// What a step does; of one that is a person's or a model's, the words are all that is known.
fn acts_or_print(task: &Task, prints: &BTreeMap<String, String>) -> Acts {
    let print = prints.get(task.id.as_str());
    let print = print.filter(|_| task.calls.is_empty());
    let print = print.map(|print| (print.clone(), None));
    let acts = acts(task).into_iter().map(|(act, line)| (act, Some(line)));
    acts.chain(print).collect()
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
        assert_eq!(shares(PLAN, "plans/p.md"), 3);
        assert_eq!(shares(PLAN, "plans/q.md"), 2);
        assert_eq!(shares(&PLAN.replace("id: pay", "id: pay-2"), "q.md"), 1);
        assert_eq!(
            shares(&PLAN.replace("goal: Pay the", "goal: Settle a"), "q.md"),
            1
        );
        assert_eq!(shares(&PLAN.replace("**T1**", "**T7**"), "q.md"), 2);
        let other = PLAN
            .replace("id: pay", "id: rent")
            .replace("Pay the bill", "Pay the rent");
        assert_eq!(shares(&other, "q.md"), 0, "two plans after one pattern");
    }

    #[test]
    fn without_a_goal_all_steps_together_stand_for_it() {
        let bare = |command: &str| {
            let call = format!("  - call: `run_command {{\"command\": \"{command}\"}}`");
            plan(&format!("# Tasks\n\n- [ ] Build\n{call}\n- [ ] Publish\n"))
        };
        let one = names(&bare("make a"), "a.md");
        assert!(!one.is_disjoint(&names(&bare("make  a"), "b.md")));
        assert!(one.is_disjoint(&names(&bare("make b"), "b.md")));
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

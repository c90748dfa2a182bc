//! Recognizes a plan and the actions of its steps after the file has changed.
//!
//! A plan that was carried out may come back under another file name, with another `id:`, with
//! renumbered steps, or as an extended copy. Its steps are recognized by their actions, but only
//! within the same plan: `npm install` in two unrelated plans is not a repetition. Two plans are
//! the same if they share one of [`names`]. Steps are not among them, because plans from one
//! template have the same steps. Only if a plan has no goal, or its file is gone, do all of its
//! steps together identify it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::model::{Plan, Task, TaskId};
use crate::revision::hex_sha256;
use crate::{ToolCall, ToolName};

/// Number of hexadecimal digits in a name, which is a hash; enough to make collisions unlikely.
const DIGITS: usize = 24;

/// Minimum number of words in a heading that is used as a goal, since many plans start with `#
/// Tasks`.
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

/// A name derived from all steps together, for a plan whose file is gone: another file with the
/// same steps then counts as the same plan, whatever its goal.
pub fn steps_name(plan: &Plan) -> Option<String> {
    Some(name("steps", &all_steps(plan)?))
}

/// The actions of all steps; for steps without calls, their titles.
fn all_steps(plan: &Plan) -> Option<String> {
    let of_step = |task: &Task| -> Vec<String> {
        let calls: Vec<String> = task
            .calls
            .iter()
            .map(|call| normalized(&call.raw))
            .collect();
        match calls.is_empty() {
            true => vec![normalized(&task.title)],
            false => calls,
        }
    };
    let steps: Vec<String> = plan.leaves().flat_map(|(_, task)| of_step(task)).collect();
    (!steps.is_empty()).then(|| steps.join("\n"))
}

/// The actions in a step's `call:` lines: for each call that changes something, the action's name
/// and the call as written. A command that is also one of the step's checks is excluded, since
/// checks may be repeated.
pub fn acts(task: &Task) -> Vec<(String, String)> {
    let calls = task.calls.iter();
    let calls = calls.filter_map(|call| call.parsed.as_ref().ok());
    let is_check = |call: &&ToolCall| {
        let command = call.string("command").map(normalized);
        let mut checks = task.verify.iter();
        command.is_some_and(|command| checks.any(|check| normalized(check) == command))
    };
    let acts = calls.filter(|call| !is_check(call));
    acts.filter_map(|call| Some((act(call)?, call.to_line())))
        .collect()
}

/// A hash that identifies a call's action; `None` for a read-only call. Independent of the order of
/// arguments and of whitespace and quoting in commands.
pub fn act(call: &ToolCall) -> Option<String> {
    let path = |value: &str| value.trim_start_matches("./").to_owned();
    let text = |(key, value): (&String, &Value)| {
        let value = value.as_str().unwrap_or_default();
        let value = match key.as_str() {
            "timeout_s" => return None,
            "command" => normalized(value),
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

/// The actions that one run carried out, by name only.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RunRecord {
    /// The run's id.
    pub run: String,
    /// When the run started, in milliseconds since 1970 UTC.
    pub at_ms: i64,
    /// The names of its plan.
    pub names: BTreeSet<String>,
    /// What each of its steps did.
    pub steps: Vec<StepRecord>,
}

/// What one step did.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct StepRecord {
    /// The step's id at the time of the run.
    pub task: String,
    /// The fingerprint that was approved.
    pub print: String,
    /// The names of the actions that it started and that didn't fail.
    pub acts: BTreeSet<String>,
    /// Whether the step was completed.
    pub is_done: bool,
    /// Whether the user skipped the step.
    #[serde(default)]
    pub is_skipped: bool,
    /// Whether its changes were undone.
    #[serde(default)]
    pub is_undone: bool,
}

/// What earlier runs recorded about one step of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// The id of the run, and when it started.
    pub run: (String, i64),
    /// The calls that would be repeated, as the plan writes them.
    pub lines: Vec<String>,
    /// Whether the step was completed, or was skipped and is skipped in `shown` too.
    pub is_over: bool,
    /// Whether its fingerprint has changed.
    pub is_changed: bool,
}

/// What previous runs of the same plan recorded about its steps; `records` are newest first. Open
/// steps are matched by their actions, steps that are done or skipped in `shown` also by id. An
/// action belongs to the step with the recorded id if that step still has the action, otherwise to
/// any step that has it.
pub fn recorded_steps(
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
    // The newest run that started or undid the step determines its state.
    let mut over: BTreeMap<&str, RunStep<'_>> = BTreeMap::new();
    let mut acts: BTreeMap<(&str, &str), RunStep<'_>> = BTreeMap::new();
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
    let mut orphans: Vec<(&str, RunStep<'_>)> = orphans.map(|((_, act), by)| (*act, *by)).collect();
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
        // A step that is done or skipped in `shown` may have been recorded with a different text.
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

/// A run, and one of its steps that carried out actions.
type RunStep<'r> = (&'r RunRecord, &'r StepRecord);

/// Action names, each with the `call:` line that would repeat the action.
type Acts = Vec<(String, Option<String>)>;

/// The actions of a step. For a step without calls, only its fingerprint is known.
fn acts_or_print(task: &Task, prints: &BTreeMap<String, String>) -> Acts {
    let print = prints.get(task.id.as_str());
    let print = print.filter(|_| task.calls.is_empty());
    let print = print.map(|print| (print.clone(), None));
    let acts = acts(task).into_iter().map(|(act, line)| (act, Some(line)));
    acts.chain(print).collect()
}

/// A command without whitespace, quotes and escapes. If two different commands become equal, the
/// cost is one unnecessary question.
fn normalized(command: &str) -> String {
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
    fn a_plan_is_recognized_after_its_path_id_or_goal_changes() {
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
        assert_eq!(shares(&other, "q.md"), 0, "two plans from one template");
    }

    #[test]
    fn without_a_goal_all_steps_together_identify_the_plan() {
        let bare = |command: &str| {
            let call = format!("  - call: `run_command {{\"command\": \"{command}\"}}`");
            plan(&format!("# Tasks\n\n- [ ] Build\n{call}\n- [ ] Publish\n"))
        };
        let one = names(&bare("make a"), "a.md");
        assert!(!one.is_disjoint(&names(&bare("make  a"), "b.md")));
        assert!(one.is_disjoint(&names(&bare("make b"), "b.md")));
    }

    #[test]
    fn a_generic_heading_is_not_a_goal() {
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
    fn reads_and_the_steps_own_checks_are_not_actions() {
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

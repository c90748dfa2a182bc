//! What earlier runs recorded of the steps that are about to be run again.
//!
//! A step that the file shows as done counts as such only where a run recorded it under the same
//! fingerprint; everything else in the file is a claim, which the run asks about.

use std::collections::{BTreeMap, BTreeSet};

use agent::journal::{EarlierEnd, EndState, Entry, Evidence, HalfDone, SkippedBy};
use agent::run::state::{Standing, State, TaskState};
use gate::policy;
use plan::graph::Graph;
use plan::{Plan, Task, ToolCall};

use crate::Workbench;
use crate::approval::{Approval, dependents};
use crate::error::Result;

/// What earlier runs recorded of the steps of a plan.
#[derive(Debug, Default)]
pub(crate) struct Earlier {
    /// Of those that the file shows as done, skipped or decided.
    pub(crate) evidence: BTreeMap<String, Evidence>,
    /// Of those that it shows as open: what was carried out.
    pub(crate) half_done: BTreeMap<String, HalfDone>,
    /// Those that it shows as skipped because a decision left them out then.
    pub(crate) left_out: BTreeSet<String>,
    /// Whether a part of the last run's record is lost.
    pub(crate) is_cut: bool,
}

impl Workbench {
    /// What earlier runs recorded of the steps, against what the file shows.
    pub(crate) fn earlier(&self, key: &str, approval: &Approval, file: &Plan) -> Result<Earlier> {
        let covered = approval.covered();
        let leaves = approval.plan.leaves().map(|(_, task)| task);
        let mut left: Vec<&Task> = leaves.collect();
        let mut found = Earlier::default();
        let mut is_cut = None;
        for run in self.store.runs().of_plan(key)? {
            if left.is_empty() {
                break;
            }
            let entries = self.entries(&run.id)?;
            let Some(state) = State::replay(&entries) else {
                continue;
            };
            is_cut.get_or_insert(state.is_cut && run.state != EndState::Done.as_str());
            // The newest run that did something with a step speaks for it.
            left.retain(|task| {
                let id = task.id.as_str();
                let Some(known) = state.tasks.get(id) else {
                    return true;
                };
                let is_same = state.covered.get(id) == covered.get(id);
                let shown = file.task(&task.id);
                if shown.is_some_and(|shown| shown.done || shown.skipped.is_some()) {
                    let end = end_of(known).filter(|_| is_same);
                    let evidence = end.map(|end| evidence(&run.id, end, known));
                    found
                        .evidence
                        .extend(evidence.map(|evidence| (id.to_owned(), evidence)));
                    if is_same && known.standing == Standing::Skipped(SkippedBy::Branch) {
                        found.left_out.insert(id.to_owned());
                    }
                    return !is_over(known);
                }
                let lines = carried_out(task, &entries);
                let is_done = end_of(known) == Some(EarlierEnd::Done) && !task.is_pause();
                let is_repeat = is_done && is_same && !policy::only_reads(task);
                if !known.undone && (is_repeat || !lines.is_empty()) {
                    let run = run.id.clone();
                    let earlier = HalfDone {
                        run,
                        lines,
                        is_done,
                    };
                    found.half_done.insert(id.to_owned(), earlier);
                }
                !known.undone && !found.half_done.contains_key(id)
            });
        }
        drop_open_gates(&approval.plan, &mut found.evidence);
        found.is_cut = is_cut.unwrap_or_default();
        Ok(found)
    }

    /// Whether earlier runs have carried out everything in scope, so that there is nothing to run.
    pub(crate) fn is_carried_out(
        &self,
        key: &str,
        approval: &Approval,
        file: &Plan,
        upto: Option<&str>,
    ) -> Result<bool> {
        let scope = agent::run::scope(&approval.plan, upto);
        // The file shows at least as much as was recorded.
        let shown = |index: &usize| {
            let task = file.task(&approval.plan.tasks[*index].id);
            task.is_some_and(|task| task.done || task.skipped.is_some())
        };
        if scope.is_empty() || !scope.iter().all(shown) {
            return Ok(false);
        }
        let found = self.earlier(key, approval, file)?.evidence;
        let graph = Graph::of(&approval.plan);
        Ok(scope.iter().all(|index| {
            let task = &approval.plan.tasks[*index];
            found.contains_key(task.id.as_str())
                || is_other_branch(&approval.plan, &graph, *index, &found)
        }))
    }
}

/// What one run's record of a step is worth.
fn evidence(run: &str, end: EarlierEnd, known: &TaskState) -> Evidence {
    let mut checks = known.checks.values();
    let is_checked = !known.checks.is_empty() && checks.all(|check| check.ok);
    let earlier = known.earlier_run.as_ref();
    Evidence {
        run: earlier.map_or(run, String::as_str).to_owned(),
        end,
        is_checked: earlier.map_or(is_checked, |_| known.was_checked),
    }
}

/// The calls that a run began and that did not fail, which the step as it is approved now would make again.
fn carried_out(task: &Task, entries: &[Entry]) -> Vec<String> {
    let calls = task
        .calls
        .iter()
        .filter_map(|call| call.parsed.as_ref().ok());
    let changing = calls.filter(|call| !call.tool.is_read_only());
    let again: BTreeSet<String> = changing.map(ToolCall::to_line).collect();
    let mut begun = BTreeMap::new();
    for entry in entries.iter() {
        match entry {
            Entry::Intended {
                task: of,
                call,
                line,
                ..
            } if *of == task.id.0 => drop(begun.insert(*call, line.clone())),
            Entry::Cleared { task: of, call, .. } if *of == task.id.0 => drop(begun.remove(call)),
            Entry::Finished {
                task: of,
                call,
                outcome,
            } if *of == task.id.0 && !outcome.ok => drop(begun.remove(call)),
            _ => {}
        }
    }
    begun
        .into_values()
        .filter(|line| again.contains(line))
        .collect()
}

/// Whether a run came to a word about the step, good or bad.
fn is_over(known: &TaskState) -> bool {
    !matches!(known.standing, Standing::Pending)
}

/// What counts of it later.
fn end_of(known: &TaskState) -> Option<EarlierEnd> {
    match (&known.standing, &known.decided) {
        (Standing::Done, Some(label)) => Some(EarlierEnd::Decided {
            label: label.clone(),
        }),
        (Standing::Done, None) if !known.is_unverified() => Some(EarlierEnd::Done),
        (Standing::Skipped(SkippedBy::Person), _) => Some(EarlierEnd::Skipped {
            reason: known.reason.clone().unwrap_or_default(),
        }),
        _ => None,
    }
}

/// The answer at a gate is for the run that asked: where something behind it is left to do, it is asked
/// again.
fn drop_open_gates(plan: &Plan, found: &mut BTreeMap<String, Evidence>) {
    let graph = Graph::of(plan);
    let gates: Vec<String> = plan
        .leaves()
        .filter(|(_, task)| task.is_pause())
        .filter(|(index, _)| {
            let behind = dependents(&graph, plan, *index);
            let is_left_out = |id: &plan::TaskId| {
                let at = plan.index_of(id);
                at.is_some_and(|at| is_other_branch(plan, &graph, at, found))
            };
            behind
                .iter()
                .any(|id| !found.contains_key(id.as_str()) && !is_left_out(id))
        })
        .map(|(_, task)| task.id.0.clone())
        .collect();
    for gate in gates {
        found.remove(&gate);
    }
}

/// Whether a decision that was taken leaves this leaf out.
pub(crate) fn is_other_branch(
    plan: &Plan,
    graph: &Graph,
    leaf: usize,
    found: &BTreeMap<String, Evidence>,
) -> bool {
    let answer = |decision: &Task| match &found.get(decision.id.as_str())?.end {
        EarlierEnd::Decided { label } => Some(label.as_str()),
        _ => None,
    };
    graph.left_out_by(plan, leaf, answer).is_some()
}

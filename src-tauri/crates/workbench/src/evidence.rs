//! What earlier runs recorded of the steps that are about to be run again.
//!
//! A step that the file shows as done counts as such only where a run recorded it under the same
//! fingerprint; everything else in the file is a claim, which the run asks about.

use std::collections::{BTreeMap, BTreeSet};

use agent::journal::{EarlierEnd, Entry, Evidence, HalfDone, PlanEdit, SkippedBy};
use agent::run::state::{Standing, State, TaskState};
use plan::graph::Graph;
use plan::{Plan, Task, TaskKind, ToolCall};

use crate::Workbench;
use crate::approval::{Approval, dependents};
use crate::error::Result;

impl Workbench {
    /// What earlier runs recorded of the steps that the file shows as done, skipped or decided.
    pub(crate) fn evidence(
        &self,
        key: &str,
        approval: &Approval,
        file: &Plan,
    ) -> Result<BTreeMap<String, Evidence>> {
        let covered = approval.covered();
        let shown =
            |task: &&Task| task.children.is_empty() && (task.done || task.skipped.is_some());
        let mut open: BTreeSet<&str> = file
            .tasks
            .iter()
            .filter(shown)
            .map(|t| t.id.as_str())
            .collect();
        open.retain(|id| covered.contains_key(*id));
        let mut found = BTreeMap::new();
        for run in self.store.runs().of_plan(key)? {
            if open.is_empty() {
                break;
            }
            let entries = self.entries(&run.id)?;
            let Some(state) = State::replay(&entries) else {
                continue;
            };
            // The newest run that did something with a step speaks for it.
            open.retain(|id| {
                let Some(known) = state.tasks.get(*id).filter(|known| is_over(known)) else {
                    return true;
                };
                if state.covered.get(*id) == covered.get(*id)
                    && let Some(end) = end_of(known)
                {
                    let has_passed = known.checks.values().all(|check| check.ok);
                    let evidence = match &known.earlier_run {
                        Some(run) => Evidence {
                            run: run.clone(),
                            end,
                            is_checked: known.was_checked,
                        },
                        None => Evidence {
                            run: run.id.clone(),
                            end,
                            is_checked: has_passed && !known.checks.is_empty(),
                        },
                    };
                    found.insert((*id).to_owned(), evidence);
                }
                false
            });
        }
        drop_open_gates(&approval.plan, &mut found);
        Ok(found)
    }

    /// What earlier runs carried out of the steps that the file shows as open: calls that succeeded, in
    /// steps that came to no end, or whose end the file never showed. An open box that was ticked once is
    /// the person's word to carry the step out anew.
    pub(crate) fn half_done(
        &self,
        key: &str,
        approval: &Approval,
        file: &Plan,
    ) -> Result<BTreeMap<String, HalfDone>> {
        let shown = |task: &Task| {
            let shown = file.task(&task.id);
            shown.is_some_and(|shown| shown.done || shown.skipped.is_some())
        };
        let leaves = approval.plan.leaves().map(|(_, task)| task);
        let mut open: Vec<&Task> = leaves
            .filter(|task| !task.calls.is_empty() && !shown(task))
            .collect();
        let mut found = BTreeMap::new();
        for run in self.store.runs().of_plan(key)? {
            if open.is_empty() {
                break;
            }
            let entries = self.entries(&run.id)?;
            let Some(state) = State::replay(&entries) else {
                continue;
            };
            open.retain(|task| {
                let id = task.id.as_str();
                let Some(known) = state.tasks.get(id) else {
                    return true;
                };
                let tick = PlanEdit::Tick {
                    task: id.to_owned(),
                };
                if known.undone
                    || matches!(known.standing, Standing::Skipped(_))
                    || (known.standing == Standing::Done && state.edits.contains(&tick))
                {
                    return false;
                }
                let lines = carried_out(task, known, &entries);
                if lines.is_empty() {
                    return true;
                }
                let run = run.id.clone();
                found.insert(id.to_owned(), HalfDone { run, lines });
                false
            });
        }
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
        let found = self.evidence(key, approval, file)?;
        let graph = Graph::of(&approval.plan);
        Ok(scope.iter().all(|index| {
            let task = &approval.plan.tasks[*index];
            found.contains_key(task.id.as_str())
                || is_other_branch(&approval.plan, &graph, *index, &found)
        }))
    }
}

/// The calls that succeeded in a run and that the step, as it is approved now, would make again.
fn carried_out(task: &Task, known: &TaskState, entries: &[Entry]) -> Vec<String> {
    let calls = task
        .calls
        .iter()
        .filter_map(|call| call.parsed.as_ref().ok());
    let changing = calls.filter(|call| !call.tool.is_read_only());
    let again: BTreeSet<String> = changing.map(ToolCall::to_line).collect();
    let intended = entries.iter().filter_map(|entry| match entry {
        Entry::Intended {
            task: of,
            call,
            line,
            ..
        } if *of == task.id.0 => Some((*call, line)),
        _ => None,
    });
    let intended: BTreeMap<usize, &String> = intended.collect();
    let ended = known.calls.iter().filter(|(_, outcome)| outcome.ok);
    let lines = ended.filter_map(|(call, _)| intended.get(call).copied());
    lines
        .filter(|line| again.contains(*line))
        .cloned()
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
    let is_gate = |task: &Task| matches!(task.kind, TaskKind::Checkpoint | TaskKind::Decision);
    let gates: Vec<String> = plan
        .leaves()
        .filter(|(_, task)| is_gate(task))
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
    let branches = graph.branch_of(leaf);
    branches.iter().any(|(decision, _)| {
        let task = &plan.tasks[*decision];
        let Some(Evidence {
            end: EarlierEnd::Decided { label },
            ..
        }) = found.get(task.id.as_str())
        else {
            return false;
        };
        let chosen = task
            .options
            .iter()
            .position(|option| option.label == *label);
        chosen.is_some_and(|chosen| !branches.contains(&(*decision, chosen)))
    })
}

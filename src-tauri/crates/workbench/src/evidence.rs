//! Evidence from earlier runs about the steps of a plan that is about to run again.
//!
//! A step marked as done in the file counts as done only if a run of the same plan recorded it with
//! the same fingerprint. Any other mark is a claim, which the run asks about. A step that was
//! carried out is never repeated without asking. It is recognized by what it does, in runs of the
//! same plan in this workspace, under any file name, ID or numbering (see [`plan::identity`] for
//! what "same" means).

use std::collections::{BTreeMap, BTreeSet};

use agent::journal::{EarlierEnd, EndState, Evidence, HalfDone, SkippedBy};
use agent::run::state::{Standing, State, TaskState};
use plan::graph::Graph;
use plan::identity::{self, RunRecord};
use plan::{Plan, Task};

use crate::Workbench;
use crate::approval::{Approval, dependents};
use crate::clock::date_of_day;
use crate::error::Result;
use crate::opening::Opened;

/// Maximum number of runs of a workspace that are searched; the workspace's notes cover older ones.
const MAX_RUNS: usize = 400;

/// What earlier runs recorded about the steps of a plan.
#[derive(Debug, Default)]
pub struct EarlierRuns {
    /// By step ID, evidence for steps that the file shows as done, skipped or decided.
    pub evidence: BTreeMap<String, Evidence>,
    /// By step ID, records of other steps that were at least partly carried out.
    pub(crate) half_done: BTreeMap<String, HalfDone>,
    /// The steps shown as skipped because a decision excluded them.
    pub(crate) left_out: BTreeSet<String>,
    /// Whether part of the last run's journal is missing.
    pub(crate) is_cut: bool,
}

impl Workbench {
    /// Compares what earlier runs recorded with what the file shows.
    pub fn earlier(&self, opened: &Opened, approval: &Approval) -> Result<EarlierRuns> {
        let (covered, file) = (approval.covered(), &opened.plan);
        let mut names = identity::names(&approval.plan, &opened.file.relative);
        names.extend(identity::steps_name(&approval.plan));
        let workspace = opened.workspace.path().display().to_string();
        let mut left: Vec<&Task> = approval.plan.leaves().map(|(_, task)| task).collect();
        left.retain(|task| file.task(&task.id).is_some_and(is_shown));
        let mut found = EarlierRuns::default();
        let mut records = Vec::new();
        let mut is_cut = None;
        for run in self.store.runs().of_workspace(&workspace, MAX_RUNS)? {
            if run.plan != opened.file.key() && self.names_of(&run).is_disjoint(&names) {
                continue;
            }
            let entries = self.entries(&run.id)?;
            let Some(state) = State::replay(&entries) else {
                continue;
            };
            is_cut.get_or_insert(state.is_cut && run.state != EndState::Done.as_str());
            records.push(self.record_of(&run, &entries, &state));
            // Only the newest run that acted on a step counts.
            left.retain(|task| {
                let id = task.id.as_str();
                let Some(known) = state.tasks.get(id) else {
                    return true;
                };
                let is_same = state.covered.get(id) == covered.get(id);
                let end = end_of(known).filter(|_| is_same);
                let evidence = end.map(|end| evidence(&run.id, end, known));
                found
                    .evidence
                    .extend(evidence.map(|evidence| (id.to_owned(), evidence)));
                if is_same && known.standing == Standing::Skipped(SkippedBy::Branch) {
                    found.left_out.insert(id.to_owned());
                }
                matches!(known.standing, Standing::Pending)
            });
        }
        let is_known = |of: &RunRecord| records.iter().any(|own: &RunRecord| own.run == of.run);
        let mut elsewhere = self.records_elsewhere(&opened.workspace, &names)?;
        elsewhere.retain(|record| !is_known(record));
        records.extend(elsewhere);
        for (id, known) in identity::recorded_steps(&records, &approval.plan, &covered, file) {
            if found.evidence.contains_key(&id.0) || found.left_out.contains(&id.0) {
                continue;
            }
            let earlier = HalfDone {
                run: known.run.0,
                on: date_of_day(known.run.1.div_euclid(86_400_000)),
                lines: known.lines,
                is_done: known.is_over,
                is_changed: known.is_changed,
            };
            found.half_done.insert(id.0, earlier);
        }
        drop_open_gates(&approval.plan, &mut found.evidence);
        found.is_cut = is_cut.unwrap_or_default();
        Ok(found)
    }

    /// Whether earlier runs carried out everything in scope, so that there is nothing to run.
    pub fn is_carried_out(
        &self,
        opened: &Opened,
        approval: &Approval,
        upto: Option<&str>,
    ) -> Result<bool> {
        let scope = agent::run::scope(&approval.plan, upto);
        // The file may show more steps as done than were recorded, but not fewer.
        let shown = |index: &usize| {
            let task = opened.plan.task(&approval.plan.tasks[*index].id);
            task.is_some_and(is_shown)
        };
        if scope.is_empty() || !scope.iter().all(shown) {
            return Ok(false);
        }
        let found = self.earlier(opened, approval)?.evidence;
        let graph = Graph::of(&approval.plan);
        Ok(scope.iter().all(|index| {
            let task = &approval.plan.tasks[*index];
            found.contains_key(task.id.as_str())
                || is_other_branch(&approval.plan, &graph, *index, &found)
        }))
    }
}

/// The evidence from one run's record of a step.
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

fn is_shown(task: &Task) -> bool {
    task.done || task.skipped.is_some()
}

/// The outcome of a step, if it is one that later runs accept.
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

/// Removes the answers to gates before unfinished steps, so that the new run asks about these gates
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

/// Whether an earlier decision excludes this leaf step.
pub fn is_other_branch(
    plan: &Plan,
    graph: &Graph,
    leaf: usize,
    found: &BTreeMap<String, Evidence>,
) -> bool {
    let answer = |decision: &Task| match &found.get(decision.id.as_str())?.end {
        EarlierEnd::Decided { label } => Some(label.as_str()),
        _ => None,
    };
    graph.skipped_by(plan, leaf, answer).is_some()
}

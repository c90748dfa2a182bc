//! What earlier runs recorded of the steps that are about to be run again.
//!
//! A step that the file shows as done counts as such only where a run of the same plan recorded it under the
//! same fingerprint; everything else in the file is a claim, which the run asks about. What was carried out
//! is never carried out again unasked: it is known by what it does, in runs of the same plan in this
//! workspace, under whatever file name, id or numbers (see [`plan::identity`] for what "same" means).

use std::collections::{BTreeMap, BTreeSet};

use agent::journal::{EarlierEnd, EndState, Evidence, HalfDone, SkippedBy};
use agent::run::state::{Standing, State, TaskState};
use plan::graph::Graph;
use plan::{Plan, Task, identity};

use crate::Workbench;
use crate::approval::{Approval, Covered, dependents};
use crate::clock::date_of_day;
use crate::error::Result;
use crate::opening::Opened;
use crate::run_record::{RunRecord, StepRecord};

/// Runs of a workspace that are looked through, at most; what older ones did stands in the workspace's notes.
const MAX_RUNS: usize = 400;

/// A step that some run carried out.
type Done<'r> = (&'r RunRecord, &'r StepRecord);

/// What earlier runs recorded of the steps of a plan.
#[derive(Debug, Default)]
pub(crate) struct Earlier {
    /// Of those that the file shows as done, skipped or decided.
    pub(crate) evidence: BTreeMap<String, Evidence>,
    /// Of the others: what was carried out.
    pub(crate) half_done: BTreeMap<String, HalfDone>,
    /// Those that it shows as skipped because a decision left them out then.
    pub(crate) left_out: BTreeSet<String>,
    /// Whether a part of the last run's record is lost.
    pub(crate) is_cut: bool,
}

impl Workbench {
    /// What earlier runs of the plan recorded of the steps, against what the file shows.
    pub(crate) fn earlier(&self, opened: &Opened, approval: &Approval) -> Result<Earlier> {
        let (covered, file) = (approval.covered(), &opened.plan);
        let names = identity::names(&approval.plan, &opened.file.relative);
        let workspace = opened.workspace.path().display().to_string();
        let mut left: Vec<&Task> = approval.plan.leaves().map(|(_, task)| task).collect();
        left.retain(|task| file.task(&task.id).is_some_and(is_shown));
        let mut found = Earlier::default();
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
            // The newest run that did something with a step speaks for it.
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
        let is_own =
            |record: &RunRecord, all: &[RunRecord]| all.iter().any(|own| own.run == record.run);
        let mut elsewhere = self.records_elsewhere(&opened.workspace, &names)?;
        elsewhere.retain(|record| !is_own(record, &records));
        records.extend(elsewhere);
        found.half_done = half_done(&records, approval, file, &covered, &found);
        drop_open_gates(&approval.plan, &mut found.evidence);
        found.is_cut = is_cut.unwrap_or_default();
        Ok(found)
    }

    /// Whether earlier runs have carried out everything in scope, so that there is nothing to run.
    pub(crate) fn is_carried_out(
        &self,
        opened: &Opened,
        approval: &Approval,
        upto: Option<&str>,
    ) -> Result<bool> {
        let scope = agent::run::scope(&approval.plan, upto);
        // The file shows at least as much as was recorded.
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

/// What was carried out of the steps that have no evidence: of an open one by what it does, which would
/// happen again, of one that the file shows as done by its id too. What a step does belongs to the step of
/// that id as long as the plan has it; only then to another one.
fn half_done(
    records: &[RunRecord],
    approval: &Approval,
    file: &Plan,
    covered: &Covered,
    found: &Earlier,
) -> BTreeMap<String, HalfDone> {
    let leaves = approval.plan.leaves().map(|(_, task)| task);
    let own: Vec<(&Task, Vec<(String, Option<String>)>)> = leaves
        .filter(|task| !task.is_pause())
        .map(|task| {
            let acts = identity::acts(task).into_iter();
            let acts = acts.map(|(act, line)| (act, Some(line)));
            // What a person or a model does is known by the words alone.
            let print = covered.get(&task.id.0).filter(|_| task.calls.is_empty());
            (
                task,
                acts.chain(print.map(|print| (print.clone(), None)))
                    .collect(),
            )
        })
        .collect();
    // The newest run that began something, or took it back, speaks for it.
    let mut done: BTreeMap<&str, Done<'_>> = BTreeMap::new();
    let mut acts: BTreeMap<(&str, &str), Done<'_>> = BTreeMap::new();
    for (record, step) in records
        .iter()
        .flat_map(|of| of.steps.iter().map(move |step| (of, step)))
    {
        let is_over = step.is_done || step.is_skipped || step.is_undone;
        for act in step
            .acts
            .iter()
            .chain((is_over && !step.is_skipped).then_some(&step.print))
        {
            let _ = acts.entry((&step.task, act)).or_insert((record, step));
        }
        if is_over {
            let _ = done.entry(&step.task).or_insert((record, step));
        }
    }
    let is_owned = |task: &str, act: &str| {
        let mut owners = own.iter().filter(|(owner, _)| owner.id.as_str() == task);
        owners.any(|(_, acts)| acts.iter().any(|(own, _)| own == act))
    };
    let mut orphans: Vec<(&str, Done<'_>)> = Vec::new();
    for ((task, act), by) in &acts {
        if !is_owned(task, act) {
            orphans.push((act, *by));
        }
    }
    let mut half_done = BTreeMap::new();
    for (task, wanted) in &own {
        let id = task.id.as_str();
        if found.evidence.contains_key(id) || found.left_out.contains(id) {
            continue;
        }
        let mut lines = Vec::new();
        let mut by: Vec<Done<'_>> = Vec::new();
        for (act, line) in wanted {
            let of_orphan = || {
                let at = orphans.iter().position(|(orphan, _)| orphan == act)?;
                Some(orphans.remove(at).1)
            };
            let known = acts.get(&(id, act.as_str())).copied().or_else(of_orphan);
            if let Some(known) = known.filter(|(_, step)| !step.is_undone) {
                lines.extend(line.clone());
                by.push(known);
            }
        }
        let mut is_done = by.len() == wanted.len() && by.iter().all(|(_, step)| step.is_done);
        // What the file shows may be on record under other words.
        let shown = file.task(&task.id).filter(|shown| is_shown(shown));
        let on_record = shown.and_then(|shown| {
            let (_, step) = done.get(id)?;
            (if shown.done {
                step.is_done
            } else {
                step.is_skipped
            })
            .then(|| done[id])
        });
        if let Some(known) = on_record.filter(|_| !is_done || by.is_empty()) {
            (by, is_done) = (vec![known], true);
        }
        let Some((record, _)) = by.first() else {
            continue;
        };
        let print = covered.get(id);
        let earlier = HalfDone {
            run: record.run.clone(),
            on: date_of_day(record.at_ms.div_euclid(86_400_000)),
            lines,
            is_done,
            is_changed: by.iter().any(|(_, step)| Some(&step.print) != print),
        };
        half_done.insert(id.to_owned(), earlier);
    }
    half_done
}

fn is_shown(task: &Task) -> bool {
    task.done || task.skipped.is_some()
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

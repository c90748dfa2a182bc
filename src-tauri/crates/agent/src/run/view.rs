//! The two versions of the plan that a run uses: the approved snapshot, which is carried out, and
//! the file on disk, which shows the progress and is watched for changes.

use std::collections::BTreeMap;

use plan::coverage::{self, Fingerprint, Reason, differences, structure};
use plan::graph::Graph;
use plan::{DecisionRecord, Plan, Task, TaskId, edit};

use super::Config;
use super::state::{Standing, State};
use crate::journal::Addition;
use crate::micro_planning;

/// The approved snapshot plus the steps that the run added. Whether steps are done, skipped or
/// decided is determined only by the run's records.
#[derive(Debug)]
pub(super) struct PlanView {
    pub(super) plan: Plan,
    pub(super) graph: Graph,
    pub(super) revision: String,
    pub(super) fingerprints: BTreeMap<TaskId, String>,
    /// For each task, the checkpoints and decisions that it depends on, directly or indirectly.
    pub(super) gates: Vec<Vec<usize>>,
    /// The text including the added steps; checkboxes and records in it are ignored.
    text: String,
}

impl PlanView {
    pub(super) fn task(&self, id: &str) -> Option<&Task> {
        self.plan.tasks.iter().find(|task| task.id.as_str() == id)
    }

    pub(super) fn new(text: String, revision: String) -> Self {
        let (plan, _) = plan::parse(&text);
        let graph = Graph::of(&plan);
        let mut gates = vec![Vec::new(); plan.tasks.len()];
        for (gate, _) in plan.leaves().filter(|(_, task)| task.is_pause()) {
            for after in graph.dependents(gate) {
                gates[after].push(gate);
            }
        }
        Self {
            graph,
            gates,
            fingerprints: fingerprints(&text, &plan),
            plan,
            revision,
            text,
        }
    }

    /// The text if the plan may grow; otherwise empty.
    pub(super) fn text(&self, config: &Config) -> &str {
        match config.may_grow(&self.plan) {
            true => &self.text,
            false => "",
        }
    }

    /// A copy of the view with added steps. The error says why the steps can't be written into this
    /// plan.
    pub(super) fn with(&self, addition: &Addition) -> Result<Self, edit::EditError> {
        let splices = micro_planning::splices(&self.text, addition)?;
        let text = edit::apply(&self.text, &splices)?.text;
        Ok(Self::new(text, self.revision.clone()))
    }

    /// Updates which steps are done, skipped or decided, using only the run's records.
    pub(super) fn show(&mut self, state: &State) {
        for task in &mut self.plan.tasks {
            let known = state.task(&task.id);
            task.done = known.is_some_and(|known| known.standing == Standing::Done);
            task.skipped = known
                .filter(|known| matches!(known.standing, Standing::Skipped(_)))
                .map(|known| known.reason.clone().unwrap_or_default());
        }
        // A group is done when all its leaves are. Children come after their group, so iterate
        // backward.
        for index in (0..self.plan.tasks.len()).rev() {
            let children = &self.plan.tasks[index].children;
            let over = |child: &usize| {
                let child = &self.plan.tasks[*child];
                child.done || child.skipped.is_some()
            };
            if !children.is_empty() {
                self.plan.tasks[index].done = children.iter().all(over);
            }
        }
        self.plan.decisions = state
            .tasks
            .iter()
            .filter_map(|(id, known)| {
                Some(DecisionRecord {
                    task: TaskId(id.clone()),
                    answer: Some(known.decided.clone()?),
                    detail: String::new(),
                    line: 0,
                    span: 0..0,
                })
            })
            .collect();
    }

    /// The step after which to insert a new one: the last finished top-level step or, if there is
    /// none, the last step.
    pub(super) fn last_done(&self) -> Option<String> {
        let top = || self.plan.tasks.iter().filter(|task| task.parent.is_none());
        let last = top().rfind(|task| task.done).or_else(|| top().next_back());
        last.map(|task| task.id.0.clone())
    }
}

/// The plan file as last read.
#[derive(Debug)]
pub(super) struct FileView {
    pub(super) plan: Plan,
    pub(super) revision: String,
    pub(super) fingerprints: BTreeMap<TaskId, String>,
    /// Steps that the approval no longer covers, with the reasons.
    pub(super) uncovered: BTreeMap<TaskId, String>,
    /// Descriptions of structural differences between the file and the approved plan.
    pub(super) changes: Vec<String>,
    /// Descriptions of changed steps and of changed text above the steps.
    pub(super) rewordings: Vec<String>,
}

impl FileView {
    /// Compares the text of the file with the approved plan. A changed step that a person has
    /// accepted stays covered until its text in the file changes again.
    pub(super) fn read(
        text: &str,
        revision: String,
        approved: &PlanView,
        kept: &BTreeMap<String, String>,
    ) -> Self {
        let (plan, _) = plan::parse(text);
        let fingerprints = fingerprints(text, &plan);
        let prints = approved.fingerprints.iter().map(|(id, print)| {
            let kept = kept.get(id.as_str());
            let is_seen = kept.filter(|kept| fingerprints.get(id) == Some(kept));
            (id.clone(), Fingerprint(is_seen.unwrap_or(print).clone()))
        });
        let found = coverage::uncovered(&prints.collect(), text, &plan);
        let mut rewordings = Vec::new();
        let mut words: BTreeMap<TaskId, String> = BTreeMap::new();
        if found.iter().any(|found| found.reason == Reason::Changed) {
            // Parse the approved text again, because the parsed plan already includes the run's
            // records.
            let (was, _) = plan::parse(&approved.text);
            let (was, is) = ((&*approved.text, &was), (text, &plan));
            rewordings = differences::above_tasks(was, is);
            let changed = found.iter().filter(|found| found.reason == Reason::Changed);
            let said = |found: &coverage::Uncovered| {
                Some((
                    found.task.clone(),
                    differences::of_step(was, is, &found.task)?,
                ))
            };
            words = changed.filter_map(said).collect();
        }
        let above = rewordings.join("; ");
        let reason = |found: &coverage::Uncovered| match (&found.reason, words.get(&found.task)) {
            (Reason::Changed, Some(words)) => words.clone(),
            (Reason::Changed, None) if !above.is_empty() => above.clone(),
            (reason, _) => reason.to_string(),
        };
        let mut uncovered: BTreeMap<TaskId, String> = found
            .iter()
            .map(|found| (found.task.clone(), reason(found)))
            .collect();
        // The dependencies of the approved plan apply, whatever the file says now.
        for changed in found
            .into_iter()
            .filter(|found| found.reason == Reason::Changed)
        {
            let tasks = &approved.plan.tasks;
            let Some(index) = approved.plan.index_of(&changed.task) else {
                continue;
            };
            for dependent in approved.graph.dependents(index) {
                let reason = Reason::DependsOn(changed.task.clone());
                let id = tasks[dependent].id.clone();
                uncovered.entry(id).or_insert_with(|| reason.to_string());
            }
        }
        let changes = structure::changes(&approved.plan, &plan);
        Self {
            plan,
            revision,
            fingerprints,
            uncovered,
            changes: changes.iter().map(ToString::to_string).collect(),
            rewordings: rewordings.into_iter().chain(words.into_values()).collect(),
        }
    }

    /// Whether the file contains this step unchanged, so that its progress may be written to the
    /// file.
    pub(super) fn shows(&self, approved: &PlanView, id: &TaskId) -> bool {
        let now = self.fingerprints.get(id);
        now.is_some() && now == approved.fingerprints.get(id)
    }
}

/// The fingerprint of every step in a plan, in the format that the journal stores.
pub fn fingerprints(text: &str, plan: &Plan) -> BTreeMap<TaskId, String> {
    coverage::fingerprints(text, plan)
        .into_iter()
        .map(|(id, print)| (id, print.0))
        .collect()
}

//! A possible result of the loop: the original text with some changes, and its report.

use std::collections::HashSet;

use plan::{Plan, Problem, TaskId};

use super::change::Change;
use super::combine::combine;
use super::machine::Input;
use super::merge::Edit;
use super::outcome::Standing;
use crate::check::check;
use crate::mend::{Mend, PlanEditor, places_of};
use crate::report::{CheckInput, Report};

/// A text, parsed and checked.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    pub(crate) text: String,
    pub(crate) plan: Plan,
    /// The name that the changes use for each task, in plan order: its id in the original, or the
    /// handle of a new task.
    pub(crate) names: Vec<TaskId>,
    /// All changes relative to the original.
    pub(crate) changes: Vec<Change>,
    pub(crate) report: Report,
    pub(crate) standing: Standing,
}

impl Candidate {
    /// Ids of the tasks that the earlier candidate doesn't have.
    pub(crate) fn added_since(&self, before: &Self) -> Vec<TaskId> {
        let known: HashSet<&TaskId> = before.names.iter().collect();
        let tasks = self.plan.tasks.iter().zip(&self.names);
        tasks
            .filter(|(_, name)| !known.contains(name))
            .map(|(task, _)| task.id.clone())
            .collect()
    }

    /// For each of these names, the index of the task that has it; `None` if no task does.
    pub(crate) fn places_of(&self, names: &[TaskId]) -> Vec<Option<usize>> {
        places_of(&self.names, names.iter())
    }

    /// Number of changes that were made since the earlier candidate to tasks that it already had.
    pub(crate) fn changed_since(&self, before: &Self) -> usize {
        let known: HashSet<&str> = before.names.iter().map(TaskId::as_str).collect();
        let changed = self.changes.iter().filter(|change| {
            known.contains(change.id.as_str()) && !before.changes.contains(change)
        });
        changed.count()
    }
}

/// Creates and checks all candidates of one loop in the same way.
pub(crate) struct Judge<'a> {
    input: &'a Input,
}

impl<'a> Judge<'a> {
    pub(crate) fn of(input: &'a Input) -> Self {
        Self { input }
    }

    fn report(&self, plan: &Plan, problems: &[Problem], before: Option<&Plan>) -> Report {
        check(&CheckInput {
            plan,
            problems,
            requirements: &[],
            goal: self.input.goal.as_deref(),
            depth: self.input.settings.plan_depth,
            scope: &self.input.scope,
            before,
            facts: &self.input.facts,
            has_model: self.input.has_model,
        })
    }

    /// The text that the loop starts with.
    pub(crate) fn original(&self, plan: &Plan, problems: &[Problem]) -> Candidate {
        let report = self.report(plan, problems, None);
        Candidate {
            text: self.input.text.clone(),
            names: plan.tasks.iter().map(|task| task.id.clone()).collect(),
            plan: plan.clone(),
            changes: Vec::new(),
            standing: Standing::of(plan, &report),
            report,
        }
    }

    /// The best text plus one edit; `None` if any step of the edit fails. Faster than
    /// [`Self::candidate`], because only the new steps are applied.
    pub(crate) fn tried(
        &self,
        best: &Candidate,
        edit: Edit,
        handles: &mut u32,
    ) -> Option<Candidate> {
        let mut editor = PlanEditor::of(&best.text, &best.plan);
        for mend in &edit.mends {
            editor.apply(mend).ok()?;
        }
        // `combine` numbers the new tasks in this order, so `name` must number them in the same
        // way.
        let new: Vec<&TaskId> = edit
            .mends
            .iter()
            .filter_map(|mend| match mend {
                Mend::AddTask { handle, .. } => Some(handle),
                _ => None,
            })
            .collect();
        let first = *handles;
        let name = |id: &TaskId| -> TaskId {
            let nth = new.iter().position(|handle| *handle == id);
            if let Some(nth) = nth.and_then(|nth| u32::try_from(nth).ok()) {
                return TaskId(format!("+{}", first + nth + 1));
            }
            let at = best.plan.index_of(id);
            let known = at.and_then(|at| best.names.get(at));
            known.unwrap_or(id).clone()
        };
        let names = editor.names().iter().map(name).collect();
        let (changes, left_out) = combine(best, vec![edit.clone()], handles);
        if !left_out.is_empty() {
            return None;
        }
        Some(self.judged(editor.into_text(), names, changes, &best.plan))
    }

    fn judged(
        &self,
        text: String,
        names: Vec<TaskId>,
        changes: Vec<Change>,
        base: &Plan,
    ) -> Candidate {
        let (plan, problems) = plan::parse(&text);
        let report = self.report(&plan, &problems, Some(base));
        Candidate {
            standing: Standing::of(&plan, &report),
            text,
            plan,
            names,
            changes,
            report,
        }
    }

    /// The best text plus these edits, and descriptions of the edits that could not be applied.
    pub(crate) fn candidate(
        &self,
        original: &Plan,
        best: &Candidate,
        edits: Vec<Edit>,
        handles: &mut u32,
    ) -> (Candidate, Vec<String>) {
        let (mut changes, mut left_out) = combine(best, edits, handles);
        let mut editor = PlanEditor::of(&self.input.text, original);
        for change in &mut changes {
            change.mends.retain(|mend| match editor.apply(mend) {
                Ok(()) => true,
                Err(error) => {
                    left_out.push(error.to_string());
                    false
                }
            });
        }
        changes.retain(|change| !change.mends.is_empty());
        let kept: HashSet<String> = changes.iter().map(|change| change.id.clone()).collect();
        for change in &mut changes {
            change.needs.retain(|need| kept.contains(need));
        }
        let names = editor.names().to_vec();
        let text = editor.into_text();
        let candidate = self.judged(text, names, changes, &best.plan);
        (candidate, left_out)
    }
}

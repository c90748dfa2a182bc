//! Checks the effect of a change before the change is returned.

use std::cell::OnceCell;

use super::content::{PlanContent, TaskContent, matching_plan_by};
use super::{Splice, apply, local_check};
use crate::model::{Plan, Task};
use crate::reparse::plan_after;

/// A change to one task's content, which is checked before it is made.
pub(super) struct Trial<'a> {
    text: &'a str,
    plan: &'a Plan,
    index: usize,
    /// The expected content of the task. The order of its keys doesn't matter.
    pub(super) task_content: TaskContent,
    /// Whether recorded answers may be parsed differently, because the labels of a decision's
    /// options change.
    pub(super) moves_answers: bool,
    expected: OnceCell<PlanContent>,
}

impl<'a> Trial<'a> {
    /// Starts a trial in which the task's content is expected to stay as it is.
    pub(super) fn of(text: &'a str, plan: &'a Plan, index: usize) -> Self {
        Self {
            text,
            plan,
            index,
            task_content: TaskContent::of(&plan.tasks[index]),
            moves_answers: false,
            expected: OnceCell::new(),
        }
    }

    /// Whether these splices lead to the expected content and change nothing else. Parses only the
    /// lines around the task if that is enough.
    pub(super) fn reads(&self, splices: &[Splice]) -> bool {
        let settle =
            |task_content: &mut TaskContent| task_content.fields.sort_by(|(a, _), (b, _)| a.cmp(b));
        let near = local_check::reads(
            self.text,
            self.plan,
            splices,
            self.index,
            &self.task_content,
            settle,
        );
        if let Some(reads) = near {
            return reads;
        }
        let expected = self.expected.get_or_init(|| {
            let mut expected = PlanContent::of(self.text, self.plan);
            expected.tasks[self.index].clone_from(&self.task_content);
            expected
        });
        let settle = |plan_content: &mut PlanContent| {
            if let Some(task_content) = plan_content.tasks.get_mut(self.index) {
                settle(task_content);
            }
            if self.moves_answers {
                plan_content.decisions.clear();
            }
        };
        matching_plan_by(self.text, splices, expected, settle).is_some()
    }
}

/// The plan after a change, or `None` if a task changes in a way that `expected` rejects.
/// `expected` gets each task before and after the change.
pub(super) fn try_out(
    text: &str,
    before: &Plan,
    splices: &[Splice],
    expected: impl Fn(usize, &Task, &Task) -> bool,
) -> Option<Plan> {
    let after = apply(text, splices).ok()?;
    let after = plan_after(text, before, &after.text);
    let same_tasks = before.tasks.len() == after.tasks.len()
        && before
            .tasks
            .iter()
            .zip(&after.tasks)
            .enumerate()
            .all(|(index, (was, is))| {
                was.id == is.id
                    && was.title == is.title
                    && was.marker == is.marker
                    && was.parent == is.parent
                    && was.body == is.body
                    && expected(index, was, is)
            });
    let same_page = before.front.goal == after.front.goal
        && before.title.as_ref().map(|title| &title.text)
            == after.title.as_ref().map(|title| &title.text)
        && before.requirements.len() == after.requirements.len()
        && before
            .requirements
            .iter()
            .zip(&after.requirements)
            .all(|(was, is)| was.id == is.id && was.text == is.text);
    (same_tasks && same_page).then_some(after)
}

/// Whether two tasks have the same keys and values.
pub(super) fn same_fields(was: &Task, is: &Task) -> bool {
    let fields = |task: &Task| -> Vec<(String, String)> {
        task.fields
            .iter()
            .map(|field| (field.key.to_string(), field.value.clone()))
            .collect()
    };
    was.fields.len() == is.fields.len() && (was.fields.is_empty() || fields(was) == fields(is))
}

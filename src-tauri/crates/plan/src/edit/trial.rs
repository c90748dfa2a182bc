//! Tries a change on the text before it is offered.

use std::cell::OnceCell;

use super::portrait::{Face, Portrait, reads_as_by};
use super::{Splice, apply, near};
use crate::model::{Plan, Task};
use crate::reparse::plan_after;

/// A change of what one task says.
pub(super) struct Trial<'a> {
    text: &'a str,
    plan: &'a Plan,
    index: usize,
    /// What the task is to say. The order of its keys does not matter.
    pub(super) face: Face,
    /// Whether the records of decisions may read differently: answers are read by the labels of the
    /// decision's options.
    pub(super) moves_answers: bool,
    expected: OnceCell<Portrait>,
}

impl<'a> Trial<'a> {
    /// Begins with what the task says now.
    pub(super) fn of(text: &'a str, plan: &'a Plan, index: usize) -> Self {
        Self {
            text,
            plan,
            index,
            face: Face::of(&plan.tasks[index]),
            moves_answers: false,
            expected: OnceCell::new(),
        }
    }

    /// Whether the text says that after these splices, and nothing else. Only the lines around the
    /// task are read where they can tell.
    pub(super) fn reads(&self, splices: &[Splice]) -> bool {
        let settle = |face: &mut Face| face.fields.sort_by(|(a, _), (b, _)| a.cmp(b));
        let near = near::reads(
            self.text, self.plan, splices, self.index, &self.face, settle,
        );
        if let Some(reads) = near {
            return reads;
        }
        let expected = self.expected.get_or_init(|| {
            let mut expected = Portrait::of(self.text, self.plan);
            expected.tasks[self.index].clone_from(&self.face);
            expected
        });
        let settle = |portrait: &mut Portrait| {
            if let Some(face) = portrait.tasks.get_mut(self.index) {
                settle(face);
            }
            if self.moves_answers {
                portrait.decisions.clear();
            }
        };
        reads_as_by(self.text, splices, expected, settle).is_some()
    }
}

/// The plan that a change would lead to, when it leaves every task as it was in all but `expected`.
/// `expected` gets each task as it was and as it would be.
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

/// Whether two tasks say the same under their keys.
pub(super) fn same_fields(was: &Task, is: &Task) -> bool {
    let fields = |task: &Task| -> Vec<(String, String)> {
        task.fields
            .iter()
            .map(|field| (field.key.to_string(), field.value.clone()))
            .collect()
    };
    was.fields.len() == is.fields.len() && (was.fields.is_empty() || fields(was) == fields(is))
}

//! Tries a change on the text before it is offered.

use super::{Splice, apply};
use crate::model::{Plan, Task};
use crate::parse::parse;

/// The plan that a change would lead to, when it leaves every task as it was in all but `expected`.
/// `expected` gets each task as it was and as it would be.
pub(super) fn try_out(
    text: &str,
    before: &Plan,
    splices: &[Splice],
    expected: impl Fn(usize, &Task, &Task) -> bool,
) -> Option<Plan> {
    let after = apply(text, splices).ok()?;
    let (after, _) = parse(&after.text);
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
            .map(|field| (field.key.clone(), field.value.clone()))
            .collect()
    };
    was.fields.len() == is.fields.len() && (was.fields.is_empty() || fields(was) == fields(is))
}

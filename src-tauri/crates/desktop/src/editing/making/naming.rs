//! What undo and redo call an edit.

use crate::wire::Edit;

/// Its name.
pub(in super::super) fn label(edit: &Edit) -> String {
    match edit {
        Edit::PlanTitle { .. } => "Change the plan's title".to_owned(),
        Edit::Goal { .. } => "Change the goal".to_owned(),
        Edit::Intro { .. } => "Change the introduction".to_owned(),
        Edit::Requirement { id, .. } => format!("Change requirement {id}"),
        Edit::AddRequirement { .. } => "Add a requirement".to_owned(),
        Edit::DeleteRequirement { id } => format!("Delete requirement {id}"),
        Edit::Title { task, .. } => format!("Change the title of {task}"),
        Edit::Body { task, .. } => format!("Change the text of {task}"),
        Edit::Field { task, key, .. } => format!("Change `{key}` of {task}"),
        Edit::Depends { task, .. } => format!("Change what {task} waits for"),
        Edit::AddTask { kind, .. } => format!("Add a {kind}"),
        Edit::DeleteTask { task } => format!("Delete {task}"),
        Edit::MoveTask { task, .. } => format!("Move {task}"),
        Edit::SplitTask { task, .. } => format!("Split {task}"),
        Edit::MergeTasks { into, task } => format!("Merge {task} into {into}"),
        Edit::Indent { task } => format!("Indent {task}"),
        Edit::Outdent { task } => format!("Outdent {task}"),
        Edit::Kind { task, kind } => format!("Make {task} a {kind}"),
        Edit::Connect { from, to } => format!("Let {to} wait for {from}"),
        Edit::Disconnect { from, to } => format!("Let {to} no longer wait for {from}"),
        Edit::Tick { task, done: true } => format!("Tick {task}"),
        Edit::Tick { task, done: false } => format!("Untick {task}"),
        Edit::MakeTasks { from } => format!("Make tasks from {from}"),
        Edit::Convert => "Bring the plan into Planwright's format".to_owned(),
        Edit::Many { edits } => of_many(edits),
        Edit::Skip { task, reason } => match reason {
            Some(_) => format!("Leave out {task}"),
            None => format!("Take {task} in again"),
        },
    }
}

fn of_many(edits: &[Edit]) -> String {
    let count = edits.len();
    if let [edit] = edits {
        return label(edit);
    }
    let all = |is: fn(&Edit) -> bool| edits.iter().all(is);
    let verb = match () {
        () if all(|edit| matches!(edit, Edit::DeleteTask { .. })) => "Delete",
        () if all(|edit| matches!(edit, Edit::MoveTask { .. })) => "Move",
        () if all(|edit| matches!(edit, Edit::Indent { .. })) => "Indent",
        () if all(|edit| matches!(edit, Edit::Outdent { .. })) => "Outdent",
        () if all(|edit| matches!(edit, Edit::Tick { done: true, .. })) => "Tick",
        () if all(|edit| matches!(edit, Edit::Tick { done: false, .. })) => "Untick",
        () if all(|edit| {
            matches!(
                edit,
                Edit::Skip {
                    reason: Some(_),
                    ..
                }
            )
        }) =>
        {
            "Leave out"
        }
        () => return format!("Make {count} changes"),
    };
    format!("{verb} {count} tasks")
}

/// Whether edits of this kind that follow each other closely are one: those that are written while
/// somebody types.
pub(in super::super) fn goes_on(edit: &Edit) -> bool {
    matches!(
        edit,
        Edit::PlanTitle { .. }
            | Edit::Goal { .. }
            | Edit::Intro { .. }
            | Edit::Requirement { .. }
            | Edit::Title { .. }
            | Edit::Body { .. }
            | Edit::Field { .. }
    )
}

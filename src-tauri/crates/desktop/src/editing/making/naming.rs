//! Labels of edits for undo and redo.

use crate::wire::Edit;

/// The edit's label.
pub(in super::super) fn label(edit: &Edit) -> String {
    match edit {
        Edit::PlanTitle { .. } => "Change the plan's title".to_owned(),
        Edit::Goal { .. } => "Change the goal".to_owned(),
        Edit::Intro { .. } => "Change the introduction".to_owned(),
        Edit::Requirement { id, .. } => format!("Change requirement {id}"),
        Edit::AddRequirement { .. } => "Add a requirement".to_owned(),
        Edit::DeleteRequirement { id } => format!("Delete requirement {id}"),
        Edit::Title { task, .. } => format!("Change the title of {task}"),
        Edit::Body { task, .. } => format!("Change the notes of {task}"),
        Edit::Field { task, key, .. } => format!("Change `{key}` of {task}"),
        Edit::Depends { task, .. } => format!("Change dependencies of {task}"),
        Edit::AddTask { kind, .. } => format!("Add a {}", noun(kind)),
        Edit::DeleteTask { task } => format!("Delete {task}"),
        Edit::MoveTask { task, .. } => format!("Move {task}"),
        Edit::SplitTask { task, .. } => format!("Split {task}"),
        Edit::MergeTasks { into, task } => format!("Merge {task} into {into}"),
        Edit::Indent { task } => format!("Indent {task}"),
        Edit::Outdent { task } => format!("Outdent {task}"),
        Edit::Kind { task, kind } => format!("Make {task} a {}", noun(kind)),
        Edit::Connect { from, to } => format!("Make {to} depend on {from}"),
        Edit::Disconnect { from, to } => format!("Remove {to}'s dependency on {from}"),
        Edit::Tick { task, done: true } => format!("Mark {task} as done"),
        Edit::Tick { task, done: false } => format!("Mark {task} as not done"),
        Edit::MakeTasks { from } => format!("Convert {from} to steps"),
        Edit::Convert => "Convert to Planwright's format".to_owned(),
        Edit::Many { edits } => of_many(edits),
        Edit::Skip { task, reason } => match reason {
            Some(_) => format!("Skip {task}"),
            None => format!("Unskip {task}"),
        },
    }
}

/// The name of a kind on screen.
fn noun(kind: &str) -> &str {
    match kind {
        "task" => "step",
        other => other,
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
        () if all(|edit| matches!(edit, Edit::Tick { done: true, .. })) => {
            return format!("Mark {count} steps as done");
        }
        () if all(|edit| matches!(edit, Edit::Tick { done: false, .. })) => {
            return format!("Mark {count} steps as not done");
        }
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
            "Skip"
        }
        () => return format!("Make {count} changes"),
    };
    format!("{verb} {count} steps")
}

/// Whether consecutive edits of this kind form one undo step, as when typing.
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

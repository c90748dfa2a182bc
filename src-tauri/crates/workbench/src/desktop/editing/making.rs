//! What an edit means on one text: its splices, its name, and what it touches.

use plan::edit::{self, EditError, NewTask, Place, Splice};
use plan::{IdOrigin, Plan, Task, TaskId, TaskKind};

use crate::desktop::document::ParsedPlan;
use crate::wire::window::{Edit, TaskPlace};

/// An edit as splices.
#[derive(Debug)]
pub(super) struct Made {
    pub(super) splices: Vec<Splice>,
    /// The task that was added or moved, under its id then.
    pub(super) task: Option<String>,
}

impl From<Vec<Splice>> for Made {
    fn from(splices: Vec<Splice>) -> Self {
        let task = None;
        Self { splices, task }
    }
}

/// Makes an edit on a text.
pub(super) fn make(text: &str, plan: &Plan, edit: &Edit) -> Result<Made, EditError> {
    let id = |task: &String| TaskId(task.clone());
    let splices = match edit {
        Edit::PlanTitle { text: words } => edit::set_plan_title(text, plan, words)?,
        Edit::Goal { text: words } => edit::set_goal(text, plan, words)?,
        Edit::Intro { text: words } => edit::set_intro(text, plan, words)?,
        Edit::Requirement { id, text: words } => edit::set_requirement(text, plan, id, words)?,
        Edit::AddRequirement { text: words } => edit::add_requirement(text, plan, words)?.splices,
        Edit::DeleteRequirement { id } => edit::delete_requirement(text, plan, id)?,
        Edit::Title { task, text: words } => edit::set_title(text, plan, &id(task), words)?,
        Edit::Body { task, text: words } => edit::set_body(text, plan, &id(task), words)?,
        Edit::Field { task, key, values } => edit::set_field(text, plan, &id(task), key, values)?,
        Edit::Depends { task, on } => {
            let on: Option<Vec<TaskId>> = on.as_ref().map(|on| on.iter().map(id).collect());
            edit::set_depends(text, plan, &id(task), on.as_deref())?
        }
        Edit::AddTask { place, title, kind } => {
            let task = NewTask {
                title: title.clone(),
                kind: kind_of(kind)?,
            };
            let named = edit::add_task(text, plan, &place_of(place), &task)?;
            return Ok(Made {
                splices: named.splices,
                task: Some(named.id.0),
            });
        }
        Edit::DeleteTask { task } => edit::delete_task(text, plan, &id(task))?,
        Edit::MoveTask { task, place } => {
            let named = edit::move_task(text, plan, &id(task), &place_of(place))?;
            return Ok(Made {
                splices: named.splices,
                task: Some(named.id.0),
            });
        }
        Edit::SplitTask { .. }
        | Edit::MergeTasks { .. }
        | Edit::Indent { .. }
        | Edit::Outdent { .. }
        | Edit::Kind { .. }
        | Edit::Connect { .. }
        | Edit::Disconnect { .. }
        | Edit::Tick { .. }
        | Edit::MakeTasks { .. }
        | Edit::Convert
        | Edit::Many { .. } => return Err(EditError::Empty { what: "edit" }),
        Edit::Skip { task, reason } => match reason {
            Some(reason) => edit::skip(text, plan, &id(task), reason)?,
            None => edit::unskip(text, plan, &id(task))?,
        },
    };
    Ok(splices.into())
}

fn kind_of(kind: &str) -> Result<TaskKind, EditError> {
    match kind {
        "task" => Ok(TaskKind::Normal),
        "checkpoint" => Ok(TaskKind::Checkpoint),
        "decision" => Ok(TaskKind::Decision),
        other => Err(EditError::BadValue {
            key: "type".to_owned(),
            rule: "is task, checkpoint or decision",
            value: other.to_owned(),
        }),
    }
}

fn place_of(place: &TaskPlace) -> Place {
    match place {
        TaskPlace::First => Place::First,
        // Not built.
        TaskPlace::Before { task } => Place::After(TaskId(task.clone())),
        TaskPlace::After { task } => Place::After(TaskId(task.clone())),
        TaskPlace::Under { task } => Place::Under(TaskId(task.clone())),
    }
}

/// What undo and redo call it.
pub(super) fn label(edit: &Edit) -> String {
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
        Edit::SplitTask { .. }
        | Edit::MergeTasks { .. }
        | Edit::Indent { .. }
        | Edit::Outdent { .. }
        | Edit::Kind { .. }
        | Edit::Connect { .. }
        | Edit::Disconnect { .. }
        | Edit::Tick { .. }
        | Edit::MakeTasks { .. }
        | Edit::Convert
        | Edit::Many { .. } => String::new(),
        Edit::Skip { task, reason } => match reason {
            Some(_) => format!("Leave out {task}"),
            None => format!("Take {task} in again"),
        },
    }
}

/// Whether edits of this kind that follow each other closely are one: those that are written while
/// somebody types.
pub(super) fn goes_on(edit: &Edit) -> bool {
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

/// What an edit touches, as it reads in a revision; `None` where it is not there at all. An edit that
/// was made on one revision can be made on another in which this reads the same.
pub(super) fn touched(parsed: &ParsedPlan, edit: &Edit) -> Option<Vec<String>> {
    let plan = &parsed.plan;
    let requirement = |id: &str| plan.requirements.iter().find(|one| one.id == id);
    let task = |id: &str| Some(&plan.tasks[parsed.index_of(id)?]);
    // What is only counted is another task where tasks came or went above.
    let identity = |task: &Task| match task.id_origin {
        IdOrigin::Written => task.id.to_string(),
        IdOrigin::Positional => parsed.text()[task.span.clone()].to_owned(),
    };
    let name = |at: Option<usize>| at.map_or(String::new(), |at| plan.tasks[at].id.to_string());
    let place = |place: &TaskPlace| match place {
        TaskPlace::First => Some("first".to_owned()),
        TaskPlace::Before { task: id }
        | TaskPlace::After { task: id }
        | TaskPlace::Under { task: id } => task(id).map(identity),
    };
    let of_task = |id: &str, values: &dyn Fn(&Task) -> Vec<String>| {
        let task = task(id)?;
        let mut touched = vec![identity(task)];
        touched.extend(values(task));
        Some(touched)
    };
    match edit {
        Edit::PlanTitle { .. } => Some(plan.title.iter().map(|one| one.text.clone()).collect()),
        Edit::Goal { .. } => Some(plan.front.goal.iter().cloned().collect()),
        Edit::Intro { .. } => {
            let intro = edit::intro(parsed.text(), plan);
            Some(
                intro
                    .map(|at| parsed.text()[at].to_owned())
                    .into_iter()
                    .collect(),
            )
        }
        Edit::Requirement { id, .. } | Edit::DeleteRequirement { id } => {
            requirement(id).map(|one| vec![one.text.clone()])
        }
        Edit::AddRequirement { .. } => Some(Vec::new()),
        Edit::Title { task, .. } => of_task(task, &|task| vec![task.title.clone()]),
        Edit::Body { task, .. } => of_task(task, &|task| vec![task.body.clone()]),
        Edit::Field { task, key, .. } => of_task(task, &|task| {
            let key = key.to_ascii_lowercase();
            task.values(&key).map(str::to_owned).collect()
        }),
        Edit::Depends { task, .. } => of_task(task, &|task| {
            task.values("depends").map(str::to_owned).collect()
        }),
        Edit::AddTask { place: at, .. } => place(at).map(|at| vec![at]),
        Edit::DeleteTask { task } => of_task(task, &|task| {
            vec![parsed.text()[task.span.clone()].to_owned()]
        }),
        Edit::MoveTask {
            task: id,
            place: at,
        } => {
            let index = parsed.index_of(id)?;
            let task = &plan.tasks[index];
            let siblings = task.parent.map(|parent| &plan.tasks[parent].children);
            let above = match siblings {
                Some(siblings) => siblings.iter().rev().find(|at| **at < index).copied(),
                None => (0..index).rev().find(|at| plan.tasks[*at].parent.is_none()),
            };
            Some(vec![
                identity(task),
                name(task.parent),
                name(above),
                place(at)?,
            ])
        }
        Edit::SplitTask { .. }
        | Edit::MergeTasks { .. }
        | Edit::Indent { .. }
        | Edit::Outdent { .. }
        | Edit::Kind { .. }
        | Edit::Connect { .. }
        | Edit::Disconnect { .. }
        | Edit::Tick { .. }
        | Edit::MakeTasks { .. }
        | Edit::Convert
        | Edit::Many { .. } => None,
        Edit::Skip { task, .. } => of_task(task, &|task| task.skipped.iter().cloned().collect()),
    }
}

/// The two sides of an edit of one value: what it wants there, and what stands there. `None` for
/// edits that are not of one value.
pub(super) fn sides(now: &ParsedPlan, edit: &Edit) -> Option<(String, String)> {
    let mine = match edit {
        Edit::PlanTitle { text }
        | Edit::Goal { text }
        | Edit::Intro { text }
        | Edit::Requirement { text, .. }
        | Edit::Title { text, .. }
        | Edit::Body { text, .. } => text.clone(),
        Edit::Field { values, .. } => values.join("\n"),
        Edit::Depends { on, .. } => on.as_ref().map_or(String::new(), |on| match on.is_empty() {
            true => "none".to_owned(),
            false => on.join(", "),
        }),
        Edit::Skip { reason, .. } => reason.clone().unwrap_or_default(),
        Edit::AddTask { title, .. } => title.clone(),
        Edit::AddRequirement { text } => text.clone(),
        Edit::DeleteRequirement { .. } | Edit::DeleteTask { .. } | Edit::MoveTask { .. } => {
            return None;
        }
        Edit::SplitTask { .. }
        | Edit::MergeTasks { .. }
        | Edit::Indent { .. }
        | Edit::Outdent { .. }
        | Edit::Kind { .. }
        | Edit::Connect { .. }
        | Edit::Disconnect { .. }
        | Edit::Tick { .. }
        | Edit::MakeTasks { .. }
        | Edit::Convert
        | Edit::Many { .. } => return None,
    };
    let mut theirs = touched(now, edit).unwrap_or_default();
    let is_of_task = matches!(
        edit,
        Edit::Title { .. }
            | Edit::Body { .. }
            | Edit::Field { .. }
            | Edit::Depends { .. }
            | Edit::Skip { .. }
    );
    // The first value says only which task it is.
    if is_of_task && !theirs.is_empty() {
        theirs.remove(0);
    }
    Some((mine, theirs.join("\n")))
}

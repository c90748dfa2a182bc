//! Turns an edit into the new text, with a label for undo.
//!
//! Submodules: `many` combines several edits, `naming` provides the labels for undo, `touching`
//! determines what has to be unchanged for an edit of one revision to apply to another.

mod many;
mod naming;
mod touching;

use plan::edit::{self, EditError, MakeFrom, Named, NewTask, Place, Splice};
use plan::{Plan, Revision, TaskId, TaskKind};

use crate::wire::{Edit, TaskPlace};
use workbench::new_plan::slug;

pub(super) use naming::{goes_on, label};
pub(crate) use touching::sides;
pub(super) use touching::touched;

/// The result of an edit.
#[derive(Debug)]
pub(super) struct Made {
    pub(super) text: String,
    /// The task that was added or moved, by its new id.
    pub(super) task: Option<String>,
}

/// An edit as splices.
#[derive(Debug)]
struct Cut {
    splices: Vec<Splice>,
    /// The task that was added or moved, by its new id.
    task: Option<String>,
}

impl From<Vec<Splice>> for Cut {
    fn from(splices: Vec<Splice>) -> Self {
        let task = None;
        Self { splices, task }
    }
}

impl From<Named<TaskId>> for Cut {
    fn from(named: Named<TaskId>) -> Self {
        Self {
            splices: named.splices,
            task: Some(named.id.0),
        }
    }
}

/// Applies an edit to a text.
pub(super) fn make(text: &str, plan: &Plan, edit: &Edit) -> Result<Made, EditError> {
    if let Edit::Many { edits } = edit {
        return many::make(text, plan, edits);
    }
    let Cut { splices, task } = cut(text, plan, edit)?;
    let text = edit::apply(text, &splices)?.text;
    Ok(Made { text, task })
}

/// The splices of a single edit other than `Many`.
fn cut(text: &str, plan: &Plan, edit: &Edit) -> Result<Cut, EditError> {
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
            return Ok(edit::add_task(text, plan, &place_of(place), &task)?.into());
        }
        Edit::DeleteTask { task } => edit::delete_task(text, plan, &id(task))?,
        Edit::MoveTask { task, place } => {
            return Ok(edit::move_task(text, plan, &id(task), &place_of(place))?.into());
        }
        Edit::SplitTask {
            task,
            title,
            keep_body,
        } => {
            return Ok(
                edit::split_task(text, plan, &id(task), title, keep_body.as_deref())?.into(),
            );
        }
        Edit::MergeTasks { into, task } => edit::merge_tasks(text, plan, &id(into), &id(task))?,
        Edit::Indent { task } => return Ok(edit::indent(text, plan, &id(task))?.into()),
        Edit::Outdent { task } => return Ok(edit::outdent(text, plan, &id(task))?.into()),
        Edit::Kind { task, kind } => edit::set_kind(text, plan, &id(task), kind_of(kind)?)?,
        Edit::Connect { from, to } => edit::connect(text, plan, &id(from), &id(to))?,
        Edit::Disconnect { from, to } => edit::disconnect(text, plan, &id(from), &id(to))?,
        Edit::Tick { task, done: true } => edit::tick(plan, &id(task))?,
        Edit::Tick { task, done: false } => edit::untick(plan, &id(task))?,
        Edit::MakeTasks { from } => edit::make_tasks(text, plan, make_from(from)?)?,
        Edit::Convert => edit::to_native(text, plan, &plan_id(text, plan))?,
        Edit::Many { .. } => {
            return Err(bad("edits", "must contain only single edits", "many"));
        }
        Edit::Skip { task, reason } => match reason {
            Some(reason) => edit::skip(text, plan, &id(task), reason)?,
            None => edit::unskip(text, plan, &id(task))?,
        },
    };
    Ok(splices.into())
}

fn bad(key: &str, rule: &'static str, value: &str) -> EditError {
    let (key, value) = (key.to_owned(), value.to_owned());
    EditError::BadValue { key, rule, value }
}

fn kind_of(kind: &str) -> Result<TaskKind, EditError> {
    match kind {
        "task" => Ok(TaskKind::Normal),
        "checkpoint" => Ok(TaskKind::Checkpoint),
        "decision" => Ok(TaskKind::Decision),
        other => Err(bad("type", "must be task, checkpoint or decision", other)),
    }
}

fn make_from(from: &str) -> Result<MakeFrom, EditError> {
    match from {
        "items" => Ok(MakeFrom::Items),
        "headings" => Ok(MakeFrom::Headings),
        other => Err(bad("from", "must be items or headings", other)),
    }
}

/// An id for a plan without one, made from its title and content so that the preview and the write
/// produce the same id.
fn plan_id(text: &str, plan: &Plan) -> String {
    let title = plan.title.as_ref().map_or("plan", |title| &title.text);
    let revision = Revision::of(text.as_bytes());
    format!("{}-{}", slug(title), &revision.as_str()[..4])
}

fn place_of(place: &TaskPlace) -> Place {
    match place {
        TaskPlace::First => Place::First,
        TaskPlace::Before { task } => Place::Before(TaskId(task.clone())),
        TaskPlace::After { task } => Place::After(TaskId(task.clone())),
        TaskPlace::Under { task } => Place::Under(TaskId(task.clone())),
    }
}

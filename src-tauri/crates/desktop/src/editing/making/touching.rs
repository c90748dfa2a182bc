//! Determines which text an edit touches, to decide whether it applies to a newer revision, and the
//! two sides of a conflict.

use plan::edit;
use plan::{IdOrigin, Task};

use crate::document::ParsedPlan;
use crate::wire::{Edit, TaskPlace};

/// The text that an edit touches in a revision; `None` if it doesn't exist there. An edit made for
/// one revision can be applied to another in which this text is the same.
pub(in super::super) fn touched(parsed: &ParsedPlan, edit: &Edit) -> Option<Vec<String>> {
    let plan = &parsed.plan;
    let requirement = |id: &str| plan.requirements.iter().find(|one| one.id == id);
    let task = |id: &str| Some(&plan.tasks[parsed.find(id)?]);
    // A positional id refers to a different task if tasks were added or removed above it.
    let identity = |task: &Task| match task.id_origin {
        IdOrigin::Written => task.id.to_string(),
        IdOrigin::Positional => parsed.text()[task.span.clone()].to_owned(),
    };
    let name = |at: Option<usize>| at.map_or(String::new(), |at| plan.tasks[at].id.to_string());
    // The index of a task's previous sibling, if it has one.
    let above = |index: usize| {
        let siblings = plan.tasks[index]
            .parent
            .map(|parent| &plan.tasks[parent].children);
        match siblings {
            Some(siblings) => siblings.iter().rev().find(|at| **at < index).copied(),
            None => (0..index).rev().find(|at| plan.tasks[*at].parent.is_none()),
        }
    };
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
            let index = parsed.find(id)?;
            let task = &plan.tasks[index];
            Some(vec![
                identity(task),
                name(task.parent),
                name(above(index)),
                place(at)?,
            ])
        }
        Edit::SplitTask { task, .. } => {
            of_task(task, &|task| vec![task.title.clone(), task.body.clone()])
        }
        Edit::MergeTasks { into, task: other } => {
            let whole = |id: &str| Some(parsed.text()[task(id)?.span.clone()].to_owned());
            Some(vec![whole(into)?, whole(other)?])
        }
        Edit::Indent { task: id } | Edit::Outdent { task: id } => {
            let index = parsed.find(id)?;
            let task = &plan.tasks[index];
            Some(vec![identity(task), name(task.parent), name(above(index))])
        }
        Edit::Kind { task, .. } => of_task(task, &|task| {
            let keys = ["type", "option"];
            let values = keys.iter().flat_map(|key| task.values(key));
            values.map(str::to_owned).collect()
        }),
        Edit::Connect { from, to } | Edit::Disconnect { from, to } => {
            let index = parsed.find(to)?;
            let waits = &plan.tasks[index];
            let mut touched = vec![identity(task(from)?), identity(waits)];
            match waits.depends {
                Some(_) => touched.extend(waits.values("depends").map(str::to_owned)),
                None => touched.push(name(above(index))),
            }
            Some(touched)
        }
        Edit::Tick { task, .. } => of_task(task, &|task| vec![task.marker.to_string()]),
        // These depend on the whole file, so a change elsewhere is merged by lines.
        Edit::MakeTasks { .. } | Edit::Convert => None,
        Edit::Many { edits } => {
            let all = edits.iter().map(|edit| self::touched(parsed, edit));
            let all: Vec<Vec<String>> = all.collect::<Option<_>>()?;
            Some(all.concat())
        }
        Edit::Skip { task, .. } => of_task(task, &|task| task.skipped.iter().cloned().collect()),
    }
}

/// The intended and the current text for an edit of one value; `None` for other edits.
pub(crate) fn sides(now: &ParsedPlan, edit: &Edit) -> Option<(String, String)> {
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
        Edit::SplitTask { title, .. } => title.clone(),
        Edit::Kind { kind, .. } => kind.clone(),
        Edit::Tick { done, .. } => if *done { "x" } else { " " }.to_owned(),
        Edit::Connect { from, .. } => from.clone(),
        Edit::MergeTasks { .. }
        | Edit::Indent { .. }
        | Edit::Outdent { .. }
        | Edit::Disconnect { .. }
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
            | Edit::SplitTask { .. }
            | Edit::Kind { .. }
            | Edit::Tick { .. }
            | Edit::Skip { .. }
    );
    // The first value identifies the task and isn't part of its text.
    if is_of_task && !theirs.is_empty() {
        theirs.remove(0);
    }
    Some((mine, theirs.join("\n")))
}

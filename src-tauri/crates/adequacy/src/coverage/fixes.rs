//! Fixes for requirements that no step covers, and for steps not linked to a requirement.

use plan::edit::Place;
use plan::{IdOrigin, Requirement, Task, TaskId, TaskKind};

use super::Target;
use crate::mend::{Fix, Mend};
use crate::plan_context::{PlanContext, Step};
use crate::report::{place, quoted};

/// Whether an edit can refer to the task by id, which requires that no other task has the same id.
fn can_name(context: &PlanContext<'_>, task: &Task) -> bool {
    context
        .index_of(task.id.as_str())
        .is_some_and(|index| context.plan.tasks[index].line == task.line)
}

/// The position after the last top-level task.
fn at_the_end(context: &PlanContext<'_>) -> Place {
    let last = context.plan.tasks.iter().rev().find(|task| task.depth == 0);
    last.map_or(Place::First, |task| Place::After(task.id.clone()))
}

fn step_for(context: &PlanContext<'_>, text: &str, covers: Option<&str>) -> Fix {
    let title = capitalized(text);
    let mut fields = Vec::new();
    if let Some(id) = covers {
        fields.push(("covers".to_owned(), id.to_owned()));
    }
    Fix::of(
        format!("Add a step for it: {}", quoted(&title)),
        Mend::AddTask {
            handle: TaskId::from("+1"),
            place: at_the_end(context),
            kind: TaskKind::Normal,
            title,
            fields,
        },
    )
}

pub(super) fn of_requirement(
    context: &PlanContext<'_>,
    requirement: &Requirement,
    best: Option<&Task>,
) -> Vec<Fix> {
    let mut fixes = Vec::new();
    if requirement.id.is_empty() || context.plan.tasks.is_empty() {
        return fixes;
    }
    let best = best.filter(|task| can_name(context, task) && task.covers.is_empty());
    if let Some(task) = best {
        fixes.push(Fix::of(
            format!("Link it to {}", place(task)),
            Mend::AddValue {
                task: task.id.clone(),
                key: "covers".to_owned(),
                value: requirement.id.clone(),
            },
        ));
    }
    fixes.push(step_for(context, &requirement.text, Some(&requirement.id)));
    fixes
}

pub(super) fn of_goal(context: &PlanContext<'_>, part: &str, best: Option<&Task>) -> Vec<Fix> {
    let mut fixes = Vec::new();
    if let Some(task) = best.filter(|task| can_name(context, task)) {
        fixes.push(Fix::of(
            format!("Add it to `accept:` of {}", place(task)),
            Mend::AddValue {
                task: task.id.clone(),
                key: "accept".to_owned(),
                value: part.to_owned(),
            },
        ));
    }
    fixes.push(step_for(context, part, None));
    fixes
}

pub(super) fn of_unmapped(
    context: &PlanContext<'_>,
    step: &Step<'_>,
    targets: &[Target<'_>],
) -> Vec<Fix> {
    let task = step.task;
    let mut fixes = Vec::new();
    if !can_name(context, task) {
        return fixes;
    }
    // The ids of a list in another file can't be used in this plan.
    let targets = match context.lists_in_plan() || context.listed().is_empty() {
        true => targets,
        false => &[],
    };
    if let [only] = targets
        && let Some(requirement) = only.requirement
    {
        fixes.push(covers(task, requirement));
    } else {
        let nearest = targets
            .iter()
            .filter_map(|target| target.requirement)
            .take(2);
        fixes.extend(nearest.map(|requirement| covers(task, requirement)));
    }
    let is_needed = context.steps.len() <= context.floor as usize;
    if !is_needed && task.id_origin == IdOrigin::Written {
        fixes.push(Fix::of(
            format!("Delete {}", place(task)),
            Mend::DeleteTask {
                task: task.id.clone(),
            },
        ));
    }
    fixes
}

fn covers(task: &Task, requirement: &Requirement) -> Fix {
    Fix::of(
        format!(
            "Link it to {} ({})",
            requirement.id,
            quoted(&requirement.text)
        ),
        Mend::AddValue {
            task: task.id.clone(),
            key: "covers".to_owned(),
            value: requirement.id.clone(),
        },
    )
}

/// The text with its first letter capitalized.
pub(crate) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

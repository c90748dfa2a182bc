//! What can be done about something that no step takes care of, and about a step that serves nothing.

use plan::edit::Place;
use plan::{IdOrigin, Requirement, Task, TaskId, TaskKind};

use super::Wanted;
use crate::mend::{Fix, Mend};
use crate::reading::{Reading, Step};
use crate::report::{place, quoted};

/// A task may be named in an edit where it is the only one with its id.
fn can_name(reading: &Reading<'_>, task: &Task) -> bool {
    reading
        .index_of(task.id.as_str())
        .is_some_and(|index| reading.plan.tasks[index].line == task.line)
}

/// Behind the last task of the first level, in front of nothing.
fn at_the_end(reading: &Reading<'_>) -> Place {
    let last = reading.plan.tasks.iter().rev().find(|task| task.depth == 0);
    last.map_or(Place::First, |task| Place::After(task.id.clone()))
}

fn step_for(reading: &Reading<'_>, text: &str, covers: Option<&str>) -> Fix {
    let title = capitalised(text);
    let mut fields = Vec::new();
    if let Some(id) = covers {
        fields.push(("covers".to_owned(), id.to_owned()));
    }
    Fix::of(
        format!("Add a step for it: {}", quoted(&title)),
        Mend::AddTask {
            handle: TaskId::from("+1"),
            place: at_the_end(reading),
            kind: TaskKind::Normal,
            title,
            fields,
        },
    )
}

pub(super) fn of_requirement(
    reading: &Reading<'_>,
    requirement: &Requirement,
    best: Option<&Task>,
) -> Vec<Fix> {
    let mut fixes = Vec::new();
    if requirement.id.is_empty() || reading.plan.tasks.is_empty() {
        return fixes;
    }
    let best = best.filter(|task| can_name(reading, task) && task.covers.is_empty());
    if let Some(task) = best {
        fixes.push(Fix::of(
            format!("{} covers it: note that there", place_upper(task)),
            Mend::AddValue {
                task: task.id.clone(),
                key: "covers".to_owned(),
                value: requirement.id.clone(),
            },
        ));
    }
    fixes.push(step_for(reading, &requirement.text, Some(&requirement.id)));
    fixes
}

pub(super) fn of_goal(reading: &Reading<'_>, part: &str, best: Option<&Task>) -> Vec<Fix> {
    let mut fixes = Vec::new();
    if let Some(task) = best.filter(|task| can_name(reading, task)) {
        fixes.push(Fix::of(
            format!(
                "{} does it: write it into its acceptance",
                place_upper(task)
            ),
            Mend::AddValue {
                task: task.id.clone(),
                key: "accept".to_owned(),
                value: part.to_owned(),
            },
        ));
    }
    fixes.push(step_for(reading, part, None));
    fixes
}

pub(super) fn of_unmapped(
    reading: &Reading<'_>,
    step: &Step<'_>,
    wanted: &[Wanted<'_>],
) -> Vec<Fix> {
    let task = step.task;
    let mut fixes = Vec::new();
    if !can_name(reading, task) {
        return fixes;
    }
    // The ids of a list in another file name nothing here.
    let wanted = match reading.lists_itself() || reading.listed().is_empty() {
        true => wanted,
        false => &[],
    };
    if let [only] = wanted
        && let Some(requirement) = only.requirement
    {
        fixes.push(covers(task, requirement));
    } else {
        let nearest = wanted
            .iter()
            .filter_map(|wanted| wanted.requirement)
            .take(2);
        fixes.extend(nearest.map(|requirement| covers(task, requirement)));
    }
    let is_needed = reading.steps.len() <= reading.floor as usize;
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
            "It is for {} ({})",
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

fn place_upper(task: &Task) -> String {
    crate::report::place_first(task)
}

/// With its first letter in upper case.
pub(crate) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

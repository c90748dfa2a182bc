//! A step that says several things becomes a group of steps that say one each; a goal that asks for
//! several things gets a step for each that has none.

use std::collections::BTreeSet;

use plan::edit::Place;
use plan::{Task, TaskId, TaskKind};

use super::Seen;
use super::links::steps;
use super::words::{is_order, orders, shared, titled, topics};
use crate::code::Code;
use crate::expansion::merge::Edit;
use crate::mend::Mend;
use crate::report::{Finding, place_first, quoted};

/// Divides the largest step that can be divided, or adds what the goal asks for.
pub(super) fn split(seen: &Seen<'_>, finding: &Finding) -> Option<Edit> {
    match finding.code {
        Code::OversizedTask => {
            let id = finding.task.as_ref()?;
            divided(seen.best.plan.task(id)?, finding.code)
        }
        Code::MegaTaskCluster => by_size(seen)
            .into_iter()
            .filter(|task| task.complexity.unwrap_or(0) >= 9)
            .find_map(|task| divided(task, finding.code)),
        Code::TooFewTasks | Code::NoTasks => from_goal(seen, finding.code).or_else(|| {
            let tasks = by_size(seen);
            tasks
                .into_iter()
                .find_map(|task| divided(task, finding.code))
        }),
        _ => None,
    }
}

/// The open steps, the largest first.
fn by_size<'a>(seen: &'a Seen<'_>) -> Vec<&'a Task> {
    let mut tasks: Vec<&Task> = steps(seen).collect();
    tasks.sort_by_key(|task| std::cmp::Reverse(task.complexity.unwrap_or(0)));
    tasks
}

/// A step as a group of its own parts. It keeps everything it has; what its parts need to run (the
/// files, the check) they get as well.
fn divided(task: &Task, why: Code) -> Option<Edit> {
    if !task.calls.is_empty() || task.is_group() {
        return None;
    }
    let mut parts = orders(&task.title);
    if parts.is_empty() {
        parts = items(&task.body);
    }
    let (last, _) = parts.split_last()?;
    let last = last.clone();
    let names_a_file = |part: &str| task.files.iter().any(|path| is_named(path, part));
    let mut mends = Vec::new();
    for (nth, part) in parts.iter().enumerate() {
        let mut fields: Vec<(String, String)> = Vec::new();
        let files = task
            .files
            .iter()
            .filter(|path| !names_a_file(part) || is_named(path, part));
        fields.extend(files.map(|path| ("files".to_owned(), path.clone())));
        if *part == last {
            let checks = task.verify.iter();
            fields.extend(checks.map(|check| ("verify".to_owned(), check.clone())));
        }
        mends.push(Mend::AddTask {
            handle: TaskId(format!("+{}", nth + 1)),
            place: Place::Under(task.id.clone()),
            kind: TaskKind::Normal,
            title: part.clone(),
            fields,
        });
    }
    Some(Edit {
        task: Some(task.id.clone()),
        why: vec![why],
        message: format!(
            "{} is done in {} steps that can be checked one by one.",
            place_first(task),
            parts.len()
        ),
        mends,
    })
}

/// The list items of a text, where each is an order.
fn items(body: &str) -> Vec<String> {
    let items: Vec<String> = body
        .lines()
        .filter_map(|line| {
            let line = line.trim_start();
            let item = line.strip_prefix("- ").or_else(|| line.strip_prefix("* "));
            item.or_else(|| {
                let (number, rest) = line.split_once(['.', ')'])?;
                let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
                rest.strip_prefix(' ').filter(|_| is_number)
            })
        })
        .map(titled)
        .collect();
    match items.len() >= 2 && items.iter().all(|item| is_order(item)) {
        true => items,
        false => Vec::new(),
    }
}

fn is_named(path: &str, text: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    text.contains(path) || text.contains(name)
}

/// A step for the first thing that the goal asks for and no step is about.
fn from_goal(seen: &Seen<'_>, why: Code) -> Option<Edit> {
    let goal = seen.goal()?;
    let mut asked = orders(goal);
    if asked.is_empty() && is_order(goal) {
        asked.push(titled(goal));
    }
    let plan = &seen.best.plan;
    let mut known = BTreeSet::new();
    for task in &plan.tasks {
        let files = task.files.join(" ");
        known.extend(topics(&format!("{} {} {files}", task.title, task.body)));
        let covered = plan.requirements.iter();
        let covered = covered.filter(|requirement| task.covers.contains(&requirement.id));
        known.extend(covered.flat_map(|requirement| topics(&requirement.text)));
    }
    // The verb alone makes no step: most of what is asked for must be new.
    let is_open = |part: &&String| {
        let about = topics(part);
        shared(&about, &known) * 2 < about.len()
    };
    let title = asked.iter().find(is_open)?.clone();
    Some(Edit {
        task: None,
        why: vec![why],
        message: format!("Adds {}, which the goal asks for.", quoted(&title)),
        mends: vec![Mend::AddTask {
            handle: TaskId::from("+1"),
            place: at_the_end(seen),
            kind: TaskKind::Normal,
            title,
            fields: Vec::new(),
        }],
    })
}

/// Behind everything else, outside of groups.
pub(super) fn at_the_end(seen: &Seen<'_>) -> Place {
    let mut tasks = seen.best.plan.tasks.iter().rev();
    match tasks.find(|task| task.depth == 0) {
        Some(task) => Place::After(task.id.clone()),
        None => Place::First,
    }
}

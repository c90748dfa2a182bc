//! Checks references between tasks: duplicate ids, dangling references, cycles.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::arrow;
use super::decisions::{self, Labels};
use crate::dialect;
use crate::graph;
use crate::inline;
use crate::model::{
    By, ChoiceEffect, IdOrigin, Plan, Problem, ProblemCode, Task, TaskId, TaskKind,
};

/// Corrects the records now that their decisions' labels are known, and reports dangling
/// references.
pub(super) fn check(text: &str, plan: &mut Plan, problems: &mut Vec<Problem>) {
    records(text, plan, problems);
    check_references(plan, problems);
}

/// Reports duplicate ids, dangling references of tasks, groups with their own work, and cycles.
/// [`is_reference_problem`] recognizes the codes of these problems.
pub(crate) fn check_references(plan: &Plan, problems: &mut Vec<Problem>) {
    let mut first: HashMap<&str, usize> = HashMap::with_capacity(plan.tasks.len());
    for (index, task) in plan.tasks.iter().enumerate() {
        let known = *first.entry(task.id.as_str()).or_insert(index);
        if known != index && task.id_origin == IdOrigin::Written {
            let known = plan.tasks[known].line;
            problems.push(Problem {
                code: ProblemCode::DuplicateId,
                task: Some(task.id.clone()),
                line: task.line,
                message: format!(
                    "duplicate id {}, first used on line {known}; give one of them another id",
                    task.id
                ),
            });
        }
    }
    let requirements: HashSet<&str> = plan
        .requirements
        .iter()
        .map(|requirement| requirement.id.as_str())
        .collect();
    let elsewhere = dialect::rules(plan.dialect).requirements_elsewhere && requirements.is_empty();
    for task in &plan.tasks {
        let mut lines = Lines::default();
        for id in task.depends.iter().flatten() {
            if !first.contains_key(id.as_str()) {
                problems.push(lines.dangling(task, "depends", id.as_str(), "no task"));
            }
        }
        for option in &task.options {
            let (ChoiceEffect::Skip(ids) | ChoiceEffect::Branch(ids)) = &option.effect else {
                continue;
            };
            for id in ids.iter().filter(|id| !first.contains_key(id.as_str())) {
                problems.push(lines.dangling(task, "option", id.as_str(), "no task"));
            }
        }
        let covers = match elsewhere {
            true => &[],
            false => task.covers.as_slice(),
        };
        for id in covers
            .iter()
            .filter(|id| !requirements.contains(id.as_str()))
        {
            problems.push(lines.dangling(task, "covers", id, "no requirement"));
        }
    }
    problems.extend(
        plan.tasks
            .iter()
            .filter_map(|task| group_with_work(plan, task)),
    );
    for cycle in graph::cycles_of(plan, &first) {
        problems.push(cycle_problem(plan, &cycle));
    }
}

/// Whether problems of this kind are reported only by [`check_references`]. Only applies to
/// dialects that don't deduplicate ids.
pub(crate) fn is_reference_problem(code: ProblemCode) -> bool {
    matches!(
        code,
        ProblemCode::DuplicateId
            | ProblemCode::DanglingReference
            | ProblemCode::GroupWithWork
            | ProblemCode::Cycle
    )
}

/// Reports the first key of a group that would be ignored, since only its sub-tasks are carried
/// out. A check that a sub-task also has is not reported.
fn group_with_work(plan: &Plan, task: &Task) -> Option<Problem> {
    if !task.is_group() {
        return None;
    }
    let checked_below = |check: &String| {
        let mut open = task.children.clone();
        while let Some(child) = open.pop() {
            let child = &plan.tasks[child];
            if child.children.is_empty() && child.verify.contains(check) {
                return true;
            }
            open.extend(&child.children);
        }
        false
    };
    let own = match task.kind {
        TaskKind::Checkpoint => "type: checkpoint",
        TaskKind::Decision => "type: decision",
        _ if !task.calls.is_empty() => "call:",
        _ if !task.verify.iter().all(checked_below) => "verify:",
        _ if task.by == By::Person => "by: person",
        _ => return None,
    };
    Some(Problem {
        code: ProblemCode::GroupWithWork,
        task: Some(task.id.clone()),
        line: task.line,
        message: format!(
            "{} is a group, so its own `{own}` would be ignored; move it to a sub-step",
            task.id
        ),
    })
}

fn records(text: &str, plan: &mut Plan, problems: &mut Vec<Problem>) {
    if plan.decisions.is_empty() {
        return;
    }
    let mut decisions: BTreeMap<&TaskId, (&Task, Labels<'_>)> = BTreeMap::new();
    for task in plan
        .tasks
        .iter()
        .filter(|task| task.kind == TaskKind::Decision)
    {
        let labels = || Labels::of(task);
        decisions
            .entry(&task.id)
            .or_insert_with(|| (task, labels()));
    }
    for record in &mut plan.decisions {
        let Some((decision, labels)) = decisions.get(&record.task) else {
            continue;
        };
        let line = &text[record.span.clone()];
        let words = line.trim_start_matches([' ', '\t', '>']);
        let words = words
            .split_once([' ', '\t'])
            .map_or("", |(_, words)| words.trim());
        decisions::settle(record, labels, words);
        let Some(label) = &record.answer else {
            continue;
        };
        if !labels.has(label) && !decision.options.is_empty() {
            let id = &record.task;
            problems.push(Problem {
                code: ProblemCode::BadValue,
                task: Some(id.clone()),
                line: record.line,
                message: format!("`{label}` isn't an option of {id}; answer with the label of an option, or `open`"),
            });
        }
    }
}

/// The line of each reference in a task, by key and id; computed only if there is something to
/// report.
#[derive(Default)]
struct Lines<'a>(HashMap<&'static str, HashMap<&'a str, u32>>);

impl<'a> Lines<'a> {
    fn dangling(&mut self, task: &'a Task, key: &'static str, id: &str, nothing: &str) -> Problem {
        let lines = self.0.entry(key).or_insert_with(|| {
            let fields = task.fields.iter().filter(|field| field.key == key);
            let named = fields.flat_map(|field| {
                let value = field.value.as_str();
                // An option's label contains no references.
                let listed = match arrow(value).filter(|_| key == "option") {
                    Some((at, length)) => &value[at + length..],
                    None => value,
                };
                let spans = inline::reference_spans(listed).into_iter();
                spans.map(|span| (&listed[span], field.line))
            });
            let mut lines = HashMap::new();
            named.for_each(|(id, line)| _ = lines.entry(id).or_insert(line));
            lines
        });
        let owner = &task.id;
        Problem {
            code: ProblemCode::DanglingReference,
            task: Some(owner.clone()),
            line: lines.get(id).copied().unwrap_or(task.line),
            message: format!(
                "`{key}` of {owner} names {id}, but there is {nothing} with that id; correct or remove it"
            ),
        }
    }
}

fn cycle_problem(plan: &Plan, cycle: &[usize]) -> Problem {
    // Maximum number of tasks to list; longer cycles are truncated.
    const SHOWN: usize = 12;
    let tasks = || cycle.iter().map(|index| &plan.tasks[*index]);
    let mut names: Vec<&str> = tasks().take(SHOWN).map(|task| task.id.as_str()).collect();
    if cycle.len() > SHOWN {
        names.push("…");
    }
    let first = tasks().next();
    names.extend(first.map(|task| task.id.as_str()));
    let by_order = tasks().find(|task| task.depends.is_none() && cycle.len() > 1);
    let hint = by_order.map_or(String::new(), |task| {
        format!(
            " ({} has no `depends:`, so it depends on the step above it; `depends: none` changes that)",
            task.id
        )
    });
    Problem {
        code: ProblemCode::Cycle,
        task: first.map(|task| task.id.clone()),
        line: first.map_or(1, |task| task.line),
        message: format!(
            "circular dependency: {}; remove one of these dependencies{hint}",
            names.join(" → ")
        ),
    }
}

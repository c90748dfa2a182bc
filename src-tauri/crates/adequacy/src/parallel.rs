//! Edges without a reason: steps that do the same to files of their own, each told to wait for the
//! one before.
//!
//! Three steps or more are needed to say so: with two, the order may well be meant.

use std::collections::HashSet;

use plan::Task;

use crate::code::{Code, Severity};
use crate::mend::{Fix, Mend};
use crate::reading::{Reading, Step};
use crate::report::{Finding, place, place_first};
use crate::text::says_check;

/// The least number of steps of one kind.
const LEAST: usize = 3;

/// One finding for each chain of such steps, on the first that waits.
pub(crate) fn findings(reading: &Reading<'_>) -> Vec<Finding> {
    let has_edge = |task: &Task| task.depends.as_ref().is_some_and(|ids| !ids.is_empty());
    if reading.steps.len() < LEAST || !reading.plan.tasks.iter().any(has_edge) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    let mut chain: Vec<&Step<'_>> = Vec::new();
    for step in &reading.steps {
        let goes_on = chain
            .last()
            .is_some_and(|last| follows(reading, last, step))
            && chain
                .first()
                .is_some_and(|first| is_like(first.task, step.task));
        if !goes_on {
            findings.extend(finding(reading, &chain));
            chain.clear();
            if step.task.files.is_empty() {
                continue;
            }
        }
        chain.push(step);
    }
    findings.extend(finding(reading, &chain));
    findings
}

/// Whether a step waits for another by name, and for nothing else that it would not wait for anyway.
fn follows(reading: &Reading<'_>, before: &Step<'_>, step: &Step<'_>) -> bool {
    if step.task.files.is_empty() {
        return false;
    }
    let Some(depends) = step.task.depends.as_deref() else {
        // Where steps say what they wait for, the order of the file is an edge too.
        return !step.task.parallel
            && step.index == before.index + 1
            && step.task.parent == before.task.parent;
    };
    let own = before.task.depends.as_deref().unwrap_or_default();
    depends.contains(&before.task.id)
        && depends.iter().all(|id| {
            *id == before.task.id
                || own.contains(id)
                || reading
                    .index_of(id.as_str())
                    .is_some_and(|at| at < before.index)
        })
}

/// Whether two steps do the same thing to something else: the same first words, and most words shared.
fn is_like(one: &Task, other: &Task) -> bool {
    // Most pairs differ here, and this costs nothing.
    let first_word = |task: &'_ Task| task.title.split_whitespace().next().map(str::len);
    let begins_alike = one
        .title
        .get(..first_word(one).unwrap_or(0))
        .zip(other.title.get(..first_word(other).unwrap_or(0)))
        .is_some_and(|(one, other)| one.eq_ignore_ascii_case(other));
    if !begins_alike {
        return false;
    }
    let (one, other) = (words(&one.title), words(&other.title));
    let (Some(first), Some(second)) = (one.first(), other.first()) else {
        return false;
    };
    let shared = one.iter().filter(|word| other.contains(word)).count();
    let most = one.len().max(other.len());
    first == second && one.len() >= 3 && shared * 10 >= most * 6
}

fn words(title: &str) -> Vec<String> {
    title
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

fn finding(reading: &Reading<'_>, chain: &[&Step<'_>]) -> Option<Finding> {
    let [first, second, .., last] = chain else {
        return None;
    };
    if chain.len() < LEAST || !have_own_files(chain) || refer_to_each_other(chain) {
        return None;
    }
    let (task, count) = (second.task, chain.len());
    let message = format!(
        "{} waits for {}, and so on to {}, though these {count} steps do the same to different files and none \
         uses the result of another: let them run independently.",
        place_first(task),
        place(first.task),
        place(last.task)
    );
    let line = task.fields.iter().find(|field| field.key == "depends");
    let mut finding = Finding::on(
        task,
        second.text.identity(),
        Code::RedundantDependency,
        Severity::Info,
    );
    if let Some(line) = line {
        finding = finding.at(line.value_span.clone());
    }
    Some(
        finding
            .saying(message)
            .mended_by(independent(reading, chain)),
    )
}

/// No file stands in two steps.
fn have_own_files(chain: &[&Step<'_>]) -> bool {
    let mut seen: HashSet<&str> = HashSet::new();
    chain
        .iter()
        .flat_map(|step| &step.task.files)
        .all(|path| seen.insert(path))
}

/// Whether one speaks of a file or an id of another.
fn refer_to_each_other(chain: &[&Step<'_>]) -> bool {
    chain.windows(2).any(|pair| {
        let [before, step] = pair else { return false };
        let text = step.text.all();
        let named = before
            .task
            .files
            .iter()
            .any(|file| text.contains(file.as_str()));
        let is_check_of = says_check(&step.task.title) && !says_check(&before.task.title);
        named || is_check_of
    })
}

/// Each waits for what the first waits for.
fn independent(reading: &Reading<'_>, chain: &[&Step<'_>]) -> Option<Fix> {
    let first = chain.first()?.task;
    let values = match first.depends.as_deref() {
        Some([]) => vec!["none".to_owned()],
        Some(ids) => ids.iter().map(|id| id.to_string()).collect(),
        // It waits for the one above it, if there is one.
        None => match chain.first()?.index.checked_sub(1) {
            Some(above) => vec![reading.plan.tasks[above].id.to_string()],
            None => vec!["none".to_owned()],
        },
    };
    let mends = chain[1..].iter().map(|step| Mend::SetValues {
        task: step.task.id.clone(),
        key: "depends".to_owned(),
        values: values.clone(),
    });
    Some(Fix {
        label: format!("Let these {} steps run independently", chain.len()),
        mends: mends.collect(),
    })
}

/// Whether steps that name nothing they wait for are independent, and say so by their files: then
/// edges between them would be made up.
pub(crate) fn are_independent(reading: &Reading<'_>) -> bool {
    let steps: Vec<&Step<'_>> = reading.steps.iter().collect();
    let says_so = |step: &&Step<'_>| {
        step.task.parallel || step.task.depends.as_ref().is_some_and(Vec::is_empty)
    };
    let all_say_so = steps.iter().skip(1).all(says_so);
    let all_alike = steps.windows(2).all(|pair| match pair {
        [one, other] => is_like(one.task, other.task),
        _ => true,
    });
    steps.iter().all(|step| !step.task.files.is_empty())
        && (all_say_so || all_alike)
        && have_own_files(&steps)
}

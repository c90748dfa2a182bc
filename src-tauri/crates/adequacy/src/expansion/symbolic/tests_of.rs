//! Checks for steps that change something, and steps for requirements that have none.

use plan::{Requirement, Task, TaskId, TaskKind};

use super::Seen;
use super::links::steps;
use super::parts::at_the_end;
use super::words::{is_order, shared, titled, topics};
use crate::code::Code;
use crate::expansion::merge::Edit;
use crate::mend::Mend;
use crate::report::{Finding, place_first, quoted};

/// A check, or a requirement's step.
pub(super) fn checks(seen: &Seen<'_>, finding: &Finding) -> Option<Edit> {
    match finding.code {
        Code::HeavyWithoutTestHint | Code::UnboundVerification => {
            let task = seen.best.plan.task(finding.task.as_ref()?)?;
            checked(seen, task, finding.code)
        }
        Code::MissingPlanVerification => {
            let task = steps(seen).filter(|task| !is_document(task)).last();
            task.and_then(|task| checked(seen, task, finding.code))
                .or_else(|| test_step(seen, finding.code))
        }
        Code::TooFewTasks => test_step(seen, finding.code),
        Code::UncoveredRequirement => {
            let mut requirements = seen.best.plan.requirements.iter();
            let open = requirements.find(|requirement| requirement.line == finding.line)?;
            covered(seen, open, finding.code)
        }
        _ => None,
    }
}

fn command(seen: &Seen<'_>) -> Option<String> {
    seen.request.facts.commands.first().cloned()
}

fn checked(seen: &Seen<'_>, task: &Task, why: Code) -> Option<Edit> {
    let command = command(seen)?;
    Some(Edit {
        task: Some(task.id.clone()),
        why: vec![why],
        message: format!("{} is checked by `{command}`.", place_first(task)),
        mends: vec![Mend::AddValue {
            task: task.id.clone(),
            key: "verify".to_owned(),
            value: command,
        }],
    })
}

/// Whether a step only writes words.
fn is_document(task: &Task) -> bool {
    let is_text = |path: &String| path.ends_with(".md") || path.ends_with(".txt");
    !task.files.is_empty() && task.files.iter().all(is_text)
}

/// A last step that tests what the goal asks for, where no step does.
fn test_step(seen: &Seen<'_>, why: Code) -> Option<Edit> {
    let says = |task: &Task| crate::text::says_check(&format!("{} {}", task.title, task.body));
    if seen.best.plan.tasks.is_empty() || seen.best.plan.tasks.iter().any(says) {
        return None;
    }
    let goal = seen.goal()?.trim().trim_end_matches('.');
    let mut first = goal.chars();
    let goal: String = match first.next() {
        Some(letter) if is_order(goal) => letter.to_lowercase().chain(first).collect(),
        _ => goal.to_owned(),
    };
    let title = format!("Test what was asked for: {goal}");
    let fields = command(seen).map(|command| ("verify".to_owned(), command));
    Some(Edit {
        task: None,
        why: vec![why],
        message: "Adds a last step that tests what the goal asks for.".to_owned(),
        mends: vec![Mend::AddTask {
            handle: TaskId::from("+1"),
            place: at_the_end(seen),
            kind: TaskKind::Normal,
            title,
            fields: fields.into_iter().collect(),
        }],
    })
}

/// The step that is about a requirement covers it; where none is, there is one for it.
fn covered(seen: &Seen<'_>, requirement: &Requirement, why: Code) -> Option<Edit> {
    let about = topics(&requirement.text);
    let near = steps(seen)
        .map(|task| {
            (
                shared(&about, &topics(&format!("{} {}", task.title, task.body))),
                task,
            )
        })
        .filter(|(shared, _)| shared * 2 >= about.len().max(4))
        .reduce(|best, next| if next.0 > best.0 { next } else { best });
    let value = requirement.id.clone();
    if let Some((_, task)) = near {
        return Some(Edit {
            task: Some(task.id.clone()),
            why: vec![why],
            message: format!("{} covers {}.", place_first(task), requirement.id),
            mends: vec![Mend::AddValue {
                task: task.id.clone(),
                key: "covers".to_owned(),
                value,
            }],
        });
    }
    let title = match is_order(&requirement.text) {
        true => titled(&requirement.text),
        false => format!("Work on {}: {}", requirement.id, requirement.text.trim()),
    };
    let mut fields = vec![("covers".to_owned(), value)];
    fields.extend(command(seen).map(|command| ("verify".to_owned(), command)));
    Some(Edit {
        task: None,
        why: vec![why],
        message: format!(
            "Adds a step for {} ({}), which no step covers.",
            requirement.id,
            quoted(&requirement.text)
        ),
        mends: vec![Mend::AddTask {
            handle: TaskId::from("+1"),
            place: at_the_end(seen),
            kind: TaskKind::Normal,
            title,
            fields,
        }],
    })
}

//! Checks for steps that change something, and steps for requirements that have none.

use plan::{Requirement, Task, TaskId, TaskKind};

use super::Seen;
use super::links::steps;
use super::parts::at_the_end;
use super::words::{is_order, titled};
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
        }
        Code::UncoveredRequirement => {
            let mut requirements = seen.best.plan.requirements.iter();
            let open = requirements.find(|requirement| requirement.line == finding.line)?;
            Some(covered(seen, open, finding.code))
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

/// A step for a requirement that no step does, in its own words: what is open is open, and no step that does
/// something else claims it.
fn covered(seen: &Seen<'_>, requirement: &Requirement, why: Code) -> Edit {
    let title = match is_order(&requirement.text) {
        true => titled(&requirement.text),
        false => format!("Work on {}: {}", requirement.id, requirement.text.trim()),
    };
    let mut fields = vec![("covers".to_owned(), requirement.id.clone())];
    fields.extend(command(seen).map(|command| ("verify".to_owned(), command)));
    Edit {
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
    }
}

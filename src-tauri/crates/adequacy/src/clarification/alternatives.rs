//! Finds pairs of steps that meet the same requirement in different ways.

use plan::graph::Graph;
use plan::{Plan, Task, TaskKind};

use super::{Ambiguity, AskInput, Interpretation, Reversibility};
use crate::mend::Mend;
use crate::report::place;

/// Pairs of open steps that cover the same requirement, differ only in the method, and don't depend
/// on each other.
pub(super) fn for_same_requirement(input: &AskInput<'_>) -> Vec<Ambiguity> {
    let plan = input.plan;
    let is_open = |task: &&Task| {
        task.kind == TaskKind::Normal && !task.done && !task.is_group() && task.skipped.is_none()
    };
    let open: Vec<&Task> = plan.tasks.iter().filter(is_open).collect();
    let mut found = Vec::new();
    for (at, one) in open.iter().enumerate() {
        let Some((what, how)) = split(&one.title) else {
            continue;
        };
        for other in &open[at + 1..] {
            let shared = one.covers.iter().find(|id| other.covers.contains(id));
            let (Some(requirement), Some((same, otherwise))) = (shared, split(&other.title)) else {
                continue;
            };
            if what == same && how != otherwise && !is_joined(plan, one, other) {
                found.push(ambiguity(one, other, requirement));
            }
        }
    }
    found
}

/// Splits a title into the work to do and the method used.
fn split(title: &str) -> Option<(String, String)> {
    let title = title.to_lowercase();
    let marks = [" with ", " using ", " via ", " in ", " through ", " as "];
    let (at, mark) = marks
        .iter()
        .filter_map(|mark| Some((title.find(mark)?, mark)))
        .min()?;
    let what = title[..at].trim().to_owned();
    let how = title[at + mark.len()..].trim().to_owned();
    (what.contains(' ') && !how.is_empty()).then_some((what, how))
}

/// Whether the steps aren't alternatives: one depends on the other, a decision chooses between
/// them, or they change different files.
fn is_joined(plan: &Plan, one: &Task, other: &Task) -> bool {
    let names = |from: &Task, to: &Task| from.depends.iter().flatten().any(|id| *id == to.id);
    let graph = Graph::of(plan);
    let is_branch = |task: &Task| {
        let at = plan.index_of(&task.id);
        at.is_some_and(|at| !graph.branch_of(at).is_empty())
    };
    let changes_files_of_its_own = !one.files.is_empty()
        && !other.files.is_empty()
        && one.files.iter().all(|path| !other.files.contains(path));
    names(one, other)
        || names(other, one)
        || is_branch(one)
        || is_branch(other)
        || changes_files_of_its_own
}

fn ambiguity(one: &Task, other: &Task, requirement: &str) -> Ambiguity {
    let (here, there) = (place(one), place(other));
    let size = |task: &Task| u32::from(task.complexity.unwrap_or(3));
    let only = |keep: &Task, skip: &Task, probability| Interpretation {
        label: format!("Only {} ({})", place(keep), keep.title),
        consequence: format!("One step: {} is skipped.", place(skip)),
        probability,
        complexity: size(keep),
        reversibility: Reversibility::Reversible,
        mends: vec![Mend::SetValues {
            task: skip.id.clone(),
            key: "skipped".to_owned(),
            values: vec![format!("{} does it", place(keep))],
        }],
        note: format!(
            "only {} covers {requirement}, not {}",
            place(keep),
            place(skip)
        ),
    };
    let both = Interpretation {
        label: "Both".to_owned(),
        consequence: "Two steps: the result supports both ways.".to_owned(),
        probability: 0.2,
        complexity: (size(one) + size(other)).min(10),
        reversibility: Reversibility::Reversible,
        mends: Vec::new(),
        note: format!("{here} and {there} both cover {requirement}"),
    };
    Ambiguity {
        about: format!("{here} and {there} both cover {requirement}"),
        question: format!(
            "{here} and {there} cover {requirement} in different ways. Which one do you want?"
        ),
        stakes: "Otherwise one of the two is wasted work, or both have to be maintained."
            .to_owned(),
        task: Some(one.id.clone()),
        readings: vec![only(one, other, 0.4), only(other, one, 0.4), both],
        inferred: 0.4,
    }
}

//! What an approval covers: the revision a person named, carried to the file as it is now.
//!
//! Between the two lie revisions by different authors. What the app wrote itself (ticks, answers,
//! `skipped` lines) keeps a step approved; what anybody else changed in a step, or in what the step
//! rests on, does not.

use std::collections::BTreeMap;

use agent::run::fingerprints;
use plan::coverage::{self, Fingerprint};
use plan::{Plan, TaskId};
use store::{Lookup, Store};

use crate::error::{Code, Error, Result};
use crate::plan_file::{Content, is_own};
use crate::wire::UncoveredStep;

/// Fingerprints under which steps are approved.
pub(crate) type Covered = BTreeMap<String, String>;

/// An approval, resolved.
#[derive(Debug, Clone)]
pub(crate) struct Approval {
    /// The full hash that the person named.
    pub(crate) revision: String,
    /// Its steps' fingerprints, moved along with the app's own writes.
    pub(crate) covered: Covered,
}

/// Resolves a revision that a person named against the plan's history.
///
/// # Errors
/// [`Code::Usage`] for something that is no revision; [`Code::NotCovered`] for one that this plan
/// never had.
pub(crate) fn resolve(store: &Store, key: &str, named: &str, now: &Content) -> Result<Approval> {
    let named = named.trim().to_lowercase();
    if named.len() < 12 || named.len() > 64 || !named.chars().all(|c| c.is_ascii_hexdigit()) {
        return Err(Error::new(
            Code::Usage,
            format!(
                "“{named}” is no revision: give 12 to 64 hexadecimal digits, as `planwright check` prints them"
            ),
        ));
    }
    let current = || prints(&now.text);
    if now.revision.matches(&named) {
        return Ok(Approval {
            revision: now.revision.as_str().to_owned(),
            covered: current(),
        });
    }
    let revision = match store.revisions().by_prefix(key, &named)? {
        Lookup::One(hash) => hash,
        Lookup::None => {
            return Err(Error::new(
                Code::NotCovered,
                format!(
                    "this plan never had a revision {named}; it is at {} now. Read it, then approve that one.",
                    now.revision.short()
                ),
            ));
        }
        Lookup::Many(_) => {
            return Err(Error::new(
                Code::Usage,
                format!("several revisions begin with {named}; give more digits"),
            ));
        }
    };
    let covered = carry(store, key, &revision, now.revision.as_str())?;
    Ok(Approval { revision, covered })
}

/// Carries the fingerprints of one revision along the history to another. Where the history does
/// not connect the two, the approved fingerprints stand as they are.
fn carry(store: &Store, key: &str, from: &str, to: &str) -> Result<Covered> {
    let text = |hash: &str| revision_text(store, hash);
    let mut covered = prints(&text(from)?);
    for (before, after, is_own) in path(store, key, from, to)? {
        if is_own {
            covered = advance(covered, &prints(&text(&before)?), &prints(&text(&after)?));
        }
    }
    Ok(covered)
}

/// The steps of history between two revisions, oldest first: before, after, whether the app made it.
fn path(store: &Store, key: &str, from: &str, to: &str) -> Result<Vec<(String, String, bool)>> {
    let events = store.revisions().events(key)?;
    let mut steps = Vec::new();
    let mut at = to.to_owned();
    // Backwards through time, so that a content seen twice is taken where it was seen last.
    for event in events.iter().rev() {
        if at == from {
            break;
        }
        if event.hash == at
            && let Some(parent) = &event.parent
        {
            steps.push((parent.clone(), at.clone(), is_own(event)));
            at.clone_from(parent);
        }
    }
    if at != from {
        return Ok(Vec::new());
    }
    steps.reverse();
    Ok(steps)
}

/// The text of a recorded revision.
pub(crate) fn revision_text(store: &Store, hash: &str) -> Result<String> {
    let bytes = store.revisions().content(hash)?.ok_or_else(|| {
        Error::new(
            Code::Storage,
            format!("the content of revision {hash} is not in the database"),
        )
    })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn advance(covered: Covered, before: &Covered, after: &Covered) -> Covered {
    covered
        .into_iter()
        .map(|(id, print)| match (before.get(&id), after.get(&id)) {
            (Some(old), Some(new)) if *old == print => (id, new.clone()),
            _ => (id, print),
        })
        .collect()
}

pub(crate) fn prints(text: &str) -> Covered {
    let (plan, _) = plan::parse(text);
    fingerprints(text, &plan)
        .into_iter()
        .map(|(id, print)| (id.0, print))
        .collect()
}

/// The steps among `scope` that the approval does not cover.
pub(crate) fn uncovered(
    covered: &Covered,
    text: &str,
    plan: &Plan,
    scope: &[usize],
) -> Vec<UncoveredStep> {
    let approved: BTreeMap<TaskId, Fingerprint> = covered
        .iter()
        .map(|(id, print)| (TaskId(id.clone()), Fingerprint(print.clone())))
        .collect();
    coverage::uncovered(&approved, text, plan)
        .into_iter()
        .filter(|found| {
            scope
                .iter()
                .any(|index| plan.tasks[*index].id == found.task)
        })
        .map(|found| UncoveredStep {
            task: found.task.0,
            reason: found.reason.to_string(),
        })
        .collect()
}

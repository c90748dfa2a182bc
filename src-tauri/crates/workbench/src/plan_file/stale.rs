//! Stale saves: which revision one was made from, and what it comes to with what is newer.

use std::collections::HashSet;

use plan::merge::{self, Conflict};
use plan::nearest::nearest;
use plan::{Plan, Task};
use store::{NewConflict, RevisionEvent, Store};

use super::Content;
use super::found::StaleSave;
use crate::approval::revision_text;
use crate::error::Result;

/// How many revisions are held against a text at first, and how many more while the oldest of them are
/// the nearest. An ordinary edit is told from the first few.
const STEPS: [usize; 3] = [12, 60, 300];

/// Bytes of text that are held against one another.
const MOST_BYTES: usize = 32 << 20;

/// What a stale save comes to.
pub(super) struct Merge {
    pub(super) text: String,
    pub(super) conflicts: Vec<Lines>,
}

/// Lines that both sides changed.
pub(super) struct Lines {
    task: Option<String>,
    title: String,
    conflict: Conflict,
}

/// The revision that a text was made from, if that is clearly not the newest one. `events`: those of the
/// plan, newest first.
pub(super) fn made_from(
    store: &Store,
    content: &Content,
    events: &[RevisionEvent],
) -> Result<Option<String>> {
    let mut seen = HashSet::new();
    let mut hashes = events
        .iter()
        .map(|event| event.hash.as_str())
        .filter(|hash| seen.insert(*hash));
    let (mut known, mut texts, mut bytes) = (Vec::new(), Vec::new(), 0);
    for step in STEPS {
        while texts.len() < step && bytes < MOST_BYTES {
            let Some(hash) = hashes.next() else { break };
            let text = revision_text(store, hash)?;
            bytes += text.len();
            known.push(hash);
            texts.push(text);
        }
        let Some(found) = nearest(&content.text, &texts) else {
            return Ok(None);
        };
        let is_far_back = texts.len() == step && found.index >= step / 2;
        if !is_far_back {
            let base = known.get(found.index).filter(|_| found.is_stale());
            return Ok(base.map(|base| (*base).to_owned()));
        }
    }
    let found = nearest(&content.text, &texts);
    let found = found.filter(|found| found.is_stale());
    let base = found.and_then(|found| known.get(found.index));
    Ok(base.map(|base| (*base).to_owned()))
}

/// Merges a stale save with what came since.
pub(super) fn merge(store: &Store, content: &Content, saved: &StaleSave) -> Result<Merge> {
    let base = revision_text(store, &saved.base)?;
    let ours = revision_text(store, &saved.newest)?;
    let merged = merge::merge(&base, &ours, &content.text);
    let (plan, _) = plan::parse(&merged.text);
    let (own_plan, _) = plan::parse(&ours);
    let mut conflicts = Vec::new();
    for conflict in merged.conflicts {
        let (task, title) = place_of(&merged.text, &plan, (&ours, &own_plan), &conflict);
        conflicts.push(Lines {
            task,
            title,
            conflict,
        });
    }
    Ok(Merge {
        text: merged.text,
        conflicts,
    })
}

/// Keeps both sides of what is not merged.
pub(super) fn keep_conflicts(
    store: &Store,
    key: &str,
    merged: &Content,
    newest: &str,
    conflicts: &[Lines],
    now: i64,
) -> Result<()> {
    let new: Vec<NewConflict<'_>> = conflicts
        .iter()
        .map(|lines| NewConflict {
            plan: key,
            task: lines.task.as_deref(),
            title: &lines.title,
            base: &lines.conflict.base,
            ours: &lines.conflict.ours,
            theirs: &lines.conflict.theirs,
            revision: merged.revision.as_str(),
            place: i64::try_from(lines.conflict.place.start).unwrap_or(i64::MAX),
            at_ms: now,
        })
        .collect();
    if !new.is_empty() {
        // The content comes first: a conflict is a place in it.
        let hash = merged.revision.as_str();
        store
            .revisions()
            .keep(hash, merged.text.as_bytes(), newest)?;
    }
    store.plan_conflicts().add(&new)?;
    Ok(())
}

/// The task that a place belongs to and its title, or the section around it.
fn place_of(
    text: &str,
    plan: &Plan,
    (ours, own_plan): (&str, &Plan),
    conflict: &Conflict,
) -> (Option<String>, String) {
    let named = |task: &Task| (Some(task.id.to_string()), task.title.clone());
    if !conflict.theirs.is_empty()
        && let Some(task) = task_at(plan, conflict.place.start)
    {
        return named(task);
    }
    // The other side took the lines away: they are still to be seen on this one.
    if !conflict.ours.is_empty()
        && let Some(at) = ours.find(&conflict.ours)
        && let Some(task) = task_at(own_plan, at)
    {
        return named(task);
    }
    (None, section_at(text, conflict.place.start))
}

/// The innermost task whose lines hold this byte.
fn task_at(plan: &Plan, at: usize) -> Option<&Task> {
    let mut around = plan.tasks.iter().filter(|task| task.span.contains(&at));
    around.next_back()
}

/// The words of the last heading above a byte.
fn section_at(text: &str, at: usize) -> String {
    let above = text.get(..at).unwrap_or_default();
    let headings = above.lines().rev();
    let heading = headings.filter_map(|line| line.strip_prefix('#')).next();
    heading.map_or_else(
        || "Introduction".to_owned(),
        |words| words.trim_start_matches('#').trim().to_owned(),
    )
}

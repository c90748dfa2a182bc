//! Records content found on disk in the history: as a return, a stale save, or an edit.
//!
//! Our own writers record content before they write the file. So content that isn't the newest in
//! the history is recorded only under the same lock, and only if the file still has it. Writes no
//! file.

use plan::Revision;
use store::{Author, RevisionEvent, Store};

use super::merge_summary::is_merge;
use super::{Content, record, stale};
use crate::approval::revision_text;
use crate::error::Result;

/// The reason recorded for a revision that another program saved from an older one.
pub(crate) const STALE: &str = "saved by another program that had an older version open";

/// Maximum number of events searched for the revision that content is based on.
pub(super) const MAX_EVENTS: usize = 400;

/// How often the same stale save is merged; if it is saved again after that, it counts as intended.
const MAX_MERGES: usize = 2;

/// The maximum age of incomplete content, in milliseconds.
const BEGINNING_MS: i64 = 10_000;

/// A stale save that isn't merged yet.
#[derive(Debug)]
pub(crate) struct StaleSave {
    /// The revision that the save is based on.
    pub(crate) base: String,
    /// The revision that the save overwrote.
    pub(crate) newest: String,
}

/// The result of recording content.
#[derive(Debug)]
pub(crate) enum Noted {
    /// The content is in the history.
    Recorded,
    /// The content is in the history, but still needs to be merged.
    Stale(StaleSave),
    /// The file has changed again, so nothing was recorded.
    Outdated,
}

/// Records content found on disk, attributed to someone else unless it is known. Writes no file.
/// `is_checked_out` tells whether Git wrote the file.
pub(crate) fn note(
    store: &Store,
    key: &str,
    content: &Content,
    now: i64,
    is_checked_out: impl Fn() -> bool,
) -> Result<Noted> {
    let hash = content.revision.as_str();
    let revisions = store.revisions();
    if let Some(known) = known(store, key, hash)? {
        return Ok(known);
    }
    // One of our own writes may have happened since the file was read, or may be about to happen.
    let _turn = store.turn()?;
    if has_moved_on(key, content) {
        return Ok(Noted::Outdated);
    }
    if let Some(known) = known(store, key, hash)? {
        return Ok(known);
    }
    let mut events = revisions.page(key, None, MAX_EVENTS)?;
    let beginnings = beginnings(store, &events, content, now)?;
    events.drain(..beginnings);
    let newest = events.first().map(|latest| latest.hash.clone());
    let newest = newest.as_deref();
    let saved = found_stale(store, content, events)?.filter(|_| !is_checked_out());
    let (parent, reason) = match &saved {
        Some(saved) => (Some(saved.base.as_str()), STALE),
        None => (newest, "found on disk"),
    };
    // If a merged save is written again, it becomes its own parent, which records the repetition.
    record(store, key, content, parent, Author::Outside, reason, now)?;
    Ok(saved.map_or(Noted::Recorded, Noted::Stale))
}

/// The result for content that is the newest in the history; `None` for any other.
fn known(store: &Store, key: &str, hash: &str) -> Result<Option<Noted>> {
    let revisions = store.revisions();
    let Some(latest) = revisions.latest(key)?.filter(|latest| latest.hash == hash) else {
        return Ok(None);
    };
    if latest.reason != STALE {
        return Ok(Some(Noted::Recorded));
    }
    // The save was recorded, but its merge wasn't.
    let events = revisions.page(key, None, MAX_EVENTS)?;
    let newest = events.iter().find(|event| event.reason != STALE);
    let found = newest.zip(latest.parent);
    Ok(Some(found.map_or(Noted::Recorded, |(newest, base)| {
        Noted::Stale(StaleSave {
            base,
            newest: newest.hash.clone(),
        })
    })))
}

/// Whether the plan file is known to have changed since it was read.
pub(super) fn has_moved_on(key: &str, content: &Content) -> bool {
    std::fs::read(key).is_ok_and(|bytes| Revision::of(&bytes) != content.revision)
}

/// Whether the content is a stale save, and which revision it is based on. `events` are those of
/// the plan, newest first.
fn found_stale(
    store: &Store,
    content: &Content,
    mut events: Vec<RevisionEvent>,
) -> Result<Option<StaleSave>> {
    let hash = content.revision.as_str();
    // Unmerged saves don't count as the newest revision, but a further save may be based on one.
    let pending = events
        .iter()
        .take_while(|event| event.reason == STALE)
        .count();
    let Some(newest) = events.get(pending).map(|event| event.hash.clone()) else {
        return Ok(None);
    };
    if events.iter().any(|event| event.hash == hash) {
        // Events are sorted newest first, so a stale save directly follows its merge.
        let is_merge = |step: &&[RevisionEvent]| {
            is_merge(&step[0]) && step[1].reason == STALE && step[1].hash == hash
        };
        let merges = events.windows(2).filter(is_merge).count();
        let base = hash.to_owned();
        let is_again = (1..MAX_MERGES).contains(&merges);
        return Ok(is_again.then_some(StaleSave { base, newest }));
    }
    if events.iter().all(|event| event.author == Author::Outside) {
        return Ok(None);
    }
    events[..=pending].rotate_right(1);
    let Some(found) = stale::made_from(store, content, &events)? else {
        return Ok(None);
    };
    let of_pending = events[1..=pending].iter().find(|event| event.hash == found);
    let base = match of_pending {
        Some(event) => event.parent.clone(),
        None => Some(found),
    };
    Ok(base.map(|base| StaleSave { base, newest }))
}

/// How many of the newest events recorded only an incomplete version of this content.
fn beginnings(
    store: &Store,
    events: &[RevisionEvent],
    content: &Content,
    now: i64,
) -> Result<usize> {
    for (at, event) in events.iter().enumerate() {
        let may_be = event.author == Author::Outside
            && event.reason != STALE
            && now.saturating_sub(event.at_ms) < BEGINNING_MS
            && at + 1 < events.len();
        if !may_be {
            return Ok(at);
        }
        let text = revision_text(store, &event.hash)?;
        if !looks_cut(&text) || !content.text.starts_with(&text) {
            return Ok(at);
        }
    }
    Ok(0)
}

/// Whether a text may be the start of a longer one.
pub(super) fn looks_cut(text: &str) -> bool {
    text.trim().is_empty() || !text.ends_with('\n')
}

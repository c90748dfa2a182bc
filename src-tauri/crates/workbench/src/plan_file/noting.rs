//! Putting a content that was found on disk into the history: as a return, a stale save, or an edit.
//!
//! Our own writers record a content before it is in the file. So what is not the newest of the history
//! is taken in only in turn with them, and only if the file still holds it. Writes no file.

use plan::Revision;
use store::{Author, RevisionEvent, Store};

use super::told::is_merge;
use super::{Content, record, stale};
use crate::approval::revision_text;
use crate::error::Result;

/// Why a revision is there that another program saved from an older one.
pub(crate) const STALE: &str = "saved by another program that had an older version open";

/// Events of a plan that are looked at to find what a content was made from.
pub(super) const MAX_EVENTS: usize = 400;

/// How often the same stale save is merged; who saves it once more insists on it.
const MAX_MERGES: usize = 2;

/// How long ago the beginning of a content may have been seen, in milliseconds.
const BEGINNING_MS: i64 = 10_000;

/// A save of another program over newer revisions that is not merged yet.
#[derive(Debug)]
pub(crate) struct StaleSave {
    /// The revision it was made from.
    pub(crate) base: String,
    /// The revision that it was written over.
    pub(crate) newest: String,
}

/// What came of a content that was found on disk.
#[derive(Debug)]
pub(crate) enum Noted {
    /// It is in the history.
    Taken,
    /// It is, and is still to be merged.
    Stale(StaleSave),
    /// The file holds something else by now; nothing was recorded.
    Outdated,
}

/// Records a content found on disk, as somebody else's unless it is known to be there. Writes no file.
/// `is_checked_out` says whether Git wrote the file.
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
    // A write of our own may have come between the reading and this, or be on its way to the file.
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
    // Its own parent, where a merged save was written once more: the record says that it came again.
    record(store, key, content, parent, Author::Outside, reason, now)?;
    Ok(saved.map_or(Noted::Taken, Noted::Stale))
}

/// What is to be done about a content that is the newest of the history; `None` for any other.
fn known(store: &Store, key: &str, hash: &str) -> Result<Option<Noted>> {
    let revisions = store.revisions();
    let Some(latest) = revisions.latest(key)?.filter(|latest| latest.hash == hash) else {
        return Ok(None);
    };
    if latest.reason != STALE {
        return Ok(Some(Noted::Taken));
    }
    // It was recorded, and what it is merged to was not.
    let events = revisions.page(key, None, MAX_EVENTS)?;
    let newest = events.iter().find(|event| event.reason != STALE);
    let found = newest.zip(latest.parent);
    Ok(Some(found.map_or(Noted::Taken, |(newest, base)| {
        Noted::Stale(StaleSave {
            base,
            newest: newest.hash.clone(),
        })
    })))
}

/// Whether a plan file is known to hold something else than was read from it.
pub(super) fn has_moved_on(key: &str, content: &Content) -> bool {
    std::fs::read(key).is_ok_and(|bytes| Revision::of(&bytes) != content.revision)
}

/// Whether a content was saved over newer revisions, and from which one.
/// `events`: those of the plan, newest first.
fn found_stale(
    store: &Store,
    content: &Content,
    mut events: Vec<RevisionEvent>,
) -> Result<Option<StaleSave>> {
    let hash = content.revision.as_str();
    // Saves that are not merged yet do not count as the newest, but one more may be made from them.
    let pending = events
        .iter()
        .take_while(|event| event.reason == STALE)
        .count();
    let Some(newest) = events.get(pending).map(|event| event.hash.clone()) else {
        return Ok(None);
    };
    if events.iter().any(|event| event.hash == hash) {
        // The newest first: what was merged stands behind what it was merged to.
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

/// How many of the newest events only saw the beginning of this content, while it was written.
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

/// Whether a text could be the beginning of a longer one.
pub(super) fn looks_cut(text: &str) -> bool {
    text.trim().is_empty() || !text.ends_with('\n')
}

//! Tables `revisions` and `revision_events`: every revision of each plan file, and its history.
//!
//! The content of each revision is stored once, by its SHA-256; an event records that a plan
//! changed to that content, the content it had before, and who changed it. Both tables are
//! append-only. Hashes are verified on write and on read, so the content read back is the content
//! that was approved. `contents` handles delta compression.
//!
//! A moved plan keeps the events of its earlier paths.

mod contents;

use std::collections::BTreeSet;

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::immediate;
use super::plan_moves::lineage;
use crate::lookup::Lookup;
use crate::{Author, StoreError};
use contents::sha256;

/// Minimum length of a hash prefix; a shorter one could too easily match another revision.
const SHORTEST_PREFIX: usize = 12;

/// The content observed in a plan file at some time.
#[derive(Clone, Copy, Debug)]
pub struct NewRevision<'a> {
    /// Absolute path of the plan file.
    pub plan: &'a str,
    /// SHA-256 of the content, 64 lower-case hex digits.
    pub hash: &'a str,
    /// SHA-256 of the content it was derived from, if known.
    pub parent: Option<&'a str>,
    /// Who made the change.
    pub author: Author,
    /// A short reason for the history.
    pub reason: &'a str,
    /// Time of the change, in milliseconds since 1970 UTC.
    pub at_ms: i64,
    /// The file's bytes.
    pub content: &'a [u8],
}

/// An event: a plan's content changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevisionEvent {
    /// Position in the order of all events; increasing, with gaps.
    pub seq: i64,
    /// Absolute path of the plan file.
    pub plan: String,
    /// SHA-256 of the content, 64 lower-case hex digits.
    pub hash: String,
    /// SHA-256 of the content it was derived from, if known.
    pub parent: Option<String>,
    /// Who made the change.
    pub author: Author,
    /// A short reason for the history.
    pub reason: String,
    /// Time of the change, in milliseconds since 1970 UTC.
    pub at_ms: i64,
}

/// Access to the revisions.
pub struct Revisions<'s> {
    pub(crate) conn: &'s Connection,
}

const COLUMNS: &str = "seq, plan, hash, parent, author, reason, at_ms";

impl Revisions<'_> {
    /// Stores content and records that the plan now has it; returns `true` if an event was added.
    ///
    /// Repeating the plan's newest event has no effect, so this can be retried after a crash.
    /// Returning to earlier content (A, B, A) adds an event for the stored content. The same change
    /// reported by another author is also a new event: both are kept.
    ///
    /// # Errors
    /// [`StoreError::WrongHash`] if `hash` is not that of `content`.
    pub fn record(&self, new: &NewRevision<'_>) -> Result<bool, StoreError> {
        check(new.hash, new.content)?;
        let tx = immediate(self.conn)?;
        let newest = latest(&tx, new.plan)?;
        if newest
            .as_ref()
            .is_some_and(|newest| says_the_same(newest, new))
        {
            return Ok(false);
        }
        let before = new
            .parent
            .or(newest.as_ref().map(|event| event.hash.as_str()));
        contents::keep(&tx, new.hash, new.content, before)?;
        tx.prepare_cached(
            "INSERT INTO revision_events (plan, hash, parent, author, reason, at_ms)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![
            new.plan,
            new.hash,
            new.parent,
            new.author.as_str(),
            new.reason,
            new.at_ms
        ])?;
        tx.commit()?;
        Ok(true)
    }

    /// Stores content without an event, for content that is referenced but not yet in any file.
    ///
    /// # Errors
    /// [`StoreError::WrongHash`] if `hash` is not that of `content`.
    pub fn keep(&self, hash: &str, content: &[u8], resembles: &str) -> Result<(), StoreError> {
        check(hash, content)?;
        let tx = immediate(self.conn)?;
        contents::keep(&tx, hash, content, Some(resembles))?;
        Ok(tx.commit()?)
    }

    /// The newest event of a plan: the last known content of its file.
    pub fn latest(&self, plan: &str) -> Result<Option<RevisionEvent>, StoreError> {
        latest(self.conn, plan)
    }

    /// All events of a plan, oldest first.
    pub fn events(&self, plan: &str) -> Result<Vec<RevisionEvent>, StoreError> {
        let mut events = self.page(plan, None, usize::MAX)?;
        events.reverse();
        Ok(events)
    }

    /// Up to `count` events of a plan, newest first; only those older than `before`, if given.
    pub fn page(
        &self,
        plan: &str,
        before: Option<i64>,
        count: usize,
    ) -> Result<Vec<RevisionEvent>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM revision_events WHERE plan = ?1 AND seq > ?2 AND seq <= ?3
             ORDER BY seq DESC LIMIT ?4"
        );
        let mut statement = self.conn.prepare_cached(&sql)?;
        let last = before.map_or(i64::MAX, |before| before.saturating_sub(1));
        let mut page = Vec::new();
        for span in lineage(self.conn, plan)? {
            let upto = span.events.1.min(last);
            let left = i64::try_from(count - page.len()).unwrap_or(i64::MAX);
            let events =
                statement.query_map(params![span.plan, span.events.0, upto, left], event)?;
            for event in events {
                page.push(event?);
            }
            if page.len() >= count {
                break;
            }
        }
        Ok(page)
    }

    /// The newest event in which the plan changed to this content.
    pub fn last_with(&self, plan: &str, hash: &str) -> Result<Option<RevisionEvent>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM revision_events
             WHERE plan = ?1 AND hash = ?2 AND seq > ?3 AND seq <= ?4 ORDER BY seq DESC LIMIT 1"
        );
        let mut statement = self.conn.prepare_cached(&sql)?;
        for span in lineage(self.conn, plan)? {
            let (after, upto) = span.events;
            let found = statement.query_row(params![span.plan, hash, after, upto], event);
            if let Some(found) = found.optional()? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// The plans below a folder that have stored events, sorted by path. `folder` is an absolute
    /// path without a trailing slash. The files may no longer exist.
    pub fn plans_below(&self, folder: &str) -> Result<Vec<String>, StoreError> {
        // `0` is the character after `/`, which makes this a prefix range.
        let mut statement = self.conn.prepare_cached(
            "SELECT plan FROM revision_events WHERE plan > ?1 || '/' AND plan < ?1 || '0'
             UNION SELECT to_plan FROM plan_moves WHERE to_plan > ?1 || '/' AND to_plan < ?1 || '0'
             ORDER BY 1",
        )?;
        let plans = statement.query_map([folder], |row| row.get(0))?;
        let plans = plans.collect::<Result<Vec<String>, _>>()?;
        let mut held = Vec::new();
        for plan in plans {
            if self.latest(&plan)?.is_some() {
                held.push(plan);
            }
        }
        Ok(held)
    }

    /// The full hash of the plan's revision whose hash starts with `prefix`, ignoring case.
    /// Prefixes that are shorter than 12 characters or not hexadecimal match nothing.
    pub fn by_prefix(&self, plan: &str, prefix: &str) -> Result<Lookup<String>, StoreError> {
        let prefix = prefix.to_ascii_lowercase();
        if prefix.len() < SHORTEST_PREFIX || !prefix.bytes().all(|c| c.is_ascii_hexdigit()) {
            return Ok(Lookup::None);
        }
        // `g` is the character after the last hex digit, which makes this a prefix range.
        let mut statement = self.conn.prepare_cached(
            "SELECT DISTINCT hash FROM revision_events
             WHERE plan = ?1 AND hash >= ?2 AND hash < ?2 || 'g' AND seq > ?3 AND seq <= ?4",
        )?;
        let mut found = BTreeSet::new();
        for span in lineage(self.conn, plan)? {
            let (after, upto) = span.events;
            let asked = params![span.plan, prefix, after, upto];
            for hash in statement.query_map(asked, |row| row.get(0))? {
                found.insert(hash?);
            }
        }
        Ok(Lookup::of(found.into_iter().collect()))
    }

    /// The bytes of a revision, or `None` if it is not stored.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] if they no longer match their hash.
    pub fn content(&self, hash: &str) -> Result<Option<Vec<u8>>, StoreError> {
        contents::read(self.conn, hash)
    }
}

/// Stores content within the caller's transaction.
pub(crate) fn keep_within(conn: &Connection, hash: &str, content: &[u8]) -> Result<(), StoreError> {
    check(hash, content)?;
    contents::keep(conn, hash, content, None)
}

fn check(hash: &str, content: &[u8]) -> Result<(), StoreError> {
    if sha256(content) == hash {
        return Ok(());
    }
    let hash = hash.to_owned();
    Err(StoreError::WrongHash { hash })
}

fn latest(conn: &Connection, plan: &str) -> Result<Option<RevisionEvent>, StoreError> {
    Ok(Revisions { conn }.page(plan, None, 1)?.pop())
}

/// Whether an event adds nothing: the plan already has the content, and the event either names no
/// other parent or repeats the parent and author of the newest event.
fn says_the_same(newest: &RevisionEvent, new: &NewRevision<'_>) -> bool {
    let tells_of_a_step = new.parent.is_some_and(|parent| parent != new.hash);
    let is_the_same_step = newest.parent.as_deref() == new.parent && newest.author == new.author;
    newest.hash == new.hash && (!tells_of_a_step || is_the_same_step)
}

fn event(row: &Row<'_>) -> rusqlite::Result<RevisionEvent> {
    Ok(RevisionEvent {
        seq: row.get(0)?,
        plan: row.get(1)?,
        hash: row.get(2)?,
        parent: row.get(3)?,
        author: row.get(4)?,
        reason: row.get(5)?,
        at_ms: row.get(6)?,
    })
}

#[cfg(test)]
mod tests;

//! Tables `revisions` and `revision_events`: every content a plan file ever had, and how it came.
//!
//! A content is known by its SHA-256 and kept once; an event says that a plan took it, from which
//! content, by whom. Both only grow. A content is checked against its hash on the way in and on
//! the way out, so what is read back is what was approved. How contents are packed onto each other is
//! the business of `contents`.
//!
//! A plan that was moved has the events of the places where it lay before as well.

mod contents;

use std::collections::BTreeSet;

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::immediate;
use super::plan_moves::lineage;
use crate::lookup::Lookup;
use crate::{Author, StoreError};
use contents::sha256;

/// Fewer characters than this are too easily the start of another revision.
const SHORTEST_PREFIX: usize = 12;

/// A content seen in a plan file.
#[derive(Clone, Copy, Debug)]
pub struct NewRevision<'a> {
    /// Absolute path of the plan file.
    pub plan: &'a str,
    /// SHA-256 of the content, 64 lower-case hex digits.
    pub hash: &'a str,
    /// The content it was made from, where known.
    pub parent: Option<&'a str>,
    /// Who brought it.
    pub author: Author,
    /// Why, in a few words for the history.
    pub reason: &'a str,
    /// When, in milliseconds since 1970 UTC.
    pub at_ms: i64,
    /// The file's bytes.
    pub content: &'a [u8],
}

/// One time that a plan took a content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevisionEvent {
    /// Position in the order of all events; grows, with gaps.
    pub seq: i64,
    /// Absolute path of the plan file.
    pub plan: String,
    /// SHA-256 of the content, 64 lower-case hex digits.
    pub hash: String,
    /// The content it was made from, where known.
    pub parent: Option<String>,
    /// Who brought it.
    pub author: Author,
    /// Why, in a few words for the history.
    pub reason: String,
    /// When, in milliseconds since 1970 UTC.
    pub at_ms: i64,
}

/// Reads and writes of the revisions.
pub struct Revisions<'s> {
    pub(crate) conn: &'s Connection,
}

const COLUMNS: &str = "seq, plan, hash, parent, author, reason, at_ms";

impl Revisions<'_> {
    /// Keeps a content and notes that the plan has it now; `true` if that was news.
    ///
    /// Recording what the plan's newest event already says changes nothing, so it may be repeated
    /// after a crash. A content that comes back later (A, B, A) is a new event on the old content.
    /// The same step told by another author is a new event too: both accounts stay.
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

    /// Keeps a content, without an event: something speaks of it, and no file held it yet.
    ///
    /// # Errors
    /// [`StoreError::WrongHash`] if `hash` is not that of `content`.
    pub fn keep(&self, hash: &str, content: &[u8], resembles: &str) -> Result<(), StoreError> {
        check(hash, content)?;
        let tx = immediate(self.conn)?;
        contents::keep(&tx, hash, content, Some(resembles))?;
        Ok(tx.commit()?)
    }

    /// The newest event of a plan: what its file held when it was last looked at.
    pub fn latest(&self, plan: &str) -> Result<Option<RevisionEvent>, StoreError> {
        latest(self.conn, plan)
    }

    /// All events of a plan, oldest first.
    pub fn events(&self, plan: &str) -> Result<Vec<RevisionEvent>, StoreError> {
        let mut events = self.page(plan, None, usize::MAX)?;
        events.reverse();
        Ok(events)
    }

    /// Events of a plan, the newest first, at most `count`; only those before the event `before`, where
    /// one is given.
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

    /// The newest event that gave a plan this content.
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

    /// Plans of which something is kept and whose path lies below a folder (an absolute path without a
    /// slash at its end), by path. Whether they lie there still is not known here.
    pub fn plans_below(&self, folder: &str) -> Result<Vec<String>, StoreError> {
        // `0` follows the slash, which makes this the range of all that start so.
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

    /// The full hash of the plan's revision that starts with `prefix`, in either case of letters.
    /// Fewer than 12 characters, or anything but hex digits, find nothing.
    pub fn by_prefix(&self, plan: &str, prefix: &str) -> Result<Lookup<String>, StoreError> {
        let prefix = prefix.to_ascii_lowercase();
        if prefix.len() < SHORTEST_PREFIX || !prefix.bytes().all(|c| c.is_ascii_hexdigit()) {
            return Ok(Lookup::None);
        }
        // `g` follows the last hex digit, which makes this the range of all that start so.
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

    /// The bytes of a revision, or `None` if no plan ever had it.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] if they are no longer the ones that were recorded.
    pub fn content(&self, hash: &str) -> Result<Option<Vec<u8>>, StoreError> {
        contents::read(self.conn, hash)
    }
}

/// Keeps a content inside a transaction of the caller's.
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

/// A sighting of the content that is there already adds nothing, whoever saw it, unless it tells
/// of a step that led there.
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

//! Tables `revisions` and `revision_events`: every content a plan file ever had, and how it came.
//!
//! A content is known by its SHA-256 and kept once; an event says that a plan took it, from which
//! content, by whom. Both only grow. A content is checked against its hash on the way in and on
//! the way out, so what is read back is what was approved.

use rusqlite::{Connection, OptionalExtension, Row, params};
use sha2::{Digest, Sha256};

use super::immediate;
use crate::lookup::Lookup;
use crate::packed::{Packed, pack, unpack};
use crate::{Author, StoreError};

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
        if sha256(new.content) != new.hash {
            return Err(StoreError::WrongHash {
                hash: new.hash.to_owned(),
            });
        }
        let tx = immediate(self.conn)?;
        if let Some(newest) = latest(&tx, new.plan)?
            && says_the_same(&newest, new)
        {
            return Ok(false);
        }
        let is_known = tx
            .prepare_cached("SELECT 1 FROM revisions WHERE hash = ?1")?
            .exists([new.hash])?;
        if !is_known {
            let packed = pack(new.content)?;
            tx.prepare_cached("INSERT INTO revisions (hash, size, content) VALUES (?1, ?2, ?3)")?
                .execute(params![new.hash, packed.size, packed.bytes])?;
        }
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

    /// The newest event of a plan: what its file held when it was last looked at.
    pub fn latest(&self, plan: &str) -> Result<Option<RevisionEvent>, StoreError> {
        latest(self.conn, plan)
    }

    /// All events of a plan, oldest first.
    pub fn events(&self, plan: &str) -> Result<Vec<RevisionEvent>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM revision_events WHERE plan = ?1 ORDER BY seq");
        let mut statement = self.conn.prepare_cached(&sql)?;
        let events = statement.query_map([plan], event)?;
        Ok(events.collect::<Result<_, _>>()?)
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
             WHERE plan = ?1 AND hash >= ?2 AND hash < ?2 || 'g' ORDER BY hash",
        )?;
        let hashes = statement.query_map([plan, &prefix], |row| row.get(0))?;
        Ok(Lookup::of(hashes.collect::<Result<_, _>>()?))
    }

    /// The bytes of a revision, or `None` if no plan ever had it.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] if they are no longer the ones that were recorded.
    pub fn content(&self, hash: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let packed = self
            .conn
            .prepare_cached("SELECT size, content FROM revisions WHERE hash = ?1")?
            .query_row([hash], |row| {
                Ok(Packed {
                    size: row.get(0)?,
                    bytes: row.get(1)?,
                })
            })
            .optional()?;
        let Some(packed) = packed else {
            return Ok(None);
        };
        let content = unpack(&packed, "a revision")?;
        if sha256(&content) != hash {
            return Err(StoreError::damaged("the content of a revision has changed"));
        }
        Ok(Some(content))
    }
}

fn latest(conn: &Connection, plan: &str) -> Result<Option<RevisionEvent>, StoreError> {
    let sql =
        format!("SELECT {COLUMNS} FROM revision_events WHERE plan = ?1 ORDER BY seq DESC LIMIT 1");
    let mut statement = conn.prepare_cached(&sql)?;
    Ok(statement.query_row([plan], event).optional()?)
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

fn sha256(content: &[u8]) -> String {
    let mut hex = String::with_capacity(64);
    for byte in Sha256::digest(content) {
        for half in [byte >> 4, byte & 15] {
            hex.extend(char::from_digit(u32::from(half), 16));
        }
    }
    hex
}

#[cfg(test)]
mod tests;

//! Stores the content of revisions: compressed alone, or as a delta to the content of an earlier
//! revision, its base.
//!
//! New content is compressed against one of its predecessors, which is determined by its place,
//! counted from the last standalone row: place 12 (binary 1100) is based on place 8 (1000), and
//! place 8 on place 0. So reading a row takes at most [`MAX_CHAIN`] others, and most deltas still
//! have a recent base. One in [`PLACES`] rows is standalone, as is a row with little in common with
//! its base.
//!
//! Rows written in the earliest formats are standalone. Existing rows are never recompressed.

use rusqlite::{Connection, OptionalExtension, Row, params};
use sha2::{Digest, Sha256};

use crate::StoreError;
use crate::packed::{Packed, pack, pack_onto, unpack, unpack_onto};

/// Distance between standalone rows.
const PLACES: i64 = 256;

/// Maximum number of bases needed to read a row: the maximum number of one-bits in a place.
const MAX_CHAIN: usize = 8;

/// If a delta isn't smaller than the content's size divided by this, compressing the content alone
/// is tried too.
const LARGE_PART: usize = 16;

/// A row without its content.
struct Head {
    hash: String,
    base: Option<String>,
    place: i64,
}

/// Stores content unless it exists already; `before` is the hash of the content it was derived
/// from, if known.
pub(super) fn keep(
    conn: &Connection,
    hash: &str,
    content: &[u8],
    before: Option<&str>,
) -> Result<(), StoreError> {
    let is_known = conn
        .prepare_cached("SELECT 1 FROM revisions WHERE hash = ?1")?
        .exists([hash])?;
    if is_known {
        return Ok(());
    }
    let base = match before {
        Some(before) => base_after(conn, before)?,
        None => None,
    };
    let (packed, base, place) = match base {
        Some((base, place)) => match onto(conn, content, &base)? {
            Some(packed) => (packed, Some(base), place),
            None => (pack(content)?, None, 0),
        },
        None => (pack(content)?, None, 0),
    };
    conn.prepare_cached(
        "INSERT INTO revisions (hash, size, content, base, place) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?
    .execute(params![hash, packed.size, packed.bytes, base, place])?;
    Ok(())
}

/// The base and place of the row that follows `before`; `None` if it should be standalone.
fn base_after(conn: &Connection, before: &str) -> Result<Option<(String, i64)>, StoreError> {
    let Some(mut at) = head(conn, before)? else {
        return Ok(None);
    };
    let place = at.place + 1;
    if place >= PLACES {
        return Ok(None);
    }
    let wanted = place & (place - 1);
    for _ in 0..=MAX_CHAIN {
        if at.place == wanted {
            return Ok(Some((at.hash, place)));
        }
        let Some(base) = at.base else { break };
        match head(conn, &base)? {
            Some(below) => at = below,
            None => break,
        }
    }
    Ok(None)
}

/// Compresses content against a stored base; `None` if that saves little, or if the base is
/// damaged, since new content must not depend on a damaged base.
fn onto(conn: &Connection, content: &[u8], base: &str) -> Result<Option<Packed>, StoreError> {
    let base = match read(conn, base) {
        Ok(Some(base)) => base,
        Ok(None) => return Ok(None),
        Err(error @ StoreError::Damaged { .. }) => {
            tracing::warn!(%error, "storing a new revision in full");
            return Ok(None);
        }
        Err(error) => return Err(error),
    };
    let packed = pack_onto(content, &base)?;
    let is_small = packed.bytes.len() < content.len() / LARGE_PART;
    let saves = is_small || packed.bytes.len() < pack(content)?.bytes.len() / 2;
    Ok(saves.then_some(packed))
}

/// The content with this hash, or `None` if it is not stored.
///
/// # Errors
/// [`StoreError::Damaged`] if the content doesn't match its hash or a base is missing; the message
/// names both revisions.
pub(super) fn read(conn: &Connection, hash: &str) -> Result<Option<Vec<u8>>, StoreError> {
    let mut changes = Vec::new();
    let mut at = hash.to_owned();
    let mut content = loop {
        let row = conn
            .prepare_cached("SELECT size, content, base FROM revisions WHERE hash = ?1")?
            .query_row([&at], packed)
            .optional()?;
        let what = format!("revision {}", short(&at));
        let Some((packed, base)) = row else {
            if changes.is_empty() {
                return Ok(None);
            }
            let upper = short(hash);
            let what = format!("revision {upper} depends on {what}, which is missing");
            return Err(StoreError::damaged(what));
        };
        match base {
            None => break unpack(&packed, &what)?,
            Some(_) if changes.len() >= MAX_CHAIN => {
                let what = format!("revision {} depends on too many others", short(hash));
                return Err(StoreError::damaged(what));
            }
            Some(base) => {
                changes.push((packed, what));
                at = base;
            }
        }
    };
    for (packed, what) in changes.iter().rev() {
        content = unpack_onto(packed, &content, what)?;
    }
    if sha256(&content) != hash {
        let what = format!(
            "the content of revision {} doesn't match its hash",
            short(hash)
        );
        return Err(StoreError::damaged(what));
    }
    Ok(Some(content))
}

fn packed(row: &Row<'_>) -> rusqlite::Result<(Packed, Option<String>)> {
    let packed = Packed {
        size: row.get(0)?,
        bytes: row.get(1)?,
    };
    Ok((packed, row.get(2)?))
}

fn head(conn: &Connection, hash: &str) -> Result<Option<Head>, StoreError> {
    let mut statement =
        conn.prepare_cached("SELECT hash, base, place FROM revisions WHERE hash = ?1")?;
    let head = statement.query_row([hash], |row| {
        Ok(Head {
            hash: row.get(0)?,
            base: row.get(1)?,
            place: row.get(2)?,
        })
    });
    Ok(head.optional()?)
}

/// The first 12 digits of a hash, for display.
fn short(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}

pub(super) fn sha256(content: &[u8]) -> String {
    let mut hex = String::with_capacity(64);
    for byte in Sha256::digest(content) {
        for half in [byte >> 4, byte & 15] {
            hex.extend(char::from_digit(u32::from(half), 16));
        }
    }
    hex
}

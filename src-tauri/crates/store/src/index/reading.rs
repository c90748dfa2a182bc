//! Queries the index for files, words, names and links.

use std::collections::HashMap;

use rusqlite::{OptionalExtension as _, params};

use super::WorkspaceIndex;
use crate::StoreError;

/// BM25 weights of the path, defined names and content. Paths are scored separately, since the
/// length of a file shouldn't make its name less relevant.
const WEIGHTS: &str = "0.0, 2.0, 1.0";
/// Weight of a match in the path, relative to the maximum for a match in the content.
const IN_PATH: f64 = 1.0;
/// Maximum factor by which FTS5's BM25 multiplies the rarity of a word that occurs often: k1 + 1.
const MAX_WORD_SCORE: f64 = 2.2;
/// The minimum rarity that FTS5 uses.
const MIN_RARITY: f64 = 1e-6;

/// The result of a search.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct IndexFound {
    /// The rarity of each term: roughly the logarithm of the number of all files divided by the
    /// number of files that contain it.
    pub rarity: Vec<f64>,
    /// The matching files.
    pub hits: Vec<IndexHit>,
}

/// A file in a search result.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct IndexHit {
    /// The file's path.
    pub path: String,
    /// The BM25 score of each term in its names and content, scaled to 0 to 1.
    pub texts: Vec<f64>,
    /// Whether each term occurs in its path.
    pub paths: Vec<bool>,
}

/// A name defined in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexSymbol {
    /// The name as written.
    pub name: String,
    /// The file's path.
    pub path: String,
    /// The number of its line, from 1.
    pub line: u32,
    /// What kind of name it is, as the caller wrote it.
    pub shape: String,
}

impl WorkspaceIndex {
    /// Calls `take` for each indexed file in order of path, with its size in bytes and its
    /// modification time in nanoseconds since 1970 UTC.
    ///
    /// # Errors
    /// [`StoreError::Damaged`], [`StoreError::Locked`].
    pub fn stamps(&self, mut take: impl FnMut(&str, u64, i64)) -> Result<(), StoreError> {
        let mut all = self
            .conn
            .prepare_cached("SELECT path, size, mtime_ns FROM files ORDER BY path")?;
        let mut rows = all.query([])?;
        while let Some(row) = rows.next()? {
            let size: i64 = row.get(1)?;
            let path = row.get_ref(0)?.as_str().unwrap_or_default();
            take(path, u64::try_from(size).unwrap_or(0), row.get(2)?);
        }
        Ok(())
    }

    /// The number of indexed files.
    ///
    /// # Errors
    /// Same as [`WorkspaceIndex::stamps`].
    pub fn files(&self) -> Result<u64, StoreError> {
        let count: i64 = self
            .conn
            .query_row("SELECT count(*) FROM files", [], |row| row.get(0))?;
        Ok(u64::try_from(count).unwrap_or(0))
    }

    /// The best `limit` files that contain any of these terms, followed by those of `besides` that
    /// are indexed and searchable. A term is a single word with a weight; FTS5 query operators are
    /// treated literally.
    ///
    /// # Errors
    /// Same as [`WorkspaceIndex::stamps`].
    pub fn search(
        &self,
        terms: &[(&str, f64)],
        limit: usize,
        besides: &[&str],
    ) -> Result<IndexFound, StoreError> {
        #[allow(clippy::cast_precision_loss, reason = "file counts are small")]
        let all = self.files()? as f64;
        let mut holding: Vec<Holding> = Vec::with_capacity(terms.len());
        let mut totals: HashMap<i64, f64> = HashMap::new();
        for (term, weight) in terms {
            let one = self.holding(term, all)?;
            let weight = weight * one.rarity;
            for (id, text) in &one.texts {
                *totals.entry(*id).or_default() += weight * text;
            }
            for id in &one.paths {
                *totals.entry(*id).or_default() += weight * IN_PATH;
            }
            holding.push(one);
        }
        let mut ranked: Vec<(f64, i64)> =
            totals.into_iter().map(|(id, total)| (total, id)).collect();
        let order = |one: &(f64, i64), other: &(f64, i64)| {
            other.0.total_cmp(&one.0).then(one.1.cmp(&other.1))
        };
        if ranked.len() > limit {
            ranked.select_nth_unstable_by(limit, order);
            ranked.truncate(limit);
        }
        ranked.sort_unstable_by(order);
        let mut ids: Vec<i64> = ranked.into_iter().map(|(_, id)| id).collect();
        let mut id_of = self
            .conn
            .prepare_cached("SELECT id FROM files WHERE path = ?1 AND is_named")?;
        for path in besides {
            let id = id_of.query_row([path], |row| row.get(0)).optional()?;
            ids.extend(id.filter(|id| !ids.contains(id)));
        }
        let mut path_of = self
            .conn
            .prepare_cached("SELECT path FROM files WHERE id = ?1")?;
        let mut hits = Vec::with_capacity(ids.len());
        for id in ids {
            hits.push(IndexHit {
                path: path_of.query_row([id], |row| row.get(0))?,
                texts: holding.iter().map(|one| one.text(id)).collect(),
                paths: holding.iter().map(|one| one.is_in_path(id)).collect(),
            });
        }
        Ok(IndexFound {
            rarity: holding.into_iter().map(|one| one.rarity).collect(),
            hits,
        })
    }

    /// The files that contain one term, in a workspace with `all` files.
    fn holding(&self, term: &str, all: f64) -> Result<Holding, StoreError> {
        let term = quoted(term);
        if term.len() <= 2 {
            return Ok(Holding::default());
        }
        let mut texts = self.conn.prepare_cached(&format!(
            "SELECT rowid, -bm25(words, {WEIGHTS}) FROM words WHERE words MATCH ?1 ORDER BY rowid"
        ))?;
        let mut paths = self
            .conn
            .prepare_cached("SELECT rowid FROM words WHERE words MATCH ?1 ORDER BY rowid")?;
        let mut found: Vec<(i64, f64)> = texts
            .query_map([&term], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<rusqlite::Result<_>>()?;
        #[allow(clippy::cast_precision_loss, reason = "file counts are small")]
        let share = (all - found.len() as f64 + 0.5) / (found.len() as f64 + 0.5);
        // FTS5 practically ignores a word that occurs in half of all files; here it keeps a small
        // weight.
        let within = share.ln().max(MIN_RARITY) * MAX_WORD_SCORE;
        for (_, text) in &mut found {
            *text /= within;
        }
        found.retain(|(_, text)| *text > 0.0);
        Ok(Holding {
            rarity: (1.0 + share.max(0.0)).ln(),
            texts: found,
            paths: paths
                .query_map([format!("path : {term}")], |row| row.get(0))?
                .collect::<rusqlite::Result<_>>()?,
        })
    }

    /// The text that [`WorkspaceIndex::keep_note`] stored under a key.
    ///
    /// # Errors
    /// Same as [`WorkspaceIndex::stamps`].
    pub fn note(&self, key: &str) -> Result<Option<String>, StoreError> {
        let mut kept = self
            .conn
            .prepare_cached("SELECT value FROM notes WHERE key = ?1")?;
        Ok(kept.query_row([key], |row| row.get(0)).optional()?)
    }

    /// Whether any file has a word in its path, names or content, in any inflected form.
    ///
    /// # Errors
    /// Same as [`WorkspaceIndex::stamps`].
    pub fn has_word(&self, word: &str) -> Result<bool, StoreError> {
        let word = quoted(word);
        if word.len() <= 2 {
            return Ok(false);
        }
        let mut holds = self
            .conn
            .prepare_cached("SELECT 1 FROM words WHERE words MATCH ?1 LIMIT 1")?;
        Ok(holds.exists([word])?)
    }

    /// The names defined in a file, in order of line.
    ///
    /// # Errors
    /// Same as [`WorkspaceIndex::stamps`].
    pub fn symbols_of(&self, path: &str) -> Result<Vec<String>, StoreError> {
        let mut names = self.conn.prepare_cached(
            "SELECT name FROM symbols JOIN files ON files.id = symbols.file
             WHERE files.path = ?1 ORDER BY line, name",
        )?;
        let found = names.query_map([path], |row| row.get(0))?;
        Ok(found.collect::<rusqlite::Result<_>>()?)
    }

    /// The definitions of a name, in order of path and line.
    ///
    /// # Errors
    /// Same as [`WorkspaceIndex::stamps`].
    pub fn symbols_named(
        &self,
        folded: &str,
        name: &str,
        limit: usize,
    ) -> Result<Vec<IndexSymbol>, StoreError> {
        let mut named = self.conn.prepare_cached(
            "SELECT name, path, line, shape FROM symbols JOIN files ON files.id = symbols.file
             WHERE folded = ?1 AND name = ?2 ORDER BY path, line LIMIT ?3",
        )?;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let found = named.query_map(params![folded, name, limit], |row| {
            Ok(IndexSymbol {
                name: row.get(0)?,
                path: row.get(1)?,
                line: row.get(2)?,
                shape: row.get(3)?,
            })
        })?;
        Ok(found.collect::<rusqlite::Result<_>>()?)
    }

    /// Up to `limit` distinct names, in order, whose folded form begins with `head` and has between
    /// `shortest` and `longest` characters.
    ///
    /// # Errors
    /// Same as [`WorkspaceIndex::stamps`].
    pub fn symbols_near(
        &self,
        head: &str,
        (shortest, longest): (usize, usize),
        limit: usize,
    ) -> Result<Vec<String>, StoreError> {
        let mut near = self.conn.prepare_cached(
            "SELECT DISTINCT name FROM symbols
             WHERE folded >= ?1 AND folded < ?1 || char(0x10ffff)
               AND length(folded) BETWEEN ?2 AND ?3
             ORDER BY folded, name LIMIT ?4",
        )?;
        let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        let found = near.query_map(
            params![head, number(shortest), number(longest), number(limit)],
            |row| row.get(0),
        )?;
        Ok(found.collect::<rusqlite::Result<_>>()?)
    }

    /// A file's references: each target, paired with every path that has the target's key.
    ///
    /// # Errors
    /// Same as [`WorkspaceIndex::stamps`].
    pub fn links_from(&self, path: &str) -> Result<Vec<(String, String)>, StoreError> {
        self.pairs(
            "SELECT links.target, files.path FROM links
             JOIN keys ON keys.key = links.key
             JOIN files ON files.id = keys.file
             WHERE links.file = (SELECT id FROM files WHERE path = ?1)
             ORDER BY links.target, files.path",
            path,
        )
    }

    /// The files that may refer to this one: each path, with a target that has one of this file's
    /// keys.
    ///
    /// # Errors
    /// Same as [`WorkspaceIndex::stamps`].
    pub fn links_to(&self, path: &str) -> Result<Vec<(String, String)>, StoreError> {
        self.pairs(
            "SELECT links.target, files.path FROM keys
             JOIN links ON links.key = keys.key
             JOIN files ON files.id = links.file
             WHERE keys.file = (SELECT id FROM files WHERE path = ?1)
             ORDER BY files.path, links.target",
            path,
        )
    }

    /// The paths with a key, in order, up to `limit`.
    ///
    /// # Errors
    /// Same as [`WorkspaceIndex::stamps`].
    pub fn paths_keyed(&self, key: &str, limit: usize) -> Result<Vec<String>, StoreError> {
        let mut keyed = self.conn.prepare_cached(
            "SELECT path FROM keys JOIN files ON files.id = keys.file
             WHERE key = ?1 ORDER BY path LIMIT ?2",
        )?;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let found = keyed.query_map(params![key, limit], |row| row.get(0))?;
        Ok(found.collect::<rusqlite::Result<_>>()?)
    }

    /// Whether a file is indexed.
    ///
    /// # Errors
    /// Same as [`WorkspaceIndex::stamps`].
    pub fn knows(&self, path: &str) -> Result<bool, StoreError> {
        let mut known = self
            .conn
            .prepare_cached("SELECT 1 FROM files WHERE path = ?1")?;
        Ok(known.query_row([path], |_| Ok(())).optional()?.is_some())
    }

    fn pairs(&self, sql: &str, path: &str) -> Result<Vec<(String, String)>, StoreError> {
        let mut pairs = self.conn.prepare_cached(sql)?;
        let found = pairs.query_map([path], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(found.collect::<rusqlite::Result<_>>()?)
    }
}

/// The files that contain one term; both lists are in order of file id.
#[derive(Default)]
struct Holding {
    rarity: f64,
    texts: Vec<(i64, f64)>,
    paths: Vec<i64>,
}

impl Holding {
    fn text(&self, id: i64) -> f64 {
        let at = self.texts.binary_search_by_key(&id, |(known, _)| *known);
        at.map_or(0.0, |at| self.texts[at].1)
    }

    fn is_in_path(&self, id: i64) -> bool {
        self.paths.binary_search(&id).is_ok()
    }
}

/// A term as an FTS5 string, in which operators have no meaning.
fn quoted(term: &str) -> String {
    let plain: String = term.chars().filter(|c| *c != '"' && *c != '\0').collect();
    format!("\"{}\"", plain.trim())
}

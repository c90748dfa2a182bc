//! What an index is asked: which files are known, what a search finds, names and links.

use rusqlite::{OptionalExtension as _, params};

use super::WorkspaceIndex;
use crate::StoreError;

/// How much a word counts in a path, among defined names and in a text.
const WEIGHTS: &str = "3.0, 2.0, 1.0";

/// A file that a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexHit {
    /// The file.
    pub path: String,
    /// BM25 with its weights; higher is better.
    pub score: f64,
    /// Which of the terms it holds, by index.
    pub terms: Vec<usize>,
}

/// A name that a file defines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexSymbol {
    /// The name as written.
    pub name: String,
    /// The file.
    pub path: String,
    /// Its line, from 1.
    pub line: u32,
    /// What it is, in the word that it was put in with.
    pub shape: String,
}

impl WorkspaceIndex {
    /// Calls `take` for each file that is known, in order of path, with its size in bytes and its time
    /// in nanoseconds since 1970 UTC.
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

    /// How many files are known.
    ///
    /// # Errors
    /// As [`WorkspaceIndex::stamps`].
    pub fn files(&self) -> Result<u64, StoreError> {
        let count: i64 = self
            .conn
            .query_row("SELECT count(*) FROM files", [], |row| row.get(0))?;
        Ok(u64::try_from(count).unwrap_or(0))
    }

    /// The files that hold any of these terms, the best first. A term is one word; what is a sign in
    /// the language of queries is none here.
    ///
    /// # Errors
    /// As [`WorkspaceIndex::stamps`].
    pub fn search(&self, terms: &[&str], limit: usize) -> Result<Vec<IndexHit>, StoreError> {
        let quoted: Vec<String> = terms.iter().map(|term| quoted(term)).collect();
        let usable: Vec<&str> = quoted.iter().map(String::as_str).collect();
        let usable: Vec<&str> = usable.into_iter().filter(|term| term.len() > 2).collect();
        if usable.is_empty() {
            return Ok(Vec::new());
        }
        let mut best = self.conn.prepare_cached(&format!(
            "SELECT words.rowid, -bm25(words, {WEIGHTS}) AS score FROM words
             WHERE words MATCH ?1 ORDER BY score DESC, words.rowid LIMIT ?2"
        ))?;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let found: Vec<(i64, f64)> = best
            .query_map(params![usable.join(" OR "), limit], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })?
            .collect::<rusqlite::Result<_>>()?;
        let mut path = self
            .conn
            .prepare_cached("SELECT path FROM files WHERE id = ?1")?;
        let mut holds = self
            .conn
            .prepare_cached("SELECT 1 FROM words WHERE words MATCH ?1 AND rowid = ?2")?;
        let mut hits = Vec::with_capacity(found.len());
        for (id, score) in found {
            let mut held = Vec::new();
            for (index, term) in quoted.iter().enumerate() {
                if term.len() > 2 && holds.exists(params![term, id])? {
                    held.push(index);
                }
            }
            hits.push(IndexHit {
                path: path.query_row([id], |row| row.get(0))?,
                score,
                terms: held,
            });
        }
        Ok(hits)
    }

    /// Whether any file holds a word, in its path, its names or its text; endings do not count.
    ///
    /// # Errors
    /// As [`WorkspaceIndex::stamps`].
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

    /// The names that a file defines, in order of line.
    ///
    /// # Errors
    /// As [`WorkspaceIndex::stamps`].
    pub fn symbols_of(&self, path: &str) -> Result<Vec<String>, StoreError> {
        let mut names = self.conn.prepare_cached(
            "SELECT name FROM symbols JOIN files ON files.id = symbols.file
             WHERE files.path = ?1 ORDER BY line, name",
        )?;
        let found = names.query_map([path], |row| row.get(0))?;
        Ok(found.collect::<rusqlite::Result<_>>()?)
    }

    /// Where a name is defined, in order of path and line.
    ///
    /// # Errors
    /// As [`WorkspaceIndex::stamps`].
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

    /// The different names whose folded form begins with `head` and has between `shortest` and `longest`
    /// characters, in order; at most so many.
    ///
    /// # Errors
    /// As [`WorkspaceIndex::stamps`].
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

    /// What a file refers to: each target with the paths that have its key, one pair a row.
    ///
    /// # Errors
    /// As [`WorkspaceIndex::stamps`].
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

    /// Who may refer to a file: each path with a target that has one of the file's keys.
    ///
    /// # Errors
    /// As [`WorkspaceIndex::stamps`].
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

    /// The paths that have a key, in order; at most so many.
    ///
    /// # Errors
    /// As [`WorkspaceIndex::stamps`].
    pub fn paths_keyed(&self, key: &str, limit: usize) -> Result<Vec<String>, StoreError> {
        let mut keyed = self.conn.prepare_cached(
            "SELECT path FROM keys JOIN files ON files.id = keys.file
             WHERE key = ?1 ORDER BY path LIMIT ?2",
        )?;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let found = keyed.query_map(params![key, limit], |row| row.get(0))?;
        Ok(found.collect::<rusqlite::Result<_>>()?)
    }

    /// Whether a file is known.
    ///
    /// # Errors
    /// As [`WorkspaceIndex::stamps`].
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

/// A term as a string of FTS5's language: nothing in it is a sign.
fn quoted(term: &str) -> String {
    let plain: String = term.chars().filter(|c| *c != '"' && *c != '\0').collect();
    format!("\"{}\"", plain.trim())
}

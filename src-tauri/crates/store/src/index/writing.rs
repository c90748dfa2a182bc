//! Updates the index: adds, replaces and removes several files per transaction.

use rusqlite::{Transaction, TransactionBehavior, params};

use super::WorkspaceIndex;
use crate::StoreError;

/// A file to index; replaces any existing entry for its path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IndexedFile {
    /// The file's path.
    pub path: String,
    /// Its size in bytes when it was read.
    pub size: u64,
    /// Its modification time, in nanoseconds since 1970 UTC.
    pub mtime_ns: i64,
    /// The words of its path, separated by spaces; empty for a file that search should not find.
    pub path_words: String,
    /// The words of the names that it defines.
    pub name_words: String,
    /// The words of its content.
    pub text_words: String,
    /// The keys by which links in other files find it.
    pub keys: Vec<String>,
    /// The names that it defines.
    pub symbols: Vec<NewSymbol>,
    /// Its references: targets, each with its key.
    pub links: Vec<(String, String)>,
}

/// A name defined in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSymbol {
    /// The name as written.
    pub name: String,
    /// The name regardless of its case style, for approximate matching.
    pub folded: String,
    /// The number of its line, from 1.
    pub line: u32,
    /// What kind of name it is, as defined by the caller.
    pub shape: String,
}

impl WorkspaceIndex {
    /// Adds or replaces the files in `files` and removes those in `gone`, atomically.
    ///
    /// # Errors
    /// [`StoreError::Locked`] if this index was opened for reading; [`StoreError::DiskFull`],
    /// [`StoreError::Damaged`].
    pub fn replace(&self, files: &[IndexedFile], gone: &[String]) -> Result<(), StoreError> {
        if !self.is_writer() {
            return Err(StoreError::Locked);
        }
        let tx = Transaction::new_unchecked(&self.conn, TransactionBehavior::Immediate)?;
        for path in gone {
            remove(&tx, path)?;
        }
        for file in files {
            put(&tx, file)?;
        }
        tx.commit()?;
        Ok(())
    }

    /// Stores a text under a key, replacing any earlier one; it is lost with the index.
    ///
    /// # Errors
    /// Same as [`WorkspaceIndex::replace`].
    pub fn keep_note(&self, key: &str, value: &str) -> Result<(), StoreError> {
        if !self.is_writer() {
            return Err(StoreError::Locked);
        }
        let mut put = self.conn.prepare_cached(
            "INSERT INTO notes (key, value) VALUES (?1, ?2)
             ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        )?;
        put.execute([key, value])?;
        Ok(())
    }

    /// Optimizes the index for reading after many small writes. Called after the first indexing.
    ///
    /// # Errors
    /// Same as [`WorkspaceIndex::replace`].
    pub fn settle(&self) -> Result<(), StoreError> {
        if !self.is_writer() {
            return Err(StoreError::Locked);
        }
        self.conn.execute_batch(
            "INSERT INTO words(words) VALUES ('optimize');
             PRAGMA wal_checkpoint(TRUNCATE);",
        )?;
        Ok(())
    }
}

fn remove(tx: &Transaction<'_>, path: &str) -> rusqlite::Result<()> {
    let mut known = tx.prepare_cached("SELECT id FROM files WHERE path = ?1")?;
    let mut rows = known.query([path])?;
    let Some(row) = rows.next()? else {
        return Ok(());
    };
    let id: i64 = row.get(0)?;
    for sql in [
        "DELETE FROM words WHERE rowid = ?1",
        "DELETE FROM keys WHERE file = ?1",
        "DELETE FROM symbols WHERE file = ?1",
        "DELETE FROM links WHERE file = ?1",
        "DELETE FROM files WHERE id = ?1",
    ] {
        tx.prepare_cached(sql)?.execute([id])?;
    }
    Ok(())
}

fn put(tx: &Transaction<'_>, file: &IndexedFile) -> rusqlite::Result<()> {
    remove(tx, &file.path)?;
    let size = i64::try_from(file.size).unwrap_or(i64::MAX);
    tx.prepare_cached(
        "INSERT INTO files (path, size, mtime_ns, is_named) VALUES (?1, ?2, ?3, ?4)",
    )?
    .execute(params![
        file.path,
        size,
        file.mtime_ns,
        !file.path_words.is_empty()
    ])?;
    let id = tx.last_insert_rowid();
    tx.prepare_cached("INSERT INTO words (rowid, path, names, text) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![
            id,
            file.path_words,
            file.name_words,
            file.text_words
        ])?;
    let mut key = tx.prepare_cached("INSERT OR IGNORE INTO keys (key, file) VALUES (?1, ?2)")?;
    for word in &file.keys {
        key.execute(params![word, id])?;
    }
    let mut symbol = tx.prepare_cached(
        "INSERT OR IGNORE INTO symbols (file, line, name, folded, shape)
         VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    for one in &file.symbols {
        symbol.execute(params![id, one.line, one.name, one.folded, one.shape])?;
    }
    let mut link =
        tx.prepare_cached("INSERT OR IGNORE INTO links (file, target, key) VALUES (?1, ?2, ?3)")?;
    for (target, word) in &file.links {
        link.execute(params![id, target, word])?;
    }
    Ok(())
}

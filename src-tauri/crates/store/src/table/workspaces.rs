//! Table `workspaces`: recently opened folders.
//!
//! A listed folder may no longer exist, and being listed grants no permissions.

use rusqlite::{Connection, params};

use crate::StoreError;

/// A folder that was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecentWorkspace {
    /// Its absolute path.
    pub path: String,
    /// When it was last opened, in milliseconds since 1970 UTC.
    pub opened_ms: i64,
}

/// Access to the recent folders.
pub struct Workspaces<'s> {
    pub(crate) conn: &'s Connection,
}

impl Workspaces<'_> {
    /// Records that a folder was opened.
    pub fn touch(&self, path: &str, opened_ms: i64) -> Result<(), StoreError> {
        self.conn
            .prepare_cached(
                "INSERT INTO workspaces (path, opened_ms) VALUES (?1, ?2)
                 ON CONFLICT (path) DO UPDATE SET opened_ms = excluded.opened_ms",
            )?
            .execute(params![path, opened_ms])?;
        Ok(())
    }

    /// The folders, most recently opened first.
    pub fn list(&self) -> Result<Vec<RecentWorkspace>, StoreError> {
        let mut statement = self.conn.prepare_cached(
            "SELECT path, opened_ms FROM workspaces ORDER BY opened_ms DESC, path",
        )?;
        let folders = statement.query_map([], |row| {
            Ok(RecentWorkspace {
                path: row.get(0)?,
                opened_ms: row.get(1)?,
            })
        })?;
        Ok(folders.collect::<Result<_, _>>()?)
    }

    /// Removes a folder from the list; `false` if it was not on it.
    pub fn remove(&self, path: &str) -> Result<bool, StoreError> {
        let mut statement = self
            .conn
            .prepare_cached("DELETE FROM workspaces WHERE path = ?1")?;
        Ok(statement.execute([path])? > 0)
    }
}

#[cfg(test)]
mod tests {
    use crate::table::testing::fresh;

    #[test]
    fn the_folder_opened_last_comes_first_and_each_once() {
        let (_folder, store) = fresh();
        let workspaces = store.workspaces();
        for (path, at) in [("/a", 1), ("/b", 2), ("/c", 3), ("/a", 4)] {
            workspaces.touch(path, at).unwrap();
        }
        assert!(workspaces.remove("/b").unwrap());
        assert!(!workspaces.remove("/b").unwrap());
        let list: Vec<_> = workspaces
            .list()
            .unwrap()
            .into_iter()
            .map(|w| (w.path, w.opened_ms))
            .collect();
        assert_eq!(list, [("/a".to_owned(), 4), ("/c".to_owned(), 3)]);
    }
}

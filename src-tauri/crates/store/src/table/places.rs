//! Table `places`: the state of each window, to restore it after a crash.
//!
//! The window defines what the state contains; it is not interpreted here.

use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::StoreError;

/// The saved state of a window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The window's label.
    pub window: String,
    /// The state, as JSON.
    pub body: String,
    /// Time of the last change, in milliseconds since 1970 UTC.
    pub at_ms: i64,
}

/// Access to the saved states.
pub struct Places<'s> {
    pub(crate) conn: &'s Connection,
}

impl Places<'_> {
    /// Stores a window's state, replacing its earlier one.
    pub fn put(&self, window: &str, body: &str, at_ms: i64) -> Result<(), StoreError> {
        self.conn
            .prepare_cached(
                "INSERT INTO places (window, body, at_ms) VALUES (?1, ?2, ?3)
                 ON CONFLICT (window) DO UPDATE SET body = excluded.body, at_ms = excluded.at_ms",
            )?
            .execute(params![window, body, at_ms])?;
        Ok(())
    }

    /// The saved state of a window.
    pub fn get(&self, window: &str) -> Result<Option<Place>, StoreError> {
        let mut statement = self
            .conn
            .prepare_cached("SELECT window, body, at_ms FROM places WHERE window = ?1")?;
        Ok(statement.query_row([window], place).optional()?)
    }

    /// The saved states of all windows, newest first.
    pub fn list(&self) -> Result<Vec<Place>, StoreError> {
        let mut statement = self
            .conn
            .prepare_cached("SELECT window, body, at_ms FROM places ORDER BY at_ms DESC, window")?;
        let places = statement.query_map([], place)?;
        Ok(places.collect::<Result<_, _>>()?)
    }

    /// Deletes the state of a closed window; `false` if there was none.
    pub fn remove(&self, window: &str) -> Result<bool, StoreError> {
        let mut statement = self
            .conn
            .prepare_cached("DELETE FROM places WHERE window = ?1")?;
        Ok(statement.execute([window])? > 0)
    }
}

fn place(row: &Row<'_>) -> rusqlite::Result<Place> {
    Ok(Place {
        window: row.get(0)?,
        body: row.get(1)?,
        at_ms: row.get(2)?,
    })
}

#[cfg(test)]
mod tests {
    use crate::table::testing::fresh;

    #[test]
    fn each_window_has_its_newest_place() {
        let (_folder, store) = fresh();
        let places = store.places();
        places.put("main", "{}", 1).unwrap();
        places.put("w2", r#"{"tab":"graph"}"#, 2).unwrap();
        places.put("main", r#"{"tab":"tasks"}"#, 3).unwrap();
        let seen: Vec<_> = places
            .list()
            .unwrap()
            .into_iter()
            .map(|p| (p.window, p.at_ms))
            .collect();
        assert_eq!(seen, [("main".to_owned(), 3), ("w2".to_owned(), 2)]);
        let main = places.get("main").unwrap().unwrap();
        assert_eq!(main.body, r#"{"tab":"tasks"}"#);
        assert!(places.remove("main").unwrap());
        assert!(!places.remove("main").unwrap());
        assert_eq!(places.get("main").unwrap(), None);
    }
}

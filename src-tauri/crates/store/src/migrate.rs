//! Migrates a database to the newest format, never to an older one.
//!
//! The files of `migrations/` are embedded in order of name; the n-th one leads to format n, which
//! is stored in `PRAGMA user_version`. Each runs in an IMMEDIATE transaction that checks the
//! version again, so if two processes open the database at once, they take turns and no migration
//! runs twice. A database with a newer format is left untouched.

use include_dir::{Dir, include_dir};
use rusqlite::{Connection, Transaction, TransactionBehavior};

static MIGRATIONS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../../migrations");

/// The letters `PLAN`, which identify a SQLite file as Planwright's.
pub(crate) const APPLICATION_ID: i64 = 0x504c_414e;

/// The embedded migrations, in order.
pub(crate) fn embedded() -> Vec<&'static str> {
    let mut files: Vec<_> = MIGRATIONS
        .files()
        .filter(|file| file.path().extension().is_some_and(|end| end == "sql"))
        .collect();
    files.sort_by_key(|file| file.path());
    files
        .into_iter()
        .filter_map(|file| file.contents_utf8())
        .collect()
}

/// The format of a database after all `migrations`.
pub(crate) fn newest(migrations: &[&str]) -> i64 {
    i64::try_from(migrations.len()).unwrap_or(i64::MAX)
}

/// A database's format; 0 before the first migration.
pub(crate) fn version(conn: &Connection) -> rusqlite::Result<i64> {
    conn.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// Applies the missing migrations. A newer database is left unchanged.
pub(crate) fn migrate(conn: &Connection, migrations: &[&str]) -> rusqlite::Result<()> {
    while version(conn)? < newest(migrations) {
        let tx = Transaction::new_unchecked(conn, TransactionBehavior::Immediate)?;
        let done = version(&tx)?;
        let next = usize::try_from(done)
            .ok()
            .and_then(|done| migrations.get(done));
        let Some(sql) = next else { break };
        tx.execute_batch(sql)?;
        tx.pragma_update(None, "application_id", APPLICATION_ID)?;
        tx.pragma_update(None, "user_version", done + 1)?;
        tx.commit()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn migrations_are_numbered_without_a_gap() {
        let mut names: Vec<_> = MIGRATIONS
            .files()
            .map(|file| file.path().to_string_lossy().into_owned())
            .collect();
        names.sort();
        for (index, name) in names.iter().enumerate() {
            assert!(
                name.starts_with(&format!("{:04}_", index + 1)) && name.ends_with(".sql"),
                "{name} is not migration {}",
                index + 1
            );
        }
        assert_eq!(embedded().len(), names.len(), "every file is UTF-8");
    }

    #[test]
    fn a_failing_migration_leaves_the_format_before_it() {
        let conn = Connection::open_in_memory().unwrap();
        let broken = [
            "CREATE TABLE a (x)",
            "CREATE TABLE b (x); CREATE TABLE a (x)",
        ];
        assert!(migrate(&conn, &broken).is_err());
        assert_eq!(version(&conn).unwrap(), 1);
        let tables: i64 = conn
            .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
            .unwrap();
        assert_eq!(tables, 1, "the half of the second migration is gone");
    }

    #[test]
    fn an_old_database_gets_only_what_it_lacks() {
        let conn = Connection::open_in_memory().unwrap();
        migrate(&conn, &["CREATE TABLE a (x)"]).unwrap();
        conn.execute("INSERT INTO a VALUES (1)", []).unwrap();
        migrate(&conn, &["CREATE TABLE a (x)", "ALTER TABLE a ADD y"]).unwrap();
        let kept: (i64, Option<i64>) = conn
            .query_row("SELECT x, y FROM a", [], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
            .unwrap();
        assert_eq!(kept, (1, None));
        assert_eq!(version(&conn).unwrap(), 2);
    }
}

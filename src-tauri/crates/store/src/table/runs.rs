//! Table `runs`: one row per run, for lists and lookups. The journal is the source of truth; the
//! state here is the last reported one, so that lists don't have to read journals.

use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::StoreError;
use crate::lookup::Lookup;

/// A run to be created.
#[derive(Clone, Copy, Debug)]
pub struct NewRun<'a> {
    /// Its id, chosen by the caller.
    pub id: &'a str,
    /// Absolute path of the plan file.
    pub plan: &'a str,
    /// Absolute path of the workspace.
    pub workspace: &'a str,
    /// SHA-256 of the approved content it starts from; must already be stored.
    pub revision: &'a str,
    /// When it asks for approval: `each`, `risky` or `all`.
    pub policy: &'a str,
    /// Its initial state, defined by the caller.
    pub state: &'a str,
    /// The plan's title, for lists.
    pub title: &'a str,
    /// Creation time, in milliseconds since 1970 UTC.
    pub at_ms: i64,
}

/// A stored run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Its id.
    pub id: String,
    /// Absolute path of the plan file.
    pub plan: String,
    /// Absolute path of the workspace.
    pub workspace: String,
    /// SHA-256 of the approved content it started from.
    pub revision: String,
    /// When it asks for approval: `each`, `risky` or `all`.
    pub policy: String,
    /// The last reported state.
    pub state: String,
    /// The plan's title, for lists.
    pub title: String,
    /// Creation time, in milliseconds since 1970 UTC.
    pub created_ms: i64,
    /// Time of the last state change, in milliseconds since 1970 UTC.
    pub updated_ms: i64,
}

/// Access to the runs.
pub struct Runs<'s> {
    pub(crate) conn: &'s Connection,
}

const COLUMNS: &str = "id, plan, workspace, revision, policy, state, title, created_ms, updated_ms";

impl Runs<'_> {
    /// Creates a run. Fails if the id is taken.
    pub fn create(&self, new: &NewRun<'_>) -> Result<(), StoreError> {
        self.conn
            .prepare_cached(
                "INSERT INTO runs (id, plan, workspace, revision, policy, state, title,
                                   created_ms, updated_ms)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8)",
            )?
            .execute(params![
                new.id,
                new.plan,
                new.workspace,
                new.revision,
                new.policy,
                new.state,
                new.title,
                new.at_ms
            ])?;
        Ok(())
    }

    /// Updates the reported state of a run.
    ///
    /// # Errors
    /// [`StoreError::NoSuchRun`] if no run has this exact id.
    pub fn set_state(&self, id: &str, state: &str, at_ms: i64) -> Result<(), StoreError> {
        let changed = self
            .conn
            .prepare_cached("UPDATE runs SET state = ?2, updated_ms = ?3 WHERE id = ?1")?
            .execute(params![id, state, at_ms])?;
        if changed == 0 {
            return Err(StoreError::NoSuchRun { id: id.to_owned() });
        }
        Ok(())
    }

    /// The run with this id, or else the runs whose ids start with it, in order of id.
    pub fn get(&self, id_or_prefix: &str) -> Result<Lookup<Run>, StoreError> {
        if id_or_prefix.is_empty() {
            return Ok(Lookup::None);
        }
        let exact = format!("SELECT {COLUMNS} FROM runs WHERE id = ?1");
        let mut statement = self.conn.prepare_cached(&exact)?;
        if let Some(found) = statement.query_row([id_or_prefix], run).optional()? {
            return Ok(Lookup::One(found));
        }
        // Not LIKE: `_` and `%` are ordinary characters of an id.
        let starts = format!(
            "SELECT {COLUMNS} FROM runs
             WHERE id >= ?1 AND substr(id, 1, length(?1)) = ?1 ORDER BY id"
        );
        let mut statement = self.conn.prepare_cached(&starts)?;
        let found = statement.query_map([id_or_prefix], run)?;
        Ok(Lookup::of(found.collect::<Result<_, _>>()?))
    }

    /// All runs, newest first.
    pub fn list(&self) -> Result<Vec<Run>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM runs ORDER BY created_ms DESC, rowid DESC");
        let mut statement = self.conn.prepare_cached(&sql)?;
        let runs = statement.query_map([], run)?;
        Ok(runs.collect::<Result<_, _>>()?)
    }

    /// All runs of a plan, newest first.
    pub fn of_plan(&self, plan: &str) -> Result<Vec<Run>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM runs WHERE plan = ?1 ORDER BY created_ms DESC, rowid DESC"
        );
        let mut statement = self.conn.prepare_cached(&sql)?;
        let runs = statement.query_map([plan], run)?;
        Ok(runs.collect::<Result<_, _>>()?)
    }

    /// Up to `count` runs of a workspace, newest first. `workspace` is an absolute path.
    ///
    /// # Errors
    /// Any database error.
    pub fn of_workspace(&self, workspace: &str, count: usize) -> Result<Vec<Run>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM runs WHERE workspace = ?1
             ORDER BY created_ms DESC, rowid DESC LIMIT ?2"
        );
        let mut statement = self.conn.prepare_cached(&sql)?;
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        let runs = statement.query_map(params![workspace, count], run)?;
        Ok(runs.collect::<Result<_, _>>()?)
    }
}

fn run(row: &Row<'_>) -> rusqlite::Result<Run> {
    Ok(Run {
        id: row.get(0)?,
        plan: row.get(1)?,
        workspace: row.get(2)?,
        revision: row.get(3)?,
        policy: row.get(4)?,
        state: row.get(5)?,
        title: row.get(6)?,
        created_ms: row.get(7)?,
        updated_ms: row.get(8)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::testing::{PLAN, fresh, run as create};

    fn ids(found: Lookup<Run>) -> Vec<String> {
        match found {
            Lookup::None => Vec::new(),
            Lookup::One(run) => vec![run.id],
            Lookup::Many(runs) => runs.into_iter().map(|run| run.id).collect(),
        }
    }

    #[test]
    fn a_run_is_found_by_its_id_or_an_unambiguous_start() {
        let (_folder, store) = fresh();
        for id in ["ab", "abc", "ab_d", "ax"] {
            create(&store, id);
        }
        let get = |id: &str| ids(store.runs().get(id).unwrap());
        assert_eq!(get("ab"), ["ab"], "an exact id wins over longer ones");
        assert_eq!(get("abc"), ["abc"]);
        assert_eq!(get("a"), ["ab", "ab_d", "abc", "ax"]);
        assert_eq!(get("ab_"), ["ab_d"], "not a wildcard");
        assert!(get("%").is_empty() && get("").is_empty() && get("abcd").is_empty());
    }

    #[test]
    fn the_state_last_told_is_the_one_listed() {
        let (_folder, store) = fresh();
        create(&store, "r1");
        create(&store, "r2");
        store.runs().set_state("r1", "done", 77).unwrap();
        let all = store.runs().list().unwrap();
        let seen: Vec<_> = all
            .iter()
            .map(|r| (&*r.id, &*r.state, r.updated_ms))
            .collect();
        assert_eq!(seen, [("r2", "running", 5), ("r1", "done", 77)]);
        assert_eq!(all[1].created_ms, 5);
        assert_eq!(store.runs().of_plan(PLAN).unwrap(), all);
        assert!(store.runs().of_plan("/w/other.md").unwrap().is_empty());
    }

    #[test]
    fn a_prefix_is_not_enough_to_change_a_run() {
        let (_folder, store) = fresh();
        create(&store, "r1");
        let refused = store.runs().set_state("r", "done", 77);
        assert!(matches!(refused, Err(StoreError::NoSuchRun { .. })));
    }

    #[test]
    fn a_workspace_has_its_newest_runs_and_no_others() {
        let (_folder, store) = fresh();
        for id in ["r1", "r2", "r3"] {
            create(&store, id);
        }
        let workspace = store.runs().list().unwrap()[0].workspace.clone();
        let seen = |of: &str, count| {
            let runs = store.runs().of_workspace(of, count).unwrap();
            runs.into_iter().map(|run| run.id).collect::<Vec<_>>()
        };
        assert_eq!(seen(&workspace, 9), ["r3", "r2", "r1"]);
        assert_eq!(seen(&workspace, 2), ["r3", "r2"]);
        assert!(seen("/elsewhere", 9).is_empty());
        assert!(seen(&format!("{workspace}/inner"), 9).is_empty());
    }
}

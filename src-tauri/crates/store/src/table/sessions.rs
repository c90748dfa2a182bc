//! Table `sessions`: one row per conversation about a plan, for lists and lookups. Its entries are
//! the source of truth; state, mode and tokens here are the last reported values.

use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::StoreError;
use crate::lookup::Lookup;

/// A session to be created.
#[derive(Clone, Copy, Debug)]
pub struct NewSession<'a> {
    /// Its id, chosen by the caller.
    pub id: &'a str,
    /// Absolute path of the workspace.
    pub workspace: &'a str,
    /// Absolute path of the plan file, which may not exist yet.
    pub plan: &'a str,
    /// The initial prompt; may be empty.
    pub goal: &'a str,
    /// The endpoint's address.
    pub base_url: &'a str,
    /// The model's name.
    pub model: &'a str,
    /// Creation time, in milliseconds since 1970 UTC.
    pub at_ms: i64,
}

/// The current state of a session, as reported by the caller.
#[derive(Clone, Copy, Debug)]
pub struct SessionTold<'a> {
    /// Its state, defined by the caller.
    pub state: &'a str,
    /// `plan` or `exec`.
    pub mode: &'a str,
    /// The endpoint's address.
    pub base_url: &'a str,
    /// The model's name.
    pub model: &'a str,
    /// Input tokens of all requests.
    pub input_tokens: u64,
    /// Input tokens that came from the provider's cache.
    pub cached_tokens: u64,
    /// Output tokens of all replies.
    pub output_tokens: u64,
    /// Time of the change, in milliseconds since 1970 UTC.
    pub at_ms: i64,
}

/// A stored session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionRow {
    /// Its id.
    pub id: String,
    /// Absolute path of the workspace.
    pub workspace: String,
    /// Absolute path of the plan file.
    pub plan: String,
    /// The initial prompt.
    pub goal: String,
    /// The address of the endpoint used last.
    pub base_url: String,
    /// The name of the model used last.
    pub model: String,
    /// `plan` or `exec`.
    pub mode: String,
    /// The last reported state.
    pub state: String,
    /// Input tokens of all requests.
    pub input_tokens: u64,
    /// Input tokens that came from the provider's cache.
    pub cached_tokens: u64,
    /// Output tokens of all replies.
    pub output_tokens: u64,
    /// Creation time, in milliseconds since 1970 UTC.
    pub created_ms: i64,
    /// Time of the last change, in milliseconds since 1970 UTC.
    pub updated_ms: i64,
}

/// Access to the sessions.
pub struct Sessions<'s> {
    pub(crate) conn: &'s Connection,
}

const COLUMNS: &str = "id, workspace, plan, goal, base_url, model, mode, state, input_tokens, \
                       cached_tokens, output_tokens, created_ms, updated_ms";

impl Sessions<'_> {
    /// Creates a session in plan mode. Fails if the id is taken.
    ///
    /// # Errors
    /// Any database error.
    pub fn create(&self, new: &NewSession<'_>) -> Result<(), StoreError> {
        self.conn
            .prepare_cached(
                "INSERT INTO sessions (id, workspace, plan, goal, base_url, model, mode, state,
                                       created_ms, updated_ms)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'plan', 'new', ?7, ?7)",
            )?
            .execute(params![
                new.id,
                new.workspace,
                new.plan,
                new.goal,
                new.base_url,
                new.model,
                new.at_ms
            ])?;
        Ok(())
    }

    /// Updates the reported state of a session.
    ///
    /// # Errors
    /// Any database error.
    pub fn tell(&self, id: &str, told: &SessionTold<'_>) -> Result<(), StoreError> {
        self.conn
            .prepare_cached(
                "UPDATE sessions SET state = ?2, mode = ?3, base_url = ?4, model = ?5,
                     input_tokens = ?6, cached_tokens = ?7, output_tokens = ?8, updated_ms = ?9
                 WHERE id = ?1",
            )?
            .execute(params![
                id,
                told.state,
                told.mode,
                told.base_url,
                told.model,
                told.input_tokens.cast_signed(),
                told.cached_tokens.cast_signed(),
                told.output_tokens.cast_signed(),
                told.at_ms
            ])?;
        Ok(())
    }

    /// The session with this id, or else the sessions whose ids start with it, in order of id.
    ///
    /// # Errors
    /// Any database error.
    pub fn get(&self, id_or_prefix: &str) -> Result<Lookup<SessionRow>, StoreError> {
        if id_or_prefix.is_empty() {
            return Ok(Lookup::None);
        }
        let exact = format!("SELECT {COLUMNS} FROM sessions WHERE id = ?1");
        let mut statement = self.conn.prepare_cached(&exact)?;
        if let Some(found) = statement.query_row([id_or_prefix], session).optional()? {
            return Ok(Lookup::One(found));
        }
        // Not LIKE: `_` and `%` are ordinary characters of an id.
        let starts = format!(
            "SELECT {COLUMNS} FROM sessions
             WHERE id >= ?1 AND substr(id, 1, length(?1)) = ?1 ORDER BY id"
        );
        let mut statement = self.conn.prepare_cached(&starts)?;
        let found = statement.query_map([id_or_prefix], session)?;
        Ok(Lookup::of(found.collect::<Result<_, _>>()?))
    }

    /// All sessions, most recently changed first.
    ///
    /// # Errors
    /// Any database error.
    pub fn list(&self) -> Result<Vec<SessionRow>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM sessions ORDER BY updated_ms DESC, id");
        let mut statement = self.conn.prepare_cached(&sql)?;
        let found = statement.query_map([], session)?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// The sessions of one plan, most recently changed first.
    ///
    /// # Errors
    /// Any database error.
    pub fn of_plan(&self, plan: &str) -> Result<Vec<SessionRow>, StoreError> {
        let sql =
            format!("SELECT {COLUMNS} FROM sessions WHERE plan = ?1 ORDER BY updated_ms DESC, id");
        let mut statement = self.conn.prepare_cached(&sql)?;
        let found = statement.query_map([plan], session)?;
        Ok(found.collect::<Result<_, _>>()?)
    }
}

fn session(row: &Row<'_>) -> rusqlite::Result<SessionRow> {
    let tokens = |at: usize| row.get::<_, i64>(at).map(i64::cast_unsigned);
    Ok(SessionRow {
        id: row.get(0)?,
        workspace: row.get(1)?,
        plan: row.get(2)?,
        goal: row.get(3)?,
        base_url: row.get(4)?,
        model: row.get(5)?,
        mode: row.get(6)?,
        state: row.get(7)?,
        input_tokens: tokens(8)?,
        cached_tokens: tokens(9)?,
        output_tokens: tokens(10)?,
        created_ms: row.get(11)?,
        updated_ms: row.get(12)?,
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::table::testing::{PLAN, fresh};

    pub(crate) fn create(store: &crate::Store, id: &str, plan: &str, at_ms: i64) {
        store
            .sessions()
            .create(&NewSession {
                id,
                workspace: "/w",
                plan,
                goal: "a goal",
                base_url: "http://localhost:1/v1",
                model: "m",
                at_ms,
            })
            .unwrap();
    }

    #[test]
    fn a_session_is_found_by_its_id_or_a_beginning_that_fits_only_one() {
        let (_folder, store) = fresh();
        create(&store, "abc1", PLAN, 5);
        create(&store, "abd2", "/w/plans/b.md", 6);
        let sessions = store.sessions();
        assert!(matches!(sessions.get("abc").unwrap(), Lookup::One(found) if found.id == "abc1"));
        assert!(matches!(sessions.get("ab").unwrap(), Lookup::Many(_)));
        assert!(matches!(sessions.get("x").unwrap(), Lookup::None));
        assert!(matches!(sessions.get("").unwrap(), Lookup::None));
        let of_plan = sessions.of_plan(PLAN).unwrap();
        assert_eq!(of_plan.len(), 1);
        assert_eq!(
            (of_plan[0].mode.as_str(), of_plan[0].state.as_str()),
            ("plan", "new")
        );
    }

    #[test]
    fn what_is_told_is_listed_with_the_newest_first_and_no_session_is_deleted() {
        let (_folder, store) = fresh();
        create(&store, "a", PLAN, 1);
        create(&store, "b", PLAN, 2);
        let told = SessionTold {
            state: "proposed",
            mode: "exec",
            base_url: "http://localhost:2/v1",
            model: "n",
            input_tokens: 30,
            cached_tokens: 20,
            output_tokens: 4,
            at_ms: 9,
        };
        store.sessions().tell("a", &told).unwrap();
        let listed = store.sessions().list().unwrap();
        let ids: Vec<_> = listed.iter().map(|row| row.id.as_str()).collect();
        assert_eq!(ids, ["a", "b"]);
        let row = &listed[0];
        assert_eq!(
            (row.model.as_str(), row.input_tokens, row.cached_tokens),
            ("n", 30, 20)
        );
        assert_eq!((row.created_ms, row.updated_ms), (1, 9));
        assert!(store.conn.execute("DELETE FROM sessions", []).is_err());
    }
}

//! Table `permissions`: the user's "always here" answers to permission requests, per workspace.
//!
//! Only the user's own answers are stored, never anything read from a workspace.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};
use rusqlite::{Connection, params};

use crate::StoreError;

/// How the text of a rule is compared with a command or path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatchKind {
    /// It must be the whole command or path.
    Exact,
    /// It must be a prefix of the command or path.
    Prefix,
}

impl MatchKind {
    /// The name used in the database and on screen.
    pub fn as_str(self) -> &'static str {
        match self {
            MatchKind::Exact => "exact",
            MatchKind::Prefix => "prefix",
        }
    }
}

impl FromSql for MatchKind {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<MatchKind> {
        match value.as_str()? {
            "exact" => Ok(MatchKind::Exact),
            "prefix" => Ok(MatchKind::Prefix),
            _ => Err(FromSqlError::InvalidType),
        }
    }
}

/// A rule to add.
#[derive(Clone, Copy, Debug)]
pub struct NewPermission<'a> {
    /// Absolute path of the workspace that it applies to.
    pub workspace: &'a str,
    /// The name of the tool that it applies to.
    pub tool: &'a str,
    /// How `text` is compared.
    pub match_kind: MatchKind,
    /// The command or path, or a prefix of it.
    pub text: &'a str,
    /// The user's answer, defined by the caller.
    pub answer: &'a str,
    /// Time of the answer, in milliseconds since 1970 UTC.
    pub at_ms: i64,
}

/// A stored rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permission {
    /// Its id, by which it can be deleted.
    pub id: i64,
    /// Absolute path of the workspace that it applies to.
    pub workspace: String,
    /// The name of the tool that it applies to.
    pub tool: String,
    /// How `text` is compared.
    pub match_kind: MatchKind,
    /// The command or path, or a prefix of it.
    pub text: String,
    /// The user's answer, defined by the caller.
    pub answer: String,
    /// Time of the answer, in milliseconds since 1970 UTC.
    pub at_ms: i64,
}

/// Access to the rules.
pub struct Permissions<'s> {
    pub(crate) conn: &'s Connection,
}

impl Permissions<'_> {
    /// Adds a rule and returns its id. A new answer to the same question replaces the earlier one.
    pub fn add(&self, new: &NewPermission<'_>) -> Result<i64, StoreError> {
        let mut statement = self.conn.prepare_cached(
            "INSERT INTO permissions (workspace, tool, match_kind, text, answer, at_ms)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT (workspace, tool, match_kind, text)
             DO UPDATE SET answer = excluded.answer, at_ms = excluded.at_ms
             RETURNING id",
        )?;
        Ok(statement.query_row(
            params![
                new.workspace,
                new.tool,
                new.match_kind.as_str(),
                new.text,
                new.answer,
                new.at_ms
            ],
            |row| row.get(0),
        )?)
    }

    /// Deletes a rule; `false` if there is none with this id.
    pub fn remove(&self, id: i64) -> Result<bool, StoreError> {
        let mut statement = self
            .conn
            .prepare_cached("DELETE FROM permissions WHERE id = ?1")?;
        Ok(statement.execute([id])? > 0)
    }

    /// The rules of a workspace, in the order in which they were created.
    pub fn list(&self, workspace: &str) -> Result<Vec<Permission>, StoreError> {
        let mut statement = self.conn.prepare_cached(
            "SELECT id, workspace, tool, match_kind, text, answer, at_ms FROM permissions
             WHERE workspace = ?1 ORDER BY id",
        )?;
        let rules = statement.query_map([workspace], |row| {
            Ok(Permission {
                id: row.get(0)?,
                workspace: row.get(1)?,
                tool: row.get(2)?,
                match_kind: row.get(3)?,
                text: row.get(4)?,
                answer: row.get(5)?,
                at_ms: row.get(6)?,
            })
        })?;
        Ok(rules.collect::<Result<_, _>>()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::testing::fresh;

    const RULE: NewPermission<'_> = NewPermission {
        workspace: "/w",
        tool: "run_command",
        match_kind: MatchKind::Prefix,
        text: "cargo test",
        answer: "yes",
        at_ms: 1,
    };

    #[test]
    fn a_rule_holds_in_its_workspace_until_it_is_taken_out() {
        let (_folder, store) = fresh();
        let rules = store.permissions();
        let id = rules.add(&RULE).unwrap();
        let seen = rules.list("/w").unwrap();
        assert_eq!(seen.len(), 1);
        assert_eq!((seen[0].id, seen[0].match_kind), (id, MatchKind::Prefix));
        assert_eq!((&*seen[0].text, &*seen[0].answer), ("cargo test", "yes"));
        assert!(rules.list("/w/inner").unwrap().is_empty());
        assert!(rules.remove(id).unwrap());
        assert!(!rules.remove(id).unwrap());
        assert!(rules.list("/w").unwrap().is_empty());
    }

    #[test]
    fn the_newest_answer_to_the_same_question_counts() {
        let (_folder, store) = fresh();
        let rules = store.permissions();
        let id = rules.add(&RULE).unwrap();
        let exact = NewPermission {
            match_kind: MatchKind::Exact,
            ..RULE
        };
        assert_ne!(rules.add(&exact).unwrap(), id, "another question");
        let no = NewPermission {
            answer: "no",
            at_ms: 2,
            ..RULE
        };
        assert_eq!(rules.add(&no).unwrap(), id);
        let answers: Vec<_> = rules
            .list("/w")
            .unwrap()
            .into_iter()
            .map(|r| r.answer)
            .collect();
        assert_eq!(answers, ["no", "yes"]);
    }
}

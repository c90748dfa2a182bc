//! Table `permissions`: the user's "always here" answers, one workspace each.
//!
//! Only the user's own answers are here: nothing read from a workspace is ever stored as one.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};
use rusqlite::{Connection, params};

use crate::StoreError;

/// How the text of a rule is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatchKind {
    /// The whole of it.
    Exact,
    /// Its beginning.
    Prefix,
}

impl MatchKind {
    /// The word that is stored and shown.
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

/// A rule to be remembered.
#[derive(Clone, Copy, Debug)]
pub struct NewPermission<'a> {
    /// Absolute path of the workspace it holds in.
    pub workspace: &'a str,
    /// The tool it is about.
    pub tool: &'a str,
    /// How `text` is compared.
    pub match_kind: MatchKind,
    /// The command or path, or how it begins.
    pub text: &'a str,
    /// What the user answered, in the words of the caller.
    pub answer: &'a str,
    /// When, in milliseconds since 1970 UTC.
    pub at_ms: i64,
}

/// A rule that is remembered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permission {
    /// Its number, for taking it out.
    pub id: i64,
    /// Absolute path of the workspace it holds in.
    pub workspace: String,
    /// The tool it is about.
    pub tool: String,
    /// How `text` is compared.
    pub match_kind: MatchKind,
    /// The command or path, or how it begins.
    pub text: String,
    /// What the user answered, in the words of the caller.
    pub answer: String,
    /// When, in milliseconds since 1970 UTC.
    pub at_ms: i64,
}

/// Reads and writes of the rules.
pub struct Permissions<'s> {
    pub(crate) conn: &'s Connection,
}

impl Permissions<'_> {
    /// Remembers a rule and answers its number. The user's newest answer to the same question
    /// replaces the earlier one.
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

    /// Forgets a rule; `false` if there was none with this number.
    pub fn remove(&self, id: i64) -> Result<bool, StoreError> {
        let mut statement = self
            .conn
            .prepare_cached("DELETE FROM permissions WHERE id = ?1")?;
        Ok(statement.execute([id])? > 0)
    }

    /// The rules of a workspace in the order they were first made.
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

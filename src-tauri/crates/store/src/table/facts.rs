//! Table `facts`: what steps learned, and from which file; each fact is stored once per plan.
//!
//! The file's hash is stored with the fact, so that readers can detect whether the file has
//! changed. Nothing here reads files.

use rusqlite::{Connection, params};

use super::immediate;
use crate::StoreError;

/// Maximum number of facts kept per plan; the oldest are deleted first.
const MAX_FACTS: i64 = 1_000;

/// A fact to add.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewFact<'a> {
    /// What was learned, on one line.
    pub text: &'a str,
    /// The workspace path of the file that it came from, if any.
    pub path: Option<&'a str>,
    /// The hash of that file's content, if there is a file.
    pub hash: Option<&'a str>,
}

/// A stored fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptFact {
    /// Its id in the database.
    pub id: i64,
    /// Absolute path of the plan whose step learned it.
    pub plan: String,
    /// What was learned.
    pub text: String,
    /// The id of the step that last learned it.
    pub task: Option<String>,
    /// The workspace path of the file that it came from, if any.
    pub path: Option<String>,
    /// The hash of that file's content at the time, if there is a file.
    pub hash: Option<String>,
    /// When it was last learned, in milliseconds since 1970 UTC.
    pub learned_ms: i64,
}

/// Access to the facts.
pub struct Facts<'s> {
    pub(crate) conn: &'s Connection,
}

impl Facts<'_> {
    /// Stores what a step learned, atomically. A known fact keeps its id and gets the new source
    /// and time. `workspace` and `plan` are absolute paths.
    ///
    /// # Errors
    /// Any database error.
    pub fn keep(
        &self,
        workspace: &str,
        plan: &str,
        task: Option<&str>,
        facts: &[NewFact<'_>],
        at_ms: i64,
    ) -> Result<(), StoreError> {
        if facts.is_empty() {
            return Ok(());
        }
        let tx = immediate(self.conn)?;
        {
            let mut insert = tx.prepare_cached(
                "INSERT INTO facts (workspace, plan, text, task, path, hash, learned_ms)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                 ON CONFLICT (plan, text) DO UPDATE SET
                     workspace = excluded.workspace, task = excluded.task, path = excluded.path,
                     hash = excluded.hash, learned_ms = excluded.learned_ms",
            )?;
            for fact in facts {
                insert.execute(params![
                    workspace, plan, fact.text, task, fact.path, fact.hash, at_ms
                ])?;
            }
            tx.prepare_cached(
                "DELETE FROM facts WHERE plan = ?1 AND id NOT IN (
                     SELECT id FROM facts WHERE plan = ?1 ORDER BY learned_ms DESC, id DESC LIMIT ?2)",
            )?
            .execute(params![plan, MAX_FACTS])?;
        }
        Ok(tx.commit()?)
    }

    /// Up to `count` facts of a plan, the most recently learned first.
    ///
    /// # Errors
    /// Any database error.
    pub fn of(&self, plan: &str, count: usize) -> Result<Vec<KeptFact>, StoreError> {
        self.select("plan", plan, count)
    }

    /// Up to `count` facts from all plans of a workspace, the most recently learned first.
    /// `workspace` is an absolute path.
    ///
    /// # Errors
    /// Any database error.
    pub fn of_workspace(&self, workspace: &str, count: usize) -> Result<Vec<KeptFact>, StoreError> {
        self.select("workspace", workspace, count)
    }

    fn select(&self, column: &str, value: &str, count: usize) -> Result<Vec<KeptFact>, StoreError> {
        let sql = format!(
            "SELECT id, plan, text, task, path, hash, learned_ms FROM facts WHERE {column} = ?1
             ORDER BY learned_ms DESC, id DESC LIMIT ?2"
        );
        let mut statement = self.conn.prepare_cached(&sql)?;
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        let facts = statement.query_map(params![value, count], |row| {
            Ok(KeptFact {
                id: row.get(0)?,
                plan: row.get(1)?,
                text: row.get(2)?,
                task: row.get(3)?,
                path: row.get(4)?,
                hash: row.get(5)?,
                learned_ms: row.get(6)?,
            })
        })?;
        Ok(facts.collect::<Result<_, _>>()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::testing::{PLAN, fresh};

    fn fact<'a>(text: &'a str, hash: &'a str) -> NewFact<'a> {
        NewFact {
            text,
            path: Some("src/a.rs"),
            hash: Some(hash),
        }
    }

    #[test]
    fn a_fact_is_there_once_with_its_latest_source() {
        let (_folder, store) = fresh();
        let facts = store.facts();
        let both = [
            fact("rows are built in render_rows", "1"),
            fact("the port is 8080", "1"),
        ];
        facts.keep("/w", PLAN, Some("T1"), &both, 1).unwrap();
        facts
            .keep("/w", PLAN, Some("T2"), &[fact("the port is 8080", "2")], 2)
            .unwrap();
        let kept = facts.of(PLAN, 10).unwrap();
        let seen: Vec<_> = kept
            .iter()
            .map(|fact| {
                (
                    &*fact.text,
                    fact.task.as_deref(),
                    fact.hash.as_deref(),
                    fact.learned_ms,
                )
            })
            .collect();
        assert_eq!(
            seen,
            [
                ("the port is 8080", Some("T2"), Some("2"), 2),
                ("rows are built in render_rows", Some("T1"), Some("1"), 1),
            ]
        );
        assert_eq!(kept[0].id, 2, "it keeps its number");
        assert!(facts.of("/w/other.md", 10).unwrap().is_empty());
        assert_eq!(facts.of(PLAN, 1).unwrap().len(), 1);
    }

    #[test]
    fn a_plan_that_lies_elsewhere_takes_its_facts_along() {
        let (_folder, store) = fresh();
        store
            .facts()
            .keep("/w", PLAN, None, &[fact("x is y", "1")], 1)
            .unwrap();
        store.plan_moves().add(PLAN, "/w/new.md", 2).unwrap();
        assert!(store.facts().of(PLAN, 9).unwrap().is_empty());
        assert_eq!(store.facts().of("/w/new.md", 9).unwrap().len(), 1);
    }

    #[test]
    fn the_oldest_facts_of_a_plan_go_and_those_of_another_stay() {
        let (_folder, store) = fresh();
        let facts = store.facts();
        facts
            .keep("/w", "/w/b.md", None, &[fact("kept", "1")], 0)
            .unwrap();
        let texts: Vec<String> = (0..=MAX_FACTS).map(|n| format!("fact {n}")).collect();
        let many: Vec<NewFact<'_>> = texts.iter().map(|text| fact(text, "1")).collect();
        facts.keep("/w", PLAN, None, &many, 1).unwrap();
        let kept = facts.of(PLAN, usize::MAX).unwrap();
        assert_eq!(kept.len(), 1_000);
        assert!(
            kept.iter().all(|fact| fact.text != "fact 0"),
            "the oldest went"
        );
        assert_eq!(facts.of("/w/b.md", 9).unwrap().len(), 1);
    }

    #[test]
    fn a_workspace_has_the_facts_of_all_its_plans_and_no_others() {
        let (_folder, store) = fresh();
        let facts = store.facts();
        for (workspace, plan, text, at_ms) in [
            ("/w", "/w/a.md", "first", 1),
            ("/w", "/w/b.md", "second", 2),
            ("/w/inner", "/w/inner/c.md", "of another", 3),
            ("/w", "/w/a.md", "third", 4),
        ] {
            facts
                .keep(workspace, plan, None, &[fact(text, "1")], at_ms)
                .unwrap();
        }
        let told = |count| {
            let kept = facts.of_workspace("/w", count).unwrap();
            let told = kept.into_iter().map(|fact| (fact.plan, fact.text));
            told.collect::<Vec<_>>()
        };
        let of = |plan: &str, text: &str| (plan.to_owned(), text.to_owned());
        let all = [
            of("/w/a.md", "third"),
            of("/w/b.md", "second"),
            of("/w/a.md", "first"),
        ];
        assert_eq!(told(9), all);
        assert_eq!(told(2), all[..2], "the newest");
        assert!(facts.of_workspace("/nowhere", 9).unwrap().is_empty());
    }
}

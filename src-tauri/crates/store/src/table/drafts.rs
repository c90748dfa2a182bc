//! Table `drafts`: unsaved input, one row per field.
//!
//! The last write to a field wins. This module never merges a draft into a plan.

use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::StoreError;

/// A draft to store.
#[derive(Clone, Copy, Debug)]
pub struct NewDraft<'a> {
    /// Absolute path of the plan file, or of the workspace if the draft belongs to no plan.
    pub plan: &'a str,
    /// The name of the field, such as `task/T2/title` or `goal`.
    pub key: &'a str,
    /// The full text of the field.
    pub text: &'a str,
    /// SHA-256 of the content being edited, if there is one.
    pub revision: Option<&'a str>,
    /// Time of the last change, in milliseconds since 1970 UTC.
    pub at_ms: i64,
}

/// A stored draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// Absolute path of the plan file, or of the workspace if the draft belongs to no plan.
    pub plan: String,
    /// The name of the field, such as `task/T2/title` or `goal`.
    pub key: String,
    /// The full text of the field.
    pub text: String,
    /// SHA-256 of the content being edited, if there was one.
    pub revision: Option<String>,
    /// Time of the last change, in milliseconds since 1970 UTC.
    pub at_ms: i64,
}

/// Access to the drafts.
pub struct Drafts<'s> {
    pub(crate) conn: &'s Connection,
}

const COLUMNS: &str = "plan, key, text, revision, at_ms";

impl Drafts<'_> {
    /// Stores a draft, replacing the field's earlier one. An empty text is also a draft, since a
    /// field may have been cleared.
    pub fn put(&self, new: &NewDraft<'_>) -> Result<(), StoreError> {
        self.conn
            .prepare_cached(
                "INSERT INTO drafts (plan, key, text, revision, at_ms) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (plan, key) DO UPDATE SET text = excluded.text,
                     revision = excluded.revision, at_ms = excluded.at_ms",
            )?
            .execute(params![
                new.plan,
                new.key,
                new.text,
                new.revision,
                new.at_ms
            ])?;
        Ok(())
    }

    /// Deletes the draft of one field; `false` if there was none.
    pub fn delete(&self, plan: &str, key: &str) -> Result<bool, StoreError> {
        let mut statement = self
            .conn
            .prepare_cached("DELETE FROM drafts WHERE plan = ?1 AND key = ?2")?;
        Ok(statement.execute([plan, key])? > 0)
    }

    /// The draft of one field.
    pub fn get(&self, plan: &str, key: &str) -> Result<Option<Draft>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM drafts WHERE plan = ?1 AND key = ?2");
        let mut statement = self.conn.prepare_cached(&sql)?;
        Ok(statement.query_row([plan, key], draft).optional()?)
    }

    /// The drafts of a plan, in order of field.
    pub fn of_plan(&self, plan: &str) -> Result<Vec<Draft>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM drafts WHERE plan = ?1 ORDER BY key");
        let mut statement = self.conn.prepare_cached(&sql)?;
        let drafts = statement.query_map([plan], draft)?;
        Ok(drafts.collect::<Result<_, _>>()?)
    }

    /// All drafts, in order of plan and field.
    pub fn all(&self) -> Result<Vec<Draft>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM drafts ORDER BY plan, key");
        let mut statement = self.conn.prepare_cached(&sql)?;
        let drafts = statement.query_map([], draft)?;
        Ok(drafts.collect::<Result<_, _>>()?)
    }
}

fn draft(row: &Row<'_>) -> rusqlite::Result<Draft> {
    Ok(Draft {
        plan: row.get(0)?,
        key: row.get(1)?,
        text: row.get(2)?,
        revision: row.get(3)?,
        at_ms: row.get(4)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::testing::{PLAN, fresh};

    fn typed<'a>(key: &'a str, text: &'a str, at_ms: i64) -> NewDraft<'a> {
        NewDraft {
            plan: PLAN,
            key,
            text,
            revision: Some("abc"),
            at_ms,
        }
    }

    #[test]
    fn a_field_holds_what_was_typed_last() {
        let (_folder, store) = fresh();
        let drafts = store.drafts();
        drafts.put(&typed("task/T2/title", "Wri", 1)).unwrap();
        drafts.put(&typed("goal", "Ship \u{1F680}\n", 2)).unwrap();
        let emptied = NewDraft {
            revision: None,
            ..typed("task/T2/title", "", 3)
        };
        drafts.put(&emptied).unwrap();
        let kept = drafts.of_plan(PLAN).unwrap();
        let fields: Vec<_> = kept.iter().map(|d| (&*d.key, &*d.text, d.at_ms)).collect();
        assert_eq!(
            fields,
            [("goal", "Ship \u{1F680}\n", 2), ("task/T2/title", "", 3)]
        );
        assert_eq!(kept[1].revision, None);
        assert_eq!(drafts.get(PLAN, "goal").unwrap().as_ref(), Some(&kept[0]));
    }

    #[test]
    fn a_draft_that_was_deleted_is_gone_and_the_others_stay() {
        let (_folder, store) = fresh();
        let drafts = store.drafts();
        drafts.put(&typed("goal", "a", 1)).unwrap();
        let of_workspace = NewDraft {
            plan: "/w",
            ..typed("goal", "b", 1)
        };
        drafts.put(&of_workspace).unwrap();
        assert_eq!(drafts.all().unwrap().len(), 2);
        assert!(drafts.delete(PLAN, "goal").unwrap());
        assert!(!drafts.delete(PLAN, "goal").unwrap());
        assert_eq!(drafts.get(PLAN, "goal").unwrap(), None);
        let all = drafts.all().unwrap();
        assert_eq!((all.len(), &*all[0].plan, &*all[0].text), (1, "/w", "b"));
    }
}

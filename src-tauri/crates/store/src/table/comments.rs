//! Table `comments`: review comments on plans, saved as they are typed.
//!
//! The text of a comment can't be changed after it was sent, but the comment can still be resolved
//! or deleted.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::immediate;
use crate::StoreError;

/// The kinds of review comments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CommentKind {
    /// A remark about the plan or a part of it.
    #[default]
    Comment,
    /// A suggestion to replace the quoted text with the text of the comment.
    Replace,
}

impl CommentKind {
    /// The name used in the database and for sending.
    pub fn as_str(self) -> &'static str {
        match self {
            CommentKind::Comment => "comment",
            CommentKind::Replace => "replace",
        }
    }
}

impl FromSql for CommentKind {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        match value.as_str()? {
            "comment" => Ok(CommentKind::Comment),
            "replace" => Ok(CommentKind::Replace),
            _ => Err(FromSqlError::InvalidType),
        }
    }
}

/// A comment to add.
#[derive(Clone, Copy, Debug)]
pub struct NewComment<'a> {
    /// Absolute path of the plan file.
    pub plan: &'a str,
    /// SHA-256 of the content being reviewed.
    pub revision: &'a str,
    /// The id of the step that it refers to; `None` for the whole plan.
    pub task: Option<&'a str>,
    /// The quoted text that it refers to, if any was selected.
    pub quote: Option<&'a str>,
    /// The text before the quote, to distinguish it from other occurrences.
    pub before: Option<&'a str>,
    /// Whether it is a remark or a suggestion.
    pub kind: CommentKind,
    /// The comment, or the replacement for the quote.
    pub text: &'a str,
    /// When it was typed, in milliseconds since 1970 UTC.
    pub at_ms: i64,
}

/// A stored comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// Its id; never reused.
    pub id: i64,
    /// Absolute path of the plan file.
    pub plan: String,
    /// SHA-256 of the content being reviewed.
    pub revision: String,
    /// The id of the step that it refers to; `None` for the whole plan.
    pub task: Option<String>,
    /// The quoted text that it refers to, if any was selected.
    pub quote: Option<String>,
    /// The text before the quote, to distinguish it from other occurrences.
    pub before: Option<String>,
    /// Whether it is a remark or a suggestion.
    pub kind: CommentKind,
    /// The comment, or the replacement for the quote.
    pub text: String,
    /// When it was typed, in milliseconds since 1970 UTC.
    pub at_ms: i64,
    /// When it was sent, in milliseconds since 1970 UTC; `None` if it wasn't sent.
    pub sent_ms: Option<i64>,
    /// When it was resolved, in milliseconds since 1970 UTC; `None` if it isn't resolved.
    pub resolved_ms: Option<i64>,
}

/// Access to the comments.
pub struct Comments<'s> {
    pub(crate) conn: &'s Connection,
}

const COLUMNS: &str =
    "id, plan, revision, task, quote, before, kind, text, at_ms, sent_ms, resolved_ms";

impl Comments<'_> {
    /// Adds a comment and returns its new id.
    pub fn add(&self, new: &NewComment<'_>) -> Result<i64, StoreError> {
        let mut statement = self.conn.prepare_cached(
            "INSERT INTO comments (plan, revision, task, quote, before, kind, text, at_ms)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?;
        Ok(statement.insert(params![
            new.plan,
            new.revision,
            new.task,
            new.quote,
            new.before,
            new.kind.as_str(),
            new.text,
            new.at_ms
        ])?)
    }

    /// Updates the text of an unsent comment; `false` if there is no unsent comment with this id.
    pub fn update(&self, id: i64, text: &str, at_ms: i64) -> Result<bool, StoreError> {
        let mut statement = self.conn.prepare_cached(
            "UPDATE comments SET text = ?2, at_ms = ?3 WHERE id = ?1 AND sent_ms IS NULL",
        )?;
        Ok(statement.execute(params![id, text, at_ms])? > 0)
    }

    /// Deletes a comment; `false` if there is none with this id.
    pub fn delete(&self, id: i64) -> Result<bool, StoreError> {
        let mut statement = self
            .conn
            .prepare_cached("DELETE FROM comments WHERE id = ?1")?;
        Ok(statement.execute([id])? > 0)
    }

    /// Marks comments as sent, atomically. A comment that was already sent keeps its time.
    pub fn mark_sent(&self, ids: &[i64], at_ms: i64) -> Result<(), StoreError> {
        let tx = immediate(self.conn)?;
        for id in ids {
            tx.prepare_cached(
                "UPDATE comments SET sent_ms = ?2 WHERE id = ?1 AND sent_ms IS NULL",
            )?
            .execute([*id, at_ms])?;
        }
        Ok(tx.commit()?)
    }

    /// Resolves a comment at the given time, or reopens it; `false` if there is none with this id.
    pub fn resolve(&self, id: i64, at_ms: Option<i64>) -> Result<bool, StoreError> {
        let mut statement = self
            .conn
            .prepare_cached("UPDATE comments SET resolved_ms = ?2 WHERE id = ?1")?;
        Ok(statement.execute(params![id, at_ms])? > 0)
    }

    /// The comment with this id.
    pub fn get(&self, id: i64) -> Result<Option<Comment>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM comments WHERE id = ?1");
        let mut statement = self.conn.prepare_cached(&sql)?;
        Ok(statement.query_row([id], comment).optional()?)
    }

    /// The unresolved comments of a plan, sent or not, oldest first.
    pub fn open(&self, plan: &str) -> Result<Vec<Comment>, StoreError> {
        self.select("plan = ?1 AND resolved_ms IS NULL", plan)
    }

    /// All comments of a plan, oldest first.
    pub fn of_plan(&self, plan: &str) -> Result<Vec<Comment>, StoreError> {
        self.select("plan = ?1", plan)
    }

    fn select(&self, condition: &str, plan: &str) -> Result<Vec<Comment>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM comments WHERE {condition} ORDER BY id");
        let mut statement = self.conn.prepare_cached(&sql)?;
        let comments = statement.query_map([plan], comment)?;
        Ok(comments.collect::<Result<_, _>>()?)
    }
}

fn comment(row: &Row<'_>) -> rusqlite::Result<Comment> {
    Ok(Comment {
        id: row.get(0)?,
        plan: row.get(1)?,
        revision: row.get(2)?,
        task: row.get(3)?,
        quote: row.get(4)?,
        before: row.get(5)?,
        kind: row.get(6)?,
        text: row.get(7)?,
        at_ms: row.get(8)?,
        sent_ms: row.get(9)?,
        resolved_ms: row.get(10)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::testing::{PLAN, fresh};

    const SAID: NewComment<'_> = NewComment {
        plan: PLAN,
        revision: "abc",
        task: Some("T2"),
        quote: Some("all callers"),
        before: Some("rename "),
        kind: CommentKind::Replace,
        text: "Wh",
        at_ms: 1,
    };

    #[test]
    fn a_comment_is_kept_as_it_is_typed() {
        let (_folder, store) = fresh();
        let comments = store.comments();
        let id = comments.add(&SAID).unwrap();
        assert!(comments.update(id, "Which callers?", 2).unwrap());
        let expected = Comment {
            id,
            plan: PLAN.to_owned(),
            revision: "abc".to_owned(),
            task: Some("T2".to_owned()),
            quote: Some("all callers".to_owned()),
            before: Some("rename ".to_owned()),
            kind: CommentKind::Replace,
            text: "Which callers?".to_owned(),
            at_ms: 2,
            sent_ms: None,
            resolved_ms: None,
        };
        assert_eq!(comments.get(id).unwrap(), Some(expected));
        assert!(comments.open("/w/b.md").unwrap().is_empty());
    }

    #[test]
    fn what_was_sent_stays_as_it_was_sent() {
        let (_folder, store) = fresh();
        let comments = store.comments();
        let first = comments.add(&SAID).unwrap();
        let second = comments.add(&SAID).unwrap();
        comments.mark_sent(&[first], 5).unwrap();
        comments.mark_sent(&[first, second], 6).unwrap();
        assert!(!comments.update(first, "another", 7).unwrap());
        let sent: Vec<_> = comments.open(PLAN).unwrap();
        let times: Vec<_> = sent.iter().map(|c| (&*c.text, c.sent_ms)).collect();
        assert_eq!(times, [("Wh", Some(5)), ("Wh", Some(6))]);
    }

    #[test]
    fn a_resolved_comment_is_not_open_until_it_is_opened_again() {
        let (_folder, store) = fresh();
        let comments = store.comments();
        let id = comments.add(&SAID).unwrap();
        assert!(comments.resolve(id, Some(8)).unwrap());
        assert!(comments.open(PLAN).unwrap().is_empty());
        assert_eq!(comments.of_plan(PLAN).unwrap()[0].resolved_ms, Some(8));
        assert!(comments.resolve(id, None).unwrap());
        assert_eq!(comments.open(PLAN).unwrap().len(), 1);
    }

    #[test]
    fn the_number_of_a_deleted_comment_is_not_given_again() {
        let (_folder, store) = fresh();
        let comments = store.comments();
        let id = comments.add(&SAID).unwrap();
        assert!(comments.delete(id).unwrap());
        assert!(!comments.delete(id).unwrap());
        assert!(!comments.resolve(id, Some(1)).unwrap());
        assert!(comments.add(&SAID).unwrap() > id);
    }
}

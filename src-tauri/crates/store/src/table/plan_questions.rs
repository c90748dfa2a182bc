//! Table `plan_questions`: questions about plans. The database enforces that at most one question
//! is open across all plans.
//!
//! The body is defined by the caller and not interpreted here.

use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::StoreError;

/// A stored question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedQuestion {
    /// The question's id.
    pub id: String,
    /// Absolute path of the plan file.
    pub plan: String,
    /// SHA-256 of the content that the question refers to.
    pub revision: String,
    /// The question and its options, as JSON.
    pub body: String,
    /// When it was opened, in milliseconds since 1970 UTC.
    pub since_ms: i64,
    /// When it was closed, in milliseconds since 1970 UTC; `None` while it is open.
    pub settled_ms: Option<i64>,
    /// The chosen option; `None` if the question is open or was withdrawn.
    pub choice: Option<u32>,
}

/// Access to the questions.
pub struct PlanQuestions<'s> {
    pub(crate) conn: &'s Connection,
}

const COLUMNS: &str = "id, plan, revision, body_json, since_ms, settled_ms, choice";

impl PlanQuestions<'_> {
    /// Opens a question; `false` if another question is open or this one was asked before.
    pub fn open(&self, question: &AskedQuestion) -> Result<bool, StoreError> {
        let added = self
            .conn
            .prepare_cached(
                "INSERT OR IGNORE INTO plan_questions (id, plan, revision, body_json, since_ms)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![
                question.id,
                question.plan,
                question.revision,
                question.body,
                question.since_ms
            ])?;
        Ok(added > 0)
    }

    /// The open question, if there is one.
    pub fn waiting(&self) -> Result<Option<AskedQuestion>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM plan_questions WHERE settled_ms IS NULL");
        let mut statement = self.conn.prepare_cached(&sql)?;
        Ok(statement.query_row([], question).optional()?)
    }

    /// The question with this id.
    pub fn get(&self, id: &str) -> Result<Option<AskedQuestion>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM plan_questions WHERE id = ?1");
        let mut statement = self.conn.prepare_cached(&sql)?;
        Ok(statement.query_row([id], question).optional()?)
    }

    /// Up to `count` answered questions of a plan, most recently answered first.
    ///
    /// # Errors
    /// Any database error.
    pub fn chosen(&self, plan: &str, count: usize) -> Result<Vec<AskedQuestion>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM plan_questions WHERE plan = ?1 AND choice IS NOT NULL
             ORDER BY settled_ms DESC, id LIMIT ?2"
        );
        let mut statement = self.conn.prepare_cached(&sql)?;
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        let questions = statement.query_map(params![plan, count], question)?;
        Ok(questions.collect::<Result<_, _>>()?)
    }

    /// Closes an open question with the chosen option, or without one to withdraw the question;
    /// `false` if it is not open.
    pub fn settle(&self, id: &str, choice: Option<u32>, at_ms: i64) -> Result<bool, StoreError> {
        let mut statement = self.conn.prepare_cached(
            "UPDATE plan_questions SET settled_ms = ?2, choice = ?3
             WHERE id = ?1 AND settled_ms IS NULL",
        )?;
        Ok(statement.execute(params![id, at_ms, choice])? > 0)
    }
}

fn question(row: &Row<'_>) -> rusqlite::Result<AskedQuestion> {
    Ok(AskedQuestion {
        id: row.get(0)?,
        plan: row.get(1)?,
        revision: row.get(2)?,
        body: row.get(3)?,
        since_ms: row.get(4)?,
        settled_ms: row.get(5)?,
        choice: row.get(6)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::testing::{PLAN, fresh};

    fn asked(id: &str) -> AskedQuestion {
        AskedQuestion {
            id: id.to_owned(),
            plan: PLAN.to_owned(),
            revision: "a".to_owned(),
            body: "{}".to_owned(),
            since_ms: 3,
            settled_ms: None,
            choice: None,
        }
    }

    #[test]
    fn at_most_one_question_is_open() {
        let (_folder, store) = fresh();
        let questions = store.plan_questions();
        assert_eq!(questions.waiting().unwrap(), None);
        assert!(questions.open(&asked("q1")).unwrap());
        assert!(!questions.open(&asked("q2")).unwrap());
        assert_eq!(questions.waiting().unwrap(), Some(asked("q1")));
        assert!(questions.settle("q1", Some(1), 5).unwrap());
        assert!(!questions.settle("q1", Some(0), 6).unwrap(), "once");
        let settled = questions.get("q1").unwrap().unwrap();
        assert_eq!((settled.settled_ms, settled.choice), (Some(5), Some(1)));
        assert!(
            !questions.open(&asked("q1")).unwrap(),
            "it was asked before"
        );
        assert!(questions.open(&asked("q2")).unwrap());
        assert!(questions.settle("q2", None, 7).unwrap());
        assert_eq!(questions.get("q2").unwrap().unwrap().choice, None);
    }

    #[test]
    fn chosen_are_those_of_the_plan_that_a_person_answered() {
        let (_folder, store) = fresh();
        let questions = store.plan_questions();
        for (id, choice, at_ms) in [
            ("q1", Some(0), 5),
            ("q2", None, 6),
            ("q3", Some(1), 7),
            ("q4", Some(2), 8),
        ] {
            let mut asked = asked(id);
            if id == "q4" {
                asked.plan = "/w/other.md".to_owned();
            }
            assert!(questions.open(&asked).unwrap());
            assert!(questions.settle(id, choice, at_ms).unwrap());
        }
        assert!(questions.open(&asked("q5")).unwrap());
        let chosen = |count| {
            let found = questions.chosen(PLAN, count).unwrap();
            let told = found.into_iter().map(|asked| (asked.id, asked.choice));
            told.collect::<Vec<_>>()
        };
        let all = [("q3".to_owned(), Some(1)), ("q1".to_owned(), Some(0))];
        assert_eq!(chosen(9), all);
        assert_eq!(chosen(1), all[..1]);
    }
}

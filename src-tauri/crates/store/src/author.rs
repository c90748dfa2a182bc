//! Defines who can be the author of a revision.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};

/// The author of a revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Author {
    /// The user, in Planwright.
    Person,
    /// A language model.
    Model,
    /// Planwright itself, which writes ticks, answers and `skipped` lines.
    App,
    /// Another program: an editor, Git, an agent.
    Outside,
}

impl Author {
    const ALL: [Author; 4] = [Author::Person, Author::Model, Author::App, Author::Outside];

    /// The name used in the database and on screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Author::Person => "person",
            Author::Model => "model",
            Author::App => "app",
            Author::Outside => "outside",
        }
    }
}

impl FromSql for Author {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Author> {
        let word = value.as_str()?;
        let author = Author::ALL.into_iter().find(|a| a.as_str() == word);
        author.ok_or(FromSqlError::InvalidType)
    }
}

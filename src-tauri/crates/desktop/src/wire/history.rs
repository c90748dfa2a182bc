//! A plan's history, comparisons of two revisions, and conflicts.

use serde::{Deserialize, Serialize};
use specta::Type;

use super::{DiffLine, Edit};

/// A page of a plan's history, newest entry first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct HistoryPage {
    /// The entries.
    pub entries: Vec<HistoryEntry>,
    /// Cursor for the next page, to pass as `before`; `None` at the start of the history.
    pub next: Option<i64>,
}

/// One change of a plan's content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct HistoryEntry {
    /// The entry's number; increases over time, with gaps.
    pub seq: i64,
    /// The revision.
    pub revision: String,
    /// The revision before it; `None` for the first.
    pub parent: Option<String>,
    /// `person`, `model`, `app` or `outside`.
    pub author: String,
    /// The reason: the edit's name, "found on disk", "Restored …".
    pub reason: String,
    /// When the change was made.
    pub at_ms: i64,
    /// Summary of the change: "T4 reworded, T6 new, T2 check removed", "prose only". Empty if
    /// unknown.
    pub summary: String,
    /// The plan's path at that time, if it was a different one.
    pub moved_from: Option<String>,
    /// Whether this revision was approved.
    pub is_approved: bool,
}

/// A comparison of two revisions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct Comparison {
    /// The earlier revision.
    pub from: String,
    /// The later revision.
    pub to: String,
    /// Changed tasks in the order of the later revision, removed ones at their old position;
    /// bounded.
    pub tasks: Vec<TaskChange>,
    /// Number of further changed tasks.
    pub more_tasks: u32,
    /// Number of unchanged tasks.
    pub unchanged: u32,
    /// Changed parts outside tasks: title, goal, introduction, requirements, decisions; bounded.
    pub around: Vec<PartChange>,
    /// The diff, in hunks; bounded.
    pub lines: Vec<DiffLine>,
    /// Whether lines were dropped at the end.
    pub is_cut: bool,
}

/// How one task changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct TaskChange {
    /// Its id, in the revision that contains it.
    pub id: String,
    /// The most important change: `added`, `removed`, `reworded`, `moved`, `done`, `reopened`,
    /// `skipped` or `changed`.
    pub kind: String,
    /// Its current title, or its last one if it was removed.
    pub title: String,
    /// Changes as short phrases: "check removed", "depends on T2", "moved below T5".
    pub notes: Vec<String>,
    /// The parts whose text changed; bounded.
    pub parts: Vec<PartChange>,
}

/// One part of a plan as a word diff.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct PartChange {
    /// `title`, `text`, a key, or the name of a section.
    pub name: String,
    /// The words in reading order.
    pub words: Vec<WordRun>,
}

/// A run of words that are unchanged, added or removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct WordRun {
    /// `same`, `added` or `removed`.
    pub kind: String,
    /// The words, including whitespace.
    pub text: String,
}

/// Two conflicting changes to the same lines. The file has one of them; both are kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct PlanConflict {
    /// The conflict's number.
    pub id: i64,
    /// Id of the task that contains the lines; `None` outside tasks.
    pub task: Option<String>,
    /// The task's title, or the name of the section.
    pub title: String,
    /// The lines before both changes.
    pub base: String,
    /// The lines as they were before the other program overwrote them.
    pub mine: String,
    /// Who wrote the lines in `mine`.
    pub mine_by: ChangedBy,
    /// The lines as changed by the other program, which the file contains.
    pub theirs: String,
    /// When the conflict was detected.
    pub at_ms: i64,
}

plan::named! {
    /// Who made a change.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
    pub enum ChangedBy {
        /// The user, in Planwright.
        Person = "person",
        /// A model.
        Model = "model",
        /// Planwright itself.
        App = "app",
        /// Another program.
        Outside = "outside",
    }
}

plan::named! {
    /// How to resolve a conflict.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, Type)]
    pub enum ConflictChoice {
        /// Write this side's lines to the file.
        Mine = "mine",
        /// Keep the file as it is.
        Theirs = "theirs",
        /// Write both, the other program's lines first.
        Both = "both",
    }
}

/// The text for which the person chose a version outside the list of conflicts.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Type)]
#[serde(tag = "of", rename_all = "snake_case")]
pub enum DecidedLines {
    /// One field.
    Field {
        /// An edit of that field; its new text doesn't matter.
        edit: Edit,
    },
    /// Lines of the source.
    Text {
        /// The person's lines.
        mine: String,
        /// The file's lines.
        theirs: String,
    },
}

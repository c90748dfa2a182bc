//! What a plan held before, what changed between two revisions, and changes that stand against each
//! other.

use serde::{Deserialize, Serialize};
use specta::Type;

use super::DiffLine;

/// A page of a plan's history, the newest entry first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct HistoryPage {
    /// The entries.
    pub entries: Vec<HistoryEntry>,
    /// What to ask for next, as `before`; absent at the beginning of the history.
    pub next: Option<i64>,
}

/// One time that the plan took a content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct HistoryEntry {
    /// Grows with time, with gaps.
    pub seq: i64,
    /// The content.
    pub revision: String,
    /// The content before it; absent for the first.
    pub parent: Option<String>,
    /// `person`, `model`, `app` or `outside`.
    pub author: String,
    /// Why: the edit's name, "found on disk", "Restored …".
    pub reason: String,
    /// When.
    pub at_ms: i64,
    /// What it changed, in words: "T4 reworded, T6 new, T2 check removed", "prose only". Empty where nothing can be said.
    pub summary: String,
    /// Where the plan lay then, when it was elsewhere.
    pub moved_from: Option<String>,
    /// Whether an approval names it.
    pub is_approved: bool,
}

/// What changed between two revisions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct Comparison {
    /// The earlier one.
    pub from: String,
    /// The later one.
    pub to: String,
    /// Changed tasks, in the order of the later revision; a removed one stands where it stood. Bounded.
    pub tasks: Vec<TaskChange>,
    /// How many more tasks changed.
    pub more_tasks: u32,
    /// How many tasks did not.
    pub unchanged: u32,
    /// Changed parts outside of tasks: title, goal, introduction, requirements, decisions. Bounded.
    pub around: Vec<PartChange>,
    /// The lines, in hunks. Bounded.
    pub lines: Vec<DiffLine>,
    /// Whether lines were left out at the end.
    pub is_cut: bool,
}

/// What became of one task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct TaskChange {
    /// Its id, in the revision that has it.
    pub id: String,
    /// `added`, `removed`, `reworded`, `moved`, `done`, `reopened`, `skipped` or `changed`: the most telling one.
    pub kind: String,
    /// Its title now, or as it was.
    pub title: String,
    /// In a few words each: "check removed", "waits for T2", "moved below T5".
    pub notes: Vec<String>,
    /// What reads otherwise, part by part. Bounded.
    pub parts: Vec<PartChange>,
}

/// One part of a plan before and after, word by word.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct PartChange {
    /// `title`, `text`, a key, or the name of a section.
    pub name: String,
    /// The words in reading order.
    pub words: Vec<WordRun>,
}

/// Words that stayed, came or went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct WordRun {
    /// `same`, `added` or `removed`.
    pub kind: String,
    /// The words with their blanks.
    pub text: String,
}

/// Two changes of the same lines, of which the file holds one. Neither is lost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct PlanConflict {
    /// Its number.
    pub id: i64,
    /// The task the lines belong to; absent outside of tasks.
    pub task: Option<String>,
    /// The task's title, or the name of the section.
    pub title: String,
    /// The lines before both.
    pub base: String,
    /// The lines as this app or this person had them.
    pub mine: String,
    /// The lines as the other program wrote them: what the file holds.
    pub theirs: String,
    /// When it was found.
    pub at_ms: i64,
}

gate::named! {
    /// What to do about a conflict.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, Type)]
    pub enum ConflictChoice {
        /// The file gets the lines of this side back.
        Mine = "mine",
        /// The file stays.
        Theirs = "theirs",
        /// The file gets the lines of both, the other program's first.
        Both = "both",
    }
}

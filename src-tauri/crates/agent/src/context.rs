//! Selects the workspace context for the model that carries out a step. The selection fits a token
//! budget, and each item has a reason.
//!
//! [`wants`] lists the files and words of a step, the caller reads the [`Material`] from disk, and
//! [`select`] chooses from it. The order is fixed: results of the steps that this one depends on,
//! decisions and pinned notes, files that the step names, then facts learned earlier, ranked by how
//! well they match the step. Later items never displace earlier ones.
//!
//! **Invariants.** A selection never exceeds its token budget. The same input gives the same
//! selection. With a larger budget, no summary, note, line of a file or fact is ever lost. Text
//! that was cut is always marked. Untrusted text can't close its envelope. Every item comes from
//! the input.
//!
//! Reads no files, asks no model, and doesn't know the size of the model's context window.

mod budget;
mod facts;
mod files;
pub(crate) mod keywords;
mod pinned;
mod similar_paths;
mod sources;

use plan::{Plan, Task};
use serde::{Deserialize, Serialize};

use crate::session::request::tokens_of;

pub use facts::said;
pub use keywords::paths_in;
pub use similar_paths::near_paths;
pub use sources::{likely_source, named_source};

plan::named! {
    /// How much context is selected.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
    pub enum Strategy {
        /// Results of earlier steps, and items that a person pinned.
        Minimal = "minimal",
        /// In addition, the files that the step names, and facts that match it.
        #[default]
        Relevant = "relevant",
        /// In addition, all other known facts that fit.
        Full = "full",
    }
}

/// The files and words that the context is selected for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wants {
    /// Files that the step names, the most certain first.
    pub files: Vec<String>,
    /// Words of the step, followed by those of the goal; lowercase, without duplicates.
    pub words: Vec<String>,
}

/// The material found for a step, from which its context is selected.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Material {
    /// The requested files that exist, in the requested order.
    pub files: Vec<FileText>,
    /// Facts learned earlier.
    pub facts: Vec<Fact>,
    /// Requested files that don't exist.
    pub missing: Vec<String>,
    /// Existing paths most similar to the missing ones, the closest first.
    pub nearby: Vec<String>,
    /// Notes from the workspace's settings, which apply to every step.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// A file's current content.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileText {
    /// The file's path in the workspace.
    pub path: String,
    /// The file's text; if `is_cut`, only whole lines from its beginning. Empty if there is no text
    /// to show.
    pub text: String,
    /// The number of lines in the whole file.
    pub lines_total: u32,
    /// Whether the file continues after `text`.
    pub is_cut: bool,
    /// SHA-256 of the file's bytes; empty if the file was not read.
    pub hash: String,
    /// Why there is no text, worded to follow the path: "is a binary file of 20 bytes".
    #[serde(default)]
    pub unshown: Option<String>,
}

/// A fact that a step learned.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    /// The fact's id.
    pub id: i64,
    /// The fact's text.
    pub text: String,
    /// The id of the step that learned the fact.
    pub task: Option<String>,
    /// The path of the file that the fact came from.
    pub path: Option<String>,
    /// The SHA-256 that the file had when the fact was learned.
    pub hash: Option<String>,
    /// Whether the file has changed since then.
    pub is_stale: bool,
    /// When the fact was learned, in milliseconds since 1970 UTC.
    pub learned_ms: i64,
}

/// The result of a completed step.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// The step's id.
    pub task: String,
    /// The step's title.
    pub title: String,
    /// A summary of the work in one sentence.
    pub text: String,
    /// Whether the summary was inferred from the step's actions because no report was made.
    pub is_inferred: bool,
}

/// The context selected for a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chosen {
    /// The strategy that was used.
    pub strategy: Strategy,
    /// The token budget of the selection.
    pub budget: u32,
    /// The number of tokens used.
    pub used: u32,
    /// The items, in the order in which they are sent.
    pub items: Vec<Item>,
    /// The number of available items that were left out completely.
    pub left_out: u32,
    /// The files that this attempt changes one at a time, if the model works without tools.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<Target>,
}

/// A file that a step should change, with its content when the attempt started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// The file's path in the workspace.
    pub path: String,
    /// The file's text; absent if the file doesn't exist yet.
    pub text: Option<String>,
}

/// One selected item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// The item's kind.
    pub kind: ItemKind,
    /// The text as sent: whole lines, with tags escaped.
    pub text: String,
    /// The item's size in tokens, including the line break after it.
    pub tokens: u32,
    /// Why the item was selected, as a sentence for the screen.
    pub reason: String,
}

/// The kind of an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ItemKind {
    /// The result of a step that this one depends on.
    Summary {
        /// The id of that step.
        task: String,
    },
    /// A note that a person pinned, or a decision.
    Note,
    /// Lines of a file, counted from 1. Both numbers are 0 for a file that is mentioned but not
    /// shown.
    File {
        /// The file's path.
        path: String,
        /// The number of the first line.
        from_line: u32,
        /// The number of the last line.
        to_line: u32,
    },
    /// A file that doesn't exist.
    Missing {
        /// The path that the step names.
        path: String,
    },
    /// A fact learned earlier.
    Fact {
        /// The fact's id.
        id: i64,
    },
}

impl Chosen {
    /// The text that is sent; empty if nothing was selected. Its size is at most `used` tokens.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for item in &self.items {
            text.push_str(&item.text);
            text.push('\n');
        }
        text
    }
}

impl Item {
    fn new(kind: ItemKind, text: String, reason: String) -> Self {
        let tokens = tokens_of(text.len() + 1);
        Self {
            kind,
            text,
            tokens,
            reason,
        }
    }
}

/// The files that a step names and the words that describe it.
pub fn wants(plan: &Plan, task: &Task) -> Wants {
    let asked = keywords::StepKeywords::of(plan, task);
    Wants {
        files: keywords::files(plan, task),
        words: asked.own.into_iter().chain(asked.goal).collect(),
    }
}

/// Selects the context for a step in at most `budget` tokens. `summaries` are those of the steps
/// that it depends on.
pub fn select(
    plan: &Plan,
    task: &Task,
    summaries: &[Summary],
    material: &Material,
    strategy: Strategy,
    budget: u32,
) -> Chosen {
    let asked = keywords::StepKeywords::of(plan, task);
    let pinned = pinned::of(plan, task, summaries, material);
    let mut left_out = pinned.len();
    let (mut items, is_whole) = budget::pinned(pinned, budget);
    left_out -= items.len();
    // Less important items never fill the space left by a cut pinned item, because a slightly
    // larger budget would remove them again.
    let rest = match is_whole {
        true => budget.saturating_sub(sum(&items)),
        false => 0,
    };

    let files = match strategy {
        Strategy::Minimal => 0,
        Strategy::Relevant | Strategy::Full => rest,
    };
    let ranking = facts::Ranking::new(plan, task, &asked, material);
    let facts = ranking.ranked(&material.facts, strategy);
    let all_facts = sum(&facts);
    // Up to a quarter of the space is reserved for facts: a large file is cut anyway, and a
    // one-line fact can make reading a whole file unnecessary.
    let for_facts = all_facts.min(rest / 4);
    let shown = files::shown(&material.files, &asked, files.saturating_sub(for_facts));
    left_out += shown.left_out;
    // If a file was cut, the facts get only their reserved share, so that a larger budget never
    // removes a fact.
    let mut room = match shown.is_whole || strategy == Strategy::Minimal {
        true => rest.saturating_sub(sum(&shown.items)),
        false => for_facts,
    };
    items.extend(shown.items);
    left_out += material.facts.len();
    for fact in facts {
        let Some(less) = room.checked_sub(fact.tokens) else {
            break;
        };
        room = less;
        left_out -= 1;
        items.push(fact);
    }
    Chosen {
        strategy,
        budget,
        used: sum(&items),
        items,
        left_out: u32::try_from(left_out).unwrap_or(u32::MAX),
        targets: Vec::new(),
    }
}

/// The groups that contain a task, innermost first.
pub(crate) fn groups_above<'p>(plan: &'p Plan, task: &Task) -> impl Iterator<Item = &'p Task> {
    let above = |at: Option<usize>| at.and_then(|at| plan.tasks.get(at));
    std::iter::successors(above(task.parent), move |group| above(group.parent))
}

pub(crate) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn sum(items: &[Item]) -> u32 {
    items
        .iter()
        .fold(0, |sum, item| sum.saturating_add(item.tokens))
}

#[cfg(test)]
mod tests;

//! What the model of one step gets to see of the workspace: chosen, within a budget, each with a reason.
//!
//! [`wants`] says what a step asks for, somebody with a disk brings the [`Material`], and [`select`]
//! chooses from it. The order is fixed: results of the steps that this one waits for, decisions and
//! pinned notes, files that the step names, then facts learned earlier, by what they have in common
//! with the step. What stands earlier in that order is never pushed out by what stands later.
//!
//! **Invariants.** The tokens of a choice never pass its budget. The same input gives the same choice.
//! More budget never takes away a summary, a note, a line of a file or a fact. Nothing is cut without
//! a mark. Text of others cannot end the envelope that it stands in. Nothing is invented: every item
//! is a part of what was passed in.
//!
//! Never reads a file, never asks a model, and does not know how large a model's window is.

mod facts;
mod files;
mod fill;
mod near;
mod pinned;
mod sources;
pub(crate) mod words;

use plan::{Plan, Task};
use serde::{Deserialize, Serialize};

use crate::session::request::tokens_of;

pub use facts::said;
pub use near::near_paths;
pub use sources::{likely_source, named_source};
pub use words::paths_in;

gate::named! {
    /// How much is chosen.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
    pub enum Strategy {
        /// What the steps before gave, and what a person pinned.
        Minimal = "minimal",
        /// That, the files that the step names, and what has something in common with it.
        #[default]
        Relevant = "relevant",
        /// That, and everything else that is known, as far as it fits.
        Full = "full",
    }
}

/// What a step asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wants {
    /// Files that it names, the surest first.
    pub files: Vec<String>,
    /// Words of the step, then those of the goal; small letters, no word twice.
    pub words: Vec<String>,
}

/// What was found for a step.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Material {
    /// The files that were asked for and are there, in that order.
    pub files: Vec<FileText>,
    /// What was learned earlier.
    pub facts: Vec<Fact>,
    /// Files that were asked for and are not there.
    pub missing: Vec<String>,
    /// Paths that are there and are most like those missing, the nearest first.
    pub nearby: Vec<String>,
    /// Notes for every step of this workspace, from its settings.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// One file as it is now.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileText {
    /// Its workspace path.
    pub path: String,
    /// Its text; whole lines from its beginning where `is_cut`. Empty where there is no text to show.
    pub text: String,
    /// How many lines the whole file has.
    pub lines_total: u32,
    /// Whether there is more of it than `text`.
    pub is_cut: bool,
    /// SHA-256 of its bytes; empty where it was not read.
    pub hash: String,
    /// Why there is no text, as the end of a sentence: `is a binary file of 20 bytes`.
    #[serde(default)]
    pub unshown: Option<String>,
}

/// One thing that was learned.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    /// Its number.
    pub id: i64,
    /// What was learned.
    pub text: String,
    /// The step that learned it.
    pub task: Option<String>,
    /// The file that it came from.
    pub path: Option<String>,
    /// What that file was then.
    pub hash: Option<String>,
    /// Whether the file is another one now.
    pub is_stale: bool,
    /// When, in milliseconds since 1970 UTC.
    pub learned_ms: i64,
}

/// What a step that is done came to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// Its id.
    pub task: String,
    /// Its title.
    pub title: String,
    /// What was done, in a sentence.
    pub text: String,
    /// Whether nobody said so, and it was put together from what the step did.
    pub is_inferred: bool,
}

/// What was chosen for a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chosen {
    /// By which strategy.
    pub strategy: Strategy,
    /// The most tokens it could take.
    pub budget: u32,
    /// The tokens it takes.
    pub used: u32,
    /// What, in the order in which it is sent.
    pub items: Vec<Item>,
    /// How many things were at hand and are not in it, not even in part.
    pub left_out: u32,
    /// The files that the attempt changes one by one, where it is carried out without tools.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<Target>,
}

/// A file that a step is to change, as it was when the attempt began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// Its workspace path.
    pub path: String,
    /// Its text; absent where the file is not there yet.
    pub text: Option<String>,
}

/// One thing that was chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// What it is.
    pub kind: ItemKind,
    /// As it is sent: whole lines, marks of others made harmless.
    pub text: String,
    /// Its tokens, the line end behind it included.
    pub tokens: u32,
    /// Why, as a sentence for the screen.
    pub reason: String,
}

/// What an item is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ItemKind {
    /// The result of a step that this one waits for.
    Summary {
        /// That step.
        task: String,
    },
    /// A note that a person pinned, or a decision that was taken.
    Note,
    /// Lines of a file, counted from 1; 0 and 0 for a file that is told of and not shown.
    File {
        /// Its path.
        path: String,
        /// The first line.
        from_line: u32,
        /// The last line.
        to_line: u32,
    },
    /// A file that is not there.
    Missing {
        /// The path that the step names.
        path: String,
    },
    /// Something learned earlier.
    Fact {
        /// Its number.
        id: i64,
    },
}

impl Chosen {
    /// The text that is sent; empty where nothing was chosen. Its tokens are at most `used`.
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

/// What a step asks for: the files that it names, and the words that tell what it is about.
pub fn wants(plan: &Plan, task: &Task) -> Wants {
    let asked = words::Asked::of(plan, task);
    Wants {
        files: words::files(plan, task),
        words: asked.own.into_iter().chain(asked.goal).collect(),
    }
}

/// Chooses what a step gets, in at most `budget` tokens. `summaries` are those of the steps that it
/// waits for.
pub fn select(
    plan: &Plan,
    task: &Task,
    summaries: &[Summary],
    material: &Material,
    strategy: Strategy,
    budget: u32,
) -> Chosen {
    let asked = words::Asked::of(plan, task);
    let pinned = pinned::of(plan, task, summaries, material);
    let mut left_out = pinned.len();
    let (mut items, is_whole) = fill::pinned(pinned, budget);
    left_out -= items.len();
    // What counts less never fills the room that something pinned was cut for: with a little more budget
    // it would have to go again.
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
    // Files leave a quarter to the facts, if there are as many: a large file is cut anyway, and a
    // fact says in a line what it would take a file to find out.
    let for_facts = all_facts.min(rest / 4);
    let shown = files::shown(&material.files, &asked, files.saturating_sub(for_facts));
    left_out += shown.left_out;
    // Where a file was cut the share of the facts stays what it was, so that more budget never takes a
    // fact away.
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

/// The groups that contain a task, nearest first.
pub(crate) fn groups_above<'p>(plan: &'p Plan, task: &Task) -> impl Iterator<Item = &'p Task> {
    let above = |at: Option<usize>| at.and_then(|at| plan.tasks.get(at));
    std::iter::successors(above(task.parent), move |group| above(group.parent))
}

/// The folder of a path.
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

//! The planners: a goal is read, and a plan is written for it from what is known of a workspace.
//!
//! [`intake`] reads the goal, [`context`] is what a survey of the workspace found, [`text`] tells
//! what a word is where it stands, [`indexing`] what a search over all files goes by, [`template`] holds the plans with parameters, and [`solve`]
//! puts them together. [`decision`] says what is tried for a goal, in which order and within which
//! budget. [`knowledge`] is what earlier runs left, asked for one goal. [`drafting`] is planning with a
//! model: what it is asked, and how its answer becomes a plan.
//!
//! **Architecture invariants.** Never does IO, knows no clock, no environment and no randomness:
//! the same goal, context, templates and answers give the same bytes. No model is asked here. A plan
//! never names a file that is not in the context, but for one that a step makes, and never holds an
//! edit of a text that the context does not hold.

pub mod context;
pub mod decision;
pub mod drafting;
pub mod indexing;
pub mod intake;
pub mod knowledge;
pub mod project;
mod solver;
pub mod template;
pub mod text;

pub use context::{Context, Known, Occurrence, Offered, Project, ProjectKind, is_enough, means};
pub use intake::{Intake, TaskType, detect};
pub use solver::{Draft, Route, concerned_files, solve};

/// Whether a word is one of a list that is written with blanks in between.
fn among(word: &str, words: &str) -> bool {
    words.split(' ').any(|known| known == word)
}

//! Planners, which read a goal and write a plan for it, based on what is known about the workspace.
//!
//! [`intake`] reads the goal, [`context`] holds the survey of the workspace, [`text`] classifies
//! each occurrence of a word, [`indexing`] supports search over all files, [`template`] holds
//! parameterized plans, and [`solve`] combines them into a plan. [`decision`] chooses which plugins
//! to try, in which order and within which budget. [`knowledge`] finds what earlier runs learned
//! that is relevant to a goal. [`drafting`] builds a model's prompts and turns its answer into a
//! plan. [`agent_plan`] has the prompts for other agents, and finds the plan in their messages.
//!
//! **Architecture invariants.** No IO, clock, environment or randomness: the same goal, context,
//! templates and answers give the same bytes. This crate never calls a model. A plan only names
//! files that are in the context or that one of its steps creates, and only edits text that is in
//! the context.

pub mod agent_plan;
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

pub use context::{Context, Known, Occurrence, Offered, Project, ProjectKind, means, sufficiency};
pub use intake::{Intake, TaskType, detect};
pub use solver::{Draft, Route, relevant_files, solve};

/// Whether `word` occurs in a space-separated list.
fn among(word: &str, words: &str) -> bool {
    words.split(' ').any(|known| known == word)
}

//! Parses and edits plans in Markdown.
//!
//! A plan is a Markdown file. This crate parses it ([`parse`]), answers questions about it
//! ([`graph`], [`coverage`]) and changes it by byte-range replacements ([`edit`]) that leave every
//! other byte alone. [`merge`] rebases an edit of an older revision onto a newer one.
//!
//! **Architecture invariants.** No IO, clock or randomness. Parsing never fails: broken input comes
//! back as `(Plan, Vec<Problem>)`. Nothing here re-serializes a plan; the only way to change one is
//! an [`edit::Splice`].

mod align;
pub mod call;
mod checkbox;
pub mod command;
pub mod companion;
pub mod coverage;
mod dialect;
pub mod diff;
pub mod edit;
mod fragment;
mod front;
pub mod graph;
mod id_syntax;
pub mod identity;
mod inline;
pub mod layout;
mod lines;
pub mod merge;
mod model;
mod named;
pub mod nearest;
mod parse;
mod reparse;
mod revision;
#[cfg(test)]
mod samples;
pub mod source;
pub mod tag_escape;
mod visible;
pub mod word_list;

pub use call::{CallError, ParamType, ToolCall, ToolName};
pub use command::{CommandLine, shell_word};
pub use model::{
    By, Call, ChoiceEffect, ChoiceOption, DecisionRecord, Dialect, Field, FrontMatter, IdOrigin,
    Mark, Plan, Problem, ProblemCode, Requirement, Span, Task, TaskId, TaskKind, Title,
};
pub use parse::parse;
pub use reparse::{difference, reparse};
pub use revision::Revision;
pub use visible::{escaped_json, is_active, is_invisible, visible, visible_line};

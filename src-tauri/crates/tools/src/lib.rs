//! Everything that touches a workspace: its files, file checkpoints and commands.
//!
//! A [`workspace`] is a capability: every path is resolved inside its handle, so neither `..`,
//! absolute paths, symbolic links nor races lead out of it. Built on it are a plan's file tools
//! ([`files`]), atomic replacement of a file ([`atomic`]), the app's own [`documents`], file
//! checkpoints with restore and undo ([`checkpoint`]), commands in a sandbox ([`sandbox`]), and the
//! survey that feeds the planner ([`survey`]). A [`fingerprint`] detects changes, [`git`] reads the
//! state of the repository, and [`watch`] reports changes on disk.
//!
//! This crate never asks a person, decides whether a call is allowed or writes a journal, and it
//! doesn't depend on the database, models or the window. Every function that writes, deletes, runs
//! or undoes takes a [`gate::Permit`] for exactly that and does nothing without it; only cleaning
//! up after an interrupted change needs none.

pub mod atomic;
pub mod checkpoint;
pub mod documents;
pub mod error;
pub mod files;
pub mod fingerprint;
pub mod git;
pub mod hash;
pub mod listing;
pub mod lock;
mod logins;
mod private;
mod protection;
pub mod sandbox;
pub mod survey;
mod walk;
pub mod watch;
pub mod workspace;

pub use error::ToolError;
pub use hash::ContentHash;
pub use workspace::Workspace;

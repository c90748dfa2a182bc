//! Everything that touches a workspace: its files, its history of file checkpoints, its commands.
//!
//! A workspace is held as a capability ([`workspace`]): every path is resolved inside that handle,
//! so neither `..`, an absolute path, a symbolic link nor a race leads out of it. On it stand the
//! file tools of a plan ([`files`]), atomic replacement of one file ([`atomic`]), the app's own
//! [`documents`], file checkpoints
//! with restore and undo ([`checkpoint`]), commands in a sandbox ([`sandbox`]) and the survey that
//! feeds the planner ([`survey`]); a [`fingerprint`] tells whether anything was changed. [`git`] says where the repository stands, [`watch`] what changes on
//! the disk.
//!
//! What this crate never does: ask a person, decide whether a call is allowed, write a journal, or
//! know a database, a model or a window. Whatever writes, deletes, runs or undoes takes a [`gate::Permit`]
//! for exactly that, and does nothing without it; what only tidies up after an interrupted change takes none.

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
mod private;
pub mod sandbox;
pub mod survey;
mod walk;
pub mod watch;
pub mod workspace;

pub use error::ToolError;
pub use hash::ContentHash;
pub use workspace::Workspace;

//! Support for the journeys: temporary homes and projects, fixtures, and running the real
//! `planwright` as a process.
//!
//! A journey acts as a user does: it writes files, runs the program, reads its output, and looks at
//! the disk. Nothing here touches the data, settings or Git identity of the user running the tests.
//! Everything lives in temporary folders that are removed on drop.
//!
//! ```no_run
//! use planwright_tests::{Home, fixtures};
//!
//! let home = Home::new();
//! let project = fixtures::python_report().git();
//! let before = project.snapshot();
//! let out = home.planwright(&project, ["plan", "Rename total to sum_rows", "--json"]);
//! let planned = out.expect(0).last_json();
//! project.snapshot().assert_same_as(&before, &[planned["path"].as_str().unwrap()]);
//! ```
#![allow(
    clippy::expect_used,
    reason = "a helper that cannot do its work must end the test"
)]
#![allow(
    clippy::print_stderr,
    reason = "a failing journey shows what the program printed"
)]

mod answers;
mod binary;
pub mod conversation;
pub mod evaluation;
pub mod fixtures;
mod home;
pub mod job;
pub mod model_server;
mod output;
mod project;
pub mod repository;
mod running;
pub mod scenarios;
pub mod simulator;
mod snapshot;
pub mod stage;
pub mod storm;
mod terminal;
#[cfg(test)]
mod tests;
pub mod transcript;
pub mod window;

pub use answers::Answers;
pub use binary::{desktop_binary, planwright_binary};
pub use home::Home;
pub use model_server::ModelServer;
pub use output::Output;
pub use project::Project;
pub use running::{PATIENCE, Running, processes_with, wait_until};
pub use snapshot::{Entry, Snapshot};
pub use terminal::AtTerminal;

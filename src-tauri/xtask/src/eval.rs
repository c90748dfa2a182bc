//! `cargo xtask eval`: prints the tables of the evaluation in the adequacy crate, and what was missed.
//!
//! The evaluation is a test target, so that what it promises is held by every run of the tests.

use std::path::Path;

use crate::process::{Failure, cargo, run as start};

/// Runs the evaluation with its output on the terminal.
pub(crate) fn run(root: &Path) -> Result<(), Failure> {
    let mut evaluation = cargo(root);
    evaluation.args([
        "test",
        "--quiet",
        "--locked",
        "--package=planwright-adequacy",
        "--test=evaluation",
        "--",
        "--nocapture",
        "--test-threads=1",
    ]);
    start(&mut evaluation)
}

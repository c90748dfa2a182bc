//! `cargo xtask bench`: builds the release program and hands it to the bench target `figures`.

use std::path::Path;
use std::process::ExitCode;

use crate::process::{Failure, build_release_planwright, cargo, run as start};

/// Builds, measures, prints; the exit code is 0 also over budget, unless `strict`.
pub(crate) fn run(root: &Path, strict: bool) -> ExitCode {
    match measure(root, strict) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

fn measure(root: &Path, strict: bool) -> Result<(), Failure> {
    let planwright = build_release_planwright(root)?;
    let mut figures = cargo(root);
    figures.args([
        "bench",
        "--quiet",
        "--locked",
        "--package=xtask",
        "--bench=figures",
        "--",
    ]);
    figures
        .args(strict.then_some("--strict"))
        .env("PLANWRIGHT_BENCH_BINARY", planwright);
    start(&mut figures)
}

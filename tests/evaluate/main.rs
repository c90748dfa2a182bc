//! `cargo xtask eval`: plays the scenarios with simulated weak models or a real one, and prints the
//! results. Writes a chart to `target/eval/`. Exits with 1 if an aim is missed; there are no aims
//! for a real model.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::expect_used,
    reason = "a program for the terminal reports here, and stops at what it did not expect"
)]

use std::path::PathBuf;
use std::process::ExitCode;

use planwright_tests::evaluation::aims::{aims, verdict};
use planwright_tests::evaluation::{Options, plot, print, run};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let options = match Options::read(&words) {
        Ok(options) => options,
        Err(mistake) => {
            eprintln!("{mistake}");
            return ExitCode::from(64);
        }
    };
    let table = run(&options);
    print!("{}", print::text(&table, &options));
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../target/eval");
    std::fs::create_dir_all(&folder).expect("a folder for the picture");
    let picture = folder.join("completion.svg");
    std::fs::write(&picture, plot::svg(&table)).expect("the picture is written");
    println!("The picture: target/eval/completion.svg");
    if options.json {
        println!("{}", print::json(&table, &options));
    }
    let aims = aims(&table);
    let verdict = verdict(&aims, &options);
    for aim in &verdict.missed {
        eprintln!("Not met: {}: {}", aim.what, aim.is);
    }
    match verdict.is_failed {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    }
}

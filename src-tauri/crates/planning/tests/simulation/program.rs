//! `cargo xtask eval --routing`: plays 1,000 requests in a simulated world with the decision layer
//! and prints the results next to those of cheap-first and the best fixed route. Writes the chart
//! to `target/eval/`.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a program for the terminal reports here, and stops at what it did not expect"
)]

mod play;
mod plot;
mod table;
mod world;

use std::path::PathBuf;
use std::process::ExitCode;

use play::Desk;
use table::Table;

/// Number of plays from which the oracle estimates the value of each order.
const PLAYS: u64 = 400;

/// Parses `--seeds N` and `--json`.
fn read(words: &[String]) -> Result<(u64, bool), String> {
    let (mut seeds, mut is_json) = (20, false);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--json" => is_json = true,
            "--seeds" => {
                let value = words.next().map(|value| value.parse());
                seeds = match value {
                    Some(Ok(seeds)) if seeds > 0 => seeds,
                    _ => return Err("--seeds needs a whole number, 1 or more".to_owned()),
                };
            }
            other => return Err(format!("eval --routing does not understand {other}")),
        }
    }
    Ok((seeds, is_json))
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (seeds, is_json) = match read(&words) {
        Ok(read) => read,
        Err(mistake) => {
            eprintln!("{mistake}");
            return ExitCode::from(64);
        }
    };
    let desk = Desk::new();
    let table = Table::of(&desk, seeds);
    let oracle = table.oracle(&desk, PLAYS);
    print!("{}", table.text(&oracle));
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../target/eval");
    std::fs::create_dir_all(&folder).expect("a folder for the picture");
    let picture = folder.join("routing.svg");
    std::fs::write(&picture, plot::svg(&table, &oracle)).expect("the picture is written");
    println!("\nThe picture: target/eval/routing.svg");
    if is_json {
        println!("{}", table.json(&oracle));
    }
    ExitCode::SUCCESS
}

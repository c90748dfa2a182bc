//! `cargo xtask soundness`.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for the terminal reports here"
)]

use std::process::ExitCode;
use std::time::Instant;

use soundness::play::{Storm, play};
use soundness::{Found, play_all};

/// Plans are read again and again.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Violating histories that are named.
const MOST_SHOWN: usize = 40;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |name: &str| {
        let at = words.iter().position(|word| word == name)?;
        words.get(at + 1)?.parse::<u64>().ok()
    };
    let histories = number("--histories").unwrap_or(100_000);
    let storm = match words.iter().any(|word| word == "--honest") {
        true => Storm::HONEST,
        false => Storm::ALL,
    };
    if let Some(seed) = number("--seed") {
        let outcome = play(seed, storm, true);
        println!("{}", outcome.transcript.join("\n"));
        return ExitCode::from(u8::from(!outcome.violations.is_empty()));
    }
    let start = Instant::now();
    let (counts, found) = play_all(
        number("--first").unwrap_or(0),
        histories,
        storm,
        words.iter().any(|w| w == "--stop"),
    );
    print!("{}", counts.text(start.elapsed().as_secs_f64()));
    for Found { seed, violations } in found.iter().take(MOST_SHOWN) {
        println!("seed {seed}: {}", violations.join("; "));
    }
    if let Some(Found { seed, .. }) = found.first() {
        println!("cargo xtask soundness --seed {seed} prints the history");
    }
    ExitCode::from(u8::from(!found.is_empty()))
}

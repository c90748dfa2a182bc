//! The program behind `cargo xtask soundness`.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "command-line output"
)]

use std::process::ExitCode;
use std::time::Instant;

use soundness::play::{Storm, play};
use soundness::{Found, play_all, real};

/// mimalloc, because plans are parsed so often that the speed of the allocator matters.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Maximum number of histories with violations to list.
const MAX_SHOWN: usize = 40;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |name: &str| {
        let at = words.iter().position(|word| word == name)?;
        words.get(at + 1)?.parse::<u64>().ok()
    };
    if words.iter().any(|word| word == "--real") {
        return play_real(number("--histories"), number("--first"), number("--seed"));
    }
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
    show(&found, "")
}

/// Lists the violations by seed.
fn show(found: &[Found], word: &str) -> ExitCode {
    for Found { seed, violations } in found.iter().take(MAX_SHOWN) {
        println!("seed {seed}: {}", violations.join("; "));
    }
    if let Some(Found { seed, .. }) = found.first() {
        println!("cargo xtask soundness {word}--seed {seed} prints the history");
    }
    ExitCode::from(u8::from(!found.is_empty()))
}

/// Plays histories with real processes, or only the one with this seed.
fn play_real(histories: Option<u64>, first: Option<u64>, seed: Option<u64>) -> ExitCode {
    let Some(program) = real::program() else {
        eprintln!("PLANWRIGHT_TEST_BINARY does not name the program to play with");
        return ExitCode::from(2);
    };
    if let Some(seed) = seed {
        let outcome = real::play::play(seed, &program, &mut None);
        println!("{}", outcome.transcript.join("\n"));
        return ExitCode::from(u8::from(!outcome.violations.is_empty()));
    }
    let start = Instant::now();
    let (counts, found) = real::play_all(&program, first.unwrap_or(0), histories.unwrap_or(500));
    print!("{}", counts.text(start.elapsed().as_secs_f64()));
    show(&found, "--real ")
}

//! The program behind `cargo xtask soundness --entrances`, also used as the process of a hook.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "command-line output"
)]

use std::process::ExitCode;
use std::time::Instant;

use entrances::{change_gate, hook, play, play_all};
use soundness::Found;

/// mimalloc, as in the program itself.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Maximum number of histories with violations to list.
const MAX_SHOWN: usize = 40;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.first().is_some_and(|word| word == hook::HOOK) {
        return match hook::main() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("{error}");
                ExitCode::FAILURE
            }
        };
    }
    let number = |name: &str| {
        let at = words.iter().position(|word| word == name)?;
        words.get(at + 1)?.parse::<u64>().ok()
    };
    let program = match std::env::current_exe() {
        Ok(program) => program,
        Err(error) => {
            eprintln!("can't find this program: {error}");
            return ExitCode::from(2);
        }
    };
    if let Some(seed) = number("--seed") {
        let outcome = play::play(seed, &program);
        let (_, transcript, wrong) = change_gate::play(seed);
        let lines = outcome.transcript.iter().chain(&transcript).chain(&wrong);
        lines.for_each(|line| println!("{line}"));
        let is_sound = outcome.violations.is_empty() && wrong.is_empty();
        return ExitCode::from(u8::from(!is_sound));
    }
    let start = Instant::now();
    let (counts, found) = play_all(
        &program,
        number("--first").unwrap_or(0),
        number("--histories").unwrap_or(2_000),
        words.iter().any(|word| word == "--stop"),
    );
    print!("{}", counts.text(start.elapsed().as_secs_f64()));
    for Found { seed, violations } in found.iter().take(MAX_SHOWN) {
        println!("seed {seed}: {}", violations.join("; "));
    }
    if let Some(Found { seed, .. }) = found.first() {
        println!("cargo xtask soundness --entrances --seed {seed} prints the history");
    }
    ExitCode::from(u8::from(!found.is_empty()))
}

//! The benchmarks behind the budgets, measured on the release build; run with `cargo xtask bench`.
//!
//! Each figure is a median. Where a figure depends on a library, the webview or the disk, a
//! baseline without Planwright is measured in the same run and the budget is a ratio. The exit code
//! is 0 even over budget, unless `--strict` is given, since a slow machine is not an error.
//! `--only=WORD` measures the groups whose name contains the word.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "command-line output"
)]

mod editing;
mod hook;
mod journal;
mod knowing;
mod painting;
mod planning;
mod reading;
mod stepping;
mod talking;
mod window;

use std::error::Error;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// mimalloc, as in the measured programs.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// One row of the table.
struct Figure {
    what: String,
    measured: String,
    budget: String,
    within: bool,
}

impl Figure {
    /// A row for a time compared with a limit.
    fn time(what: impl Into<String>, measured: Duration, limit: Duration) -> Self {
        Self {
            what: what.into(),
            measured: shown(measured),
            budget: format!("≤ {}", shown(limit)),
            within: measured <= limit,
        }
    }

    /// A row for a time compared with a multiple of another time from the same run.
    fn ratio(what: impl Into<String>, measured: Duration, bare: Duration, limit: f64) -> Self {
        let ratio = measured.as_secs_f64() / bare.as_secs_f64().max(f64::EPSILON);
        Self {
            what: what.into(),
            measured: format!("{ratio:.2} × ({} / {})", shown(measured), shown(bare)),
            budget: format!("≤ {limit} ×"),
            within: ratio <= limit,
        }
    }
}

fn main() -> ExitCode {
    // Sandboxed commands start this executable again as their helper process.
    if let Some(code) = workbench::become_helper_if_asked() {
        return code;
    }
    if let Some(played) = talking::play_if_asked() {
        return match played {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("{error}");
                ExitCode::FAILURE
            }
        };
    }
    // `cargo bench` also passes `--bench`.
    let strict = std::env::args().any(|argument| argument == "--strict");
    let only = std::env::args()
        .find_map(|argument| argument.strip_prefix("--only=").map(str::to_owned))
        .unwrap_or_default();
    let mut figures = Vec::new();
    let mut broken = false;
    for (name, measure) in [
        (
            "reading",
            reading::measure as fn() -> Result<Vec<Figure>, Box<dyn Error>>,
        ),
        ("editing", editing::measure),
        ("planning", planning::measure),
        ("journal", journal::measure),
        ("knowing", knowing::measure),
        ("talking", talking::measure),
        ("window", window::measure),
        ("painting", painting::measure),
        ("hook", hook::measure),
    ] {
        if !name.contains(&only) {
            continue;
        }
        match measure() {
            Ok(more) => figures.extend(more),
            Err(error) => {
                broken = true;
                eprintln!("couldn't measure {name}: {error}");
            }
        }
    }
    println!(
        "{:<52} {:<34} {:<10} verdict",
        "figure", "measured", "budget"
    );
    for Figure {
        what,
        measured,
        budget,
        within,
    } in &figures
    {
        let verdict = if *within { "ok" } else { "OVER" };
        println!("{what:<52} {measured:<34} {budget:<10} {verdict}");
    }
    let over = figures.iter().any(|figure| !figure.within);
    if broken || (strict && over) {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

/// The median time of `runs` calls, after one warm-up call.
fn median<T>(runs: usize, mut work: impl FnMut() -> T) -> Duration {
    std::hint::black_box(work());
    let times = (0..runs).map(|_| {
        let start = Instant::now();
        let answer = std::hint::black_box(work());
        let took = start.elapsed();
        // Dropping the answer isn't measured, because the program does it later, on another thread.
        drop(answer);
        took
    });
    middle(times.collect())
}

fn middle(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn shown(time: Duration) -> String {
    let micros = time.as_secs_f64() * 1e6;
    if micros < 1_000.0 {
        format!("{micros:.0} µs")
    } else {
        format!("{:.1} ms", micros / 1e3)
    }
}

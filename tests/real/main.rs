//! `cargo xtask eval --real`: thirty single-action steps, carried out by small real models on a
//! llama.cpp server, with and without each kind of support. Prints the results as a table.
//!
//! There are no required results, and this isn't part of the tests, because it downloads weights
//! and a real model's results vary.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::expect_used,
    reason = "a program for the terminal reports here, and stops at what it did not expect"
)]

mod other;
mod play;
mod server;
mod steps;

use std::path::Path;
use std::process::ExitCode;

use planwright_tests::evaluation::Place;

use play::Try;
use steps::{Act, STEPS, Step};

/// The rows of the table: the name of the support that is switched off, and the profile values that
/// do this.
const ROWS: [(&str, &[&str]); 6] = [
    ("all helps", &[]),
    ("no choices", &["changeForms=no_choices"]),
    ("no blocks", &["changeForms=no_blocks"]),
    ("no other form", &["changeForms=free"]),
    ("schema alone", &["changeForms=off"]),
    ("no schema", &["supportsStructuredOutput=false"]),
];

struct Words {
    samples: usize,
    rows: usize,
    act: Option<String>,
    model: Option<String>,
    base_url: Option<String>,
    beside: bool,
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(mistake) => {
            eprintln!("{mistake}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let words = read()?;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/eval/real");
    std::fs::create_dir_all(&folder).map_err(|error| format!("no folder for it: {error}"))?;
    if let Some(base_url) = &words.base_url {
        let model = words
            .model
            .clone()
            .ok_or("--base-url needs --model beside it")?;
        let base_url = base_url.clone();
        return table(&Place { base_url, model }, &words, &folder);
    }
    let named = |weights: &&server::Weights| {
        let wanted = words.model.as_ref();
        wanted.is_none_or(|wanted| weights.name.to_lowercase().contains(&wanted.to_lowercase()))
    };
    let mut any = false;
    for weights in server::ALL.iter().filter(named) {
        any = true;
        let server = server::start(&folder, weights)?;
        table(&server.place, &words, &folder)?;
    }
    match any {
        true => Ok(()),
        false => Err(
            "there is no such model; there are SmolLM2-135M-Instruct and gemma-3-270m".to_owned(),
        ),
    }
}

fn read() -> Result<Words, String> {
    let mut words = Words {
        samples: 3,
        rows: ROWS.len(),
        act: None,
        model: None,
        base_url: None,
        beside: false,
    };
    let mut all = std::env::args().skip(1);
    while let Some(word) = all.next() {
        let mut value = || all.next().ok_or_else(|| format!("{word} needs a value"));
        match word.as_str() {
            "--samples" => {
                let samples = value()?.parse();
                words.samples = samples.map_err(|_| "--samples is a whole number")?;
            }
            "--only-main" => words.rows = 1,
            "--act" => words.act = Some(value()?),
            "--model" => words.model = Some(value()?),
            "--beside" if value()? == "nanocoder" => words.beside = true,
            "--beside" => return Err("--beside knows nanocoder".to_owned()),
            "--base-url" => words.base_url = Some(value()?),
            other => return Err(format!("eval --real does not understand {other}")),
        }
    }
    Ok(words)
}

/// Plays all rows with one model, printing each as soon as it is finished.
fn table(place: &Place, words: &Words, folder: &Path) -> Result<(), String> {
    println!("{} at {}", place.model, place.base_url);
    let acts: Vec<Act> = Act::ALL
        .into_iter()
        .filter(|act| {
            words
                .act
                .as_deref()
                .is_none_or(|wanted| wanted == act.as_str())
        })
        .collect();
    let names: Vec<String> = acts
        .iter()
        .map(|act| format!("{:>9}", act.as_str()))
        .collect();
    println!(
        "{:14}{}      all  usable  false done  first  replies  seconds  largest",
        "done, right",
        names.concat()
    );
    for (name, overruled) in &ROWS[..words.rows] {
        let home = play::home(place, overruled);
        row(name, &acts, words.samples, |step| play::play(&home, step));
    }
    if words.beside {
        let other = other::Other::nanocoder(folder, place)?;
        row("nanocoder", &acts, words.samples, |step| other.play(step));
    }
    println!();
    Ok(())
}

/// Plays the steps that have one of these acts, and prints the results.
fn row(name: &str, acts: &[Act], samples: usize, play: impl Fn(&Step) -> Try) {
    let mut all: Vec<(Act, Try)> = Vec::new();
    let mut lied: Vec<&str> = Vec::new();
    for step in STEPS.iter().filter(|step| acts.contains(&step.act)) {
        for _ in 0..samples {
            let one = play(step);
            if one.is_done && !one.is_right {
                lied.push(step.title);
            }
            all.push((step.act, one));
        }
    }
    println!("{}", line(name, acts, &all));
    for title in lied {
        println!("  false done: {title}");
    }
}

fn line(name: &str, acts: &[Act], all: &[(Act, Try)]) -> String {
    let good = |tries: &[&Try]| {
        tries
            .iter()
            .filter(|one| one.is_done && one.is_right)
            .count()
    };
    let shares: Vec<String> = acts
        .iter()
        .map(|act| {
            let own = all.iter().filter(|(of, _)| of == act).map(|(_, one)| one);
            let own: Vec<&Try> = own.collect();
            format!("{:>9}", format!("{}/{}", good(&own), own.len()))
        })
        .collect();
    let tries: Vec<&Try> = all.iter().map(|(_, one)| one).collect();
    let sum = |of: fn(&Try) -> u32| tries.iter().map(|one| of(one)).sum::<u32>();
    let (usable, replies) = (sum(|one| one.usable), sum(|one| one.replies));
    let percent = f64::from(usable) * 100.0 / f64::from(replies.max(1));
    let seconds: f64 = tries.iter().map(|one| one.seconds).sum();
    format!(
        "{name:14}{}{:>9}{:>7}%{:>12}{:>7}{:>9}{:>9.0}{:>9}",
        shares.concat(),
        format!("{}/{}", good(&tries), tries.len()),
        format!("{percent:.0}"),
        tries
            .iter()
            .filter(|one| one.is_done && !one.is_right)
            .count(),
        tries.iter().filter(|one| one.at_first).count(),
        replies,
        seconds,
        tries
            .iter()
            .map(|one| one.largest)
            .max()
            .unwrap_or_default(),
    )
}

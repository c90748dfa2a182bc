//! `cargo xtask eval --careless`: plans of small steps, carried out by the real program with a
//! simulated model that makes content mistakes. Prints the results as a table, and every job
//! falsely reported as done.
//!
//! Doesn't use the simulator of the other evaluation. Exits with 1 if anything is falsely reported
//! as done or too few jobs are completed.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::expect_used,
    reason = "a program for the terminal reports here, and stops at what it did not expect"
)]

mod form;
mod jobs;
mod model;
mod play;
mod talk;

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use planwright_tests::evaluation::Rate;
use planwright_tests::evaluation::statistics::as_f64;

use model::{Fault, Made};
use play::{End, Person, Profile, Terms, Trial};

/// Number of trials that run in parallel.
const AT_ONCE: usize = 2;

struct Words {
    trials: usize,
    first: u64,
    rates: Vec<u64>,
    steps: Vec<usize>,
    profiles: Vec<Profile>,
    persons: Vec<Person>,
    keep: bool,
}

fn main() -> ExitCode {
    let words = match read() {
        Ok(words) => words,
        Err(mistake) => {
            eprintln!("{mistake}");
            return ExitCode::FAILURE;
        }
    };
    let mut is_fine = true;
    println!(
        "{:36}completed                    false done  asked  failed  requests/step  seconds",
        "profile, steps, rate, person"
    );
    for profile in &words.profiles {
        for steps in &words.steps {
            for rate in &words.rates {
                for person in &words.persons {
                    let terms = Terms {
                        seed: words.first,
                        steps: *steps,
                        rate: *rate,
                        profile: *profile,
                        person: *person,
                    };
                    is_fine &= report(terms, &trials(&words, terms));
                }
            }
        }
    }
    match is_fine {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

fn read() -> Result<Words, String> {
    let mut words = Words {
        trials: 20,
        first: 1,
        rates: Vec::new(),
        steps: Vec::new(),
        profiles: Vec::new(),
        persons: Vec::new(),
        keep: false,
    };
    let mut all = std::env::args().skip(1);
    while let Some(word) = all.next() {
        let mut value = || all.next().ok_or_else(|| format!("{word} needs a value"));
        let number = |text: String| {
            text.parse()
                .map_err(|_| format!("{text} is no whole number"))
        };
        match word.as_str() {
            "--trials" => words.trials = number(value()?)?,
            "--first" => words.first = u64::try_from(number(value()?)?).unwrap_or(1),
            "--rate" => words
                .rates
                .push(u64::try_from(number(value()?)?).unwrap_or(100)),
            "--steps" => words.steps.push(number(value()?)?),
            "--profile" => {
                let name = value()?;
                let mut known = Profile::ALL.into_iter();
                let profile = known.find(|profile| profile.as_str() == name);
                words
                    .profiles
                    .push(profile.ok_or("--profile is weak, strong or words")?);
            }
            "--person" => {
                let name = value()?;
                let mut known = Person::ALL.into_iter();
                let person = known.find(|person| person.as_str() == name);
                words
                    .persons
                    .push(person.ok_or("--person is silent, refusing or knowing")?);
            }
            "--keep" => words.keep = true,
            other => return Err(format!("eval --careless does not understand {other}")),
        }
    }
    if words.rates.is_empty() {
        words.rates = vec![15, 30];
    }
    if words.steps.is_empty() {
        words.steps = vec![7, 14];
    }
    if words.profiles.is_empty() {
        words.profiles = vec![Profile::Weak, Profile::Strong];
    }
    if words.persons.is_empty() {
        words.persons = vec![Person::Silent, Person::Refusing];
    }
    Ok(words)
}

/// Plays trials with consecutive seeds, starting with the seed of `terms`.
fn trials(words: &Words, terms: Terms) -> Vec<Trial> {
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= words.trials {
                        return;
                    }
                    let seed = terms.seed + u64::try_from(at).unwrap_or_default();
                    let trial = play::play(Terms { seed, ..terms }, words.keep);
                    found
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .push(trial);
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_by_key(|trial| trial.terms.seed);
    found
}

/// Prints one row of the table and its details; returns whether the row meets the requirements.
fn report(terms: Terms, trials: &[Trial]) -> bool {
    let Terms {
        steps,
        rate,
        profile,
        person,
        ..
    } = terms;
    let of = |end: End| Rate::of(trials, |trial| trial.end == end);
    let completed = of(End::Completed);
    let requests: usize = trials.iter().map(|trial| trial.requests).sum();
    let seconds: f64 = trials.iter().map(|trial| trial.seconds).sum();
    println!(
        "{:36}{:31}{:>8}{:>7}{:>8}{:>15.2}{:>9.1}",
        format!(
            "{}, {steps} steps, {rate} %, {}",
            profile.as_str(),
            person.as_str()
        ),
        completed.to_string(),
        of(End::FalseDone).hits,
        of(End::Asked).hits,
        of(End::Failed).hits,
        as_f64(requests) / as_f64((trials.len() * steps).max(1)),
        seconds / as_f64(trials.len().max(1)),
    );
    let counts = Fault::ALL.map(|fault| {
        let of = |trial: &Trial| trial.made.iter().filter(|made| made.fault == fault).count();
        let all: usize = trials.iter().map(of).sum();
        let slipped = trials.iter().flat_map(slipped);
        let slipped = slipped.filter(|made| made.fault == fault).count();
        format!("{} {}/{all}", fault.as_str(), all.saturating_sub(slipped))
    });
    println!("  caught: {}", counts.join(", "));
    let mut asked: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for trial in trials
        .iter()
        .filter(|trial| matches!(trial.end, End::Asked | End::Failed))
    {
        let last = trial
            .made
            .last()
            .map_or("no fault", |made| made.fault.as_str());
        *asked.entry((trial.asked_for.as_str(), last)).or_default() += 1;
    }
    let asked: Vec<String> = asked
        .iter()
        .map(|((what, fault), count)| format!("{count} × {what} after {fault}"))
        .collect();
    println!("  asked: {}", asked.join(", "));
    for trial in trials.iter().filter(|trial| trial.end != End::Completed) {
        let kept = trial
            .kept
            .as_ref()
            .map(|path| path.display().to_string())
            .unwrap_or_default();
        println!(
            "  {:?} (exit {}), seed {}: {kept}",
            trial.end, trial.status, trial.terms.seed
        );
        if trial.end == End::FalseDone {
            let mut by_step: BTreeMap<Option<usize>, Vec<&str>> = BTreeMap::new();
            for (step, why) in &trial.refuted {
                by_step.entry(*step).or_default().push(why);
            }
            for (step, whys) in by_step {
                let why: String = whys.join("; ").chars().take(300).collect();
                println!("    {}: {why}", step_words(trial, step));
            }
        } else {
            let said: String = trial.said.chars().take(300).collect();
            let last = trial.made.last().map_or("none", |made| made.fault.as_str());
            println!("    {}, last fault: {last}: {said}", trial.asked_for);
        }
    }
    let least = match rate {
        0..=15 => 0.97,
        16..=30 => 0.92,
        _ => 0.0,
    };
    of(End::FalseDone).hits == 0 && completed.share().is_none_or(|share| share >= least)
}

/// The mistakes behind a trial falsely reported as done: for each file in which the outside check
/// finds errors, the last mistake.
fn slipped(trial: &Trial) -> Vec<&Made> {
    if trial.end != End::FalseDone {
        return Vec::new();
    }
    let file_of = |step: usize| trial.job.steps[step].file.as_str();
    let files: BTreeSet<&str> = trial
        .refuted
        .iter()
        .filter_map(|(step, _)| step.map(file_of))
        .collect();
    let last = |file: &&str| {
        let mut made = trial.made.iter().rev();
        made.find(|made| file_of(made.step) == *file)
    };
    files.iter().filter_map(last).collect()
}

/// Describes a step and the mistakes made in its file, to show what caused an error.
fn step_words(trial: &Trial, step: Option<usize>) -> String {
    let Some(at) = step else {
        return "no step".to_owned();
    };
    let step = &trial.job.steps[at];
    // A mistake in another step can break this one if both change the same file.
    let same = |made: &&Made| trial.job.steps[made.step].file == step.file;
    let own = trial.made.iter().filter(same);
    let faults: Vec<String> = own
        .map(|made| {
            format!(
                "{} in turn {} of T{}",
                made.fault.as_str(),
                made.turn,
                made.step + 1
            )
        })
        .collect();
    let verify = if step.verify.is_some() {
        "checked"
    } else {
        "no check"
    };
    format!(
        "T{} {} ({verify}), {}; faults: {}",
        at + 1,
        step.kind,
        step.title,
        faults.join(", ")
    )
}

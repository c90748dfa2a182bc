//! Runs named steps in order, times each, and prints a summary table.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::process::Failure;

/// The steps selected on the command line.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Selection {
    keep_going: bool,
    only: Vec<String>,
    /// Whether to skip everything that needs windows, built programs or set-up.
    pub(crate) is_fast: bool,
}

impl Selection {
    /// Parses `--fast`, `--keep-going` and `--only STEP`.
    pub(crate) fn read(words: &[&str]) -> Result<Self, String> {
        let mut selection = Self::default();
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            match word {
                "--fast" => selection.is_fast = true,
                "--keep-going" => selection.keep_going = true,
                "--only" => match words.next() {
                    Some(&step) => selection.only.push(step.to_owned()),
                    None => return Err("--only requires a step name".to_owned()),
                },
                other => return Err(format!("unknown option: {other}")),
            }
        }
        Ok(selection)
    }
}

/// A step: its name in the table, and the function that runs it.
pub(crate) type Step<'a> = (&'static str, Box<dyn FnMut() -> Result<(), Failure> + 'a>);

enum Verdict {
    Passed(Duration),
    Failed(Duration),
    NotRun,
}

/// Runs the steps. The exit code is 0 only if every selected step passed.
pub(crate) fn run(steps: Vec<Step<'_>>, selection: &Selection) -> ExitCode {
    let names: Vec<_> = steps.iter().map(|(name, _)| *name).collect();
    if let Some(unknown) = selection
        .only
        .iter()
        .find(|step| !names.contains(&step.as_str()))
    {
        eprintln!(
            "no such step: `{unknown}`; available steps: {}",
            names.join(", ")
        );
        return ExitCode::from(64);
    }
    let mut table = Vec::new();
    let mut failed = false;
    for (name, mut work) in steps {
        if !selection.only.is_empty() && !selection.only.iter().any(|step| step == name) {
            continue;
        }
        if failed && !selection.keep_going {
            table.push((name, Verdict::NotRun));
            continue;
        }
        println!("── {name}");
        let start = Instant::now();
        let verdict = match work() {
            Ok(()) => Verdict::Passed(start.elapsed()),
            Err(failure) => {
                failed = true;
                eprintln!("{failure}");
                Verdict::Failed(start.elapsed())
            }
        };
        table.push((name, verdict));
    }
    println!();
    for (name, verdict) in &table {
        println!("{}", row(name, verdict));
    }
    if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

fn row(name: &str, verdict: &Verdict) -> String {
    match verdict {
        Verdict::Passed(time) => format!("{name:<12} ok      {:>7.1} s", time.as_secs_f64()),
        Verdict::Failed(time) => format!("{name:<12} FAILED  {:>7.1} s", time.as_secs_f64()),
        Verdict::NotRun => format!("{name:<12} not run"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Selection, Step, run};
    use crate::process::Failure;
    use std::cell::RefCell;
    use std::process::ExitCode;

    fn play(words: &[&str]) -> (ExitCode, Vec<&'static str>) {
        let ran = RefCell::new(Vec::new());
        let step = |name: &'static str, result: Result<(), Failure>| -> Step<'_> {
            let ran = &ran;
            (
                name,
                Box::new(move || {
                    ran.borrow_mut().push(name);
                    result.clone()
                }),
            )
        };
        let steps = vec![
            step("first", Ok(())),
            step("second", Err(Failure::one("second is broken"))),
            step("third", Ok(())),
        ];
        let code = run(steps, &Selection::read(words).unwrap());
        (code, ran.into_inner())
    }

    #[test]
    fn stops_at_the_first_failure() {
        assert_eq!(play(&[]), (ExitCode::FAILURE, vec!["first", "second"]));
    }

    #[test]
    fn keep_going_runs_the_rest_and_still_fails() {
        assert_eq!(
            play(&["--keep-going"]),
            (ExitCode::FAILURE, vec!["first", "second", "third"])
        );
    }

    #[test]
    fn only_runs_the_named_steps() {
        assert_eq!(
            play(&["--only", "third"]),
            (ExitCode::SUCCESS, vec!["third"])
        );
    }

    #[test]
    fn a_misspelt_step_is_a_usage_error_and_runs_nothing() {
        assert_eq!(play(&["--only", "thrid"]), (ExitCode::from(64), vec![]));
    }

    #[test]
    fn unknown_words_are_refused() {
        assert!(Selection::read(&["--faster"]).is_err());
        assert!(Selection::read(&["--fast"]).is_ok_and(|selection| selection.is_fast));
        assert!(Selection::read(&["--only"]).is_err());
    }
}

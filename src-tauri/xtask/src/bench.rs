//! `cargo xtask bench`: builds the release programs and runs the bench target `figures` on a
//! virtual display. Builds only what the selected groups need.

use std::path::Path;
use std::process::ExitCode;

use crate::process::{
    Failure, build_release_planwright, build_release_windows, cargo, run as start,
};
use crate::setup::{self, Purpose};
use crate::{display, ui};

/// A group of benchmarks and the built programs that it needs.
struct Group {
    name: &'static str,
    needs_terminal: bool,
    needs_window: bool,
}

/// All groups, by their names in the bench target.
const GROUPS: [Group; 9] = [
    Group::of("reading", false, false),
    Group::of("editing", false, false),
    Group::of("planning", true, false),
    Group::of("journal", false, false),
    Group::of("knowing", false, false),
    Group::of("talking", true, false),
    Group::of("window", false, true),
    Group::of("painting", true, true),
    Group::of("hook", true, true),
];

impl Group {
    const fn of(name: &'static str, needs_terminal: bool, needs_window: bool) -> Self {
        Self {
            name,
            needs_terminal,
            needs_window,
        }
    }
}

/// The groups to run.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Selection {
    /// Whether to fail if a budget is exceeded.
    strict: bool,
    /// Runs only groups whose name contains this; `None` runs all.
    only: Option<String>,
}

impl Selection {
    /// Parses the arguments after `bench`.
    ///
    /// # Errors
    /// If an argument is unknown or matches no group.
    pub(crate) fn read(words: &[&str]) -> Result<Self, String> {
        let mut selection = Self::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match *word {
                "--strict" => selection.strict = true,
                "--only" => {
                    let only = words.next().ok_or("--only requires a group name")?;
                    selection.only = Some((*only).to_owned());
                }
                other => return Err(format!("unknown option: {other}")),
            }
        }
        if selection.groups().next().is_none() {
            let names = GROUPS.map(|group| group.name).join(", ");
            return Err(format!("no matching group; available groups: {names}"));
        }
        Ok(selection)
    }

    fn groups(&self) -> impl Iterator<Item = &'static Group> {
        let only = self.only.as_deref().unwrap_or_default();
        GROUPS.iter().filter(move |group| group.name.contains(only))
    }
}

/// Builds, measures and prints. The exit code is 0 even over budget, unless `strict` is set.
pub(crate) fn run(root: &Path, selection: &Selection) -> ExitCode {
    match measure(root, selection) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

fn measure(root: &Path, selection: &Selection) -> Result<(), Failure> {
    let needs_window = selection.groups().any(|group| group.needs_window);
    let needs_terminal = selection.groups().any(|group| group.needs_terminal);
    let mut figures = cargo(root);
    figures.args([
        "bench",
        "--quiet",
        "--locked",
        "--package=xtask",
        "--bench=figures",
        "--",
    ]);
    figures.args(selection.strict.then_some("--strict"));
    let only = selection.only.iter().map(|only| format!("--only={only}"));
    figures.args(only);
    if needs_window {
        setup::run(root, Purpose::Test)?;
        ui::build(root)?;
    }
    if needs_terminal {
        let planwright = build_release_planwright(root)?;
        figures
            .env("PLANWRIGHT_BENCH_BINARY", &planwright)
            .env("PLANWRIGHT_TEST_BINARY", &planwright);
    }
    if !needs_window {
        return start(&mut figures);
    }
    let (desktop, bare) = build_release_windows(root)?;
    figures
        .env("PLANWRIGHT_BENCH_DESKTOP", &desktop)
        .env("PLANWRIGHT_TEST_DESKTOP", &desktop)
        .env("PLANWRIGHT_BENCH_BARE", bare);
    let display = display::Virtual::start(root)?;
    start(&mut display::on(&display, root, &figures))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_asked_for_is_measured() -> Result<(), String> {
        let names = |words: &[&str]| -> Result<Vec<&str>, String> {
            let selection = Selection::read(words)?;
            Ok(selection.groups().map(|group| group.name).collect())
        };
        assert_eq!(names(&[])?.len(), GROUPS.len());
        assert_eq!(names(&["--only", "edit"])?, ["editing"]);
        assert_eq!(names(&["--strict", "--only", "window"])?, ["window"]);
        assert!(names(&["--only", "nothing"]).is_err());
        assert!(names(&["--only"]).is_err());
        assert!(names(&["edit"]).is_err());
        Ok(())
    }
}

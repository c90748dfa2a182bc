//! `cargo xtask soundness`: checks random run histories against an independent oracle and prints a
//! table. With mutants, checks that the oracle can fail.
//!
//! For mutants, the crates that make up a run are copied, and every hole listed in [`mutants`] is
//! inserted into the copy behind a switch. The copy is built once, and histories are played with
//! one hole open at a time. Each hole must be found; with none open, nothing may be found.

mod mutants;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::process::{Failure, cargo, run as start};
use mutants::{MUTANTS, Mutant};

/// The histories to play.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Selection<'a> {
    /// Histories of the unmodified run machine; the program parses these arguments.
    Histories(&'a [&'a str]),
    /// Histories played with the real program; the program parses these arguments.
    Real(&'a [&'a str]),
    /// The mutant with this name; `None` for all mutants.
    Mutants(Option<&'a str>),
}

impl<'a> Selection<'a> {
    /// Parses the arguments after `soundness`.
    ///
    /// # Errors
    /// If the named mutant does not exist.
    pub(crate) fn read(words: &'a [&'a str]) -> Result<Self, String> {
        match words {
            ["--mutants"] => Ok(Self::Mutants(None)),
            ["--mutant", name] if MUTANTS.iter().any(|mutant| mutant.name == *name) => {
                Ok(Self::Mutants(Some(name)))
            }
            ["--mutant", name] => {
                let names: Vec<&str> = MUTANTS.iter().map(|mutant| mutant.name).collect();
                Err(format!(
                    "no such mutant: {name}; available mutants: {}",
                    names.join(", ")
                ))
            }
            words if words.contains(&"--real") => Ok(Self::Real(words)),
            words => Ok(Self::Histories(words)),
        }
    }
}

/// Plays the selection and prints to the terminal.
pub(crate) fn run(root: &Path, selection: &Selection<'_>) -> Result<(), Failure> {
    match selection {
        Selection::Histories(words) => start(&mut histories(root, words)),
        Selection::Real(words) => {
            let mut building = cargo(root);
            building.args(["build", "--quiet", "--locked", "--release"]);
            start(building.arg("--package=planwright-cli"))?;
            let program = target(root).join("release/planwright");
            start(histories(root, words).env("PLANWRIGHT_TEST_BINARY", program))
        }
        Selection::Mutants(name) => {
            let program = build(root)?;
            play_mutants(&program, *name)
        }
    }
}

/// The command that plays histories.
fn histories(root: &Path, words: &[&str]) -> Command {
    let mut histories = cargo(root);
    histories.args(["run", "--quiet", "--locked", "--release"]);
    histories.args(["--package=planwright-soundness", "--"]);
    histories.args(words);
    histories
}

/// Cargo's target folder.
fn target(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from)
}

/// The crates that make up a run. No others are copied.
const CRATES: [&str; 5] = [
    "src-tauri/crates/plan",
    "src-tauri/crates/gate",
    "src-tauri/crates/adequacy",
    "src-tauri/crates/agent",
    "tests/soundness",
];

/// Code added to the copy to check whether a hole is open.
const SWITCH: &str = "
/// Which hole is open.
pub mod mutant {
    use std::sync::OnceLock;

    static NAME: OnceLock<Option<String>> = OnceLock::new();

    /// Whether it is this one.
    pub fn is(name: &str) -> bool {
        let open = NAME.get_or_init(|| std::env::var(\"SOUNDNESS_MUTANT\").ok());
        open.as_deref() == Some(name)
    }
}
";

/// Copies the crates, inserts the holes and builds the result.
fn build(root: &Path) -> Result<PathBuf, Failure> {
    let copy = root.join("target/soundness-mutants");
    let failed = |error: std::io::Error| Failure::one(format!("can't copy the sources: {error}"));
    if copy.exists() {
        fs::remove_dir_all(&copy).map_err(failed)?;
    }
    for name in CRATES {
        copy_folder(&root.join(name), &copy.join(name)).map_err(failed)?;
    }
    fs::copy(root.join("Cargo.lock"), copy.join("Cargo.lock")).map_err(failed)?;
    let manifest = fs::read_to_string(root.join("Cargo.toml")).map_err(failed)?;
    fs::write(copy.join("Cargo.toml"), of_copy(&manifest)).map_err(failed)?;
    change(&copy.join("src-tauri/crates/plan/src/lib.rs"), |text| {
        Ok(format!("{text}{SWITCH}"))
    })?;
    // A different name, so that it isn't mistaken for the unmodified program.
    change(&copy.join("tests/soundness/Cargo.toml"), |text| {
        Ok(text.replace(
            "name = \"soundness\"\npath = \"src/main.rs\"",
            "name = \"soundness-mutant\"\npath = \"src/main.rs\"",
        ))
    })?;
    for mutant in MUTANTS {
        change(&copy.join(mutant.file), |text| mutant.put_into(text))?;
    }
    let folder = target(root);
    let mut building = cargo(&copy);
    building.args([
        "build",
        "--offline",
        "--quiet",
        "--package=planwright-soundness",
    ]);
    // Uses the profile for which the tests have already built the third-party crates.
    building
        .env("CARGO_PROFILE_DEV_OPT_LEVEL", "1")
        .env("CARGO_TARGET_DIR", &folder);
    building.env("RUSTFLAGS", "-Awarnings");
    start(&mut building)?;
    Ok(folder.join("debug/soundness-mutant"))
}

/// The workspace manifest, reduced to the members that were copied.
fn of_copy(manifest: &str) -> String {
    let is_kept = |line: &&str| {
        let path = line
            .trim()
            .strip_prefix('"')
            .and_then(|line| line.split('"').next());
        let is_member =
            path.is_some_and(|path| path.starts_with("src-tauri") || path.starts_with("tests"));
        !is_member || path.is_some_and(|path| CRATES.contains(&path))
    };
    manifest
        .lines()
        .filter(is_kept)
        .map(|line| format!("{line}\n"))
        .collect()
}

fn copy_folder(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy_folder(&entry.path(), &target)?,
            false => drop(fs::copy(entry.path(), target)?),
        }
    }
    Ok(())
}

fn change(file: &Path, by: impl FnOnce(&str) -> Result<String, String>) -> Result<(), Failure> {
    let failed = |error: String| Failure::one(format!("{}: {error}", file.display()));
    let text = fs::read_to_string(file).map_err(|error| failed(error.to_string()))?;
    let text = by(&text).map_err(failed)?;
    fs::write(file, text).map_err(|error| failed(error.to_string()))
}

impl Mutant {
    /// The source text with this hole inserted behind its switch.
    fn put_into(&self, text: &str) -> Result<String, String> {
        if text.matches(self.old).count() != 1 {
            return Err(format!(
                "`{}` must occur exactly once; fix the mutant {} in xtask/src/soundness/mutants.rs",
                self.old, self.name
            ));
        }
        let switch = format!("::plan::mutant::is({:?})", self.name);
        Ok(text.replacen(self.old, &self.new.replace("OPEN", &switch), 1))
    }
}

/// Number of histories after which a hole counts as not found.
const HISTORIES: &str = "20000";
/// Number of histories to play with no hole open; the oracle must accept all of them.
const CONTROL: &str = "2000";

fn play_mutants(program: &Path, only: Option<&str>) -> Result<(), Failure> {
    let mut missed = Vec::new();
    let control = Command::new(program)
        .args(["--histories", CONTROL, "--stop"])
        .env_remove("SOUNDNESS_MUTANT")
        .output();
    match control {
        Ok(control) if control.status.success() => {}
        _ => missed.push("the oracle rejected a history with no mutant".to_owned()),
    }
    println!(
        "{:<28} {:<10} {:>8}  first failure",
        "mutant", "finding", "seconds"
    );
    for mutant in MUTANTS
        .iter()
        .filter(|mutant| only.is_none_or(|name| name == mutant.name))
    {
        let begun = Instant::now();
        let played = Command::new(program)
            .args(["--histories", HISTORIES, "--stop"])
            .env("SOUNDNESS_MUTANT", mutant.name)
            .output();
        let played =
            played.map_err(|error| Failure::one(format!("couldn't run the mutants: {error}")))?;
        let said = String::from_utf8_lossy(&played.stdout);
        let found = said
            .lines()
            .find(|line| line.starts_with("seed "))
            .filter(|_| played.status.code() == Some(1));
        if found.is_none() {
            missed.push(format!(
                "mutant {} ({}) was not detected",
                mutant.name, mutant.finding
            ));
        }
        let short: String = found.unwrap_or("NOT DETECTED").chars().take(120).collect();
        let seconds = begun.elapsed().as_secs_f64();
        println!(
            "{:<28} {:<10} {seconds:>8.1}  {short}",
            mutant.name, mutant.finding
        );
    }
    Failure::unless_empty(missed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutants_are_chosen_by_name_and_everything_else_is_the_programs_own() {
        assert_eq!(
            Selection::read(&["--mutants"]),
            Ok(Selection::Mutants(None))
        );
        let one = ["--mutant", MUTANTS[0].name];
        assert_eq!(
            Selection::read(&one),
            Ok(Selection::Mutants(Some(MUTANTS[0].name)))
        );
        assert!(Selection::read(&["--mutant", "none"]).is_err());
        let words = ["--seed", "3"];
        assert_eq!(Selection::read(&words), Ok(Selection::Histories(&words)));
        let words = ["--real", "--seed", "3"];
        assert_eq!(Selection::read(&words), Ok(Selection::Real(&words)));
    }

    /// Fails as soon as a change to the run machine moves the code that a hole replaces.
    #[test]
    fn every_mutant_fits_the_sources() {
        for mutant in MUTANTS {
            let file = crate::root().join(mutant.file);
            let text = fs::read_to_string(&file).unwrap();
            let mutated = mutant.put_into(&text).unwrap();
            assert!(
                mutated.contains("mutant::is("),
                "{} has no switch",
                mutant.name
            );
        }
    }
}

//! `cargo xtask soundness`: checks random run histories against an independent oracle and prints a
//! table. With mutants, checks that the oracle can fail.
//!
//! For mutants, the crates that the histories need are copied, and every hole listed in [`mutants`]
//! or [`entrance_mutants`] is inserted into the copy behind a switch. The copy is built once, and
//! histories are played with one hole open at a time. Each hole must be found; with none open,
//! nothing may be found.

mod entrance_mutants;
mod mutants;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::process::{Failure, cargo, run as start};
use mutants::Mutant;

/// Which histories to play.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Selection<'a> {
    /// Histories of the unmodified run machine; the program parses these arguments.
    Histories(&'a [&'a str]),
    /// Histories played with the real program; the program parses these arguments.
    Real(&'a [&'a str]),
    /// Histories at the entrances that other agents use; the program parses these arguments.
    Entrances(&'a [&'a str]),
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
            ["--mutant", name] if all_mutants().any(|mutant| mutant.name == *name) => {
                Ok(Self::Mutants(Some(name)))
            }
            ["--mutant", name] => {
                let names: Vec<&str> = all_mutants().map(|mutant| mutant.name).collect();
                Err(format!(
                    "no such mutant: {name}; available mutants: {}",
                    names.join(", ")
                ))
            }
            words if words.contains(&"--real") => Ok(Self::Real(words)),
            words if words.contains(&"--entrances") => Ok(Self::Entrances(words)),
            words => Ok(Self::Histories(words)),
        }
    }
}

/// Plays the selection and prints to the terminal.
pub(crate) fn run(root: &Path, selection: &Selection<'_>) -> Result<(), Failure> {
    match selection {
        Selection::Histories(words) => start(&mut histories(root, "planwright-soundness", words)),
        Selection::Entrances(words) => start(&mut histories(root, "planwright-entrances", words)),
        Selection::Real(words) => {
            let mut building = cargo(root);
            building.args(["build", "--quiet", "--locked", "--release"]);
            start(building.arg("--package=planwright-cli"))?;
            let program = target(root).join("release/planwright");
            let mut played = histories(root, "planwright-soundness", words);
            start(played.env("PLANWRIGHT_TEST_BINARY", program))
        }
        Selection::Mutants(name) => {
            let mut missed = Vec::new();
            for group in &GROUPS {
                let has = |name: &str| group.mutants.iter().any(|mutant| mutant.name == name);
                if name.is_none_or(has) {
                    let program = build(root, group)?;
                    missed.extend(play_mutants(&program, group, *name)?);
                }
            }
            Failure::unless_empty(missed)
        }
    }
}

/// The command that plays histories with the program of this package.
fn histories(root: &Path, package: &str, words: &[&str]) -> Command {
    let mut histories = cargo(root);
    histories.args([
        "run",
        "--quiet",
        "--locked",
        "--release",
        "--package",
        package,
    ]);
    histories.arg("--");
    histories.args(words);
    histories
}

/// Cargo's target folder.
fn target(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from)
}

/// A set of mutants that are built and played together.
struct Group {
    mutants: &'static [Mutant],
    /// The package of the program that plays histories.
    package: &'static str,
    /// The name of its program; the program with the mutants has `-mutant` appended.
    program: &'static str,
    /// The folders to copy; nothing else is copied.
    folders: &'static [&'static str],
    /// Environment variables for the build. The tests build with the same ones, so third-party
    /// crates needn't be built again.
    build: &'static [(&'static str, &'static str)],
    /// Number of histories after which a hole counts as not found.
    histories: &'static str,
    /// Number of histories to play with no hole open; the oracle must accept all of them.
    control: &'static str,
}

const GROUPS: [Group; 2] = [
    Group {
        mutants: mutants::MUTANTS,
        package: "planwright-soundness",
        program: "soundness",
        folders: &[
            "src-tauri/crates/plan",
            "src-tauri/crates/gate",
            "src-tauri/crates/adequacy",
            "src-tauri/crates/repair",
            "src-tauri/crates/agent",
            "tests/soundness",
        ],
        build: &[
            ("CARGO_PROFILE_DEV_OPT_LEVEL", "1"),
            ("RUSTFLAGS", "-Awarnings"),
        ],
        histories: "20000",
        control: "2000",
    },
    Group {
        mutants: entrance_mutants::MUTANTS,
        package: "planwright-entrances",
        program: "entrances",
        folders: &[
            "migrations",
            "src-tauri/crates/plan",
            "src-tauri/crates/gate",
            "src-tauri/crates/adequacy",
            "src-tauri/crates/repair",
            "src-tauri/crates/planning",
            "src-tauri/crates/agent",
            "src-tauri/crates/model",
            "src-tauri/crates/tools",
            "src-tauri/crates/store",
            "src-tauri/crates/workbench",
            "src-tauri/crates/desktop",
            "src-tauri/crates/bridges",
            "tests/soundness",
            "tests/entrances",
        ],
        build: &[],
        histories: "2000",
        control: "200",
    },
];

fn all_mutants() -> impl Iterator<Item = &'static Mutant> {
    GROUPS.iter().flat_map(|group| group.mutants)
}

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
fn build(root: &Path, group: &Group) -> Result<PathBuf, Failure> {
    let copy = root.join("target/soundness-mutants").join(group.program);
    let failed = |error: std::io::Error| Failure::one(format!("can't copy the sources: {error}"));
    if copy.exists() {
        fs::remove_dir_all(&copy).map_err(failed)?;
    }
    for name in group.folders {
        copy_folder(&root.join(name), &copy.join(name)).map_err(failed)?;
    }
    fs::copy(root.join("Cargo.lock"), copy.join("Cargo.lock")).map_err(failed)?;
    let manifest = fs::read_to_string(root.join("Cargo.toml")).map_err(failed)?;
    fs::write(copy.join("Cargo.toml"), of_copy(&manifest, group)).map_err(failed)?;
    change(&copy.join("src-tauri/crates/plan/src/lib.rs"), |text| {
        Ok(format!("{text}{SWITCH}"))
    })?;
    // A different name, so that it isn't mistaken for the unmodified program.
    let program = group.program;
    let manifest = copy.join("tests").join(program).join("Cargo.toml");
    change(&manifest, |text| {
        let name = |ending: &str| format!("name = \"{program}{ending}\"\npath = \"src/main.rs\"");
        Ok(text.replace(&name(""), &name("-mutant")))
    })?;
    for mutant in group.mutants {
        change(&copy.join(mutant.file), |text| mutant.put_into(text))?;
    }
    let folder = target(root);
    let mut building = cargo(&copy);
    building.args(["build", "--offline", "--quiet", "--package", group.package]);
    building.env("CARGO_TARGET_DIR", &folder);
    start(building.envs(group.build.iter().copied()))?;
    Ok(folder.join(format!("debug/{program}-mutant")))
}

/// The workspace manifest, reduced to the members that were copied.
fn of_copy(manifest: &str, group: &Group) -> String {
    let is_kept = |line: &&str| {
        let path = line
            .trim()
            .strip_prefix('"')
            .and_then(|line| line.split('"').next());
        let is_member =
            path.is_some_and(|path| path.starts_with("src-tauri") || path.starts_with("tests"));
        !is_member || path.is_some_and(|path| group.folders.contains(&path))
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

/// Plays a group's mutants, or one of them. Returns what wasn't detected.
fn play_mutants(program: &Path, group: &Group, only: Option<&str>) -> Result<Vec<String>, Failure> {
    let mut missed = Vec::new();
    let control = Command::new(program)
        .args(["--histories", group.control, "--stop"])
        .env_remove("SOUNDNESS_MUTANT")
        .output();
    match control {
        Ok(control) if control.status.success() => {}
        _ => missed.push("the oracle rejected a history with no mutant".to_owned()),
    }
    println!(
        "{:<30} {:<10} {:>8}  first failure",
        "mutant", "finding", "seconds"
    );
    let mut last = "";
    for mutant in group.mutants {
        let is_chosen = only.is_none_or(|name| name == mutant.name);
        // Consecutive entries can belong to the same hole.
        if !is_chosen || std::mem::replace(&mut last, mutant.name) == mutant.name {
            continue;
        }
        let begun = Instant::now();
        let played = Command::new(program)
            .args(["--histories", group.histories, "--stop"])
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
            "{:<30} {:<10} {seconds:>8.1}  {short}",
            mutant.name, mutant.finding
        );
    }
    Ok(missed)
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
        for mutant in all_mutants() {
            let one = ["--mutant", mutant.name];
            let chosen = Selection::Mutants(Some(mutant.name));
            assert_eq!(Selection::read(&one), Ok(chosen));
        }
        assert!(Selection::read(&["--mutant", "none"]).is_err());
        let words = ["--seed", "3"];
        assert_eq!(Selection::read(&words), Ok(Selection::Histories(&words)));
        let words = ["--real", "--seed", "3"];
        assert_eq!(Selection::read(&words), Ok(Selection::Real(&words)));
        let words = ["--entrances", "--seed", "3"];
        assert_eq!(Selection::read(&words), Ok(Selection::Entrances(&words)));
    }

    /// Fails as soon as a change to the run machine moves the code that a hole replaces.
    #[test]
    fn every_mutant_fits_the_sources() {
        for mutant in all_mutants() {
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

//! Jobs for a careless model: a small Python project, a plan of single-action steps, and for each
//! step its solution, possible mistakes, and an outside check of whether it does what it promises.
//!
//! A job is determined by its seed and its number of steps. The outside check is hidden from the
//! plan and the model, and doesn't depend on how the program carries out the plan.

mod slots;

use std::collections::{BTreeMap, BTreeSet};

/// A change to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Edit {
    /// Sets the file's content.
    Write(String),
    /// Replaces the first occurrence of a text.
    Replace(String, String),
    /// Renames every occurrence of a name as a whole word.
    Rename(String, String),
    /// Adds text after the last line.
    Append(String),
}

impl Edit {
    /// The text after the change; `None` if it doesn't apply.
    pub(crate) fn apply(&self, text: &str) -> Option<String> {
        match self {
            Self::Write(whole) => Some(whole.clone()),
            Self::Replace(old, new) => text.contains(old).then(|| text.replacen(old, new, 1)),
            Self::Rename(old, new) => {
                let changed = renamed(text, old, new);
                (changed != text).then_some(changed)
            }
            Self::Append(more) => Some(format!("{text}{more}")),
        }
    }
}

fn renamed(text: &str, old: &str, new: &str) -> String {
    let is_inside = |c: char| c.is_alphanumeric() || c == '_';
    let (mut out, mut from) = (String::new(), 0);
    for (at, _) in text.match_indices(old) {
        let before = text[..at].chars().next_back().is_some_and(is_inside);
        let after = text[at + old.len()..].chars().next().is_some_and(is_inside);
        out.push_str(&text[from..at]);
        out.push_str(if before || after { old } else { new });
        from = at + old.len();
    }
    out.push_str(&text[from..]);
    out
}

/// One step of a job.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    /// The kind of step, as named in tables.
    pub(crate) kind: &'static str,
    /// The step's title in the plan.
    pub(crate) title: String,
    /// The only file it changes.
    pub(crate) file: String,
    /// Its own check, if the plan has one.
    pub(crate) verify: Option<String>,
    /// The edit that solves the step.
    pub(crate) good: Edit,
    /// A mistake: a placeholder instead of the solution.
    pub(crate) stub: Option<Edit>,
    /// A mistake: the right change in a similar but wrong place.
    pub(crate) wrong: Option<Edit>,
    /// A mistake: a change made only to pass the check.
    pub(crate) hard: Option<Edit>,
    /// A mistake: a change that also weakens an assertion in the file.
    pub(crate) weak: Option<Edit>,
    /// The outside check: Python code that is run in the project folder and succeeds if the step
    /// was done.
    pub(crate) outside: String,
    /// The expected content of the file before the step; `None` if it doesn't exist yet.
    pub(crate) before: Option<String>,
    /// The expected content of the file after the step.
    pub(crate) after: String,
}

/// A project, its plan, and the expected result.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    /// The files of the project at the start, by path.
    pub(crate) files: BTreeMap<String, String>,
    /// The steps in order.
    pub(crate) steps: Vec<Step>,
    /// The expected files at the end, by path.
    pub(crate) wanted: BTreeMap<String, String>,
}

/// A deterministic pseudorandom number for a seed and a position.
pub(crate) fn chance(seed: u64, place: u64) -> u64 {
    let mut z = seed
        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
        .wrapping_add(place.wrapping_mul(0xD1B5_4A32_D192_ED03))
        .wrapping_add(0x2545_F491_4F6C_DD1D);
    for _ in 0..2 {
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    }
    z ^ (z >> 31)
}

/// A sequence of pseudorandom numbers.
#[derive(Debug, Clone)]
pub(crate) struct Dice {
    seed: u64,
    place: u64,
}

impl Dice {
    /// A sequence that starts from this seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self { seed, place: 0 }
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.place += 1;
        let end = u64::try_from(end.max(1)).unwrap_or(1);
        usize::try_from(chance(self.seed, self.place) % end).unwrap_or(0)
    }

    /// A random one of these elements.
    pub(crate) fn one<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }
}

impl Job {
    /// The job for a seed, with this number of steps.
    pub(crate) fn new(seed: u64, steps: usize) -> Self {
        let mut dice = Dice::new(seed);
        let (files, mut all) = slots::project(&mut dice);
        let mut chosen = Vec::new();
        while chosen.len() < steps && !all.is_empty() {
            let at = dice.below(all.len());
            chosen.push(all.swap_remove(at));
        }
        let mut wanted = files.clone();
        for step in &mut chosen {
            step.before = wanted.get(&step.file).cloned();
            let before = step.before.clone().unwrap_or_default();
            step.after = step.good.apply(&before).unwrap_or(before);
            wanted.insert(step.file.clone(), step.after.clone());
            if dice.below(5) == 0 {
                step.verify = None;
            }
        }
        Self {
            files,
            steps: chosen,
            wanted,
        }
    }

    /// The text of the plan file.
    pub(crate) fn plan(&self) -> String {
        let mut out =
            "---\nplanwright: 1\ngoal: Bring the project up to date\nstrategy: upfront\n---\n\
                       # Bring the project up to date\n\n## Tasks\n"
                .to_owned();
        for (at, step) in self.steps.iter().enumerate() {
            let (id, title, file) = (at + 1, &step.title, &step.file);
            out.push_str(&format!("- [ ] **T{id}** {title}\n  - files: `{file}`\n"));
            if let Some(verify) = &step.verify {
                let mark = if verify.contains('`') { "``" } else { "`" };
                out.push_str(&format!("  - verify: {mark}{verify}{mark}\n"));
            }
        }
        out
    }

    /// Errors in the result, each as a sentence, with the index of the responsible step if there is
    /// one.
    ///
    /// `read` returns the text of an existing file, `python` runs code in the project folder, and
    /// `there` lists all files.
    pub(crate) fn outside(
        &self,
        read: &dyn Fn(&str) -> Option<String>,
        python: &dyn Fn(&str) -> Result<(), String>,
        there: &BTreeSet<String>,
    ) -> Vec<(Option<usize>, String)> {
        let mut found = Vec::new();
        for (at, step) in self.steps.iter().enumerate() {
            if step.outside.is_empty() {
                continue;
            }
            if let Err(why) = python(&step.outside) {
                found.push((Some(at), why));
            }
        }
        for (path, wanted) in &self.wanted {
            let Some(text) = read(path) else {
                found.push((self.step_of(path, ""), format!("{path} is not there")));
                continue;
            };
            let is_named = self.steps.iter().any(|step| step.file == *path);
            if !is_named && text != *wanted {
                found.push((None, format!("{path} was changed, and no step names it")));
                continue;
            }
            let (mine, theirs) = (lines(wanted), lines(&text));
            // There are many ways to write the code of a step, but lines that no step should change
            // must remain.
            let original = self
                .files
                .get(path)
                .map_or_else(Vec::new, |text| lines(text));
            let is_code = path.ends_with(".py") && !path.starts_with("test_");
            for line in missing(&mine, &theirs) {
                if !is_code || original.contains(&line) {
                    let step = self.step_of(path, &line);
                    found.push((step, format!("{path} has no line “{line}”")));
                }
            }
            // Extra comments aren't errors.
            let has_comments =
                ["py", "ini", "sh"].contains(&path.rsplit('.').next().unwrap_or_default());
            for line in missing(&theirs, &mine) {
                let is_comment = has_comments && line.starts_with('#');
                if !is_code && !is_comment {
                    let step = self.step_of(path, &line);
                    found.push((step, format!("{path} has a line “{line}”")));
                }
            }
        }
        for path in there.iter().filter(|path| !self.wanted.contains_key(*path)) {
            found.push((None, format!("{path} was made, and no step names it")));
        }
        found
    }

    /// The step responsible for a line of a file: the first one that adds or removes it, or else
    /// the last one that changes the file.
    fn step_of(&self, path: &str, line: &str) -> Option<usize> {
        let own = |step: &&Step| step.file == path;
        let makes = |step: &Step| {
            let before = step.before.as_deref().unwrap_or_default();
            !line.is_empty() && before.contains(line) != step.after.contains(line)
        };
        let all = || self.steps.iter().enumerate();
        let exact = all().find(|(_, step)| own(step) && makes(step));
        let last = || all().rfind(|(_, step)| own(step));
        exact.or_else(last).map(|(at, _)| at)
    }
}

/// The non-blank lines, without trailing whitespace.
fn lines(text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim_end);
    lines
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The lines of `of` that `other` lacks, counting repetitions.
fn missing(of: &[String], other: &[String]) -> Vec<String> {
    let mut left = other.to_vec();
    let mut out = Vec::new();
    for line in of {
        match left.iter().position(|known| known == line) {
            Some(at) => drop(left.swap_remove(at)),
            None => out.push(line.clone()),
        }
    }
    out
}

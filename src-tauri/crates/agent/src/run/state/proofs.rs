//! What the run's checks came to, and what changed since each of them passed.
//!
//! A check is known by its command line: where several steps have the same one, a pass speaks for all
//! of them. A pass is fresh until a step changes something, or the run is resumed, since nobody knows
//! what happened in between.

use std::collections::{BTreeMap, BTreeSet};

use plan::ToolName;

use crate::journal::Entry;
use gate::answers::Answer;

/// Who changed something; `None` where it was not a step.
type Author = Option<String>;

/// The checks of a run, by command line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proofs {
    /// Everything that may have changed files, in order.
    changes: Vec<Author>,
    lines: BTreeMap<String, Proof>,
    /// What the checks said before the first change; nothing of one that came to no end.
    before: BTreeMap<String, Option<bool>>,
    /// How long that took, in milliseconds.
    baseline_ms: u64,
}

/// What one line came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Proof {
    /// How many changes there were when it last passed.
    passed_after: Option<usize>,
    /// How many there were when it last failed, and how often it failed since.
    failed_after: usize,
    failures: u32,
}

impl Proofs {
    /// Folds one entry; the others mean nothing here.
    pub(super) fn apply(&mut self, entry: &Entry) {
        match entry {
            Entry::Resumed { .. }
            | Entry::Undone { .. }
            | Entry::TrialUndone { .. }
            | Entry::Cut => self.changed(None),
            // What the person did was done before they say so.
            Entry::Answered {
                task,
                answer: Answer::Done { .. },
                ..
            } => self.changed(Some(task)),
            Entry::Finished { task, outcome, .. } => {
                let tool = ToolName::from_name(&outcome.tool);
                if tool.is_none_or(|tool| !tool.is_read_only()) {
                    self.changed(Some(task));
                }
            }
            Entry::BaselineChecked { line, outcome, .. } => {
                let has_ended = outcome.ok || outcome.exit_code.is_some();
                self.before
                    .insert(line.clone(), has_ended.then_some(outcome.ok));
                self.baseline_ms += outcome.elapsed_ms;
            }
            Entry::Checked { outcome, .. } => {
                if let Some(line) = &outcome.command {
                    self.checked(line, outcome.ok);
                }
            }
            _ => {}
        }
    }

    fn changed(&mut self, by: Option<&String>) {
        self.changes.push(by.cloned());
    }

    fn checked(&mut self, line: &str, ok: bool) {
        let now = self.changes.len();
        let proof = self.lines.entry(line.to_owned()).or_default();
        if ok {
            *proof = Proof {
                passed_after: Some(now),
                ..Proof::default()
            };
            return;
        }
        proof.failures = match proof.failed_after == now {
            true => proof.failures + 1,
            false => 1,
        };
        proof.failed_after = now;
    }

    /// Whether the baseline has come to a line.
    pub fn has_baseline(&self, line: &str) -> bool {
        self.before.contains_key(line)
    }

    /// Whether a line passed before the run changed anything; `None` where that is not known.
    pub fn before(&self, line: &str) -> Option<bool> {
        self.before.get(line).copied().flatten()
    }

    /// How long the baseline took so far, in milliseconds.
    pub fn baseline_ms(&self) -> u64 {
        self.baseline_ms
    }

    /// Whether a step of this run changed anything, or this one.
    pub fn has_changes(&self, by: Option<&str>) -> bool {
        let mut steps = self.changes.iter().flatten();
        steps.any(|step| by.is_none_or(|by| step == by))
    }

    /// Whether a line passed in this run.
    pub fn has_passed(&self, line: &str) -> bool {
        let proof = self.lines.get(line);
        proof.is_some_and(|proof| proof.passed_after.is_some())
    }

    /// Whether a line passed before the last change, and not since.
    pub fn is_stale(&self, line: &str) -> bool {
        let passed = self.lines.get(line).and_then(|proof| proof.passed_after);
        passed.is_some_and(|passed| passed < self.changes.len())
    }

    /// How often a line failed since the last change.
    pub fn failures(&self, line: &str) -> u32 {
        let proof = self.lines.get(line);
        proof
            .filter(|proof| proof.failed_after == self.changes.len())
            .map_or(0, |proof| proof.failures)
    }

    /// The steps that changed something since a line last passed, the owner of the line left out.
    pub fn changed_since(&self, line: &str, owner: &str) -> BTreeSet<&str> {
        let passed = self.lines.get(line).and_then(|proof| proof.passed_after);
        let later = self.changes.iter().skip(passed.unwrap_or_default());
        let steps = later.filter_map(Option::as_deref);
        steps.filter(|step| *step != owner).collect()
    }
}

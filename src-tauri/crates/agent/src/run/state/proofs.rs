//! The results of checks in a run, and the changes made since each check passed.
//!
//! A check is identified by its command line: if several steps share one, a pass applies to all of
//! them. A pass is valid until a step changes something or the run is resumed, since anything may
//! have happened while it was stopped.

use std::collections::{BTreeMap, BTreeSet};

use plan::ToolName;

use crate::host_answer::HostAnswer;
use crate::journal::Entry;
use gate::answers::Answer;

/// The step that made a change; `None` if it wasn't made by a step.
type Author = Option<String>;

/// The results of a run's checks, by command line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proofs {
    /// All events that may have changed files, in order.
    changes: Vec<Author>,
    lines: BTreeMap<String, Proof>,
    /// Results before the first change; `None` for a check that was interrupted.
    before: BTreeMap<String, Option<bool>>,
    /// How long the baseline checks took, in milliseconds.
    baseline_ms: u64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Proof {
    /// The number of changes at the time it last passed.
    passed_after: Option<usize>,
    /// The number of changes at the time it last failed, and how often it has failed at that
    /// number.
    failed_after: usize,
    failures: u32,
}

impl Proofs {
    /// Folds one entry; ignores unrelated ones.
    pub(super) fn apply(&mut self, entry: &Entry) {
        match entry {
            Entry::Resumed { .. }
            | Entry::Undone { .. }
            | Entry::TrialUndone { .. }
            | Entry::Cut => self.changed(None),
            // The person changed things before reporting the step as done.
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
            // The agent makes the change itself as soon as it is allowed.
            Entry::HostAnswered {
                answer: HostAnswer::Allowed { task, .. },
                ..
            } => self.changed(Some(task)),
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

    /// Whether the baseline includes this command line.
    pub fn has_baseline(&self, line: &str) -> bool {
        self.before.contains_key(line)
    }

    /// Whether the command line passed before the run changed anything; `None` if unknown.
    pub fn before(&self, line: &str) -> Option<bool> {
        self.before.get(line).copied().flatten()
    }

    /// How long the baseline checks have taken so far, in milliseconds.
    pub fn baseline_ms(&self) -> u64 {
        self.baseline_ms
    }

    /// Whether any step of this run has changed something or, if `by` is given, whether that step
    /// has.
    pub fn has_changes(&self, by: Option<&str>) -> bool {
        let mut steps = self.changes.iter().flatten();
        steps.any(|step| by.is_none_or(|by| step == by))
    }

    /// Whether the command line has passed in this run.
    pub fn has_passed(&self, line: &str) -> bool {
        let proof = self.lines.get(line);
        proof.is_some_and(|proof| proof.passed_after.is_some())
    }

    /// Whether the command line has passed, but not since the last change.
    pub fn is_stale(&self, line: &str) -> bool {
        let passed = self.lines.get(line).and_then(|proof| proof.passed_after);
        passed.is_some_and(|passed| passed < self.changes.len())
    }

    /// How often the command line has failed since the last change.
    pub fn failures(&self, line: &str) -> u32 {
        let proof = self.lines.get(line);
        proof
            .filter(|proof| proof.failed_after == self.changes.len())
            .map_or(0, |proof| proof.failures)
    }

    /// Steps other than `owner` that have changed something since the command line last passed.
    pub fn changed_since(&self, line: &str, owner: &str) -> BTreeSet<&str> {
        let passed = self.lines.get(line).and_then(|proof| proof.passed_after);
        let later = self.changes.iter().skip(passed.unwrap_or_default());
        let steps = later.filter_map(Option::as_deref);
        steps.filter(|step| *step != owner).collect()
    }
}

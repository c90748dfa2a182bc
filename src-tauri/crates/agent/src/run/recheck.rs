//! Reruns checks that passed but whose result a later step may have changed.
//!
//! If the files of a check are known to have changed, it is rerun as soon as no step is in
//! progress. All other checks are rerun before the run ends. If a check fails, its step is open
//! again.

use std::collections::BTreeSet;

use plan::Task;

use super::next::Turn;
use super::ready::Leaf;
use super::state::{Standing, TaskState};
use super::{Machine, PlanView};
use crate::file_locks;
use crate::journal::Entry;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Due {
    /// Only checks whose files are known to have been changed by a later step.
    Touched,
    /// All checks that passed before the latest change.
    All,
}

impl Machine {
    /// Reruns the next check that may now fail. `None` if all checks that are due have passed.
    pub(super) fn recheck(&mut self, view: &PlanView, due: Due) -> Option<Turn> {
        // Checks prove nothing while changes are half-finished, so wait until the steps end.
        let is_open =
            |task: &TaskState| matches!(task.standing, Standing::Running | Standing::Failed);
        let is_half_done = self.state.tasks.values().any(is_open);
        let is_too_early = is_half_done || !self.state.proofs.has_changes(None);
        if !self.in_progress.is_empty() || (due == Due::Touched && is_too_early) {
            return None;
        }
        for index in view.scope(&self.state) {
            let task = &view.plan.tasks[index];
            let id = task.id.as_str();
            let Some(known) = self.state.tasks.get(id).cloned() else {
                continue;
            };
            let is_done = known.standing == Standing::Done;
            // A step may belong to a branch that wasn't chosen and still be claimed as done.
            let is_left_out = view.left_out(&self.state, index).is_some();
            if !is_done || is_left_out || view.leaf(&self.state, index) != Leaf::Done {
                continue;
            }
            for (check, (line, is_named)) in self.checks_of(task, &known).into_iter().enumerate() {
                let is_due = due == Due::All || !self.touching(task, &known, &line).is_empty();
                // Also rerun a check that has not passed in this run, if an earlier run checked the
                // step or a person signed it. A signed step after a gate is left alone, because the
                // gate may have ruled it out in the meantime.
                let is_gated = !view.gates[index].is_empty();
                let is_claimed = known.signed.is_some() && is_named && !is_gated;
                let is_unproven = !self.state.proofs.has_passed(&line);
                let is_old = is_unproven && (known.was_checked || is_claimed);
                if !(is_old || self.state.proofs.is_stale(&line)) || !is_due {
                    continue;
                }
                let allowed = self.config.verification.max_verification_attempts;
                if self.state.proofs.failures(&line) >= allowed {
                    self.reopen(task, &known, check, &line);
                    return Some(Turn::Again);
                }
                return Some(self.begin_check(view, task, check, line, is_named));
            }
        }
        None
    }

    /// Later steps that changed a file of this step or a file that its check names.
    fn touching(&self, task: &Task, known: &TaskState, line: &str) -> Vec<String> {
        let touches = |path: &String| {
            known.changes.files.contains(path)
                || task.files.iter().any(|file| lies_in(path, file))
                || names(line, path)
        };
        self.later(task, line, |changed| changed.iter().any(touches))
    }

    /// Steps that changed something since the check last passed, counting only changed files that
    /// satisfy `are_such`.
    fn later(
        &self,
        task: &Task,
        line: &str,
        are_such: impl Fn(&BTreeSet<String>) -> bool,
    ) -> Vec<String> {
        let later = self.state.proofs.changed_since(line, task.id.as_str());
        let known = later
            .into_iter()
            .filter_map(|id| Some((id, self.state.tasks.get(id)?)));
        let such = known.filter(|(_, step)| are_such(&changed_by(step)));
        such.map(|(id, _)| id.to_owned()).collect()
    }

    fn reopen(&mut self, task: &Task, known: &TaskState, check: usize, line: &str) {
        let id = task.id.0.clone();
        let mut by = self.touching(task, known, line);
        // A check that names none of the step's files may read any file in the workspace.
        let mut own = known.changes.files.iter().chain(&task.files);
        if by.is_empty() && !own.any(|path| names(line, path)) {
            by = self.later(task, line, |changed| !changed.is_empty());
        }
        let has_passed = known.was_checked || self.state.proofs.has_passed(line);
        let whom = match (has_passed, by.is_empty()) {
            (false, _) => "its check fails".to_owned(),
            (true, true) => {
                "its check passed before and fails now, but no recorded step changed its files; \
                 they may have changed outside the run"
                    .to_owned()
            }
            (true, false) => format!("broken by {}", by.join(" or ")),
        };
        let said = known.checks.get(&check).map(|outcome| &outcome.summary);
        let reason = format!("{whom}: {}", said.map_or(line, String::as_str));
        self.failed_here.push(id.clone());
        self.record(Entry::Broken {
            task: id,
            by,
            reason,
        });
    }
}

fn changed_by(step: &TaskState) -> BTreeSet<String> {
    let written = step.calls.values().filter_map(|call| call.file.as_ref());
    let written = written.map(|file| file.path.clone());
    step.changes.files.iter().cloned().chain(written).collect()
}

/// Whether a command line names a file or one of its parent folders.
pub(super) fn names(line: &str, path: &str) -> bool {
    let is_end = |letter: char| letter.is_whitespace() || "'\"`;|&<>()=:,".contains(letter);
    let mut words = line.split(is_end).filter(|word| !word.is_empty());
    words.any(|word| lies_in(path, word))
}

fn lies_in(path: &str, named: &str) -> bool {
    let named = named.trim_start_matches("./").trim_end_matches('/');
    !named.is_empty() && file_locks::is_inside(path, named)
}

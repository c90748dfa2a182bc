//! What is different in the plan file, and what a person says about it.
//!
//! A run carries out its approved snapshot. Another structure in the file stops it before its next step,
//! until a person has it continue with the approved plan or stops it; approving the new revision is
//! another run. A step that the file shows as done or skipped without a record is a claim: asked about
//! once, for all of them together. Checkpoints and decisions are never claims; they are asked in their turn.

use std::collections::BTreeMap;

use gate::answers::Answer;
use gate::question::{Question, QuestionKind, label};
use plan::Task;

use super::next::Turn;
use super::state::Standing;
use super::{Machine, PlanView, ready};
use crate::journal::{Changes, EndState, Entry, Signature, SkippedBy};

/// Changes and steps that a question names before it counts the rest.
const MAX_NAMED: usize = 8;

impl Machine {
    /// Asks about whatever is different in the file. `Nothing` when nothing is to be asked.
    pub(super) fn settle_file(&mut self, view: &PlanView) -> Turn {
        match self.settle_changes(view) {
            Turn::Nothing => self.settle_claims(view),
            turn => turn,
        }
    }

    fn settle_changes(&mut self, view: &PlanView) -> Turn {
        let Some(file) = self.file.clone() else {
            return Turn::Nothing;
        };
        let kept = &self.state.kept_changes;
        if file.changes.iter().all(|change| kept.contains(change)) {
            return Turn::Nothing;
        }
        let question = changed(&file.changes, view, &file.revision);
        match self.ask(question) {
            Some(Answer::Choice { label, .. }) if label == label::KEEP => {
                let changed = file.fingerprints.iter().filter(|(id, print)| {
                    let approved = view.fingerprints.get(*id);
                    approved.is_some_and(|approved| approved != *print)
                });
                let steps: BTreeMap<String, String> = changed
                    .map(|(id, print)| (id.0.clone(), print.clone()))
                    .collect();
                self.record(Entry::ChangesKept {
                    changes: file.changes.clone(),
                    steps,
                });
                // It is compared anew.
                self.file = None;
                self.plan_is_fresh = false;
            }
            Some(_) => self.end(
                EndState::Stopped,
                "stopped because the plan was changed".to_owned(),
            ),
            None => self.end(
                EndState::Waiting,
                "waiting on you: the plan was changed after the approval".to_owned(),
            ),
        }
        Turn::Again
    }

    fn settle_claims(&mut self, view: &PlanView) -> Turn {
        let Some(file) = self.file.clone() else {
            return Turn::Nothing;
        };
        let scope = view.scope(&self.state);
        let approved = scope
            .into_iter()
            .map(|index| (index, &view.plan.tasks[index]));
        let claims: Vec<&Task> = approved
            .filter(|(index, task)| {
                let standing = self.state.standing(&task.id);
                matches!(standing, Standing::Pending | Standing::Failed)
                    && !ready::is_pause(task)
                    && !self.state.claims_answered.contains(task.id.as_str())
                    && view.left_out(&self.state, *index).is_none()
                    && file.shows(view, &task.id)
            })
            .filter_map(|(_, task)| file.plan.task(&task.id))
            .filter(|shown| shown.done || shown.skipped.is_some())
            .collect();
        if claims.is_empty() {
            return Turn::Nothing;
        }
        let counts = match self.ask(claimed(&claims)) {
            Some(Answer::Choice { label, .. }) => label == label::COUNT,
            Some(_) => {
                self.end(EndState::Stopped, "stopped by a person".to_owned());
                return Turn::Again;
            }
            None => {
                let message = "waiting on you: steps are marked by hand".to_owned();
                self.end(EndState::Waiting, message);
                return Turn::Again;
            }
        };
        let tasks = claims.iter().map(|task| task.id.0.clone()).collect();
        self.record(Entry::ClaimsAnswered { tasks });
        for shown in claims.into_iter().filter(|_| counts) {
            let task = shown.id.0.clone();
            self.record(match &shown.skipped {
                Some(reason) if !shown.done => Entry::Skipped {
                    task,
                    reason: reason.clone(),
                    by: SkippedBy::Person,
                },
                _ => Entry::Done {
                    task,
                    changes: Changes::default(),
                    signed: Some(Signature {
                        note: Some("marked as done by hand in the plan file".to_owned()),
                    }),
                    verdict: None,
                },
            });
        }
        Turn::Again
    }
}

fn changed(changes: &[String], view: &PlanView, now: &str) -> Question {
    let short = |revision: &str| revision.get(..12).unwrap_or(revision).to_owned();
    let kind = QuestionKind::Changed;
    Question {
        task: kind.as_str().to_owned(),
        question: kind,
        message: format!(
            "The plan file no longer matches the approved revision {}: {}. Continue with the approved \
             plan, stop, or approve revision {} in a new run.",
            short(&view.revision),
            listed(changes),
            short(now)
        ),
        options: vec![label::KEEP.to_owned(), label::STOP.to_owned()],
        permission: None,
        fingerprint: None,
    }
}

fn claimed(claims: &[&Task]) -> Question {
    let kind = QuestionKind::Claims;
    let words: Vec<String> = claims
        .iter()
        .map(|task| match (&task.skipped, task.done) {
            (Some(reason), false) => format!("{} (skipped: {reason})", task.id),
            _ => task.id.0.clone(),
        })
        .collect();
    let (are, them) = match claims.len() {
        1 => ("is", "it"),
        _ => ("are", "them"),
    };
    Question {
        task: kind.as_str().to_owned(),
        question: kind,
        message: format!(
            "{} {are} marked by hand in the plan file, but no run recorded {them}. Count {them} as done, or \
             carry {them} out?",
            listed(&words)
        ),
        options: vec![label::COUNT.to_owned(), label::CARRY_OUT.to_owned()],
        permission: None,
        fingerprint: None,
    }
}

/// The first few, and how many more there are.
fn listed(words: &[String]) -> String {
    let first = words.iter().take(MAX_NAMED).cloned().collect::<Vec<_>>();
    match words.len().saturating_sub(MAX_NAMED) {
        0 => first.join(", "),
        more => format!("{}, and {more} more", first.join(", ")),
    }
}

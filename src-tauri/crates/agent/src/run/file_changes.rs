//! Detects differences between the plan file and the approved plan, and asks the person about them.
//!
//! A run carries out its approved snapshot of the plan. A structural change in the file stops the
//! run before the next step; a change to a step, or to something it depends on, stops the run
//! before that step. The person can then continue with the approved plan or stop. Approving the new
//! revision starts another run.
//!
//! A step is a claim if the file shows it as done or skipped but there is no record of that, if the
//! record is for a different text, or if an earlier run carried it out but the file shows it as
//! open or doesn't contain it. The person is asked only once, about all claims together.
//! Checkpoints and decisions are never claims; the person is asked about them when they come up.

use std::collections::BTreeMap;

use gate::answers::Answer;
use gate::question::{Question, QuestionKind, label};
use plan::Task;

use super::next::Turn;
use super::state::Standing;
use super::view::FileView;
use super::{Machine, PlanView, questions};
use crate::journal::{Changes, EndState, Entry, HalfDone, Signature, SkippedBy};
use crate::session::notice::short;

/// Maximum number of changes or steps listed in a question; the rest are only counted.
const MAX_NAMED: usize = 8;

impl Machine {
    /// Asks the person about differences in the file; `Nothing` if there are none to ask about.
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
        if !self.ask_to_keep(view, &file) {
            let message = "waiting on you: the plan changed after approval".to_owned();
            self.end(EndState::Waiting, message);
        }
        Turn::Again
    }

    /// Asks whether to continue with the approved plan; `false` until the person has answered.
    pub(super) fn ask_to_keep(&mut self, view: &PlanView, file: &FileView) -> bool {
        let mut changes = file.changes.clone();
        changes.extend(file.rewordings.iter().cloned());
        match self.ask(changed(&changes, view, &file.revision)) {
            Some(Answer::Choice { label, .. }) if label == label::KEEP => {
                let changed = file.fingerprints.iter().filter(|(id, print)| {
                    let approved = view.fingerprints.get(*id);
                    approved.is_some_and(|approved| approved != *print)
                });
                let steps: BTreeMap<String, String> = changed
                    .map(|(id, print)| (id.0.clone(), print.clone()))
                    .collect();
                self.record(Entry::ChangesKept { changes, steps });
                // Compare the file again.
                self.file = None;
                self.plan_is_fresh = false;
            }
            Some(_) => {
                let message = "stopped because the plan changed".to_owned();
                self.end(EndState::Stopped, message);
            }
            None => return false,
        }
        true
    }

    fn settle_claims(&mut self, view: &PlanView) -> Turn {
        let Some(file) = self.file.clone() else {
            return Turn::Nothing;
        };
        let scope = view.scope(&self.state).into_iter();
        let open = scope.filter(|index| {
            let task = &view.plan.tasks[*index];
            let standing = self.state.standing(&task.id);
            matches!(standing, Standing::Pending | Standing::Failed)
                && !task.is_pause()
                && view.left_out(&self.state, *index).is_none()
        });
        let open = open.map(|index| {
            let task = &view.plan.tasks[index];
            let shown = file.plan.task(&task.id);
            // Ignore the box of a step whose text was changed in the file.
            let shown = shown.filter(|_| file.shows(view, &task.id));
            Claim { task, shown }
        });
        let is_claim = |claim: &Claim<'_>| {
            let is_answered = self.state.claims_answered.contains(claim.task.id.as_str());
            self.done_by(claim.task).is_some() || (claim.is_marked() && !is_answered)
        };
        let claims: Vec<Claim<'_>> = open.filter(is_claim).collect();
        if claims.is_empty() {
            return Turn::Nothing;
        }
        let counts = match self.ask(self.claimed(&claims)) {
            Some(Answer::Choice { label, .. }) if label != label::STOP => label == label::COUNT,
            Some(_) => {
                return self.end(EndState::Stopped, "you stopped the run".to_owned());
            }
            None => {
                let message =
                    "waiting on you: the plan file doesn't match the run's record".to_owned();
                return self.end(EndState::Waiting, message);
            }
        };
        let noted: Vec<(String, Option<String>, String)> = claims
            .iter()
            .map(|claim| {
                let note = match self.done_by(claim.task) {
                    Some(earlier) => format!("done in run {}", earlier.run),
                    None => "marked as done by hand in the plan file".to_owned(),
                };
                (claim.task.id.0.clone(), claim.skipped().cloned(), note)
            })
            .collect();
        let tasks = noted.iter().map(|(task, ..)| task.clone()).collect();
        self.record(Entry::ClaimsAnswered { tasks });
        for (task, skipped, note) in noted.into_iter().filter(|_| counts) {
            self.record(match skipped {
                Some(reason) => Entry::Skipped {
                    task,
                    reason,
                    by: SkippedBy::Person,
                },
                None => Entry::Done {
                    task,
                    changes: Changes::default(),
                    signed: Some(Signature { note: Some(note) }),
                    verdict: None,
                },
            });
        }
        Turn::Again
    }

    /// The record of an earlier run that carried out this step; `None` once the person has been
    /// asked about it.
    fn done_by(&self, task: &Task) -> Option<&HalfDone> {
        let earlier = self.state.started.half_done.get(task.id.as_str())?;
        earlier.is_done.then_some(earlier)
    }

    fn claimed(&self, claims: &[Claim<'_>]) -> Question {
        let kind = QuestionKind::Claims;
        // Groups the steps whose boxes contradict this run's record by the evidence that exists for
        // them.
        let mut alike: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for claim in claims {
            let end = claim.skipped().map(|reason| format!("skipped: {reason}"));
            let (known, end) = match self.done_by(claim.task) {
                None => ("marked by hand in the plan file; no run recorded them", end),
                Some(earlier) => {
                    let known = match (claim.shown, claim.is_marked(), earlier.is_changed) {
                        (None, ..) => {
                            "recorded as done by an earlier run but missing or changed in the \
                             plan file"
                        }
                        (Some(_), false, _) => {
                            "recorded as done by an earlier run but open in the plan file"
                        }
                        (Some(_), true, false) => "recorded as done by an earlier run",
                        (Some(_), true, true) => {
                            "recorded as done by an earlier run but changed since"
                        }
                    };
                    let (end, on) = (end.map(|end| format!("{end}; ")), &earlier.on);
                    let end = end.unwrap_or_default();
                    (known, Some(format!("{end}run {}, {on}", earlier.run)))
                }
            };
            let end = end.map_or(String::new(), |end| format!(" ({end})"));
            let word = format!("{}{end}", claim.task.id);
            alike.entry(known).or_default().push(word);
        }
        let number = |count: usize| {
            if count == 1 {
                ("is", "it")
            } else {
                ("are", "them")
            }
        };
        let said = alike.iter().map(|(known, words)| {
            let (are, them) = number(words.len());
            format!(
                "{} {are} {}.",
                listed(words, ", "),
                known.replace("them", them)
            )
        });
        let said = said.collect::<Vec<_>>().join(" ");
        let (_, them) = number(claims.len());
        let is_again = claims
            .iter()
            .any(|claim| self.done_by(claim.task).is_some());
        let (message, labels) = match is_again {
            true => (
                format!("{said} Count {them} as done, or repeat {them}?"),
                &[label::COUNT, label::CARRY_OUT_AGAIN, label::STOP][..],
            ),
            false => (
                format!("{said} Count {them} as done, or carry {them} out?"),
                &[label::COUNT, label::CARRY_OUT][..],
            ),
        };
        questions::question(kind.as_str(), kind, message, labels)
    }
}

/// A step that this run hasn't carried out, with its status in the plan file.
struct Claim<'a> {
    /// The approved step.
    task: &'a Task,
    /// The same step in the file; `None` if its text was changed in the file.
    shown: Option<&'a Task>,
}

impl Claim<'_> {
    fn is_marked(&self) -> bool {
        self.shown
            .is_some_and(|task| task.done || task.skipped.is_some())
    }

    fn skipped(&self) -> Option<&String> {
        let shown = self.shown.filter(|task| !task.done)?;
        shown.skipped.as_ref()
    }
}

fn changed(changes: &[String], view: &PlanView, now: &str) -> Question {
    let kind = QuestionKind::Changed;
    let message = format!(
        "The plan file no longer matches the approved revision {}: {}. Continue with the approved \
         plan, stop, or approve revision {} in a new run.",
        short(&view.revision),
        listed(changes, "; "),
        short(now)
    );
    questions::question(kind.as_str(), kind, message, &[label::KEEP, label::STOP])
}

/// The first few items, followed by the number of the remaining ones.
fn listed(words: &[String], between: &str) -> String {
    let first = words[..words.len().min(MAX_NAMED)].join(between);
    match words.len().saturating_sub(MAX_NAMED) {
        0 => first,
        more => format!("{first}{between}and {more} more"),
    }
}

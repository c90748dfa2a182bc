//! Completes steps, either by verification or by a person's signature.

use std::sync::Arc;

use plan::Task;

use super::model_work::CLAIMS;
use super::next::Turn;
use super::state::{Standing, TaskState};
use super::{Machine, questions};
use crate::journal::{Changes, Entry};
use crate::micro_planning;
use gate::answers::Answer;
use gate::question::QuestionKind;

impl Machine {
    pub(super) fn complete(&mut self, task: String, changes: Changes) -> Turn {
        let known = self.state.tasks.get(&task).cloned().unwrap_or_default();
        if self.lacks_words(&task, &known, &changes) {
            return Turn::Again;
        }
        let verdict = self.verdict(&task, &known, &changes);
        let verdict = self.judge_handed(&task, &known, &changes, verdict);
        let verdict = self.judge_claim(&task, &known, &changes, verdict);
        // First tell the model that its step is unverified, and again as long as it keeps changing
        // something. Ask the person only if that doesn't help.
        let is_open = known.work.report.is_some() && known.signed.is_none();
        let is_to_be_told = match known.work.claims {
            0 => true,
            claims => claims + 1 < CLAIMS && known.work.has_untried_change(),
        };
        let is_doubted = verdict.as_ref().is_some_and(|verdict| !verdict.is_verified);
        if is_open
            && is_doubted
            && is_to_be_told
            && let Some(why) = &changes.hollow
        {
            if self.config.host.is_some() {
                let message = format!("{task} isn't done: {why}. Do what is missing first.");
                return self.reject_for_host(&task, message);
            }
            let message =
                format!("The step is not done: {why}. Do what is missing, then report done.");
            return self.record(Entry::ClaimRejected { task, message });
        }
        // An agent program can't move on from a step without evidence; a person has to confirm it.
        let view = std::sync::Arc::clone(&self.view);
        if is_open
            && is_doubted
            && let Some(step) = view.task(&task)
            && self.is_claimed_by_host(step, &known)
        {
            return self.ask_whether_done(step);
        }
        self.record(Entry::Done {
            task,
            changes,
            signed: known.signed,
            verdict,
        })
    }

    /// Asks for a note if a signature alone proves nothing, because the step changed no files and
    /// no check shows that it is done. Returns whether it asked.
    fn lacks_words(&mut self, id: &str, known: &TaskState, changes: &Changes) -> bool {
        let is_blank = known.signed.as_ref().is_some_and(|signed| {
            let note = signed.note.as_deref().unwrap_or_default();
            note.trim().is_empty()
        });
        let has_changed = !changes.files.is_empty() || changes.ignored > 0;
        if !is_blank || has_changed {
            return false;
        }
        let view = Arc::clone(&self.view);
        let Some(task) = view.task(id) else {
            return false;
        };
        // The closing step itself asks whether the goal is reached.
        let is_closing =
            micro_planning::closing_step(&view.plan).is_some_and(|one| one.id == task.id);
        if is_closing || !self.checks_of(task, known).is_empty() {
            return false;
        }
        let kind = match known.standing {
            Standing::Done => QuestionKind::Unverified,
            _ => QuestionKind::Person,
        };
        self.park(questions::what_was_done(task, kind));
        true
    }

    /// Asks a person to sign a step that is unverified. `None` until the person answers.
    pub(super) fn ask_to_sign(&mut self, task: &Task, known: &TaskState) -> Option<Turn> {
        let id = task.id.as_str();
        let by_model = self.is_by_model(task);
        let question = match known.needs_words {
            true => questions::what_was_done(task, QuestionKind::Unverified),
            false => questions::unverified(task, known, by_model),
        };
        Some(match self.ask(question)? {
            Answer::Done { .. } => self.complete(id.to_owned(), known.changes.clone()),
            Answer::Retry if by_model => self.record(Entry::Retried {
                task: id.to_owned(),
            }),
            answer => self.refused(id, answer),
        })
    }
}

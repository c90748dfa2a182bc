//! Asks the person about file content that a command deleted without approval, before anything else
//! happens, and restores it if the person says no.

use gate::answers::{Answer, Grant};
use gate::destructive::{Danger, is_allowed_by};
use gate::question::QuestionKind;

use super::next::Turn;
use super::state::Standing;
use super::{Effect, Machine, PlanView, questions};
use crate::journal::{CallOutcome, EndState, Entry};
use crate::model_step::step_tools;

impl Machine {
    /// The part of the deleted content whose deletion wasn't approved in any way: for this command,
    /// for the whole run, by a rule, at a checkpoint, or by approving a step that says that these
    /// files will be deleted.
    pub(super) fn unapproved_loss(&self, id: &str, outcome: &CallOutcome) -> Option<Box<Danger>> {
        let lost = *outcome.lost.clone()?;
        let request = outcome.as_request(Some(lost.clone()));
        let mut rules = self.config.rules.iter();
        if rules.any(|rule| is_allowed_by(rule, &request)) {
            return None;
        }
        let known = self.state.tasks.get(id);
        let before = known.and_then(|known| known.permitted.as_ref());
        let asked = before.into_iter().chain(&self.state.granted);
        let asked = asked.filter(|asked| asked.plain() == request.plain());
        let asked: Vec<&Danger> = asked.filter_map(|asked| asked.danger.as_ref()).collect();
        let step = self.view.task(id);
        let checkpoints = step.map(|step| self.answered_before(&self.view, step));
        let step = step.filter(|step| step_tools::is_deletion(step));
        let left = lost.beyond(step, &checkpoints.unwrap_or_default(), &asked);
        left.map(Box::new)
    }

    /// Asks the person about deleted file content. Nothing else may change while the question is
    /// open.
    pub(super) fn settle_losses(&mut self, view: &PlanView) -> Turn {
        let mut tasks = self.state.tasks.iter();
        let open = tasks.find(|(id, known)| known.lost.is_some() && !self.is_busy(id));
        let Some((id, Some(request))) = open.map(|(id, known)| (id.clone(), known.lost.clone()))
        else {
            return Turn::Nothing;
        };
        let title = view.task(&id).map_or(id.as_str(), |task| &task.title);
        let can_undo_work = self.can_undo_work(&id);
        match self.ask(questions::lost(&id, title, request, can_undo_work)) {
            Some(Answer::Permission {
                grant: Grant::No, ..
            }) => self.begin(Effect::TakeBack { task: id }),
            Some(Answer::Permission { .. }) => Turn::Again,
            Some(answer) => self.refused(&id, answer),
            None => self.end(EndState::Waiting, format!("waiting on you: {id}")),
        }
    }

    /// Whether the step's own work can be undone. If not, the content was deleted by a check of a
    /// step that is done or hasn't started, and only the effects of that check are undone.
    pub fn can_undo_work(&self, id: &str) -> bool {
        let known = self.state.tasks.get(id);
        known.is_some_and(|known| known.has_checkpoint && known.standing != Standing::Done)
    }

    /// Records that the changes of a step were undone, because a person rejected the deletion or
    /// the trial of a model failed its check.
    pub(super) fn record_undo(&mut self, task: String, files: Vec<String>, left: &[String]) {
        let known = self.state.tasks.get(&task);
        if known.is_some_and(|known| known.lost.is_none()) {
            if !left.is_empty() {
                let message = format!("{task}: couldn't restore {}", left.join(", "));
                self.notice(message);
            }
            self.record(Entry::TrialUndone { task, files });
            return;
        }
        let request = known.and_then(|known| known.lost.as_ref());
        let line = request.map_or("", |request| request.subject.as_str());
        let said = known.and_then(|known| known.answers.get(&QuestionKind::Destructive));
        let words = match said {
            Some(Answer::Permission { words, .. }) => words.clone(),
            _ => None,
        };
        let left = match left {
            [] => String::new(),
            left => format!("; couldn't restore {}", left.join(", ")),
        };
        let reason = format!("`{line}` was undone{left}");
        if self.can_undo_work(&task) {
            self.record(Entry::Undone {
                task: task.clone(),
                files,
            });
        }
        self.failed_here.push(task.clone());
        self.record(Entry::Refused {
            task,
            reason,
            words,
        });
    }
}

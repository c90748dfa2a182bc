//! Input from a person to a run in progress: answers, messages, pause, skip, retry, recover.
//!
//! Nothing is decided when the input arrives. An answer is journaled and kept until its question
//! comes up. All other input waits for the next decision, when the plan has been read and no effect
//! is in progress.

use gate::answers::Answer;
use gate::question::QuestionKind;
use gate::recovery::RecoveryStrategy;

#[cfg(doc)]
use super::Event;
use super::ready::Leaf;
use super::state::Standing;
use super::{Effect, Lane, Machine, PlanView};
use crate::journal::{EndState, Entry, SkippedBy};
use crate::pending_answers::GivenAnswer;

/// Input from a person to a run. It may be given at any time after the machine was rebuilt, even
/// before [`Event::Begin`]. The machine responds with entries and notices, and the input takes
/// effect before the next decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Steer {
    /// An answer, even if its question has not been asked yet.
    Answer(GivenAnswer),
    /// A message for the models that carry out steps, which is included in every later request. It
    /// answers no question.
    Say {
        /// The text of the message.
        words: String,
    },
    /// Stop after the current step.
    Pause,
    /// Skip a step, whatever its status.
    Skip {
        /// The step's id.
        task: String,
        /// The reason, which is written to the plan file.
        reason: String,
    },
    /// Retry a failed step.
    Retry {
        /// The step's id.
        task: String,
    },
    /// Continue a model's step with another strategy, whatever its status.
    Recover {
        /// The step's id.
        task: String,
        /// The recovery strategy.
        strategy: RecoveryStrategy,
        /// A message for the next attempt; for a step to be skipped, the reason.
        words: Option<String>,
    },
}

impl Steer {
    /// The step that the input is about, if the input waits for the next decision.
    fn step(&self) -> Option<&str> {
        match self {
            Self::Skip { task, .. } | Self::Retry { task } | Self::Recover { task, .. } => {
                Some(task)
            }
            Self::Answer(_) | Self::Say { .. } | Self::Pause => None,
        }
    }
}

impl Machine {
    pub(super) fn steer(&mut self, said: Steer) {
        if self.state.ended.is_some() {
            return self.notice("the run has ended; resume it first".to_owned());
        }
        match said {
            Steer::Answer(given) => self.take_in(given),
            Steer::Say { words } => {
                self.record(Entry::Said { words });
            }
            Steer::Pause => self.pausing = true,
            Steer::Retry { .. } => self.wishes.push(said),
            Steer::Skip { ref task, .. } | Steer::Recover { ref task, .. } => {
                if self.is_in_progress(task) {
                    self.out.push(Effect::Interrupt { task: task.clone() });
                }
                self.wishes.push(said);
            }
        }
    }

    /// Removes and returns the input for single steps that this process didn't handle.
    pub fn take_wishes(&mut self) -> Vec<Steer> {
        std::mem::take(&mut self.wishes)
    }

    /// Whether a tool, check or model request is in progress for the task.
    fn is_in_progress(&self, id: &str) -> bool {
        let lane = Lane::Step(id.to_owned());
        let effect = self.in_progress.get(&lane);
        effect.is_some_and(|effect| {
            matches!(
                effect,
                Effect::Perform { .. }
                    | Effect::Check { .. }
                    | Effect::AskModel { .. }
                    | Effect::AskAgent { .. }
            )
        })
    }

    pub(super) fn is_busy(&self, id: &str) -> bool {
        self.in_progress.contains_key(&Lane::Step(id.to_owned()))
    }

    fn take_in(&mut self, given: GivenAnswer) {
        let id = given.task.as_str();
        let over = match self.state.tasks.get(id).map(|task| task.standing) {
            Some(Standing::Done) => Some("is already done"),
            Some(Standing::Skipped(_)) => Some("was already skipped"),
            _ => None,
        };
        if let Some(over) = over {
            return self.notice(format!("{id} {over}; your answer has no effect"));
        }
        let asked = self.waiting.get(id);
        if asked.is_some_and(|asked| given.is_for(asked)) {
            self.waiting.remove(id);
        }
        if given.question == QuestionKind::Failure {
            self.failed_here.retain(|failed| failed != id);
        }
        self.plan_is_fresh = false;
        self.record(Entry::Given { given });
    }

    pub(super) fn notice(&mut self, message: String) {
        self.out.push(Effect::Notice { message });
    }

    /// Handles the first pending input that is due; `false` if there is none.
    pub(super) fn take_wish(&mut self, view: &PlanView) -> bool {
        if self.apply_pending_skip() {
            return true;
        }
        // Wait until the step's effect in progress has ended.
        let is_due = |wish: &Steer| wish.step().is_some_and(|task| !self.is_busy(task));
        let Some(at) = self.wishes.iter().position(is_due) else {
            return false;
        };
        let done = match self.wishes.remove(at) {
            Steer::Skip { task, reason } => self.skip(view, &task, reason),
            Steer::Retry { task } => self.retry(view, &task),
            Steer::Recover {
                task,
                strategy,
                words,
            } => self.choose(view, &task, strategy, words),
            Steer::Answer(_) | Steer::Say { .. } | Steer::Pause => Ok(()),
        };
        if let Err(message) = done {
            self.notice(message);
        }
        true
    }

    /// Skips one of the steps ruled out by a choice, unless an effect of the step is in progress.
    pub(super) fn apply_pending_skip(&mut self) -> bool {
        let mut due = self.pending_skips.keys().filter(|task| !self.is_busy(task));
        let Some(task) = due.next().cloned() else {
            return false;
        };
        let reason = self.pending_skips.remove(&task).unwrap_or_default();
        let known = self.state.tasks.get(&task).map(|known| known.standing);
        if !matches!(known, Some(Standing::Done | Standing::Skipped(_))) {
            self.record_skip(task, reason, SkippedBy::Branch);
        }
        true
    }

    fn skip(&mut self, view: &PlanView, task: &str, reason: String) -> Result<(), String> {
        self.open_step(view, task)?;
        self.waiting.remove(task);
        self.failed_here.retain(|failed| failed != task);
        self.record_skip(task.to_owned(), reason, SkippedBy::Person);
        Ok(())
    }

    /// Retries a failed step. This counts as the answer to the question about the failure, so
    /// everything that must happen before the step must happen again.
    fn retry(&mut self, view: &PlanView, task: &str) -> Result<(), String> {
        self.open_step(view, task)?;
        let standing = self.state.tasks.get(task).map(|task| task.standing);
        if standing != Some(Standing::Failed) {
            return Err(format!(
                "{task} hasn't failed, so there is nothing to retry"
            ));
        }
        self.take_in(GivenAnswer {
            task: task.to_owned(),
            question: QuestionKind::Failure,
            fingerprint: None,
            answer: Answer::Retry,
            permission: None,
        });
        Ok(())
    }

    /// The index of a step of this run that hasn't ended.
    pub(super) fn open_step(&self, view: &PlanView, id: &str) -> Result<usize, String> {
        let mut scope = view.scope(&self.state).into_iter();
        let Some(index) = scope.find(|index| view.plan.tasks[*index].id.as_str() == id) else {
            return Err(format!("no step {id} in this run"));
        };
        match view.leaf(&self.state, index) {
            Leaf::Open => Ok(index),
            Leaf::Done => Err(format!("{id} is already done")),
            Leaf::Skipped(_) => Err(format!("{id} was already skipped")),
        }
    }

    fn skip_of(&self, id: &str) -> Option<usize> {
        let is_it = |wish: &Steer| matches!(wish, Steer::Skip { task, .. } if task == id);
        self.wishes.iter().position(is_it)
    }

    pub(super) fn is_to_be_skipped(&self, id: &str) -> bool {
        self.skip_of(id).is_some()
    }

    /// Removes the pending skip of this step and returns its reason.
    pub(super) fn take_skip(&mut self, id: &str) -> Option<String> {
        match self.wishes.remove(self.skip_of(id)?) {
            Steer::Skip { reason, .. } => Some(reason),
            _ => None,
        }
    }

    pub(super) fn is_unfinished(&self, view: &PlanView) -> bool {
        let mut scope = view.scope(&self.state).into_iter();
        scope.any(|index| view.leaf(&self.state, index) == Leaf::Open)
    }

    pub(super) fn pause_here(&mut self) {
        let message = "paused; run `planwright resume` to continue".to_owned();
        self.end(EndState::Paused, message);
    }
}

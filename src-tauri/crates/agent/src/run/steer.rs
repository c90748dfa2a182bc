//! What a person says while the run goes on: answers, words for the steps, pause, skip, retry, another way.
//!
//! Nothing is decided where it comes in. Answers become journal entries and wait for their
//! question; the rest waits for the next decision, when the plan is read and nothing is under way.

use gate::answers::Answer;
use gate::question::QuestionKind;
use gate::recovery::RecoveryStrategy;

#[cfg(doc)]
use super::Event;
use super::ready::Leaf;
use super::state::Standing;
use super::{Effect, Lane, Machine, PlanView};
use crate::given::GivenAnswer;
use crate::journal::{EndState, Entry, SkippedBy};

/// What a person can tell a run in progress, at any time after the process was rebuilt, even before
/// [`Event::Begin`]. It is answered with entries and notices only, and takes effect before the next decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Steer {
    /// An answer, now or ahead of its question.
    Answer(GivenAnswer),
    /// Words for the models that carry out steps. They are added to every later request and answer no
    /// question.
    Say {
        /// The words.
        words: String,
    },
    /// End after the step in hand.
    Pause,
    /// Leave a step out, whatever it is at.
    Skip {
        /// Which.
        task: String,
        /// Why; written into the plan file.
        reason: String,
    },
    /// Try a failed step again.
    Retry {
        /// Which.
        task: String,
    },
    /// Go on in another way with a step that a model carries out, whatever it is at.
    Recover {
        /// Which.
        task: String,
        /// How.
        strategy: RecoveryStrategy,
        /// For the next attempt; for a step left out, why.
        words: Option<String>,
    },
}

impl Steer {
    /// The step that it is about, where it waits for the next decision.
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
            return self.notice("the run has ended; resume it with what you want".to_owned());
        }
        match said {
            Steer::Answer(given) => self.take_in(given),
            Steer::Say { words } => {
                self.record(Entry::Said { words });
            }
            Steer::Pause => self.pausing = true,
            Steer::Retry { .. } => self.wishes.push(said),
            Steer::Skip { ref task, .. } | Steer::Recover { ref task, .. } => {
                if self.is_under_way(task) {
                    self.out.push(Effect::Interrupt { task: task.clone() });
                }
                self.wishes.push(said);
            }
        }
    }

    /// What a person wanted for single steps and this process did not get to.
    pub fn take_wishes(&mut self) -> Vec<Steer> {
        std::mem::take(&mut self.wishes)
    }

    /// Whether a tool or check of the task is at work, or its model.
    fn is_under_way(&self, id: &str) -> bool {
        let lane = Lane::Step(id.to_owned());
        let effect = self.under_way.get(&lane);
        effect.is_some_and(|effect| {
            matches!(
                effect,
                Effect::Perform { .. } | Effect::Check { .. } | Effect::AskModel { .. }
            )
        })
    }

    /// Whether anything is being carried out for the task.
    pub(super) fn is_busy(&self, id: &str) -> bool {
        self.under_way.contains_key(&Lane::Step(id.to_owned()))
    }

    fn take_in(&mut self, given: GivenAnswer) {
        let id = given.task.as_str();
        let over = match self.state.tasks.get(id).map(|task| task.standing) {
            Some(Standing::Done) => Some("is done already"),
            Some(Standing::Skipped(_)) => Some("was left out already"),
            _ => None,
        };
        if let Some(over) = over {
            return self.notice(format!("{id} {over}; the answer to it changes nothing"));
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

    /// Does the first of what is wanted; `false` when nothing is.
    pub(super) fn take_wish(&mut self, view: &PlanView) -> bool {
        if self.leave_one_out() {
            return true;
        }
        // What is at work for a step ends first.
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

    /// Leaves out one of the steps that a choice leaves out and for which nothing is at work.
    pub(super) fn leave_one_out(&mut self) -> bool {
        let mut due = self.leaving_out.keys().filter(|task| !self.is_busy(task));
        let Some(task) = due.next().cloned() else {
            return false;
        };
        let reason = self.leaving_out.remove(&task).unwrap_or_default();
        let known = self.state.tasks.get(&task).map(|known| known.standing);
        if !matches!(known, Some(Standing::Done | Standing::Skipped(_))) {
            self.record_skip(task, reason, SkippedBy::Branch);
        }
        true
    }

    /// Leaves a step out that is not over.
    fn skip(&mut self, view: &PlanView, task: &str, reason: String) -> Result<(), String> {
        self.open_step(view, task)?;
        self.waiting.remove(task);
        self.failed_here.retain(|failed| failed != task);
        self.record_skip(task.to_owned(), reason, SkippedBy::Person);
        Ok(())
    }

    /// Has a failed step tried again: an answer to the question that its failure puts, so that all
    /// that stands before a step stands before it once more.
    fn retry(&mut self, view: &PlanView, task: &str) -> Result<(), String> {
        self.open_step(view, task)?;
        let standing = self.state.tasks.get(task).map(|task| task.standing);
        if standing != Some(Standing::Failed) {
            return Err(format!("{task} has not failed, so it is not tried again"));
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

    /// Where a step of this run stands that is not over.
    pub(super) fn open_step(&self, view: &PlanView, id: &str) -> Result<usize, String> {
        let mut scope = view.scope(&self.state).into_iter();
        let Some(index) = scope.find(|index| view.plan.tasks[*index].id.as_str() == id) else {
            return Err(format!("{id} is no step of this run"));
        };
        match view.leaf(&self.state, index) {
            Leaf::Open => Ok(index),
            Leaf::Done => Err(format!("{id} is done already")),
            Leaf::Skipped(_) => Err(format!("{id} was left out already")),
        }
    }

    /// Where the wish stands that this step be left out.
    fn skip_of(&self, id: &str) -> Option<usize> {
        let is_it = |wish: &Steer| matches!(wish, Steer::Skip { task, .. } if task == id);
        self.wishes.iter().position(is_it)
    }

    /// Whether the person wants this step left out.
    pub(super) fn is_to_be_skipped(&self, id: &str) -> bool {
        self.skip_of(id).is_some()
    }

    /// The reason of a wish to leave this step out, which is then fulfilled.
    pub(super) fn take_skip(&mut self, id: &str) -> Option<String> {
        match self.wishes.remove(self.skip_of(id)?) {
            Steer::Skip { reason, .. } => Some(reason),
            _ => None,
        }
    }

    /// Whether anything in scope is still to be carried out.
    pub(super) fn is_unfinished(&self, view: &PlanView) -> bool {
        let mut scope = view.scope(&self.state).into_iter();
        scope.any(|index| view.leaf(&self.state, index) == Leaf::Open)
    }

    pub(super) fn pause_here(&mut self) {
        let message = "paused; `planwright resume` goes on".to_owned();
        self.end(EndState::Paused, message);
    }
}

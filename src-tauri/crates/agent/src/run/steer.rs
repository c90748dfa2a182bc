//! What a person says while the run goes on: answers, words for the steps, pause, skip, retry, another way.
//!
//! Nothing is decided where it comes in. Answers become journal entries and wait for their
//! question; the rest waits for the next decision, when the plan is read and nothing is under way.

use gate::answers::Answer;
use gate::question::QuestionKind;
use gate::recovery::RecoveryStrategy;

use super::ready::Leaf;
use super::state::Standing;
use super::{Effect, Event, Lane, Machine, PlanView};
use crate::given::GivenAnswer;
use crate::journal::{EndState, Entry, SkippedBy};

/// What is wanted for one step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Wish {
    /// Leave it out.
    Skip { task: String, reason: String },
    /// Try it again.
    Retry { task: String },
    /// Go on with it in this way.
    Recover {
        task: String,
        strategy: RecoveryStrategy,
        words: Option<String>,
    },
}

impl Machine {
    /// Takes what steers; gives back every other event.
    pub(super) fn steer(&mut self, event: Event) -> Option<Event> {
        if self.state.ended.is_some() && event.steers() {
            self.notice("the run has ended; resume it with what you want".to_owned());
            return None;
        }
        match event {
            Event::Answered(given) => {
                for given in given {
                    self.take_in(given);
                }
            }
            Event::Said { words } => self.record(Entry::Said { words }),
            Event::Pause => self.pausing = true,
            Event::Skip { task, reason } => {
                if self.is_under_way(&task) {
                    self.out.push(Effect::Interrupt { task: task.clone() });
                }
                self.wishes.push(Wish::Skip { task, reason });
            }
            Event::Retry { task } => self.wishes.push(Wish::Retry { task }),
            Event::Recover {
                task,
                strategy,
                words,
            } => {
                if self.is_under_way(&task) {
                    self.out.push(Effect::Interrupt { task: task.clone() });
                }
                self.wishes.push(Wish::Recover {
                    task,
                    strategy,
                    words,
                });
            }
            other => return Some(other),
        }
        None
    }

    /// What a person wanted for single steps and this process did not get to.
    pub fn take_wishes(&mut self) -> Vec<Event> {
        let wishes = std::mem::take(&mut self.wishes);
        wishes
            .into_iter()
            .map(|wish| match wish {
                Wish::Skip { task, reason } => Event::Skip { task, reason },
                Wish::Retry { task } => Event::Retry { task },
                Wish::Recover {
                    task,
                    strategy,
                    words,
                } => Event::Recover {
                    task,
                    strategy,
                    words,
                },
            })
            .collect()
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
        if self
            .waiting
            .get(id)
            .is_some_and(|asked| given.is_for(asked))
        {
            self.waiting.remove(id);
        }
        if given.question == QuestionKind::Failure {
            self.failed_here.retain(|failed| failed != id);
        }
        self.plan_is_fresh = false;
        self.record(Entry::Given { given });
    }

    fn notice(&mut self, message: String) {
        self.out.push(Effect::Notice { message });
    }

    /// Does the first of what is wanted; `false` when nothing is.
    pub(super) fn take_wish(&mut self, view: &PlanView) -> bool {
        // What is at work for a step ends first.
        let is_due = |wish: &Wish| {
            let (Wish::Skip { task, .. } | Wish::Retry { task } | Wish::Recover { task, .. }) =
                wish;
            !self.under_way.contains_key(&Lane::Step(task.clone()))
        };
        let Some(at) = self.wishes.iter().position(is_due) else {
            return false;
        };
        let done = match self.wishes.remove(at) {
            Wish::Skip { task, reason } => self.skip(view, &task, reason),
            Wish::Retry { task } => self.retry(view, &task),
            Wish::Recover {
                task,
                strategy,
                words,
            } => self.choose(view, &task, strategy, words),
        };
        if let Err(message) = done {
            self.notice(message);
        }
        true
    }

    /// Leaves a step out that is not over.
    fn skip(&mut self, view: &PlanView, task: &str, reason: String) -> Result<(), String> {
        self.open_step(view, task)?;
        self.waiting.remove(task);
        self.failed_here.retain(|failed| failed != task);
        self.record(Entry::Skipped {
            task: task.to_owned(),
            reason,
            by: SkippedBy::Person,
        });
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

    fn open_step(&self, view: &PlanView, id: &str) -> Result<(), String> {
        let mut scope = view.scope(&self.state).into_iter();
        let Some(index) = scope.find(|index| view.plan.tasks[*index].id.as_str() == id) else {
            return Err(format!("{id} is no step of this run"));
        };
        match view.leaf(&self.state, index) {
            Leaf::Open => Ok(()),
            Leaf::Done => Err(format!("{id} is done already")),
            Leaf::Skipped(_) => Err(format!("{id} was left out already")),
        }
    }

    /// Whether the person wants this step left out.
    pub(super) fn is_to_be_skipped(&self, id: &str) -> bool {
        let is_it = |wish: &Wish| matches!(wish, Wish::Skip { task, .. } if task == id);
        self.wishes.iter().any(is_it)
    }

    /// The reason of a wish to leave this step out, which is then fulfilled.
    pub(super) fn take_skip(&mut self, id: &str) -> Option<String> {
        let at = self
            .wishes
            .iter()
            .position(|wish| matches!(wish, Wish::Skip { task, .. } if task == id))?;
        match self.wishes.remove(at) {
            Wish::Skip { reason, .. } => Some(reason),
            Wish::Retry { .. } | Wish::Recover { .. } => None,
        }
    }

    /// Whether anything in scope is still to be carried out.
    pub(super) fn is_unfinished(&self, view: &PlanView) -> bool {
        let scope = view.scope(&self.state);
        scope
            .into_iter()
            .any(|index| view.leaf(&self.state, index) == Leaf::Open)
    }

    pub(super) fn pause_here(&mut self) {
        let message = "paused; `planwright resume` goes on".to_owned();
        self.end(EndState::Paused, message);
    }
}

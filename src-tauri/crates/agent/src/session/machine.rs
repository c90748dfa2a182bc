//! The state machine of a session: events in, effects out.
//!
//! Submodules: `effect` defines events and effects, `turn` starts, continues and ends a turn,
//! `calls` carries out the calls of a reply, `plan_calls` handles the results of calls on the plan,
//! and `conclude` judges a reply without calls.
//!
//! Only one effect is in progress at a time. [`Effect::Store`], [`Effect::Show`],
//! [`Effect::Notice`] and [`Effect::Interrupt`] need no answer; [`Effect::EndTurn`] means that
//! nothing is in progress; every other effect is answered by exactly one event. An unexpected
//! answer is ignored, so an answer that arrives after a cancellation is harmless. The machine isn't
//! stored; it is rebuilt from rows.

mod calls;
mod conclude;
mod effect;
mod plan_calls;
mod turn;

use gate::path::PlanPlace;
use gate::permissions::Rule;

use super::call::PlanTarget;
use super::entry::{Answer, Ending, Entry, Mode, ModeSetBy, PlanChange, Purpose};
use super::request::{Profile, tokens};
use super::state::State;
use crate::turn::Usage;

pub use effect::{EditedPlan, Effect, Event, Outcome, PlanFound, PlanNow, Standing, WrittenPlan};

/// Values that the process gives to a session; none of them is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// The session's id, for which its permits are issued.
    pub session: String,
    /// The location of the plan.
    pub plan: PlanPlace,
    /// The permission rules in force.
    pub rules: Vec<Rule>,
    /// Whether a sandbox has been shown to keep commands from writing.
    pub can_run_read_only: bool,
    /// Whether a plan that is too thin can't be proposed (`plan_adequacy_enforce`).
    pub is_enforced: bool,
    /// Maximum number of model requests per turn.
    pub max_requests: u32,
    /// The model's limits.
    pub profile: Profile,
}

/// The default maximum number of model requests per turn.
pub const MAX_REQUESTS: u32 = 60;

/// The notice shown if a message in exec mode reaches the session instead of a run.
const EXEC_MODE_NOTICE: &str = "In exec mode, messages go to the plan's run. Approve the plan, or \
                             switch to plan mode.";

#[derive(Debug, Clone, PartialEq)]
enum Pending {
    /// Waits for the plan before the first request of a turn.
    Head,
    /// Waits for the plan before an unfinished turn continues.
    Again,
    Model,
    Tool(String),
    EditPlan(String, PlanTarget, String),
    ReadPlan(String, Option<String>),
    CheckPlan(String),
    Person,
    Summary(usize),
}

/// A running session.
#[derive(Debug)]
pub struct Machine {
    state: State,
    config: Config,
    /// The plan as last read during this turn.
    plan: Option<PlanFound>,
    pending: Option<Pending>,
    is_cancelled: bool,
    /// A change to the plan made outside the session since the last request.
    changed: Option<PlanChange>,
    /// The effects that are due since the last batch, including entries to store.
    out: Vec<Effect>,
}

impl Machine {
    /// Rebuilds a session from its rows. Without rows, creates a new session in plan mode.
    pub fn replay(entries: &[Entry], config: Config) -> Self {
        Self::of(State::replay(entries), config)
    }

    /// A session with this state.
    pub fn of(state: State, config: Config) -> Self {
        Self {
            state,
            config,
            plan: None,
            pending: None,
            is_cancelled: false,
            changed: None,
            out: Vec::new(),
        }
    }

    /// Sets whether the sandbox keeps commands from writing. It need not be known until the first
    /// reply arrives.
    pub fn prove(&mut self, can_run_read_only: bool) {
        self.config.can_run_read_only = can_run_read_only;
    }

    /// The current state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Whether a turn was left unfinished. [`Event::Resume`] continues it; [`Event::Said`] abandons
    /// it.
    pub fn is_unfinished(&self) -> bool {
        self.state.turn.is_some() && self.pending.is_none()
    }

    /// Handles an event and returns the effects to carry out, in order.
    pub fn handle(&mut self, event: Event) -> Vec<Effect> {
        match event {
            Event::Said { words, purpose } => self.said(words, purpose),
            Event::Feedback { revision, words } => self.feedback(revision, words),
            Event::SetMode { to, by } => self.set_mode(to, by, None),
            Event::Approved { revision } => self.approved(revision),
            Event::Worked {
                run,
                words,
                approved,
            } => self.worked(run, words, approved),
            Event::PlanChanged { change } => self.plan_changed(change),
            Event::Cancel => self.cancel(),
            Event::ReplyStopped { usage } => {
                if usage != Usage::default() {
                    self.record(Entry::ReplyStopped { usage });
                }
                self.cancel();
            }
            Event::Resume => self.resume(),
            Event::Answered { call, answer } => self.answered(&call, answer),
            event => {
                if let Some(pending) = self.pending.take() {
                    self.take_answer(event, pending);
                }
            }
        }
        std::mem::take(&mut self.out)
    }

    fn take_answer(&mut self, event: Event, pending: Pending) {
        match (event, pending) {
            (Event::PlanRead { found, known_text }, Pending::Head) => {
                self.begin_turn(found, known_text.as_deref());
            }
            (Event::PlanRead { found, .. }, Pending::Again) => {
                self.plan = Some(found);
                self.go_on();
            }
            (Event::PlanRead { found, known_text }, Pending::ReadPlan(id, task)) => {
                self.plan_was_read(&id, task.as_deref(), found, known_text.as_deref());
            }
            (Event::ReplyArrived(reply), Pending::Model) => self.reply(reply),
            (Event::ModelFailed { reason }, Pending::Model) => {
                self.end(Ending::Failed { reason });
            }
            (Event::CallDone { id, outcome }, Pending::Tool(awaited)) if id == awaited => {
                self.call_done(&id, outcome);
            }
            (Event::PlanEdited { id, edited }, Pending::EditPlan(awaited, target, new_text))
                if id == awaited =>
            {
                self.plan_edited(&id, &target, &new_text, edited);
            }
            (
                Event::PlanChecked {
                    id,
                    found,
                    standing,
                    before,
                },
                Pending::CheckPlan(awaited),
            ) if id == awaited => {
                self.plan_checked(&id, found, standing.as_ref(), before.as_deref());
            }
            (Event::Compacted { summary, usage }, Pending::Summary(keep)) => {
                self.compacted(keep, summary, usage);
            }
            // This is not the expected answer, so keep waiting.
            (_, pending) => self.pending = Some(pending),
        }
    }

    /// Applies an entry and stores it before the next effect.
    fn record(&mut self, entry: Entry) {
        self.state.apply(&entry);
        match self.out.last_mut() {
            Some(Effect::Store(entries)) => entries.push(entry),
            _ => self.out.push(Effect::Store(vec![entry])),
        }
    }

    fn begin(&mut self, pending: Pending, effect: Effect) {
        self.pending = Some(pending);
        self.out.push(effect);
    }

    fn notice(&mut self, message: impl Into<String>) {
        let message = message.into();
        self.out.push(Effect::Notice { message });
    }

    fn plan_now(&self) -> Option<&PlanNow> {
        match &self.plan {
            Some(PlanFound::There(now)) => Some(now),
            _ => None,
        }
    }

    /// Handles a message from the person: the answer to an open question, or else the start of a
    /// new turn.
    fn said(&mut self, words: String, purpose: Purpose) {
        if let Some(question) = self.state.question.clone() {
            // A text message never grants a permission.
            let answer = match question.permission {
                Some(_) => Answer::No { words },
                None => Answer::Words { words },
            };
            return self.answered(&question.call, answer);
        }
        if self.pending.is_some() {
            return self.notice("A turn is in progress. Wait for it to finish, or cancel it.");
        }
        let profile = &self.config.profile;
        if tokens(&words) > profile.context_window / 2 {
            return self.notice(
                "The message is too long for this model. Save it to a file in the workspace and \
                 name that file instead.",
            );
        }
        if self.state.turn.is_some() {
            self.close(Ending::Cancelled);
        }
        // A goal asks for a plan, and plans are written in plan mode.
        if purpose == Purpose::Goal {
            self.set_mode(Mode::Plan, ModeSetBy::Person, None);
        }
        if self.state.mode == Mode::Exec {
            return self.notice(EXEC_MODE_NOTICE);
        }
        self.record(Entry::Said { words, purpose });
        self.plan = None;
        self.changed = None;
        self.is_cancelled = false;
        self.read_plan(Pending::Head);
    }
}

//! The state machine of the expansion loop.

use std::sync::Arc;

use plan::{Plan, TaskId};

use super::candidate::{Candidate, Judge};
use super::merge::{self, Edit};
use super::outcome::{Outcome, Round, Standing, Status, StopReason, improved};
use super::preserve::{Refusal, refusals};
use super::settings::{LoopMode, Settings, refine_output_cap};
use crate::code::Code;
use crate::facts::WorkspaceFacts;
use crate::identity::fingerprint;
use crate::report::Report;
use repair::{ReplyTask, read_tasks};

/// Input of the expansion loop.
#[derive(Debug, Clone)]
pub struct Input {
    /// The text of the plan to expand.
    pub text: String,
    /// The goal, if it differs from the plan's own.
    pub goal: Option<String>,
    /// Files that the user put in scope.
    pub scope: Vec<String>,
    /// Known facts about the workspace.
    pub facts: Arc<WorkspaceFacts>,
    /// Whether a model will carry the plan out.
    pub has_model: bool,
    /// The settings, clamped to their valid ranges.
    pub settings: Settings,
    /// Tokens spent on creating the first plan.
    pub tokens_used: u64,
    /// Whether there are gaps that no finding reports. If so, a forced loop continues even without
    /// findings.
    pub has_gaps: bool,
}

/// The driver's answer to a request.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A reply from the driver.
    Reply {
        /// The content of the reply.
        reply: ReplyForm,
        /// Tokens used by the request and the reply.
        tokens: u64,
    },
    /// No model is available.
    ModelMissing,
    /// The model is busy with another request.
    ModelBusy,
    /// The model did not reply.
    ModelFailed,
    /// A person cancelled the loop.
    Cancelled,
}

/// The content of a reply.
#[derive(Debug, Clone, PartialEq)]
pub enum ReplyForm {
    /// The model's text: JSON, possibly surrounded by other text.
    Text(String),
    /// Parsed tasks.
    Tasks(Vec<ReplyTask>),
    /// Edits of the plan that the request contained.
    Edits(Vec<Edit>),
}

/// The next action.
#[derive(Debug, Clone)]
pub enum Step {
    /// Ask the driver for a round.
    Ask(Box<RoundRequest>),
    /// The loop has ended; later events have no effect.
    Stop(Box<Outcome>),
}

/// Input of a driver for one round.
#[derive(Debug, Clone)]
pub struct RoundRequest {
    /// Number of the round, from 1.
    pub round: u32,
    /// The best text so far.
    pub text: String,
    /// The parsed form of `text`.
    pub plan: Plan,
    /// The ids of all tasks, none of which may be lost.
    pub ids: Vec<TaskId>,
    /// The report on this plan.
    pub report: Report,
    /// The goal, if it differs from the plan's own.
    pub goal: Option<String>,
    /// Files that the user put in scope.
    pub scope: Vec<String>,
    /// Known facts about the workspace.
    pub facts: Arc<WorkspaceFacts>,
    /// Whether a model will carry the plan out.
    pub has_model: bool,
    /// The settings of the loop.
    pub bounds: Settings,
    /// Maximum number of steps that may be added.
    pub room: u32,
    /// Maximum number of tokens in the reply.
    pub output_cap: u32,
    /// Why the previous round was refused.
    pub refused: Option<String>,
    /// The first 1,600 characters of a reply that could not be parsed. The driver must be asked for
    /// the same content as valid JSON.
    pub repair: Option<String>,
}

/// The expansion loop for one plan.
#[derive(Debug, Clone)]
pub struct Expansion {
    input: Input,
    original: Plan,
    best: Candidate,
    before: Standing,
    rounds: Vec<Round>,
    tokens_used: u64,
    /// Tokens used by a reply that is being repaired.
    unread_tokens: u64,
    is_repairing: bool,
    last_reply: Option<u64>,
    refused: Option<String>,
    handles: u32,
    outcome: Option<Outcome>,
}

/// How many characters of an unparsable reply the model is shown again.
const BAD_OUTPUT_CHARS: usize = 1600;

impl Expansion {
    /// Examines the plan and returns the first step.
    pub fn start(input: Input) -> (Self, Step) {
        let input = Input {
            settings: input.settings.clone().clamped(),
            ..input
        };
        let (original, problems) = plan::parse(&input.text);
        let best = Judge::of(&input).original(&original, &problems);
        let mut this = Self {
            before: best.standing.clone(),
            best,
            original,
            rounds: Vec::new(),
            tokens_used: input.tokens_used,
            unread_tokens: 0,
            is_repairing: false,
            last_reply: None,
            refused: None,
            handles: 0,
            outcome: None,
            input,
        };
        let step = this.first();
        (this, step)
    }

    /// Processes the driver's answer and returns the next step.
    pub fn handle(&mut self, event: Event) -> Step {
        if let Some(outcome) = &self.outcome {
            return Step::Stop(Box::new(outcome.clone()));
        }
        match event {
            Event::Reply { reply, tokens } => self.reply(reply, tokens),
            Event::ModelMissing => self.stop(StopReason::ModelResolveFailed),
            Event::ModelBusy => self.stop(StopReason::ModelLock),
            Event::ModelFailed => self.stop(StopReason::CompletionFailed),
            Event::Cancelled => self.stop(StopReason::Cancelled),
        }
    }

    fn first(&mut self) -> Step {
        let settings = &self.input.settings;
        let is_on = match settings.loop_mode {
            LoopMode::Off => settings.auto_expand_thin_plan && self.is_wanting(),
            LoopMode::Auto | LoopMode::Force => true,
        };
        if !is_on || settings.max_refine_rounds == 0 {
            return self.stop_as(Status::Off, StopReason::None);
        }
        if settings.loop_mode == LoopMode::Auto && !self.is_wanting() {
            return self.stop(StopReason::None);
        }
        self.next_round()
    }

    /// Whether the best plan so far is weak or risky, or doesn't cover a listed requirement.
    fn is_wanting(&self) -> bool {
        let standing = &self.best.standing;
        standing.badge.is_weak()
            || standing
                .adequacy_reason_codes
                .contains(&Code::UncoveredRequirement)
            || standing.aggregate_unresolved_risk > self.input.settings.gap_risk_threshold
    }

    fn next_round(&mut self) -> Step {
        let settings = &self.input.settings;
        let is_forced = settings.loop_mode == LoopMode::Force;
        let standing = &self.best.standing;
        // An outline can have no findings and still need expansion.
        let has_nothing = standing.findings == 0 && !standing.badge.is_weak();
        if is_forced && has_nothing && !self.input.has_gaps {
            return self.stop(StopReason::Ready);
        }
        if self.rounds.len() as u64 >= u64::from(settings.rounds()) {
            return self.stop(StopReason::MaxRefineRounds);
        }
        let budget = settings.refine_budget_tokens;
        if budget > 0 && self.tokens_used >= budget {
            return self.stop(StopReason::TokenBudget);
        }
        Step::Ask(Box::new(self.request(None)))
    }

    fn request(&self, repair: Option<String>) -> RoundRequest {
        let (input, best) = (&self.input, &self.best);
        let settings = &input.settings;
        RoundRequest {
            round: self.number(),
            text: best.text.clone(),
            ids: best.plan.tasks.iter().map(|task| task.id.clone()).collect(),
            plan: best.plan.clone(),
            report: best.report.clone(),
            goal: input.goal.clone(),
            scope: input.scope.clone(),
            facts: Arc::clone(&input.facts),
            has_model: input.has_model,
            room: self.room(),
            output_cap: refine_output_cap(
                settings.plan_depth,
                settings.refine_budget_tokens,
                self.tokens_used,
            ),
            bounds: settings.clone(),
            refused: self.refused.clone(),
            repair,
        }
    }

    fn number(&self) -> u32 {
        u32::try_from(self.rounds.len() + 1).unwrap_or(u32::MAX)
    }

    fn room(&self) -> u32 {
        let tasks = u32::try_from(self.best.plan.tasks.len()).unwrap_or(u32::MAX);
        self.input.settings.max_tasks.saturating_sub(tasks)
    }

    fn reply(&mut self, reply: ReplyForm, tokens: u64) -> Step {
        self.tokens_used = self.tokens_used.saturating_add(tokens);
        self.unread_tokens = self.unread_tokens.saturating_add(tokens);
        let (hash, merged) = match reply {
            ReplyForm::Text(text) => match read_tasks(&text) {
                Ok(tasks) => self.merged(&tasks),
                Err(_) if self.is_repairing => return self.stop(StopReason::InvalidRefineJson),
                Err(_) => {
                    self.is_repairing = true;
                    let bad = text.chars().take(BAD_OUTPUT_CHARS).collect();
                    return Step::Ask(Box::new(self.request(Some(bad))));
                }
            },
            ReplyForm::Tasks(tasks) => self.merged(&tasks),
            ReplyForm::Edits(edits) => {
                let hash = fingerprint(&format!("{edits:?}"));
                (hash, merge::Merged::of_edits(edits))
            }
        };
        self.is_repairing = false;
        let is_again = self.last_reply.replace(hash) == Some(hash);
        self.round(merged, is_again)
    }

    fn merged(&self, tasks: &[ReplyTask]) -> (u64, merge::Merged) {
        let best = &self.best;
        (
            merge::hash(tasks),
            merge::of_tasks(&best.plan, &best.report, tasks, self.room()),
        )
    }

    /// Judges one round and returns the next step.
    fn round(&mut self, merged: merge::Merged, is_again: bool) -> Step {
        let judge = Judge::of(&self.input);
        let mut handles = self.handles;
        let (candidate, mut left_out) =
            judge.candidate(&self.original, &self.best, merged.edits, &mut handles);
        left_out.splice(0..0, merged.left_out);
        let refusals = refusals(
            &self.best,
            &candidate,
            self.input.settings.loop_mode == LoopMode::Force,
            self.input.settings.max_tasks,
        );
        let is_accepted = refusals.is_empty();
        let is_idle = refusals.contains(&Refusal::NothingBetter);
        let message = message(&self.best, &candidate, &refusals, &left_out);
        self.rounds.push(Round {
            number: self.number(),
            is_accepted,
            message: message.clone(),
            left_out,
            before: self.best.standing.clone(),
            after: candidate.standing.clone(),
            added: candidate.added_since(&self.best),
            refusals,
            tokens: std::mem::take(&mut self.unread_tokens),
        });
        if is_accepted {
            self.best = candidate;
            self.handles = handles;
            self.refused = None;
        } else {
            self.refused = Some(message);
        }
        let is_ready = self.input.settings.loop_mode != LoopMode::Force && !self.is_wanting();
        if is_accepted && is_ready {
            self.stop(StopReason::ReadyBelowThreshold)
        } else if is_again {
            self.stop(StopReason::Oscillation)
        } else if is_idle {
            self.stop(StopReason::NoImprovement)
        } else {
            self.next_round()
        }
    }

    fn stop(&mut self, reason: StopReason) -> Step {
        self.stop_as(reason.status(), reason)
    }

    fn stop_as(&mut self, status: Status, stop_reason: StopReason) -> Step {
        let outcome = Outcome {
            status,
            stop_reason,
            loop_mode_effective: self.input.settings.loop_mode_effective(),
            rounds: self.rounds.clone(),
            text: self.best.text.clone(),
            changes: self.best.changes.clone(),
            before: self.before.clone(),
            after: self.best.standing.clone(),
            adequacy_improved_heuristic: improved(&self.before, &self.best.standing),
            tokens_used: self.tokens_used,
        };
        self.outcome = Some(outcome.clone());
        Step::Stop(Box::new(outcome))
    }
}

/// Summary of a round, in a sentence or two.
fn message(
    best: &Candidate,
    candidate: &Candidate,
    refusals: &[Refusal],
    left_out: &[String],
) -> String {
    const SHOWN: usize = 3;
    let more = |all: usize| match all.saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let mut message = if refusals.is_empty() {
        let added = candidate.added_since(best).len();
        let changed = candidate.changed_since(best);
        match (added, changed) {
            (0, 0) => "Changes no steps".to_owned(),
            (0, _) => format!("Changes {}", steps(changed)),
            (_, 0) => format!("Adds {}", steps(added)),
            _ => format!("Adds {} and changes {}", steps(added), steps(changed)),
        }
    } else {
        let why: Vec<String> = refusals
            .iter()
            .take(SHOWN)
            .map(Refusal::to_string)
            .collect();
        format!("Refused: {}{}", why.join("; "), more(refusals.len()))
    };
    message.push('.');
    if !left_out.is_empty() {
        let said: Vec<&str> = left_out.iter().take(SHOWN).map(String::as_str).collect();
        message.push_str(&format!(
            " Left out: {}{}.",
            said.join("; "),
            more(left_out.len())
        ));
    }
    message
}

fn steps(count: usize) -> String {
    match count {
        1 => "1 step".to_owned(),
        count => format!("{count} steps"),
    }
}

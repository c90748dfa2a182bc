//! How a loop ended, and what each round came to.

use plan::{Plan, TaskId};
use serde::Serialize;

use super::change::Change;
use super::preserve::Refusal;
use crate::code::{Badge, Code, Severity};
use crate::report::Report;

/// What became of the loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It was not asked for.
    Off,
    /// It ran to its end, or had nothing to do.
    Ready,
    /// The tokens were used up.
    StoppedBudget,
    /// There was no model to ask.
    StoppedModelError,
    /// The model failed.
    StoppedLlmError,
    /// The model's reply could not be read.
    StoppedParseError,
    /// The replies brought nothing more.
    StoppedPlateau,
    /// A person ended it.
    Cancelled,
}

impl Status {
    /// The name used in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Ready => "ready",
            Self::StoppedBudget => "stopped_budget",
            Self::StoppedModelError => "stopped_model_error",
            Self::StoppedLlmError => "stopped_llm_error",
            Self::StoppedParseError => "stopped_parse_error",
            Self::StoppedPlateau => "stopped_plateau",
            Self::Cancelled => "cancelled",
        }
    }
}

/// Why the loop ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// There was nothing to do.
    None,
    /// As many rounds as allowed were made.
    MaxRefineRounds,
    /// The plan is neither thin nor risky any more.
    ReadyBelowThreshold,
    /// A forced loop has nothing left to mend.
    Ready,
    /// The tokens were used up before the next round.
    TokenBudget,
    /// There is no model.
    ModelResolveFailed,
    /// The model is in use.
    ModelLock,
    /// The model gave no reply.
    CompletionFailed,
    /// The reply, and its repair, could not be read.
    InvalidRefineJson,
    /// Two replies in a row were the same.
    Oscillation,
    /// A reply had nothing that makes the plan better.
    NoImprovement,
    /// A person ended it.
    Cancelled,
}

impl StopReason {
    /// Every reason.
    pub const ALL: [Self; 12] = [
        Self::None,
        Self::MaxRefineRounds,
        Self::ReadyBelowThreshold,
        Self::Ready,
        Self::TokenBudget,
        Self::ModelResolveFailed,
        Self::ModelLock,
        Self::CompletionFailed,
        Self::InvalidRefineJson,
        Self::Oscillation,
        Self::NoImprovement,
        Self::Cancelled,
    ];

    /// The name used in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::MaxRefineRounds => "max_refine_rounds",
            Self::ReadyBelowThreshold => "ready_below_threshold",
            Self::Ready => "ready",
            Self::TokenBudget => "token_budget",
            Self::ModelResolveFailed => "model_resolve_failed",
            Self::ModelLock => "model_lock",
            Self::CompletionFailed => "completion_failed",
            Self::InvalidRefineJson => "invalid_refine_json",
            Self::Oscillation => "oscillation",
            Self::NoImprovement => "no_improvement",
            Self::Cancelled => "cancelled",
        }
    }

    /// The reason as a sentence for a person.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::None => "There was nothing to expand.",
            Self::MaxRefineRounds => {
                "All rounds were made; raise `max_refine_rounds` for more of them."
            }
            Self::ReadyBelowThreshold => "The plan is neither thin nor risky any more.",
            Self::Ready => "There is nothing left to mend.",
            Self::TokenBudget => {
                "The tokens for planning are used up; raise `refine_budget_tokens` for more."
            }
            Self::ModelResolveFailed => "There is no model to ask; choose one in the settings.",
            Self::ModelLock => "The model is busy with something else; try again later.",
            Self::CompletionFailed => "The model gave no reply; try again.",
            Self::InvalidRefineJson => {
                "The model's reply could not be read, and neither could its repair."
            }
            Self::Oscillation => "Two replies in a row were the same.",
            Self::NoImprovement => "The last round found nothing more that makes the plan better.",
            Self::Cancelled => "You stopped it.",
        }
    }

    /// The status that goes with it.
    pub(crate) fn status(self) -> Status {
        match self {
            Self::None | Self::MaxRefineRounds | Self::ReadyBelowThreshold | Self::Ready => {
                Status::Ready
            }
            Self::TokenBudget => Status::StoppedBudget,
            Self::ModelResolveFailed | Self::ModelLock => Status::StoppedModelError,
            Self::CompletionFailed => Status::StoppedLlmError,
            Self::InvalidRefineJson => Status::StoppedParseError,
            Self::Oscillation | Self::NoImprovement => Status::StoppedPlateau,
            Self::Cancelled => Status::Cancelled,
        }
    }
}

/// The numbers of one text's report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Standing {
    /// 0 to 1.
    pub score: f64,
    /// The word beside it.
    pub badge: Badge,
    /// Whether it is too thin.
    pub is_too_thin: bool,
    /// The plan codes.
    pub adequacy_reason_codes: Vec<Code>,
    /// The mean risk of the steps, 0 to 1.
    pub aggregate_unresolved_risk: f64,
    /// Tasks with a critical finding.
    pub critical_count: u32,
    /// The least number of steps for the goal.
    #[serde(skip)]
    pub detail_target_min_tasks: u32,
    /// The goal's complexity.
    #[serde(skip)]
    pub estimated_goal_complexity: u32,
    /// Tasks without sub-tasks.
    pub tasks: u32,
    /// Findings that are not muted, those that only inform left out.
    pub findings: u32,
}

impl Standing {
    /// The numbers of a plan's report.
    pub fn of(plan: &Plan, report: &Report) -> Self {
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let counts = |finding: &&crate::report::Finding| {
            finding.muted.is_none() && finding.severity < Severity::Info
        };
        Self {
            score: report.score,
            badge: report.badge,
            is_too_thin: report.is_too_thin,
            adequacy_reason_codes: report.adequacy_reason_codes.clone(),
            aggregate_unresolved_risk: report.aggregate_unresolved_risk,
            critical_count: report.critical_count,
            detail_target_min_tasks: report.detail_target_min_tasks,
            estimated_goal_complexity: report.estimated_goal_complexity,
            tasks: count(plan.leaves().count()),
            findings: count(report.findings.iter().filter(counts).count()),
        }
    }
}

/// `adequacy_improved_heuristic`: the score rose by more than 0.01, or the plan is no longer weak, or
/// the risk fell by more than 0.02.
pub fn improved(before: &Standing, after: &Standing) -> bool {
    after.score > before.score + 0.01
        || before.badge.is_weak() && !after.badge.is_weak()
        || after.aggregate_unresolved_risk < before.aggregate_unresolved_risk - 0.02
}

/// One round. Its JSON says what a person is told of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Round {
    /// From 1.
    pub number: u32,
    /// Whether its text became the best one.
    pub is_accepted: bool,
    /// What it did, or why it was refused, in plain sentences.
    pub message: String,
    /// Why it was refused; empty where it was accepted.
    #[serde(skip)]
    pub refusals: Vec<Refusal>,
    /// What of the reply was not taken, in a few words each: rewordings that nothing asked for,
    /// steps above `max_tasks`, values that could not be written.
    #[serde(skip)]
    pub left_out: Vec<String>,
    /// The numbers before.
    pub before: Standing,
    /// The numbers of the text that the reply came to, refused or not.
    pub after: Standing,
    /// Tasks that the reply added.
    #[serde(skip)]
    pub added: Vec<TaskId>,
    /// Tokens used by it.
    #[serde(skip)]
    pub tokens: u64,
}

/// The end of a loop. Its JSON is the body of `expand --json`, without the text.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcome {
    /// What became of it.
    pub status: Status,
    /// Why it ended.
    pub stop_reason: StopReason,
    /// `off`, `off+auto_expand_thin`, `auto` or `force`.
    pub loop_mode_effective: &'static str,
    /// Every round, refused ones too.
    pub rounds: Vec<Round>,
    /// The best text: what all changes together make of the original.
    #[serde(skip)]
    pub text: String,
    /// What to take, one by one.
    pub changes: Vec<Change>,
    /// The numbers of the original.
    pub before: Standing,
    /// The numbers of the best text.
    pub after: Standing,
    /// `adequacy_improved_heuristic`.
    pub adequacy_improved_heuristic: bool,
    /// Tokens used in all, those of the first plan included.
    #[serde(skip)]
    pub tokens_used: u64,
}

//! How an expansion loop ended, and the result of each round.

use plan::{Plan, TaskId};
use serde::Serialize;

use super::change::Change;
use super::preserve::Refusal;
use crate::code::{Badge, Code, Severity};
use crate::report::Report;

/// Final status of the loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The loop was not requested.
    Off,
    /// The loop was completed, or there was nothing to do.
    Ready,
    /// The token budget was used up.
    StoppedBudget,
    /// No model was available.
    StoppedModelError,
    /// The model failed.
    StoppedLlmError,
    /// The model's reply could not be parsed.
    StoppedParseError,
    /// The replies no longer improved the plan.
    StoppedPlateau,
    /// A person cancelled the loop.
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
    /// The maximum number of rounds was reached.
    MaxRefineRounds,
    /// The plan is no longer thin or risky.
    ReadyBelowThreshold,
    /// In a forced loop, there is nothing left to fix.
    Ready,
    /// The token budget was used up before the next round.
    TokenBudget,
    /// No model is available.
    ModelResolveFailed,
    /// The model is busy with another request.
    ModelLock,
    /// The model did not reply.
    CompletionFailed,
    /// Neither the reply nor the repaired reply could be parsed.
    InvalidRefineJson,
    /// Two consecutive replies were the same.
    Oscillation,
    /// A reply did not improve the plan.
    NoImprovement,
    /// A person cancelled the loop.
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

    /// The reason as a sentence for the person.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::None => "There was nothing to expand.",
            Self::MaxRefineRounds => "All rounds are used up. Raise `max_refine_rounds` for more.",
            Self::ReadyBelowThreshold => "The plan is no longer thin or risky.",
            Self::Ready => "There is nothing left to fix.",
            Self::TokenBudget => {
                "The token budget for planning is used up. Raise `refine_budget_tokens` for more."
            }
            Self::ModelResolveFailed => "No model is set up. Choose one in Settings.",
            Self::ModelLock => "The model is busy. Try again later.",
            Self::CompletionFailed => "The model didn't reply. Try again.",
            Self::InvalidRefineJson => "The model's reply could not be read, even after a retry.",
            Self::Oscillation => "Two replies in a row were the same.",
            Self::NoImprovement => "The last round did not improve the plan.",
            Self::Cancelled => "Cancelled.",
        }
    }

    /// The status that corresponds to the reason.
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

/// Metrics from the report on one text.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Standing {
    /// Score, 0 to 1.
    pub score: f64,
    /// Badge of the plan.
    pub badge: Badge,
    /// Whether the plan is too thin.
    pub is_too_thin: bool,
    /// The plan codes that were raised.
    pub adequacy_reason_codes: Vec<Code>,
    /// Mean risk of the steps, 0 to 1.
    pub aggregate_unresolved_risk: f64,
    /// Number of tasks with a critical finding.
    pub critical_count: u32,
    /// Minimum number of steps for the goal.
    #[serde(skip)]
    pub detail_target_min_tasks: u32,
    /// The goal's complexity.
    #[serde(skip)]
    pub estimated_goal_complexity: u32,
    /// Number of tasks without sub-tasks.
    pub tasks: u32,
    /// Number of findings that are neither muted nor of severity info.
    pub findings: u32,
}

impl Standing {
    /// The metrics of a plan's report.
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

/// The value of `adequacy_improved_heuristic`: true if the score rose by more than 0.01, the plan
/// is no longer weak, or the risk fell by more than 0.02.
pub fn improved(before: &Standing, after: &Standing) -> bool {
    after.score > before.score + 0.01
        || before.badge.is_weak() && !after.badge.is_weak()
        || after.aggregate_unresolved_risk < before.aggregate_unresolved_risk - 0.02
}

/// The result of one round. Its JSON is what the person sees.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Round {
    /// Number of the round, from 1.
    pub number: u32,
    /// Whether the resulting text became the best one.
    pub is_accepted: bool,
    /// What the round changed, or why it was refused.
    pub message: String,
    /// Why it was refused; empty if it was accepted.
    #[serde(skip)]
    pub refusals: Vec<Refusal>,
    /// Short descriptions of the parts of the reply that were omitted: unrequested rewording, steps
    /// beyond `max_tasks`, values that could not be written.
    #[serde(skip)]
    pub left_out: Vec<String>,
    /// Metrics before the round.
    pub before: Standing,
    /// Metrics of the resulting text, even if it was refused.
    pub after: Standing,
    /// Ids of the tasks that the reply added.
    #[serde(skip)]
    pub added: Vec<TaskId>,
    /// Tokens that the round used.
    #[serde(skip)]
    pub tokens: u64,
}

/// The result of a loop. Its JSON is the output of `expand --json`, without the text.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcome {
    /// Final status.
    pub status: Status,
    /// Why the loop ended.
    pub stop_reason: StopReason,
    /// The mode in which the loop ran: `off`, `off+auto_expand_thin`, `auto` or `force`.
    pub loop_mode_effective: &'static str,
    /// All rounds, including refused ones.
    pub rounds: Vec<Round>,
    /// The best text: the original with all changes applied.
    #[serde(skip)]
    pub text: String,
    /// The changes, which can be accepted one by one.
    pub changes: Vec<Change>,
    /// Metrics of the original.
    pub before: Standing,
    /// Metrics of the best text.
    pub after: Standing,
    /// Whether the loop improved the plan, as determined by [`improved`].
    pub adequacy_improved_heuristic: bool,
    /// Total tokens used, including those for the first plan.
    #[serde(skip)]
    pub tokens_used: u64,
}

//! Events of the decision layer while a plan is made.

use planning::decision::{Attempt, Decision, Kind, RequestProgress, Status};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use specta::Type;

/// A plugin that is being tried, was tried, or was skipped.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct RouteStep {
    /// The attempt's number, from 1.
    pub number: u32,
    /// The planner that chose it.
    pub planner: String,
    /// `detector`, `kb` or `solver`.
    pub kind: String,
    /// The plugin's ID.
    pub plugin: String,
    /// `running`, `success`, `weak`, `failed` or `skipped`.
    pub status: String,
    /// The reason, as the end of a sentence; may be empty.
    pub why: String,
    /// Time taken, in milliseconds.
    pub ms: u64,
    /// Number of model requests.
    pub requests: u32,
    /// Input and output tokens.
    pub tokens: u64,
    /// Number of unreadable answers.
    pub faults: u32,
}

/// The decision made for a goal.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Decided {
    /// `auto`, `quick` or `thorough`.
    pub effort: String,
    /// The planners, in order.
    pub planners: Vec<String>,
    /// The first planner's detectors, in order.
    pub detectors: Vec<String>,
    /// Its KB plugins, in order.
    pub kbs: Vec<String>,
    /// Its solvers, in order.
    pub solvers: Vec<String>,
    /// The reasons, one sentence each.
    pub reasons: Vec<String>,
    /// Expected milliseconds of the first plugins.
    pub expected_ms: u64,
    /// Expected model requests of the first plugins.
    pub expected_requests: u32,
}

impl RouteStep {
    /// The event for a plugin that is starting.
    pub(crate) fn begun(number: usize, planner: &str, kind: Kind, plugin: &str) -> Self {
        Self {
            number: u32::try_from(number).unwrap_or(u32::MAX),
            planner: planner.to_owned(),
            kind: kind.as_str().to_owned(),
            plugin: plugin.to_owned(),
            status: "running".to_owned(),
            ..Self::default()
        }
    }

    /// The event for a finished or skipped attempt.
    pub(crate) fn ended(number: usize, attempt: &Attempt) -> Self {
        let status = match attempt.status {
            Status::Success => "success",
            Status::Weak => "weak",
            Status::Failed => "failed",
            Status::Skipped => "skipped",
        };
        Self {
            status: status.to_owned(),
            why: attempt.why.clone(),
            ms: attempt.cost.ms,
            requests: attempt.cost.calls,
            tokens: attempt.cost.tokens,
            faults: attempt.cost.faults,
            ..Self::begun(number, &attempt.planner, attempt.kind, &attempt.plugin)
        }
    }
}

/// The summary of a decision.
pub(crate) fn decided(decision: &Decision) -> Decided {
    let first = decision.planners.first();
    let order = |kind: Kind| {
        let stages = first.map(|plan| plan.stages.as_slice()).unwrap_or_default();
        let stage = stages.iter().find(|stage| stage.kind == kind);
        let candidates = stage.map(|stage| stage.candidates.as_slice());
        let candidates = candidates.unwrap_or_default().iter();
        candidates.map(|one| one.plugin.clone()).collect()
    };
    Decided {
        effort: decision.effort.as_str().to_owned(),
        planners: decision
            .planners
            .iter()
            .map(|plan| plan.planner.plugin.clone())
            .collect(),
        detectors: order(Kind::Detector),
        kbs: order(Kind::Kb),
        solvers: order(Kind::Solver),
        reasons: decision.reasons.clone(),
        expected_ms: decision.expected.ms,
        expected_requests: decision.expected.calls,
    }
}

/// The decision and all attempts, as JSON.
pub(crate) fn route_of_attempts(following: &RequestProgress) -> Value {
    json!({
        "decision": following.decision(),
        "attempts": steps(following.attempts()),
    })
}

/// The events for all attempts, including skipped ones.
pub(crate) fn steps(attempts: &[Attempt]) -> Vec<RouteStep> {
    let numbered = attempts.iter().enumerate();
    numbered
        .map(|(at, attempt)| RouteStep::ended(at + 1, attempt))
        .collect()
}

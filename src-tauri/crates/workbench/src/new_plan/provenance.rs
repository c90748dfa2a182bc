//! How a plan was made: the decision, the attempts and their cost. Plain data, and its JSON form
//! for reports.

use planning::decision::{Attempt, Cost, Decision, Kind, RequestProgress, Status};
use serde_json::{Map, Value, json};

use crate::wire;

/// How a plan was made.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Provenance {
    /// The plugin that read the goal.
    pub(crate) detector: String,
    /// The plugin that gathered knowledge.
    pub(crate) kb: String,
    /// The plugin that wrote the plan.
    pub(crate) solver: String,
    /// The name of the other agent that wrote the plan, if one did.
    pub(crate) agent: Option<String>,
    /// The template used, if any.
    pub(crate) template: Option<String>,
    /// Why this template was chosen.
    pub(crate) template_reason: Option<String>,
    /// Values that the template took from the goal, by name.
    pub(crate) took: Vec<(String, String)>,
    /// The reasons for this route, one sentence each.
    pub(crate) reasons: Vec<String>,
    /// Whether the model wrote the plan in a conversation.
    pub(crate) is_conversation: bool,
    /// Why no better route was used, if one failed.
    pub(crate) fallback: Option<String>,
    /// Why the plan is weak, as the end of a sentence; `None` if it isn't.
    pub(crate) weakness: Option<String>,
    /// Reports of the KB plugins about what they read, as JSON.
    pub(crate) knowledge: Vec<Value>,
    /// The planner that succeeded.
    pub(crate) planner: String,
    /// The planners tried, with the outcome and cost of each.
    pub(crate) planners: Vec<(String, Status, Cost)>,
    /// The plugins tried or skipped, in order.
    pub(crate) attempts: Vec<Attempt>,
    /// The decision; `None` if there was none.
    pub(crate) decision: Option<Decision>,
    /// The model, if one was available.
    pub(crate) model: Option<String>,
    /// Usage of the model, if it was used.
    pub(crate) usage: Option<ModelUsage>,
}

/// Usage of a model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ModelUsage {
    pub(crate) model: String,
    pub(crate) requests: u32,
    pub(crate) input: u64,
    pub(crate) output: u64,
    /// Number of unreadable answers.
    pub(crate) faults: u32,
}

impl Provenance {
    /// The JSON form, without empty values.
    pub(crate) fn to_json(&self) -> Value {
        let took = self.took.iter();
        let took = took.map(|(name, value)| (name.clone(), json!(value)));
        let usage = self.usage.as_ref();
        let decision = self.decision.as_ref();
        let mut route = json!({
            "detector": (!self.detector.is_empty()).then_some(&self.detector),
            "kb": (!self.kb.is_empty()).then_some(&self.kb),
            "solver": self.solver,
            "agent": self.agent,
            "conversation": self.is_conversation.then_some(true),
            "template": self.template,
            "template_reason": self.template.as_ref().and(self.template_reason.as_ref()),
            "took": (!self.took.is_empty()).then(|| took.collect::<Map<String, Value>>()),
            "reasons": self.reasons,
            "fallback": self.fallback,
            "weak": self.weakness.as_ref().map(|_| true),
            "weakness": self.weakness,
            "model": usage.map(|usage| &usage.model),
            "requests": usage.map(|usage| usage.requests),
            "tokens": usage.map(|usage| json!({"input": usage.input, "output": usage.output})),
            "effort": decision.map(|decision| decision.effort),
            "planner": (!self.planner.is_empty()).then_some(&self.planner),
            "attempts": (!self.attempts.is_empty()).then(|| wire::steps(&self.attempts)),
            "knowledge": decision.map(|_| &self.knowledge),
            "decision": decision,
        });
        if let Some(route) = route.as_object_mut() {
            route.retain(|_, value| !value.is_null());
        }
        route
    }

    /// Adds the decision, the attempts and the model usage. `trouble` says why the configured model
    /// is unusable.
    pub(crate) fn follow(
        &mut self,
        following: &RequestProgress,
        model: Option<String>,
        usage: Option<ModelUsage>,
        trouble: Option<String>,
    ) {
        let decision = following.decision();
        self.attempts = following.attempts().to_vec();
        self.planners = following.planners();
        let attempts = self.attempts.iter();
        let made = attempts.clone().rev().find(|one| one.plugin == self.solver);
        self.planner = made
            .map(|one| one.planner.clone())
            .or_else(|| self.planners.last().map(|(planner, ..)| planner.clone()))
            .unwrap_or_default();
        self.reasons.extend(decision.reasons.iter().cloned());
        let gave = |plugin: &str| {
            self.attempts.iter().any(|one| {
                one.plugin == plugin && matches!(one.status, Status::Success | Status::Weak)
            })
        };
        // A solver that uses a model would have been better than rules, but it failed.
        let is_by_rules = self.solver == "gs-symbolic";
        let missed = attempts.filter(|one| {
            let is_lost = matches!(one.status, Status::Failed | Status::Skipped);
            one.kind == Kind::Solver
                && is_lost
                && (is_by_rules || one.plugin == "gs-llm-deep")
                && one.plugin != self.solver
                && !gave(&one.plugin)
        });
        let missed = missed.map(|one| format!("{}: {}", one.plugin, one.why));
        // If rules were sufficient, the model wouldn't have been used anyway.
        let falls_short = self.attempts.iter().any(|one| {
            one.plugin == "gs-symbolic" && one.status == Status::Weak && self.solver == one.plugin
        });
        let unasked = trouble.filter(|_| falls_short);
        let missed: Vec<String> = unasked.into_iter().chain(missed).collect();
        if !missed.is_empty() {
            self.fallback = Some(missed.join("; "));
        }
        self.decision = Some(decision.clone());
        self.model = model;
        self.usage = usage;
    }
}

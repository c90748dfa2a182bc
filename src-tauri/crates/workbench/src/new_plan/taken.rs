//! The way that a plan came to be: what was decided, what was tried, what it took. Plain data, and its
//! form in reports.

use planning::decision::{Attempt, Cost, Decision, Following, Kind, Status};
use serde_json::{Map, Value, json};

use crate::wire;

/// The way that a plan came to be.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Taken {
    /// What read the goal.
    pub(crate) detector: String,
    /// What looked at the workspace.
    pub(crate) kb: String,
    /// What wrote the plan.
    pub(crate) solver: String,
    /// The template used, where one was.
    pub(crate) template: Option<String>,
    /// Why that one.
    pub(crate) template_reason: Option<String>,
    /// What it took from the goal, as names and values.
    pub(crate) took: Vec<(String, String)>,
    /// Why, one sentence each.
    pub(crate) reasons: Vec<String>,
    /// Whether the model wrote it in a conversation, and not in one go.
    pub(crate) is_conversation: bool,
    /// Why no better route than this one, where another failed.
    pub(crate) fallback: Option<String>,
    /// Why the plan is weak, as the end of a sentence; none where it is not weak.
    pub(crate) weakness: Option<String>,
    /// What was read of the workspace, by each KB plugin.
    pub(crate) knowledge: Vec<Value>,
    /// The planner under which it came about.
    pub(crate) planner: String,
    /// The planners that were asked, with how each ended and what it took.
    pub(crate) planners: Vec<(String, Status, Cost)>,
    /// What was tried and skipped, in order.
    pub(crate) attempts: Vec<Attempt>,
    /// What was decided; `None` where no decision was.
    pub(crate) decision: Option<Decision>,
    /// The model that was there to be asked.
    pub(crate) model: Option<String>,
    /// What asking a model came to, where one was asked.
    pub(crate) asked: Option<Asked>,
}

/// What asking a model came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Asked {
    /// The model's name.
    pub(crate) model: String,
    /// Requests made.
    pub(crate) requests: u32,
    /// Tokens of them.
    pub(crate) input: u64,
    /// Tokens of the answers.
    pub(crate) output: u64,
    /// Answers that could not be read.
    pub(crate) faults: u32,
}

impl Taken {
    /// The wire form. A key whose value says nothing is absent.
    pub(crate) fn to_json(&self) -> Value {
        let took = self.took.iter();
        let took = took.map(|(name, value)| (name.clone(), json!(value)));
        let asked = self.asked.as_ref();
        let decision = self.decision.as_ref();
        let mut route = json!({
            "detector": (!self.detector.is_empty()).then_some(&self.detector),
            "kb": (!self.kb.is_empty()).then_some(&self.kb),
            "solver": self.solver,
            "conversation": self.is_conversation.then_some(true),
            "template": self.template,
            "template_reason": self.template.as_ref().and(self.template_reason.as_ref()),
            "took": (!self.took.is_empty()).then(|| took.collect::<Map<String, Value>>()),
            "reasons": self.reasons,
            "fallback": self.fallback,
            "weak": self.weakness.as_ref().map(|_| true),
            "weakness": self.weakness,
            "model": asked.map(|asked| &asked.model),
            "requests": asked.map(|asked| asked.requests),
            "tokens": asked.map(|asked| json!({"input": asked.input, "output": asked.output})),
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

    /// Takes in what was decided, what was tried, and what it took. `trouble` is why no model could be
    /// asked that is configured.
    pub(crate) fn follow(
        &mut self,
        following: &Following,
        model: Option<String>,
        asked: Option<Asked>,
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
        // What asks a model and failed would have been better than rules.
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
        // Where rules were enough, no model would have been asked.
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
        self.asked = asked;
    }
}

//! How plans were made, and statistics of the plugins.

use planning::{Known, Offered};
use serde::{Deserialize, Serialize};
use specta::Type;

/// The estimated cost of one effort for a goal.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct EffortForecast {
    /// `auto`, `quick` or `thorough`.
    pub effort: String,
    /// The plugins tried first: detector, KB, solver.
    pub route: Vec<String>,
    /// The solver to fall back to; none if there is no other.
    pub next: Option<String>,
    /// Expected milliseconds of the first plugins.
    pub ms: u64,
    /// Expected model requests.
    pub requests: u32,
    /// Expected tokens; 0 if unknown.
    pub tokens: u64,
    /// Number of plans made this way that were approved.
    pub accepted: u32,
    /// Number of plans made this way that were approved, or rejected in favor of another.
    pub judged: u32,
    /// Whether the figures were learned from outcomes; otherwise they are the plugins' own
    /// estimates.
    pub is_learned: bool,
}

/// How a plan was made.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
pub struct PlanRoute {
    /// The revision of the plan.
    pub revision: String,
    /// When it was made, in milliseconds since 1970.
    pub at_ms: i64,
    /// `auto`, `quick` or `thorough`.
    pub effort: String,
    /// The planner that succeeded.
    pub planner: String,
    /// The plugin that read the goal.
    pub detector: String,
    /// The plugin that gathered knowledge.
    pub kb: String,
    /// The plugin that wrote the plan.
    pub solver: String,
    /// The name of the other agent that wrote the plan, if one did.
    pub agent: Option<String>,
    /// The model, if one was available.
    pub model: Option<String>,
    /// Number of model requests.
    pub requests: u32,
    /// Input and output tokens.
    pub tokens: u64,
    /// Total milliseconds.
    pub ms: u64,
    /// Why the preferred plugin wasn't used.
    pub fallback: Option<String>,
    /// Why the plan is weak, as the end of a sentence; `None` if it isn't.
    pub weakness: Option<String>,
    /// Whether the model wrote it in a conversation.
    pub conversation: bool,
    /// The reasons for this route, one sentence each.
    pub reasons: Vec<String>,
    /// The plugins tried or skipped, in order.
    pub steps: Vec<super::RouteStep>,
    /// The ranking at each stage, with its terms.
    pub stages: Vec<RouteStage>,
    /// Reports of the KB plugins about what they read.
    pub knowledge: Vec<RouteKnowledge>,
}

/// The ranking of one stage under one planner.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct RouteStage {
    /// The planner's ID.
    pub planner: String,
    /// `detector`, `kb` or `solver`.
    pub kind: String,
    /// Whether a person pinned the plugin.
    pub is_pinned: bool,
    /// Why the order differs from the scores.
    pub notes: Vec<String>,
    /// The plugins, best first.
    pub candidates: Vec<RouteCandidate>,
}

/// A ranked plugin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct RouteCandidate {
    /// The plugin's ID.
    pub plugin: String,
    /// The plugin's description.
    pub description: String,
    /// The sum of the terms.
    pub score: f64,
    /// The terms of the score.
    pub terms: Vec<RouteTerm>,
}

/// One term of a score.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
pub struct RouteTerm {
    /// The term's name: `learned`, `place`, `kind`, …
    pub name: String,
    /// Its contribution to the score.
    pub value: f64,
    /// The reason.
    pub why: String,
}

/// A KB plugin's report about what it read.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
pub struct RouteKnowledge {
    /// The plugin's ID.
    pub plugin: String,
    /// Number of files listed or looked up.
    pub files: u32,
    /// Number of bytes of text read.
    pub bytes: u64,
    /// Time taken, in milliseconds.
    pub ms: u64,
    /// What was left out, one sentence each; empty if nothing was.
    pub cut: Vec<String>,
    /// Whether it gathered enough knowledge.
    pub is_sufficient: bool,
    /// The reason.
    pub why: String,
    /// Files it suggested, the most likely first, with reasons.
    pub offered: Vec<Offered>,
    /// Facts from earlier runs, with their sources.
    pub known: Vec<Known>,
}

/// Statistics of the plugins.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Type)]
pub struct RouteInsights {
    /// Rows by kind of request, model and plugin.
    pub rows: Vec<RouteFigures>,
}

/// Statistics of one plugin for a kind of request and a model.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct RouteFigures {
    /// The kind of request, such as `bug-fix`.
    pub request: String,
    /// The model; empty if none was used.
    pub model: String,
    /// The plugin's ID.
    pub plugin: String,
    /// `detector`, `kb`, `solver` or `planner`.
    pub kind: String,
    /// Number of requests for which it was tried.
    pub attempts: u32,
    /// Number of requests for which its result was used.
    pub successes: u32,
    /// Number of requests for which its result was insufficient.
    pub insufficiency: u32,
    /// Number of requests for which it failed.
    pub failures: u32,
    /// Number of its plans that were approved.
    pub accepted: u32,
    /// Number of its plans that were approved, or rejected in favor of another.
    pub judged: u32,
    /// Number of unreadable answers.
    pub faults: u32,
    /// Estimated success rate, 0 to 1.
    pub success: f64,
    /// Estimated time, in milliseconds.
    pub ms: f64,
    /// Estimated tokens.
    pub tokens: f64,
    /// Whether there are enough outcomes (five) for the estimates to be used.
    pub counts: bool,
}

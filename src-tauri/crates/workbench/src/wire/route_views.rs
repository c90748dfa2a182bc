//! How plans came to be, and what was learned of the ways.

use planning::{Known, Offered};
use serde::{Deserialize, Serialize};
use specta::Type;

/// What one effort would take for a goal.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct EffortForecast {
    /// `auto`, `quick` or `thorough`.
    pub effort: String,
    /// The plugins that are tried first: what reads the goal, what gathers, what writes.
    pub route: Vec<String>,
    /// What writes the plan where the first does not do; none where there is nothing else.
    pub next: Option<String>,
    /// Milliseconds expected of the first ones.
    pub ms: u64,
    /// Requests to a model expected of them.
    pub requests: u32,
    /// Tokens expected of them; 0 where nothing is known of it.
    pub tokens: u64,
    /// Plans of this way that were approved.
    pub accepted: u32,
    /// Plans of this way that were approved, or passed over for another.
    pub judged: u32,
    /// Whether outcomes say so; otherwise the plugins say it of themselves.
    pub is_learned: bool,
}

/// How a plan came to be.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
pub struct PlanRoute {
    /// The revision that was written.
    pub revision: String,
    /// When.
    pub at_ms: i64,
    /// `auto`, `quick` or `thorough`.
    pub effort: String,
    /// The planner under which the plan came about.
    pub planner: String,
    /// What read the goal.
    pub detector: String,
    /// What gathered.
    pub kb: String,
    /// What wrote the plan.
    pub solver: String,
    /// The model that was there to be asked.
    pub model: Option<String>,
    /// Requests to it.
    pub requests: u32,
    /// Tokens, both ways.
    pub tokens: u64,
    /// Milliseconds in all.
    pub ms: u64,
    /// Why not by what was hoped for.
    pub fallback: Option<String>,
    /// Why the plan is weak, as a sentence's end; none where it is not.
    pub weakness: Option<String>,
    /// Whether the model wrote it in a conversation.
    pub conversation: bool,
    /// Why it went this way, one sentence each.
    pub reasons: Vec<String>,
    /// What was tried and skipped, in order.
    pub steps: Vec<super::RouteStep>,
    /// The order of each stage, term by term.
    pub stages: Vec<RouteStage>,
    /// What was read of the workspace.
    pub knowledge: Vec<RouteKnowledge>,
}

/// The order of one stage under one planner.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct RouteStage {
    /// The planner.
    pub planner: String,
    /// `detector`, `kb` or `solver`.
    pub kind: String,
    /// Whether a person pinned it.
    pub is_pinned: bool,
    /// Why the order is not that of the scores alone.
    pub notes: Vec<String>,
    /// The plugins in order.
    pub candidates: Vec<RouteCandidate>,
}

/// A plugin in its order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct RouteCandidate {
    /// Its id.
    pub plugin: String,
    /// What it does.
    pub description: String,
    /// The sum of the terms.
    pub score: f64,
    /// The terms.
    pub terms: Vec<RouteTerm>,
}

/// One number of a score.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
pub struct RouteTerm {
    /// What it is: `learned`, `place`, `kind`, …
    pub name: String,
    /// How much it adds.
    pub value: f64,
    /// Why.
    pub why: String,
}

/// What one KB plugin read.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
pub struct RouteKnowledge {
    /// The plugin.
    pub plugin: String,
    /// Files that were listed or looked up.
    pub files: u32,
    /// Bytes of text that were read.
    pub bytes: u64,
    /// Milliseconds.
    pub ms: u64,
    /// What was left out, one sentence each; empty where all was looked at.
    pub cut: Vec<String>,
    /// Whether it was enough.
    pub is_sufficient: bool,
    /// Why, or why not.
    pub why: String,
    /// Files that it offered, the likeliest first, each with the reason.
    pub offered: Vec<Offered>,
    /// What earlier runs left, each with where it comes from.
    pub known: Vec<Known>,
}

/// What was learned of the ways.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Type)]
pub struct RouteInsights {
    /// By kind of request, model and plugin.
    pub rows: Vec<RouteFigures>,
}

/// What was learned of one plugin for one kind of request and one model.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct RouteFigures {
    /// The kind of request: `bug-fix`.
    pub request: String,
    /// The model; empty for none.
    pub model: String,
    /// The plugin's id.
    pub plugin: String,
    /// `detector`, `kb`, `solver` or `planner`.
    pub kind: String,
    /// Requests in which it was tried.
    pub attempts: u32,
    /// Those in which what it gave was used.
    pub successes: u32,
    /// Those in which it was too little.
    pub insufficiency: u32,
    /// Those in which it gave nothing.
    pub failures: u32,
    /// Its plans that were approved.
    pub accepted: u32,
    /// Its plans that were approved, or passed over for another.
    pub judged: u32,
    /// Answers that could not be read.
    pub faults: u32,
    /// Estimate of success, 0 to 1.
    pub success: f64,
    /// Estimate of its time, in milliseconds.
    pub ms: f64,
    /// Estimate of tokens.
    pub tokens: f64,
    /// Whether that counts by now: from five outcomes on.
    pub counts: bool,
}

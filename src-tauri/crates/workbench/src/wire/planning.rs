//! One line of `plan --json` where a plan is made in one go (the report is the last line), and the shapes of
//! `expand --json`. Fields are only added. No event holds the text of the plan, but for what the model says
//! as it comes.

use serde::Serialize;
use specta::Type;

use super::{Decided, ModelEvent, RouteStep};

/// What happens while a plan is made with a model.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum PlanningEvent {
    /// What is tried, and in which order. The first line.
    Decided(Decided),
    /// A plugin begins.
    Trying(RouteStep),
    /// It has ended.
    Tried(RouteStep),
    /// One was not begun, and why.
    Skipped(RouteStep),
    /// The endpoint is asked from here on.
    Started {
        /// The endpoint's address.
        base_url: String,
        /// The model's name.
        model: String,
    },
    /// A request goes out.
    Request {
        /// Counts the requests from 1.
        number: u32,
        /// What for: `goal`, `draft`, `gaps` or `round`.
        purpose: String,
        /// Tokens of it, estimated.
        tokens: u64,
        /// 1 for the first time, more where it is sent again.
        attempt: u32,
    },
    /// An answer came to its end, or was broken off.
    Replied {
        /// What it amounts to, in a few words.
        summary: String,
        /// Tokens of the request.
        input: u64,
        /// Those of them that came from the provider's cache.
        cached: u64,
        /// Tokens of the answer.
        output: u64,
    },
    /// A round of the expansion ended.
    Round {
        /// From 1.
        number: u32,
        /// Whether the plan took it.
        is_accepted: bool,
        /// What it did, or why it was refused.
        message: String,
    },
    /// Something that a person should know and that stops nothing.
    Notice {
        /// One or two sentences.
        message: String,
    },
    /// What comes of a request meanwhile.
    #[serde(untagged)]
    Model(ModelEvent),
}

/// How a thin draft was made fuller.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlannedExpansion {
    /// Where the loop ended.
    pub status: String,
    /// Why.
    pub stop_reason: String,
    /// How many rounds were made.
    pub refinement_rounds: usize,
    /// The draft.
    pub before: ExpandStanding,
    /// The plan as it was written.
    pub after: ExpandStanding,
}

/// One requirement read from the goal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlannedRequirement {
    /// Its id.
    pub id: String,
    /// Its words.
    pub text: String,
}

/// The object of `expand --json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExpandReport {
    /// The file as it was named.
    pub path: String,
    /// The revision that was expanded.
    pub revision: String,
    /// Where the loop ended.
    pub status: String,
    /// Why it ended.
    pub stop_reason: String,
    /// The same as a sentence.
    pub stopped_because: String,
    /// `off`, `off+auto_expand_thin`, `auto` or `force`.
    pub loop_mode_effective: String,
    /// The plan as it is.
    pub before: ExpandStanding,
    /// The plan with all changes.
    pub after: ExpandStanding,
    /// Whether score, verdict or doubt became better by more than noise.
    pub adequacy_improved_heuristic: bool,
    /// The rounds, refused ones too.
    pub rounds: Vec<ExpandRound>,
    /// What would change, or changed.
    pub changes: Vec<ExpandChange>,
    /// The revision that was written; absent when none was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub applied: Option<String>,
}

/// How adequate a plan is, in a few numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExpandStanding {
    /// 0 to 1.
    pub score: f64,
    /// The word.
    pub badge: String,
    /// Whether it is too thin.
    pub is_too_thin: bool,
    /// The plan-level codes.
    pub adequacy_reason_codes: Vec<String>,
    /// Mean doubt about its steps, 0 to 1.
    pub aggregate_unresolved_risk: f64,
    /// Tasks with a critical finding.
    pub critical_count: u32,
    /// Findings that are not muted.
    pub findings: u32,
    /// Tasks without sub-tasks.
    pub tasks: u32,
}

/// One round.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExpandRound {
    /// From 1.
    pub number: u32,
    /// Whether its result was kept.
    pub is_accepted: bool,
    /// What it did, or why it was refused.
    pub message: String,
    /// The plan before it.
    pub before: ExpandStanding,
    /// The plan as the round left it.
    pub after: ExpandStanding,
}

/// One change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ExpandChange {
    /// The handle of a new task, or the id of a changed one.
    pub id: String,
    /// `added` or `changed`.
    pub kind: String,
    /// The task that is there; absent for a new one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// Its title.
    pub title: String,
    /// The codes that it answers.
    pub why: Vec<String>,
    /// One sentence.
    pub message: String,
    /// Changes that it cannot do without.
    pub needs: Vec<String>,
}

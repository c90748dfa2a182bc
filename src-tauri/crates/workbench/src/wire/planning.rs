//! One line of `plan --json` where a plan is made in one go (the report is the last line), and the shapes of
//! `expand --json`. Fields are only added. No event holds the text of the plan, but for what the model says
//! as it comes.

use adequacy::expansion::{Outcome, Standing, Status, StopReason};
use serde::Serialize;

use super::{Decided, ModelEvent, RouteStep, SessionEvent};

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
    /// What happens in the conversation in which the plan is made.
    #[serde(untagged)]
    Session(SessionEvent),
}

/// How a thin draft was made fuller.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlannedExpansion {
    /// Where the loop ended.
    pub status: Status,
    /// Why.
    pub stop_reason: StopReason,
    /// How many rounds were made.
    pub refinement_rounds: usize,
    /// The draft.
    pub before: Standing,
    /// The plan as it was written.
    pub after: Standing,
}

/// The object of `expand --json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExpandReport {
    /// The file as it was named.
    pub path: String,
    /// The revision that was expanded.
    pub revision: String,
    /// Why the loop ended, as a sentence.
    pub stopped_because: String,
    /// What the loop came to.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// The revision that was written; absent when none was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub applied: Option<String>,
}

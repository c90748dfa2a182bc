//! The events of `plan --json` for plans made without a conversation (the report is the last line),
//! and the types of `expand --json`. Fields are only ever added. No event contains the plan's text,
//! except what the model streams.

use adequacy::expansion::{Outcome, Standing, Status, StopReason};
use serde::Serialize;

use super::{Decided, ModelEvent, RouteStep, SessionEvent};

/// An event of planning with a model.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum PlanningEvent {
    /// The decision: which plugins are tried, and in which order. Always the first line.
    Decided(Decided),
    /// A plugin starts.
    Trying(RouteStep),
    /// A plugin finished.
    Tried(RouteStep),
    /// A plugin was skipped.
    Skipped(RouteStep),
    /// The first use of the endpoint.
    Started {
        /// The endpoint's address.
        base_url: String,
        /// The model's name.
        model: String,
    },
    /// A request was sent.
    Request {
        /// The number of the request, from 1.
        number: u32,
        /// The purpose: `goal`, `draft`, `gaps` or `round`.
        purpose: String,
        /// Estimated tokens of the request.
        tokens: u64,
        /// The attempt, from 1.
        attempt: u32,
    },
    /// An answer ended or was cut off.
    Replied {
        /// A short summary of the answer.
        summary: String,
        /// Tokens of the request.
        input: u64,
        /// Tokens of the request that the provider had cached.
        cached: u64,
        /// Tokens of the answer.
        output: u64,
    },
    /// A round of the expansion ended.
    Round {
        /// The round's number, from 1.
        number: u32,
        /// Whether its result was accepted.
        is_accepted: bool,
        /// What it did, or why it was rejected.
        message: String,
    },
    /// A notice that doesn't stop planning.
    Notice {
        /// The message, one or two sentences.
        message: String,
    },
    /// An event of the current model request.
    #[serde(untagged)]
    Model(ModelEvent),
    /// An event of the conversation in which the plan is made.
    #[serde(untagged)]
    Session(SessionEvent),
}

/// How a thin draft was expanded.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlannedExpansion {
    /// The final status of the loop.
    pub status: Status,
    /// Why the loop stopped.
    pub stop_reason: StopReason,
    /// The number of rounds.
    pub refinement_rounds: usize,
    /// The state of the draft.
    pub before: Standing,
    /// The state of the final plan.
    pub after: Standing,
}

/// The output of `expand --json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExpandReport {
    /// The path as given.
    pub path: String,
    /// The revision that was expanded.
    pub revision: String,
    /// Why the loop stopped, as a sentence.
    pub stopped_because: String,
    /// The result of the loop.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// The revision that was written; absent if none was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub applied: Option<String>,
}

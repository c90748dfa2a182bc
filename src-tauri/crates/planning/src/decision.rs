//! The decision layer: decides which plugins read a goal, gather context and write the plan, in
//! which order, and what to try next if one fails.
//!
//! [`plugin`] describes the plugins, [`signals`] derives the needs of a request, [`ranking`] orders
//! plugins of one kind, [`statistics`] aggregates the outcomes of earlier requests, [`selection`]
//! combines these for one [`request`], [`progress`] picks the next plugin to try, and [`budget`]
//! tracks what is left to spend.
//!
//! **Architecture invariants.** Nothing here runs a plugin. No clock and no randomness: the same
//! request with the same recorded outcomes gives the same order, exploration included. Every number
//! that affects the order is a term with a name and a reason. A pin is obeyed, never replaced.

pub mod budget;
mod built_in;
pub mod plugin;
pub mod progress;
pub mod ranking;
pub mod request;
pub mod selection;
pub mod signals;
pub mod statistics;

pub use budget::{Budget, OutOfBudget};
pub use plugin::{Depth, EvidenceStyle, FallbackRole, Kind, PlannerHints, Plugin, Plugins};
pub use progress::{Attempt, AttemptResult, Cost, Next, RequestProgress, Status};
pub use ranking::{Ranked, Term};
pub use request::{
    Decision, DecisionError, Effort, Expectation, Orders, PlannerPlan, Request, Stage,
};
pub use selection::decide;
pub use signals::{Signals, Topic};
pub use statistics::{Figures, Key, Outcome, Statistics, Verdict};

/// The solver that has another agent write the plan.
pub const AGENT_SOLVER: &str = "gs-agent";

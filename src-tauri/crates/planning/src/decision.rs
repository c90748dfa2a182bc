//! The decision layer: which plugins read a goal, gather context and write the plan, in which
//! order, and what to try next when one fails.
//!
//! [`plugin`] describes the plugins, [`signals`] reads from a request what it needs, [`ranking`]
//! orders plugins of one kind, [`learning`] aggregates the outcomes of earlier requests,
//! [`deciding`] combines these for one [`request`], [`following`] picks the next plugin to try, and
//! [`budget`] tracks what is left to spend.
//!
//! **Architecture invariants.** Nothing here runs a plugin. No clock and no randomness: the same
//! request with the same recorded outcomes gives the same order, exploration included. Every number
//! that affects the order is a term with a name and a reason. A pin is obeyed, never replaced.

pub mod budget;
mod built_in;
pub mod deciding;
pub mod following;
pub mod learning;
pub mod plugin;
pub mod ranking;
pub mod request;
pub mod signals;

pub use budget::{Budget, Short};
pub use deciding::decide;
pub use following::{Attempt, Cost, Ending, Following, Next, Status};
pub use learning::{Figures, Key, Outcome, Statistics, Verdict};
pub use plugin::{Depth, EvidenceStyle, FallbackRole, Kind, PlannerHints, Plugin, Plugins};
pub use ranking::{Ranked, Term};
pub use request::{
    Decision, DecisionError, Effort, Expectation, Orders, PlannerPlan, Request, Stage,
};
pub use signals::{Signals, Topic};

//! The decision layer: which plugin reads a goal, which gathers what is known, which writes the plan,
//! in which order, and what comes next when one fails.
//!
//! [`plugin`] describes the plugins, [`signals`] reads what a request asks of them, [`ranking`] puts
//! those of one kind into an order, term by term, [`learning`] folds what came of earlier requests
//! into figures, [`deciding`] joins it for one [`request`], [`following`] says what is tried next, and
//! [`budget`] what there is left for it.
//!
//! **Architecture invariants.** Nothing here runs a plugin. No clock and no randomness: the same
//! request with the same outcomes kept gives the same order, exploration included. Every number that
//! decides is a term with a name and a reason. A pin is obeyed, never replaced.

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

//! A turn of a model: its replies, the results of their calls, and the next action.
//!
//! Steps of a run and conversations both use this module. They differ in the data that they store,
//! in the tools that a reply may call, in their [`Bounds`], and in what a reply without calls
//! means.
//!
//! Submodules: [`reply`] is one finished reply, [`rounds`] the replies of a turn with their
//! results, `loops` detects a model that repeats itself, [`mod@next`] decides the next action.
//!
//! **Architecture invariants.** Doesn't depend on the plan or the gate: whether a call is allowed
//! is decided where it is carried out. The next action is a function of the rounds alone.

pub mod loops;
pub mod next;
pub mod reply;
pub mod rounds;

pub use next::{Bounds, Next, Stop, next};
pub use reply::{Call, Fault, FaultKind, Finish, Reply, Usage};
pub use rounds::{CallResult, Round, Rounds};

//! One turn of a model: its replies, what came of their calls, and what comes next.
//!
//! A step of a run and a conversation are both carried by it. They differ in what they store, in the
//! tools that a reply may call, in their [`Bounds`], and in what words that call nothing mean.
//!
//! Submodules: [`reply`] is one finished reply, [`rounds`] the replies of a turn with what came of each,
//! `loops` finds a model that goes round in circles, [`mod@next`] says what comes next.
//!
//! **Architecture invariants.** Knows neither plan nor gate: whether a call may be made is decided where
//! it is carried out. What comes next is a function of the rounds alone.

pub mod loops;
pub mod next;
pub mod reply;
pub mod rounds;

pub use next::{Bounds, Next, Stop, next};
pub use reply::{Call, Fault, FaultKind, Finish, Reply, Usage};
pub use rounds::{CallResult, Round, Rounds};

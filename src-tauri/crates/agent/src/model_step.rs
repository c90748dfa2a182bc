//! One step of a run, carried out by a model: what it is sent, what its replies amount to, and what
//! is done about those that are not right.
//!
//! Submodules: [`entry`] is what the journal keeps, [`work`] what that amounts to, [`table`] the tools
//! of a step, [`brief`] the words that it begins with, [`request`] one request, [`act`] the smallest
//! form of one, [`schema`] what a call in text is held to, [`ladder`] what comes next in its [turn](crate::turn), [`recovery`] how a failed step
//! continues.
//!
//! A request is a function of the plan and of the journal, so that a process that takes a run over
//! asks what the one before would have asked. Nothing here runs a call, reads a file or a clock.

pub mod act;
pub mod brief;
pub mod entry;
pub mod ladder;
pub mod recovery;
pub mod request;
pub mod schema;
pub mod table;
pub mod work;

pub use entry::{FailureKind, RecoveryBy, RecoveryDecision, Report};
pub use request::{Offer, StepProfile, StepRequest};
pub use work::Work;

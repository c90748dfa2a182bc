//! How a model carries out one step: the requests to the model, the interpretation of its replies,
//! and the handling of faulty replies.
//!
//! Submodules: [`entry`] defines the journal's data, [`work`] folds it, [`step_tools`] selects a
//! step's tools, [`instructions`] writes the first message, [`request`] builds a request, [`act`]
//! builds the smallest kind of request, [`schema`] constrains calls in text, [`ladder`] chooses the
//! next action in the [turn](crate::turn), and [`recovery`] decides how a failed step continues.
//!
//! A request is a function of the plan and the journal, so a process that takes over a run builds
//! the same request as the previous process. Nothing here runs a call, or reads a file or a clock.

pub mod act;
pub mod entry;
pub mod instructions;
pub mod ladder;
pub mod recovery;
pub mod request;
pub mod schema;
pub mod step_tools;
pub mod work;

pub use entry::{FailureKind, RecoveryBy, RecoveryDecision, Report};
pub use request::{Offer, StepProfile, StepRequest};
pub use work::Work;

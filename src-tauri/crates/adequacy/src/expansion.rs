//! The bounded loop that expands a thin plan without rewriting it.
//!
//! [`Expansion::start`] examines a plan and returns the first [`Step`]: ask a driver for one round,
//! or stop. The driver (a model, or [`symbolic`] code) receives a [`RoundRequest`] and answers with
//! an [`Event`]. A reply never replaces the plan. It is converted to edits of the existing plan,
//! matched by task id, so tasks that the reply omits stay unchanged. The result is then judged
//! without regard to how it was made (see [`Refusal`]): a round that loses content or worsens the
//! report is refused, and the best text so far is kept.
//!
//! Every loop ends with a [`StopReason`]. Its result is a list of [`Change`]s that can be accepted
//! one by one ([`accept`]). Accepting all of them gives the best text; accepting none gives the
//! original, byte for byte.
//!
//! **Invariants.** No IO, no clock, no randomness: the same events give the same outcome. Every
//! loop ends: rounds and tokens are bounded, and a reply that changes nothing ends it. Nothing is
//! written: the outcome is data.

mod candidate;
mod change;
mod combine;
mod machine;
mod merge;
mod outcome;
mod preserve;
mod selection;
mod settings;
pub mod symbolic;

pub use change::{Change, ChangeKind};
pub use machine::{Event, Expansion, Input, ReplyForm, RoundRequest, Step};
pub use merge::Edit;
pub use outcome::{Outcome, Round, Standing, Status, StopReason, improved};
pub use preserve::{Loss, Refusal, losses};
pub use selection::accept;
pub use settings::{LoopMode, Settings, first_plan_output_cap, limits, refine_output_cap};

//! The bounded loop that makes a thin plan fuller, and never rewrites it.
//!
//! [`Expansion::start`] looks at a plan and says the first [`Step`]: ask a driver for one round, or
//! stop. The driver (a model, or [`symbolic`] code) gets a [`RoundRequest`] and its answer comes back as
//! an [`Event`]. A reply is never the new plan: it is merged by id into edits of the old one, so a
//! task that a reply leaves out stays as it is. What comes out is then judged as if by a stranger
//! (see [`Refusal`]): a round that loses anything, or makes the report worse, is refused, and the best
//! text so far is kept.
//!
//! Every loop ends with a [`StopReason`]. What it did is a list of [`Change`]s that can be taken one
//! by one ([`accept`]): all of them give the best text, none of them the original, byte for byte.
//!
//! **Invariants.** No IO, no clock, no randomness: the same events give the same outcome. No loop
//! without an end: rounds and tokens are bounded, and a reply that changes nothing ends it. Nothing
//! is written: the outcome is data.

mod candidate;
mod change;
mod combine;
mod machine;
mod merge;
mod outcome;
mod preserve;
mod reply;
mod settings;
pub mod symbolic;
mod taking;

pub use change::{Change, ChangeKind};
pub use machine::{Event, Expansion, Input, ReplyForm, RoundRequest, Step};
pub use merge::Edit;
pub use outcome::{Outcome, Round, Standing, Status, StopReason, improved};
pub use preserve::{Loss, Refusal, losses};
pub use reply::{ReplyError, ReplyTask, read_object, read_reply};
pub use settings::{LoopMode, Settings, first_plan_output_cap, limits, refine_output_cap};
pub use taking::accept;

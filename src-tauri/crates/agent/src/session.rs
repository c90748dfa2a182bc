//! A conversation with a model about a plan: events in, effects out.
//!
//! A session is a fold over its rows. [`State`] is rebuilt from [`Entry`] values; [`Machine`]
//! receives [`Event`] values and returns [`Effect`] values, which are plain data. [`request()`]
//! builds the model's input from the state alone. Each request appends to the previous one, and the
//! system text and the tool table never change, so that providers can cache the prefix. In plan
//! mode, the model reads the workspace and writes the plan; in exec mode, a [run](crate::run)
//! receives the person's messages.
//!
//! Submodules: `entry` is the stored format, `state` its fold, `message` the wire format, and
//! `tools` the constant tool table. `call` is a typed call, `verdict` decides whether it is
//! allowed, `handoff` tells the model the mode and the plan, `plan_excerpt` abridges a long plan,
//! `notice` reports outside changes, `proposal` decides whether a plan may be offered for approval,
//! `plan_edit` edits the plan, `context` measures and compacts the context window, `machine`
//! chooses the next action.
//!
//! **Architecture invariants.** Does no IO and uses no clock or randomness. Storing an entry is an
//! effect that comes before the effect that the entry announces, so a session can be interrupted
//! between any two effects. The fold drops data that is only for the screen, so such data can't
//! reach a request. Only the plan is written here, and a model never changes the mode. A call that
//! may have had a side effect is never started twice. Plan text reaches a request through a
//! hand-off, `read_plan`, a notice, or because the model wrote it; never through a proposal.

pub mod call;
pub mod context;
pub mod entry;
pub mod handoff;
pub mod machine;
pub mod message;
pub mod notice;
pub mod plan_edit;
pub mod plan_excerpt;
pub mod proposal;
pub mod request;
pub mod state;
#[cfg(test)]
mod tests;
pub mod tools;
pub mod verdict;

pub use entry::{Entry, Mode};
pub use machine::{Config, Effect, Event, Machine};
pub use request::{Profile, Request, request};
pub use state::State;

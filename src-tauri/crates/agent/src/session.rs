//! One conversation about one plan, with a model: events in, effects out.
//!
//! A session is a fold over its rows: [`State`] is rebuilt from [`Entry`] values, [`Machine`] takes
//! [`Event`] values and answers with [`Effect`] values, which are data. [`request()`] says what the
//! model gets; it is a function of the state alone, and appends to what the model got before, so that
//! a provider's cache of the beginning stays good: the system text and the tool table never change. Its
//! model looks and writes the plan, in plan mode; in exec mode a [run](crate::run) takes what is said.
//!
//! Submodules: `entry` is the stored form, `state` its fold, `message` what goes over the wire,
//! `tools` the constant table, `call` a typed call, `verdict` what becomes of it, `handoff` how mode and
//! plan are told, `window` a long plan in few words, `notice` what others changed,
//! `proposal` what may be offered for approval, `plan_edit` the one way to change the plan,
//! `context` how full the window is and what is kept when it is, `machine` what happens next.
//!
//! **Architecture invariants.** Never does IO; knows no clock and no randomness. Every entry is an
//! effect that stands before what it announces, so a session can be cut between any two effects. What
//! is only for the screen is dropped by the fold: it cannot reach a request. Nothing but
//! the plan is written here, and the mode is never changed by a model. A call that can have had an effect is never begun twice. Plan text reaches
//! a request by a hand-off, a `read_plan`, a notice, or because the model itself wrote it; never by a
//! proposal.

pub mod call;
pub mod context;
pub mod entry;
pub mod handoff;
pub mod machine;
pub mod message;
pub mod notice;
pub mod plan_edit;
pub mod proposal;
pub mod request;
pub mod state;
#[cfg(test)]
mod tests;
pub mod tools;
pub mod verdict;
pub mod window;

pub use entry::{Entry, Mode};
pub use machine::{Config, Effect, Event, Machine};
pub use request::{Profile, Request, request};
pub use state::State;

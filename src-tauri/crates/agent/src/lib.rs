//! The state machines of a run and of a session.
//!
//! A run is a fold over its journal: [`run::Machine`] is rebuilt from [`journal::Entry`] values, takes
//! [`run::Event`] values and answers with [`run::Effect`] values, which are data. Whoever drives it
//! carries the effects out in order and feeds the answers back. A [`session`], one conversation about
//! one plan, is the same thing over its own journal.
//!
//! **Architecture invariants.** Never does IO; knows no clock, no randomness, no paths on disk. Every
//! change of state is a journal entry, and the entry is an effect that stands *before* the side
//! effect it announces; so a run can be cut between any two effects and rebuilt from its journal.
//! At most one effect with a side effect is under way at a time.

pub mod context;
pub mod envelope;
pub mod given;
pub mod holding;
pub mod journal;
pub mod micro_planning;
pub mod model_step;
pub mod model_tool;
pub mod named;
pub mod progress;
pub mod receipt;
pub mod repair;
pub mod run;
pub mod session;
pub mod turn;
pub mod verifying;

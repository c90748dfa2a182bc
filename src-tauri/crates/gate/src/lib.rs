//! Decides what may happen. [`decide()`] answers each action with a [`Permit`], a question or a
//! refusal.
//!
//! **Architecture invariants.** Pure: no clock, randomness or disk. If judging a call requires
//! facts about the workspace, the crate requests them as data ([`destructive::Inspection`]), and
//! the caller passes them in. Only [`mod@decide`] makes permits, and every function that writes,
//! deletes, runs or undoes takes one as a parameter.

pub mod answers;
pub mod decide;
pub mod destructive;
pub mod path;
pub mod permissions;
pub mod policy;
pub mod question;
pub mod read_only_commands;
pub mod recovery;

pub use decide::{
    Act, Action, Bearer, Cage, Case, Checkpoints, Decision, NotPermitted, Pending, Permit, Refusal,
    decide, decide_on_plan, decide_on_planning, own_act,
};

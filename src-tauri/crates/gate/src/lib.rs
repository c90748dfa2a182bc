//! What may happen. [`decide()`] answers for one action: a [`Permit`], a question, or a refusal.
//!
//! **Architecture invariants.** Pure: knows no clock, no randomness, no disk. What has to be known of the
//! workspace before a call can be judged is asked for as data ([`destructive::Look`]) and passed in. A
//! permit is made in [`mod@decide`] alone; what writes, deletes, runs or undoes takes one as a parameter.

pub mod answers;
pub mod decide;
pub mod destructive;
mod named;
pub mod path;
pub mod permissions;
pub mod policy;
pub mod question;
pub mod recovery;
pub mod word_list;

pub use decide::{
    Act, Action, Bearer, Cage, Case, Checkpoints, Decision, NotPermitted, Pending, Permit, Refusal,
    decide, decide_on_plan, own_act,
};

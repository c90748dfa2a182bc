//! What may happen: permissions, how often a run asks, what destroys, and what a person answered.
//!
//! **Architecture invariants.** Pure: knows no clock, no randomness, no disk. What has to be known of the
//! workspace before a call can be judged is asked for as data ([`destructive::Look`]) and passed in.

pub mod answers;
pub mod destructive;
pub mod path;
pub mod permissions;
pub mod policy;
pub mod question;
pub mod recovery;

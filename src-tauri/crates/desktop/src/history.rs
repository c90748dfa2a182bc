//! The history of a plan: its revisions, what changed between two, restoring one; and conflicts that
//! wait for the person.
//!
//! Everything here works for a plan whose file is gone as well. Restoring is an edit like others: it
//! can be undone, and nothing is written over what somebody else has put there since. Submodules:
//! `pages` lists, `comparing` compares, `restoring` restores, `conflicts` shows and settles.

mod comparing;
mod conflicts;
mod pages;
mod restoring;

pub(crate) use pages::Summaries;

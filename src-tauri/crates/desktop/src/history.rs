//! A plan's history: listing and comparing revisions, restoring one, and resolving conflicts.
//!
//! All of this also works if the plan's file is missing. A restore is an edit like any other: it
//! can be undone, and it never overwrites what others have written since. Submodules: `pages`,
//! `comparing`, `restoring`, `conflicts`.

mod comparing;
mod conflicts;
mod pages;
mod restoring;

pub(crate) use pages::Summaries;

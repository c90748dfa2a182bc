//! A plan's history: listing and comparing revisions, restoring one, and resolving conflicts.
//!
//! All of this also works if the plan's file is missing. A restore is an edit like any other: it
//! can be undone, and it never overwrites what others have written since. Submodules: `pages`,
//! `comparing`, `restoring`, `conflicts` (`conflict_authors`: whose change it is; `decided`: settled
//! by choosing a version elsewhere).

mod comparing;
mod conflict_authors;
mod conflicts;
mod decided;
mod pages;
mod restoring;

pub(crate) use pages::Summaries;

//! A plan's history: listing and comparing revisions, restoring one, and resolving conflicts.
//!
//! All of this also works if the plan's file is missing. A restore is an edit like any other: it
//! can be undone, and it never overwrites later changes by others. Submodules: `pages`,
//! `comparing`, `restoring`, `conflicts`, `conflict_authors` (who made the conflicting change), and
//! `decided` (conflicts resolved outside of the list of conflicts).

mod comparing;
mod conflict_authors;
mod conflicts;
mod decided;
mod pages;
mod restoring;

pub(crate) use pages::Summaries;

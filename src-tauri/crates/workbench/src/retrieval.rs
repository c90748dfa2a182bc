//! Knowledge of a workspace beyond a single walk over its files, collected when a plan is
//! requested.
//!
//! Read-only, bounded, and only on request: nothing here runs while the app is idle. `index` is the
//! ranked search over all files; `knowledge` collects what earlier runs recorded.

pub(crate) mod index;
pub(crate) mod knowledge;

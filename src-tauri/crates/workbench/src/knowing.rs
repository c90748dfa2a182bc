//! What is known of a workspace beyond one walk through its files, gathered when a plan is wanted.
//!
//! Reads only, bounded, and only when asked: nothing here runs while the app is idle. `index` is the ranked
//! search over all files, `knowledge` is what earlier runs left.

pub(crate) mod index;
pub(crate) mod knowledge;

//! What a step changed itself. Between its beginning and its end others may change files: steps that are
//! carried out while it waits for a person, and whoever does something between two of its attempts. None of
//! that is the step's, and undoing it must not take that back.
//!
//! Not told apart: what two steps change that wait in turns in the midst of their work, and what a person
//! changes while a step is at work or waits.

use agent::run::state::State;
use store::{Phase, Store};
use tools::checkpoint::{Blobs, Snapshot};

use crate::driver::changes::kept_snapshot;
use crate::error::Result;

/// The name under which what happened between two attempts of a step is kept.
pub(crate) fn between(task: &str, ended: &Snapshot) -> String {
    format!("{task}/between-{}", ended.taken())
}

/// What a step found, as if all that others did until `last` had been there already.
///
/// # Errors
/// If a snapshot or a content cannot be read or kept.
pub(crate) fn found_by(
    (store, blobs): (&Store, &Blobs),
    (run, task): (&str, &str),
    state: Option<&State>,
    mut found: Snapshot,
    last: &Snapshot,
) -> Result<Snapshot> {
    let own = format!("{task}/between-");
    let names = store.snapshots().ended_since(run, task)?.into_iter();
    for name in names.filter(|name| !name.contains('/') || name.starts_with(&own)) {
        let (before, after) = (
            kept_snapshot(store, run, &name, Phase::Before)?,
            kept_snapshot(store, run, &name, Phase::After)?,
        );
        let (Some(before), Some(after)) = (before, after) else {
            continue;
        };
        let times = [&found, &before, &after, last].map(Snapshot::taken);
        if !times.is_sorted() {
            continue;
        }
        let mut changes = Snapshot::changes(&before, &after);
        if let Some(state) = state.filter(|_| !name.contains('/')) {
            let reach = state.reach(&name);
            changes.retain(|change| reach.takes_in(&change.path.to_string()));
        }
        found.follow(blobs, &changes, &after, last)?;
    }
    Ok(found)
}

//! Separates a step's own changes from those of others. While a step is in progress, files may also
//! be changed by steps that run while it waits for a person, and by anyone between two of its
//! attempts. Those changes aren't the step's, and undoing it must not revert them.
//!
//! If two steps alternate while both wait midway, their changes aren't separated. Neither are
//! changes that a person makes while a step runs or waits.

use agent::run::state::State;
use store::{Phase, Store};
use tools::checkpoint::{Blobs, Snapshot};

use crate::driver::changes::kept_snapshot;
use crate::error::Result;

/// The name for the snapshots at the end of one attempt of a step and at the start of the next.
pub(crate) fn between(task: &str, ended: &Snapshot) -> String {
    format!("{task}/between-{}", ended.taken())
}

/// The state before a step, adjusted as if others had made all their changes until `last` before
/// the step. Fails if a snapshot or content can't be read or stored.
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

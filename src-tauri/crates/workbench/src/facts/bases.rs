//! Determines which of a plan's files changed since the plan was written.
//!
//! If the plan names a commit as its `base:`, Git decides; otherwise, files are compared with the
//! hashes stored when the plan was first seen. The files of done steps are excluded, and so are
//! files that are still as a run of the plan left them: those are the plan's own work. While a run
//! is in progress, its changes look like anyone's, so nothing is reported.

use std::collections::{BTreeMap, BTreeSet};

use plan::Plan;
use tools::{ContentHash, Workspace, documents, git};

use super::named_paths;
use crate::Workbench;

/// The size limit of a compared file, in bytes.
const MAX_BYTES: u64 = 4 << 20;

/// The changed files, each with what it is compared to, as the end of a sentence.
pub(super) fn changed(
    bench: &Workbench,
    workspace: &Workspace,
    key: &str,
    plan: &Plan,
    named: &BTreeSet<String>,
) -> BTreeMap<String, String> {
    let own = named_paths(plan.tasks.iter().filter(|task| task.done));
    let asked: Vec<String> = named.difference(&own).cloned().collect();
    if asked.is_empty() || is_running(bench, key) {
        return BTreeMap::new();
    }
    if let Some(base) = &plan.front.base {
        match git::changed_since(workspace, base, &asked) {
            Ok(Some(changed)) => {
                let since = format!("since commit {}", base.chars().take(12).collect::<String>());
                let by_run = changed_by_runs(bench, workspace, key, &changed);
                let changed = changed.into_iter().filter(|path| !by_run.contains(path));
                return changed.map(|path| (path, since.clone())).collect();
            }
            // There is no repository, or it lacks that commit.
            Ok(None) => {}
            Err(error) => tracing::info!(%error, "couldn't determine what changed since the base"),
        }
    }
    changed_since_first_seen(bench, workspace, key, &asked).unwrap_or_else(|error| {
        tracing::warn!(%error, "couldn't read the stored hashes of the plan's files");
        BTreeMap::new()
    })
}

/// Whether a process is carrying out the plan.
fn is_running(bench: &Workbench, key: &str) -> bool {
    match bench.store.leases().holder(key) {
        Ok(holder) => holder.is_some_and(|holder| holder.is_alive()),
        Err(error) => {
            tracing::warn!(%error, "couldn't determine whether the plan is running");
            false
        }
    }
}

/// The files that are still as a run of the plan left them.
fn changed_by_runs(
    bench: &Workbench,
    workspace: &Workspace,
    key: &str,
    changed: &[String],
) -> BTreeSet<String> {
    let kept = bench.store.plan_bases().of(key).unwrap_or_else(|error| {
        tracing::warn!(%error, "couldn't determine what the plan's runs changed");
        BTreeMap::new()
    });
    let is_as_left = |path: &&String| {
        let left = kept.get(*path).and_then(Option::as_ref);
        left.is_some() && left == hash(workspace, path).as_ref()
    };
    changed.iter().filter(is_as_left).cloned().collect()
}

fn changed_since_first_seen(
    bench: &Workbench,
    workspace: &Workspace,
    key: &str,
    asked: &[String],
) -> Result<BTreeMap<String, String>, store::StoreError> {
    let bases = bench.store.plan_bases();
    let known = bases.of(key)?;
    let now: BTreeMap<String, Option<String>> = asked
        .iter()
        .map(|path| (path.clone(), hash(workspace, path)))
        .collect();
    let new: BTreeMap<String, Option<String>> = now
        .iter()
        .filter(|(path, _)| !known.contains_key(*path))
        .map(|(path, hash)| (path.clone(), hash.clone()))
        .collect();
    if !new.is_empty() {
        bases.add(key, &new, bench.clock.now_ms())?;
    }
    let changed = now.into_iter().filter(|(path, now)| {
        let before = known.get(path).and_then(Option::as_ref);
        before.is_some() && now.is_some() && before != now.as_ref()
    });
    let since = "since the plan was first seen";
    Ok(changed.map(|(path, _)| (path, since.to_owned())).collect())
}

fn hash(workspace: &Workspace, path: &str) -> Option<String> {
    let bytes = documents::read(workspace, path, MAX_BYTES).ok()?;
    Some(ContentHash::of(&bytes).to_hex())
}

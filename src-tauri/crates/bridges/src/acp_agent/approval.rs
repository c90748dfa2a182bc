//! Stores an approval without starting a run, as the window does.

use std::path::Path;

use workbench::approval::{Admitted, ApprovalRequest};
use workbench::lease::RunLease;
use workbench::opening::Terms;
use workbench::running::RUN_ID_LENGTH;
use workbench::{Code, Error, Policy, Result, RunChoice, Workbench, ids, plan_file};

use super::review;

/// Fails with [`Code::NotCovered`] unless the file still has the content that was shown.
pub(super) fn refuse_changed(path: &Path, revision: &str) -> Result<()> {
    let now = plan_file::read_anywhere(path).map_err(|error| {
        let message = format!("the plan can no longer be read: {}.", error.message);
        Error::new(Code::NotCovered, message)
    })?;
    match now.revision.as_str() == revision {
        true => Ok(()),
        false => Err(changed(now.revision.short())),
    }
}

fn changed(now: &str) -> Error {
    Error::new(
        Code::NotCovered,
        format!("the file has changed since you saw it; it is now at revision {now}."),
    )
}

/// Stores an approval of the revision that the person has seen for `shown_ms` milliseconds.
///
/// # Errors
/// [`Code::NotCovered`] if the file has changed, [`Code::PlanIsRunning`], and any other reason to
/// reject an approval. On error, nothing is stored.
pub(super) fn store(
    bench: &Workbench,
    path: &Path,
    root: &Path,
    revision: &str,
    shown_ms: i64,
) -> Result<()> {
    let key = bench.open_plan(path, Some(root))?.file.key();
    // The lease keeps others from starting or approving the plan meanwhile.
    let lease = bench.lease(&key, root, &ids::random(RUN_ID_LENGTH)?)?;
    let stored = under_lease(bench, &lease, (path, root), revision, shown_ms);
    bench.release(lease)?;
    stored?;
    // Approving an archived plan restores it to the list.
    if let Err(error) = bench.store.archived_plans().remove(&key) {
        tracing::warn!(%error, "couldn't restore an approved plan from the archive");
    }
    Ok(())
}

fn under_lease(
    bench: &Workbench,
    _: &RunLease,
    (path, root): (&Path, &Path),
    revision: &str,
    shown_ms: i64,
) -> Result<()> {
    let (opened, report) = review::opened(bench, path, root)?;
    if opened.content.revision.as_str() != revision {
        return Err(changed(opened.content.revision.short()));
    }
    let asked = ApprovalRequest {
        revision,
        upto: None,
        reason: None,
        is_to_run: false,
    };
    let Admitted { approval, .. } = bench.admit(&opened, &asked, &report)?;
    let policy = opened.settings.policy_for(None, Policy::All);
    let terms = Terms {
        approval: &approval,
        policy,
        upto: None,
        reason: None,
        parallel: 1,
        // No run is started, so no sandbox is needed.
        sandbox: "none",
        choice: RunChoice::default(),
        shown_ms: Some(shown_ms),
    };
    bench.record_approval(&opened, &terms)
}

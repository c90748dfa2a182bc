//! Approving a plan: checks the request while holding the plan's lease, then stores the approval.

use adequacy::Report;
use gate::policy::Policy;
use gate::{Act, Bearer, own_act};
use store::Author;
use tools::git;
use tools::sandbox::Sandbox;

use super::{check_upto, notes, with_content};
use crate::wire::{ApproveRequest, Approved, DesktopEvent};
use crate::{Desktop, Shared, lock};
use workbench::approval::{Admitted, ApprovalRequest};
use workbench::error::{Code, Error, Result};
use workbench::lease::RunLease;
use workbench::opening::{Opened, RecordedRun, Terms, open_steps};
use workbench::plan_file::{self, Content, Writer};
use workbench::running::RUN_ID_LENGTH;
use workbench::sessions::SessionInput;
use workbench::text::number;
use workbench::{Workbench, checking, ids};

impl Desktop {
    /// Approves a plan, and starts a run if requested. Returns as soon as the run is stored.
    ///
    /// # Errors
    /// [`Code::NotCovered`] if the plan differs from what was on screen, or an agent has proposed
    /// another version since; [`Code::PlanIsRunning`] if it is running, or a run of this revision is
    /// waiting; [`Code::NotRunnable`] if nothing can be run; [`Code::Usage`] if a reason is missing
    /// or the branch can't be created. On error nothing has been changed and nothing runs.
    pub fn approve(&self, request: ApproveRequest) -> Result<Approved> {
        let shared = &self.shared;
        // Cleans up after an earlier process and records the current content.
        let (located, _, _) = shared.read_now(&shared.workbench(), &request.plan)?;
        if let Some(refusal) = located.refusal()
            && (request.notes.is_some() || located.foreign.is_some())
        {
            return Err(Error::new(Code::Workspace, refusal));
        }
        let bench = shared.workbench().again()?;
        let run = ids::random(RUN_ID_LENGTH)?;
        let plan = located.file.key();
        let waiting = bench.waiting_reviews(Some(&plan))?.len();
        let lease = bench.lease(&plan, &located.root, &run)?;
        let given = under_lease(shared, &bench, &request, &run, &lease);
        let (mut approved, ready) = match given {
            Ok(given) => given,
            Err(error) => {
                bench.release(lease)?;
                return Err(error);
            }
        };
        // Approving an archived plan restores it to the list.
        if let Err(error) = bench.store.archived_plans().remove(&plan) {
            tracing::warn!(%error, "couldn't restore an approved plan from the archive");
        }
        match ready {
            Some((opened, reason, sandbox)) => {
                // Sent before the run starts, because its end is reported to the conversation too.
                let revision = approved.revision.clone();
                shared.tell_talk(&plan, SessionInput::Approved { revision });
                let written = RecordedRun {
                    run: run.clone(),
                    opened,
                    reason,
                    sandbox,
                    lease,
                };
                if let Err(error) = shared.start_run(bench, written) {
                    shared.workbench().abandon_lease(&plan, &run)?;
                    return Err(error);
                }
            }
            None => bench.release(lease)?,
        }
        // If a run has started, it has taken over the plan's reviews. An agent carries out a whole
        // plan, so it isn't told about the approval of only a part.
        let told = match (request.run, &request.upto) {
            (true, _) => Ok(waiting),
            (false, None) => shared
                .workbench()
                .approve_reviews(&plan, &approved.revision),
            (false, Some(_)) => Ok(0),
        };
        match told {
            Ok(told) => approved.told = number(told),
            Err(error) => {
                tracing::warn!(%error, "couldn't tell an agent that its plan was approved");
            }
        }
        if let Some(given) = &request.notes
            && let Err(error) = shared.comments_went_into(&plan, &given.notes)
        {
            tracing::warn!(%error, "couldn't mark comments as sent");
        }
        shared.review_changed(&plan);
        shared.events.send(DesktopEvent::Inbox);
        shared.events.send(DesktopEvent::Insights);
        shared.plans_changed(&located.root);
        Ok(approved)
    }
}

/// The plan of the stored run, the reason for the override, and the sandbox for its commands.
type Ready = (Opened, Option<String>, Sandbox);

fn under_lease(
    shared: &Shared,
    bench: &Workbench,
    request: &ApproveRequest,
    run: &str,
    lease: &RunLease,
) -> Result<(Approved, Option<Ready>)> {
    let located = shared.locate(bench, &request.plan)?;
    let found = bench.open_plan(&located.file.path, Some(&located.root))?;
    let key = found.file.key();
    plan_file::record_found(&bench.store, &key, &found.content, bench.clock.now_ms())?;
    let before = found.content.clone();
    let (mut opened, named) = match &request.notes {
        None => (found, request.revision.clone()),
        Some(given) => {
            let text = notes::with_notes(&before.text, &given.notes)?;
            let content = Content::of(text);
            if content.revision.as_str() != given.revision {
                return Err(moved_on(&before));
            }
            (with_content(found, content), given.revision.clone())
        }
    };
    let upto = request.upto.as_deref();
    let reason = request.reason.as_deref().map(str::trim);
    let reason = reason.filter(|reason| !reason.is_empty());
    let facts = shared.facts_of(&key);
    let report = checking::report(&opened.plan, &opened.problems, &facts);
    let asked = ApprovalRequest {
        revision: &named,
        upto,
        reason,
        is_to_run: request.run,
    };
    let Admitted {
        approval,
        is_overridden: overridden,
    } = check(bench, &opened, &asked, &report)?;
    let seen = match &request.notes {
        Some(_) => before.revision.as_str(),
        None => &approval.revision,
    };
    bench.refuse_unseen(&key, seen)?;
    let policy = policy(request)?;
    let policy = opened.settings.policy_for(policy, Policy::All);
    let sandbox = bench.sandbox_for(&opened.settings);
    let choice = super::effort::choice(request.effort.clone().unwrap_or_default())?;
    bench.executor_for(&opened.settings, choice.hand_over.as_ref())?;

    // From here on the disk is changed; on failure the changes are reverted.
    if request.notes.is_some() {
        write_notes(shared, bench, &opened, &before)?;
    }
    let branch = request.branch.as_deref().map(str::trim);
    if let Some(branch) = branch.filter(|branch| !branch.is_empty()) {
        let name = branch.to_owned();
        let permit = own_act(Bearer::Person, Act::StartBranch { name });
        git::start_branch(&permit, &opened.workspace, branch).map_err(|error| {
            take_notes_back(shared, bench, &opened, &before);
            Error::from_cause(Code::Usage, error)
        })?;
    }
    if let Some(reason) = reason {
        let steps = open_steps(&opened.plan, upto);
        bench.keep_override(&opened, &steps, overridden.then_some(&report), reason)?;
    }
    let mut approved = Approved {
        revision: approval.revision.clone(),
        run: None,
        told: 0,
    };
    let terms = Terms {
        approval: &approval,
        policy,
        upto,
        reason,
        parallel: request
            .parallel
            .unwrap_or(1)
            .clamp(1, agent::file_locks::MAX_PARALLEL),
        sandbox: sandbox.tier().as_str(),
        choice,
        shown_ms: request.shown_ms.map(i64::from),
    };
    if !request.run {
        bench.record_approval(&opened, &terms)?;
        return Ok((approved, None));
    }
    bench.record_run(&mut opened, run, &terms, lease)?;
    approved.run = Some(run.to_owned());
    Ok((approved, Some((opened, reason.map(str::to_owned), sandbox))))
}

/// Checks everything that can reject an approval, before anything is changed.
fn check(
    bench: &Workbench,
    opened: &Opened,
    asked: &ApprovalRequest<'_>,
    report: &Report,
) -> Result<Admitted> {
    check_upto(&opened.plan, asked.upto)?;
    let admitted = bench.admit(opened, asked, report)?;
    if !asked.is_to_run {
        return Ok(admitted);
    }
    let approval = &admitted.approval;
    let key = opened.file.key();
    if bench.is_carried_out(opened, approval, asked.upto)? {
        return Err(err!(NotRunnable: "every step is done or skipped, so there is nothing to run"));
    }
    // Don't start a second run while one of this revision is open, for example after a double
    // click.
    let newest = bench.store.runs().of_plan(&key)?.into_iter().next();
    if let Some(newest) = newest.filter(|newest| newest.revision == approval.revision) {
        let state = bench.live_state(&newest)?;
        let is_open = ["waiting", "paused", "failed", "interrupted"].contains(&state.as_str());
        if is_open {
            return Err(err!(PlanIsRunning:
                "run {} of this revision is {state}: answer or resume it, or change the plan first. Nothing was started",
                newest.id));
        }
    }
    Ok(admitted)
}

fn policy(request: &ApproveRequest) -> Result<Option<Policy>> {
    let Some(name) = &request.policy else {
        return Ok(None);
    };
    let policy = Policy::from_name(name);
    policy
        .map(Some)
        .ok_or_else(|| err!(Usage: "invalid policy “{name}”: choose each, risky or all"))
}

fn moved_on(now: &Content) -> Error {
    err!(NotCovered:
        "the plan has changed since the notes were shown, so nothing was approved. It is now at revision {}: review the notes again, then approve",
        now.revision.short())
}

/// Replaces the plan file with the version that contains the notes.
fn write_notes(
    shared: &Shared,
    bench: &Workbench,
    opened: &Opened,
    before: &Content,
) -> Result<()> {
    let writer = Writer::person(bench, &opened.workspace, &opened.file, "Notes");
    let Some(after) = writer.replace(before, opened.content.clone())? else {
        return Err(moved_on(before));
    };
    let key = opened.file.key();
    writer.remember(before.revision.as_str(), &after.revision)?;
    lock(&shared.parsed).last_edits.remove(&key);
    let revision = after.revision.as_str().to_owned();
    shared.announce(&key, Some(revision), Author::Person);
    Ok(())
}

/// Restores the plan without notes after a failure, unless somebody else has written to it since.
fn take_notes_back(shared: &Shared, bench: &Workbench, opened: &Opened, before: &Content) {
    if before.revision == opened.content.revision {
        return;
    }
    let key = opened.file.key();
    let (workspace, file) = (&opened.workspace, &opened.file);
    let writer = Writer::person(bench, workspace, file, "Notes withdrawn");
    match writer.replace(&opened.content, before.clone()) {
        Ok(Some(_)) => {
            let undo = bench.store.plan_undo();
            let marked = undo.last(&key).and_then(|last| match last {
                Some(last) => undo.mark(last.seq, true).map(drop),
                None => Ok(()),
            });
            if let Err(error) = marked {
                tracing::warn!(%error, "couldn't mark the notes as undone");
            }
            let revision = before.revision.as_str().to_owned();
            shared.announce(&key, Some(revision), Author::Person);
        }
        Ok(None) => tracing::info!("kept the notes: someone else has changed the plan since"),
        Err(error) => tracing::warn!(%error, "couldn't undo the notes"),
    }
}

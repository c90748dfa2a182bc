//! `expand`: the bounded loop that makes a plan fuller, driven without a model, and what of it is taken
//! into the file.
//!
//! The loop is pure ([`adequacy::expansion`]); here it gets its text, its facts and its bounds, and what
//! came of it is kept. Nothing is written but what a person chose. Submodule `looping` runs it.

mod looping;

use std::path::PathBuf;
use std::sync::Arc;

use adequacy::WorkspaceFacts;
use adequacy::expansion::{Change, LoopMode, Outcome, Settings as Bounds, Standing, accept};
use plan::Plan;

use crate::error::{Code, Error, Result};
use crate::opening::Opened;
use crate::plan_file::{Content, Writer};
use crate::telemetry::Session;
use crate::wire::{ExpandChange, ExpandReport, ExpandRound, ExpandStanding};
use crate::{Workbench, checking, foreign};
pub(crate) use looping::{grow, grow_with};

/// What the history and undo call an expansion.
pub(crate) const LABEL: &str = "Expand the plan";

/// What is to be made fuller.
#[derive(Debug, Clone)]
pub struct ExpandRequest {
    /// The plan file, relative to the current folder.
    pub file: PathBuf,
    /// Whether all changes are to be written.
    pub apply: bool,
}

impl Workbench {
    /// Makes a plan fuller in bounded rounds; writes nothing unless asked. Between two rounds
    /// `is_cancelled` is asked.
    ///
    /// # Errors
    /// [`Code::UnusablePlan`] for a file that is no plan text, [`Code::Workspace`] when it cannot be
    /// written, [`Code::Cancelled`] when it was stopped.
    pub fn expand(
        &mut self,
        request: &ExpandRequest,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<ExpandReport> {
        self.expand_by(request, &mut |opened, facts| {
            let bounds = asked_for(&opened.settings.expansion);
            grow(&opened.content.text, facts, &bounds, is_cancelled)
        })
    }

    /// As [`Workbench::expand`], whatever runs the loop.
    pub(crate) fn expand_by(
        &mut self,
        request: &ExpandRequest,
        run: &mut dyn FnMut(&Opened, Arc<WorkspaceFacts>) -> Result<Outcome>,
    ) -> Result<ExpandReport> {
        let opened = self.open_plan(&request.file, None)?;
        if request.apply {
            foreign::refuse(self, &opened.file.path)?;
        }
        let key = opened.file.key();
        let facts = self.facts_in(&opened.workspace, &opened.settings, &key, &opened.plan);
        let outcome = run(&opened, facts)?;
        let session = Session {
            key: &key,
            revision: opened.content.revision.as_str(),
            strategy: "expansion",
            route: None,
            first_cap: None,
            before: &opened.plan,
            outcome: &outcome,
            settings: &opened.settings,
        };
        let id = self.keep_session(&session)?;
        let mut report = expand_report(&request.file.display().to_string(), &opened, &outcome);
        if request.apply && !outcome.changes.is_empty() {
            report.applied = Some(self.write_expansion(&opened, &outcome)?);
            let (plan, _) = plan::parse(&outcome.text);
            self.keep_accepted(
                &session,
                &id,
                outcome.changes.len(),
                (&plan, &outcome.after),
            )?;
        }
        Ok(report)
    }

    /// Writes the best text as one step of undo; answers the revision.
    fn write_expansion(&self, opened: &Opened, outcome: &Outcome) -> Result<String> {
        let writer = Writer::person(self, &opened.workspace, &opened.file, LABEL);
        let written = writer.replace(&opened.content, Content::of(outcome.text.clone()))?;
        let after = written.ok_or_else(|| {
            err!(Workspace:
            "{} was changed by somebody else meanwhile, so nothing was written; expand it again",
            opened.file.relative)
        })?;
        writer.remember(opened.content.revision.as_str(), &after.revision)?;
        Ok(after.revision.as_str().to_owned())
    }
}

/// The bounds of a loop that a person asked for: it goes on until nothing is left to mend.
pub(crate) fn asked_for(bounds: &Bounds) -> Bounds {
    Bounds {
        loop_mode: LoopMode::Force,
        ..bounds.clone()
    }
}

/// What the chosen changes make of a plan, and how it stands then.
/// Fails with [`Code::Usage`] for a change that the expansion does not offer.
pub(crate) fn taken(
    text: &str,
    plan: &Plan,
    outcome: &Outcome,
    chosen: &[String],
    facts: &WorkspaceFacts,
) -> Result<(String, Plan, Standing)> {
    let offered = |id: &&String| outcome.changes.iter().any(|change| change.id == **id);
    if let Some(unknown) = chosen.iter().find(|id| !offered(id)) {
        return Err(err!(Usage: "the expansion has no change {unknown}; expand the plan again"));
    }
    let text = accept(text, plan, &outcome.changes, chosen)
        .map_err(|error| Error::from_cause(Code::Usage, error))?;
    let (plan, problems) = plan::parse(&text);
    let report = checking::report(&plan, &problems, facts);
    let standing = Standing::of(&plan, &report);
    Ok((text, plan, standing))
}

fn expand_report(path: &str, opened: &Opened, outcome: &Outcome) -> ExpandReport {
    ExpandReport {
        path: path.to_owned(),
        revision: opened.content.revision.as_str().to_owned(),
        status: outcome.status.as_str().to_owned(),
        stop_reason: outcome.stop_reason.as_str().to_owned(),
        stopped_because: outcome.stop_reason.sentence().to_owned(),
        loop_mode_effective: outcome.loop_mode_effective.to_owned(),
        before: standing(&outcome.before),
        after: standing(&outcome.after),
        adequacy_improved_heuristic: outcome.adequacy_improved_heuristic,
        rounds: outcome
            .rounds
            .iter()
            .map(|round| ExpandRound {
                number: round.number,
                is_accepted: round.is_accepted,
                message: round.message.clone(),
                before: standing(&round.before),
                after: standing(&round.after),
            })
            .collect(),
        changes: outcome.changes.iter().map(change).collect(),
        applied: None,
    }
}

/// The wire form of a change.
pub(crate) fn change(change: &Change) -> ExpandChange {
    let codes = change.why.iter();
    ExpandChange {
        id: change.id.clone(),
        kind: change.kind.as_str().to_owned(),
        task: change.task.as_ref().map(ToString::to_string),
        title: change.title.clone(),
        why: codes.map(|code| code.as_str().to_owned()).collect(),
        message: change.message.clone(),
        needs: change.needs.clone(),
    }
}

/// The wire form of a standing.
pub(crate) fn standing(standing: &Standing) -> ExpandStanding {
    let codes = standing.adequacy_reason_codes.iter();
    ExpandStanding {
        score: standing.score,
        badge: standing.badge.as_str().to_owned(),
        is_too_thin: standing.is_too_thin,
        adequacy_reason_codes: codes.map(|code| code.as_str().to_owned()).collect(),
        aggregate_unresolved_risk: standing.aggregate_unresolved_risk,
        critical_count: standing.critical_count,
        findings: standing.findings,
        tasks: standing.tasks,
    }
}

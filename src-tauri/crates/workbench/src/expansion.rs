//! `expand`: runs the bounded expansion loop without a model, and applies the accepted changes to
//! the file.
//!
//! The loop is pure ([`adequacy::expansion`]); this module provides its text, facts and limits, and
//! stores the result. Only changes that a person chose are written. Submodule `rounds` runs the
//! loop.

mod rounds;

use std::path::PathBuf;
use std::sync::Arc;

use adequacy::WorkspaceFacts;
use adequacy::expansion::{LoopMode, Outcome, Settings as Bounds, Standing, accept};
use plan::Plan;

use crate::error::{Code, Error, Result};
use crate::opening::Opened;
use crate::plan_file::{Content, Writer};
use crate::telemetry::Session;
use crate::wire::ExpandReport;
use crate::{Workbench, checking, foreign_folders};
pub use rounds::{grow, grow_with};

/// The label of an expansion in the history and for undo.
pub const LABEL: &str = "Expand the plan";

/// The parameters of an expansion.
#[derive(Debug, Clone)]
pub struct ExpandRequest {
    /// The plan file, relative to the current folder.
    pub file: PathBuf,
    /// Whether to write the changes to the file.
    pub apply: bool,
}

impl Workbench {
    /// Expands a plan in a limited number of rounds; writes nothing unless asked to. Calls
    /// `is_cancelled` between rounds. Fails with [`Code::UnusablePlan`] for a file that isn't plan
    /// text, [`Code::Workspace`] if it can't be written, [`Code::Cancelled`] if cancelled.
    pub fn expand(
        &mut self,
        request: &ExpandRequest,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<ExpandReport> {
        self.expand_by(request, &mut |opened, facts| {
            let bounds = forced(&opened.settings.expansion);
            grow(&opened.content.text, facts, &bounds, is_cancelled)
        })
    }

    /// Like [`Workbench::expand`], with the loop run by `run`.
    pub(crate) fn expand_by(
        &mut self,
        request: &ExpandRequest,
        run: &mut dyn FnMut(&Opened, Arc<WorkspaceFacts>) -> Result<Outcome>,
    ) -> Result<ExpandReport> {
        let opened = self.open_plan(&request.file, None)?;
        if request.apply {
            foreign_folders::refuse(self, &opened.file.path)?;
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
        let mut applied = None;
        if request.apply && !outcome.changes.is_empty() {
            applied = Some(self.write_expansion(&opened, &outcome)?);
            let (plan, _) = plan::parse(&outcome.text);
            self.keep_accepted(
                &session,
                &id,
                outcome.changes.len(),
                (&plan, &outcome.after),
            )?;
        }
        Ok(ExpandReport {
            path: request.file.display().to_string(),
            revision: opened.content.revision.as_str().to_owned(),
            stopped_because: outcome.stop_reason.sentence().to_owned(),
            outcome,
            applied,
        })
    }

    /// Writes the best text as a single undo step; returns the revision.
    fn write_expansion(&self, opened: &Opened, outcome: &Outcome) -> Result<String> {
        let writer = Writer::person(self, &opened.workspace, &opened.file, LABEL);
        let written = writer.replace(&opened.content, Content::of(outcome.text.clone()))?;
        let after = written.ok_or_else(|| {
            err!(Workspace:
            "{} changed in the meantime, so nothing was written; expand it again",
            opened.file.relative)
        })?;
        writer.remember(opened.content.revision.as_str(), &after.revision)?;
        Ok(after.revision.as_str().to_owned())
    }
}

/// The limits of an expansion that a person asked for: it continues until nothing is left to fix.
pub fn forced(bounds: &Bounds) -> Bounds {
    Bounds {
        loop_mode: LoopMode::Force,
        ..bounds.clone()
    }
}

/// Applies the chosen changes to a plan and checks the result. Fails with [`Code::Usage`] for a
/// change that the expansion doesn't contain.
pub fn apply_changes(
    text: &str,
    plan: &Plan,
    outcome: &Outcome,
    chosen: &[String],
    facts: &WorkspaceFacts,
) -> Result<(String, Plan, Standing)> {
    let offered = |id: &&String| outcome.changes.iter().any(|change| change.id == **id);
    if let Some(unknown) = chosen.iter().find(|id| !offered(id)) {
        return Err(err!(Usage: "change {unknown} isn't in the expansion; expand the plan again"));
    }
    let text = accept(text, plan, &outcome.changes, chosen)
        .map_err(|error| Error::from_cause(Code::Usage, error))?;
    let (plan, problems) = plan::parse(&text);
    let report = checking::report(&plan, &problems, facts);
    let standing = Standing::of(&plan, &report);
    Ok((text, plan, standing))
}

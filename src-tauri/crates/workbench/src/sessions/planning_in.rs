//! `plan` with a model: a goal becomes a session, and the session a plan that is offered.
//!
//! Where the model comes to no plan, one is made without it, labelled; never nothing, and never told as
//! the model's.

use serde_json::json;
use tools::sandbox::CancelToken;

use super::{SessionEnd, SessionInput, SessionRequest, SessionSink};
use crate::error::Result;
use crate::plan_file;
use crate::planning::plan_report;
use crate::wire::{SessionEvent, SessionState};
use crate::{PlanOutcome, PlanRequest, Workbench, checking};

/// What a goal came to.
#[derive(Debug)]
pub enum Planned {
    /// No model is configured: a plan made without one.
    Without(PlanOutcome),
    /// The model offers a plan.
    Offered(PlanOutcome),
    /// The turn is over without a plan offered: a question waits, it was cancelled, or the model's
    /// plan is there and was not offered.
    Open(SessionEnd),
    /// The model came to no plan; one made without it stands in its place.
    Fallback(PlanOutcome, SessionEnd),
}

impl Workbench {
    /// Plans with the model that is configured, in a conversation; without one as
    /// [`Workbench::plan`].
    ///
    /// # Errors
    /// As [`Workbench::begin_session`], [`Workbench::converse`] and [`Workbench::plan`].
    pub fn plan_in_session(
        &mut self,
        request: &PlanRequest,
        model: Option<&str>,
        cancel: &CancelToken,
        sink: SessionSink<'_>,
    ) -> Result<Planned> {
        let words = request.goal.trim().to_owned();
        if words.is_empty() {
            return Err(err!(Usage: "say what is to be achieved: the goal is empty"));
        }
        let begun = self.begin_session(&SessionRequest {
            workspace: request.workspace.clone(),
            plan: None,
            goal: words.clone(),
            model: model.map(str::to_owned),
        })?;
        let Some(session) = begun else {
            return self.plan(request).map(Planned::Without);
        };
        let goal = SessionInput::Goal { words };
        let end = self.converse(&session, vec![goal], model, cancel, sink)?;
        match end.state {
            SessionState::Proposed => self.offered(&end).map(Planned::Offered),
            SessionState::Waiting | SessionState::Cancelled | SessionState::Idle => {
                Ok(Planned::Open(end))
            }
            // What the model wrote is not thrown away.
            _ if end.path.exists() => Ok(Planned::Open(end)),
            SessionState::Answered
            | SessionState::Unfinished
            | SessionState::Cut
            | SessionState::Failed => {
                let mut outcome = self.plan_instead(request, &end.message)?;
                outcome.report.session = Some(session);
                let solver = outcome.report.route["solver"].as_str().unwrap_or_default();
                sink(SessionEvent::Fallback {
                    path: outcome.report.path.clone(),
                    revision: outcome.report.revision.clone(),
                    solver: solver.to_owned(),
                    reason: end.message.clone(),
                });
                Ok(Planned::Fallback(outcome, end))
            }
        }
    }

    /// The plan that a session offers, as `plan` tells of it.
    pub fn offered(&self, end: &SessionEnd) -> Result<PlanOutcome> {
        let row = self.find_session(&end.session)?;
        let workspace = self.open_workspace(row.workspace.as_ref())?;
        let (settings, _) = self.settings_for(Some(&workspace));
        let content = plan_file::read_anywhere(&end.path)?;
        let (plan, problems) = plan::parse(&content.text);
        let facts = self.facts_in(&workspace, &settings, &row.plan, &plan);
        let report = checking::report(&plan, &problems, &facts);
        let route = json!({ "solver": "conversation", "model": row.model });
        let mut report = plan_report(&row.plan, &content, &plan, report, route);
        report.session = Some(row.id);
        Ok(PlanOutcome {
            report,
            text: content.text,
            refused: None,
            notices: Vec::new(),
        })
    }
}

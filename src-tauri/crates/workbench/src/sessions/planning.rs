//! Planning in a conversation, and storing what a conversation proposes.
//!
//! This uses the same path as [`crate::routes`], but a model that writes the plan does so in a
//! conversation: it explores, may ask questions, and proposes its plan. A plan proposed in a later
//! turn is stored the same way.

use std::path::Path;
use std::sync::Arc;

use adequacy::expansion::{LoopMode, Settings as Bounds};
use plan::Plan;
use planning::decision::{Attempt, Cost, Kind, Status};
use store::Author;

use super::{SessionEnd, Turn};
use crate::error::Result;
use crate::new_plan::basis::PlanningBasis;
use crate::new_plan::provenance::Provenance;
use crate::new_plan::save::{Conversation, DraftedPlan};
use crate::new_plan_with_model::PlanningSink;
use crate::routes::{DraftingMode, PlanningHandle, assess};
use crate::running::ModelChoice;
use crate::text::counted;
use crate::{PlanOutcome, PlanRequest, Workbench, expansion, plan_file};

/// The result of planning for a goal.
#[derive(Debug)]
pub enum Planned {
    /// A plan; its report names the session if there is one.
    Made(Box<PlanOutcome>),
    /// The turn ended without a proposed plan: a question is pending, it was cancelled, or the plan
    /// was written but not proposed.
    Open(SessionEnd),
}

impl Workbench {
    /// Like [`Workbench::make_plan`], but a model that writes the plan does so in a conversation.
    /// Fails as [`Workbench::make_plan`], [`Workbench::begin_session`] and [`Workbench::converse`]
    /// do.
    pub fn plan_in_session(
        &mut self,
        request: &PlanRequest,
        model: &ModelChoice,
        handle: &PlanningHandle,
        sink: PlanningSink<'_>,
    ) -> Result<Planned> {
        let mode = DraftingMode::Conversation {
            model: match model {
                ModelChoice::Named(name) => Some(name.clone()),
                ModelChoice::Configured | ModelChoice::None => None,
            },
        };
        self.make(request, model, mode, handle, sink)
    }

    /// Stores the plan that a turn proposed: how it was made, its adequacy, and the outcomes of
    /// plugins.
    pub(super) fn keep_turn(&mut self, turn: Turn, ms: u64) -> Result<PlanOutcome> {
        let row = self.find_session(&turn.end.session)?;
        let content = plan_file::read_anywhere(&turn.end.path)?;
        let (plan, _) = plan::parse(&content.text);
        let request = PlanRequest {
            goal: goal_of(&row.goal, &plan, &turn.end.path),
            workspace: Some(row.workspace.into()),
            ..PlanRequest::default()
        };
        let basis = self.basis(self.site(&request)?);
        let mut drafted = self.offered(&turn, &basis)?;
        let assessment = assess(&drafted, &basis.around);
        let usage = turn.usage;
        let (plugin, planner) = ("gs-llm-fast", "planner-default");
        drafted.route.weakness = assessment.weakness.map(|why| format!("its plan {why}"));
        drafted.route.attempts.push(Attempt {
            planner: planner.to_owned(),
            kind: Kind::Solver,
            plugin: plugin.to_owned(),
            status: match drafted.route.weakness {
                Some(_) => Status::Weak,
                None => Status::Success,
            },
            why: drafted.route.weakness.clone().unwrap_or_default(),
            cost: Cost {
                ms,
                calls: usage.requests,
                tokens: usage.input.saturating_add(usage.output),
                faults: usage.faults,
            },
        });
        drafted.route.model = Some(usage.model.clone());
        drafted.route.usage = Some(usage);
        self.keep(&request, basis, drafted)
    }

    /// The plan that a turn proposed, in the form of a solver's result.
    pub(crate) fn offered(&self, turn: &Turn, basis: &PlanningBasis) -> Result<DraftedPlan> {
        let (before, grown) = match &turn.grown {
            Some(grown) => grown.clone(),
            // Someone edited the file in the meantime: the current content counts as proposed.
            None => {
                let text = plan_file::read_anywhere(&turn.end.path)?.text;
                let bounds = Bounds {
                    loop_mode: LoopMode::Off,
                    auto_expand_thin_plan: false,
                    ..basis.settings.expansion.clone()
                };
                let around = Arc::clone(&basis.around);
                let before = plan::parse(&text).0;
                (before, expansion::grow(&text, around, &bounds, &|| false)?)
            }
        };
        let (plan, _) = plan::parse(&grown.text);
        let title = plan.title.map(|title| title.text);
        Ok(DraftedPlan {
            title: title.unwrap_or_else(|| basis.intake.goal.clone()),
            before,
            grown,
            route: Provenance {
                solver: "gs-llm-fast".to_owned(),
                is_conversation: true,
                reasons: vec![format!(
                    "conversation: {} to {}",
                    counted(turn.usage.requests as usize, "request"),
                    turn.usage.model
                )],
                ..Provenance::default()
            },
            first_cap: None,
            author: Author::Model,
            conversation: Some(Conversation {
                session: turn.end.session.clone(),
                path: turn.end.path.clone(),
                revision: turn.end.revision.clone().unwrap_or_default(),
            }),
            agent: None,
        })
    }
}

/// The goal of a conversation: its own, else the plan's goal, title or file name.
fn goal_of(said: &str, plan: &Plan, path: &Path) -> String {
    let title = || Some(plan.title.as_ref()?.text.clone());
    let stem = || path.file_stem().unwrap_or_default().to_string_lossy();
    let known = [Some(said), plan.goal()].into_iter().flatten();
    let known = known.map(str::trim).find(|words| !words.is_empty());
    known
        .map(str::to_owned)
        .or_else(title)
        .unwrap_or_else(|| stem().into_owned())
}

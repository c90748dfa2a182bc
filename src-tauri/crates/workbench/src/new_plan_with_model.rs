//! The plugins that use a model: `sd-llm-…` read a goal, `gs-llm-fast` drafts a plan, `gs-llm-deep`
//! adds a critique and a limited number of expansion rounds.
//!
//! [`crate::routes`] decides which of them is tried, and what happens if one fails. Nothing is
//! written here.
//!
//! **Architecture invariants.** An answer that was cut off, or ended without a finish reason, is
//! never read as a plan. A model's text never becomes the file: see [`planning::drafting`]. Every
//! request is counted, and none is sent that exceeds the window or the budget.

mod answer_parser;
mod conversation;
mod drafting;
mod goal_reader;
mod model_expansion;
mod requester;

use std::sync::Arc;

use adequacy::expansion::LoopMode;
use planning::drafting::goal::ModelDepth;
use planning::drafting::prompt::Form;
use store::Author;
use tools::sandbox::CancelToken;

use crate::error::{Code, Error, Result};
use crate::new_plan::basis::PlanningBasis;
use crate::new_plan::provenance::Provenance;
use crate::new_plan::save::DraftedPlan;
use crate::wire::{ExpandReport, PlanningEvent};
use crate::{ExpandRequest, Workbench, expansion};
pub(crate) use conversation::{ConversationResult, converse, deepened};
use drafting::Draft;
pub(crate) use drafting::{form as draft_form, most_requests, room};
pub(crate) use goal_reader::read as read_goal;
pub(crate) use requester::Requester;

/// Receives the events of planning.
pub type PlanningSink<'a> = &'a mut (dyn FnMut(PlanningEvent) + Send);

/// Why a plugin produced no plan.
#[derive(Debug)]
pub(crate) enum NoPlan {
    /// The person cancelled the request.
    Cancelled,
    /// The endpoint doesn't respond; other plugins that use it would fail too.
    Model(String),
    /// The model's answer was unusable.
    Answer(String),
    /// An error unrelated to the model.
    Failed(Error),
}

impl From<Error> for NoPlan {
    fn from(error: Error) -> Self {
        match error.code {
            Code::Cancelled => Self::Cancelled,
            _ => Self::Failed(error),
        }
    }
}

impl Workbench {
    /// Expands a plan: first by rules, then with the configured model unless `loop_mode` is off.
    /// Without a model, the same as [`Workbench::expand`]. Fails as [`Workbench::expand`] does;
    /// [`Code::Model`] if the configuration is unusable.
    pub fn expand_with_model(
        &mut self,
        request: &ExpandRequest,
        model: Option<&str>,
        cancel: &CancelToken,
        sink: PlanningSink<'_>,
    ) -> Result<ExpandReport> {
        let Some(mut access) = self.model_access(model)? else {
            return self.expand(request, &|| cancel.is_cancelled());
        };
        // A second workbench, since the first is borrowed for the plan's file.
        let bench = self.again()?;
        self.expand_by(request, &mut |opened, facts| {
            let bounds = expansion::forced(&opened.settings.expansion);
            let text = &opened.content.text;
            if opened.settings.expansion.loop_mode == LoopMode::Off {
                return expansion::grow(text, facts, &bounds, &|| cancel.is_cancelled());
            }
            let mut requester = Requester::new(&bench, &mut access, cancel, &mut *sink)?;
            match model_expansion::grow(&mut requester, text, facts, &bounds, &[]) {
                Ok(outcome) => Ok(outcome),
                Err(NoPlan::Failed(error)) => Err(error),
                Err(NoPlan::Cancelled) => Err(cancelled()),
                Err(NoPlan::Model(why) | NoPlan::Answer(why)) => Err(Error::new(Code::Model, why)),
            }
        })
    }
}

/// Drafts a plan and expands it: without the model at fast depth, with the model at deep depth. The
/// error says why there is no plan.
pub(crate) fn solve(
    requester: &mut Requester<'_>,
    basis: &PlanningBasis,
    depth: ModelDepth,
    form: Form,
    assumptions: &[String],
) -> std::result::Result<DraftedPlan, NoPlan> {
    let draft = drafting::draft(requester, basis, depth, form, assumptions)?;
    finish(requester, basis, depth, draft)
}

/// Expands a draft: without the model at fast depth, with the model at deep depth.
fn finish(
    requester: &mut Requester<'_>,
    basis: &PlanningBasis,
    depth: ModelDepth,
    draft: Draft,
) -> std::result::Result<DraftedPlan, NoPlan> {
    let before = plan::parse(&draft.text).0;
    let mut reasons = draft.reasons.clone();
    let grown = match depth {
        ModelDepth::Deep => {
            let (outcome, said) = model_expansion::deepen(requester, basis, &draft)?;
            reasons.extend(said);
            outcome
        }
        ModelDepth::Fast => {
            let cancel = requester.cancel_token();
            let is_cancelled = || cancel.is_cancelled();
            let around = Arc::clone(&basis.around);
            expansion::grow(
                &draft.text,
                around,
                &basis.settings.expansion,
                &is_cancelled,
            )?
        }
    };
    Ok(DraftedPlan {
        title: draft.title,
        before,
        grown,
        route: Provenance {
            solver: depth.solver().to_owned(),
            reasons,
            ..Provenance::default()
        },
        first_cap: Some(draft.cap),
        author: Author::Model,
        conversation: None,
        agent: None,
    })
}

/// The error of a cancelled request.
pub(crate) fn cancelled() -> Error {
    err!(Cancelled: "cancelled; no plan was written")
}

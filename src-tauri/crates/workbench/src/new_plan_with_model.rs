//! The plugins that ask a model: `sd-llm-…` read a goal, `gs-llm-fast` writes a plan in one request,
//! `gs-llm-deep` by draft, critique and bounded rounds.
//!
//! Which of them is tried, and what happens when one comes to nothing, [`crate::routes`] says. Nothing is
//! written here.
//!
//! **Architecture invariants.** An answer that was cut, or ended without a reason, is never read as
//! a plan. A model's text never becomes the file: see [`planning::drafting`]. What a request costs is
//! counted, and no request is begun that the window or the budget has no room for.

mod asking;
mod conversing;
mod deepening;
mod drafting;
mod reading_answer;
mod reading_goal;

use std::sync::Arc;

use adequacy::expansion::LoopMode;
use planning::drafting::goal::Depth;
use planning::drafting::prompt::Form;
use store::Author;
use tools::sandbox::CancelToken;

use crate::error::{Code, Error, Result};
use crate::new_plan::ground::Ground;
use crate::new_plan::keeping::Drafted;
use crate::new_plan::taken::Taken;
use crate::wire::{ExpandReport, PlanningEvent};
use crate::{ExpandRequest, Workbench, growing};
pub(crate) use asking::Asking;
pub(crate) use conversing::{Talked, converse, deepened};
use drafting::Draft;
pub(crate) use drafting::{form as draft_form, most_requests, room};
pub(crate) use reading_goal::read as read_goal;

/// Where events of planning go.
pub type PlanningSink<'a> = &'a mut (dyn FnMut(PlanningEvent) + Send);

/// Why a route gave no plan.
#[derive(Debug)]
pub(crate) enum NoPlan {
    /// The person stopped it.
    Cancelled,
    /// The endpoint does not answer; another route through it would not either.
    Model(String),
    /// The model answered, and no plan came of it.
    Answer(String),
    /// Something of ours failed.
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
    /// Makes a plan fuller: first by code, then by the model that is configured, where `loop_mode`
    /// asks for it. Without a model as [`Workbench::expand`].
    ///
    /// # Errors
    /// As [`Workbench::expand`]; [`Code::Model`] where what is configured cannot be used.
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
        // A second one, since the first is busy with the plan's file.
        let bench = self.again()?;
        self.expand_by(request, &mut |opened, facts| {
            let bounds = growing::asked_for(&opened.settings.expansion);
            let text = &opened.content.text;
            if opened.settings.expansion.loop_mode == LoopMode::Off {
                return growing::grow(text, facts, &bounds, &|| cancel.is_cancelled());
            }
            let mut asking = Asking::new(&bench, &mut access, cancel, &mut *sink)?;
            match deepening::grow(&mut asking, text, facts, &bounds, &[]) {
                Ok(outcome) => Ok(outcome),
                Err(NoPlan::Failed(error)) => Err(error),
                Err(NoPlan::Cancelled) => Err(cancelled()),
                Err(NoPlan::Model(why) | NoPlan::Answer(why)) => Err(Error::new(Code::Model, why)),
            }
        })
    }
}

/// Drafts a plan and makes it fuller: without the model on the fast way, with it on the deep one.
/// An error says why there is no plan.
pub(crate) fn solve(
    asking: &mut Asking<'_>,
    ground: &Ground,
    depth: Depth,
    form: Form,
    assumptions: &[String],
) -> std::result::Result<Drafted, NoPlan> {
    let draft = drafting::draft(asking, ground, depth, form, assumptions)?;
    finish(asking, ground, depth, draft)
}

/// Makes a draft fuller: without the model on the fast route, with it on the deep one.
fn finish(
    asking: &mut Asking<'_>,
    ground: &Ground,
    depth: Depth,
    draft: Draft,
) -> std::result::Result<Drafted, NoPlan> {
    let before = plan::parse(&draft.text).0;
    let mut reasons = draft.reasons.clone();
    let grown = match depth {
        Depth::Deep => {
            let (outcome, said) = deepening::deepen(asking, ground, &draft)?;
            reasons.extend(said);
            outcome
        }
        Depth::Fast => {
            let cancel = asking.cancel_token();
            let is_cancelled = || cancel.is_cancelled();
            let around = Arc::clone(&ground.around);
            growing::grow(
                &draft.text,
                around,
                &ground.settings.expansion,
                &is_cancelled,
            )?
        }
    };
    Ok(Drafted {
        title: draft.title,
        before,
        grown,
        route: Taken {
            solver: depth.solver().to_owned(),
            reasons,
            ..Taken::default()
        },
        first_cap: Some(draft.cap),
        author: Author::Model,
        talk: None,
    })
}

/// What a stopped request ends with.
pub(crate) fn cancelled() -> Error {
    err!(Cancelled: "stopped; no plan was written")
}

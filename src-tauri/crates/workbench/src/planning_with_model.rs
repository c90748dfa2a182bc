//! Planning by a model: `gs-llm-fast` in one request, `gs-llm-deep` by draft, critique and bounded
//! rounds, and what happens when the model does not come to a plan.
//!
//! The order is fixed and cheap first where something fails: deep, fast, `gs-symbolic`. Each route
//! that gives no plan, or a weak one, is named with its reason in the plan's own report; the last
//! route needs no model and always gives one. Nothing is written before the best plan is known, and
//! a cancelled one leaves nothing.
//!
//! **Architecture invariants.** An answer that was cut, or ended without a reason, is never read as
//! a plan. A model's text never becomes the file: see [`routing::drafting`]. What a request costs is
//! counted, and no request is begun that the window or the budget has no room for.

mod asking;
mod deepening;
mod drafting;
mod reading_answer;
mod reading_goal;
mod trying;

use std::sync::Arc;

use adequacy::expansion::LoopMode;
use store::Author;
use tools::sandbox::CancelToken;
use tools::survey::Survey;

use crate::endpoints::ModelAccess;
use crate::error::{Code, Error, Result};
use crate::planning::ground::Ground;
use crate::planning::keeping::{Drafted, Taken};
use crate::planning::{PlanOutcome, PlanRequest};
use crate::wire::{ExpandReport, PlanningEvent};
use crate::{ExpandRequest, Workbench, growing};
use asking::Asking;
use drafting::Draft;
use trying::Trying;

/// Where events of planning go.
pub type PlanningSink<'a> = &'a mut (dyn FnMut(PlanningEvent) + Send);

/// How a plan is to be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanRoute {
    /// By templates and rules, without a model.
    Symbolic,
    /// By one request.
    Fast,
    /// By draft, critique and bounded expansion.
    Deep,
}

impl PlanRoute {
    /// Every route.
    pub const ALL: [Self; 3] = [Self::Symbolic, Self::Fast, Self::Deep];

    /// The seed's id of its solver.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Symbolic => "gs-symbolic",
            Self::Fast => "gs-llm-fast",
            Self::Deep => "gs-llm-deep",
        }
    }
}

/// Why a route gave no plan.
#[derive(Debug)]
enum NoPlan {
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
    /// Writes a plan for a goal on the route that was asked for. `model` is the value of `--model`.
    ///
    /// # Errors
    /// As [`Workbench::plan`]; [`Code::Model`] where a model is needed and none is configured;
    /// [`Code::Cancelled`], and then nothing was written.
    pub fn plan_by_route(
        &mut self,
        request: &PlanRequest,
        route: PlanRoute,
        model: Option<&str>,
        cancel: &CancelToken,
        sink: PlanningSink<'_>,
    ) -> Result<PlanOutcome> {
        if route == PlanRoute::Symbolic {
            return self.plan(request);
        }
        let (settings, _) = self.settings_for(None);
        let Some(mut access) = self.model_access(&settings, model)? else {
            return Err(Error::new(
                Code::Model,
                format!(
                    "{} needs a model and none is configured; set PLANWRIGHT_BASE_URL and PLANWRIGHT_MODEL, or use --route gs-symbolic",
                    route.as_str()
                ),
            ));
        };
        self.plan_with_model(request, &mut access, route, cancel, sink)
    }

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
        let (user, _) = self.settings_for(None);
        let Some(mut access) = self.model_access(&user, model)? else {
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

    /// Writes a plan for a goal by asking a model; where it comes to none, the next cheaper route is
    /// taken and the plan says so.
    ///
    /// # Errors
    /// As [`Workbench::plan`]; [`Code::Cancelled`], and then nothing was written.
    pub(crate) fn plan_with_model(
        &mut self,
        request: &PlanRequest,
        access: &mut ModelAccess,
        how: PlanRoute,
        cancel: &CancelToken,
        sink: PlanningSink<'_>,
    ) -> Result<PlanOutcome> {
        let (ground, drafted) = self.draft_with_model(request, access, how, cancel, sink)?;
        self.keep(request, ground, drafted)
    }

    /// The best plan that the routes come to, not written yet.
    fn draft_with_model(
        &self,
        request: &PlanRequest,
        access: &mut ModelAccess,
        how: PlanRoute,
        cancel: &CancelToken,
        sink: PlanningSink<'_>,
    ) -> Result<(Ground, Drafted)> {
        let mut site = self.site(request)?;
        let endpoint = access.client.endpoint();
        sink(PlanningEvent::Started {
            solver: how.as_str().to_owned(),
            base_url: endpoint.base_url.clone(),
            model: endpoint.model.clone(),
        });
        // What the server tells of its window counts from the first request on.
        self.room_for(access, 0, 0, cancel)?;
        let mut asking = Asking::new(self, access, cancel, sink)?;
        let mut trying = Trying::of(how);
        match drafting::room(&asking, &site.intake, how) {
            Ok(room) => {
                let may_add = request.requirements.is_none();
                trying.read_goal(&mut asking, &mut site, room, may_add)?;
            }
            // Said before anything is asked.
            Err(why) => trying.give_up(&mut asking, how, why),
        }
        let ground = self.ground(site, &Survey::default())?;
        while let Some((way, form)) = trying.next(&asking) {
            let drafted = drafting::draft(&mut asking, &ground, way, form, &trying.assumptions)
                .and_then(|draft| finish(&mut asking, &ground, way, draft));
            trying.take(&mut asking, &ground, way, drafted)?;
        }
        if asking.is_cancelled() {
            return Err(cancelled());
        }
        if !trying.has_good() {
            let symbolic = self.symbolic(request, &ground, &|| cancel.is_cancelled())?;
            trying.add(symbolic, &ground);
        }
        let drafted = trying.finished(asking.asked())?;
        Ok((ground, drafted))
    }
}

/// Makes a draft fuller: without the model on the fast route, with it on the deep one.
fn finish(
    asking: &mut Asking<'_>,
    ground: &Ground,
    way: PlanRoute,
    draft: Draft,
) -> std::result::Result<Drafted, NoPlan> {
    let before = plan::parse(&draft.text).0;
    let mut reasons = draft.reasons.clone();
    let grown = match way {
        PlanRoute::Deep => {
            let (outcome, said) = deepening::deepen(asking, ground, &draft)?;
            reasons.extend(said);
            outcome
        }
        PlanRoute::Fast | PlanRoute::Symbolic => {
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
            detector: "sd-symbolic",
            kb: "kb-fast",
            solver: way.as_str(),
            reasons,
            ..Taken::default()
        },
        first_cap: Some(draft.cap),
        author: Author::Model,
    })
}

fn cancelled() -> Error {
    Error::new(Code::Cancelled, "stopped; no plan was written")
}

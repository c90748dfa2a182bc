//! Plans made by the decision layer: what is tried for a goal, carried out in the order that
//! [`planning::decision`] gives, told as it happens, kept with its reasons, and learned from.
//!
//! Submodules: `carrying` follows a decision plugin by plugin, `best` keeps the best plan, `gathering` is the three KB plugins,
//! `learned` keeps outcomes and folds them, `forecast` says beforehand what each effort would take,
//! `shown` is how a plan came to be, for people.
//!
//! **Architecture invariants.** Nothing is written before the best plan is known, and a cancelled
//! request leaves nothing. A pin that fails is an error that names it; without one there is always a
//! plan, labelled where it is not what was hoped for. What happened is kept whichever way it ended.

mod best;
mod carrying;
mod forecast;
mod gathering;
pub mod learned;
mod shown;

use adequacy::PlanDepth;
use planning::decision::{Budget, Effort, Following, Plugins, Request, decide};
use tools::sandbox::CancelToken;
use tools::survey::Survey;

use crate::environment::token;
use crate::error::{Code, Error, Result};
use crate::new_plan::ground::Ground;
use crate::new_plan::keeping::Drafted;
use crate::new_plan::{PlanOutcome, PlanRequest, TemplateWish};
use crate::new_plan_with_model::{PlanningSink, cancelled};
use crate::running::ModelChoice;
use crate::sessions::{Planned, SessionEnd};
use crate::settings::Settings;
use crate::wire::PlanningEvent;
use crate::{Workbench, wire};
pub(crate) use best::judged;
use carrying::{Carried, Carrying};
pub(crate) use gathering::Gathered;

/// Requests to a model that one plan may take in all.
const MAX_REQUESTS: u32 = 24;

/// Milliseconds that one plan may take.
const MAX_MS: u64 = 15 * 60 * 1_000;

/// Planning under way, as other threads see it.
#[derive(Debug)]
pub struct PlanningUnderWay {
    /// How far the look at the workspace is.
    pub(crate) survey: Survey,
    /// The same of the index, which may end early: what it holds by then is searched.
    pub(crate) indexing: Survey,
    pub(crate) cancel: CancelToken,
    enough: CancelToken,
}

impl PlanningUnderWay {
    /// One that nobody has stopped.
    ///
    /// # Errors
    /// [`Code::Failed`] when the system refuses what it needs.
    pub fn new() -> Result<Self> {
        Ok(Self {
            survey: Survey::default(),
            indexing: Survey::default(),
            cancel: token()?,
            enough: token()?,
        })
    }

    /// One that a token of the caller's stops.
    pub fn cancelled_by(cancel: CancelToken) -> Result<Self> {
        Ok(Self {
            cancel,
            ..Self::new()?
        })
    }

    /// Files looked at so far.
    #[must_use]
    pub fn files(&self) -> usize {
        self.survey.files().max(self.indexing.files())
    }

    /// Has it end without a plan.
    pub fn cancel(&self) {
        self.cancel.cancel();
        self.survey.stop();
        self.indexing.stop();
    }

    /// Has it end with the best plan that there is by now.
    pub fn use_what_there_is(&self) {
        self.enough.cancel();
        self.indexing.stop();
    }
}

/// How a model that is to write a plan does so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Way {
    /// It answers requests, and code writes the file.
    InOneGo,
    /// It looks around, may ask, and writes the file, in a conversation that can go on.
    Conversation {
        /// The model that a person named.
        model: Option<String>,
    },
}

/// What a decision came to.
pub enum Followed {
    /// A plan.
    Plan(Box<(Ground, Drafted)>),
    /// A conversation that has not ended in a plan.
    Open(SessionEnd),
}

impl PlanRequest {
    /// Plugins that are pinned: a template that a person named is filled in by rules.
    fn all_pins(&self) -> Vec<String> {
        let mut pins = self.pins.clone();
        let is_by_rules = matches!(self.template, TemplateWish::Named(_));
        if is_by_rules && !pins.iter().any(|pin| pin.starts_with("gs-")) {
            pins.push("gs-symbolic".to_owned());
        }
        pins
    }

    /// Has settings be for the effort that was chosen.
    pub(crate) fn apply(&self, settings: &mut Settings) {
        let depth = &mut settings.expansion.plan_depth;
        match self.effort {
            Effort::Auto => {}
            // What a workspace asks for is not taken back.
            Effort::Quick if *depth == PlanDepth::Deep => {}
            Effort::Quick => *depth = PlanDepth::Minimal,
            Effort::Thorough => *depth = PlanDepth::Deep,
        }
    }
}

impl Workbench {
    /// Writes a plan for a goal, on the route that effort, pins, settings and what was learned give.
    ///
    /// # Errors
    /// [`Code::Usage`] for an empty goal and for pins that cannot be, [`Code::Workspace`] when the folder
    /// cannot be read or the plan cannot be written, [`Code::Model`] where what was pinned needs a model
    /// and none can be asked, [`Code::Failed`] where what was pinned came to nothing,
    /// [`Code::Cancelled`], and then nothing was written.
    pub fn make_plan(
        &mut self,
        request: &PlanRequest,
        model: &ModelChoice,
        under_way: &PlanningUnderWay,
        sink: PlanningSink<'_>,
    ) -> Result<PlanOutcome> {
        match self.make(request, model, Way::InOneGo, under_way, sink)? {
            Planned::Made(outcome) => Ok(*outcome),
            Planned::Open(end) => Err(Error::new(Code::Failed, end.message)),
        }
    }

    /// The one path from a goal to a plan.
    pub(crate) fn make(
        &mut self,
        request: &PlanRequest,
        model: &ModelChoice,
        way: Way,
        under_way: &PlanningUnderWay,
        sink: PlanningSink<'_>,
    ) -> Result<Planned> {
        match self.follow(request, model, way, under_way, sink)? {
            Followed::Plan(made) => {
                let (ground, drafted) = *made;
                let outcome = self.keep(request, ground, drafted)?;
                Ok(Planned::Made(Box::new(outcome)))
            }
            Followed::Open(end) => Ok(Planned::Open(end)),
        }
    }

    /// The same as far as a plan that nothing was kept of yet, and that lies in no file.
    pub fn follow(
        &self,
        request: &PlanRequest,
        model: &ModelChoice,
        way: Way,
        under_way: &PlanningUnderWay,
        sink: PlanningSink<'_>,
    ) -> Result<Followed> {
        let (mut access, trouble) = match model.access(self) {
            Ok(access) => (access, None),
            // Whoever names a model wants to know that it is not there.
            Err(error) if *model != ModelChoice::Configured || error.code != Code::Model => {
                return Err(error);
            }
            Err(error) => (None, Some(error.message)),
        };
        let ground = self.ground(self.site(request)?);
        let plugins = Plugins::built_in();
        let (statistics, notice) = self.route_statistics()?;
        let pins = request.all_pins();
        let model = access
            .as_ref()
            .map(|access| access.client.endpoint().model.clone());
        let decision = decide(&Request {
            intake: &ground.intake,
            effort: request.effort,
            pins: &pins,
            model: model.as_deref(),
            orders: &ground.settings.routes,
            plugins: &plugins,
            statistics: &statistics,
        })
        .map_err(|error| match error {
            planning::decision::DecisionError::NoModel(_) => Error::new(
                Code::Model,
                trouble.clone().unwrap_or_else(|| error.to_string()),
            ),
            error => Error::from_cause(Code::Usage, error),
        })?;
        sink(PlanningEvent::Decided(wire::decided(&decision)));
        if let Some(message) = notice {
            sink(PlanningEvent::Notice { message });
        }
        let tokens = ground.settings.expansion.refine_budget_tokens;
        let budget = Budget::new(MAX_REQUESTS, tokens, MAX_MS);
        let mut following = Following::new(decision, &plugins, budget);
        let job = carrying::Job {
            bench: self,
            request,
            way,
            under_way,
        };
        let mut carrying = Carrying::new(job, ground, access.as_mut(), sink)?;
        let carried = carrying.run(&mut following, &plugins)?;
        let (ground, asked) = carrying.ended();
        let drafted = match carried {
            Carried::Plan(drafted) => *drafted,
            Carried::PinFailed { plugin, why } => {
                let failed = learned::Failed {
                    workspace: &ground.workspace,
                    intake: &ground.intake,
                    model: model.as_deref(),
                };
                self.keep_failed_route(&failed, &following)?;
                return Err(err!(Failed:
                    "{plugin} is pinned and gave no plan: {why}. Nothing else was tried; take the pin away, or pin another plugin"));
            }
            Carried::Open(end) => return Ok(Followed::Open(end)),
            Carried::Cancelled => return Err(cancelled()),
        };
        let mut drafted = drafted;
        drafted.route.follow(&following, model, asked, trouble);
        Ok(Followed::Plan(Box::new((ground, drafted))))
    }
}

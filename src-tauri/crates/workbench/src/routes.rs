//! Planning through the decision layer: tries plugins in the order that [`planning::decision`]
//! gives, reports each attempt, stores the result with its reasons, and learns from it.
//!
//! Submodules: `execution` tries the plugins of a decision, `best` keeps the best plan so far,
//! `knowledge` implements the three KB plugins, `outcomes` stores outcomes and summarizes them,
//! `forecast` estimates the cost of each effort, `views` describes how a plan was made.
//!
//! **Architecture invariants.** Nothing is written before the best plan is known, and a cancelled
//! request leaves nothing behind. If a pinned plugin fails, the error names it; without pins there
//! is always a plan, labeled if it is weaker than intended. The outcome is stored either way.

mod best;
mod execution;
mod forecast;
mod knowledge;
pub mod outcomes;
mod views;

use adequacy::PlanDepth;
use planning::decision::{
    AGENT_SOLVER, Budget, Effort, Orders, Plugins, Request, RequestProgress, decide,
};
use tools::sandbox::CancelToken;
use tools::survey::Survey;

use crate::agent_planning::PlanningAgent;
use crate::environment::token;
use crate::error::{Code, Error, Result};
use crate::new_plan::basis::PlanningBasis;
use crate::new_plan::save::DraftedPlan;
use crate::new_plan::{PlanOutcome, PlanRequest, TemplateChoice};
use crate::new_plan_with_model::{PlanningSink, cancelled};
use crate::running::ModelChoice;
use crate::sessions::{Planned, SessionEnd};
use crate::settings::Settings;
use crate::wire::PlanningEvent;
use crate::{Workbench, wire};
pub(crate) use best::assess;
use execution::{RouteExecution, RouteResult};
pub(crate) use knowledge::WorkspaceKnowledge;

/// Maximum number of model requests for one plan.
const MAX_REQUESTS: u32 = 24;

/// The time limit for one plan, in milliseconds.
const MAX_MS: u64 = 15 * 60 * 1_000;

/// A planning request in progress, shared with other threads.
#[derive(Debug)]
pub struct PlanningHandle {
    /// Progress of the workspace survey.
    pub(crate) survey: Survey,
    /// Progress of the index update. If it is stopped early, only the files indexed so far are
    /// searched.
    pub(crate) indexing: Survey,
    pub(crate) cancel: CancelToken,
    enough: CancelToken,
}

impl PlanningHandle {
    /// A handle for a new request, with its own cancel token.
    pub fn new() -> Result<Self> {
        Ok(Self {
            survey: Survey::default(),
            indexing: Survey::default(),
            cancel: token()?,
            enough: token()?,
        })
    }

    /// A handle for a new request that the caller's token cancels.
    pub fn cancelled_by(cancel: CancelToken) -> Result<Self> {
        Ok(Self {
            cancel,
            ..Self::new()?
        })
    }

    /// The number of files surveyed or indexed so far, whichever is larger.
    #[must_use]
    pub fn files(&self) -> usize {
        self.survey.files().max(self.indexing.files())
    }

    /// Cancels the request; no plan is made.
    pub fn cancel(&self) {
        self.cancel.cancel();
        self.survey.stop();
        self.indexing.stop();
    }

    /// Stops and uses the best plan found so far.
    pub fn use_best_plan(&self) {
        self.enough.cancel();
        self.indexing.stop();
    }
}

/// How a model writes a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DraftingMode {
    /// It answers separate requests, and code writes the file.
    SingleRequests,
    /// It explores, may ask questions, and writes the file, in a conversation that can continue.
    Conversation {
        /// The model that the person named.
        model: Option<String>,
    },
}

/// The result of following a decision.
pub enum FollowResult {
    /// The finished plan, not written yet.
    Plan(Box<(PlanningBasis, DraftedPlan)>),
    /// A conversation that hasn't produced a plan yet.
    Open(SessionEnd),
}

impl PlanRequest {
    /// All pinned plugins, including the rules that fill in a template the person named.
    fn all_pins(&self) -> Vec<String> {
        let mut pins = self.pins.clone();
        let is_by_rules = matches!(self.template, TemplateChoice::Named(_));
        if is_by_rules && !pins.iter().any(|pin| pin.starts_with("gs-")) {
            pins.push("gs-symbolic".to_owned());
        }
        pins
    }

    /// Adjusts the settings to the chosen effort.
    pub(crate) fn apply(&self, settings: &mut Settings) {
        let depth = &mut settings.expansion.plan_depth;
        match self.effort {
            Effort::Auto => {}
            // A workspace's request for more depth isn't overridden.
            Effort::Quick if *depth == PlanDepth::Deep => {}
            Effort::Quick => *depth = PlanDepth::Minimal,
            Effort::Thorough => *depth = PlanDepth::Deep,
        }
    }
}

impl Workbench {
    /// Writes a plan for a goal, along the route given by effort, pins, settings and what was
    /// learned. Fails with [`Code::Usage`] for an empty goal or invalid pins, [`Code::Workspace`]
    /// if the folder can't be read or the plan can't be written, [`Code::Model`] if a pinned plugin
    /// needs a model and none is available, [`Code::Failed`] if a pinned plugin failed,
    /// [`Code::Cancelled`] if cancelled, with nothing written.
    pub fn make_plan(
        &mut self,
        request: &PlanRequest,
        model: &ModelChoice,
        handle: &PlanningHandle,
        sink: PlanningSink<'_>,
    ) -> Result<PlanOutcome> {
        match self.make(request, model, DraftingMode::SingleRequests, handle, sink)? {
            Planned::Made(outcome) => Ok(*outcome),
            Planned::Open(end) => Err(Error::new(Code::Failed, end.message)),
        }
    }

    /// Makes a plan for a goal and writes its file; every plan for a goal is made here.
    pub(crate) fn make(
        &mut self,
        request: &PlanRequest,
        model: &ModelChoice,
        mode: DraftingMode,
        handle: &PlanningHandle,
        sink: PlanningSink<'_>,
    ) -> Result<Planned> {
        match self.follow(request, model, mode, handle, sink)? {
            FollowResult::Plan(made) => {
                let (basis, drafted) = *made;
                let outcome = self.keep(request, basis, drafted)?;
                Ok(Planned::Made(Box::new(outcome)))
            }
            FollowResult::Open(end) => Ok(Planned::Open(end)),
        }
    }

    /// Like [`Workbench::make_plan`], with the plan written by another agent and no other solver.
    /// No model is used. Fails with [`Code::Failed`] if the agent makes no plan; the message says
    /// why.
    pub fn make_plan_with_agent(
        &mut self,
        request: &PlanRequest,
        agent: &mut dyn PlanningAgent,
        handle: &PlanningHandle,
        sink: PlanningSink<'_>,
    ) -> Result<PlanOutcome> {
        let request = PlanRequest {
            pins: vec![AGENT_SOLVER.to_owned()],
            ..request.clone()
        };
        let (model, mode) = (&ModelChoice::None, DraftingMode::SingleRequests);
        match self.follow_with(&request, model, mode, Some(agent), handle, sink)? {
            FollowResult::Plan(made) => {
                let (basis, drafted) = *made;
                self.keep(&request, basis, drafted)
            }
            FollowResult::Open(end) => Err(Error::new(Code::Failed, end.message)),
        }
    }

    /// Like [`Workbench::make_plan`], but returns the plan without storing it or writing a file.
    pub fn follow(
        &self,
        request: &PlanRequest,
        model: &ModelChoice,
        mode: DraftingMode,
        handle: &PlanningHandle,
        sink: PlanningSink<'_>,
    ) -> Result<FollowResult> {
        self.follow_with(request, model, mode, None, handle, sink)
    }

    fn follow_with(
        &self,
        request: &PlanRequest,
        model: &ModelChoice,
        mode: DraftingMode,
        agent: Option<&mut dyn PlanningAgent>,
        handle: &PlanningHandle,
        sink: PlanningSink<'_>,
    ) -> Result<FollowResult> {
        let (mut access, trouble) = match model.access(self) {
            Ok(access) => (access, None),
            // A person who names a model should learn that it isn't available.
            Err(error) if *model != ModelChoice::Configured || error.code != Code::Model => {
                return Err(error);
            }
            Err(error) => (None, Some(error.message)),
        };
        let basis = self.basis(self.site(request)?);
        let plugins = match &agent {
            Some(_) => Plugins::with_agent(),
            None => Plugins::built_in(),
        };
        // An agent reads the workspace itself.
        let orders = match &agent {
            Some(_) => Orders {
                detectors: vec!["sd-symbolic".to_owned()],
                kbs: vec!["kb-fast".to_owned()],
                ..basis.settings.routes.clone()
            },
            None => basis.settings.routes.clone(),
        };
        let (statistics, notice) = self.route_statistics()?;
        let pins = request.all_pins();
        let model = match (&agent, &access) {
            (Some(agent), _) => Some(agent.title().to_owned()),
            (None, Some(access)) => Some(access.client.endpoint().model.clone()),
            (None, None) => None,
        };
        let decision = decide(&Request {
            intake: &basis.intake,
            effort: request.effort,
            pins: &pins,
            model: model.as_deref(),
            orders: &orders,
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
        let tokens = basis.settings.expansion.refine_budget_tokens;
        let budget = Budget::new(MAX_REQUESTS, tokens, MAX_MS);
        let mut following = RequestProgress::new(decision, &plugins, budget);
        let job = execution::Job {
            bench: self,
            request,
            mode,
            agent: agent.map(|agent| agent as &mut dyn PlanningAgent),
            handle,
        };
        let mut execution = RouteExecution::new(job, basis, access.as_mut(), sink)?;
        let result = execution.run(&mut following, &plugins)?;
        let (basis, usage) = execution.ended();
        let drafted = match result {
            RouteResult::Plan(drafted) => *drafted,
            RouteResult::PinFailed { plugin, why } => {
                let failed = outcomes::Failed {
                    workspace: &basis.workspace,
                    intake: &basis.intake,
                    model: model.as_deref(),
                };
                self.keep_failed_route(&failed, &following)?;
                if plugin == AGENT_SOLVER {
                    return Err(Error::new(Code::Failed, why));
                }
                return Err(err!(Failed:
                    "{plugin} is pinned but produced no plan: {why}. No other plugin was tried; remove the pin or pin another one"));
            }
            RouteResult::Open(end) => return Ok(FollowResult::Open(end)),
            RouteResult::Cancelled => return Err(cancelled()),
        };
        let mut drafted = drafted;
        drafted.route.follow(&following, model, usage, trouble);
        Ok(FollowResult::Plan(Box::new((basis, drafted))))
    }
}

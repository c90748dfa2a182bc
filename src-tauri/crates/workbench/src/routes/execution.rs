//! Follows a decision plugin by plugin, and reports each start and end.
//!
//! Submodule `solvers` runs the solvers. The endpoint is contacted when the first plugin needs it.
//! If a model's answers are unusable in one form, later requests use a smaller one. The best plan
//! so far is kept; a weak one is used only if nothing better follows.

mod solvers;

use std::collections::BTreeMap;
use std::time::Instant;

use planning::decision::{AttemptResult, Cost, Kind, Next, Plugins, RequestProgress, Status};
use planning::drafting::goal::ModelDepth;
use planning::drafting::surroundings;

use super::best::Best;
use super::{DraftingMode, PlanningHandle, WorkspaceKnowledge};
use crate::Workbench;
use crate::agent_planning::PlanningAgent;
use crate::clock::millis;
use crate::endpoints::ModelAccess;
use crate::error::Result;
use crate::new_plan::PlanRequest;
use crate::new_plan::basis::PlanningBasis;
use crate::new_plan::provenance::ModelUsage;
use crate::new_plan::save::DraftedPlan;
use crate::new_plan_with_model::{NoPlan, PlanningSink, Requester, most_requests, read_goal, room};
use crate::sessions::{SessionEnd, Turn};
use crate::wire::{PlanningEvent, RouteStep};

pub(super) enum RouteResult {
    Plan(Box<DraftedPlan>),
    PinFailed {
        plugin: String,
        why: String,
    },
    /// The turn of the conversation ended without a proposed plan.
    Open(SessionEnd),
    Cancelled,
}

pub(super) struct Job<'a> {
    pub(super) bench: &'a Workbench,
    pub(super) request: &'a PlanRequest,
    pub(super) mode: DraftingMode,
    /// The agent that writes the plan, if one does.
    pub(super) agent: Option<&'a mut dyn PlanningAgent>,
    pub(super) handle: &'a PlanningHandle,
}

/// The result of reading the goal.
struct Reading {
    detector: String,
    said: Vec<String>,
    assumptions: Vec<String>,
}

pub(super) struct RouteExecution<'a> {
    bench: &'a Workbench,
    request: &'a PlanRequest,
    mode: DraftingMode,
    basis: PlanningBasis,
    handle: &'a PlanningHandle,
    /// The model, if there is one; its sink then also receives the planning events.
    requester: Option<Requester<'a>>,
    sink: Option<PlanningSink<'a>>,
    agent: Option<&'a mut dyn PlanningAgent>,
    /// The agent's token usage, once it has made a plan.
    agent_usage: Option<ModelUsage>,
    reserves: BTreeMap<&'static str, u32>,
    has_started: bool,
    reading: Reading,
    knowledge: WorkspaceKnowledge,
    /// Whether one of the model's answers was unusable, so that smaller forms are used.
    uses_smaller_forms: bool,
    best: Best,
    /// The conversation's proposal, if any.
    conversation: Option<Box<Turn>>,
    /// Whether the conversation's proposal was expanded with the model.
    is_deepened: bool,
    /// A conversation that isn't finished.
    open: Option<SessionEnd>,
}

impl<'a> RouteExecution<'a> {
    pub(crate) fn new(
        job: Job<'a>,
        basis: PlanningBasis,
        access: Option<&'a mut ModelAccess>,
        sink: PlanningSink<'a>,
    ) -> Result<Self> {
        let Job {
            bench,
            request,
            mode,
            agent,
            handle,
        } = job;
        let rounds = basis.settings.expansion.max_refine_rounds;
        let mut reserves = BTreeMap::new();
        let (requester, sink) = match access {
            Some(access) => {
                let profile = &access.profile;
                reserves.insert(
                    "gs-llm-fast",
                    most_requests(profile, ModelDepth::Fast, rounds),
                );
                reserves.insert(
                    "gs-llm-deep",
                    most_requests(profile, ModelDepth::Deep, rounds),
                );
                let mut requester = Requester::new(bench, access, &handle.cancel, sink)?;
                requester.enough_when(&handle.enough);
                (Some(requester), None)
            }
            None => (None, Some(sink)),
        };
        Ok(Self {
            bench,
            request,
            mode,
            basis,
            handle,
            requester,
            sink,
            agent,
            agent_usage: None,
            reserves,
            has_started: false,
            reading: Reading {
                detector: "sd-symbolic".to_owned(),
                said: Vec::new(),
                assumptions: Vec::new(),
            },
            knowledge: WorkspaceKnowledge::default(),
            uses_smaller_forms: false,
            best: Best::default(),
            conversation: None,
            is_deepened: false,
            open: None,
        })
    }

    /// Returns the basis and the model usage, after the decision was followed to its end.
    pub(super) fn ended(self) -> (PlanningBasis, Option<ModelUsage>) {
        let usage = self.requester.as_ref().and_then(Requester::usage);
        (self.basis, usage.or(self.agent_usage))
    }

    /// Follows the decision to its end. Fails with [`crate::Code::Workspace`] or
    /// [`crate::Code::Storage`]; a failing model is not an error.
    pub(super) fn run(
        &mut self,
        following: &mut RequestProgress,
        plugins: &Plugins,
    ) -> Result<RouteResult> {
        let begun = Instant::now();
        let mut told = 0;
        loop {
            if self.handle.cancel.is_cancelled() {
                return Ok(RouteResult::Cancelled);
            }
            if self.handle.enough.is_cancelled() {
                following.stop();
            }
            let reserves = &self.reserves;
            let next = following.next(&|id| {
                let plugin = plugins.get(id);
                let most = plugin.map_or(0, |plugin| plugin.max_calls);
                let needs_model = plugin.is_some_and(|plugin| plugin.needs_model);
                (reserves.get(id).copied().unwrap_or(most), needs_model)
            });
            self.tell_attempts(following, &mut told);
            let (planner, kind, plugin) = match next {
                Next::Try {
                    planner,
                    kind,
                    plugin,
                } => (planner, kind, plugin),
                Next::PinFailed { plugin, why } => {
                    return Ok(RouteResult::PinFailed { plugin, why });
                }
                Next::Done => break,
            };
            self.tell(PlanningEvent::Trying(RouteStep::begun(
                told + 1,
                &planner,
                kind,
                &plugin,
            )));
            let (before, at) = (self.spent(), Instant::now());
            let ended = match kind {
                Kind::Detector => self.detect(&plugin),
                Kind::Kb => self.gather(&plugin),
                Kind::Solver => self.solve(&plugin),
                Kind::Planner => Ok(AttemptResult::Good(String::new())),
            };
            if let Some(end) = self.open.take() {
                return Ok(RouteResult::Open(end));
            }
            let ending = match ended {
                Ok(ending) => ending,
                Err(NoPlan::Answer(why)) => {
                    self.uses_smaller_forms = true;
                    AttemptResult::Failed(format!("the model {why}"))
                }
                Err(NoPlan::Model(why)) => AttemptResult::Unavailable(why),
                Err(NoPlan::Cancelled) if self.handle.cancel.is_cancelled() => {
                    return Ok(RouteResult::Cancelled);
                }
                Err(NoPlan::Cancelled) => {
                    AttemptResult::Skipped("you ended planning early".to_owned())
                }
                Err(NoPlan::Failed(_)) if self.handle.cancel.is_cancelled() => {
                    return Ok(RouteResult::Cancelled);
                }
                Err(NoPlan::Failed(error)) => return Err(error),
            };
            let after = self.spent();
            following.ended(ending, cost(&before, &after, at));
            let tokens = after.input.saturating_add(after.output);
            let ms = millis(begun.elapsed());
            following.budget.used(after.requests, tokens, ms);
            self.tell_attempts(following, &mut told);
        }
        self.best_plan()
            .map(|drafted| RouteResult::Plan(Box::new(drafted)))
    }

    /// Runs a detector, `sd-…`, which reads the goal.
    fn detect(&mut self, plugin: &str) -> std::result::Result<AttemptResult, NoPlan> {
        let depth = match plugin {
            "sd-llm-fast" => ModelDepth::Fast,
            "sd-llm-deep" => ModelDepth::Deep,
            _ => {
                return Ok(
                    match planning::drafting::goal::is_poorly_read(&self.basis.intake) {
                        true => AttemptResult::Weak("the rules couldn't parse the goal".to_owned()),
                        false => AttemptResult::Good(String::new()),
                    },
                );
            }
        };
        self.begin()?;
        let room = {
            let requester = self.requester()?;
            let plan_depth = self.basis.settings.expansion.plan_depth;
            room(requester, &self.basis.intake, depth, plan_depth).map_err(NoPlan::Model)?
        };
        let around = match depth {
            ModelDepth::Deep => {
                self.knowledge
                    .look(self.bench, &mut self.basis, &self.handle.survey)?;
                let (intake, context) = (&self.basis.intake, &self.basis.context);
                Some(surroundings(intake, context, room / 2, false))
            }
            ModelDepth::Fast => None,
        };
        let may_add = self.request.requirements.is_none();
        let Some(requester) = self.requester.as_mut() else {
            return Err(no_model());
        };
        let read = read_goal(
            requester,
            &self.basis.intake,
            around.as_ref(),
            depth,
            may_add,
        )?;
        self.reading.detector = plugin.to_owned();
        self.reading.said.extend(read.said);
        self.reading.assumptions = read.assumptions;
        self.basis.intake = read.intake;
        Ok(AttemptResult::Good(String::new()))
    }

    /// Runs a KB plugin, `kb-…`, which gathers knowledge of the workspace.
    fn gather(&mut self, plugin: &str) -> std::result::Result<AttemptResult, NoPlan> {
        let handle = self.handle;
        let knowledge = &mut self.knowledge;
        Ok(knowledge.gather(plugin, self.bench, &mut self.basis, handle)?)
    }

    /// Contacts the endpoint before the first request.
    fn begin(&mut self) -> std::result::Result<(), NoPlan> {
        if std::mem::replace(&mut self.has_started, true) {
            return Ok(());
        }
        let bench = self.bench;
        let Some(requester) = self.requester.as_mut() else {
            return Err(no_model());
        };
        let cancel = requester.cancel_token();
        // The window reported by the server applies from the first request on.
        bench.room_for(requester.access, 0, 0, &cancel)?;
        let endpoint = requester.access.client.endpoint();
        let started = PlanningEvent::Started {
            base_url: endpoint.base_url.clone(),
            model: endpoint.model.clone(),
        };
        requester.tell(started);
        Ok(())
    }

    fn requester(&self) -> std::result::Result<&Requester<'a>, NoPlan> {
        self.requester.as_ref().ok_or_else(no_model)
    }

    fn spent(&self) -> ModelUsage {
        let usage = self.requester.as_ref().and_then(Requester::usage);
        usage
            .or_else(|| self.agent_usage.clone())
            .unwrap_or_default()
    }

    /// Reports attempts that weren't reported yet.
    fn tell_attempts(&mut self, following: &RequestProgress, told: &mut usize) {
        while let Some(attempt) = following.attempts().get(*told) {
            *told += 1;
            let step = RouteStep::ended(*told, attempt);
            if attempt.status != Status::Skipped {
                self.tell(PlanningEvent::Tried(step));
            } else {
                self.tell(PlanningEvent::Skipped(step));
            }
        }
    }

    fn tell(&mut self, event: PlanningEvent) {
        match (&mut self.requester, &mut self.sink) {
            (Some(requester), _) => requester.tell(event),
            (None, Some(sink)) => sink(event),
            (None, None) => {}
        }
    }
}

fn no_model() -> NoPlan {
    NoPlan::Model("no model is configured".to_owned())
}

fn cost(before: &ModelUsage, after: &ModelUsage, at: Instant) -> Cost {
    let tokens = |usage: &ModelUsage| usage.input.saturating_add(usage.output);
    Cost {
        ms: millis(at.elapsed()),
        calls: after.requests.saturating_sub(before.requests),
        tokens: tokens(after).saturating_sub(tokens(before)),
        faults: after.faults.saturating_sub(before.faults),
    }
}

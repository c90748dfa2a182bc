//! Follows a decision plugin by plugin, and reports each start and end.
//!
//! Submodule `solving` runs the solvers. The endpoint is contacted when the first plugin needs it.
//! If a model's answers are unusable in one form, later requests use a smaller one. The best plan
//! so far is kept; a weak one is used only if nothing better follows.

mod solving;

use std::collections::BTreeMap;
use std::time::Instant;

use planning::decision::{Cost, Ending, Following, Kind, Next, Plugins, Status};
use planning::drafting::goal::Depth;
use planning::drafting::surroundings;

use super::best::Best;
use super::{Gathered, PlanningUnderWay, Way};
use crate::Workbench;
use crate::clock::millis;
use crate::endpoints::ModelAccess;
use crate::error::Result;
use crate::new_plan::PlanRequest;
use crate::new_plan::ground::Ground;
use crate::new_plan::keeping::Drafted;
use crate::new_plan::taken::Asked;
use crate::new_plan_with_model::{Asking, NoPlan, PlanningSink, most_requests, read_goal, room};
use crate::sessions::{SessionEnd, Turn};
use crate::wire::{PlanningEvent, RouteStep};

/// The result of following a decision.
pub(super) enum Carried {
    Plan(Box<Drafted>),
    /// A pinned plugin failed.
    PinFailed {
        plugin: String,
        why: String,
    },
    /// The turn of the conversation ended without a proposed plan.
    Open(SessionEnd),
    Cancelled,
}

/// The parameters of a planning request.
pub(super) struct Job<'a> {
    pub(super) bench: &'a Workbench,
    pub(super) request: &'a PlanRequest,
    pub(super) way: Way,
    pub(super) under_way: &'a PlanningUnderWay,
}

/// How the goal was read.
struct Reading {
    detector: String,
    said: Vec<String>,
    assumptions: Vec<String>,
}

pub(super) struct Carrying<'a> {
    bench: &'a Workbench,
    request: &'a PlanRequest,
    way: Way,
    ground: Ground,
    under_way: &'a PlanningUnderWay,
    /// The model, if there is one; then its sink also receives our events.
    asking: Option<Asking<'a>>,
    sink: Option<PlanningSink<'a>>,
    reserves: BTreeMap<&'static str, u32>,
    is_begun: bool,
    reading: Reading,
    gathered: Gathered,
    /// Whether an answer of the model was unusable, so that smaller forms are used.
    is_told_smaller: bool,
    best: Best,
    /// The conversation's proposal, if any.
    talk: Option<Box<Turn>>,
    /// Whether the proposal was expanded with the model.
    is_deepened: bool,
    /// A conversation that isn't finished.
    open: Option<SessionEnd>,
}

impl<'a> Carrying<'a> {
    pub(crate) fn new(
        job: Job<'a>,
        ground: Ground,
        access: Option<&'a mut ModelAccess>,
        sink: PlanningSink<'a>,
    ) -> Result<Self> {
        let Job {
            bench,
            request,
            way,
            under_way,
        } = job;
        let rounds = ground.settings.expansion.max_refine_rounds;
        let mut reserves = BTreeMap::new();
        let (asking, sink) = match access {
            Some(access) => {
                let profile = &access.profile;
                reserves.insert("gs-llm-fast", most_requests(profile, Depth::Fast, rounds));
                reserves.insert("gs-llm-deep", most_requests(profile, Depth::Deep, rounds));
                let mut asking = Asking::new(bench, access, &under_way.cancel, sink)?;
                asking.enough_when(&under_way.enough);
                (Some(asking), None)
            }
            None => (None, Some(sink)),
        };
        Ok(Self {
            bench,
            request,
            way,
            ground,
            under_way,
            asking,
            sink,
            reserves,
            is_begun: false,
            reading: Reading {
                detector: "sd-symbolic".to_owned(),
                said: Vec::new(),
                assumptions: Vec::new(),
            },
            gathered: Gathered::default(),
            is_told_smaller: false,
            best: Best::default(),
            talk: None,
            is_deepened: false,
            open: None,
        })
    }

    /// The ground and the model usage, after the end.
    pub(super) fn ended(self) -> (Ground, Option<Asked>) {
        let asked = self.asking.as_ref().and_then(Asking::asked);
        (self.ground, asked)
    }

    /// Follows the decision to its end. Fails with [`crate::Code::Workspace`] or
    /// [`crate::Code::Storage`]; a failing model is not an error.
    pub(super) fn run(&mut self, following: &mut Following, plugins: &Plugins) -> Result<Carried> {
        let begun = Instant::now();
        let mut told = 0;
        loop {
            if self.under_way.cancel.is_cancelled() {
                return Ok(Carried::Cancelled);
            }
            if self.under_way.enough.is_cancelled() {
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
                Next::PinFailed { plugin, why } => return Ok(Carried::PinFailed { plugin, why }),
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
                Kind::Planner => Ok(Ending::Good(String::new())),
            };
            if let Some(end) = self.open.take() {
                return Ok(Carried::Open(end));
            }
            let ending = match ended {
                Ok(ending) => ending,
                Err(NoPlan::Answer(why)) => {
                    self.is_told_smaller = true;
                    Ending::Failed(format!("the model {why}"))
                }
                Err(NoPlan::Model(why)) => Ending::Gone(why),
                Err(NoPlan::Cancelled) if self.under_way.cancel.is_cancelled() => {
                    return Ok(Carried::Cancelled);
                }
                Err(NoPlan::Cancelled) => Ending::LeftOut("you had enough".to_owned()),
                Err(NoPlan::Failed(_)) if self.under_way.cancel.is_cancelled() => {
                    return Ok(Carried::Cancelled);
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
            .map(|drafted| Carried::Plan(Box::new(drafted)))
    }

    /// Runs a detector, `sd-…`, which reads the goal.
    fn detect(&mut self, plugin: &str) -> std::result::Result<Ending, NoPlan> {
        let depth = match plugin {
            "sd-llm-fast" => Depth::Fast,
            "sd-llm-deep" => Depth::Deep,
            _ => {
                return Ok(
                    match planning::drafting::goal::is_poorly_read(&self.ground.intake) {
                        true => Ending::Weak("rules leave the goal in one piece".to_owned()),
                        false => Ending::Good(String::new()),
                    },
                );
            }
        };
        self.begin()?;
        let room = {
            let asking = self.asking()?;
            let plan_depth = self.ground.settings.expansion.plan_depth;
            room(asking, &self.ground.intake, depth, plan_depth).map_err(NoPlan::Model)?
        };
        let around = match depth {
            Depth::Deep => {
                self.gathered
                    .look(self.bench, &mut self.ground, &self.under_way.survey)?;
                let (intake, context) = (&self.ground.intake, &self.ground.context);
                Some(surroundings(intake, context, room / 2, false))
            }
            Depth::Fast => None,
        };
        let may_add = self.request.requirements.is_none();
        let Some(asking) = self.asking.as_mut() else {
            return Err(no_model());
        };
        let read = read_goal(asking, &self.ground.intake, around.as_ref(), depth, may_add)?;
        self.reading.detector = plugin.to_owned();
        self.reading.said.extend(read.said);
        self.reading.assumptions = read.assumptions;
        self.ground.intake = read.intake;
        Ok(Ending::Good(String::new()))
    }

    /// Runs a KB plugin, `kb-…`, which gathers knowledge of the workspace.
    fn gather(&mut self, plugin: &str) -> std::result::Result<Ending, NoPlan> {
        let under_way = self.under_way;
        let gathered = &mut self.gathered;
        Ok(gathered.gather(plugin, self.bench, &mut self.ground, under_way)?)
    }

    /// Contacts the endpoint before the first request.
    fn begin(&mut self) -> std::result::Result<(), NoPlan> {
        if std::mem::replace(&mut self.is_begun, true) {
            return Ok(());
        }
        let bench = self.bench;
        let Some(asking) = self.asking.as_mut() else {
            return Err(no_model());
        };
        let cancel = asking.cancel_token();
        // The window reported by the server applies from the first request on.
        bench.room_for(asking.access, 0, 0, &cancel)?;
        let endpoint = asking.access.client.endpoint();
        let started = PlanningEvent::Started {
            base_url: endpoint.base_url.clone(),
            model: endpoint.model.clone(),
        };
        asking.tell(started);
        Ok(())
    }

    fn asking(&self) -> std::result::Result<&Asking<'a>, NoPlan> {
        self.asking.as_ref().ok_or_else(no_model)
    }

    fn spent(&self) -> Asked {
        self.asking
            .as_ref()
            .and_then(Asking::asked)
            .unwrap_or_default()
    }

    /// Reports attempts that weren't reported yet.
    fn tell_attempts(&mut self, following: &Following, told: &mut usize) {
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
        match (&mut self.asking, &mut self.sink) {
            (Some(asking), _) => asking.tell(event),
            (None, Some(sink)) => sink(event),
            (None, None) => {}
        }
    }
}

fn no_model() -> NoPlan {
    NoPlan::Model("no model is configured".to_owned())
}

fn cost(before: &Asked, after: &Asked, at: Instant) -> Cost {
    let tokens = |asked: &Asked| asked.input.saturating_add(asked.output);
    Cost {
        ms: millis(at.elapsed()),
        calls: after.requests.saturating_sub(before.requests),
        tokens: tokens(after).saturating_sub(tokens(before)),
        faults: after.faults.saturating_sub(before.faults),
    }
}

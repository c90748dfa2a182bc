//! Planning during a run: the next step is requested when none is left, outline steps and long
//! steps are split when they come up, and a model's claim that the goal is reached is checked like
//! any other claim.
//!
//! [`micro_planning`](crate::micro_planning) writes the requests and reads the answers; this module
//! turns them into entries and effects.

use std::sync::Arc;

use plan::{Plan, Task, TaskId, ToolName};

use super::next::Turn;
use super::state::{Planning, Standing};
use super::{Config, Effect, Machine, PlanView};
use crate::context::{Fact, Summary};
use crate::journal::{Addition, Cost, EndState, Entry, PlanEdit};
use crate::micro_planning::{
    self, AnswerContext, Claim, MAX_SPLITS, NextStepInput, NextSteps, SplitReason, Strategy,
    next_step_messages, parts_by_rule, read_next, read_split, split_depth, split_messages,
    split_reason,
};
use crate::model_step::{Offer, StepRequest};
use crate::model_tool::{self, ModelTool};
use crate::session::message::{Message, Part};
use crate::turn::Reply;
use repair::Tools;

/// After this many unusable answers in a row, the run stops.
const FAULTS: usize = 3;
const ANSWER_TOKENS: u32 = 700;
const REQUEST_TOKENS: u32 = 2_200;

impl Config {
    pub(super) fn may_grow(&self, plan: &Plan) -> bool {
        let is_growing = |strategy: Strategy| strategy != Strategy::Upfront;
        plan.front.strategy.is_some()
            || is_growing(self.usual_strategy)
            || self.strategy.is_some_and(is_growing)
    }
}

impl Machine {
    pub(super) fn strategy(&self, view: &PlanView) -> Strategy {
        if let Some(chosen) = self.config.strategy {
            return chosen;
        }
        let named = view.plan.front.strategy.as_deref();
        named
            .and_then(Strategy::read)
            .unwrap_or(self.config.usual_strategy)
    }

    /// Whether the model's profile determines the strategy, because nobody chose one for this plan.
    fn is_by_profile(&self, view: &PlanView) -> bool {
        let named = view.plan.front.strategy.as_deref();
        self.config.is_by_profile
            && self.config.strategy.is_none()
            && named.and_then(Strategy::read).is_none()
    }

    /// Whether the plan may still need steps. If nobody chose a strategy and each requirement has a
    /// step, the plan was complete when it was approved.
    fn wants_more(&self, view: &PlanView) -> bool {
        let plan = &view.plan;
        !self.is_by_profile(view)
            || micro_planning::lacks_steps(plan)
            || micro_planning::has_grown(plan)
    }

    /// Whether a step belongs to an outline and is split when it comes up. If nobody chose a
    /// strategy, this applies only to steps without any details.
    pub(super) fn is_sketch(&self, view: &PlanView, task: &Task) -> bool {
        let is_bare = task.files.is_empty() && task.verify.is_empty() && task.tools.is_empty();
        self.strategy(view) == Strategy::Hybrid && (is_bare || !self.is_by_profile(view))
    }

    pub(super) fn may_add_steps(&self, view: &PlanView) -> bool {
        self.config.model.is_some()
            && self.state.started.upto.is_none()
            && self.strategy(view) != Strategy::Upfront
            && self.wants_more(view)
            && !self.is_signed_off(&view.plan)
    }

    /// Called when no step is left: requests the next one if the plan grows during the run. `None`
    /// if the run is over.
    pub(super) fn plan_next(&mut self, view: &PlanView) -> Option<Turn> {
        if view.plan.tasks.is_empty() && self.config.model.is_none() {
            let message =
                "this plan has no steps, and no model is configured to plan them; configure a \
                 model, or write the first step"
                    .to_owned();
            return Some(self.end(EndState::Failed, message));
        }
        let is_growing = self.config.model.is_some()
            && self.state.started.upto.is_none()
            && self.strategy(view) == Strategy::Iterative;
        if !is_growing {
            return None;
        }
        let planning = self.state.planning.clone();
        if let Some(claim) = &planning.claim {
            return self.check_claim(view, &planning, claim);
        }
        if self.is_signed_off(&view.plan) || !self.wants_more(view) {
            return None;
        }
        if let Some(turn) = self.stop_at_limit_of_steps() {
            return Some(turn);
        }
        if planning.faults.len() >= FAULTS
            && let Some(step) = micro_planning::fallback(&view.plan)
        {
            let message = "the model proposed no usable step; continuing with the next uncovered \
                           requirement";
            self.notice(message.to_owned());
            return Some(self.add_by_rule(step));
        }
        if planning.faults.len() >= FAULTS {
            let last = planning.faults.last().cloned().unwrap_or_default();
            let message = format!(
                "the model proposed no usable step ({last}); write the next step into the plan, \
                 then resume"
            );
            return Some(self.end(EndState::Failed, message));
        }
        let request = self.next_step_request(view, &planning)?;
        Some(self.begin(Effect::AskPlanner {
            task: None,
            request: Box::new(request),
        }))
    }

    /// Adds planned steps to the approved plan, and also to the file if its structure is the same.
    pub(super) fn add_steps(&mut self, view: &PlanView, addition: Addition) -> Turn {
        let after = match &addition.under {
            Some(_) => None,
            None => addition.after.clone().or_else(|| view.last_done()),
        };
        let addition = Addition { after, ..addition };
        if let Err(error) = view.with(&addition) {
            let reason = error.to_string();
            return self.record(Entry::StepsRefused { reason });
        }
        self.begin(Effect::EditPlan(PlanEdit::Add { addition }))
    }

    /// Splits an outline step or a step that is too long before it starts.
    pub(super) fn split_before_start(&mut self, view: &PlanView, index: usize) -> Option<Turn> {
        let task = &view.plan.tasks[index];
        let id = task.id.as_str();
        let is_begun = self.state.standing(&task.id) != Standing::Pending;
        let stays = self.state.planning.whole.iter().any(|whole| whole == id);
        if is_begun || stays || split_depth(&view.plan, index) >= MAX_SPLITS {
            return None;
        }
        if let Some(long) = split_reason(task, 0) {
            return self.split_by_rule(task, long);
        }
        let ready = Some(&task.id);
        let turn = micro_planning::turn(&view.plan, self.strategy(view), ready);
        if turn != micro_planning::Turn::Split(task.id.clone()) || !self.is_sketch(view, task) {
            return None;
        }
        if let Some(turn) = self.stop_at_limit() {
            return Some(turn);
        }
        let request = self.split_request(view, task)?;
        Some(self.begin(Effect::AskPlanner {
            task: Some(id.to_owned()),
            request: Box::new(request),
        }))
    }

    pub(super) fn split_by_rule(&mut self, task: &Task, long: SplitReason) -> Option<Turn> {
        let steps = parts_by_rule(task, long)?;
        self.notice(format!("{}: {}", task.id, long.sentence()));
        let under = Some(task.id.0.clone());
        Some(self.record(Entry::steps_planned(under, steps, Cost::default())))
    }

    pub(super) fn take_planned(&mut self, task: Option<String>, reply: &Reply, there: &[String]) {
        let view = Arc::clone(&self.view);
        let cost = Cost {
            requests: 1,
            usage: reply.usage,
            elapsed_ms: reply.elapsed_ms,
        };
        let Ok(tools) = offered() else { return };
        let has_file = |path: &str| there.iter().any(|known| known == path);
        let around = AnswerContext {
            plan: &view.plan,
            tools: &tools,
            has_file: &has_file,
            look_ahead: self.look_ahead(),
        };
        let apart = task
            .as_ref()
            .and_then(|id| view.plan.task(&TaskId(id.clone())));
        let read = match apart {
            Some(apart) => read_split(&reply.text, apart, &around).map(|steps| NextSteps::Steps {
                steps,
                repairs: Vec::new(),
            }),
            None => read_next(&reply.text, &around),
        };
        let read = match reply.finish.is_whole() {
            true => read.map_err(|fault| fault.message),
            false => Err("The answer was cut. Answer shorter.".to_owned()),
        };
        let entry = match read {
            Ok(NextSteps::Steps { steps, .. }) => Entry::steps_planned(task, steps, cost),
            Ok(NextSteps::Claimed) => Entry::GoalClaimed {
                claim: Claim::of(&view.plan, &self.config.project_checks),
                cost,
            },
            Err(message) => Entry::PlannerFaulted {
                task,
                message,
                cost,
            },
        };
        self.record(entry);
    }

    /// Called if the planner's server doesn't answer. A step that was to be split stays whole; if a
    /// next step was requested, the run stops.
    pub(super) fn planner_failed(&mut self, task: Option<String>, reason: String) {
        match task {
            Some(task) => {
                for _ in 0..2 {
                    self.record(Entry::PlannerFaulted {
                        task: Some(task.clone()),
                        message: reason.clone(),
                        cost: Cost::default(),
                    });
                }
            }
            None => {
                let message = format!("couldn't ask for the next step: {reason}");
                self.end(EndState::Failed, message);
            }
        }
    }

    fn look_ahead(&self) -> u8 {
        self.config
            .look_ahead
            .clamp(1, micro_planning::MAX_LOOK_AHEAD)
    }

    fn next_step_request(&self, view: &PlanView, planning: &Planning) -> Option<StepRequest> {
        let profile = self.profile()?;
        let tools = offered().ok()?;
        let done: Vec<Summary> = self
            .state
            .order
            .iter()
            .filter_map(|id| self.summary(view, id))
            .collect();
        let reports = self.state.order.iter().filter_map(|id| {
            let state = self.state.tasks.get(id)?;
            state.work.report.as_ref().map(|report| (id, report))
        });
        let mut facts = Vec::new();
        let mut hint = None;
        for (id, report) in reports {
            // An earlier hint is about a step that has already been chosen.
            hint = report.next_hint.as_deref();
            for text in report.learned.iter().chain(&report.decided) {
                facts.push(Fact {
                    id: i64::try_from(facts.len()).unwrap_or(i64::MAX),
                    text: text.clone(),
                    task: Some(id.clone()),
                    ..Fact::default()
                });
            }
        }
        let input = NextStepInput {
            plan: &view.plan,
            text: view.text(&self.config),
            done: &done,
            facts: &facts,
            hint,
            missing: &self.missing(&view.plan, planning),
            fault: planning.faults.last().map(String::as_str),
            tools: &tools,
            look_ahead: self.look_ahead(),
            is_simple: profile.is_small,
            budget: REQUEST_TOKENS.min(profile.context_window / 2),
        };
        let messages = next_step_messages(&input);
        Some(planner_request(messages))
    }

    fn split_request(&self, view: &PlanView, task: &Task) -> Option<StepRequest> {
        let profile = self.profile()?;
        let tools = offered().ok()?;
        let failed = self.state.planning.faults.last().map(String::as_str);
        let budget = REQUEST_TOKENS.min(profile.context_window / 2);
        Some(planner_request(split_messages(
            &view.plan, task, failed, &tools, budget,
        )))
    }

    pub(super) fn summaries_before(&self, view: &PlanView, index: usize) -> Vec<Summary> {
        let before = view.graph.waits_for(index).iter();
        let ids = before.map(|before| view.plan.tasks[*before].id.as_str());
        ids.filter_map(|id| self.summary(view, id)).collect()
    }

    pub(super) fn summary(&self, view: &PlanView, id: &str) -> Option<Summary> {
        let state = self.state.tasks.get(id)?;
        let report = state.work.report.as_ref()?;
        let task = view.plan.task(&TaskId(id.to_owned()))?;
        Some(Summary {
            task: id.to_owned(),
            title: task.title.clone(),
            text: report.summary.clone(),
            is_inferred: state.work.is_inferred,
        })
    }
}

fn planner_request(messages: micro_planning::Messages) -> StepRequest {
    StepRequest {
        system: messages.system,
        messages: vec![Message::user(vec![(Part::Plan, messages.user)])],
        tools: Vec::new(),
        files: Vec::new(),
        offer: Offer::Words,
        max_output_tokens: ANSWER_TOKENS,
        thinks_less: false,
    }
}

fn offered() -> Result<Tools, repair::SchemaError> {
    let all: Vec<ModelTool> = ToolName::ALL
        .into_iter()
        .map(ModelTool::Workspace)
        .collect();
    model_tool::as_tools(&all)
}

//! Chooses what to try next, given the outcome of the last attempt.
//!
//! Under each planner, detectors are tried until one succeeds, then KB plugins until one is
//! sufficient, then solvers until a plan is good. If no plan is good, the next planner runs on the
//! remaining budget: its first choices are tried if they go deeper than earlier attempts, and a
//! solver is retried only if more context has been gathered since then. A planner whose solvers
//! would all repeat earlier plans is skipped, since rules produce the same plan for a goal however
//! much context there is. Plugins that don't fit in the budget are skipped in advance, with the
//! reason. If a pinned plugin fails, the request ends.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::budget::{Budget, OutOfBudget};
use super::plugin::{Kind, Plugins};
use super::request::{Decision, Stage};

/// How an attempt ended, or that it was skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Its result is used.
    Success,
    /// Its result was insufficient; the best such result is kept.
    Weak,
    /// It gave no result.
    Failed,
    /// It was not started, or the user cancelled it.
    Skipped,
}

/// A plugin that was tried or skipped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Attempt {
    /// The id of the planner that chose it.
    pub planner: String,
    /// The plugin's kind.
    pub kind: Kind,
    /// The plugin's id.
    pub plugin: String,
    /// How the attempt ended.
    pub status: Status,
    /// Why it ended this way, as the end of a sentence; may be empty.
    pub why: String,
    /// The cost of the attempt.
    #[serde(flatten)]
    pub cost: Cost,
}

/// The cost of an attempt.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Cost {
    /// Duration in milliseconds.
    pub ms: u64,
    /// Number of model requests.
    pub calls: u32,
    /// Tokens, input and output.
    pub tokens: u64,
    /// Number of unparseable answers.
    pub faults: u32,
}

/// How a plugin's attempt ended, with the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttemptResult {
    /// Its result is good enough.
    Good(String),
    /// Its result is insufficient.
    Weak(String),
    /// It gave no result, but another plugin may.
    Failed(String),
    /// The model is unavailable; don't try anything else that needs it.
    Unavailable(String),
    /// It was skipped, or the user cancelled it; this doesn't count as a failure.
    Skipped(String),
}

/// What to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// Try this plugin.
    Try {
        /// The id of the planner that chose it.
        planner: String,
        /// The plugin's kind.
        kind: Kind,
        /// The plugin's id.
        plugin: String,
    },
    /// Done: use the best plan so far.
    Done,
    /// Stop: a pinned plugin failed.
    PinFailed {
        /// The id of the pinned plugin.
        plugin: String,
        /// The reason, as the end of a sentence.
        why: String,
    },
}

/// The depths reached when reading the goal and when gathering context.
type ContextDepth = (f64, f64);

/// How far a request has progressed through its decision.
#[derive(Debug, Clone)]
pub struct RequestProgress {
    decision: Decision,
    /// The limits and what has been used.
    pub budget: Budget,
    planner: usize,
    stage: usize,
    at: usize,
    attempts: Vec<Attempt>,
    /// For each attempt of a solver, its id and the depths reached before the attempt.
    contexts: Vec<(String, ContextDepth)>,
    /// Each plugin's relative cost by id, used as its depth.
    costs: BTreeMap<String, f64>,
    /// The ids of the plugins that use a model.
    with_model: BTreeSet<String>,
    is_trying: bool,
    unavailable: Option<String>,
    failed_pin: Option<(String, String)>,
    is_done: bool,
}

impl RequestProgress {
    /// Starts a request that follows a decision.
    pub fn new(decision: Decision, plugins: &Plugins, budget: Budget) -> Self {
        let costs = plugins.all().iter();
        let with_model = plugins.all().iter().filter(|plugin| plugin.needs_model);
        Self {
            with_model: with_model.map(|plugin| plugin.id.clone()).collect(),
            costs: costs
                .map(|plugin| (plugin.id.clone(), plugin.hints.relative_cost))
                .collect(),
            decision,
            budget,
            planner: 0,
            stage: 0,
            at: 0,
            attempts: Vec::new(),
            contexts: Vec::new(),
            is_trying: false,
            unavailable: None,
            failed_pin: None,
            is_done: false,
        }
    }

    /// The decision that the request follows.
    pub fn decision(&self) -> &Decision {
        &self.decision
    }

    /// All attempts so far, including skipped ones, in order.
    pub fn attempts(&self) -> &[Attempt] {
        &self.attempts
    }

    /// The next action. `reserve` returns the maximum number of model requests that a plugin may
    /// make, and whether it needs a model.
    pub fn next(&mut self, reserve: &dyn Fn(&str) -> (u32, bool)) -> Next {
        loop {
            if let Some((plugin, why)) = &self.failed_pin {
                return Next::PinFailed {
                    plugin: plugin.clone(),
                    why: why.clone(),
                };
            }
            if self.is_done {
                return Next::Done;
            }
            let Some((planner, stage)) = self.place() else {
                self.is_done = true;
                continue;
            };
            let kind = stage.kind;
            let Some(plugin) = stage.candidates.get(self.at).map(|one| one.plugin.clone()) else {
                self.leave_stage();
                continue;
            };
            let (is_first, is_pinned) = (self.at == 0, stage.is_pinned);
            if self.is_redundant(kind, &plugin, is_first) {
                self.at += 1;
                continue;
            }
            let (calls, needs_model) = reserve(&plugin);
            let why = match (&self.unavailable, self.budget.reserve(calls)) {
                (Some(why), _) if needs_model => Some(why.clone()),
                (_, Err(OutOfBudget(why))) => Some(why),
                (_, Ok(())) => None,
            };
            let Some(why) = why else {
                self.is_trying = true;
                return Next::Try {
                    planner,
                    kind,
                    plugin,
                };
            };
            if is_pinned {
                self.failed_pin = Some((plugin.clone(), why.clone()));
            }
            self.attempts.push(Attempt {
                planner,
                kind,
                plugin,
                status: Status::Skipped,
                why,
                cost: Cost::default(),
            });
            self.at += 1;
        }
    }

    /// Records the result of the current attempt.
    pub fn ended(&mut self, ending: AttemptResult, cost: Cost) {
        if !std::mem::take(&mut self.is_trying) {
            return;
        }
        let Some((planner, stage)) = self.place() else {
            return;
        };
        let (kind, is_pinned) = (stage.kind, stage.is_pinned);
        let Some(plugin) = stage.candidates.get(self.at).map(|one| one.plugin.clone()) else {
            return;
        };
        let (status, why) = match ending {
            AttemptResult::Good(why) => (Status::Success, why),
            AttemptResult::Weak(why) => (Status::Weak, why),
            AttemptResult::Failed(why) => (Status::Failed, why),
            AttemptResult::Unavailable(why) => {
                self.unavailable = Some(why.clone());
                (Status::Failed, why)
            }
            AttemptResult::Skipped(why) => (Status::Skipped, why),
        };
        if is_pinned && status == Status::Failed {
            self.failed_pin = Some((plugin.clone(), why.clone()));
        }
        if kind == Kind::Solver {
            let context = self.context();
            self.contexts.retain(|(known, _)| *known != plugin);
            self.contexts.push((plugin.clone(), context));
        }
        self.attempts.push(Attempt {
            planner,
            kind,
            plugin,
            status,
            why,
            cost,
        });
        self.at += 1;
        if status == Status::Success {
            match kind {
                Kind::Solver => self.is_done = true,
                Kind::Detector | Kind::Kb | Kind::Planner => self.leave_stage(),
            }
        }
    }

    /// Ends the request; the best plan so far is used.
    pub fn stop(&mut self) {
        self.is_done = true;
    }

    /// The planners that were used, each with its result and the total cost of its attempts.
    pub fn planners(&self) -> Vec<(String, Status, Cost)> {
        let mut all: Vec<(String, Status, Cost)> = Vec::new();
        let asked = self.attempts.iter().filter(|one| one.kind != Kind::Planner);
        for attempt in asked {
            if all
                .last()
                .is_none_or(|(planner, ..)| *planner != attempt.planner)
            {
                all.push((attempt.planner.clone(), Status::Failed, Cost::default()));
            }
            let Some((_, status, cost)) = all.last_mut() else {
                continue;
            };
            cost.ms = cost.ms.saturating_add(attempt.cost.ms);
            cost.calls = cost.calls.saturating_add(attempt.cost.calls);
            cost.tokens = cost.tokens.saturating_add(attempt.cost.tokens);
            cost.faults = cost.faults.saturating_add(attempt.cost.faults);
            if attempt.kind == Kind::Solver {
                *status = match (*status, attempt.status) {
                    (Status::Success, _) | (_, Status::Success) => Status::Success,
                    (Status::Weak, _) | (_, Status::Weak) => Status::Weak,
                    (before, _) => before,
                };
            }
        }
        all
    }

    fn place(&self) -> Option<(String, &Stage)> {
        let plan = self.decision.planners.get(self.planner)?;
        let stage = plan.stages.get(self.stage)?;
        Some((plan.planner.plugin.clone(), stage))
    }

    fn leave_stage(&mut self) {
        self.at = 0;
        self.stage += 1;
        let plan = self.decision.planners.get(self.planner);
        if plan.is_some_and(|plan| self.stage >= plan.stages.len()) {
            self.stage = 0;
            self.planner += 1;
            self.skip_planners();
        }
    }

    /// Skips planners that could not produce a different plan.
    fn skip_planners(&mut self) {
        while let Some(plan) = self.decision.planners.get(self.planner) {
            let is_tried = |plugin: &str| self.contexts.iter().any(|(known, _)| known == plugin);
            let solvers = plan.stages.iter().filter(|one| one.kind == Kind::Solver);
            let mut solvers = solvers.flat_map(|stage| &stage.candidates);
            let is_worth_it = solvers.any(|one| match self.with_model.contains(&one.plugin) {
                true => self.unavailable.is_none(),
                false => !is_tried(&one.plugin),
            });
            if is_worth_it {
                return;
            }
            let planner = plan.planner.plugin.clone();
            self.attempts.push(Attempt {
                planner: planner.clone(),
                kind: Kind::Planner,
                plugin: planner,
                status: Status::Skipped,
                why: "would produce the same plan without a model".to_owned(),
                cost: Cost::default(),
            });
            self.planner += 1;
        }
    }

    /// Whether trying a plugin would add nothing: it was already tried, or its stage already has a
    /// result. A later planner's first choice is still tried if it goes deeper.
    fn is_redundant(&self, kind: Kind, plugin: &str, is_first: bool) -> bool {
        if kind == Kind::Solver {
            let before = self.contexts.iter().find(|(known, _)| known == plugin);
            return before.is_some_and(|(_, context)| *context == self.context());
        }
        let mut tried = self
            .attempts
            .iter()
            .filter(|attempt| attempt.kind == kind && attempt.status != Status::Skipped);
        let is_tried = tried.clone().any(|attempt| attempt.plugin == plugin);
        let is_found = tried.any(|attempt| attempt.status == Status::Success);
        // A more expensive source includes what the cheaper ones return.
        let goes_further = self.cost(plugin) > self.reached(kind);
        is_tried || !goes_further || (is_found && !(is_first && self.planner > 0))
    }

    fn context(&self) -> ContextDepth {
        (self.reached(Kind::Detector), self.reached(Kind::Kb))
    }

    /// The greatest depth reached by a plugin of this kind that returned a result.
    fn reached(&self, kind: Kind) -> f64 {
        let gave = self.attempts.iter().filter(|attempt| {
            attempt.kind == kind && matches!(attempt.status, Status::Success | Status::Weak)
        });
        gave.map(|attempt| self.cost(&attempt.plugin))
            .fold(0.0, f64::max)
    }

    fn cost(&self, plugin: &str) -> f64 {
        self.costs.get(plugin).copied().unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests;

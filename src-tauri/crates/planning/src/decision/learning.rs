//! What came of earlier requests, as figures.
//!
//! Outcomes are rows that somebody keeps; folded in their order they give the figures of one plugin for
//! one kind of request and one model. An outcome counts by what a person sees: a plan that was approved
//! as it was counts whole, one that had to be rewritten half, one that was passed over for another not at all.
//!
//! The estimates are exponentially weighted, `new = α·x + (1−α)·old` with α = 0.25, and begin at the
//! described system's values. They count from [`LEAST`] outcomes on. What is not tried any more is
//! slowly forgotten, and every [`EXPLORE_EVERY`]th request tries what is cheaper and was put behind once
//! more, so that a bad spell buries nothing.

use std::collections::BTreeMap;

use serde::Serialize;

/// The weight of the newest outcome.
pub const ALPHA: f64 = 0.25;
/// Outcomes from which on the estimates count.
pub const LEAST: u32 = 5;
/// What remains of a learned difference after one request of the kind in which the plugin was not tried.
pub const KEPT: f64 = 0.95;
/// One request of so many tries again what is cheaper and was put behind, each such plugin in turn; and
/// one of so many a planner.
pub const EXPLORE_EVERY: u32 = 10;
/// Times that what was tried again and succeeded is tried on before the order alone decides.
pub const PROBATION: u32 = 6;

/// Where the estimates begin (facts of the described system).
const SUCCESS: f64 = 0.7;
const SUFFICIENCY: f64 = 0.7;
const INSUFFICIENCY: f64 = 0.1;
const LATENCY_MS: f64 = 250.0;
const PLANNER_LATENCY_MS: f64 = 400.0;

/// What figures belong to: a plugin, for one kind of request and one model.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Key {
    /// The kind of request, such as `bug-fix`.
    pub request: String,
    /// The model; empty where none is configured.
    pub model: String,
    /// The plugin's id.
    pub plugin: String,
}

/// How a plugin ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// What it gave was used.
    Success,
    /// What it gave was too little.
    Weak,
    /// It gave nothing.
    Failed,
}

impl Verdict {
    /// The name in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Weak => "weak",
            Self::Failed => "failed",
        }
    }

    /// The one of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Success, Self::Weak, Self::Failed]
            .into_iter()
            .find(|verdict| verdict.as_str() == name)
    }
}

/// What came of one plugin in one request.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcome {
    /// What it counts for.
    pub key: Key,
    /// The request: the same for all plugins tried for it, and growing.
    pub request: i64,
    /// How it ended.
    pub verdict: Verdict,
    /// Milliseconds that it took.
    pub ms: u64,
    /// Requests to the model.
    pub calls: u32,
    /// Tokens of them, both ways.
    pub tokens: u64,
    /// Answers that could not be read.
    pub faults: u32,
    /// Whether a person approved the plan, or another one in its place; `None` while nobody said.
    pub accepted: Option<bool>,
    /// The share of the plan's steps that a person rewrote before that, 0 to 1.
    pub edited: f64,
    /// Whether the checks of its run passed; `None` while it was not run.
    pub checks: Option<bool>,
}

impl Outcome {
    /// How far it was a success, 0 to 1.
    pub fn worth(&self) -> f64 {
        if self.verdict != Verdict::Success || self.accepted == Some(false) {
            return 0.0;
        }
        let edited = self.edited.clamp(0.0, 1.0);
        let checks = match self.checks {
            Some(false) => 0.5,
            Some(true) | None => 1.0,
        };
        (1.0 - 0.5 * edited) * checks
    }
}

/// The figures of one plugin.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// Requests in which it was tried.
    pub attempts: u32,
    /// Those in which what it gave was used.
    pub successes: u32,
    /// Those in which it gave nothing.
    pub failures: u32,
    /// Those in which what it gave was too little.
    pub insufficiency: u32,
    /// Plans of it that were approved, and those that somebody judged.
    pub accepted: u32,
    /// Plans of it that were approved, or passed over for another.
    pub judged: u32,
    /// Answers that could not be read.
    pub faults: u32,
    /// Estimate of success, 0 to 1.
    pub success_ewma: f64,
    /// Estimate of sufficiency, 0 to 1.
    pub sufficiency_ewma: f64,
    /// Estimate of insufficiency, 0 to 1; it weighs for planners.
    pub insufficiency_ewma: f64,
    /// Estimate of the time, in milliseconds.
    pub latency_ms_ewma: f64,
    /// Estimate of requests to the model.
    pub calls_ewma: f64,
    /// Estimate of tokens.
    pub tokens_ewma: f64,
    /// Successes since the last time that it was none.
    pub streak: u32,
    /// The place of its last request among those of the kind, from 1.
    last: u32,
}

/// What was learned of one kind of request with one model.
#[derive(Debug, Clone, Default, PartialEq)]
struct Group {
    requests: u32,
    newest: Option<i64>,
    plugins: BTreeMap<String, Figures>,
}

/// The figures of all.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Statistics {
    groups: BTreeMap<(String, String), Group>,
}

impl Figures {
    fn new(is_planner: bool) -> Self {
        Self {
            attempts: 0,
            successes: 0,
            failures: 0,
            insufficiency: 0,
            accepted: 0,
            judged: 0,
            faults: 0,
            success_ewma: SUCCESS,
            sufficiency_ewma: SUFFICIENCY,
            insufficiency_ewma: INSUFFICIENCY,
            latency_ms_ewma: if is_planner {
                PLANNER_LATENCY_MS
            } else {
                LATENCY_MS
            },
            calls_ewma: 0.0,
            tokens_ewma: 0.0,
            streak: 0,
            last: 0,
        }
    }

    fn take(&mut self, outcome: &Outcome, place: u32) {
        let is_first = self.attempts == 0;
        self.attempts = self.attempts.saturating_add(1);
        match outcome.verdict {
            Verdict::Success => self.successes = self.successes.saturating_add(1),
            Verdict::Weak => self.insufficiency = self.insufficiency.saturating_add(1),
            Verdict::Failed => self.failures = self.failures.saturating_add(1),
        }
        self.streak = match outcome.worth() >= 0.5 {
            true => self.streak.saturating_add(1),
            false => 0,
        };
        if let Some(accepted) = outcome.accepted {
            self.judged = self.judged.saturating_add(1);
            self.accepted = self.accepted.saturating_add(u32::from(accepted));
        }
        self.faults = self.faults.saturating_add(outcome.faults);
        let is_weak = f64::from(u8::from(outcome.verdict == Verdict::Weak));
        let is_enough = f64::from(u8::from(outcome.verdict == Verdict::Success));
        self.success_ewma = mixed(self.success_ewma, outcome.worth());
        self.sufficiency_ewma = mixed(self.sufficiency_ewma, is_enough);
        self.insufficiency_ewma = mixed(self.insufficiency_ewma, is_weak);
        self.latency_ms_ewma = mixed(self.latency_ms_ewma, outcome.ms as f64);
        self.calls_ewma = mixed(self.calls_ewma, f64::from(outcome.calls));
        // No tokens is no estimate: the first outcome is.
        let before = if is_first {
            outcome.tokens as f64
        } else {
            self.tokens_ewma
        };
        self.tokens_ewma = mixed(before, outcome.tokens as f64);
        self.last = place;
    }

    /// The same after so many requests without it: each takes away some of what was learned.
    fn faded(&self, gap: u32) -> Self {
        let kept = KEPT.powi(i32::try_from(gap).unwrap_or(i32::MAX));
        let fade = |learned: f64, prior: f64| prior + (learned - prior) * kept;
        Self {
            success_ewma: fade(self.success_ewma, SUCCESS),
            sufficiency_ewma: fade(self.sufficiency_ewma, SUFFICIENCY),
            insufficiency_ewma: fade(self.insufficiency_ewma, INSUFFICIENCY),
            ..self.clone()
        }
    }

    /// The part of a penalty that time takes, 0 to 0.5 of plugins. It doubles its distance, not its
    /// value: 250 ms take 0.05, 5 s 0.22, 20 s 0.32, so that slow and very slow stay apart.
    pub fn latency_penalty(&self) -> f64 {
        penalty(self.latency_ms_ewma, LATENCY_MS, 0.5)
    }

    /// The part that requests to a model take, 0 to 0.3.
    pub fn calls_penalty(&self) -> f64 {
        (0.05 * self.calls_ewma).clamp(0.0, 0.3)
    }

    /// `successEWMA + 0.15·sufficiencyEWMA − latencyPenalty − llmCostPenalty`.
    pub fn utility(&self) -> f64 {
        self.success_ewma + 0.15 * self.sufficiency_ewma
            - self.latency_penalty()
            - self.calls_penalty()
    }

    /// The same of a planner: `successEWMA − latencyPenalty − 0.25·insufficiencyEWMA`.
    pub fn planner_utility(&self) -> f64 {
        let weak = (0.25 * self.insufficiency_ewma).clamp(0.0, 0.25);
        self.success_ewma - penalty(self.latency_ms_ewma, PLANNER_LATENCY_MS, 0.4) - weak
    }

    /// The place of its last request among those of the kind, from 1.
    pub fn last(&self) -> u32 {
        self.last
    }

    /// Whether enough came together for the estimates to count.
    pub fn counts(&self) -> bool {
        self.attempts >= LEAST
    }
}

/// The utility of a plugin of which nothing is known: 0.755.
pub fn cold_utility() -> f64 {
    Figures::new(false).utility()
}

/// The same of a planner: 0.625.
pub fn cold_planner_utility() -> f64 {
    Figures::new(true).planner_utility()
}

fn mixed(before: f64, now: f64) -> f64 {
    ALPHA * now + (1.0 - ALPHA) * before
}

fn penalty(ms: f64, unit: f64, most: f64) -> f64 {
    (0.05 * (1.0 + ms.max(0.0) / unit).log2()).clamp(0.0, most)
}

impl Statistics {
    /// Folds outcomes in their order. `is_planner` tells planners, which begin elsewhere.
    pub fn of<'o>(
        outcomes: impl IntoIterator<Item = &'o Outcome>,
        is_planner: &dyn Fn(&str) -> bool,
    ) -> Self {
        let mut all = Self::default();
        for outcome in outcomes {
            all.add(outcome, is_planner);
        }
        all
    }

    /// One outcome more, the newest.
    pub fn add(&mut self, outcome: &Outcome, is_planner: &dyn Fn(&str) -> bool) {
        let key = &outcome.key;
        let group = self
            .groups
            .entry((key.request.clone(), key.model.clone()))
            .or_default();
        if group.newest != Some(outcome.request) {
            group.newest = Some(outcome.request);
            group.requests = group.requests.saturating_add(1);
        }
        let place = group.requests;
        group
            .plugins
            .entry(key.plugin.clone())
            .or_insert_with(|| Figures::new(is_planner(&key.plugin)))
            .take(outcome, place);
    }

    /// Requests of a kind with a model so far.
    pub fn requests(&self, request: &str, model: &str) -> u32 {
        self.group(request, model).map_or(0, |group| group.requests)
    }

    /// The figures of a plugin as they stand now; `None` where it was never tried.
    pub fn figures(&self, request: &str, model: &str, plugin: &str) -> Option<Figures> {
        let group = self.group(request, model)?;
        let figures = group.plugins.get(plugin)?;
        Some(figures.faded(group.requests.saturating_sub(figures.last)))
    }

    /// Whether the next request of a kind is one that tries again what was put behind.
    pub fn explores(&self, request: &str, model: &str) -> bool {
        let requests = self.requests(request, model);
        (requests + 1).is_multiple_of(EXPLORE_EVERY)
    }

    /// The same of planners: halfway between two of the others, so that either is judged by itself.
    pub fn explores_planners(&self, request: &str, model: &str) -> bool {
        let requests = self.requests(request, model);
        (requests + 1 + EXPLORE_EVERY / 2).is_multiple_of(EXPLORE_EVERY)
    }

    /// Whether a plugin was tried again in the last request, and it did well: it is tried on.
    pub fn is_on_probation(&self, request: &str, model: &str, plugin: &str) -> bool {
        self.group(request, model).is_some_and(|group| {
            group.plugins.get(plugin).is_some_and(|figures| {
                figures.last == group.requests && (1..PROBATION).contains(&figures.streak)
            })
        })
    }

    /// All figures, for people: by kind of request, model and plugin.
    pub fn all(&self) -> impl Iterator<Item = (Key, Figures)> {
        self.groups.iter().flat_map(|((request, model), group)| {
            group.plugins.iter().map(move |(plugin, figures)| {
                let key = Key {
                    request: request.clone(),
                    model: model.clone(),
                    plugin: plugin.clone(),
                };
                let gap = group.requests.saturating_sub(figures.last);
                (key, figures.faded(gap))
            })
        })
    }

    fn group(&self, request: &str, model: &str) -> Option<&Group> {
        self.groups.get(&(request.to_owned(), model.to_owned()))
    }
}

#[cfg(test)]
mod tests;

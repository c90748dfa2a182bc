//! Statistics learned from the outcomes of earlier requests.
//!
//! Outcomes are stored as rows; adding them up in order gives a plugin's statistics for one kind of
//! request and one model. Success is judged by the user's reaction: a plan approved unchanged
//! counts fully, one that had to be rewritten counts half, and one rejected in favor of another
//! counts zero.
//!
//! Estimates are exponentially weighted, `new = α·x + (1−α)·old` with α = 0.25, and start at the
//! reference system's values. They take effect after [`MIN_OUTCOMES`] outcomes. Differences learned
//! about a plugin decay while it isn't tried, and every [`EXPLORE_EVERY`]th request retries a
//! cheaper plugin that was demoted, so that a run of failures is never final.

use std::collections::BTreeMap;

use serde::Serialize;

/// The weight of the newest outcome.
pub const ALPHA: f64 = 0.25;
/// Number of outcomes from which the estimates take effect.
pub const MIN_OUTCOMES: u32 = 5;
/// Fraction of a learned difference that remains after a request of the same kind that doesn't try
/// the plugin.
pub const DECAY: f64 = 0.95;
/// One in this many requests retries a cheaper plugin that was demoted; several of them take turns.
/// The same interval applies to planners.
pub const EXPLORE_EVERY: u32 = 10;
/// Number of consecutive successes after which a retried plugin's statistics alone decide its
/// position.
pub const PROBATION: u32 = 6;

/// Initial estimates, taken from the reference system.
const SUCCESS: f64 = 0.7;
const SUFFICIENCY: f64 = 0.7;
const INSUFFICIENCY: f64 = 0.1;
const LATENCY_MS: f64 = 250.0;
const PLANNER_LATENCY_MS: f64 = 400.0;

/// The key of a set of statistics: a plugin, a kind of request and a model.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Key {
    /// The kind of request, such as `bug-fix`.
    pub request: String,
    /// The model's name; empty if none is configured.
    pub model: String,
    /// The plugin's id.
    pub plugin: String,
}

/// How a plugin's attempt counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Its result was used.
    Success,
    /// Its result was insufficient.
    Weak,
    /// It gave no result.
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

    /// The verdict with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Success, Self::Weak, Self::Failed]
            .into_iter()
            .find(|verdict| verdict.as_str() == name)
    }
}

/// The outcome of one plugin in one request.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcome {
    /// The statistics that it counts toward.
    pub key: Key,
    /// The request's number, which is the same for all plugins tried for it and increases from
    /// request to request.
    pub request: i64,
    /// How the attempt counts.
    pub verdict: Verdict,
    /// Duration in milliseconds.
    pub ms: u64,
    /// Number of model requests.
    pub calls: u32,
    /// Number of tokens used, input and output.
    pub tokens: u64,
    /// Number of unparseable answers.
    pub faults: u32,
    /// Whether the user approved this plan (`true`) or another one instead (`false`); `None` if
    /// undecided.
    pub accepted: Option<bool>,
    /// The share of the plan's steps that the user rewrote before approval, 0 to 1.
    pub edited: f64,
    /// Whether the checks of its run passed; `None` if it was not run.
    pub checks: Option<bool>,
}

impl Outcome {
    /// How successful the plugin was, 0 to 1.
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

/// The statistics of one plugin, for one kind of request and one model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// Number of requests in which it was tried.
    pub attempts: u32,
    /// Number of requests in which its result was used.
    pub successes: u32,
    /// Number of requests in which it gave no result.
    pub failures: u32,
    /// Number of requests in which its result was insufficient.
    pub insufficiency: u32,
    /// Number of its plans that were approved.
    pub accepted: u32,
    /// Number of its plans that were either approved or rejected in favor of another.
    pub judged: u32,
    /// Number of unparseable answers.
    pub faults: u32,
    /// Estimated rate of success, 0 to 1.
    pub success_ewma: f64,
    /// Estimated rate of sufficient results, 0 to 1.
    pub sufficiency_ewma: f64,
    /// Estimated rate of insufficient results, 0 to 1; used for planners.
    pub insufficiency_ewma: f64,
    /// Estimated duration in milliseconds.
    pub latency_ms_ewma: f64,
    /// Estimated number of model requests.
    pub calls_ewma: f64,
    /// Estimated number of tokens.
    pub tokens_ewma: f64,
    /// Number of consecutive successes up to now.
    pub streak: u32,
    /// Number of the last request in which it was tried, counting requests of this kind from 1.
    last: u32,
}

/// The statistics of one kind of request with one model.
#[derive(Debug, Clone, Default, PartialEq)]
struct Group {
    requests: u32,
    newest: Option<i64>,
    plugins: BTreeMap<String, Figures>,
}

/// The statistics of all plugins.
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
        let is_sufficient = f64::from(u8::from(outcome.verdict == Verdict::Success));
        self.success_ewma = mixed(self.success_ewma, outcome.worth());
        self.sufficiency_ewma = mixed(self.sufficiency_ewma, is_sufficient);
        self.insufficiency_ewma = mixed(self.insufficiency_ewma, is_weak);
        self.latency_ms_ewma = mixed(self.latency_ms_ewma, outcome.ms as f64);
        self.calls_ewma = mixed(self.calls_ewma, f64::from(outcome.calls));
        // The initial zero isn't an estimate, so the first outcome replaces it entirely.
        let before = if is_first {
            outcome.tokens as f64
        } else {
            self.tokens_ewma
        };
        self.tokens_ewma = mixed(before, outcome.tokens as f64);
        self.last = place;
    }

    /// These statistics after `gap` requests without the plugin, each of which reduces the learned
    /// difference.
    fn faded(&self, gap: u32) -> Self {
        let kept = DECAY.powi(i32::try_from(gap).unwrap_or(i32::MAX));
        let fade = |learned: f64, prior: f64| prior + (learned - prior) * kept;
        Self {
            success_ewma: fade(self.success_ewma, SUCCESS),
            sufficiency_ewma: fade(self.sufficiency_ewma, SUFFICIENCY),
            insufficiency_ewma: fade(self.insufficiency_ewma, INSUFFICIENCY),
            ..self.clone()
        }
    }

    /// The latency penalty: 0 to 0.5 for plugins. It grows logarithmically: 250 ms costs 0.05, 5 s
    /// 0.22, 20 s 0.32, so that slow and very slow plugins can still be told apart.
    pub fn latency_penalty(&self) -> f64 {
        penalty(self.latency_ms_ewma, LATENCY_MS, 0.5)
    }

    /// The penalty for model requests, 0 to 0.3.
    pub fn calls_penalty(&self) -> f64 {
        (0.05 * self.calls_ewma).clamp(0.0, 0.3)
    }

    /// A plugin's utility: `successEWMA + 0.15·sufficiencyEWMA − latencyPenalty − llmCostPenalty`.
    pub fn utility(&self) -> f64 {
        self.success_ewma + 0.15 * self.sufficiency_ewma
            - self.latency_penalty()
            - self.calls_penalty()
    }

    /// A planner's utility: `successEWMA − latencyPenalty − 0.25·insufficiencyEWMA`.
    pub fn planner_utility(&self) -> f64 {
        let weak = (0.25 * self.insufficiency_ewma).clamp(0.0, 0.25);
        self.success_ewma - penalty(self.latency_ms_ewma, PLANNER_LATENCY_MS, 0.4) - weak
    }

    /// Number of the last request in which it was tried, counting requests of this kind from 1.
    pub fn last(&self) -> u32 {
        self.last
    }

    /// Whether there are enough outcomes for the estimates to take effect.
    pub fn counts(&self) -> bool {
        self.attempts >= MIN_OUTCOMES
    }
}

/// The utility of a plugin without outcomes: 0.755.
pub fn cold_utility() -> f64 {
    Figures::new(false).utility()
}

/// The utility of a planner without outcomes: 0.625.
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
    /// The statistics from these outcomes, in order. `is_planner` identifies planners, whose
    /// initial estimates differ from those of plugins.
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

    /// Adds the newest outcome.
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

    /// Number of requests of this kind with this model so far.
    pub fn requests(&self, request: &str, model: &str) -> u32 {
        self.group(request, model).map_or(0, |group| group.requests)
    }

    /// A plugin's current statistics; `None` if it was never tried.
    pub fn figures(&self, request: &str, model: &str, plugin: &str) -> Option<Figures> {
        let group = self.group(request, model)?;
        let figures = group.plugins.get(plugin)?;
        Some(figures.faded(group.requests.saturating_sub(figures.last)))
    }

    /// Whether the next request of a kind retries a demoted plugin.
    pub fn explores(&self, request: &str, model: &str) -> bool {
        let requests = self.requests(request, model);
        (requests + 1).is_multiple_of(EXPLORE_EVERY)
    }

    /// Like [`Self::explores`] for planners: offset by half the interval, so that plugins and
    /// planners are judged separately.
    pub fn explores_planners(&self, request: &str, model: &str) -> bool {
        let requests = self.requests(request, model);
        (requests + 1 + EXPLORE_EVERY / 2).is_multiple_of(EXPLORE_EVERY)
    }

    /// Whether a plugin should be tried again because it succeeded in the last request, but hasn't
    /// succeeded often enough in a row for its statistics to decide.
    pub fn is_on_probation(&self, request: &str, model: &str, plugin: &str) -> bool {
        self.group(request, model).is_some_and(|group| {
            group.plugins.get(plugin).is_some_and(|figures| {
                figures.last == group.requests && (1..PROBATION).contains(&figures.streak)
            })
        })
    }

    /// All statistics, ordered by kind of request, model and plugin, for display.
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

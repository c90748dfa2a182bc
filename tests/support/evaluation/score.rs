//! Computes scores from trials. They are based on files, records and requests; a client's own
//! claims are only compared with these.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::scenarios::RightEnd;
use crate::simulator::{Fault, Noted, Surface, window};

use super::statistics::{Rate, as_f64, mean};
use super::{End, Trial};

/// A recovery from a fault is quick if it takes at most this many extra requests.
const FEW: usize = 3;

/// Outcomes after faults of one kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Recovery {
    /// Recovered with at most three extra requests.
    pub few: usize,
    /// Recovered with more extra requests.
    pub later: usize,
    /// A person was asked.
    pub asked: usize,
    /// The client gave up and reported that.
    pub given_up: usize,
    /// The client wrongly claimed success.
    pub lost: usize,
}

impl Recovery {
    /// The total number of outcomes.
    #[must_use]
    pub fn all(self) -> usize {
        self.few + self.later + self.asked + self.given_up + self.lost
    }

    /// The share that recovered.
    #[must_use]
    pub fn rate(self) -> Rate {
        Rate {
            hits: self.few + self.later,
            of: self.all(),
        }
    }
}

/// The scores of one client over many trials.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Score {
    /// Trials whose work is done, according to the checks, and reported as done.
    pub completion: Rate,
    /// Trials reported as done whose work is not done.
    pub false_done: Rate,
    /// Impossible scenarios that ended with a question or by giving up.
    pub right_ends: Rate,
    /// Plans made in at most two requests, without a fallback.
    pub decomposition: Rate,
    /// Plans made in one request.
    pub first_plans: Rate,
    /// Steps whose planted fact was recorded verbatim.
    pub extraction: Rate,
    /// Steps that the model did not report itself.
    pub inferred: Rate,
    /// Steps that need an earlier fact and received it in their first request.
    pub recall: Rate,
    /// The share of needed facts among the facts sent to steps that need an earlier fact.
    pub precision: Rate,
    /// Requests per completed trial.
    pub requests: Option<f64>,
    /// Requests relative to the minimum that a faultless model needs.
    pub overhead: Option<f64>,
    /// Bytes sent per step.
    pub bytes_per_step: Option<f64>,
    /// The largest request in bytes.
    pub largest: usize,
    /// Requests that exceeded the model's context window.
    pub over_window: Rate,
    /// Steps per completed trial.
    pub tasks_per_completion: Option<f64>,
    /// Questions to a person per trial.
    pub questions: Option<f64>,
    /// Unnecessary questions per trial.
    pub needless: Option<f64>,
    /// Milliseconds per trial.
    pub elapsed_ms: Option<f64>,
    /// The outcomes after faults, by kind of fault.
    pub recovery: BTreeMap<Fault, Recovery>,
}

impl Score {
    /// The score of these trials.
    #[must_use]
    pub fn of<'a>(trials: impl IntoIterator<Item = &'a Trial>) -> Self {
        let trials: Vec<&Trial> = trials.into_iter().collect();
        let mut score = Self::default();
        for trial in &trials {
            score.add(trial);
        }
        let completed: Vec<&&Trial> = trials.iter().filter(|trial| is_completed(trial)).collect();
        let sent = |trial: &Trial| as_f64(trial.notes.len());
        score.requests = mean(completed.iter().map(|trial| sent(trial)));
        let fewest: f64 = completed.iter().map(|trial| as_f64(fewest(trial))).sum();
        let all: f64 = completed.iter().map(|trial| sent(trial)).sum();
        score.overhead = (fewest > 0.0).then(|| all / fewest);
        score.tasks_per_completion = mean(
            completed
                .iter()
                .map(|trial| as_f64(trial.scenario.length())),
        );
        let steps: usize = trials.iter().map(|trial| trial.scenario.length()).sum();
        let bytes: usize = trials
            .iter()
            .flat_map(|trial| &trial.notes)
            .map(|noted| noted.bytes)
            .sum();
        score.bytes_per_step = (steps > 0).then(|| as_f64(bytes) / as_f64(steps));
        score.questions = mean(trials.iter().map(|trial| as_f64(trial.played.questions)));
        score.needless = mean(trials.iter().map(|trial| {
            as_f64(
                trial
                    .played
                    .questions
                    .saturating_sub(trial.scenario.questions),
            )
        }));
        score.elapsed_ms = mean(
            trials
                .iter()
                .map(|trial| as_f64(usize::try_from(trial.elapsed_ms).unwrap_or(usize::MAX))),
        );
        score
    }

    fn add(&mut self, trial: &Trial) {
        let is_done = trial.played.end == End::Done;
        match trial.scenario.end {
            RightEnd::Done => self.completion.count(is_completed(trial)),
            RightEnd::AskedOrGivenUp => self.right_ends.count(!is_done),
        }
        self.false_done.count(is_done && !trial.is_right());
        self.plan(trial);
        self.facts(trial);
        for noted in &trial.notes {
            self.largest = self.largest.max(noted.bytes);
            let tokens = u64::try_from(noted.bytes / 4).unwrap_or(u64::MAX);
            self.over_window.count(tokens > window(&trial.scenario));
        }
        for (fault, end) in faults(trial) {
            let kind = self.recovery.entry(fault).or_default();
            match end {
                Became::OnAfter(extra) if extra <= FEW => kind.few += 1,
                Became::OnAfter(_) => kind.later += 1,
                Became::Asked => kind.asked += 1,
                Became::GivenUp => kind.given_up += 1,
                Became::Lost => kind.lost += 1,
            }
        }
    }

    fn plan(&mut self, trial: &Trial) {
        let asked = trial
            .notes
            .iter()
            .filter(|noted| noted.surface == Surface::Plan);
        if let Some(planned) = trial.played.planned {
            self.decomposition.count(planned);
            self.first_plans.count(planned);
            return;
        }
        // Consecutive planning requests belong to the same plan.
        let mut run = 0;
        let mut last = None;
        for noted in asked {
            let is_next = last.is_some_and(|last| last + 1 == noted.turn);
            if run > 0 && !is_next {
                self.decomposition.count(run <= 2);
                self.first_plans.count(run == 1);
                run = 0;
            }
            run += 1;
            last = Some(noted.turn);
        }
        if run > 0 {
            self.decomposition.count(run <= 2);
            self.first_plans.count(run == 1);
        }
    }

    fn facts(&mut self, trial: &Trial) {
        let scenario = &trial.scenario;
        // Ignores steps that the model didn't work on, such as those on a branch that wasn't taken.
        let worked = |id: &str| {
            trial
                .notes
                .iter()
                .any(|noted| noted.step.as_deref() == Some(id))
        };
        for step in scenario.worked().filter(|step| step.hopeless.is_none()) {
            let record = trial
                .played
                .steps
                .iter()
                .find(|record| record.step == step.id);
            if trial.played.end == End::Done
                && let Some(record) = record
            {
                self.inferred.count(!record.is_reported);
            }
            if let Some(fact) = &step.fact {
                let is_kept = record.is_some_and(|record| {
                    record.learned.iter().any(|text| text.contains(&fact.token))
                });
                self.extraction.count(is_kept);
            }
            if let Some(needs) = step.needs.as_ref().filter(|_| worked(&step.id)) {
                let first = trial.notes.iter().find(|noted| {
                    noted.is_first && noted.step.as_deref() == Some(step.id.as_str())
                });
                if let Some(first) = first {
                    self.recall.count(first.sees.contains(needs));
                    for token in &first.sees {
                        self.precision.count(token == needs);
                    }
                }
            }
        }
    }

    /// The score as JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        let round = |number: Option<f64>| number.map(|number| (number * 1_000.0).round() / 1_000.0);
        let recovery: serde_json::Map<String, Value> = self
            .recovery
            .iter()
            .map(|(fault, kind)| {
                let told = json!({
                    "within_3": kind.few, "later": kind.later, "asked": kind.asked, "given_up": kind.given_up,
                    "lost": kind.lost, "recovered": kind.rate().json(),
                });
                (fault.as_str().to_owned(), told)
            })
            .collect();
        json!({
            "completion": self.completion.json(),
            "false_done": self.false_done.json(),
            "right_ends_of_impossible": self.right_ends.json(),
            "decomposition": self.decomposition.json(),
            "decomposition_first_try": self.first_plans.json(),
            "context_extraction": self.extraction.json(),
            "inferred": self.inferred.json(),
            "fact_recall": self.recall.json(),
            "fact_precision": self.precision.json(),
            "requests": round(self.requests),
            "requests_over_fewest": round(self.overhead),
            "bytes_per_step": round(self.bytes_per_step),
            "largest_request_bytes": self.largest,
            "requests_over_window": self.over_window.json(),
            "tasks_per_completion": round(self.tasks_per_completion),
            "interventions": round(self.questions),
            "needless_interventions": round(self.needless),
            "elapsed_ms": round(self.elapsed_ms),
            "recovery": recovery,
        })
    }
}

/// Whether the work is done and was reported as done.
#[must_use]
pub fn is_completed(trial: &Trial) -> bool {
    trial.played.end == End::Done && trial.is_right()
}

/// The fewest requests that a faultless model needs, given what each step's first request
/// contained: one per remaining act, one for the report, and one per requested plan.
#[must_use]
pub fn fewest(trial: &Trial) -> usize {
    let mut steps: BTreeMap<&str, usize> = BTreeMap::new();
    for noted in trial
        .notes
        .iter()
        .filter(|noted| noted.surface == Surface::Work)
    {
        if let Some(step) = &noted.step {
            steps.entry(step).or_insert(noted.left);
        }
    }
    let plans = trial
        .notes
        .iter()
        .filter(|noted| noted.surface == Surface::Plan && !noted.is_again && noted.is_first);
    steps.values().sum::<usize>() + plans.count()
}

enum Became {
    OnAfter(usize),
    Asked,
    GivenUp,
    Lost,
}

/// The outcome of each fault. A repeated fault is listed once.
fn faults(trial: &Trial) -> Vec<(Fault, Became)> {
    let mut out = Vec::new();
    for (at, noted) in trial.notes.iter().enumerate() {
        let Some(fault) = noted
            .fault
            .filter(|_| !noted.is_again && noted.surface == Surface::Work)
        else {
            continue;
        };
        out.push((fault, became(trial, at, noted)));
    }
    out
}

fn became(trial: &Trial, at: usize, noted: &Noted) -> Became {
    let later = trial
        .notes
        .iter()
        .skip(at + 1)
        .filter(|later| later.surface == Surface::Work);
    for (extra, later) in later.enumerate() {
        let is_further = later.step != noted.step
            || later.left < noted.left
            || (noted.fault == Some(Fault::Loop) && later.fault.is_none());
        if is_further {
            // Moving on from an unfinished step doesn't count as recovery.
            if later.step != noted.step && trial.played.end == End::Done && !trial.is_right() {
                return Became::Lost;
            }
            return Became::OnAfter(extra);
        }
    }
    match trial.played.end {
        End::Done if trial.is_right() => Became::OnAfter(trial.notes.len() - at - 1),
        End::Done => Became::Lost,
        End::Asked => Became::Asked,
        End::GivenUp => Became::GivenUp,
    }
}

//! The results of the policies by seed, with means and 95 % intervals, as text and as JSON.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::play::{Desk, Fixed, Group, Oracle, Played, Policy, Result, WEIGHTS, run};
use crate::world::{KINDS, MODELS, OUTAGES, REQUESTS};

/// The disclaimer in every report and chart.
pub(crate) const NOTE: &str = "Qualities, times and outages are assumed: the figures are about the decision layer, and no claim about a real model.";

/// The number of requests before an outage that determine the route of a kind and model, and how
/// many of them must agree.
const BEFORE: (usize, usize) = (10, 5);

/// A mean over the seeds with its 95 % confidence interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Mean {
    /// The mean itself.
    pub(crate) mean: f64,
    /// Half the width of the interval, by Student's t-distribution; `None` for a single seed.
    pub(crate) half: Option<f64>,
}

impl Mean {
    /// The mean of some numbers.
    pub(crate) fn of(all: &[f64]) -> Self {
        let n = all.len() as f64;
        let mean = all.iter().sum::<f64>() / n;
        let half = (all.len() > 1).then(|| {
            let squares: f64 = all.iter().map(|one| (one - mean).powi(2)).sum();
            student(n - 1.0) * (squares / (n - 1.0)).sqrt() / n.sqrt()
        });
        Self { mean, half }
    }

    fn json(self) -> Value {
        json!({"mean": rounded(self.mean), "half": self.half.map(rounded)})
    }
}

impl std::fmt::Display for Mean {
    /// Formats the mean and interval as `12.30 ± 0.40`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let half = self.half.map(|half| format!(" ± {half:.2}"));
        f.pad(&format!("{:.2}{}", self.mean, half.unwrap_or_default()))
    }
}

/// The 97.5 % quantile of Student's t-distribution, by the Cornish-Fisher expansion: within 0.01 of
/// the tables for 6 or more degrees of freedom.
fn student(freedom: f64) -> f64 {
    let z = 1.96_f64;
    z + (z.powi(3) + z) / (4.0 * freedom)
        + (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / (96.0 * freedom * freedom)
}

fn rounded(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}

/// The results of one policy over all seeds.
pub(crate) struct Row {
    /// The policy's name.
    pub(crate) name: &'static str,
    /// The requests that it played, by seed.
    pub(crate) runs: Vec<Vec<Played>>,
}

impl Row {
    fn per_request(&self, of: impl Fn(&Played) -> f64) -> Vec<f64> {
        let mean = |run: &Vec<Played>| run.iter().map(&of).sum::<f64>() / run.len() as f64;
        self.runs.iter().map(mean).collect()
    }

    /// The mean cost of a request, by seed.
    pub(crate) fn costs(&self) -> Vec<f64> {
        self.per_request(Played::cost)
    }

    /// The share of requests that ended with a good plan.
    pub(crate) fn good(&self) -> Mean {
        Mean::of(&self.per_request(|one| f64::from(u8::from(one.result == Result::Good))))
    }

    fn seconds(&self) -> Mean {
        Mean::of(&self.per_request(|one| one.seconds))
    }

    fn calls(&self) -> Mean {
        Mean::of(&self.per_request(|one| f64::from(one.calls)))
    }
}

/// The mean extra cost per request of one policy compared with another.
pub(crate) fn regret(of: &Row, against: &Row) -> Mean {
    let costs = of.costs().into_iter().zip(against.costs());
    Mean::of(&costs.map(|(one, other)| one - other).collect::<Vec<_>>())
}

/// How soon the first choice recovered after an outage, in requests of its kind and model.
pub(crate) struct Return {
    /// The index of the outage.
    pub(crate) outage: usize,
    /// How often the outage affected the first choice of a kind and model, over all seeds.
    pub(crate) affected: usize,
    /// The recovery times where the first choice recovered before the end, ascending.
    pub(crate) times: Vec<usize>,
}

impl Return {
    /// The median of the recovery times, if there are any.
    pub(crate) fn median(&self) -> Option<usize> {
        self.times.get(self.times.len() / 2).copied()
    }

    /// The longest of the recovery times, if there are any.
    pub(crate) fn longest(&self) -> Option<usize> {
        self.times.last().copied()
    }
}

/// The recoveries in all runs, grouped by outage.
pub(crate) fn returns(row: &Row) -> Vec<Return> {
    let of = |outage: usize| {
        let mut found = Return {
            outage,
            affected: 0,
            times: Vec::new(),
        };
        let groups = (0..KINDS.len()).flat_map(|kind| (0..MODELS.len()).map(move |m| (kind, m)));
        let groups: Vec<Group> = groups.collect();
        for run in &row.runs {
            for group in &groups {
                if let Some(time) = returned(run, *group, outage) {
                    found.affected += 1;
                    found.times.extend(time);
                }
            }
        }
        found.times.sort_unstable();
        found
    };
    (0..OUTAGES.len()).map(of).collect()
}

/// The number of requests of a kind and model until the earlier route was the first choice again.
/// The outer `None` means that the outage did not affect that route; the inner `None`, that the
/// route did not recover.
fn returned(run: &[Played], group: Group, outage: usize) -> Option<Option<usize>> {
    let when = &OUTAGES[outage].when;
    let (start, end) = (when.start as usize, when.end as usize);
    let firsts = |run: &[Played]| -> Vec<String> {
        let of = run.iter().filter(|one| one.group == group);
        of.map(|one| one.first.clone()).collect()
    };
    let before = firsts(&run[..start]);
    let (last, agree) = BEFORE;
    let last = &before[before.len().saturating_sub(last)..];
    let times = |id: &String| last.iter().filter(|one| *one == id).count();
    let route = last.iter().find(|id| times(id) >= agree)?;
    if !OUTAGES[outage].is_of(group.1, route) {
        return None;
    }
    let after = firsts(&run[end..]);
    Some(after.iter().position(|id| id == route).map(|at| at + 1))
}

/// The results of all policies.
pub(crate) struct Table {
    /// The results of the learning policy.
    pub(crate) learned: Row,
    /// The results of the configured order, without learning.
    pub(crate) cheap: Row,
    /// The results of the best fixed route for each seed.
    pub(crate) fixed: Row,
    /// The best fixed route, by seed.
    routes: Vec<Fixed>,
}

impl Table {
    /// Plays the seeds from 0 up to, but not including, `seeds`.
    pub(crate) fn of(desk: &Desk, seeds: u64) -> Self {
        let row = |name, policy| Row {
            name,
            runs: (0..seeds).map(|seed| run(desk, seed, policy)).collect(),
        };
        let total = |run: &Vec<Played>| run.iter().map(Played::cost).sum::<f64>();
        let best = |seed| {
            let all = Fixed::all().into_iter();
            let runs = all.map(|fixed| (fixed, run(desk, seed, Policy::Fixed(fixed))));
            runs.min_by(|(_, one), (_, other)| total(one).total_cmp(&total(other)))
        };
        let (routes, runs) = (0..seeds).filter_map(best).unzip();
        Self {
            learned: row("learned", Policy::Learned),
            cheap: row("cheap first", Policy::Fixed(Fixed::CHEAP_FIRST)),
            fixed: Row {
                name: "best fixed route",
                runs,
            },
            routes,
        }
    }

    /// The results of the oracle on the same seeds. It estimates the value of each order from
    /// `plays` plays.
    pub(crate) fn oracle(&self, desk: &Desk, plays: u64) -> Row {
        let oracle = Oracle::new(desk, plays);
        let runs = (0_u64..).zip(&self.learned.runs);
        Row {
            name: "oracle",
            runs: runs
                .map(|(seed, _)| run(desk, seed, Policy::Oracle(&oracle)))
                .collect(),
        }
    }

    /// The best fixed routes, each with the number of seeds for which it is the best.
    fn best(&self) -> Vec<(String, usize)> {
        let mut names: Vec<(String, usize)> = Vec::new();
        for route in &self.routes {
            let name = route.name();
            match names.iter_mut().find(|(known, _)| *known == name) {
                Some((_, seeds)) => *seeds += 1,
                None => names.push((name, 1)),
            }
        }
        names
    }

    /// The report as text.
    pub(crate) fn text(&self, oracle: &Row) -> String {
        let mut out = String::new();
        let seeds = self.routes.len();
        let _ = writeln!(
            out,
            "{REQUESTS} requests, {} kinds × {} models, {seeds} seeds; means with 95 % intervals.\n{NOTE}\n\
             A request costs {} s where its plan is weak or thrown away, {} s where there is none, {} s for each second\n\
             of waiting and {} s for each request to the model; its regret is what it costs more than the oracle's.\n",
            KINDS.len(),
            MODELS.len(),
            WEIGHTS.weak,
            WEIGHTS.none,
            WEIGHTS.second,
            WEIGHTS.call
        );
        let _ = writeln!(
            out,
            "{:<18}{:>18}{:>16}{:>16}{:>16}{:>16}",
            "route", "cost", "regret", "good plans", "seconds", "requests"
        );
        for row in [&self.learned, &self.cheap, &self.fixed, oracle] {
            let _ = writeln!(
                out,
                "{:<18}{:>18}{:>16}{:>16}{:>16}{:>16}",
                row.name,
                Mean::of(&row.costs()).to_string(),
                regret(row, oracle).to_string(),
                row.good().to_string(),
                row.seconds().to_string(),
                row.calls().to_string()
            );
        }
        let _ = writeln!(
            out,
            "\nregret of learned against cheap first: {} a request, against the best fixed route: {}",
            regret(&self.learned, &self.cheap),
            regret(&self.learned, &self.fixed)
        );
        for (name, seeds) in self.best() {
            let _ = writeln!(out, "  best fixed in {seeds} seeds: {name}");
        }
        let _ = writeln!(
            out,
            "\nafter an outage, requests of the kind and model until its first solver is first again:"
        );
        for found in returns(&self.learned) {
            let outage = &OUTAGES[found.outage];
            let told = |time: Option<usize>| time.map_or("–".to_owned(), |time| time.to_string());
            let _ = writeln!(
                out,
                "  {} ({} to {}): median {}, longest {}; {} of {} before the end",
                outage.name,
                outage.when.start,
                outage.when.end,
                told(found.median()),
                told(found.longest()),
                found.times.len(),
                found.affected
            );
        }
        out
    }

    /// The report as JSON.
    pub(crate) fn json(&self, oracle: &Row) -> Value {
        let row = |row: &Row| {
            json!({
                "cost": Mean::of(&row.costs()).json(),
                "regret": regret(row, oracle).json(),
                "good": row.good().json(),
                "seconds": row.seconds().json(),
                "calls": row.calls().json(),
            })
        };
        let returns: Vec<Value> = returns(&self.learned)
            .iter()
            .map(|found| {
                let outage = &OUTAGES[found.outage];
                json!({
                    "outage": outage.name,
                    "from": outage.when.start,
                    "to": outage.when.end,
                    "affected": found.affected,
                    "returned": found.times.len(),
                    "median": found.median(),
                    "longest": found.longest(),
                })
            })
            .collect();
        let best: Vec<Value> = self
            .best()
            .into_iter()
            .map(|(route, seeds)| json!({"route": route, "seeds": seeds}))
            .collect();
        json!({
            "is_simulated": true,
            "seeds": self.routes.len(),
            "requests": REQUESTS,
            "learned": row(&self.learned),
            "cheap_first": row(&self.cheap),
            "best_fixed": row(&self.fixed),
            "oracle": row(oracle),
            "learned_against_cheap_first": regret(&self.learned, &self.cheap).json(),
            "learned_against_best_fixed": regret(&self.learned, &self.fixed).json(),
            "best_fixed_routes": best,
            "returns": returns,
        })
    }
}

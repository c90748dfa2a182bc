//! Plays the world's requests through the actual decision layer: `decide`, `RequestProgress`,
//! `Statistics`.
//!
//! A request follows its decision until there is a good plan or nothing left to try. In four out of
//! five cases, the user then judges the plan, and the attempts are recorded as outcomes, as in the
//! program: one per plugin and planner, with the user's verdict on those that produced the plan.
//!
//! None of the layer's logic is duplicated. The fixed route, cheap-first and the oracle use the
//! decision without outcomes, with its KB plugins and solvers reordered.

use std::collections::BTreeMap;

use adequacy::WorkspaceFacts;
use planning::decision::{
    AttemptResult, Budget, Cost, Decision, Effort, Key, Kind, Next, Orders, Outcome, Plugins,
    Request, RequestProgress, Statistics, Status, Verdict, decide,
};
use planning::intake::{Intake, detect};

use crate::world::{Drawn, Gave, KBS, KINDS, MODELS, REQUESTS, SOLVERS, Took};

/// The fraction of plans that the user judges.
const JUDGED: f64 = 0.8;
/// The budget of a request: its model requests, tokens and milliseconds.
const BUDGET: (u32, u64, u64) = (12, 120_000, 300_000);

/// What the results of a request cost, in seconds of the user's time; lower is better.
pub(crate) struct Weights {
    /// The cost of a plan that is weak or was rejected.
    pub(crate) weak: f64,
    /// The cost of getting no plan.
    pub(crate) none: f64,
    /// The cost of one second of waiting.
    pub(crate) second: f64,
    /// The cost of one model request.
    pub(crate) call: f64,
}

/// The assumed costs: four minutes to rewrite a weak plan, five minutes to start from nothing, one
/// second per second of waiting, and five seconds per model request.
pub(crate) const WEIGHTS: Weights = Weights {
    weak: 240.0,
    none: 300.0,
    second: 1.0,
    call: 5.0,
};

/// How the route of a request is chosen.
#[derive(Clone, Copy)]
pub(crate) enum Policy<'o> {
    /// The decision layer with learned statistics.
    Learned,
    /// The same route for every request.
    Fixed(Fixed),
    /// The best route for this kind, model and time, given the world's true qualities.
    Oracle(&'o Oracle),
}

/// A fixed route.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fixed {
    /// The indexes in [`SOLVERS`], in the order in which they are tried.
    pub(crate) solvers: [usize; 3],
    /// The index in [`KBS`] of the KB plugin tried first.
    pub(crate) kb: usize,
    /// Whether the first solver and KB plugin are pinned, so that nothing else is tried.
    pub(crate) is_pinned: bool,
}

impl Fixed {
    /// The configured order, without learning.
    pub(crate) const CHEAP_FIRST: Self = Self {
        solvers: [0, 1, 2],
        kb: 0,
        is_pinned: false,
    };

    /// Each order of the solvers with each KB plugin.
    pub(crate) fn orders() -> Vec<Self> {
        let orders = [
            [0, 1, 2],
            [0, 2, 1],
            [1, 0, 2],
            [1, 2, 0],
            [2, 0, 1],
            [2, 1, 0],
        ];
        let with = |solvers| {
            (0..KBS.len()).map(move |kb| Self {
                solvers,
                kb,
                is_pinned: false,
            })
        };
        orders.into_iter().flat_map(with).collect()
    }

    /// All of [`Fixed::orders`], and also each single solver with a single KB plugin and no
    /// fallback.
    pub(crate) fn all() -> Vec<Self> {
        let pinned = Self::orders().into_iter().filter(|fixed| {
            let [first, second, third] = fixed.solvers;
            first < second && second < third || [[1, 0, 2], [2, 0, 1]].contains(&fixed.solvers)
        });
        let pinned = pinned.map(|fixed| Self {
            is_pinned: true,
            ..fixed
        });
        Self::orders().into_iter().chain(pinned).collect()
    }

    /// The name for display.
    pub(crate) fn name(&self) -> String {
        let solvers: Vec<&str> = self.solvers.iter().map(|at| SOLVERS[*at]).collect();
        match self.is_pinned {
            true => format!("{} and {} alone", KBS[self.kb], solvers[0]),
            false => format!("{}, then {}", KBS[self.kb], solvers.join(" › ")),
        }
    }
}

/// The result of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Result {
    /// A good plan.
    Good,
    /// A plan that is weak or was rejected.
    Weak,
    /// No plan at all.
    None,
}

/// A request that was played.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Played {
    /// Its kind and model.
    pub(crate) group: Group,
    /// How it ended.
    pub(crate) result: Result,
    /// Duration in seconds.
    pub(crate) seconds: f64,
    /// Number of model requests.
    pub(crate) calls: u32,
    /// The id of the solver that was tried first.
    pub(crate) first: String,
    /// Whether that solver came first only because it was being retried.
    pub(crate) is_try: bool,
}

impl Played {
    /// Its cost, in seconds of the user's time.
    pub(crate) fn cost(&self) -> f64 {
        let result = match self.result {
            Result::Good => 0.0,
            Result::Weak => WEIGHTS.weak,
            Result::None => WEIGHTS.none,
        };
        result + WEIGHTS.second * self.seconds + WEIGHTS.call * f64::from(self.calls)
    }
}

/// The indexes of a kind of request and of a model.
pub(crate) type Group = (usize, usize);
/// The indexes of a solver and of a KB plugin.
type Pinned = (usize, usize);

/// The parts of a request that are needed to follow its decision.
pub(crate) struct Asked {
    /// The request's sequence number.
    pub(crate) number: i64,
    /// Its kind and model.
    pub(crate) group: Group,
    /// Whether the user judges the plan.
    pub(crate) is_judged: bool,
}

/// Data shared by all requests.
pub(crate) struct Desk {
    intakes: Vec<Intake>,
    orders: Orders,
    plugins: Plugins,
    /// Decisions without outcomes and without terms, by kind, model and optional pins.
    cold: BTreeMap<(Group, Option<Pinned>), Decision>,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let facts = WorkspaceFacts::default();
        let mut desk = Self {
            intakes: KINDS.iter().map(|kind| detect(kind.goal, &facts)).collect(),
            orders: Orders::default(),
            plugins: Plugins::built_in(),
            cold: BTreeMap::new(),
        };
        let nothing = Statistics::default();
        for kind in 0..KINDS.len() {
            for model in 0..MODELS.len() {
                let free = without_terms(desk.decide((kind, model), &[], &nothing));
                desk.cold.insert(((kind, model), None), free);
                for (solver, solver_id) in SOLVERS.iter().enumerate() {
                    for (kb, kb_id) in KBS.iter().enumerate() {
                        let pins = [(*solver_id).to_owned(), (*kb_id).to_owned()];
                        let pinned = without_terms(desk.decide((kind, model), &pins, &nothing));
                        let key = ((kind, model), Some((solver, kb)));
                        desk.cold.insert(key, pinned);
                    }
                }
            }
        }
        desk
    }

    /// The kind that a goal is classified as.
    pub(crate) fn act(&self, kind: usize) -> &'static str {
        self.intakes[kind].kind.as_str()
    }

    /// The decision that the decision layer makes.
    pub(crate) fn decide(
        &self,
        (kind, model): Group,
        pins: &[String],
        statistics: &Statistics,
    ) -> Decision {
        decide(&Request {
            intake: &self.intakes[kind],
            effort: Effort::Auto,
            pins,
            model: Some(MODELS[model]),
            orders: &self.orders,
            plugins: &self.plugins,
            statistics,
        })
        .unwrap()
    }

    /// The decision without outcomes, reordered to follow a fixed route.
    fn fixed(&self, group: Group, fixed: &Fixed) -> Decision {
        let pins = fixed.is_pinned.then_some((fixed.solvers[0], fixed.kb));
        let mut decision = self.cold[&(group, pins)].clone();
        if fixed.is_pinned {
            return decision;
        }
        // The other planners keep their own order.
        for stage in &mut decision.planners[0].stages {
            let wished: Vec<&str> = match stage.kind {
                Kind::Solver => fixed.solvers.iter().map(|at| SOLVERS[*at]).collect(),
                Kind::Kb => vec![KBS[fixed.kb]],
                Kind::Detector | Kind::Planner => Vec::new(),
            };
            let place = |id: &str| wished.iter().position(|one| *one == id);
            stage
                .candidates
                .sort_by_key(|one| place(&one.plugin).unwrap_or(wished.len()));
        }
        decision
    }

    /// Plays one request according to a decision. Returns the result and the outcomes to record.
    pub(crate) fn play(&self, drawn: &Drawn, decision: Decision) -> (Played, Vec<Outcome>) {
        let (mut is_read, mut is_found) = (false, false);
        let request = Asked {
            number: i64::from(drawn.at),
            group: (drawn.kind, drawn.model),
            is_judged: drawn.draw("judged") < JUDGED,
        };
        self.follow(&request, decision, &mut |kind, plugin, tries| {
            let gave = match kind {
                Kind::Detector => drawn.detect(plugin),
                Kind::Kb => drawn.gather(plugin),
                Kind::Solver | Kind::Planner => drawn.solve(plugin, is_read, is_found, tries),
            };
            is_read |= kind == Kind::Detector && gave == Gave::Right;
            is_found |= kind == Kind::Kb && gave == Gave::Right;
            (gave, drawn.took(plugin, gave, tries))
        })
    }

    /// Follows a decision to its end; `give` returns the result and cost of each plugin.
    pub(crate) fn follow(
        &self,
        request: &Asked,
        decision: Decision,
        give: &mut dyn FnMut(Kind, &str, usize) -> (Gave, Took),
    ) -> (Played, Vec<Outcome>) {
        let first = decision.planners[0]
            .stages
            .iter()
            .find(|stage| stage.kind == Kind::Solver)
            .unwrap();
        let mut played = Played {
            group: request.group,
            result: Result::None,
            seconds: 0.0,
            calls: 0,
            first: first.candidates[0].plugin.clone(),
            is_try: first.notes.iter().any(|note| note.contains("retry")),
        };
        let reserve = |id: &str| {
            let plugin = self.plugins.get(id).unwrap();
            (plugin.max_calls, plugin.needs_model)
        };
        let (calls, tokens, ms) = BUDGET;
        let mut progress =
            RequestProgress::new(decision, &self.plugins, Budget::new(calls, tokens, ms));
        let (mut used_ms, mut used_tokens) = (0, 0);
        let mut is_good = false;
        let mut tries = 0;
        while let Next::Try { kind, plugin, .. } = progress.next(&reserve) {
            let (gave, took) = give(kind, &plugin, tries);
            is_good = kind == Kind::Solver && gave == Gave::Right;
            tries += 1;
            used_ms += took.ms;
            used_tokens += took.tokens;
            played.calls += took.calls;
            progress.budget.used(played.calls, used_tokens, used_ms);
            let cost = Cost {
                ms: took.ms,
                calls: took.calls,
                tokens: took.tokens,
                faults: u32::from(gave == Gave::Nothing),
            };
            progress.ended(ending(gave), cost);
        }
        played.seconds = used_ms as f64 / 1_000.0;
        let solved = |status| {
            let mut attempts = progress.attempts().iter();
            attempts.any(|one| one.kind == Kind::Solver && one.status == status)
        };
        played.result = match is_good {
            true => Result::Good,
            false if solved(Status::Success) || solved(Status::Weak) => Result::Weak,
            false => Result::None,
        };
        let outcomes = self.outcomes(request, &progress, is_good);
        (played, outcomes)
    }

    /// The outcomes to record for a request.
    fn outcomes(&self, request: &Asked, progress: &RequestProgress, is_good: bool) -> Vec<Outcome> {
        let (kind, model) = request.group;
        let outcome = |plugin: &str, status, cost: &Cost| {
            let verdict = match status {
                Status::Success => Verdict::Success,
                Status::Weak => Verdict::Weak,
                Status::Failed => Verdict::Failed,
                Status::Skipped => return None,
            };
            let is_used = status == Status::Success;
            Some(Outcome {
                key: Key {
                    request: self.act(kind).to_owned(),
                    model: MODELS[model].to_owned(),
                    plugin: plugin.to_owned(),
                },
                request: request.number,
                verdict,
                ms: cost.ms,
                calls: cost.calls,
                tokens: cost.tokens,
                faults: cost.faults,
                accepted: (is_used && request.is_judged).then_some(is_good),
                edited: 0.0,
                checks: None,
            })
        };
        let attempts = progress.attempts().iter();
        let tried = attempts.filter_map(|one| outcome(&one.plugin, one.status, &one.cost));
        let planners = progress.planners();
        let asked = planners
            .iter()
            .filter_map(|(planner, status, cost)| outcome(planner, *status, cost));
        tried.chain(asked).collect()
    }
}

/// Drops the terms, since the decision is copied for each request and they aren't needed.
fn without_terms(mut decision: Decision) -> Decision {
    let stages = decision.planners.iter_mut().flat_map(|one| &mut one.stages);
    for candidate in stages.flat_map(|stage| &mut stage.candidates) {
        candidate.terms.clear();
    }
    decision
}

fn ending(gave: Gave) -> AttemptResult {
    match gave {
        Gave::Right | Gave::Wrong => AttemptResult::Good(String::new()),
        Gave::Little => AttemptResult::Weak("is too little".to_owned()),
        Gave::Nothing => AttemptResult::Failed("could not be read".to_owned()),
        Gave::Unavailable => AttemptResult::Unavailable("the endpoint does not answer".to_owned()),
    }
}

/// The best fixed order for each kind, model and period, given the world's true qualities.
pub(crate) struct Oracle {
    best: Vec<BTreeMap<Group, Fixed>>,
}

impl Oracle {
    /// Plays each order `plays` times for each kind, model and period, and picks the best.
    pub(crate) fn new(desk: &Desk, plays: u64) -> Self {
        let edges = crate::world::EDGES;
        let ends = edges.iter().skip(1).copied().chain([REQUESTS]);
        let stretch = |(from, to): (u32, u32)| {
            let mut best = BTreeMap::new();
            for kind in 0..KINDS.len() {
                for model in 0..MODELS.len() {
                    let cost = |fixed: &Fixed| -> f64 {
                        let decision = desk.fixed((kind, model), fixed);
                        let costs = (0..plays).map(|luck| {
                            let drawn = Drawn::chosen(luck, (from + to) / 2, kind, model);
                            desk.play(&drawn, decision.clone()).0.cost()
                        });
                        costs.sum()
                    };
                    let costs = Fixed::orders()
                        .into_iter()
                        .map(|fixed| (cost(&fixed), fixed));
                    let (_, fixed) = costs
                        .min_by(|one, other| one.0.total_cmp(&other.0))
                        .unwrap();
                    best.insert((kind, model), fixed);
                }
            }
            best
        };
        Self {
            best: edges.iter().copied().zip(ends).map(stretch).collect(),
        }
    }

    /// The best order for a request.
    pub(crate) fn best(&self, drawn: &Drawn) -> &Fixed {
        let edges = crate::world::EDGES;
        let stretch = edges.iter().rposition(|edge| *edge <= drawn.at).unwrap();
        &self.best[stretch][&(drawn.kind, drawn.model)]
    }
}

/// Plays all requests of a seed.
pub(crate) fn run(desk: &Desk, seed: u64, policy: Policy<'_>) -> Vec<Played> {
    let mut statistics = Statistics::default();
    let is_planner = |id: &str| id.starts_with("planner");
    let mut all = Vec::new();
    for at in 0..REQUESTS {
        let drawn = Drawn::of(seed, at);
        let group = (drawn.kind, drawn.model);
        let decision = match policy {
            Policy::Learned => desk.decide(group, &[], &statistics),
            Policy::Fixed(fixed) => desk.fixed(group, &fixed),
            Policy::Oracle(oracle) => desk.fixed(group, oracle.best(&drawn)),
        };
        let (played, outcomes) = desk.play(&drawn, decision);
        if matches!(policy, Policy::Learned) {
            for outcome in &outcomes {
                statistics.add(outcome, &is_planner);
            }
        }
        all.push(played);
    }
    all
}

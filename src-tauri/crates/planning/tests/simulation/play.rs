//! Requests of the world played through the decision layer itself: `decide`, `Following`, `Statistics`.
//!
//! A request follows its decision until a good plan or the end. Then the person judges the plan in four
//! of five cases, and what was tried is kept as outcomes, the way that the program keeps them: one for
//! each plugin and planner, the person's word on those whose work the plan is.
//!
//! Nothing of the layer is copied here. A fixed route, cheap-first and the oracle's are the decision
//! without outcomes, with the candidates of its KB plugins and solvers put into another order.

use std::collections::BTreeMap;

use adequacy::WorkspaceFacts;
use planning::decision::{
    Budget, Cost, Decision, Effort, Ending, Following, Key, Kind, Next, Orders, Outcome, Plugins,
    Request, Statistics, Status, Verdict, decide,
};
use planning::intake::{Intake, detect};

use crate::world::{Drawn, Gave, KBS, KINDS, MODELS, REQUESTS, SOLVERS, Took};

/// How often the person says what becomes of a plan.
const JUDGED: f64 = 0.8;
/// What one request may take: requests to a model, tokens, milliseconds.
const BUDGET: (u32, u64, u64) = (12, 120_000, 300_000);

/// What a request is worth, in seconds of a person: lower is better.
pub(crate) struct Weights {
    /// A plan that is weak, or that was thrown away.
    pub(crate) weak: f64,
    /// No plan.
    pub(crate) none: f64,
    /// A second of waiting.
    pub(crate) second: f64,
    /// A request to a model.
    pub(crate) call: f64,
}

/// Assumed: four minutes to write anew what is weak, five to begin from nothing, a second of waiting is
/// a second, and a request to a model costs as much as five of them.
pub(crate) const WEIGHTS: Weights = Weights {
    weak: 240.0,
    none: 300.0,
    second: 1.0,
    call: 5.0,
};

/// What chooses the route.
#[derive(Clone, Copy)]
pub(crate) enum Policy<'o> {
    /// The decision layer with what it learned.
    Learned,
    /// One route for every request.
    Fixed(Fixed),
    /// The route that is best for this kind, model and time, by the world's own qualities.
    Oracle(&'o Oracle),
}

/// A route that is always the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fixed {
    /// The places of the solvers in [`SOLVERS`], in their order.
    pub(crate) solvers: [usize; 3],
    /// The place of the KB plugin in [`KBS`] that is asked first.
    pub(crate) kb: usize,
    /// Whether the first of them are pinned: nothing else is tried.
    pub(crate) is_pinned: bool,
}

impl Fixed {
    /// The configured order, nothing learned.
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

    /// Those, and each single solver and KB plugin with nothing behind it.
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

    /// Its name, for people.
    pub(crate) fn name(&self) -> String {
        let solvers: Vec<&str> = self.solvers.iter().map(|at| SOLVERS[*at]).collect();
        match self.is_pinned {
            true => format!("{} and {} alone", KBS[self.kb], solvers[0]),
            false => format!("{}, then {}", KBS[self.kb], solvers.join(" › ")),
        }
    }
}

/// What a request ended with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Result {
    /// A good plan.
    Good,
    /// One that is weak, or that the person threw away.
    Weak,
    /// None.
    None,
}

/// One request that was played.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Played {
    /// The place of its kind and model.
    pub(crate) group: Group,
    /// What it ended with.
    pub(crate) result: Result,
    /// Seconds that it took.
    pub(crate) seconds: f64,
    /// Requests to a model.
    pub(crate) calls: u32,
    /// The solver that was the first choice.
    pub(crate) first: String,
    /// Whether that was a try of what was put behind, and not what the order says.
    pub(crate) is_try: bool,
}

impl Played {
    /// What it cost, in seconds of a person.
    pub(crate) fn cost(&self) -> f64 {
        let result = match self.result {
            Result::Good => 0.0,
            Result::Weak => WEIGHTS.weak,
            Result::None => WEIGHTS.none,
        };
        result + WEIGHTS.second * self.seconds + WEIGHTS.call * f64::from(self.calls)
    }
}

/// The places of a kind and a model.
pub(crate) type Group = (usize, usize);
/// The places of a solver and a KB plugin.
type Pinned = (usize, usize);

/// A request, as far as following its decision needs it.
pub(crate) struct Asked {
    /// Its number.
    pub(crate) number: i64,
    /// The place of its kind and model.
    pub(crate) group: Group,
    /// Whether the person says what becomes of the plan.
    pub(crate) is_judged: bool,
}

/// What does not change from request to request.
pub(crate) struct Desk {
    intakes: Vec<Intake>,
    orders: Orders,
    plugins: Plugins,
    /// The decision without outcomes and without its terms, by kind and model, and with the first ones
    /// pinned.
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

    /// The kind that a goal is read as.
    pub(crate) fn act(&self, kind: usize) -> &'static str {
        self.intakes[kind].kind.as_str()
    }

    /// What the layer decides.
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

    /// The decision without outcomes, in the order of a fixed route.
    fn fixed(&self, group: Group, fixed: &Fixed) -> Decision {
        let pins = fixed.is_pinned.then_some((fixed.solvers[0], fixed.kb));
        let mut decision = self.cold[&(group, pins)].clone();
        if fixed.is_pinned {
            return decision;
        }
        // What another planner would do with what is left stays as it is.
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

    /// Plays one request of the world along a decision. What came of it, and what is kept of it.
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

    /// Follows a decision; `give` says what each plugin gives, and what that takes.
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
            is_try: first.notes.iter().any(|note| note.contains("is tried")),
        };
        let reserve = |id: &str| {
            let plugin = self.plugins.get(id).unwrap();
            (plugin.max_calls, plugin.needs_model)
        };
        let (calls, tokens, ms) = BUDGET;
        let mut following = Following::new(decision, &self.plugins, Budget::new(calls, tokens, ms));
        let (mut used_ms, mut used_tokens) = (0, 0);
        let mut is_good = false;
        let mut tries = 0;
        while let Next::Try { kind, plugin, .. } = following.next(&reserve) {
            let (gave, took) = give(kind, &plugin, tries);
            is_good = kind == Kind::Solver && gave == Gave::Right;
            tries += 1;
            used_ms += took.ms;
            used_tokens += took.tokens;
            played.calls += took.calls;
            following.budget.used(played.calls, used_tokens, used_ms);
            let cost = Cost {
                ms: took.ms,
                calls: took.calls,
                tokens: took.tokens,
                faults: u32::from(gave == Gave::Nothing),
            };
            following.ended(ending(gave), cost);
        }
        played.seconds = used_ms as f64 / 1_000.0;
        let solved = |status| {
            let mut attempts = following.attempts().iter();
            attempts.any(|one| one.kind == Kind::Solver && one.status == status)
        };
        played.result = match is_good {
            true => Result::Good,
            false if solved(Status::Success) || solved(Status::Weak) => Result::Weak,
            false => Result::None,
        };
        let outcomes = self.outcomes(request, &following, is_good);
        (played, outcomes)
    }

    /// What is kept of a request.
    fn outcomes(&self, request: &Asked, following: &Following, is_good: bool) -> Vec<Outcome> {
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
        let attempts = following.attempts().iter();
        let tried = attempts.filter_map(|one| outcome(&one.plugin, one.status, &one.cost));
        let planners = following.planners();
        let asked = planners
            .iter()
            .filter_map(|(planner, status, cost)| outcome(planner, *status, cost));
        tried.chain(asked).collect()
    }
}

/// A decision is copied for each request of a fixed route; why it is so is not asked there.
fn without_terms(mut decision: Decision) -> Decision {
    let stages = decision.planners.iter_mut().flat_map(|one| &mut one.stages);
    for candidate in stages.flat_map(|stage| &mut stage.candidates) {
        candidate.terms.clear();
    }
    decision
}

fn ending(gave: Gave) -> Ending {
    match gave {
        Gave::Right | Gave::Wrong => Ending::Good(String::new()),
        Gave::Little => Ending::Weak("is too little".to_owned()),
        Gave::Nothing => Ending::Failed("could not be read".to_owned()),
        Gave::Gone => Ending::Gone("the endpoint does not answer".to_owned()),
    }
}

/// The best fixed order for each kind and model in each stretch of time, by the world's own qualities.
pub(crate) struct Oracle {
    best: Vec<BTreeMap<Group, Fixed>>,
}

impl Oracle {
    /// Plays each order of each kind and model in each stretch so many times, and takes the best.
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

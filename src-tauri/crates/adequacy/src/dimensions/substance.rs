//! How specific the steps are: names, values, commands and rare words.
//!
//! The rarer a name is, the more it counts; a name is a word in code, with a digit, joined or in
//! capitals, or a noun that no word list contains. Words of prose also count by rarity, but only up
//! to a limit, and together they earn at most half of a step's credit: in every language, generic
//! sentences contain rare words but no names. An unlisted word that is not a name may be any
//! inflected form and counts little. The shorter the goal is, the less its words count. Words of a
//! goal part that the step quotes hardly count, and words shared by many steps count less in each.
//! Words in paths and checks count little, because they say where work is done and how it is
//! checked, not how it is done.
//!
//! Calibrated on real plans and on filler in ten languages (copied goals, rare words, random
//! letters): all filler stays below the outline threshold, and four out of five real plans are
//! above it.

use super::restated::GoalParts;
use super::units::{Unit, units};
use super::{Dimension, DimensionName, Missing, OUTLINE, mean};
use crate::idle::idle;
use crate::plan_context::PlanContext;
use crate::rarity;
use crate::terms::{Kind, Term, words_of};
use rustc_hash::{FxHashMap, FxHashSet};

/// Words with fewer bits than this are common and don't count.
const COMMON: f64 = 3.0;
/// Maximum bits counted for a word of prose.
const MAX_PROSE_WORD: f64 = 6.0;
/// Bits counted for an unlisted word that is not a name.
const UNKNOWN_WORD: f64 = 1.0;
/// Bits of names and of prose that earn half of the possible credit, with diminishing returns, and
/// the maximum credit for prose.
const NAME_BITS: f64 = 3.0;
const PROSE_BITS: f64 = 14.0;
const MAX_PROSE: f64 = 0.5;
/// Factors for words of a short goal and of a document, and the lengths in words from which they
/// apply.
const SHORT_GOAL_FACTOR: f64 = 0.05;
const DOCUMENT_FACTOR: f64 = 0.8;
const SHORT_GOAL_WORDS: f64 = 12.0;
const DOCUMENT_WORDS: f64 = 50.0;
/// Factor for words in `files:` and checks.
const KEY_FACTOR: f64 = 0.1;
/// Factor for words in paths within the text.
const PATH_FACTOR: f64 = 0.2;
/// Minimum share for a step to count as specific.
const SPECIFIC: f64 = 0.5;
/// A step below `MIN_SHARE` has no content; a step below `MIN_QUOTING_SHARE` that quotes the goal
/// only restates it.
const MIN_SHARE: f64 = 0.05;
const MIN_QUOTING_SHARE: f64 = 0.3;
/// A step with at least this share needs no more detail.
const FULL_SHARE: f64 = 0.95;
/// Maximum number of steps examined; a longer plan is sampled.
const MAX_STEPS: usize = 1_000;
/// A word shared by several steps is discounted by their number to this power.
const SHARING_EXPONENT: f64 = 0.33;
/// Share that steps without content reach by chance.
const CHANCE_SHARE: f64 = 0.1;

/// The substance of a plan's steps.
pub(crate) struct Substance {
    /// The mean over all units, minus [`CHANCE_SHARE`], rescaled to 0 to 1.
    pub(super) dimension: Dimension,
    /// Indices of tasks that only restate the goal or a requirement; they get no coverage credit.
    pub(crate) echoes: FxHashSet<usize>,
    /// Indices of idle tasks; they get no coverage credit.
    pub(crate) idle: FxHashSet<usize>,
}

impl Substance {
    pub(crate) fn of(context: &PlanContext<'_>) -> Self {
        if let Some(fault) = rarity::fault() {
            return Self {
                dimension: Dimension {
                    name: DimensionName::Substance,
                    share: None,
                    credited: format!("Unknown, because {fault}: reinstall Planwright."),
                    missing: None,
                },
                echoes: FxHashSet::default(),
                idle: FxHashSet::default(),
            };
        }
        // In a very long plan, only an even sample of the steps is measured.
        let every = context.steps.len().div_ceil(MAX_STEPS).max(1);
        let idle = idle(context);
        let units = units(context, &idle, every);
        let worth = Worth::of(context, &units, every);
        let told: Vec<UnitScore> = units.iter().map(|unit| worth.told(unit)).collect();
        let each: Vec<f64> = told.iter().map(|told| told.share).collect();
        let beyond_chance = |mean: f64| ((mean - CHANCE_SHARE) / (1.0 - CHANCE_SHARE)).max(0.0);
        let share = beyond_chance(mean(&each));
        let telling = each.iter().filter(|share| **share >= SPECIFIC).count();
        let least = each
            .iter()
            .enumerate()
            .min_by(|one, other| one.1.total_cmp(other.1));
        let missing = least.filter(|(_, share)| **share < FULL_SHARE).map(|(at, said)| {
        let line = units[at].line;
        let improved = mean(&each) + (1.0 - said) / each.len() as f64;
        Missing {
            line: Some(line),
            message: format!(
                "Line {line} is the least specific: name the file, command, value or case it is about."
            ),
            adds: beyond_chance(improved) - share,
        }
    });
        let first = context.steps.first().filter(|_| units.is_empty());
        let missing = first.map_or(missing, |step| {
            Some(Missing {
                line: Some(step.task.line),
                message: "No step changes anything: say what to change, and where.".to_owned(),
                adds: 1.0,
            })
        });
        let echoes = units.iter().zip(&told).filter(|(_, told)| told.is_echo);
        let echoes = echoes.flat_map(|(unit, _)| unit.tasks.iter().copied());
        Self {
            echoes: echoes.collect(),
            idle: idle.into_iter().collect(),
            dimension: Dimension {
                name: DimensionName::Substance,
                share: Some(share),
                credited: format!(
                    "Specific steps, which name files, identifiers or values: {} of {}.",
                    telling * every,
                    (each.len() * every).min(context.steps.len())
                ),
                missing,
            },
        }
    }
}

/// How specific a unit is, 0 to 1, and whether it only restates the goal, ignoring its files and
/// checks.
struct UnitScore {
    share: f64,
    is_echo: bool,
}

/// The combined credit for the bits of names and of prose.
fn share(names: f64, prose: f64) -> f64 {
    let of_names = names / (names + NAME_BITS);
    let of_prose = MAX_PROSE * prose / (prose + PROSE_BITS);
    1.0 - (1.0 - of_names) * (1.0 - of_prose)
}

impl Substance {
    /// How much benefit of the doubt the steps get: full above the outline threshold, less below
    /// it.
    pub(crate) fn benefit(&self) -> f64 {
        self.dimension
            .share
            .map_or(1.0, |share| (share / OUTLINE).min(1.0))
    }
}

/// How much each word counts in a plan.
struct Worth {
    values: FxHashMap<Term, Value>,
    asked: GoalParts,
}

/// How much a word counts in each unit that contains it, in bits: as a name, and in prose.
#[derive(Clone, Copy, Default)]
struct Value {
    name: f64,
    prose: f64,
}

impl Value {
    fn of(term: Term) -> Self {
        let known = rarity::known_bits(term);
        let bits = known.unwrap_or(rarity::MAX_BITS) - COMMON;
        Self {
            name: bits.max(0.0),
            prose: known.map_or(UNKNOWN_WORD, |_| bits.clamp(0.0, MAX_PROSE_WORD)),
        }
    }

    fn times(self, share: f64) -> Self {
        Self {
            name: self.name * share,
            prose: self.prose * share,
        }
    }
}

impl Worth {
    fn of(context: &PlanContext<'_>, units: &[Unit], every: usize) -> Self {
        let mut units_with: FxHashMap<Term, u32> = FxHashMap::default();
        for unit in units {
            let said = unit.said.iter().map(|(term, _)| *term);
            let paths = unit.in_paths.iter().chain(&unit.beside);
            for term in said.chain(paths.copied()) {
                *units_with.entry(term).or_default() += 1;
            }
        }
        let of_goal = words_of(context.goal.into_iter());
        let length =
            (of_goal.len() as f64 - SHORT_GOAL_WORDS) / (DOCUMENT_WORDS - SHORT_GOAL_WORDS);
        let goal_counts =
            SHORT_GOAL_FACTOR + (DOCUMENT_FACTOR - SHORT_GOAL_FACTOR) * length.clamp(0.0, 1.0);
        // Words that are generic in this workspace: those of its check commands and of the
        // requirement ids.
        let commands = context.input.facts.commands.iter().map(String::as_str);
        let ids = context.listed().iter().map(|one| one.id.as_str());
        let usual = words_of(commands.chain(ids));
        let value = |(term, units): (Term, u32)| {
            let shared = (f64::from(units) * every as f64).powf(-SHARING_EXPONENT);
            let counts = match of_goal.contains(&term) {
                _ if usual.contains(&term) => 0.0,
                true => goal_counts,
                false => 1.0,
            };
            (term, Value::of(term).times(shared * counts))
        };
        Self {
            values: units_with.into_iter().map(value).collect(),
            asked: GoalParts::of(context),
        }
    }

    fn told(&self, unit: &Unit) -> UnitScore {
        if unit.is_exact {
            return UnitScore {
                share: 1.0,
                is_echo: false,
            };
        }
        let said = unit.said.iter().map(|(term, _)| *term);
        let restated = self
            .asked
            .restated(said.chain(unit.in_paths.iter().copied()));
        let (mut names, mut prose) = (0.0, 0.0);
        for (term, kind) in &unit.said {
            let value = self.values.get(term).copied().unwrap_or_default();
            let counts = match restated.contains(term) {
                true => SHORT_GOAL_FACTOR,
                false => 1.0,
            };
            match kind {
                Kind::Name => names += counts * value.name,
                Kind::Common | Kind::Plain => prose += counts * value.prose,
            }
        }
        let bits = |terms: &[Term]| -> f64 {
            let values = terms.iter().filter_map(|term| self.values.get(term));
            values.map(|value| value.name).sum()
        };
        names += PATH_FACTOR * bits(&unit.in_paths);
        let own = share(names, prose);
        let is_echo = own < MIN_SHARE || own < MIN_QUOTING_SHARE && self.repeats(unit);
        names += KEY_FACTOR * bits(&unit.beside);
        UnitScore {
            share: share(names, prose),
            is_echo,
        }
    }

    /// Whether a unit, together with the groups above it, quotes a part of the goal or a
    /// requirement.
    fn repeats(&self, unit: &Unit) -> bool {
        let said = unit.said.iter().map(|(term, _)| *term);
        let around = unit.in_paths.iter().chain(&unit.above);
        let all: FxHashSet<Term> = said.chain(around.copied()).collect();
        !self.asked.quoted(all.into_iter()).is_empty()
    }
}

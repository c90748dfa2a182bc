//! What the steps say of their own: names, values, commands, and words that are rare in any text.
//!
//! A name (in code, with a digit, joined or in capitals, or a noun in no list) tells as much as it is rare.
//! Words of prose tell by their rarity too, but only up to a bound, and all of them together earn half a step at
//! most: sentences that fit any plan have rare words in every language, and what they lack
//! are names. A word that is in no list and no name may be any inflected form: it tells little. Words of
//! the goal tell less the shorter the goal is, words of a part of it that the step quotes next to nothing, and
//! words that many steps share less in each. The words of paths and checks say where and whether, not how,
//! and count little.
//!
//! Calibrated on real plans and on filler in ten languages (with goals copied, rare words, random letters): all
//! filler is below the bound of an outline, and four of five real plans are above it.

use super::restated::Asked;
use super::units::{Unit, units};
use super::{Dimension, DimensionName, Missing, OUTLINE, mean};
use crate::idle::idle;
use crate::maps::{QuickMap, QuickSet};
use crate::rarity;
use crate::reading::Reading;
use crate::terms::{Kind, Term, words_of};

/// Bits that a word must tell before it says something.
const COMMON: f64 = 3.0;
/// What a word of prose tells at most.
const MAX_PROSE_WORD: f64 = 6.0;
/// What one tells that is in no list.
const UNKNOWN_WORD: f64 = 1.0;
/// Bits with which half of a step is earned; each further bit earns less. Those of prose, and what all of
/// them can earn.
const NAME_BITS: f64 = 3.0;
const PROSE_BITS: f64 = 14.0;
const MAX_PROSE: f64 = 0.5;
/// What a word of the goal counts, of one of a few words and of a document, with their numbers of words.
const OF_THE_GOAL: f64 = 0.05;
const OF_A_DOCUMENT: f64 = 0.8;
const SHORT_GOAL: f64 = 12.0;
const DOCUMENT: f64 = 50.0;
/// What the words count of files and checks in keys.
const BESIDE: f64 = 0.1;
/// And those of paths in its words.
const IN_PATHS: f64 = 0.2;
/// From here on a step says something of its own.
const TELLING: f64 = 0.5;
/// Below, a step says nothing; and below the second, one that quotes what is asked for only repeats it.
const NOTHING: f64 = 0.05;
const MIN_OWN: f64 = 0.3;
/// Steps that say so much need no more.
const WHOLE: f64 = 0.95;
/// So many steps are read at most.
const MAX_STEPS: usize = 1_000;
/// How much a word tells less in each of the steps that share it, as a power of their number.
const SHARING: f64 = 0.33;
/// What steps say by chance that say nothing.
const CHANCE: f64 = 0.1;

/// What the steps of one plan say.
pub(crate) struct Substance {
    /// The mean over all units, less [`CHANCE`], brought back to 0 to 1.
    pub(super) dimension: Dimension,
    /// The tasks that only repeat what is asked for, by their places in the plan: they earn nothing of it.
    pub(crate) echoes: QuickSet<usize>,
    /// Those that do nothing: they do none of it.
    pub(crate) idle: QuickSet<usize>,
}

impl Substance {
    pub(crate) fn of(reading: &Reading<'_>) -> Self {
        if let Some(fault) = rarity::fault() {
            return Self {
                dimension: Dimension {
                    name: DimensionName::Substance,
                    share: None,
                    credited: format!("Not known, since {fault}: install Planwright again."),
                    missing: None,
                },
                echoes: QuickSet::default(),
                idle: QuickSet::default(),
            };
        }
        // Of a very long plan an even sample of steps is read.
        let every = reading.steps.len().div_ceil(MAX_STEPS).max(1);
        let idle = idle(reading);
        let units = units(reading, &idle, every);
        let worth = Worth::of(reading, &units, every);
        let told: Vec<Told> = units.iter().map(|unit| worth.told(unit)).collect();
        let each: Vec<f64> = told.iter().map(|told| told.share).collect();
        let beyond_chance = |mean: f64| ((mean - CHANCE) / (1.0 - CHANCE)).max(0.0);
        let share = beyond_chance(mean(&each));
        let telling = each.iter().filter(|share| **share >= TELLING).count();
        let least = each
            .iter()
            .enumerate()
            .min_by(|one, other| one.1.total_cmp(other.1));
        let missing = least.filter(|(_, share)| **share < WHOLE).map(|(at, said)| {
        let line = units[at].line;
        let lifted = mean(&each) + (1.0 - said) / each.len() as f64;
        Missing {
            line: Some(line),
            message: format!(
                "Line {line} says the least: name the file, the command, the value or the case it is about."
            ),
            adds: beyond_chance(lifted) - share,
        }
    });
        let first = reading.steps.first().filter(|_| units.is_empty());
        let missing = first.map_or(missing, |step| {
            Some(Missing {
                line: Some(step.task.line),
                message: "No step changes anything: say what is to be changed, and where."
                    .to_owned(),
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
                    "{} of {} steps say something of their own: files, names, values.",
                    telling * every,
                    (each.len() * every).min(reading.steps.len())
                ),
                missing,
            },
        }
    }
}

/// What a unit says, 0 to 1, and whether it only repeats what is asked for, whatever files and checks it names.
struct Told {
    share: f64,
    is_echo: bool,
}

/// What bits of names and of prose earn together.
fn share(names: f64, prose: f64) -> f64 {
    let of_names = names / (names + NAME_BITS);
    let of_prose = MAX_PROSE * prose / (prose + PROSE_BITS);
    1.0 - (1.0 - of_names) * (1.0 - of_prose)
}

impl Substance {
    /// How far steps may be taken to mean more than can be looked for: wholly above the bound of an outline.
    pub(crate) fn benefit(&self) -> f64 {
        self.dimension
            .share
            .map_or(1.0, |share| (share / OUTLINE).min(1.0))
    }
}

/// What words are worth in one plan.
struct Worth {
    values: QuickMap<Term, Value>,
    asked: Asked,
}

/// What a word is worth in each of the units that have it, in bits: as a name, and in prose.
#[derive(Clone, Copy, Default)]
struct Value {
    name: f64,
    prose: f64,
}

impl Value {
    fn of(term: Term) -> Self {
        let known = rarity::known_bits(term);
        let bits = known.unwrap_or(rarity::RAREST) - COMMON;
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
    fn of(reading: &Reading<'_>, units: &[Unit], every: usize) -> Self {
        let mut units_with: QuickMap<Term, u32> = QuickMap::default();
        for unit in units {
            let said = unit.said.iter().map(|(term, _)| *term);
            let paths = unit.in_paths.iter().chain(&unit.beside);
            for term in said.chain(paths.copied()) {
                *units_with.entry(term).or_default() += 1;
            }
        }
        let of_goal = words_of(reading.goal.into_iter());
        let length = (of_goal.len() as f64 - SHORT_GOAL) / (DOCUMENT - SHORT_GOAL);
        let goal_counts = OF_THE_GOAL + (OF_A_DOCUMENT - OF_THE_GOAL) * length.clamp(0.0, 1.0);
        // Words that fit any plan here: of the workspace's own checks, and ids.
        let commands = reading.input.facts.commands.iter().map(String::as_str);
        let ids = reading.listed().iter().map(|one| one.id.as_str());
        let usual = words_of(commands.chain(ids));
        let value = |(term, units): (Term, u32)| {
            let shared = (f64::from(units) * every as f64).powf(-SHARING);
            let counts = match of_goal.contains(&term) {
                _ if usual.contains(&term) => 0.0,
                true => goal_counts,
                false => 1.0,
            };
            (term, Value::of(term).times(shared * counts))
        };
        Self {
            values: units_with.into_iter().map(value).collect(),
            asked: Asked::of(reading),
        }
    }

    fn told(&self, unit: &Unit) -> Told {
        if unit.is_exact {
            return Told {
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
                true => OF_THE_GOAL,
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
        names += IN_PATHS * bits(&unit.in_paths);
        let own = share(names, prose);
        let is_echo = own < NOTHING || own < MIN_OWN && self.repeats(unit);
        names += BESIDE * bits(&unit.beside);
        Told {
            share: share(names, prose),
            is_echo,
        }
    }

    /// Whether a unit, with the groups above it, quotes a part of what is asked for.
    fn repeats(&self, unit: &Unit) -> bool {
        let said = unit.said.iter().map(|(term, _)| *term);
        let around = unit.in_paths.iter().chain(&unit.above);
        let all: QuickSet<Term> = said.chain(around.copied()).collect();
        !self.asked.quoted(all.into_iter()).is_empty()
    }
}

//! What the steps say: the bits of their rare words. Words that stand in most passages tell nothing,
//! those of the goal tell less than new ones, and those that many steps share tell less in each.

use super::{Dimension, DimensionName, Missing, mean};
use crate::maps::{QuickMap, QuickSet};
use crate::rarity;
use crate::reading::{Reading, paths};
use crate::terms::{self, Term};

/// Bits that a word must tell before it says something.
const COMMON: f64 = 3.0;
/// What a word of the goal counts.
const OF_THE_GOAL: f64 = 0.8;
/// Bits beyond the common ones with which two thirds of a step are earned.
const BITS: f64 = 12.0;
/// From here on a step says something of its own.
const TELLING: f64 = 0.5;
/// Steps that say so much need no more.
const WHOLE: f64 = 0.95;
/// What steps say by chance that say nothing.
const CHANCE: f64 = 0.1;

/// The mean over the steps, 0 to 1.
pub(super) fn of(reading: &Reading<'_>) -> Dimension {
    let mut of_goal: QuickSet<Term> = QuickSet::default();
    if let Some(goal) = reading.goal {
        terms::of(goal, None, &mut |term, _, _| {
            of_goal.insert(term);
        });
    }
    let mut steps_with: QuickMap<Term, u32> = QuickMap::default();
    let said: Vec<Vec<Term>> = reading
        .steps
        .iter()
        .map(|step| {
            let mut said = Vec::new();
            let mut take = |text: &str| terms::of(text, None, &mut |term, _, _| said.push(term));
            take(step.text.all());
            paths(step.task).for_each(take);
            said.sort_unstable();
            said.dedup();
            for term in &said {
                *steps_with.entry(*term).or_default() += 1;
            }
            said
        })
        .collect();
    let worth: QuickMap<Term, f64> = steps_with
        .into_iter()
        .map(|(term, steps)| {
            let bits = (rarity::bits(term) - COMMON).max(0.0);
            let known = if of_goal.contains(&term) {
                OF_THE_GOAL
            } else {
                1.0
            };
            (term, bits * known / f64::from(steps).sqrt())
        })
        .collect();
    let each: Vec<f64> = said
        .iter()
        .map(|said| {
            let bits: f64 = said.iter().filter_map(|term| worth.get(term)).sum();
            1.0 - (-bits / BITS).exp()
        })
        .collect();
    let beyond_chance = |mean: f64| ((mean - CHANCE) / (1.0 - CHANCE)).max(0.0);
    let share = beyond_chance(mean(&each));
    let telling = each.iter().filter(|share| **share >= TELLING).count();
    let least = each
        .iter()
        .enumerate()
        .min_by(|one, other| one.1.total_cmp(other.1));
    let missing = least.filter(|(_, share)| **share < WHOLE).map(|(at, said)| {
        let line = reading.steps[at].task.line;
        let lifted = mean(&each) + (1.0 - said) / each.len() as f64;
        Missing {
            line: Some(line),
            message: format!(
                "Line {line} says the least: name the file, the command, the value or the case it is about."
            ),
            adds: beyond_chance(lifted) - share,
        }
    });
    Dimension {
        name: DimensionName::Substance,
        share: Some(share),
        credited: format!(
            "{telling} of {} steps say something of their own: files, names, values.",
            each.len()
        ),
        missing,
    }
}

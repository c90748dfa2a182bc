//! What the steps say: the bits of their rare words. Words that stand in most passages tell nothing,
//! those of the goal tell less than new ones, and those that many steps share tell less in each.

use super::{Dimension, DimensionName, Missing, mean};
use plan::Mark;

use crate::maps::{QuickMap, QuickSet};
use crate::rarity;
use crate::reading::{Reading, paths};
use crate::terms::{self, Term};

/// Bits that a word must tell before it says something.
const COMMON: f64 = 3.0;
/// What a word of the goal counts: it was said already. One that is a document holds half of the plan.
const OF_THE_GOAL: f64 = 0.2;
const OF_A_DOCUMENT: f64 = 0.8;
/// Bits beyond the common ones with which half of a step is earned; each further bit earns less.
const BITS: f64 = 7.0;
/// From here on a step says something of its own.
const TELLING: f64 = 0.5;
/// Steps that say so much need no more.
const WHOLE: f64 = 0.95;
/// So many steps are read at most.
const MAX_STEPS: usize = 1_000;
/// How much a word tells less in each of the steps that share it, as a power of their number.
const SHARING: f64 = 0.33;
/// What steps say by chance that say nothing.
const CHANCE: f64 = 0.1;

/// The mean over the steps, 0 to 1.
pub(super) fn of(reading: &Reading<'_>) -> Dimension {
    if let Some(fault) = rarity::fault() {
        return Dimension {
            name: DimensionName::Substance,
            share: None,
            credited: format!("Not known, since {fault}: install Planwright again."),
            missing: None,
        };
    }
    let mut of_goal: QuickSet<Term> = QuickSet::default();
    if let Some(goal) = reading.goal {
        terms::of(goal, None, &mut |term, _, _| {
            of_goal.insert(term);
        });
    }
    // Of a very long plan an even sample of steps is read.
    let every = reading.steps.len().div_ceil(MAX_STEPS).max(1);
    let units = units(reading, every);
    let mut steps_with: QuickMap<Term, u32> = QuickMap::default();
    for (_, said) in &units {
        for term in said {
            *steps_with.entry(*term).or_default() += 1;
        }
    }
    let of_goal_counts = match reading.asked.is_document {
        true => OF_A_DOCUMENT,
        false => OF_THE_GOAL,
    };
    let worth: QuickMap<Term, f64> = steps_with
        .into_iter()
        .map(|(term, steps)| {
            let bits = (rarity::bits(term) - COMMON).max(0.0);
            let known = if of_goal.contains(&term) {
                of_goal_counts
            } else {
                1.0
            };
            (
                term,
                bits * known / (f64::from(steps) * every as f64).powf(SHARING),
            )
        })
        .collect();
    let each: Vec<f64> = units
        .iter()
        .map(|(_, said)| {
            let bits: f64 = said.iter().filter_map(|term| worth.get(term)).sum();
            bits / (bits + BITS)
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
        let line = units[at].0;
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
            "{} of {} steps say something of their own: files, names, values.",
            telling * every,
            (each.len() * every).min(reading.steps.len())
        ),
        missing,
    }
}

/// What is said as one, with the line where it begins: a step, or a heading with its steps, which are often
/// the same under each ("run the test").
fn units(reading: &Reading<'_>, every: usize) -> Vec<(u32, Vec<Term>)> {
    let mut units: Vec<(u32, Vec<Term>)> = Vec::with_capacity(reading.steps.len());
    let mut open = None;
    for step in reading.steps.iter().step_by(every) {
        let parent = step.task.parent.map(|at| (at, &reading.plan.tasks[at]));
        let heading = parent.filter(|(_, parent)| parent.mark == Mark::Heading);
        let is_more = heading.is_some() && heading.map(|(at, _)| at) == open;
        open = heading.map(|(at, _)| at);
        if !is_more {
            let line = heading.map_or(step.task.line, |(_, heading)| heading.line);
            units.push((line, Vec::new()));
        }
        let Some((_, said)) = units.last_mut() else {
            continue;
        };
        let mut take = |text: &str| terms::of(text, None, &mut |term, _, _| said.push(term));
        if let Some((_, heading)) = heading.filter(|_| !is_more) {
            take(&heading.title);
            take(&heading.body);
        }
        take(step.text.all());
        paths(step.task).for_each(take);
    }
    for (_, said) in &mut units {
        said.sort_unstable();
        said.dedup();
    }
    units
}

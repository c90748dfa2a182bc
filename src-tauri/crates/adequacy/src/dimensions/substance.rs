//! What the steps say: the bits of their rare words. Words that stand in most passages tell nothing,
//! those of the goal tell less than new ones, and those that many steps share tell less in each.

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
/// What steps say by chance that say nothing.
const CHANCE: f64 = 0.1;

/// The mean over the steps, 0 to 1.
pub(super) fn of(reading: &Reading<'_>) -> f64 {
    if reading.steps.is_empty() {
        return 0.0;
    }
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
            let known = if of_goal.contains(&term) { OF_THE_GOAL } else { 1.0 };
            (term, bits * known / f64::from(steps).sqrt())
        })
        .collect();
    let earned: f64 = said
        .iter()
        .map(|said| {
            let bits: f64 = said.iter().filter_map(|term| worth.get(term)).sum();
            1.0 - (-bits / BITS).exp()
        })
        .sum();
    let mean = earned / said.len() as f64;
    ((mean - CHANCE) / (1.0 - CHANCE)).max(0.0)
}

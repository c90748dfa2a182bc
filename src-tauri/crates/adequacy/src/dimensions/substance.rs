//! What the steps say: the bits of their rare words. Words that stand in most passages tell nothing,
//! those of the goal tell less than new ones, and those that many steps share tell less in each.

use super::{Dimension, DimensionName, Missing, mean};
use plan::{Mark, ToolName};

use crate::goal;
use crate::maps::{QuickMap, QuickSet};
use crate::rarity;
use crate::reading::{Reading, Step, paths};
use crate::terms::{self, Term};

/// Bits that a word must tell before it says something.
const COMMON: f64 = 3.0;
/// What a word of the goal counts: it was said already. One that is a document holds half of the plan.
const OF_THE_GOAL: f64 = 0.05;
const OF_A_DOCUMENT: f64 = 0.8;
/// What the words of files count that `files:` and calls name: where something is done says little of how.
const OF_FILES: f64 = 0.2;
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
    // The workspace's own checks could stand in any plan for it.
    let mut usual: QuickSet<Term> = QuickSet::default();
    for command in &reading.input.facts.commands {
        terms::of(command, None, &mut |term, _, _| {
            usual.insert(term);
        });
    }
    // Of a very long plan an even sample of steps is read.
    let every = reading.steps.len().div_ceil(MAX_STEPS).max(1);
    let units = units(reading, every);
    let mut steps_with: QuickMap<Term, u32> = QuickMap::default();
    for term in units.iter().flat_map(|unit| &unit.said) {
        *steps_with.entry(*term).or_default() += 1;
    }
    let of_goal_counts = match reading.goal.is_some_and(goal::is_document) {
        true => OF_A_DOCUMENT,
        false => OF_THE_GOAL,
    };
    let worth = |term: Term, steps: u32| {
        let bits = (rarity::bits(term) - COMMON).max(0.0);
        let known = match of_goal.contains(&term) {
            _ if usual.contains(&term) => 0.0,
            true => of_goal_counts,
            false => 1.0,
        };
        bits * known / (f64::from(steps) * every as f64).powf(SHARING)
    };
    let worths: QuickMap<Term, f64> = steps_with
        .into_iter()
        .map(|(term, steps)| (term, worth(term, steps)))
        .collect();
    let each: Vec<f64> = units
        .iter()
        .map(|unit| {
            if unit.is_exact {
                return 1.0;
            }
            let said: f64 = unit.said.iter().filter_map(|term| worths.get(term)).sum();
            let linked: f64 = unit.linked.iter().map(|term| worth(*term, 1)).sum();
            let bits = said + OF_FILES * linked;
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

/// What is said as one: a step, or a heading with its steps, which are often the same under each ("run the
/// test").
#[derive(Default)]
struct Unit {
    /// The line where it begins.
    line: u32,
    /// Its words.
    said: Vec<Term>,
    /// Those of the files that it names beside them.
    linked: Vec<Term>,
    /// Whether calls say to the letter what is changed.
    is_exact: bool,
}

/// The units of a plan. Steps that only look are left out where others do something: what is searched and read
/// says nothing of what is to be done.
fn units(reading: &Reading<'_>, every: usize) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::with_capacity(reading.steps.len());
    let mut open = None;
    let works = reading.steps.iter().any(|step| !only_looks(step));
    for step in reading
        .steps
        .iter()
        .step_by(every)
        .filter(|step| !works || !only_looks(step))
    {
        let parent = step.task.parent.map(|at| (at, &reading.plan.tasks[at]));
        let heading = parent.filter(|(_, parent)| parent.mark == Mark::Heading);
        let is_more = heading.is_some() && heading.map(|(at, _)| at) == open;
        open = heading.map(|(at, _)| at);
        if !is_more {
            let line = heading.map_or(step.task.line, |(_, heading)| heading.line);
            units.push(Unit {
                line,
                ..Unit::default()
            });
        }
        let Some(unit) = units.last_mut() else {
            continue;
        };
        let mut take = |text: &str| terms::of(text, None, &mut |term, _, _| unit.said.push(term));
        if let Some((_, heading)) = heading.filter(|_| !is_more) {
            take(&heading.title);
            take(&heading.body);
        }
        // Its checks are another dimension.
        take(step.text.prose());
        for path in paths(step.task) {
            terms::of(path, None, &mut |term, _, _| unit.linked.push(term));
        }
        unit.is_exact |= tools(step).any(changes);
    }
    for unit in &mut units {
        unit.said.sort_unstable();
        unit.said.dedup();
        unit.linked.sort_unstable();
        unit.linked.dedup();
        let said = &unit.said;
        unit.linked.retain(|term| said.binary_search(term).is_err());
    }
    units
}

/// The tools that a step calls.
fn tools(step: &Step<'_>) -> impl Iterator<Item = ToolName> {
    let calls = step.task.calls.iter();
    calls.filter_map(|call| Some(call.parsed.as_ref().ok()?.tool))
}

fn only_looks(step: &Step<'_>) -> bool {
    let mut tools = tools(step).peekable();
    tools.peek().is_some() && step.task.verify.is_empty() && tools.all(ToolName::is_read_only)
}

/// Whether a call says what a file is to hold.
fn changes(tool: ToolName) -> bool {
    !tool.is_read_only() && tool != ToolName::RunCommand
}

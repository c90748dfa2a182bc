//! `repeated_task_phrasing`: many steps that begin with the same words.

use std::collections::HashMap;

use crate::code::{Code, Severity};
use crate::plan_context::PlanContext;
use crate::plan_rules::{self, Verdict};
use crate::report::quoted;

/// The verdict if many steps begin with the same words and don't each name their own files.
pub(crate) fn verdict(context: &PlanContext<'_>) -> Option<Verdict> {
    const MIN_STEPS: usize = 4;
    let count = context.steps.len();
    if count < MIN_STEPS {
        return None;
    }
    // Openings are first counted by hash, because few of them, if any, are shared by many steps.
    let numbers: Vec<u64> = context
        .steps
        .iter()
        .map(|step| opening_number(step.text.description()))
        .collect();
    let least = 3.max((count * 2).div_ceil(5));
    let mut sorted = numbers.clone();
    sorted.sort_unstable();
    let often: Vec<u64> = sorted
        .chunk_by(u64::eq)
        .filter(|same| same.len() >= least)
        .map(|same| same[0])
        .collect();
    let mut openings: HashMap<String, Vec<&[String]>> = HashMap::new();
    for (step, number) in context.steps.iter().zip(numbers) {
        if often.contains(&number)
            && let Some(opening) = opening(step.text.description())
        {
            openings.entry(opening).or_default().push(&step.task.files);
        }
    }
    let (shared, opening) = openings
        .into_iter()
        .filter(|(_, steps)| steps.len() >= least)
        .map(|(opening, mut steps)| (without_own_files(&mut steps), opening))
        .filter(|(shared, _)| *shared >= least)
        .max()?;
    let message = format!(
        "{shared} of {count} steps begin with {}: say in each how it differs.",
        quoted(&opening)
    );
    plan_rules::verdict(
        context,
        Code::RepeatedTaskPhrasing,
        Severity::Minor,
        0.88,
        message,
    )
}

/// Number of words in an opening.
const WORDS: usize = 4;

/// Hash of a title's [`opening`], computed without allocating.
fn opening_number(text: &str) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for word in text.split_whitespace().take(WORDS) {
        for byte in word.bytes().chain([b' ']) {
            hash ^= u64::from(byte.to_ascii_lowercase());
            hash = hash.wrapping_mul(0x0100_0000_01b3);
        }
    }
    hash
}

/// The first four words in lower case, if they are long enough to be meaningful.
fn opening(text: &str) -> Option<String> {
    const SHORTEST_BYTES: usize = 10;
    let mut opening = String::with_capacity(40);
    for word in text.split_whitespace().take(WORDS) {
        if !opening.is_empty() {
            opening.push(' ');
        }
        let start = opening.len();
        opening.push_str(word);
        opening[start..].make_ascii_lowercase();
    }
    (opening.len() >= SHORTEST_BYTES).then_some(opening)
}

/// Number of steps that name no files or the same files as another step. Steps that make the same
/// change in different files have the same words for a reason.
fn without_own_files(steps: &mut [&[String]]) -> usize {
    steps.sort_unstable();
    steps
        .chunk_by(|one, other| one == other)
        .filter(|same| same.len() > 1 || same.iter().all(|files| files.is_empty()))
        .map(<[_]>::len)
        .sum()
}

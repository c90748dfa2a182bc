//! Dependencies in the text of spec-kit tasks: `(depends on T012, T013)`.

use crate::word_list::WordList;
use std::collections::HashSet;

use crate::id_syntax;
use crate::model::{Plan, TaskId};

/// Phrases that introduce the ids, in lower case.
const PHRASES: WordList =
    WordList("depends on|depend on|dependent on|dependencies|dependency|blocked by|requires|after");

/// The longest range (`T010-T015`) that is expanded.
const MAX_RANGE: u32 = 500;

/// Fills in the dependencies that tasks without `depends:` mention in their text. In a range, ids
/// that the plan doesn't have are ignored.
pub(crate) fn fill(plan: &mut Plan) {
    let known: HashSet<TaskId> = plan.tasks.iter().map(|task| task.id.clone()).collect();
    for task in plan.tasks.iter_mut().filter(|task| task.depends.is_none()) {
        let mut found = Vec::new();
        for text in [&task.title, &task.body] {
            for named in named(text) {
                match named {
                    Named::One(id) => found.push(id),
                    Named::Range(ids) => {
                        found.extend(ids.into_iter().filter(|id| known.contains(id)))
                    }
                }
            }
        }
        let mut seen = HashSet::new();
        found.retain(|id| *id != task.id && seen.insert(id.clone()));
        if !found.is_empty() {
            task.depends = Some(found);
        }
    }
}

enum Named {
    One(TaskId),
    Range(Vec<TaskId>),
}

/// The ids after every phrase.
fn named(text: &str) -> Vec<Named> {
    let mut found = Vec::new();
    // Skip the search in texts without a `T`, which every id contains.
    if !text.contains('T') {
        return found;
    }
    let lower = text.to_ascii_lowercase();
    let mut at = 0;
    while let Some((start, length)) = next_phrase(&lower, at) {
        at = start + length;
        let is_word = !lower[..start].ends_with(|c: char| c.is_alphanumeric());
        if is_word {
            at += list(&text[at..], &mut found);
        }
    }
    found
}

fn next_phrase(lower: &str, from: usize) -> Option<(usize, usize)> {
    // Phrases begin with one of four letters; one pass checks only those.
    lower[from..]
        .char_indices()
        .filter(|(_, c)| matches!(c, 'a' | 'b' | 'd' | 'r'))
        .find_map(|(at, _)| {
            let rest = &lower[from + at..];
            let phrase = PHRASES.iter().find(|phrase| rest.starts_with(*phrase))?;
            Some((from + at, phrase.len()))
        })
}

/// Parses ids separated by commas, `and`, `&` or `+`. Returns the number of bytes consumed.
fn list(text: &str, found: &mut Vec<Named>) -> usize {
    let mut at = 0;
    loop {
        let between = text[at..].trim_start_matches([
            ' ', '\t', '\n', ',', ':', '*', '_', '`', '&', '+', '[', '(', '/',
        ]);
        let between = between
            .strip_prefix("and ")
            .or_else(|| between.strip_prefix("tasks "))
            .or_else(|| between.strip_prefix("task "))
            .unwrap_or(between)
            .trim_start_matches([' ', '`', '[']);
        let Some(length) = id_syntax::spec_kit_length(between) else {
            return at;
        };
        let id = &between[..length];
        at = text.len() - between.len() + length;
        let rest = between[length..].trim_start_matches([' ', '`']);
        let until = ["-", "–", "—", "..", "to ", "through "]
            .into_iter()
            .find_map(|mark| rest.strip_prefix(mark))
            .map(|rest| rest.trim_start_matches([' ', '`', '.']));
        let range = until.and_then(|until| {
            let length = id_syntax::spec_kit_length(until)?;
            Some((
                range(id, &until[..length])?,
                text.len() - until.len() + length,
            ))
        });
        match range {
            Some((ids, end)) => {
                found.push(Named::Range(ids));
                at = end;
            }
            None => found.push(Named::One(TaskId(id.to_owned()))),
        }
        // A closing mark doesn't end the list: `[T001], [T002]`.
        at += text[at..].len() - text[at..].trim_start_matches([']', '`', '*']).len();
    }
}

/// The ids from `T010` to `T015`, with as many digits as the first.
fn range(first: &str, last: &str) -> Option<Vec<TaskId>> {
    let digits = first.strip_prefix('T')?;
    let (from, to) = (
        digits.parse::<u32>().ok()?,
        last.strip_prefix('T')?.parse::<u32>().ok()?,
    );
    let width = digits.len();
    let is_range = to > from && to - from <= MAX_RANGE;
    is_range.then(|| {
        (from..=to)
            .map(|n| TaskId(format!("T{n:0width$}")))
            .collect()
    })
}

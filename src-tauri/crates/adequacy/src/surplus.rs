//! Steps without use: duplicates, filler, and steps that serve no requirement.

use std::collections::HashSet;

use plan::Task;

use crate::code::{Code, Severity};
use crate::identity::fingerprint;
use crate::maps::{QuickMap, map_for};
use crate::mend::{Fix, Mend};
use crate::plan_rules::{Verdict, verdict};
use crate::reading::{Reading, Step};
use crate::report::{Finding, place, place_first, quoted};
use crate::verbs::is_check;

/// The steps of one plan that could go.
pub(crate) struct Surplus {
    /// One for each step that says the same as one above it.
    pub(crate) duplicates: Vec<Finding>,
    /// Indices of steps that are duplicates.
    doubled: HashSet<usize>,
    /// Indices of steps without content, which the rules for single steps find.
    pub(crate) fillers: HashSet<usize>,
}

impl Surplus {
    /// Still without those that are filler.
    pub(crate) fn of(reading: &Reading<'_>) -> Self {
        let mut same: QuickMap<u64, &Step<'_>> = QuickMap::default();
        let mut alike: QuickMap<u64, &Step<'_>> = map_for(reading.steps.len());
        let mut duplicates = Vec::new();
        let mut doubled = HashSet::new();
        let mut times: QuickMap<u64, u32> = map_for(reading.steps.len());
        for step in &reading.steps {
            *times.entry(step.text.identity()).or_default() += 1;
        }
        for step in &reading.steps {
            let identity = step.text.identity();
            // Most steps have words of their own; what else they say need not be read then.
            let exact = if times.get(&identity) == Some(&1) {
                step
            } else {
                let doing = doing(step.task, identity);
                *same.entry(below(step.task, doing)).or_insert(step)
            };
            let first = if std::ptr::eq(exact, step) {
                let Some(words) = bag(step.text.description()) else {
                    continue;
                };
                let near = *alike.entry(below(step.task, words)).or_insert(step);
                if std::ptr::eq(near, step) || !may_be_same(near.task, step.task) {
                    continue;
                }
                near
            } else {
                exact
            };
            // What was checked is checked again when more was done.
            if is_check(&step.task.title) && first.index + 1 < step.index {
                continue;
            }
            doubled.insert(step.index);
            duplicates.push(duplicate(reading, step, first));
        }
        Self {
            duplicates,
            doubled,
            fillers: HashSet::new(),
        }
    }

    /// How many steps say something that no other says.
    pub(crate) fn substantial(&self, reading: &Reading<'_>) -> usize {
        let empty = reading.steps.iter().filter(|step| {
            self.doubled.contains(&step.index) || self.fillers.contains(&step.index)
        });
        reading.steps.len() - empty.count()
    }

    /// The plan code behind the badge `overgrown`. It takes nothing from the score: length alone
    /// is not worse work.
    pub(crate) fn overgrown(
        &self,
        reading: &Reading<'_>,
        unmapped: &HashSet<usize>,
    ) -> Option<Verdict> {
        reading.goal?;
        let count = reading.steps.len();
        if count <= 3 * reading.floor as usize {
            return None;
        }
        let is_idle = |step: &&Step<'_>| {
            [&self.doubled, &self.fillers, unmapped]
                .iter()
                .any(|indices| indices.contains(&step.index))
        };
        let idle = reading.steps.iter().filter(is_idle).count();
        if idle == 0 || idle * 5 < count {
            return None;
        }
        let message = format!(
            "The goal asks for about {} steps and the plan has {count}, {idle} of them duplicate, empty of \
             content or serving no requirement: delete or merge those.",
            reading.floor
        );
        verdict(reading, Code::Overgrown, Severity::Minor, 1.0, message)
    }
}

fn duplicate(reading: &Reading<'_>, step: &Step<'_>, first: &Step<'_>) -> Finding {
    let task = step.task;
    let text = step.text.identity();
    let finding = Finding::on(task, text, Code::DuplicateTask, Severity::Minor).saying(format!(
        "{} says the same as {} ({}): delete one, or say what is different.",
        place_first(task),
        place(first.task),
        quoted(&first.task.title)
    ));
    finding.mended_by(deleting(reading, task, first.task))
}

/// Deletes the second of two steps that say the same; what it covers goes to the first.
fn deleting(reading: &Reading<'_>, task: &Task, first: &Task) -> Option<Fix> {
    let is_only = |task: &Task| {
        reading
            .index_of(task.id.as_str())
            .is_some_and(|index| reading.plan.tasks[index].line == task.line)
    };
    if !is_only(task) || !is_only(first) {
        return None;
    }
    let moved = task.covers.iter().filter(|id| !first.covers.contains(id));
    let mut mends: Vec<Mend> = moved
        .map(|id| Mend::AddValue {
            task: first.id.clone(),
            key: "covers".to_owned(),
            value: id.clone(),
        })
        .collect();
    mends.push(Mend::DeleteTask {
        task: task.id.clone(),
    });
    Some(Fix {
        label: format!("Delete {} and keep {}", place(task), place(first)),
        mends,
    })
}

/// The same words under two groups or headings are about two things: a number for all together.
fn below(task: &Task, number: u64) -> u64 {
    let parent = task.parent.map_or(0, |parent| parent as u64 + 1);
    let under = parent ^ u64::from(task.phase).rotate_left(32);
    number ^ under.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// What a step does, as a number: its words and everything it would touch or run.
fn doing(task: &Task, description: u64) -> u64 {
    let mut number = description;
    let calls = task.calls.iter().map(|call| call.raw.as_str());
    let details = task
        .files
        .iter()
        .chain(&task.verify)
        .chain(&task.accept)
        .map(String::as_str);
    for detail in details.chain(calls) {
        number = number.rotate_left(5) ^ fingerprint(detail);
    }
    number
}

/// Whether two steps with nearly the same words do the same: one says where, or both say the same.
fn may_be_same(one: &Task, other: &Task) -> bool {
    let fits =
        |one: &[String], other: &[String]| one == other || one.is_empty() || other.is_empty();
    fits(&one.files, &other.files)
        && fits(&one.verify, &other.verify)
        && fits(&one.accept, &other.accept)
        && one.calls.is_empty()
        && other.calls.is_empty()
}

/// The words of a text as a number that does not depend on endings and on which of them comes first; `None` for a text
/// of fewer than three words that tell something.
fn bag(text: &str) -> Option<u64> {
    const FEW: usize = 3;
    let is_inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '/' | '.');
    let words = text
        .split(|c: char| !is_inside(c))
        .map(|word| word.trim_matches('.'));
    let is_article = |word: &str| {
        ARTICLES
            .iter()
            .any(|article| word.eq_ignore_ascii_case(article))
    };
    let mut words = words
        .filter(|word| !word.is_empty() && !is_article(word))
        .map(|word| hash(without_ending(word.as_bytes())));
    let first = words.next()?;
    let (mut sum, mut last, mut count) = (0_u64, first, 1);
    let pair =
        |one: u64, other: u64| (one.rotate_left(23) ^ other).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for word in words {
        sum = sum.wrapping_add(pair(last, word));
        last = word;
        count += 1;
    }
    (count >= FEW).then(|| sum.wrapping_add(pair(last, first)))
}

const ARTICLES: [&str; 9] = ["the", "a", "an", "and", "of", "to", "in", "for", "with"];

fn without_ending(word: &[u8]) -> &[u8] {
    let ends = |ending: &&[u8]| {
        let rest = word
            .len()
            .checked_sub(ending.len())
            .filter(|rest| *rest >= 3);
        rest.is_some_and(|rest| word[rest..].eq_ignore_ascii_case(ending))
    };
    let endings: [&[u8]; 3] = [b"es", b"ed", b"s"];
    let ending = endings.iter().find(|ending| ends(ending));
    &word[..word.len() - ending.map_or(0, |ending| ending.len())]
}

/// A word as a number, small letters and large ones alike.
fn hash(word: &[u8]) -> u64 {
    word.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0000_01b3)
    })
}

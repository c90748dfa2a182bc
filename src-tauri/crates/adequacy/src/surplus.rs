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

/// The words of a text as a number that does not depend on their order or endings; `None` for a text
/// of fewer than three words that tell something. Numbers and names count in full, so that "page 1"
/// and "page 2" differ.
fn bag(text: &str) -> Option<u64> {
    const FEW: usize = 3;
    const LONGEST: usize = 6;
    let mut sum: u64 = 0;
    let mut words = 0;
    let mut word: [u8; LONGEST] = [0; LONGEST];
    let mut length = 0;
    let mut rest: u64 = 0;
    let mut close = |word: &[u8], length: usize, rest: u64| {
        let kept = without_ending(&word[..length.min(LONGEST)], length);
        let is_article = matches!(
            kept,
            b"the" | b"a" | b"an" | b"and" | b"of" | b"to" | b"in" | b"for" | b"with"
        );
        if length == 0 || is_article {
            return;
        }
        let mut hash: u64 = 0xcbf2_9ce4_8422_2325 ^ rest;
        for byte in kept {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
        words += 1;
        sum = sum.wrapping_add(hash ^ (hash >> 29));
    };
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric()
            || byte >= 0x80
            || matches!(byte, b'_' | b'/' | b'.') && length > 0
        {
            let lower = byte.to_ascii_lowercase();
            if length < LONGEST {
                word[length] = lower;
            }
            // What is no plain word counts to its end.
            if !lower.is_ascii_lowercase() && byte != b'.' {
                rest =
                    (rest ^ u64::from(lower) ^ (length as u64) << 8).wrapping_mul(0x0100_0000_01b3);
            }
            length += 1;
        } else if length > 0 {
            close(&word, length, rest);
            length = 0;
            rest = 0;
        }
    }
    close(&word, length, rest);
    (words >= FEW).then_some(sum)
}

fn without_ending(word: &[u8], length: usize) -> &[u8] {
    // What was cut to its beginning has lost its ending already.
    if length > word.len() {
        return word;
    }
    [b"es".as_slice(), b"ed", b"s"]
        .iter()
        .filter_map(|ending| word.strip_suffix(*ending))
        .find(|left| left.len() >= 3)
        .unwrap_or(word)
}

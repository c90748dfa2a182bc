//! Redundant steps: duplicates, filler, and steps not linked to a requirement.

use std::collections::HashSet;

use plan::Task;

use crate::code::{Code, Severity};
use crate::identity::fingerprint;
use crate::mend::{Fix, Mend};
use crate::plan_context::{PlanContext, Step};
use crate::plan_rules::{Verdict, verdict};
use crate::report::{Finding, place, place_first, quoted};
use crate::verbs::is_check;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// The redundant steps of a plan.
pub(crate) struct Surplus {
    /// One finding for each step that duplicates an earlier one.
    pub(crate) duplicates: Vec<Finding>,
    /// Indices of steps that are duplicates.
    doubled: HashSet<usize>,
    /// Indices of steps without content, set by the rules for single steps.
    pub(crate) fillers: HashSet<usize>,
}

impl Surplus {
    /// Finds duplicate steps. Leaves `fillers` empty.
    pub(crate) fn of(context: &PlanContext<'_>) -> Self {
        let mut same: FxHashMap<u64, &Step<'_>> = FxHashMap::default();
        let mut alike: FxHashMap<u64, &Step<'_>> =
            FxHashMap::with_capacity_and_hasher(context.steps.len(), FxBuildHasher);
        let mut duplicates = Vec::new();
        let mut doubled = HashSet::new();
        let mut times: FxHashMap<u64, u32> =
            FxHashMap::with_capacity_and_hasher(context.steps.len(), FxBuildHasher);
        for step in &context.steps {
            *times.entry(step.text.identity()).or_default() += 1;
        }
        for step in &context.steps {
            let identity = step.text.identity();
            // A step whose words occur nowhere else is not an exact duplicate, so the other
            // comparisons can be skipped.
            let exact = if times.get(&identity) == Some(&1) {
                step
            } else {
                let doing = work_hash(step.task, identity);
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
            // Repeating a check after more work is not redundant.
            if is_check(&step.task.title) && first.index + 1 < step.index {
                continue;
            }
            doubled.insert(step.index);
            duplicates.push(duplicate(context, step, first));
        }
        Self {
            duplicates,
            doubled,
            fillers: HashSet::new(),
        }
    }

    /// Number of steps that are neither duplicates nor filler.
    pub(crate) fn substantial(&self, context: &PlanContext<'_>) -> usize {
        let empty = context.steps.iter().filter(|step| {
            self.doubled.contains(&step.index) || self.fillers.contains(&step.index)
        });
        context.steps.len() - empty.count()
    }

    /// The verdict for the badge `overgrown`; `None` if the plan isn't much longer than needed or
    /// few of its steps are redundant. It does not lower the score, because length alone is not a
    /// defect.
    pub(crate) fn overgrown(
        &self,
        context: &PlanContext<'_>,
        unmapped: &HashSet<usize>,
    ) -> Option<Verdict> {
        context.goal?;
        let count = context.steps.len();
        if count <= 3 * context.floor as usize {
            return None;
        }
        let is_idle = |step: &&Step<'_>| {
            [&self.doubled, &self.fillers, unmapped]
                .iter()
                .any(|indices| indices.contains(&step.index))
        };
        let idle = context.steps.iter().filter(is_idle).count();
        if idle == 0 || idle * 5 < count {
            return None;
        }
        let message = format!(
            "The goal needs about {} step{} and the plan has {count}, {idle} of which are duplicates, filler or \
             not linked to a requirement: delete or merge those.",
            context.floor,
            if context.floor == 1 { "" } else { "s" }
        );
        verdict(context, Code::Overgrown, Severity::Minor, 1.0, message)
    }
}

fn duplicate(context: &PlanContext<'_>, step: &Step<'_>, first: &Step<'_>) -> Finding {
    let task = step.task;
    let text = step.text.identity();
    let finding =
        Finding::for_task(task, text, Code::DuplicateTask, Severity::Minor).with_message(format!(
            "{} duplicates {} ({}): delete one, or say how they differ.",
            place_first(task),
            place(first.task),
            quoted(&first.task.title)
        ));
    finding.with_fixes(deleting(context, task, first.task))
}

/// Deletes the second of two duplicates and moves its `covers:` to the first. `None` if either id
/// also belongs to an earlier task.
fn deleting(context: &PlanContext<'_>, task: &Task, first: &Task) -> Option<Fix> {
    let is_only = |task: &Task| {
        context
            .index_of(task.id.as_str())
            .is_some_and(|index| context.plan.tasks[index].line == task.line)
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

/// Adds the task's group and heading to a hash, because the same words mean different things in
/// different groups.
fn below(task: &Task, number: u64) -> u64 {
    let parent = task.parent.map_or(0, |parent| parent as u64 + 1);
    let under = parent ^ u64::from(task.phase).rotate_left(32);
    number ^ under.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Hash of a step's work: its words, files, checks, acceptance criteria and calls.
fn work_hash(task: &Task, description: u64) -> u64 {
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

/// Whether two steps with nearly the same words may be duplicates: neither has calls, and no key
/// has different values in the two steps.
fn may_be_same(one: &Task, other: &Task) -> bool {
    let fits =
        |one: &[String], other: &[String]| one == other || one.is_empty() || other.is_empty();
    fits(&one.files, &other.files)
        && fits(&one.verify, &other.verify)
        && fits(&one.accept, &other.accept)
        && one.calls.is_empty()
        && other.calls.is_empty()
}

/// Hash of the sequence of a text's words that ignores articles, endings and the word at which the
/// sequence starts ("in X, do Y" equals "do Y in X"); `None` if the text has fewer than three words
/// besides articles.
fn bag(text: &str) -> Option<u64> {
    const MIN_WORDS: usize = 3;
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
    (count >= MIN_WORDS).then(|| sum.wrapping_add(pair(last, first)))
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

/// Case-insensitive hash of a word.
fn hash(word: &[u8]) -> u64 {
    word.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0000_01b3)
    })
}

//! Finds unnecessary dependencies: similar steps that work on different files but each depend on
//! the one before.
//!
//! Reported only for three or more such steps, since the order of two may be intentional.

use plan::Task;

use crate::code::{Code, Severity};
use crate::mend::{Fix, Mend};
use crate::plan_context::{PlanContext, Step};
use crate::report::{Finding, place, place_first};
use crate::task_text::says_check;
use rustc_hash::{FxBuildHasher, FxHashSet};

/// Minimum number of similar steps in a chain.
const MIN_STEPS: usize = 3;

/// Maximum number of steps that a fix makes independent. Each of them needs a separate edit, so
/// more would take too long. Longer chains are still reported.
const MAX_FIXED: usize = 500;

/// One finding for each chain of similar steps, on the first step that depends on another.
pub(crate) fn findings(context: &PlanContext<'_>) -> Vec<Finding> {
    let has_edge = |task: &Task| task.depends.as_ref().is_some_and(|ids| !ids.is_empty());
    if context.steps.len() < MIN_STEPS || !context.plan.tasks.iter().any(has_edge) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    let mut chain: Vec<&Step<'_>> = Vec::new();
    let (mut first, mut own) = (Words::default(), Words::default());
    for step in &context.steps {
        let goes_on = chain
            .last()
            .is_some_and(|last| follows(context, last, step))
            && {
                own.read(&step.task.title);
                first.is_like(&own)
            };
        if !goes_on {
            findings.extend(finding(context, &chain));
            chain.clear();
            if step.task.files.is_empty() {
                continue;
            }
            first.read(&step.task.title);
        }
        chain.push(step);
    }
    findings.extend(finding(context, &chain));
    findings
}

/// Whether a step depends on `before`, and otherwise only on steps that come earlier than `before`.
fn follows(context: &PlanContext<'_>, before: &Step<'_>, step: &Step<'_>) -> bool {
    if step.task.files.is_empty() {
        return false;
    }
    let Some(depends) = step.task.depends.as_deref() else {
        // A step without `depends:` depends on the one above it.
        return !step.task.parallel
            && step.index == before.index + 1
            && step.task.parent == before.task.parent;
    };
    let own = before.task.depends.as_deref().unwrap_or_default();
    depends.contains(&before.task.id)
        && depends.iter().all(|id| {
            *id == before.task.id
                || own.contains(id)
                || context
                    .index_of(id.as_str())
                    .is_some_and(|at| at < before.index)
        })
}

/// The words of a title. The allocation is reused for each step.
#[derive(Default)]
struct Words<'a> {
    title: &'a str,
    /// Length of the first word, in bytes.
    opening: usize,
    words: Vec<&'a str>,
}

impl<'a> Words<'a> {
    fn of(title: &'a str) -> Self {
        let mut words = Self::default();
        words.read(title);
        words
    }

    fn read(&mut self, title: &'a str) {
        self.title = title;
        self.opening = title.split_whitespace().next().map_or(0, str::len);
        self.words.clear();
        if title.is_ascii() {
            let words = title
                .as_bytes()
                .split(|byte| !byte.is_ascii_alphanumeric())
                .filter(|word| !word.is_empty());
            self.words
                .extend(words.filter_map(|word| std::str::from_utf8(word).ok()));
        } else {
            let words = title.split(|c: char| !c.is_alphanumeric());
            self.words.extend(words.filter(|word| !word.is_empty()));
        }
    }

    /// Whether two titles describe the same work on different things: they have the same first word
    /// and most words in common.
    fn is_like(&self, other: &Self) -> bool {
        let begins_alike = self
            .title
            .get(..self.opening)
            .zip(other.title.get(..other.opening))
            .is_some_and(|(one, other)| one.eq_ignore_ascii_case(other));
        if !begins_alike {
            return false;
        }
        let (one, other) = (&self.words, &other.words);
        let (Some(first), Some(second)) = (one.first(), other.first()) else {
            return false;
        };
        if one.len() < 3 || !is_same(first, second) {
            return false;
        }
        let is_shared = |(at, word): &(usize, &&str)| {
            // Similar titles have most of their common words at the same position.
            other.get(*at).is_some_and(|same| is_same(word, same))
                || other.iter().any(|same| is_same(word, same))
        };
        let shared = one.iter().enumerate().filter(is_shared).count();
        let most = one.len().max(other.len());
        shared * 10 >= most * 6
    }
}

/// Whether two words are equal, ignoring case.
fn is_same(one: &str, other: &str) -> bool {
    if one.len() == other.len() && (one == other || one.eq_ignore_ascii_case(other)) {
        return true;
    }
    (!one.is_ascii() || !other.is_ascii()) && one.to_lowercase() == other.to_lowercase()
}

fn finding(context: &PlanContext<'_>, chain: &[&Step<'_>]) -> Option<Finding> {
    let [first, second, .., last] = chain else {
        return None;
    };
    if chain.len() < MIN_STEPS || !have_own_files(chain) || refer_to_each_other(chain) {
        return None;
    }
    let (task, count) = (second.task, chain.len());
    let message = format!(
        "{} depends on {}, and so on to {}, but these {count} similar steps work on different files and none \
         uses the result of another: make them independent.",
        place_first(task),
        place(first.task),
        place(last.task)
    );
    let line = task.fields.iter().find(|field| field.key == "depends");
    let mut finding = Finding::for_task(
        task,
        second.text.identity(),
        Code::RedundantDependency,
        Severity::Info,
    );
    if let Some(line) = line {
        finding = finding.at(line.value_span.clone());
    }
    Some(
        finding
            .with_message(message)
            .with_fixes(independent(context, chain)),
    )
}

/// Whether no two of the steps have a file in common.
fn have_own_files(chain: &[&Step<'_>]) -> bool {
    let mut seen = FxHashSet::<&str>::with_capacity_and_hasher(chain.len(), FxBuildHasher);
    chain
        .iter()
        .flat_map(|step| &step.task.files)
        .all(|path| seen.insert(path))
}

/// Whether a step mentions a file of the step before it, or checks that step.
fn refer_to_each_other(chain: &[&Step<'_>]) -> bool {
    chain.windows(2).any(|pair| {
        let [before, step] = pair else { return false };
        let text = step.text.all();
        let named = before.task.files.iter().any(|file| {
            // Most texts contain no path at all, and searching for a single character is cheap.
            let stroke = file.bytes().find(|byte| matches!(byte, b'/' | b'.' | b'_'));
            stroke.is_none_or(|stroke| text.as_bytes().contains(&stroke))
                && text.contains(file.as_str())
        });
        let is_check_of = says_check(&step.task.title) && !says_check(&before.task.title);
        named || is_check_of
    })
}

/// Makes every step depend on the prerequisites of the first one. `None` if there are too many
/// steps.
fn independent(context: &PlanContext<'_>, chain: &[&Step<'_>]) -> Option<Fix> {
    if chain.len() > MAX_FIXED {
        return None;
    }
    let first = chain.first()?.task;
    let values = match first.depends.as_deref() {
        Some([]) => vec!["none".to_owned()],
        Some(ids) => ids.iter().map(|id| id.to_string()).collect(),
        // The first step implicitly depends on the step above it, if there is one.
        None => match chain.first()?.index.checked_sub(1) {
            Some(above) => vec![context.plan.tasks[above].id.to_string()],
            None => vec!["none".to_owned()],
        },
    };
    let mends = chain[1..].iter().map(|step| Mend::SetValues {
        task: step.task.id.clone(),
        key: "depends".to_owned(),
        values: values.clone(),
    });
    Some(Fix {
        label: format!("Make these {} steps independent", chain.len()),
        mends: mends.collect(),
    })
}

/// Whether the steps are independent of each other: each has its own files, and either all but the
/// first declare it (`parallel` or `depends: none`) or all titles are alike. If so, adding
/// dependencies between them would be wrong.
pub(crate) fn are_independent(context: &PlanContext<'_>) -> bool {
    let steps: Vec<&Step<'_>> = context.steps.iter().collect();
    let says_so = |step: &&Step<'_>| {
        step.task.parallel || step.task.depends.as_ref().is_some_and(Vec::is_empty)
    };
    let all_say_so = steps.iter().skip(1).all(says_so);
    let all_alike = steps.windows(2).all(|pair| match pair {
        [one, other] => Words::of(&one.task.title).is_like(&Words::of(&other.task.title)),
        _ => true,
    });
    steps.iter().all(|step| !step.task.files.is_empty())
        && (all_say_so || all_alike)
        && have_own_files(&steps)
}

//! Finds steps that aren't linked to a requirement.

use std::collections::HashSet;

use plan::{By, Call, Task, TaskKind};

use super::overlap::Words;
use super::{JudgedTarget, Target, fixes};
use crate::code::{Code, Severity};
use crate::goal::first_word;
use crate::plan_context::{PlanContext, Step, paths};
use crate::report::{Finding, place_first, quoted};
use crate::task_text::says_check;
use crate::terms::{self, Kind, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// First words of steps that serve the plan as a whole, sorted.
const SERVING: &[&str] = &[
    "analyse",
    "analyze",
    "announce",
    "approve",
    "audit",
    "back",
    "backup",
    "benchmark",
    "branch",
    "clean",
    "collect",
    "commit",
    "compare",
    "confirm",
    "deploy",
    "document",
    "explain",
    "explore",
    "find",
    "identify",
    "inspect",
    "install",
    "investigate",
    "look",
    "measure",
    "merge",
    "notify",
    "plan",
    "prepare",
    "profile",
    "publish",
    "read",
    "release",
    "research",
    "review",
    "roll",
    "run",
    "search",
    "setup",
    "ship",
    "sign",
    "study",
    "tag",
    "tell",
    "understand",
    "verify",
];

/// Minimum share of a requirement's words for a step that contains none of the distinctive ones.
const MIN_SHARE: f64 = 0.3;

/// Indices of steps that aren't linked to a requirement: not by id, wording or file, and not as a
/// prerequisite of a step that is. Steps that check, document, prepare or release serve the plan as
/// a whole. If most steps share no words with the requirements, no step is reported.
pub(crate) fn unmapped(
    context: &PlanContext<'_>,
    targets: &[Target<'_>],
    words: &[Words],
    judged: &[JudgedTarget<'_, '_>],
) -> HashSet<usize> {
    let mut telling: FxHashSet<Term> = FxHashSet::default();
    let texts = targets.iter().map(|target| target.text);
    for text in texts.chain(context.goal) {
        terms::of(text, None, &mut |term, kind, _| {
            if kind != Kind::Common {
                telling.insert(term);
            }
        });
    }
    // Several common words together can also match a requirement.
    let said = judged.iter().flat_map(|judged| &judged.said.tasks);
    let matching: FxHashSet<usize> = said
        .filter(|(_, share)| *share >= MIN_SHARE)
        .map(|(task, _)| *task)
        .collect();
    let serves = |step: &Step<'_>| {
        is_mapped(context, step.task)
            || matching.contains(&step.index)
            || words[step.index].shares_any(&telling)
    };
    let mut mapped: Vec<bool> = vec![false; context.plan.tasks.len()];
    let mut open: Vec<usize> = Vec::new();
    for step in &context.steps {
        if serves(step) {
            mapped[step.index] = true;
            open.push(step.index);
        }
    }
    // Unless most steps match a requirement, the others can't be called unrelated.
    if context.lists_criteria
        || open.len() * 2 < context.steps.len()
        || open.len() == context.steps.len()
    {
        return HashSet::new();
    }
    let mut files: FxHashMap<&str, bool> = FxHashMap::default();
    for step in &context.steps {
        for path in paths(step.task) {
            *files.entry(path).or_default() |= mapped[step.index];
        }
    }
    for step in &context.steps {
        let shares_file = || paths(step.task).any(|path| files.get(path) == Some(&true));
        // Steps for a person are assumed to have a purpose.
        let is_asked = step.task.by == By::Person;
        if !mapped[step.index] && (is_asked || serves_plan(step) || shares_file()) {
            mapped[step.index] = true;
        }
    }
    // In a list, "2." is the heading of "2.1".
    let parts = context.steps.iter().filter(|step| mapped[step.index]);
    let heads = parts.flat_map(|step| {
        let id = step.task.id.as_str();
        id.match_indices('.').map(|(at, _)| &id[..at])
    });
    let heads: FxHashSet<&str> = heads.collect();
    for step in &context.steps {
        mapped[step.index] |= heads.contains(step.task.id.as_str());
    }
    // A step that only checks a mapped step is also mapped.
    for step in &context.steps {
        let task = step.task;
        let only_checks =
            !task.verify.is_empty() && task.files.is_empty() && task.calls.iter().all(is_read_only);
        let mut waits_for = task
            .depends
            .iter()
            .flatten()
            .filter_map(|id| context.index_of(id.as_str()));
        if only_checks && waits_for.any(|needed| mapped[needed]) {
            mapped[step.index] = true;
        }
    }
    // Prerequisites of a mapped step are also mapped, including those behind checkpoints and
    // decisions.
    while let Some(at) = open.pop() {
        let task = &context.plan.tasks[at];
        let up = task.depends.iter().flatten();
        for needed in up.filter_map(|id| context.index_of(id.as_str())) {
            let is_new = !std::mem::replace(&mut mapped[needed], true);
            let passes_on = context.plan.tasks[needed].kind != TaskKind::Normal;
            // Edges normally point to earlier tasks; any other edge is part of a cycle.
            if (is_new || passes_on) && needed < at {
                open.push(needed);
            }
        }
    }
    context
        .steps
        .iter()
        .filter(|step| !mapped[step.index])
        .map(|step| step.index)
        .collect()
}

pub(super) fn serves_plan(step: &Step<'_>) -> bool {
    let text = step.text.description();
    SERVING
        .binary_search(&first_word(&step.task.title).as_str())
        .is_ok()
        || says_check(text)
        || step.task.files.iter().any(|path| says_check(path))
}

fn is_read_only(call: &Call) -> bool {
    call.parsed
        .as_ref()
        .is_ok_and(|call| call.tool.is_read_only())
}

impl Words {
    fn shares_any(&self, telling: &FxHashSet<Term>) -> bool {
        self.found.iter().any(|term| telling.contains(term))
    }
}

/// One finding for each step that isn't linked to a requirement.
pub(super) fn findings(
    context: &PlanContext<'_>,
    unmapped: &HashSet<usize>,
    targets: &[Target<'_>],
) -> Vec<Finding> {
    if unmapped.is_empty() {
        return Vec::new();
    }
    let what = if context.listed().is_empty() {
        "any part of the goal"
    } else {
        "a requirement"
    };
    context
        .steps
        .iter()
        .filter(|step| unmapped.contains(&step.index))
        .map(|step| {
            let message = format!(
                "{} ({}) isn't linked to {what}: say what it is for, or delete it.",
                place_first(step.task),
                quoted(&step.task.title)
            );
            let mut finding = Finding::for_task(
                step.task,
                step.text.identity(),
                Code::UnmappedTask,
                Severity::Minor,
            );
            finding.question = Some(format!("What is {} for?", quoted(&step.task.title)));
            finding
                .with_message(message)
                .with_fixes(fixes::of_unmapped(context, step, targets))
                .drop_question_without_answers()
        })
        .collect()
}

/// Whether a task, or a group above it, has a `covers:` line.
fn is_mapped(context: &PlanContext<'_>, task: &Task) -> bool {
    let mut at = Some(task);
    while let Some(task) = at {
        if !task.covers.is_empty() {
            return true;
        }
        at = task.parent.map(|parent| &context.plan.tasks[parent]);
    }
    false
}

//! Steps that serve no requirement.

use std::collections::HashSet;

use plan::{By, Call, Task, TaskKind};

use super::overlap::Words;
use super::{Judged, Wanted, fixes};
use crate::code::{Code, Severity};
use crate::goal::first_word;
use crate::maps::{QuickMap, QuickSet};
use crate::reading::{Reading, Step, paths};
use crate::report::{Finding, place_first, quoted};
use crate::terms::{self, Kind, Term};
use crate::text::says_check;

/// Sorted openings of steps that serve a plan as a whole.
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

/// The share of a requirement that a step must say to serve it, where it has none of the words that tell.
const MUCH: f64 = 0.3;

/// The indices of steps that serve none: by id, by words, by a file, or through a step that needs
/// them. Steps that check, document, prepare or release serve the plan as a whole. Where the words of
/// most steps are not those of the requirements, nothing is said.
pub(crate) fn unmapped(
    reading: &Reading<'_>,
    wanted: &[Wanted<'_>],
    words: &[Words],
    judged: &[Judged<'_, '_>],
) -> HashSet<usize> {
    let mut telling: QuickSet<Term> = QuickSet::default();
    let texts = wanted.iter().map(|wanted| wanted.text);
    for text in texts.chain(reading.goal) {
        terms::of(text, None, &mut |term, kind, _| {
            if kind != Kind::Common {
                telling.insert(term);
            }
        });
    }
    // Common words together can say a requirement too.
    let said = judged.iter().flat_map(|judged| &judged.said.tasks);
    let saying: QuickSet<usize> = said
        .filter(|(_, share)| *share >= MUCH)
        .map(|(task, _)| *task)
        .collect();
    let serves = |step: &Step<'_>| {
        is_mapped(reading, step.task)
            || saying.contains(&step.index)
            || words[step.index].shares_any(&telling)
    };
    let mut mapped: Vec<bool> = vec![false; reading.plan.tasks.len()];
    let mut open: Vec<usize> = Vec::new();
    for step in &reading.steps {
        if serves(step) {
            mapped[step.index] = true;
            open.push(step.index);
        }
    }
    // Most steps must be understood before one can be called foreign.
    if reading.lists_criteria
        || open.len() * 2 < reading.steps.len()
        || open.len() == reading.steps.len()
    {
        return HashSet::new();
    }
    let mut files: QuickMap<&str, bool> = QuickMap::default();
    for step in &reading.steps {
        for path in paths(step.task) {
            *files.entry(path).or_default() |= mapped[step.index];
        }
    }
    for step in &reading.steps {
        let shares_file = || paths(step.task).any(|path| files.get(path) == Some(&true));
        // A person who is asked to do something on the way knows what for.
        let is_asked = step.task.by == By::Person;
        if !mapped[step.index] && (is_asked || serves_plan(step) || shares_file()) {
            mapped[step.index] = true;
        }
    }
    // "2." heads "2.1" where both stand in one list.
    let parts = reading.steps.iter().filter(|step| mapped[step.index]);
    let heads = parts.flat_map(|step| {
        let id = step.task.id.as_str();
        id.match_indices('.').map(|(at, _)| &id[..at])
    });
    let heads: QuickSet<&str> = heads.collect();
    for step in &reading.steps {
        mapped[step.index] |= heads.contains(step.task.id.as_str());
    }
    // What only checks what a mapped step did serves the same.
    for step in &reading.steps {
        let task = step.task;
        let only_checks =
            !task.verify.is_empty() && task.files.is_empty() && task.calls.iter().all(is_read_only);
        let mut waits_for = task
            .depends
            .iter()
            .flatten()
            .filter_map(|id| reading.index_of(id.as_str()));
        if only_checks && waits_for.any(|needed| mapped[needed]) {
            mapped[step.index] = true;
        }
    }
    // What a mapped step needs is mapped, and what that needs. Checkpoints and decisions pass it on.
    while let Some(at) = open.pop() {
        let task = &reading.plan.tasks[at];
        let up = task.depends.iter().flatten();
        for needed in up.filter_map(|id| reading.index_of(id.as_str())) {
            let is_new = !std::mem::replace(&mut mapped[needed], true);
            let passes_on = reading.plan.tasks[needed].kind != TaskKind::Normal;
            // Edges point upwards; one that does not is a circle.
            if (is_new || passes_on) && needed < at {
                open.push(needed);
            }
        }
    }
    reading
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
    fn shares_any(&self, telling: &QuickSet<Term>) -> bool {
        self.found.iter().any(|term| telling.contains(term))
    }
}

/// One finding for each step that serves nothing.
pub(super) fn findings(
    reading: &Reading<'_>,
    unmapped: &HashSet<usize>,
    wanted: &[Wanted<'_>],
) -> Vec<Finding> {
    if unmapped.is_empty() {
        return Vec::new();
    }
    let what = if reading.listed().is_empty() {
        "nothing that the goal asks for"
    } else {
        "no requirement"
    };
    reading
        .steps
        .iter()
        .filter(|step| unmapped.contains(&step.index))
        .map(|step| {
            let message = format!(
                "{} ({}) serves {what}, neither by `covers:` nor by its words: say what it is for, or delete it.",
                place_first(step.task),
                quoted(&step.task.title)
            );
            let mut finding = Finding::on(step.task, step.text.identity(), Code::UnmappedTask, Severity::Minor);
            finding.question = Some(format!("What is {} for?", quoted(&step.task.title)));
            finding
                .saying(message)
                .mended_by(fixes::of_unmapped(reading, step, wanted))
                .asking_only_with_answers()
        })
        .collect()
}

/// Whether a task, or a group it is part of, says what it covers.
fn is_mapped(reading: &Reading<'_>, task: &Task) -> bool {
    let mut at = Some(task);
    while let Some(task) = at {
        if !task.covers.is_empty() {
            return true;
        }
        at = task.parent.map(|parent| &reading.plan.tasks[parent]);
    }
    false
}

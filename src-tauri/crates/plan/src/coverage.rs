//! Determines what an approval covers.
//!
//! Approving a step covers its own lines, the lines of its groups, the goal, all prose before `##
//! Tasks`, the requirements it covers and the decisions it waits for. Each step has one
//! [`Fingerprint`] of all that. [`structure`] compares the rest: which steps exist, in which order,
//! and how they depend on each other.
//!
//! Progress is excluded (ticks, `skipped:` lines and answers under `## Decisions`), so the app's
//! own writes don't change fingerprints. Formatting is excluded too (`plain_text`): line endings,
//! blank lines, bullets, emphasis, comments.

pub mod differences;
mod plain_text;
pub mod structure;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::graph::Graph;
use crate::model::{Plan, Span, Task, TaskId};
use crate::revision::hex_sha256;
use plain_text::plain_text;

/// A hash of everything that an approval of one step covers: 64 hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint(pub String);

/// A step that an approval does not cover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uncovered {
    /// The step's id.
    pub task: TaskId,
    /// Why it isn't covered.
    pub reason: Reason,
}

/// Why a step is not covered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// The approved plan does not have it.
    New,
    /// It, or something it depends on, differs from what was approved.
    Changed,
    /// It waits, directly or indirectly, for this step, which has changed.
    DependsOn(TaskId),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::New => f.write_str("it is not in the approved plan"),
            Self::Changed => {
                f.write_str("it, or something it depends on, was changed after the approval")
            }
            Self::DependsOn(id) => {
                write!(
                    f,
                    "it depends on {id}, which was changed after the approval"
                )
            }
        }
    }
}

/// The fingerprint of every leaf. Leaves with the same id share one fingerprint.
pub fn fingerprints(text: &str, plan: &Plan) -> BTreeMap<TaskId, Fingerprint> {
    fingerprints_with(text, plan, &Graph::of(plan))
}

/// The leaves of the current plan that an approval does not cover, in document order.
pub fn uncovered(
    approved: &BTreeMap<TaskId, Fingerprint>,
    current_text: &str,
    current: &Plan,
) -> Vec<Uncovered> {
    let graph = Graph::of(current);
    let now = fingerprints_with(current_text, current, &graph);
    let mut reasons: BTreeMap<usize, Reason> = BTreeMap::new();
    let mut changed = Vec::new();
    for (index, task) in current.leaves() {
        match approved.get(&task.id) {
            None => {
                reasons.insert(index, Reason::New);
            }
            Some(print) if now.get(&task.id) != Some(print) => {
                changed.push(index);
                reasons.insert(index, Reason::Changed);
            }
            Some(_) => {}
        }
    }
    for (index, cause) in graph.waiting_for_any(&changed) {
        let cause = current.tasks[cause].id.clone();
        reasons.entry(index).or_insert(Reason::DependsOn(cause));
    }
    reasons
        .into_iter()
        .map(|(index, reason)| Uncovered {
            task: current.tasks[index].id.clone(),
            reason,
        })
        .collect()
}

/// The parts of a fingerprint, each prefixed with its length, so that different lists never
/// concatenate to the same string.
#[derive(Debug, Clone, Default)]
struct Parts(String);

impl Parts {
    fn add(&mut self, kind: &str, part: &str) {
        use std::fmt::Write as _;
        // Writing to a string cannot fail.
        let _ = write!(self.0, "{kind} {}\n{part}\n", part.len());
    }

    fn hash(&self) -> String {
        hex_sha256(self.0.as_bytes())
    }
}

fn fingerprints_with(text: &str, plan: &Plan, graph: &Graph) -> BTreeMap<TaskId, Fingerprint> {
    let page = page(text, plan);
    let own: Vec<String> = (0..plan.tasks.len())
        .map(|index| own_text(text, plan, index))
        .collect();
    // The lines of the groups around each task, outermost first, as one hash.
    let mut around: Vec<String> = Vec::with_capacity(own.len());
    for (index, task) in plan.tasks.iter().enumerate() {
        around.push(match task.parent.filter(|parent| *parent < index) {
            None => String::new(),
            Some(parent) => {
                let mut parts = Parts::default();
                parts.add("around", &around[parent]);
                parts.add("group", &own[parent]);
                parts.hash()
            }
        });
    }
    let requirements = requirements((text, plan));
    let mut parts: BTreeMap<usize, Parts> = BTreeMap::new();
    for (index, task) in plan.leaves() {
        let mut of_leaf = Parts::default();
        of_leaf.add("page", &page);
        of_leaf.add("around", &around[index]);
        of_leaf.add("own", &own[index]);
        for id in covered(plan, task) {
            if let Some(requirement) = requirements.get(id) {
                of_leaf.add("requirement", requirement);
            }
        }
        parts.insert(index, of_leaf);
    }
    for (decision, _) in plan.leaves().filter(|(index, _)| graph.is_decision(*index)) {
        let mut asked = Parts::default();
        asked.add("decision", &own[decision]);
        let asked = asked.hash();
        for leaf in graph.dependents(decision) {
            if let Some(parts) = parts.get_mut(&leaf) {
                parts.add("decision", &asked);
            }
        }
    }
    let mut by_id: BTreeMap<TaskId, Vec<String>> = BTreeMap::new();
    for (index, parts) in parts {
        by_id
            .entry(plan.tasks[index].id.clone())
            .or_default()
            .push(parts.hash());
    }
    by_id
        .into_iter()
        .map(|(id, prints)| match prints.as_slice() {
            [print] => (id, Fingerprint(print.clone())),
            prints => (id, Fingerprint(hex_sha256(prints.join("\n").as_bytes()))),
        })
        .collect()
}

/// The content that is part of every step's fingerprint: goal, strategy, the prose before the
/// tasks, and the requirements that no step claims to cover.
fn page(text: &str, plan: &Plan) -> String {
    let mut page = Parts::default();
    page.add("goal", plan.front.goal.as_deref().unwrap_or_default());
    page.add(
        "strategy",
        plan.front.strategy.as_deref().unwrap_or_default(),
    );
    page.add("prose", &page_prose((text, plan)));
    let covered: BTreeSet<&str> = plan
        .tasks
        .iter()
        .flat_map(|task| task.covers.iter().map(String::as_str))
        .collect();
    for requirement in &plan.requirements {
        if !covered.contains(requirement.id.as_str()) {
            let span = requirement.span.clone();
            page.add("requirement", &content_of(text, plan, vec![span]));
        }
    }
    page.hash()
}

fn page_prose((text, plan): (&str, &Plan)) -> String {
    content_of(text, plan, prose_spans(plan))
}

/// The prose before the tasks. Steps, requirements and records in it are fingerprinted separately.
fn prose_spans(plan: &Plan) -> Vec<Span> {
    let mut holes: Vec<Span> = Vec::new();
    holes.extend(
        plan.requirements
            .iter()
            .map(|requirement| requirement.span.clone()),
    );
    holes.extend(plan.decisions.iter().map(|record| record.span.clone()));
    holes.extend(
        plan.tasks
            .iter()
            .filter(|t| t.parent.is_none())
            .map(|t| t.span.clone()),
    );
    holes.sort_by_key(|hole| hole.start);
    without(plan.preamble.clone(), holes.into_iter())
}

/// The requirements by id; those with the same id are concatenated.
fn requirements<'p>((text, plan): (&str, &'p Plan)) -> BTreeMap<&'p str, String> {
    let mut requirements: BTreeMap<&str, String> = BTreeMap::new();
    for requirement in &plan.requirements {
        let words = content_of(text, plan, vec![requirement.span.clone()]);
        requirements
            .entry(&requirement.id)
            .or_default()
            .push_str(&words);
    }
    requirements
}

/// The requirements covered by a task or by one of its groups.
fn covered<'p>(plan: &'p Plan, task: &'p Task) -> BTreeSet<&'p str> {
    let mut ids: BTreeSet<&str> = BTreeSet::new();
    let mut at = Some(task);
    while let Some(task) = at {
        ids.extend(task.covers.iter().map(String::as_str));
        at = task.parent.map(|parent| &plan.tasks[parent]);
    }
    ids
}

/// Keys whose values only people and models read. In all others, every character counts.
const PROSE: [&str; 7] = [
    "accept", "assume", "mute", "note", "origin", "strategy", "why",
];

/// Keys whose values are lists of names, with or without backticks.
const NAMES: [&str; 3] = ["covers", "depends", "files"];

/// The approved content of a task's own lines, without its sub-tasks and its progress.
pub(crate) fn own_text(text: &str, plan: &Plan, index: usize) -> String {
    let mut own = content_of(text, plan, own_lines(text, plan, index));
    let fields = plan.tasks[index].fields.iter();
    for field in fields.filter(|field| field.key != "skipped" && !PROSE.contains(&&*field.key)) {
        let value = match NAMES.contains(&&*field.key) {
            true => field.value.replace(['`', ' ', '\t'], ""),
            false => field.value.clone(),
        };
        own.push_str(&format!("\n{}: {value}", field.key));
    }
    own
}

/// The spans of a task's own lines, without its sub-tasks, its `skipped:` line and the names that
/// are compared separately.
fn own_lines(text: &str, plan: &Plan, index: usize) -> Vec<Span> {
    let task = &plan.tasks[index];
    let children = task
        .children
        .iter()
        .map(|child| plan.tasks[*child].span.clone());
    let apart = |key: &str| key == "skipped" || NAMES.contains(&key);
    let apart = task.fields.iter().filter(|field| apart(&field.key));
    // The value is one line; anything nested under it belongs to the step.
    let apart = apart.map(|field| {
        let end = field.value_span.end;
        let rest = text[end..].find(['\n', '\r']);
        field.span.start..rest.map_or(text.len(), |rest| end + rest)
    });
    let mut holes: Vec<Span> = children.chain(apart).collect();
    holes.sort_by_key(|hole| hole.start);
    without(task.span.clone(), holes.into_iter())
}

/// The parts of a span that are outside the holes, which must be in order.
fn without(place: Span, holes: impl Iterator<Item = Span>) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut at = place.start;
    for hole in holes.filter(|hole| hole.start < place.end) {
        if at < hole.start {
            spans.push(at..hole.start);
        }
        at = at.max(hole.end);
    }
    if at < place.end {
        spans.push(at..place.end);
    }
    spans
}

/// The plain text of some spans, concatenated, with all boxes cleared.
fn content_of(text: &str, plan: &Plan, places: Vec<Span>) -> String {
    let mut open = String::new();
    for place in places {
        let mut at = place.start;
        // Boxes are in the same order as the tasks.
        let first = plan
            .tasks
            .partition_point(|task| task.box_span.start < place.start);
        for task in &plan.tasks[first..] {
            let of = &task.box_span;
            if of.end > place.end {
                break;
            }
            open.push_str(&text[at..of.start]);
            open.push(' ');
            at = of.end;
        }
        open.push_str(&text[at..place.end]);
    }
    plain_text(&open)
}

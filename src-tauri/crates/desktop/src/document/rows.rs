//! Tasks as rows and in full. A row's size depends only on its task and is bounded.

use adequacy::Finding;
use plan::{By, ChoiceEffect, Field, Task, TaskId, TaskKind};

use super::parsed::ParsedPlan;
use crate::wire::{Row, RowFinding, RowOption, TaskDetail, TaskField, TaskRef};
use workbench::markdown;

/// Maximum characters in a title in a list.
pub(super) const MAX_TITLE_LEN: usize = 300;

/// Maximum characters in any other value of a row.
const MAX_VALUE_LEN: usize = 200;

/// Maximum values of one kind in a row.
const MAX_VALUES: usize = 20;

/// Maximum tasks referenced from a task.
const MAX_REFERENCES: usize = 100;

/// Maximum bytes of a task's text to render.
const MAX_BODY_LEN: usize = 64 << 10;

/// Truncates a text to a number of characters, ending in `…` if it was longer.
pub(crate) fn cut(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        Some((at, _)) => format!("{}…", text[..at].trim_end()),
        None => text.to_owned(),
    }
}

fn few(values: impl IntoIterator<Item = impl AsRef<str>>) -> Vec<String> {
    let values = values.into_iter().take(MAX_VALUES);
    values
        .map(|value| cut(value.as_ref(), MAX_VALUE_LEN))
        .collect()
}

/// Builds a task's row.
pub(super) fn row(parsed: &ParsedPlan, index: usize) -> Option<Row> {
    let task = parsed.plan.tasks.get(index)?;
    let findings = parsed.findings_of(&task.id).iter();
    let findings = findings.filter_map(|at| parsed.report.findings.get(*at));
    Some(Row {
        index: u32::try_from(index).unwrap_or(u32::MAX),
        id: task.id.as_str().to_owned(),
        has_written_id: task.id_origin == plan::IdOrigin::Written,
        kind: kind_of(task, task.is_group()).to_owned(),
        depth: u32::try_from(task.depth).unwrap_or(u32::MAX),
        title: cut(&task.title, MAX_TITLE_LEN),
        summary: cut(task.body.lines().next().unwrap_or_default(), MAX_VALUE_LEN),
        done: task.done,
        skipped: task.skipped.as_deref().map(|why| cut(why, MAX_VALUE_LEN)),
        origin: task
            .values("origin")
            .next()
            .map(|origin| cut(origin.trim(), MAX_VALUE_LEN)),
        by: by(task).to_owned(),
        depends: task
            .depends
            .as_ref()
            .map(|ids| few(ids.iter().map(TaskId::as_str))),
        files: few(&task.files),
        verify: few(&task.verify),
        covers: few(&task.covers),
        options: task.options.iter().take(MAX_VALUES).map(option).collect(),
        findings: findings.take(MAX_VALUES).map(row_finding).collect(),
    })
}

/// Who carries out a task: `person`, `agent`, or `either` if it depends on whether there is a
/// model.
pub(crate) fn by(task: &Task) -> &'static str {
    match (task.by, task.carried_out_by(false)) {
        (By::Either, By::Person) => "either",
        (_, By::Person) => "person",
        (_, By::Agent | By::Either) => "agent",
    }
}

/// `task`, `group`, `checkpoint` or `decision`.
pub(crate) fn kind_of(task: &Task, is_group: bool) -> &'static str {
    match task.kind {
        TaskKind::Normal if is_group => "group",
        TaskKind::Normal => "task",
        TaskKind::Checkpoint => "checkpoint",
        TaskKind::Decision => "decision",
    }
}

fn option(option: &plan::ChoiceOption) -> RowOption {
    let ids = |ids: &[TaskId]| few(ids.iter().map(TaskId::as_str)).join(", ");
    RowOption {
        label: cut(&option.label, MAX_VALUE_LEN),
        effect: match &option.effect {
            ChoiceEffect::Continue => "continue".to_owned(),
            ChoiceEffect::Review => "review".to_owned(),
            ChoiceEffect::Stop => "stop".to_owned(),
            ChoiceEffect::Skip(tasks) => format!("skip {}", ids(tasks)),
            ChoiceEffect::Branch(tasks) => ids(tasks),
        },
    }
}

fn row_finding(finding: &Finding) -> RowFinding {
    RowFinding {
        id: finding.id.clone(),
        severity: finding.severity.as_str().to_owned(),
        message: finding.message.clone(),
        fix: finding.fixes.first().map(|fix| fix.label.clone()),
    }
}

/// Builds the full view of a task.
pub(super) fn detail(parsed: &ParsedPlan, index: usize) -> Option<TaskDetail> {
    let task = parsed.plan.tasks.get(index)?;
    let dependents = next_after(parsed, index);
    let fingerprint = parsed.fingerprints().get(&task.id);
    Some(TaskDetail {
        revision: parsed.revision().as_str().to_owned(),
        row: row(parsed, index)?,
        body: task.body.clone(),
        body_html: markdown::render(&task.body, MAX_BODY_LEN),
        kind: kind_of(task, false).to_owned(),
        fields: fields(task),
        dependents: references(parsed, dependents),
        children: references(parsed, task.children.iter().copied()),
        line: task.line,
        // A group is never approved by itself.
        fingerprint: fingerprint.cloned().unwrap_or_default(),
    })
}

/// The leaves that directly depend on a task. Indirect dependents are omitted: in a plan without
/// `depends:` they would be all tasks that follow.
fn next_after(parsed: &ParsedPlan, index: usize) -> Vec<usize> {
    let graph = parsed.graph();
    let own = graph.leaves_of(index);
    let waits = |at: &usize| {
        graph
            .waits_for(*at)
            .iter()
            .any(|before| own.contains(before))
    };
    let later = (0..parsed.plan.tasks.len()).filter(|at| !own.contains(at));
    let leaves = later.filter(|at| parsed.plan.tasks[*at].children.is_empty());
    leaves.filter(waits).collect()
}

/// References to the first few of these tasks.
pub(super) fn references(
    parsed: &ParsedPlan,
    tasks: impl IntoIterator<Item = usize>,
) -> Vec<TaskRef> {
    let tasks = tasks.into_iter().filter_map(|at| parsed.plan.tasks.get(at));
    tasks.take(MAX_REFERENCES).map(reference).collect()
}

/// A reference to a task.
pub(crate) fn reference(task: &Task) -> TaskRef {
    TaskRef {
        id: task.id.as_str().to_owned(),
        title: cut(&task.title, MAX_TITLE_LEN),
    }
}

/// The values of every key of a task, with keys in order of first appearance.
pub(super) fn fields(task: &Task) -> Vec<TaskField> {
    let mut fields: Vec<TaskField> = Vec::new();
    for field in &task.fields {
        if fields.iter().all(|known| known.key != field.key) {
            fields.push(TaskField {
                key: field.key.to_string(),
                values: values(task, field),
            });
        }
    }
    fields
}

/// The parsed values of one key, or the raw value if the parser doesn't split it.
fn values(task: &Task, field: &Field) -> Vec<String> {
    let read: Vec<String> = match field.key.as_ref() {
        "depends" => {
            let ids = task.depends.iter().flatten();
            return ids.map(|id| id.as_str().to_owned()).collect();
        }
        "files" => task.files.clone(),
        "tools" => task.tools.clone(),
        "covers" => task.covers.clone(),
        "accept" => task.accept.clone(),
        "verify" => task.verify.clone(),
        "call" => task.calls.iter().map(|call| call.raw.clone()).collect(),
        _ => Vec::new(),
    };
    if !read.is_empty() {
        return read;
    }
    task.values(&field.key).map(str::to_owned).collect()
}

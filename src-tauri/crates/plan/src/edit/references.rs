//! Updates references between tasks when ids change or tasks are removed.

use std::collections::BTreeMap;

use super::Splice;
use super::content::PlanContent;
use crate::id_syntax;
use crate::inline::reference_spans;
use crate::model::{Plan, Span, TaskId};
use crate::parse::{arrow, split_id};

/// Maps old ids to new ones. All are applied at once: `#2` may become `#3` while `#3` becomes `#4`.
pub(crate) type Renames = BTreeMap<String, String>;

/// The spans in a value that reference tasks.
fn named(key: &str, value: &str) -> Vec<Span> {
    match key {
        "depends" => reference_spans(value),
        "option" => {
            let Some((at, length)) = arrow(value) else {
                return Vec::new();
            };
            let from = at + length;
            let spans = reference_spans(&value[from..]).into_iter();
            spans
                .map(|span| from + span.start..from + span.end)
                .filter(|span| id_syntax::is_id(&value[span.clone()]))
                .collect()
        }
        _ => Vec::new(),
    }
}

/// The ids that a value references.
pub(crate) fn ids_in<'v>(key: &str, value: &'v str) -> Vec<&'v str> {
    let spans = named(key, value).into_iter();
    spans.map(|span| &value[span]).collect()
}

/// A value with its ids renamed.
pub(super) fn renamed(key: &str, value: &str, renames: &Renames) -> String {
    let mut out = String::with_capacity(value.len());
    let mut at = 0;
    for span in named(key, value) {
        if let Some(new) = renames.get(&value[span.clone()]) {
            out.push_str(&value[at..span.start]);
            out.push_str(new);
            at = span.end;
        }
    }
    out.push_str(&value[at..]);
    out
}

/// Whether anything in the plan references one of these ids.
pub(super) fn any_referenced(plan: &Plan, renames: &Renames) -> bool {
    let fields = plan.tasks.iter().flat_map(|task| &task.fields);
    let mut names = fields.flat_map(|field| ids_in(&field.key, &field.value));
    names.any(|name| renames.contains_key(name))
        || plan
            .decisions
            .iter()
            .any(|record| renames.contains_key(record.task.as_str()))
}

/// Renames ids in `depends:`, options and the decision records.
pub(crate) fn rename(text: &str, plan: &Plan, renames: &Renames) -> Vec<Splice> {
    let mut splices = Vec::new();
    for field in plan.tasks.iter().flat_map(|task| &task.fields) {
        for span in named(&field.key, &field.value) {
            if let Some(new) = renames.get(&field.value[span.clone()]) {
                let start = field.value_span.start;
                splices.push(Splice {
                    range: start + span.start..start + span.end,
                    text: new.clone(),
                });
            }
        }
    }
    splices.extend(rename_records(text, plan, renames));
    splices
}

/// Renames ids in the decision records.
pub(super) fn rename_records(text: &str, plan: &Plan, renames: &Renames) -> Vec<Splice> {
    let records = plan.decisions.iter();
    records
        .filter_map(|record| {
            let new = renames.get(record.task.as_str())?;
            let range = record_id(text, &record.span)?;
            Some(Splice {
                range,
                text: new.clone(),
            })
        })
        .collect()
}

/// The span of the id in a record's line.
fn record_id(text: &str, line: &Span) -> Option<Span> {
    let whole = &text[line.clone()];
    let words = whole.trim_start_matches([' ', '\t', '>']);
    let words = words.split_once([' ', '\t'])?.1.trim_start();
    let (id, _) = split_id(words)?;
    let start = line.start + (id.as_ptr() as usize - whole.as_ptr() as usize);
    Some(start..start + id.len())
}

/// Applies [`rename`] to a plan's content.
pub(super) fn rename_in(plan_content: &mut PlanContent, renames: &Renames) {
    for task_content in &mut plan_content.tasks {
        for (key, value) in &mut task_content.fields {
            *value = renamed(key, value, renames);
        }
    }
    rename_records_in(plan_content, renames);
}

/// Applies [`rename_records`] to a plan's content.
pub(super) fn rename_records_in(plan_content: &mut PlanContent, renames: &Renames) {
    for (task, ..) in &mut plan_content.decisions {
        if let Some(new) = renames.get(task.as_str()) {
            *task = TaskId(new.clone());
        }
    }
}

/// A list of references without those to removed tasks; `None` if none are left. Items without
/// removed references are unchanged.
pub(super) fn without(value: &str, is_gone: impl Fn(&str) -> bool) -> Option<String> {
    let kept: Vec<String> = crate::inline::pieces(value)
        .into_iter()
        .filter_map(|piece| {
            let ids = reference_spans(piece);
            let left: Vec<&str> = ids
                .iter()
                .map(|span| &piece[span.clone()])
                .filter(|id| !is_gone(id))
                .collect();
            match left.len() {
                0 => None,
                kept if kept == ids.len() => Some(piece.to_owned()),
                _ => Some(left.join(", ")),
            }
        })
        .collect();
    (!kept.is_empty()).then(|| kept.join(", "))
}

/// An option without references to removed tasks: it leads to its remaining tasks, or if none
/// remain, to `none` (decision) or `continue` (checkpoint). `None` if it references no removed
/// task.
pub(super) fn option_without(value: &str, is_gone: impl Fn(&str) -> bool) -> Option<String> {
    if !ids_in("option", value).into_iter().any(&is_gone) {
        return None;
    }
    let (at, length) = arrow(value)?;
    let (label, target) = value.split_at(at + length);
    let bare = crate::inline::without_ticks(target.trim()).trim();
    let skips = bare
        .get(..4)
        .filter(|word| word.eq_ignore_ascii_case("skip"));
    let (word, listed) = match skips {
        Some(word) => (
            format!("{word} "),
            bare[4..].trim_start_matches([' ', '\t', ':']),
        ),
        None => (String::new(), bare),
    };
    let target = match without(listed, is_gone) {
        Some(left) => format!("{word}{left}"),
        None if skips.is_some() => "continue".to_owned(),
        None => "none".to_owned(),
    };
    Some(format!("{label} {target}"))
}

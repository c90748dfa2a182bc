//! Fixes for the keys of a step: an empty path, an invalid call, an unresolved reference.

use std::collections::{HashMap, HashSet};

use plan::{ProblemCode, Span, Task, ToolName};

use crate::code::Code;
use crate::fixes;
use crate::fuzzy::nearest;
use crate::mend::{Fix, Mend};
use crate::plan_context::PlanContext;
use crate::report::{Finding, place};
use crate::spans::key_at;
use crate::task_text::is_tbd_path;

fn set(task: &Task, key: &str, values: Vec<String>) -> Mend {
    Mend::SetValues {
        task: task.id.clone(),
        key: key.to_owned(),
        values,
    }
}

/// Removes empty paths from `files:`, and calls without a path.
pub(crate) fn without_empty_paths(task: &Task) -> Fix {
    let is_empty = |path: &str| path.trim().is_empty();
    let mut mends = Vec::new();
    if task.files.iter().any(|path| is_empty(path)) {
        let kept = task.files.iter().filter(|path| !is_empty(path));
        mends.push(set(task, "files", kept.cloned().collect()));
    }
    let needs_path = |call: &&plan::Call| {
        call.parsed.as_ref().is_ok_and(|call| {
            !matches!(call.tool, ToolName::ListFiles | ToolName::SearchFiles)
                && call.path().is_some_and(is_empty)
        })
    };
    if task.calls.iter().any(|call| needs_path(&call)) {
        let kept = task.calls.iter().filter(|call| !needs_path(call));
        mends.push(set(
            task,
            "call",
            kept.map(|call| call.raw.clone()).collect(),
        ));
    }
    Fix {
        label: format!("Remove the empty path from {}", place(task)),
        mends,
    }
}

/// Removes a "TBD" file from `files:`; `None` if the placeholder is elsewhere.
pub(crate) fn without_tbd_path(task: &Task) -> Option<Fix> {
    let name = task.files.iter().find(|path| is_tbd_path(path))?;
    let kept = task.files.iter().filter(|path| !is_tbd_path(path));
    Some(Fix::of(
        format!("Remove `{name}` from `files:` until it is known"),
        set(task, "files", kept.cloned().collect()),
    ))
}

/// Adds simple fixes to findings about parse problems. Values needed by several findings of a task
/// are computed only once.
pub(crate) fn fix_problems(context: &PlanContext<'_>, findings: &mut [Finding]) {
    let mut requirements = None;
    let mut known: HashMap<(usize, ProblemCode), (Option<Span>, Vec<Fix>)> = HashMap::new();
    for finding in findings {
        let Code::Problem(code @ (ProblemCode::BadCall | ProblemCode::DanglingReference)) =
            finding.code
        else {
            continue;
        };
        let Some(index) = finding
            .task
            .as_ref()
            .and_then(|id| context.index_of(id.as_str()))
        else {
            continue;
        };
        let task = &context.plan.tasks[index];
        let (place, fixes) = known.entry((index, code)).or_insert_with(|| match code {
            ProblemCode::BadCall => (Some(key_at(task, "call")), calls_that_run(task)),
            _ => {
                let requirements = requirements.get_or_insert_with(|| {
                    let all = context.listed().iter();
                    all.map(|requirement| requirement.id.as_str()).collect()
                });
                known_references(context, task, requirements)
            }
        });
        if let Some(place) = place {
            finding.place = place.clone();
        }
        finding.fixes.clone_from(fixes);
    }
}

/// Corrects the name of a tool if a similar tool exists; otherwise removes the call.
fn calls_that_run(task: &Task) -> Vec<Fix> {
    let Some(bad) = task.calls.iter().find(|call| call.parsed.is_err()) else {
        return Vec::new();
    };
    let name = bad
        .raw
        .split(|c: char| c.is_whitespace() || c == '{')
        .next()
        .unwrap_or_default();
    let tools = ToolName::ALL.map(ToolName::as_str);
    let raws = |other: Option<String>| -> Vec<String> {
        task.calls
            .iter()
            .filter_map(|call| match call.raw == bad.raw {
                true => other.clone(),
                false => Some(call.raw.clone()),
            })
            .collect()
    };
    let corrected = nearest(name, tools).into_iter().filter_map(|tool| {
        let raw = bad.raw.replacen(name, tool, 1);
        plan::ToolCall::parse(&raw).ok()?;
        Some(Fix::of(
            format!("Replace `{name}` with `{tool}`"),
            set(task, "call", raws(Some(raw))),
        ))
    });
    let taken_out = Fix::of(
        format!("Remove the call from {}", place(task)),
        set(task, "call", raws(None)),
    );
    corrected.take(1).chain([taken_out]).collect()
}

/// The first unresolved reference in `depends:` or `covers:`, and the fixes for it.
fn known_references(
    context: &PlanContext<'_>,
    task: &Task,
    requirements: &HashSet<&str>,
) -> (Option<Span>, Vec<Fix>) {
    let unknown = task
        .depends
        .iter()
        .flatten()
        .find(|id| context.index_of(id.as_str()).is_none());
    if let Some(unknown) = unknown {
        let place = crate::spans::value_at(task, "depends", unknown.as_str());
        return (
            Some(place),
            fixes::dependency(context, task, unknown)
                .into_iter()
                .collect(),
        );
    }
    let is_known = |id: &&String| requirements.contains(id.as_str());
    match task.covers.iter().find(|id| !is_known(id)) {
        Some(unknown) => {
            let kept = task.covers.iter().filter(is_known).cloned().collect();
            let fix = Fix::of(
                format!("Remove {unknown} from `covers:`"),
                set(task, "covers", kept),
            );
            (
                Some(crate::spans::value_at(task, "covers", unknown)),
                vec![fix],
            )
        }
        None => (None, Vec::new()),
    }
}

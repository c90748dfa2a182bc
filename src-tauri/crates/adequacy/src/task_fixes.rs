//! Edits that mend what is wrong with a step's keys: an empty path, a call that cannot run, a name of
//! nothing.

use std::collections::{HashMap, HashSet};

use plan::{ProblemCode, Span, Task, ToolName};

use crate::code::Code;
use crate::fixes;
use crate::mend::{Fix, Mend};
use crate::near::nearest;
use crate::places::key_at;
use crate::reading::Reading;
use crate::report::{Finding, place};
use crate::text::is_tbd_path;

fn set(task: &Task, key: &str, values: Vec<String>) -> Mend {
    Mend::SetValues {
        task: task.id.clone(),
        key: key.to_owned(),
        values,
    }
}

/// Takes empty paths out: of `files:`, and the calls that name none.
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
        label: format!("Take the empty path out of {}", place(task)),
        mends,
    }
}

/// Takes the file called "TBD" out of `files:`; `None` where the word stands elsewhere.
pub(crate) fn without_tbd_path(task: &Task) -> Option<Fix> {
    let name = task.files.iter().find(|path| is_tbd_path(path))?;
    let kept = task.files.iter().filter(|path| !is_tbd_path(path));
    Some(Fix::of(
        format!("Take `{name}` out of `files:` until it is known"),
        set(task, "files", kept.cloned().collect()),
    ))
}

/// Mends what the reader of the file found, where the edit is plain. What several findings of a task
/// have in common is worked out once.
pub(crate) fn mend_problems(reading: &Reading<'_>, findings: &mut [Finding]) {
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
            .and_then(|id| reading.index_of(id.as_str()))
        else {
            continue;
        };
        let task = &reading.plan.tasks[index];
        let (place, fixes) = known.entry((index, code)).or_insert_with(|| match code {
            ProblemCode::BadCall => (Some(key_at(task, "call")), calls_that_run(task)),
            _ => {
                let requirements = requirements.get_or_insert_with(|| {
                    let all = reading.listed().iter();
                    all.map(|requirement| requirement.id.as_str()).collect()
                });
                known_references(reading, task, requirements)
            }
        });
        if let Some(place) = place {
            finding.place = place.clone();
        }
        finding.fixes.clone_from(fixes);
    }
}

/// The name of a tool corrected where one is near, or the call taken out.
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
            format!("Write `{tool}` in place of `{name}`"),
            set(task, "call", raws(Some(raw))),
        ))
    });
    let taken_out = Fix::of(
        format!("Take the call out of {}", place(task)),
        set(task, "call", raws(None)),
    );
    corrected.take(1).chain([taken_out]).collect()
}

/// The first name of nothing in `depends:` or `covers:`, and how it is mended.
fn known_references(
    reading: &Reading<'_>,
    task: &Task,
    requirements: &HashSet<&str>,
) -> (Option<Span>, Vec<Fix>) {
    let unknown = task
        .depends
        .iter()
        .flatten()
        .find(|id| reading.index_of(id.as_str()).is_none());
    if let Some(unknown) = unknown {
        let place = crate::places::value_at(task, "depends", unknown.as_str());
        return (
            Some(place),
            fixes::dependency(reading, task, unknown)
                .into_iter()
                .collect(),
        );
    }
    let is_known = |id: &&String| requirements.contains(id.as_str());
    match task.covers.iter().find(|id| !is_known(id)) {
        Some(unknown) => {
            let kept = task.covers.iter().filter(is_known).cloned().collect();
            let fix = Fix::of(
                format!("Take {unknown} out of `covers:`"),
                set(task, "covers", kept),
            );
            (
                Some(crate::places::value_at(task, "covers", unknown)),
                vec![fix],
            )
        }
        None => (None, Vec::new()),
    }
}

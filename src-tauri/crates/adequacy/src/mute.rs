//! What the person does not want to hear of: `mute:` lines and what they do.
//!
//! A task's line `- mute: CODE REASON` mutes its findings with that code; `mute:` in the front matter
//! those about the plan as a whole. A muted finding stays in the report with the reason. Score, badge
//! and gate stay as they are: a plan must not be able to praise itself.

use std::collections::HashMap;

use plan::{Field, Plan, Task};

use crate::code::{Code, Severity};
use crate::identity::own_text;
use crate::mend::{Fix, Mend};
use crate::report::{Finding, place_first};

/// The key, in a task and in the front matter.
const KEY: &str = "mute";

/// One line, read.
enum Line<'a> {
    Mutes(Code, &'a str),
    NoCode(&'a str),
    NoReason(&'a str),
}

fn read(value: &str) -> Line<'_> {
    let value = value.trim();
    let (name, reason) = value.split_once(char::is_whitespace).unwrap_or((value, ""));
    let name = name.trim_matches('`').trim_end_matches(':');
    let reason = reason.trim();
    match Code::from_name(name) {
        None => Line::NoCode(name),
        Some(_) if !reason.chars().any(char::is_alphanumeric) => Line::NoReason(name),
        Some(code) => Line::Mutes(code, reason),
    }
}

/// Marks the findings that the plan mutes.
pub(crate) fn mark(plan: &Plan, findings: &mut [Finding]) {
    let mut by_line: HashMap<u32, Vec<(Code, &str)>> = HashMap::new();
    let mut owner: HashMap<&str, Vec<u32>> = HashMap::new();
    for task in plan.tasks.iter().filter(|task| !task.fields.is_empty()) {
        for value in task.values(KEY) {
            if let Line::Mutes(code, reason) = read(value) {
                by_line.entry(task.line).or_default().push((code, reason));
                owner.entry(task.id.as_str()).or_default().push(task.line);
            }
        }
    }
    let whole: Vec<(Code, &str)> = plan
        .front
        .mute
        .iter()
        .filter_map(|value| match read(value) {
            Line::Mutes(code, reason) => Some((code, reason)),
            Line::NoCode(_) | Line::NoReason(_) => None,
        })
        .collect();
    if by_line.is_empty() && whole.is_empty() {
        return;
    }
    for finding in findings {
        let lines: &[(Code, &str)] = match &finding.task {
            None => &whole,
            // Of two tasks that share an id, the one whose line it is; else the only one.
            Some(id) => {
                let lines = owner.get(id.as_str()).map_or(&[][..], Vec::as_slice);
                let line = lines
                    .iter()
                    .rev()
                    .find(|line| **line <= finding.line)
                    .or(lines.first());
                line.and_then(|line| by_line.get(line))
                    .map_or(&[][..], Vec::as_slice)
            }
        };
        let reason = lines.iter().find(|(code, _)| *code == finding.code);
        if finding.code != Code::MuteIncomplete {
            finding.muted = reason.map(|(_, reason)| (*reason).to_owned());
        }
    }
}

/// One finding for each line that mutes nothing.
pub(crate) fn findings(plan: &Plan) -> Vec<Finding> {
    let mut findings = Vec::new();
    for task in plan.tasks.iter().filter(|task| !task.fields.is_empty()) {
        for field in task.fields.iter().filter(|field| field.key == KEY) {
            if let Some(lack) = lack(&field.value) {
                findings.push(of_task(task, field, &lack));
            }
        }
    }
    for value in &plan.front.mute {
        if let Some(lack) = lack(value) {
            let message = format!("A `mute:` of the plan {lack}.");
            findings.push(
                Finding::of_plan(plan, value, Code::MuteIncomplete, Severity::Info).saying(message),
            );
        }
    }
    findings
}

fn lack(value: &str) -> Option<String> {
    match read(value) {
        Line::Mutes(..) => None,
        Line::NoCode(name) => Some(format!(
            "names “{name}”, which is no code, and mutes nothing: write the code of a finding, then the reason"
        )),
        Line::NoReason(name) => Some(format!(
            "says `{name}` without a reason and mutes nothing: write behind it why"
        )),
    }
}

fn of_task(task: &Task, field: &Field, lack: &str) -> Finding {
    let message = format!("{} has a `mute:` that {lack}.", place_first(task));
    let mut finding = Finding::on(task, own_text(task), Code::MuteIncomplete, Severity::Info)
        .saying(message)
        .at(field.value_span.clone());
    finding.line = field.line;
    let rest: Vec<String> = task
        .values(KEY)
        .filter(|value| matches!(read(value), Line::Mutes(..)))
        .map(str::to_owned)
        .collect();
    finding.mended_by([Fix::of(
        "Take the line away",
        Mend::SetValues {
            task: task.id.clone(),
            key: KEY.to_owned(),
            values: rest,
        },
    )])
}

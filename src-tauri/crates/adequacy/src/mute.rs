//! Muted findings: `mute:` lines and their effect.
//!
//! A task's line `- mute: CODE REASON` mutes its findings with that code; `mute:` in the front
//! matter mutes those about the plan as a whole. A muted finding stays in the report together with
//! the reason. Muting doesn't affect score, badge or gate, because a plan must not be able to
//! improve its own rating.

use std::collections::HashMap;

use plan::{Field, Plan, Task};

use crate::code::{Code, Severity};
use crate::identity::own_text;
use crate::mend::{Fix, Mend};
use crate::report::{Finding, place_first};

/// The key of mute lines, in a task or in the front matter.
const KEY: &str = "mute";

/// A parsed `mute:` line.
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
    type Reasons<'a> = HashMap<Code, &'a str>;
    let mut by_line: HashMap<u32, Reasons<'_>> = HashMap::new();
    let mut owner: HashMap<&str, Vec<u32>> = HashMap::new();
    for task in plan.tasks.iter().filter(|task| !task.fields.is_empty()) {
        for value in task.values(KEY) {
            if let Line::Mutes(code, reason) = read(value) {
                let reasons = by_line.entry(task.line).or_default();
                if reasons.is_empty() {
                    owner.entry(task.id.as_str()).or_default().push(task.line);
                }
                reasons.entry(code).or_insert(reason);
            }
        }
    }
    let mut whole = Reasons::new();
    for value in &plan.front.mute {
        if let Line::Mutes(code, reason) = read(value) {
            whole.entry(code).or_insert(reason);
        }
    }
    let none = Reasons::new();
    if by_line.is_empty() && whole.is_empty() {
        return;
    }
    for finding in findings {
        let reasons = match &finding.task {
            None => &whole,
            // If several tasks share the id, the one on the finding's line is meant.
            Some(id) => {
                let lines = owner.get(id.as_str()).map_or(&[][..], Vec::as_slice);
                let after = lines.partition_point(|line| *line <= finding.line);
                let line = lines.get(after.saturating_sub(1));
                line.and_then(|line| by_line.get(line)).unwrap_or(&none)
            }
        };
        if finding.code != Code::MuteIncomplete {
            let reason = reasons.get(&finding.code);
            finding.muted = reason.map(|reason| (*reason).to_owned());
        }
    }
}

/// Maximum number of separate findings for one task or the plan.
const MAX_FINDINGS: usize = 50;

/// One finding for each `mute:` line that has no effect; the last finding says how many more there
/// are.
pub(crate) fn findings(plan: &Plan) -> Vec<Finding> {
    let mut findings = Vec::new();
    for task in plan.tasks.iter().filter(|task| !task.fields.is_empty()) {
        let fields = task.fields.iter().filter(|field| field.key == KEY);
        let lacking: Vec<_> = fields
            .filter_map(|field| Some((field, lack(&field.value)?)))
            .collect();
        let own = lacking.iter().take(MAX_FINDINGS);
        findings.extend(own.map(|(field, lack)| of_task(task, field, lack)));
        add_overflow_count(&mut findings, lacking.len());
    }
    let lacking: Vec<_> = plan
        .front
        .mute
        .iter()
        .filter_map(|value| Some((value, lack(value)?)))
        .collect();
    findings.extend(lacking.iter().take(MAX_FINDINGS).map(|(value, lack)| {
        let message = format!("A `mute:` line in the plan {lack}.");
        Finding::for_plan(plan, value, Code::MuteIncomplete, Severity::Info).with_message(message)
    }));
    add_overflow_count(&mut findings, lacking.len());
    findings
}

fn add_overflow_count(findings: &mut [Finding], count: usize) {
    if let (Some(last), Some(more @ 1..)) = (findings.last_mut(), count.checked_sub(MAX_FINDINGS)) {
        last.message = format!("{} ({more} more like this)", last.message);
    }
}

fn lack(value: &str) -> Option<String> {
    match read(value) {
        Line::Mutes(..) => None,
        Line::NoCode(name) => Some(format!(
            "mutes nothing, because “{name}” is not a code: write the code of a finding, then the reason"
        )),
        Line::NoReason(name) => Some(format!(
            "mutes nothing, because `{name}` has no reason: write the reason after it"
        )),
    }
}

fn of_task(task: &Task, field: &Field, lack: &str) -> Finding {
    let message = format!("{} has a `mute:` that {lack}.", place_first(task));
    let mut finding = Finding::for_task(task, own_text(task), Code::MuteIncomplete, Severity::Info)
        .with_message(message)
        .at(field.value_span.clone());
    finding.line = field.line;
    let rest: Vec<String> = task
        .values(KEY)
        .filter(|value| matches!(read(value), Line::Mutes(..)))
        .map(str::to_owned)
        .collect();
    finding.with_fixes([Fix::of(
        "Remove the line",
        Mend::SetValues {
            task: task.id.clone(),
            key: KEY.to_owned(),
            values: rest,
        },
    )])
}

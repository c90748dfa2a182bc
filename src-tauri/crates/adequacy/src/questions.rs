//! What to ask the person about a finding.
//!
//! Asked only where the answer cannot be read from the plan. Few at a time, see [`keep_few`]: a
//! list of questions is a form, and forms are not read.

use std::cmp::Reverse;
use std::collections::HashSet;

use plan::Task;

use crate::code::{Code, Severity};
use crate::danger::destructive_phrase;
use crate::reading::Reading;
use crate::report::{Finding, place, quoted};
use crate::text::TaskText;
use crate::vague::vague;

/// Gives at most one question to a task and eight to a report, the most urgent first. A rule may have
/// written its question already; one too many is taken away again.
pub(crate) fn keep_few(reading: &Reading<'_>, findings: &mut [Finding]) {
    const MOST: usize = 8;
    let has_question = |finding: &Finding| {
        finding.question.is_some()
            || (urgency(finding.code) > 0 && finding.severity != Severity::Info)
    };
    let mut order: Vec<usize> = (0..findings.len())
        .filter(|index| has_question(&findings[*index]))
        .collect();
    order.sort_by_key(|index| Reverse(urgency(findings[*index].code)));
    let mut kept = 0;
    let mut asked = HashSet::new();
    for index in order {
        let written = findings[index].question.take();
        if kept == MOST {
            continue;
        }
        let Some(task) = task_of(reading, &findings[index]) else {
            // About the plan as a whole: such questions are few by themselves.
            kept += usize::from(written.is_some());
            findings[index].question = written;
            continue;
        };
        if asked.insert(task.line) {
            findings[index].question = written.or_else(|| {
                let text = TaskText::of(task);
                question(findings[index].code, task, &text, reading.goal)
            });
            kept += 1;
        }
    }
}

fn task_of<'a>(reading: &Reading<'a>, finding: &Finding) -> Option<&'a Task> {
    let tasks = &reading.plan.tasks;
    let first = &tasks[reading.index_of(finding.task.as_ref()?.as_str())?];
    // Two tasks may share an id; the line tells them apart.
    if first.line == finding.line {
        Some(first)
    } else {
        tasks.iter().find(|task| task.line == finding.line)
    }
}

/// Which of two questions is asked first; 0 where there is nothing to ask.
pub(crate) fn urgency(code: Code) -> u8 {
    match code {
        Code::RiskDestructive => 3,
        Code::DepsIncompleteOrOrder => 2,
        Code::VagueShort | Code::VaguePhrase | Code::TbdPlaceholder => 1,
        _ => 0,
    }
}

/// The question about one finding of a task.
pub(crate) fn question(
    code: Code,
    task: &Task,
    text: &TaskText,
    goal: Option<&str>,
) -> Option<String> {
    let (place, title) = (place(task), quoted(&task.title));
    match code {
        Code::RiskDestructive => {
            let phrase = quoted(text.actions().into_iter().find_map(destructive_phrase)?);
            Some(format!(
                "What exactly may {phrase} in {place} touch, and what brings it back if that was wrong?"
            ))
        }
        Code::DepsIncompleteOrOrder => {
            let named: Vec<&str> = task
                .depends
                .iter()
                .flatten()
                .map(|id| id.as_str())
                .collect();
            Some(format!(
                "Which steps must be finished before {place} ({title}) can start? It names {}.",
                named.join(", ")
            ))
        }
        Code::VagueShort => Some(format!(
            "Which files or behaviour does {place} ({title}) change, and how will you see that it is done?"
        )),
        Code::VaguePhrase => {
            let phrase = vague(text, goal)?;
            Some(format!(
                "What exactly does “{phrase}” stand for in {place} ({title}): which files, interfaces or \
                 results?"
            ))
        }
        Code::TbdPlaceholder => Some(format!(
            "What belongs in place of “TBD” in {place} ({title})?"
        )),
        _ => None,
    }
}

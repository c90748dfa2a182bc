//! Questions for the person about findings.
//!
//! A question is asked only if the plan doesn't contain the answer. [`limit_questions`] keeps only
//! a few of them, because nobody reads a long form.

use std::cmp::Reverse;
use std::collections::HashSet;

use plan::Task;

use crate::code::{Code, Severity};
use crate::danger::destructive_phrase;
use crate::plan_context::PlanContext;
use crate::report::{Finding, place, quoted};
use crate::task_text::TaskText;
use crate::vague::vague;

/// Gives questions to the most urgent findings, at most one per task and eight per report. Removes
/// all other questions, including those set by rules.
pub(crate) fn limit_questions(context: &PlanContext<'_>, findings: &mut [Finding]) {
    const MAX_QUESTIONS: usize = 8;
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
        if kept == MAX_QUESTIONS {
            continue;
        }
        let Some(task) = task_of(context, &findings[index]) else {
            // There are few questions about the plan as a whole, so they aren't limited to one.
            kept += usize::from(written.is_some());
            findings[index].question = written;
            continue;
        };
        if asked.insert(task.line) {
            findings[index].question = written.or_else(|| {
                let text = TaskText::of(task);
                question(findings[index].code, task, &text, context.goal)
            });
            kept += 1;
        }
    }
}

fn task_of<'a>(context: &PlanContext<'a>, finding: &Finding) -> Option<&'a Task> {
    let tasks = &context.plan.tasks;
    let first = &tasks[context.index_of(finding.task.as_ref()?.as_str())?];
    // Several tasks may share an id; the line distinguishes them.
    if first.line == finding.line {
        Some(first)
    } else {
        tasks.iter().find(|task| task.line == finding.line)
    }
}

/// The priority of a question; 0 if the finding has no question.
pub(crate) fn urgency(code: Code) -> u8 {
    match code {
        Code::RiskDestructive => 3,
        Code::DepsIncompleteOrOrder => 2,
        Code::VagueShort | Code::VaguePhrase | Code::TbdPlaceholder => 1,
        _ => 0,
    }
}

/// The question about a finding of a task.
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
                "What exactly may {phrase} in {place} affect, and how can it be restored?"
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
                "Which steps does {place} ({title}) depend on? It names {}.",
                named.join(", ")
            ))
        }
        Code::VagueShort => Some(format!(
            "Which files or behavior does {place} ({title}) change, and how will you check it?"
        )),
        Code::VaguePhrase => {
            let phrase = vague(text, goal)?;
            Some(format!(
                "What exactly does “{phrase}” mean in {place} ({title}): which files, interfaces or \
                 results?"
            ))
        }
        Code::TbdPlaceholder => Some(format!("What should replace “TBD” in {place} ({title})?")),
        _ => None,
    }
}

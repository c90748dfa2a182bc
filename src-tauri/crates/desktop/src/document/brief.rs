//! A hand-off brief for one step, for another agent or a colleague. It contains everything needed
//! to carry out this step and nothing about later ones.

use std::fmt::Write as _;

use plan::{Task, TaskId};

use super::parsed::ParsedPlan;
use super::rows::cut;

/// Maximum finished steps listed; the most recent ones are kept.
const MAX_BEFORE: usize = 20;

/// Maximum characters in the line about a finished step.
const MAX_LINE_LEN: usize = 160;

/// Writes the brief of one step as Markdown.
pub(super) fn brief(parsed: &ParsedPlan, index: usize) -> Option<String> {
    let plan = &parsed.plan;
    let task = plan.tasks.get(index)?;
    let mut out = format!("# {} {}\n", task.id, task.title);
    if let Some(goal) = plan.goal() {
        part(&mut out, "Goal of the plan", [goal.trim()]);
    }
    let lines = parsed.text().get(task.span.clone()).unwrap_or_default();
    part(&mut out, "The step as planned", [fenced(lines).as_str()]);
    let around = std::iter::successors(task.parent, |at| plan.tasks[*at].parent);
    let around: Vec<String> = around.map(|at| titled(&plan.tasks[at])).collect();
    list(&mut out, "Part of", &around);
    let covered = plan.requirements.iter();
    let covered: Vec<String> = covered
        .filter(|one| task.covers.contains(&one.id))
        .map(|one| format!("{}: {}", one.id, one.text))
        .collect();
    list(&mut out, "Requirements", &covered);
    list(&mut out, "Decisions taken", &decisions(parsed, index));
    list(&mut out, "Earlier steps", &before(parsed, index));
    list(&mut out, "Files", &coded(&task.files));
    list(&mut out, "Acceptance criteria", &task.accept);
    list(&mut out, "Checks", &coded(&task.verify));
    let mut rules = vec!["Do only this step; leave everything else as it is.".to_owned()];
    if !task.files.is_empty() {
        rules.push(
            "Change only the files named above; if another file must change, say so first."
                .to_owned(),
        );
    }
    rules.push(match task.verify.is_empty() {
        true => "Verify your work and say how you verified it.".to_owned(),
        false => "Run the checks above; the step is done when they succeed.".to_owned(),
    });
    rules.push("Don't edit the plan. Report what you changed, file by file, the results of the checks, and what remains open.".to_owned());
    list(&mut out, "Rules", &rules);
    Some(out)
}

fn part<'a>(out: &mut String, heading: &str, lines: impl IntoIterator<Item = &'a str>) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "\n## {heading}\n");
    for line in lines {
        let _ = writeln!(out, "{line}");
    }
}

fn list(out: &mut String, heading: &str, items: &[String]) {
    if items.is_empty() {
        return;
    }
    let items: Vec<String> = items.iter().map(|item| format!("- {item}")).collect();
    part(out, heading, items.iter().map(String::as_str));
}

fn coded(values: &[String]) -> Vec<String> {
    values.iter().map(|value| format!("`{value}`")).collect()
}

fn titled(task: &Task) -> String {
    format!("{} {}", task.id, cut(&task.title, MAX_LINE_LEN))
}

/// Fences the text with more backticks than any run in it.
fn fenced(text: &str) -> String {
    let longest = text
        .split(|c: char| c != '`')
        .map(str::len)
        .max()
        .unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}markdown\n{text}\n{fence}")
}

/// The answers to decisions that the step depends on.
fn decisions(parsed: &ParsedPlan, index: usize) -> Vec<String> {
    let plan = &parsed.plan;
    let asked = parsed.graph().decisions_before(index);
    let ids: Vec<&TaskId> = asked.iter().map(|at| &plan.tasks[*at].id).collect();
    let taken = plan
        .decisions
        .iter()
        .filter(|taken| ids.contains(&&taken.task));
    taken
        .filter_map(|taken| {
            let answer = taken.answer.as_deref()?;
            let asked = plan
                .task(&taken.task)
                .map_or("", |task| task.title.as_str());
            Some(format!(
                "{}: {} → {answer}",
                taken.task,
                cut(asked, MAX_LINE_LEN)
            ))
        })
        .collect()
}

/// The last finished or skipped steps before this one, one line each.
fn before(parsed: &ParsedPlan, index: usize) -> Vec<String> {
    let above = parsed.plan.tasks[..index].iter().rev();
    let mut lines: Vec<String> = above
        .filter(|task| !task.is_group())
        .filter_map(|task| match &task.skipped {
            Some(why) => Some(format!(
                "{} (skipped: {})",
                titled(task),
                cut(why, MAX_LINE_LEN)
            )),
            None => task.done.then(|| titled(task)),
        })
        .take(MAX_BEFORE)
        .collect();
    lines.reverse();
    lines
}

//! `base_outdated`: steps that name a file that has changed since the plan was written. Changes
//! made by completed earlier steps of the same plan don't count.

use std::collections::HashSet;

use crate::code::{Code, Severity};
use crate::plan_context::{PlanContext, paths};
use crate::report::{Finding, place_first};
use crate::spans::words_at;

/// One finding for each open step that names a changed file.
pub(crate) fn findings(context: &PlanContext<'_>) -> Vec<Finding> {
    let changed = &context.input.facts.changed;
    if changed.is_empty() {
        return Vec::new();
    }
    let mut own: HashSet<&str> = HashSet::new();
    let mut findings = Vec::new();
    for step in &context.steps {
        if step.task.done {
            own.extend(paths(step.task).map(tidy));
            continue;
        }
        if step.task.skipped.is_some() {
            continue;
        }
        let mut outdated = paths(step.task)
            .filter(|path| !own.contains(tidy(path)))
            .filter_map(|path| Some((path, changed.get(tidy(path))?)));
        let Some((path, since)) = outdated.next() else {
            continue;
        };
        let more = match outdated.count() {
            0 => String::new(),
            more => format!(" (and {more} more)"),
        };
        let finding = Finding::for_task(
            step.task,
            step.text.identity(),
            Code::BaseOutdated,
            Severity::Minor,
        );
        findings.push(
            finding
                .with_message(format!(
                    "{} works on `{path}`{more}, which changed {since}: check that the step still applies.",
                    place_first(step.task)
                ))
                .at(words_at(step.task, path)),
        );
    }
    findings
}

fn tidy(path: &str) -> &str {
    path.trim().trim_start_matches("./")
}

//! `base_outdated`: steps that name a file which changed since the plan was written. What an earlier
//! step of this plan changed, and has been ticked for, is as the plan wants it.

use std::collections::HashSet;

use crate::code::{Code, Severity};
use crate::places::words_at;
use crate::reading::{Reading, paths};
use crate::report::{Finding, place_first};

/// One finding for each open step that names such a file.
pub(crate) fn findings(reading: &Reading<'_>) -> Vec<Finding> {
    let changed = &reading.input.facts.changed;
    if changed.is_empty() {
        return Vec::new();
    }
    let mut own: HashSet<&str> = HashSet::new();
    let mut findings = Vec::new();
    for step in &reading.steps {
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
            more => format!(" (and {more} more of its files)"),
        };
        let finding = Finding::on(
            step.task,
            step.text.identity(),
            Code::BaseOutdated,
            Severity::Minor,
        );
        findings.push(
            finding
                .saying(format!(
                    "{} works on `{path}`{more}, which changed {since}: look whether the step still fits.",
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

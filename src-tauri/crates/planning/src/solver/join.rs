//! Joins several lists of steps: renumbers them, removes duplicate searches and reads, and merges
//! the final checks.

use std::collections::BTreeMap;

use super::simulate::{calls, is_change};
use crate::template::Step;

const DEPENDS: &str = "  - depends: ";
const COVERS: &str = "  - covers: ";

/// The steps of several lists, one list after another. The final steps that only inspect and test
/// are merged into one step that depends on all others and covers `tested`, the requirements that
/// ask for tests.
pub(super) fn joined(lists: Vec<Vec<Step>>, tested: &[String]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut checks: Vec<Step> = Vec::new();
    let mut counts: BTreeMap<char, usize> = BTreeMap::new();
    for mut list in lists {
        if list.last().is_some_and(is_check) {
            checks.extend(list.pop());
        }
        let before = last_steps(&steps);
        // Maps old ids to new ones; the id of a duplicate step maps to that of the existing step.
        let mut ids: BTreeMap<String, String> = BTreeMap::new();
        let mut own: Vec<String> = Vec::new();
        for mut step in list {
            let old = step.id.clone();
            let known = steps.iter().find(|known| is_same_look(known, &step));
            if let Some(known) = known {
                ids.insert(old, known.id.clone());
                continue;
            }
            step.id = next_id(&old, &mut counts);
            let mut waits: Vec<String> = references(&step)
                .iter()
                .filter_map(|id| ids.get(id).cloned())
                .collect();
            if !waits.iter().any(|id| own.contains(id)) {
                waits.retain(|id| !before.contains(id));
                waits.splice(0..0, before.iter().cloned());
            }
            set(&mut step, DEPENDS, &waits);
            own.push(step.id.clone());
            ids.insert(old, step.id.clone());
            steps.push(step);
        }
    }
    if let Some(check) = merged_check(checks, tested) {
        let mut check = check;
        check.id = next_id("T", &mut counts);
        set(&mut check, DEPENDS, &last_steps(&steps));
        steps.push(check);
    }
    steps
}

fn next_id(old: &str, counts: &mut BTreeMap<char, usize>) -> String {
    let letter = old.chars().next().unwrap_or('T');
    let count = counts.entry(letter).or_default();
    *count += 1;
    format!("{letter}{count}")
}

/// The steps that no other step depends on.
fn last_steps(steps: &[Step]) -> Vec<String> {
    let waited: Vec<String> = steps.iter().flat_map(references).collect();
    let ids = steps.iter().map(|step| step.id.clone());
    ids.filter(|id| !waited.contains(id)).collect()
}

fn references(step: &Step) -> Vec<String> {
    let lines = step.lines.iter();
    let lists = lines.filter_map(|line| line.strip_prefix(DEPENDS));
    lists
        .flat_map(|list| list.split(", ").map(str::to_owned))
        .collect()
}

/// Replaces a list field, or adds it at the top; removes it if there are no values.
fn set(step: &mut Step, field: &str, values: &[String]) {
    let place = step.lines.iter().position(|line| line.starts_with(field));
    step.lines.retain(|line| !line.starts_with(field));
    if !values.is_empty() {
        let actor = usize::from(
            step.lines
                .first()
                .is_some_and(|line| line == "  - by: person"),
        );
        let at = place.unwrap_or(actor).min(step.lines.len());
        step.lines
            .insert(at, format!("{field}{}", values.join(", ")));
    }
}

fn has(step: &Step, field: &str) -> bool {
    step.lines.iter().any(|line| line.starts_with(field))
}

/// Whether a step only inspects the workspace, to gather information or check something.
fn only_looks(step: &Step) -> bool {
    let is_of_person = has(step, "  - by: person") || has(step, "  - type: ");
    !is_of_person && !calls(step).any(|call| is_change(&call)) && !has(step, "  - files: ")
}

fn is_check(step: &Step) -> bool {
    let tests = has(step, "  - verify: ") || has(step, "  - call: `run_command");
    only_looks(step)
        && has(step, DEPENDS)
        && (tests || has(step, "  - call: `search_files"))
        && !has(step, COVERS)
}

fn is_same_look(known: &Step, step: &Step) -> bool {
    let is_look = |step: &Step| {
        let mut all = calls(step).peekable();
        all.peek().is_some() && !all.any(|call| is_change(&call)) && !has(step, COVERS)
    };
    let looks = |step: &Step| -> Vec<String> {
        let lines = step.lines.iter();
        lines
            .filter(|line| line.starts_with("  - call: "))
            .cloned()
            .collect()
    };
    known.title == step.title && is_look(known) && is_look(step) && looks(known) == looks(step)
}

/// Merges all checks into one step.
fn merged_check(checks: Vec<Step>, tested: &[String]) -> Option<Step> {
    let mut checks = checks.into_iter();
    let mut one = checks.next()?;
    for check in checks {
        "Check that the project works after all changes".clone_into(&mut one.title);
        for line in check.lines {
            if !one.lines.contains(&line)
                && !line.starts_with(DEPENDS)
                && !line.starts_with("  - complexity: ")
            {
                one.lines.push(line);
            }
        }
    }
    let order = |line: &String| match line {
        line if line.starts_with(DEPENDS) => 0,
        line if line.starts_with("  - call: ") => 1,
        line if line.starts_with("  - complexity: ") => 2,
        _ => 3,
    };
    one.lines.sort_by_key(order);
    // The test commands run only once, as the step's verification.
    let proofs: Vec<String> = one
        .lines
        .iter()
        .filter_map(|line| line.strip_prefix("  - verify: `")?.strip_suffix('`'))
        .map(str::to_owned)
        .collect();
    one.lines.retain(|line| {
        let is_run_twice = |proof: &String| {
            let command = serde_json::Value::String(proof.clone());
            line.starts_with("  - call: `run_command") && line.contains(&command.to_string())
        };
        !proofs.iter().any(is_run_twice)
    });
    set(&mut one, COVERS, tested);
    Some(one)
}

//! Checks ticks after a merge: a box stays ticked only if a side had ticked a step with exactly
//! that text, since a tick doesn't apply to a different wording.

use std::collections::BTreeSet;

use super::Merged;
use crate::coverage;
use crate::model::Plan;
use crate::parse::parse;

/// Clears the boxes of steps that neither side had ticked with their current wording, and
/// of their groups.
pub(super) fn keep_valid(merged: &mut Merged, sides: [&str; 2]) {
    let (plan, _) = parse(&merged.text);
    if !plan.tasks.iter().any(|task| task.done) {
        return;
    }
    let given: BTreeSet<String> = sides
        .into_iter()
        .flat_map(|text| {
            let (plan, _) = parse(text);
            ticked(&plan)
                .map(|index| step(text, &plan, index))
                .collect::<Vec<_>>()
        })
        .collect();
    let mut open = BTreeSet::new();
    for index in ticked(&plan) {
        if given.contains(&step(&merged.text, &plan, index)) {
            continue;
        }
        let mut at = Some(index);
        while let Some(index) = at {
            open.insert(index);
            at = plan.tasks[index].parent;
        }
    }
    for task in open.into_iter().map(|index| &plan.tasks[index]) {
        // Keep the number of bytes, so that the offsets of conflicts stay valid.
        if task.done && !task.box_span.is_empty() {
            let blanks = " ".repeat(task.box_span.len());
            merged.text.replace_range(task.box_span.clone(), &blanks);
        }
    }
    for conflict in &mut merged.conflicts {
        if let Some(now) = merged.text.get(conflict.place.clone()) {
            now.clone_into(&mut conflict.theirs);
        }
    }
}

fn ticked(plan: &Plan) -> impl Iterator<Item = usize> {
    plan.leaves()
        .filter(|(_, task)| task.done)
        .map(|(index, _)| index)
}

/// The approved content of a step's own lines, without its id, which a merge may change.
fn step(text: &str, plan: &Plan, index: usize) -> String {
    let own = coverage::own_text(text, plan, index);
    match &plan.tasks[index].id_span {
        Some(id) => own.replacen(&text[id.clone()], "", 1),
        None => own,
    }
}

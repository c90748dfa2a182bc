//! Combines the dependencies of two tasks that are merged.

use std::collections::BTreeSet;

use crate::edit::EditError;
use crate::edit::content::{PlanContent, apply_first_matching};
use crate::edit::dependencies::TaskIndex;
use crate::edit::draft::Draft;
use crate::edit::outline::subtree_end;
use crate::edit::references::{Renames, rename_records as splices_of, rename_records_in, without};
use crate::inline::{is_nothing, references};
use crate::model::Plan;

const KEY: &str = "depends";

/// The dependencies of the merged task.
#[derive(Debug)]
pub(super) struct MergedDepends {
    /// The second task's dependencies to keep, one entry per line.
    second: Vec<String>,
    /// The indexes of other tasks that have to be listed.
    pub(super) missing: Vec<usize>,
    /// Ids to remove from the first task's own lines.
    dropped: BTreeSet<String>,
    /// Whether the first task has a `depends:`.
    is_said: bool,
}

/// Combines the dependencies of two tasks.
pub(super) fn joined(plan: &Plan, first: usize, second: usize) -> MergedDepends {
    let names = TaskIndex::of(plan);
    let (kept, gone) = (&plan.tasks[first], &plan.tasks[second]);
    // The merged task must not wait for its own parts, or for a group that contains it.
    let mut own: BTreeSet<usize> = (first..subtree_end(plan, first)).collect();
    let goes: BTreeSet<usize> = (second..subtree_end(plan, second)).collect();
    own.extend(&goes);
    let mut around = kept.parent;
    while let Some(group) = around {
        own.insert(group);
        around = plan.tasks[group].parent;
    }
    let is_own = |id: &str| names.at(id).is_some_and(|at| own.contains(&at));
    let said = kept.depends.as_deref().unwrap_or_default();
    let dropped: BTreeSet<String> = said
        .iter()
        .filter(|id| is_own(id.as_str()))
        .map(|id| id.0.clone())
        .collect();
    let second_says: Vec<String> = gone
        .values(KEY)
        .filter(|value| !is_nothing(value))
        .filter_map(|value| without(value, is_own))
        .filter_map(|value| without(&value, |id| said.iter().any(|known| known.as_str() == id)))
        .collect();
    let now = names.waits_for(plan, first);
    let mut missing = Vec::new();
    let waited_for_second = now.iter().any(|before| goes.contains(before));
    if kept.depends.is_none() && !second_says.is_empty() {
        missing.extend(now.iter().filter(|before| !own.contains(before)));
    }
    if waited_for_second && (kept.depends.is_some() || !second_says.is_empty()) {
        // It now waits directly for the tasks that it waited for through the second.
        let through = names.waits_for(plan, second).into_iter();
        missing.extend(through.filter(|before| !own.contains(before)));
    }
    let named: Vec<usize> = second_says
        .iter()
        .flat_map(|line| references(line))
        .filter_map(|id| names.at(&id))
        .collect();
    let is_said = |at: &usize| named.contains(at) || kept.depends.is_some() && now.contains(at);
    missing.retain(|at| !is_said(at));
    missing.dedup();
    MergedDepends {
        second: second_says,
        missing,
        dropped,
        is_said: kept.depends.is_some(),
    }
}

impl MergedDepends {
    /// The new lines of the first task's `depends:`; `None` if they don't change.
    pub(super) fn lines(&self, plan: &Plan, first: usize) -> Option<Vec<String>> {
        let is_same = self.second.is_empty() && self.missing.is_empty() && self.dropped.is_empty();
        if is_same || !self.is_said && self.second.is_empty() {
            return None;
        }
        let task = &plan.tasks[first];
        let own = task
            .values(KEY)
            .filter(|value| !is_nothing(value))
            .filter_map(|value| without(value, |id| self.dropped.contains(id)));
        let missing = self.missing.iter().map(|at| plan.tasks[*at].id.0.clone());
        let mut pieces: Vec<String> = own.chain(missing).collect();
        pieces.extend(self.second.iter().cloned());
        Some(match pieces.is_empty() {
            true => vec!["none".to_owned()],
            false => vec![pieces.join(", ")],
        })
    }
}

/// Renames tasks in the decision records.
pub(super) fn rename_records(
    draft: &mut Draft,
    plan: Plan,
    renames: &Renames,
) -> Result<Plan, EditError> {
    let splices = splices_of(&draft.text, &plan, renames);
    let mut expected = PlanContent::of(&draft.text, &plan);
    rename_records_in(&mut expected, renames);
    // Recorded answers are parsed using the labels of their decision, which may change.
    let unread = |plan_content: &mut PlanContent| {
        for (_, answer, detail) in &mut plan_content.decisions {
            *answer = None;
            detail.clear();
        }
    };
    apply_first_matching(draft, [splices], &expected, unread).ok_or_else(|| EditError::NoPosition {
        line: "## Decisions".to_owned(),
    })
}

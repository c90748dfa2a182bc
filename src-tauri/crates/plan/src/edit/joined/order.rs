//! What two tasks that become one wait for.

use std::collections::BTreeSet;

use crate::edit::EditError;
use crate::edit::draft::Draft;
use crate::edit::outline::subtree_end;
use crate::edit::portrait::{Portrait, first_that_reads};
use crate::edit::references::{Renames, rename_records as splices_of, rename_records_in, without};
use crate::edit::waiting::Names;
use crate::inline::{is_nothing, references};
use crate::model::Plan;

const KEY: &str = "depends";

/// What the joined task is to say.
#[derive(Debug)]
pub(super) struct Waits {
    /// What the second says, one piece a line, as far as it stays.
    second: Vec<String>,
    /// What has to be named besides, by index.
    pub(super) missing: Vec<usize>,
    /// Names that go from the first's own lines.
    dropped: BTreeSet<String>,
    /// Whether the first says anything.
    is_said: bool,
}

/// Works out what two tasks wait for together.
pub(super) fn joined(plan: &Plan, first: usize, second: usize) -> Waits {
    let names = Names::of(plan);
    let (kept, gone) = (&plan.tasks[first], &plan.tasks[second]);
    // Neither waits for the other, for what goes into it, or for a group that it stands in.
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
        // What it waited for through the second, it waits for itself.
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
    Waits {
        second: second_says,
        missing,
        dropped,
        is_said: kept.depends.is_some(),
    }
}

impl Waits {
    /// The lines of the first's `depends:`; `None` where they stay as they are.
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

/// Lets the record of a decision name another task.
pub(super) fn rename_records(
    draft: &mut Draft,
    plan: Plan,
    renames: &Renames,
) -> Result<Plan, EditError> {
    let splices = splices_of(&draft.text, &plan, renames);
    let mut expected = Portrait::of(&draft.text, &plan);
    rename_records_in(&mut expected, renames);
    // Answers are read by the labels of the decision that they are of.
    let unread = |portrait: &mut Portrait| {
        for (_, answer, detail) in &mut portrait.decisions {
            *answer = None;
            detail.clear();
        }
    };
    first_that_reads(draft, [splices], &expected, unread).ok_or_else(|| EditError::NoPlace {
        line: "## Decisions".to_owned(),
    })
}

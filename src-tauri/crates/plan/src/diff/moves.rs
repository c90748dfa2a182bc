//! Detects tasks that moved relative to the others.

use std::collections::BTreeMap;

use super::Pairs;
use crate::align::in_order;
use crate::model::Plan;

/// For each task of the later version, a description of where it moved; `None` if it stayed. A task
/// that only moved along with its group stayed.
pub(crate) fn moved(before: &Plan, after: &Plan, pairs: &Pairs) -> Vec<Option<String>> {
    let mut moved: Vec<Option<String>> = vec![None; after.tasks.len()];
    let mut families: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
    for (index, task) in after.tasks.iter().enumerate() {
        families.entry(task.parent).or_default().push(index);
    }
    for (parent, children) in &families {
        // Children that stayed under the same parent, with their positions.
        let mut stayed = Vec::new();
        for (place, child) in children.iter().enumerate() {
            let Some(old) = pairs.before[*child] else {
                continue;
            };
            let old_parent = before.tasks[old].parent;
            if old_parent.and_then(|old| pairs.after[old]) == *parent
                && old_parent.is_some() == parent.is_some()
            {
                stayed.push((place, old));
                continue;
            }
            moved[*child] = Some(match parent {
                Some(parent) => format!("moved under {}", after.tasks[*parent].id),
                None => "moved to the top level".to_owned(),
            });
        }
        let order: Vec<usize> = stayed.iter().map(|(_, old)| *old).collect();
        for ((place, _), is_in_order) in stayed.iter().zip(in_order(&order)) {
            if !is_in_order {
                moved[children[*place]] = Some(beside(after, children, *place));
            }
        }
    }
    moved
}

/// Describes a task's new position relative to its siblings.
fn beside(after: &Plan, siblings: &[usize], place: usize) -> String {
    let name = |place: usize| siblings.get(place).map(|index| &after.tasks[*index].id);
    match (place.checked_sub(1).and_then(name), name(place + 1)) {
        (Some(above), _) => format!("moved below {above}"),
        (None, Some(below)) => format!("moved above {below}"),
        (None, None) => "moved".to_owned(),
    }
}

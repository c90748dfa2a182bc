//! Which approvals move along with a write of the app's own.

use std::collections::BTreeMap;

use plan::TaskId;

/// The fingerprints that an edit of ours moved, of steps that were covered just before it.
pub(super) fn moved(
    covered: &BTreeMap<String, String>,
    before: &BTreeMap<TaskId, String>,
    after: &BTreeMap<TaskId, String>,
) -> BTreeMap<String, String> {
    after
        .iter()
        .filter(|(id, print)| {
            let approved = covered.get(id.as_str());
            approved.is_some() && approved == before.get(*id) && approved != Some(*print)
        })
        .map(|(id, print)| (id.0.clone(), print.clone()))
        .collect()
}

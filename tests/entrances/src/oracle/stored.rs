//! Compares the stored rows and the changes to files with the person's decisions.

use super::is_announced;
use crate::record::{Decision, Place, Record, StoredApproval, Verdict, hash};

/// The violations, one sentence each.
pub(super) fn judge(record: &Record) -> Vec<String> {
    let mut violations = Vec::new();
    let mut used = vec![false; record.decisions.len()];
    for row in &record.approvals {
        let mut decisions = record.decisions.iter().enumerate();
        let found = decisions.find(|(at, one)| !used[*at] && is_stored_as(one, row));
        match found {
            Some((at, _)) => used[at] = true,
            None => violations.push(format!(
                "an approval of {} at {} was stored that nobody gave (run {:?}, up to {:?})",
                row.plan, row.revision, row.run, row.upto
            )),
        }
    }
    for (at, one) in record.decisions.iter().enumerate() {
        let is_approval = matches!(one.verdict, Verdict::Approve { .. });
        if is_approval && one.is_accepted && one.place == Place::Window && !used[at] {
            violations.push(format!("decision {at} was accepted, but isn't stored"));
        }
    }
    for run in &record.runs {
        let is_its = |row: &&StoredApproval| {
            row.run.as_ref() == Some(&run.id)
                && row.plan == run.plan
                && row.revision == run.revision
        };
        if record.approvals.iter().filter(is_its).count() != 1 {
            violations.push(format!("run {} of {} wasn't approved", run.id, run.plan));
        }
    }
    for changed in &record.changed {
        let approved = record
            .runs
            .iter()
            .filter(|run| changed.runs.contains(&run.id));
        let texts = approved.flat_map(|run| {
            let decisions = record.decisions.iter();
            decisions.filter(|one| hash(&one.text) == run.revision)
        });
        if !{ texts }.any(|one| is_announced(&one.text, changed)) {
            violations.push(format!(
                "{} changed, and no approved run says so: {:?}",
                changed.path, changed.now
            ));
        }
    }
    let lost = record.written.iter().filter(|(_, is_there)| !**is_there);
    violations.extend(lost.map(|(text, _)| format!("a text of the person is lost: {text:?}")));
    let lost = record.lost.iter();
    violations.extend(lost.map(|words| format!("words of the person are lost: {words:?}")));
    violations
}

/// Whether a stored approval matches the person's decision.
fn is_stored_as(decision: &Decision, row: &StoredApproval) -> bool {
    let Verdict::Approve { run, upto } = &decision.verdict else {
        return false;
    };
    let may_be = match decision.place {
        Place::Window => decision.is_accepted,
        // Over ACP, only if the file still has the content that was shown.
        Place::Editor => decision.file.as_ref() == Some(&decision.shown),
    };
    may_be
        && decision.plan == row.plan
        && hash(&decision.text) == row.revision
        && *run == row.run.is_some()
        && *upto == row.upto
}

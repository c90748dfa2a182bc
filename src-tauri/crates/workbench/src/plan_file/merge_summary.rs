//! Describes a merge's side effects: tasks that got a new ID, and moves that only one side could
//! keep.

use plan::merge::Merged;
use store::RevisionEvent;

use super::reader::MERGED;

/// Maximum number of tasks listed by name per kind; the others are counted.
const MAX_NAMED: usize = 5;

/// Describes a merge's side effects in sentences; `None` if there were none. In `merged`, `ours` is
/// this program's side, whichever came first.
pub fn summarize_merge(merged: &Merged) -> Option<String> {
    let renamed = merged.renamed.iter().map(|(old, new)| {
        format!("{old} is now {new}, because the other version added {old} too.")
    });
    let moved = merged.moved_twice.iter().map(|task| {
        format!("{task} was moved in both versions; the other version's position was kept.")
    });
    let mut sentences: Vec<String> = renamed.take(MAX_NAMED).collect();
    sentences.extend(moved.take(MAX_NAMED));
    let all = merged.renamed.len() + merged.moved_twice.len();
    match all - sentences.len() {
        0 => {}
        1 => sentences.push("1 more change like this.".to_owned()),
        more => sentences.push(format!("{more} more changes like this.")),
    }
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// Appends a merge's side effects to a reason.
pub fn reason(words: &str, summary: Option<&str>) -> String {
    match summary {
        Some(summary) => format!("{words}. {summary}"),
        None => words.to_owned(),
    }
}

/// Whether a revision is the merge of a stale save.
pub fn is_merge(event: &RevisionEvent) -> bool {
    event.reason.starts_with(MERGED)
}

/// The side effects of a recorded merge, in sentences; `None` if there were none or the event is no
/// merge.
pub fn merge_summary(event: &RevisionEvent) -> Option<&str> {
    event.reason.strip_prefix(MERGED)?.strip_prefix(". ")
}

#[cfg(test)]
mod tests {
    use plan::TaskId;

    use super::*;

    #[test]
    fn a_merge_of_lines_has_nothing_to_tell_and_many_new_ids_are_counted() {
        let id = |at: usize| TaskId(format!("T{at}"));
        let mut merged = Merged::default();
        assert_eq!(summarize_merge(&merged), None);
        merged.moved_twice = vec![id(3)];
        let moved = "T3 was moved in both versions; the other version's position was kept.";
        assert_eq!(summarize_merge(&merged).as_deref(), Some(moved));
        merged.renamed = (1..=7).map(|at| (id(at), id(at + 10))).collect();
        let all = summarize_merge(&merged).unwrap_or_default();
        assert!(
            all.starts_with("T1 is now T11, because the other version added T1 too. T2 is now T12")
        );
        assert!(all.ends_with(&format!("{moved} 2 more changes like this.")));
        assert!(!all.contains("T6"));
    }
}

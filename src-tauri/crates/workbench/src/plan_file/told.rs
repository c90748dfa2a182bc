//! Describes a merge's side effects: tasks that got a new ID, and moves that only one side could
//! keep.

use plan::merge::Merged;
use store::RevisionEvent;

use super::found::MERGED;

/// Maximum number of tasks listed by name per kind; the others are counted.
const MAX_NAMED: usize = 5;

/// Describes a merge's side effects in sentences; `None` if there were none. In `merged`, `ours` is
/// this program's side, whichever came first.
pub fn told(merged: &Merged) -> Option<String> {
    let renamed = merged.renamed.iter().map(|(old, new)| {
        format!("{old} from here is {new} now, because the other side added {old} too.")
    });
    let moved = merged.moved_twice.iter().map(|task| {
        format!("{task} was moved on both sides and stands where the other side put it.")
    });
    let mut sentences: Vec<String> = renamed.take(MAX_NAMED).collect();
    sentences.extend(moved.take(MAX_NAMED));
    let all = merged.renamed.len() + merged.moved_twice.len();
    match all - sentences.len() {
        0 => {}
        1 => sentences.push("So it is with one more.".to_owned()),
        more => sentences.push(format!("So it is with {more} more.")),
    }
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// Appends a merge's side effects to a reason.
pub fn reason(words: &str, told: Option<&str>) -> String {
    match told {
        Some(told) => format!("{words}. {told}"),
        None => words.to_owned(),
    }
}

/// Whether a revision is the merge of a stale save.
pub fn is_merge(event: &RevisionEvent) -> bool {
    event.reason.starts_with(MERGED)
}

/// The side effects of a recorded merge.
pub fn told_of(event: &RevisionEvent) -> Option<&str> {
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
        assert_eq!(told(&merged), None);
        merged.moved_twice = vec![id(3)];
        let moved = "T3 was moved on both sides and stands where the other side put it.";
        assert_eq!(told(&merged).as_deref(), Some(moved));
        merged.renamed = (1..=7).map(|at| (id(at), id(at + 10))).collect();
        let all = told(&merged).unwrap_or_default();
        assert!(all.starts_with(
            "T1 from here is T11 now, because the other side added T1 too. T2 from here is T12"
        ));
        assert!(all.ends_with(&format!("{moved} So it is with 2 more.")));
        assert!(!all.contains("T6"));
    }
}

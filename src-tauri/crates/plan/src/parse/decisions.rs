//! Records under `## Decisions`: who answered what.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::ids;
use crate::inline::leading_code_span;
use crate::model::{DecisionRecord, Task};

/// What separates a label from who gave it, the surest first.
const SEPARATORS: [&str; 3] = [" — ", " – ", " -- "];

/// What a record says after the decision's id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    /// The chosen label; `None` while open.
    pub(crate) label: Option<String>,
    /// The rest.
    pub(crate) detail: String,
}

/// The decision's id at the start of an item, and what follows it. Positional ids count too, so
/// that the answer of a decision without a written id has its place.
pub(crate) fn split_id(words: &str) -> Option<(&str, &str)> {
    if let Some(found) = ids::task_id(words).filter(|found| found.bold) {
        return Some((&words[found.id.clone()], &words[found.id.end + 2..]));
    }
    let end = words.find([' ', '\t', ':']).unwrap_or(words.len());
    ids::is_id(&words[..end]).then(|| (&words[..end], &words[end..]))
}

/// Reads what follows the id: ` open`, or `: label — who, when: why`. A label in back-ticks ends
/// where they close; any other at the first dash between blanks.
pub(crate) fn read_record(rest: &str) -> Answer {
    let open = |detail: &str| Answer {
        label: None,
        detail: detail.trim().to_owned(),
    };
    let given = words_of(rest);
    if given.is_empty() || given.eq_ignore_ascii_case("open") {
        return open("");
    }
    if let Some((label, after)) = leading_code_span(given)
        && !label.is_empty()
        && let Some(detail) = detail_after(after)
    {
        return Answer {
            label: Some(label.to_owned()),
            detail: detail.to_owned(),
        };
    }
    for separator in SEPARATORS {
        if let Some((label, detail)) = given.split_once(separator) {
            let label = label.trim();
            if label.eq_ignore_ascii_case("open") {
                return open(detail);
            }
            return Answer {
                label: Some(label.to_owned()),
                detail: detail.trim().to_owned(),
            };
        }
    }
    Answer {
        label: Some(given.to_owned()),
        detail: String::new(),
    }
}

/// What follows a label that has ended: nothing, or a separator and the detail.
fn detail_after(after: &str) -> Option<&str> {
    if after.trim().is_empty() {
        return Some("");
    }
    SEPARATORS
        .iter()
        .find_map(|separator| after.strip_prefix(separator))
        .map(str::trim)
}

fn words_of(rest: &str) -> &str {
    let rest = rest.trim_start_matches(['*', '_']).trim_start();
    rest.strip_prefix(':').unwrap_or(rest).trim()
}

/// The labels of a decision's options.
pub(super) struct Labels<'a> {
    exact: HashSet<&'a str>,
    /// By their words in lower case, the last where several are alike.
    lower: HashMap<String, &'a str>,
    /// How long they are in bytes, the longest first.
    lengths: BTreeSet<usize>,
}

impl<'a> Labels<'a> {
    pub(super) fn of(decision: &'a Task) -> Self {
        let labels = || decision.options.iter().map(|option| option.label.as_str());
        Self {
            exact: labels().collect(),
            lower: labels()
                .map(|label| (label.to_ascii_lowercase(), label))
                .collect(),
            lengths: labels()
                .map(str::len)
                .filter(|length| *length > 0)
                .collect(),
        }
    }

    pub(super) fn has(&self, label: &str) -> bool {
        self.exact.contains(label)
    }
}

/// Reads a record again with the labels known that it can choose from: a hand-written answer may
/// hold any separator, or follow its label with one that is not ours.
pub(super) fn settle(record: &mut DecisionRecord, labels: &Labels<'_>, line: &str) {
    let Some(label) = &record.answer else { return };
    if labels.has(label) {
        return;
    }
    let Some((_, rest)) = split_id(line) else {
        return;
    };
    let given = words_of(rest);
    let best = labels.lengths.iter().rev().find_map(|length| {
        let (start, after) = given.split_at_checked(*length)?;
        let ends = after.is_empty() || after.starts_with([':', ',', ';', '.', '(', ' ', '\t']);
        let label = ends.then(|| labels.lower.get(&start.to_ascii_lowercase()))??;
        Some((*label, after))
    });
    if let Some((label, after)) = best {
        record.answer = Some(label.to_owned());
        let detail = after.trim_start_matches([' ', '\t', ':', ',', ';', '.', '-', '–', '—']);
        record.detail = detail.trim().to_owned();
    }
}

//! Parses records under `## Decisions`: the answers and who gave them.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::id_syntax;
use crate::inline::leading_code_span;
use crate::model::{DecisionRecord, Task};

/// Separators between a label and who chose it, most reliable first.
const SEPARATORS: [&str; 3] = [" — ", " – ", " -- "];

/// The content of a record after the decision's id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    /// The chosen label; `None` while open.
    pub(crate) label: Option<String>,
    /// The rest of the line after the label.
    pub(crate) detail: String,
}

/// The decision's id at the start of an item, and the text after it. Positional ids count too, so
/// that a decision without a written id can have a record.
pub(crate) fn split_id(words: &str) -> Option<(&str, &str)> {
    if let Some(found) = id_syntax::task_id(words).filter(|found| found.bold) {
        return Some((&words[found.id.clone()], &words[found.id.end + 2..]));
    }
    let end = words.find([' ', '\t', ':']).unwrap_or(words.len());
    id_syntax::is_id(&words[..end]).then(|| (&words[..end], &words[end..]))
}

/// Parses the text after the id: ` open`, or `: label — who, when: why`. A label in backticks ends
/// with them; any other label ends at the first separator, such as a dash between spaces.
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

/// The detail after a label in backticks: it may be empty, or a separator and text. `None` if
/// anything else follows.
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

/// The labels of a decision's options, for finding one in a record.
pub(super) struct Labels<'a> {
    exact: HashSet<&'a str>,
    /// The labels by their lower-case form; if several are equal, the last one.
    lower: HashMap<String, &'a str>,
    /// The lengths of the labels in bytes, ascending.
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

/// Corrects a record once its decision's labels are known: the label may contain a separator, or a
/// hand-written answer may use a different separator after it.
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

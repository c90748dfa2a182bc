//! Details that Kiro and cc-sdd write under a task: `_Requirements: 1.1, 2.3_`, `_Depends: 1.1_`,
//! `**Validates: Requirements 1.2**`. The emphasis may also close right after the colon.

use std::ops::Range;

/// The labels, each with its native key; `None` for a label that only identifies the dialect.
const NAMES: [(&str, Option<&str>); 9] = [
    ("Requirements", Some("covers")),
    ("Requirement", Some("covers")),
    ("Validates", Some("covers")),
    ("Depends on", Some("depends")),
    ("Depends", Some("depends")),
    ("Dependencies", Some("depends")),
    ("Boundary", None),
    ("Implements", None),
    ("Property", None),
];

/// A line that is a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Detail {
    /// `covers` or `depends`.
    pub(crate) key: &'static str,
    /// The value's range in the text.
    pub(crate) value: Range<usize>,
}

/// Parses the text of an item, or a line of prose. Requirements described only in words are not
/// references.
pub(crate) fn read(words: &str) -> Option<Detail> {
    let (key, value) = split(words)?;
    let key = key?;
    let is_reference =
        key != "covers" || words[value.clone()].contains(|c: char| c.is_ascii_digit());
    is_reference.then_some(Detail { key, value })
}

/// Whether a line is specific to Kiro and tools like it.
pub(crate) fn is_sign(words: &str) -> bool {
    let Some(first) = words.bytes().next() else {
        return false;
    };
    matches!(first, b'_' | b'*')
        && split(words).is_some_and(|(name, _)| name.is_some() || first == b'_')
}

fn split(words: &str) -> Option<(Option<&'static str>, Range<usize>)> {
    const MARKS: [char; 2] = ['_', '*'];
    let inner = words.trim_start_matches(MARKS);
    let marks = words.len() - inner.len();
    let (name, key) = NAMES.iter().find(|(name, _)| {
        inner
            .get(..name.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(name))
    })?;
    let rest = inner[name.len()..].trim_start_matches(MARKS);
    let rest = rest.strip_prefix(':')?;
    let rest = rest.trim_start_matches(MARKS);
    // Without emphasis, only a list of numbers is accepted as the value, to exclude ordinary
    // sentences.
    let value = rest.trim_start_matches([' ', '\t']);
    let start = words.len() - value.len();
    let value = value.trim_end().trim_end_matches(MARKS).trim_end();
    if marks == 0 && !value.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    Some((*key, start..start + value.len()))
}

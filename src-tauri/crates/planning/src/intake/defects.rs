//! Recognizes statements that report a defect.

use crate::among;

/// Whether a clause is a statement whose own verb reports a defect: "The parser crashes on empty
/// input".
pub(super) fn reports_defect(clause: &str) -> bool {
    let plain = clause.to_lowercase();
    let words: Vec<&str> = plain
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|word| !word.is_empty())
        .collect();
    let starts = words.first().is_some_and(|word| {
        among(word, "the our this my calling running opening when")
            || clause.starts_with(['`', '-'])
    });
    let fails = words.iter().take(7).position(|word| {
        among(
            word,
            "crashes panics fails hangs breaks throws segfaults deadlocks doesn't leaks \
    misbehaves",
        )
    });
    let wrong = plain.contains("does not work")
        || plain.contains("is broken")
        || plain.contains("doesn't work")
        || plain.contains("returns the wrong")
        || plain.contains("is wrong");
    starts && (fails.is_some_and(|at| at >= 1) || wrong)
}

//! Detects that the wrong one of two similar places was changed. Works on lines and their heads.

use std::collections::BTreeSet;

use gate::destructive::Written;

use super::line_diff::{MAX_REMOVED, changed_lines, is_similar};
use super::{heads, places};
use crate::envelope::one_line;

/// Whether a title starts with a verb for setting a value.
pub(super) fn sets(title: &str) -> bool {
    const SETS: [&str; 17] = [
        "set ",
        "chang",
        "raise ",
        "lower ",
        "increas",
        "decreas",
        "bump ",
        "setz",
        "änder",
        "erhöh",
        "défini",
        "pon ",
        "cambi",
        "defin",
        "impost",
        "установ",
        "设",
    ];
    let title = title.trim_start().to_lowercase();
    SETS.iter().any(|word| title.starts_with(word))
}

/// Why the value seems to have been set in the wrong line while the named line stayed unchanged.
pub(super) fn set_elsewhere(files: &[Written], names: &[&str]) -> Option<String> {
    files.iter().find_map(|(_, before, after)| {
        let (gone, came) = changed_lines(before, after)?;
        let named: Vec<&&str> = names
            .iter()
            .filter(|name| !places(before, name).is_empty())
            .collect();
        if named.is_empty() {
            return None;
        }
        let words = |line: &&str| line.contains(char::is_alphanumeric);
        if let Some(name) = named
            .first()
            .filter(|_| gone.is_empty() && came.iter().any(|line| words(&line.line)))
        {
            return Some(format!(
                "the step changes the value of `{name}`, but the old value is still there"
            ));
        }
        let lines: Vec<&str> = after.lines().collect();
        let is_named = |heads: &[&str]| {
            let has = |name: &&&str| heads.iter().any(|head| !places(head, name).is_empty());
            named.iter().all(has)
        };
        let old: BTreeSet<&str> = before.lines().collect();
        let kept = (0..lines.len()).filter(|at| old.contains(lines[*at]));
        let kept: Vec<usize> = kept
            .filter(|at| is_named(&heads(&lines, *at)))
            .take(MAX_REMOVED)
            .collect();
        let gone = gone.iter().filter(|line| {
            let mut of = vec![line.line];
            of.extend(&line.heads);
            !is_named(&of)
        });
        let mut pairs = gone
            .take(MAX_REMOVED)
            .flat_map(|line| kept.iter().map(move |at| (line.line, *at)));
        let (line, at) = pairs.find(|(line, at)| is_similar(line, lines[*at]))?;
        let (line, kept) = (one_line(line.trim(), 80), one_line(lines[at].trim(), 80));
        Some(format!(
            "`{line}` was changed, but `{kept}`, which the step names, was not"
        ))
    })
}

/// Whether a removed line still exists unchanged under a head that contains the name, which means
/// that the wrong one of two places was changed.
pub(super) fn is_other_of_two(files: &[Written], name: &str) -> bool {
    files.iter().any(|(_, before, after)| {
        let Some((gone, _)) = changed_lines(before, after) else {
            return false;
        };
        let lines: Vec<&str> = after.lines().collect();
        (0..lines.len()).any(|at| {
            let is_same = gone.iter().any(|line| line.line.trim() == lines[at].trim());
            let is_headed = |head: &&str| !places(head, name).is_empty();
            is_same && !lines[at].trim().is_empty() && heads(&lines, at)[1..].iter().any(is_headed)
        })
    })
}

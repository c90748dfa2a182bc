//! Detects a comparison that used to match a range of values and now matches only one, which
//! suggests that the change is tailored to the single value in a check. Works on lines in any
//! language.

use gate::destructive::Written;

use super::line_diff::{changed_lines, is_long};
use crate::envelope::one_line;

const RANGES: [&str; 4] = [">=", "<=", ">", "<"];
const ONE: [&str; 2] = ["===", "=="];

/// A line that is unchanged except that it now compares with `==` instead of `<` or a similar
/// operator. Ignored if the title itself contains `==`.
pub(super) fn narrowed(files: &[Written], title: &str) -> Option<String> {
    if title.contains("==") {
        return None;
    }
    let mut files = files.iter().filter(|file| !is_long(file));
    files.find_map(|(path, before, after)| {
        let (gone, came) = changed_lines(before, after)?;
        let old: Vec<String> = gone.iter().map(|line| bare(line.line)).collect();
        let line = came.iter().find(|line| {
            let new = bare(line.line);
            old.iter().any(|old| is_narrowed(old, &new))
        })?;
        let line = one_line(line.line.trim(), 80);
        Some(format!(
            "`{line}` in {path} now matches one value instead of a range"
        ))
    })
}

fn bare(line: &str) -> String {
    line.split_whitespace().collect()
}

fn is_narrowed(old: &str, new: &str) -> bool {
    let equals = ONE
        .iter()
        .flat_map(|one| new.match_indices(one).map(|(at, one)| (at, at + one.len())));
    equals.into_iter().any(|(at, end)| {
        let (head, tail) = (&new[..at], &new[end..]);
        let range = old
            .strip_prefix(head)
            .and_then(|rest| rest.strip_suffix(tail));
        range.is_some_and(|range| RANGES.contains(&range))
    })
}

#[cfg(test)]
mod tests {
    //! Tests of which changed conditions count as narrowed.

    use super::narrowed;

    fn why(title: &str, before: &str, after: &str) -> Option<String> {
        narrowed(
            &[("a.py".to_owned(), before.to_owned(), after.to_owned())],
            title,
        )
    }

    #[test]
    fn a_range_that_became_one_value_is_told() {
        let title = "Let somebody who is exactly 18 pass";
        for (before, after) in [
            ("return age > MINIMUM", "return age == MINIMUM"),
            ("if (n <= 3) {", "if (n === 3) {"),
            ("while i<n and j < n:", "while i<n and j == n:"),
        ] {
            assert!(why(title, before, after).is_some(), "{after}");
        }
        for (before, after) in [
            ("return age > MINIMUM", "return age >= MINIMUM"),
            ("return age != MINIMUM", "return age == MINIMUM"),
            ("return age > MINIMUM", "return age == other"),
            ("x = 1", "x == 1"),
            ("Vec<u8> == x", "Vec<u8> == y"),
        ] {
            assert_eq!(why(title, before, after), None, "{after}");
        }
        assert_eq!(why("Compare with `==`", "a > b", "a == b"), None);
    }
}

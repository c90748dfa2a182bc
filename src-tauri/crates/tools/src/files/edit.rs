//! `edit_file` on text: one replacement that keeps the file's line endings.

use std::collections::BTreeSet;

use super::bounded;
use crate::error::ToolError;

const MAX_NEAR: usize = 3;
const MAX_LINE: usize = 160;

/// Replaces the single occurrence of `old` with `new`.
///
/// If the text lacks `old` and has `new` once, it is returned unchanged: the replacement was
/// already made.
///
/// If `old` only matches with the other kind of line ending, that counts as a match, and the new
/// text gets the file's line endings.
pub(super) fn replace_once(
    path: &str,
    text: &str,
    old: &str,
    new: &str,
) -> Result<String, ToolError> {
    if old.is_empty() {
        let reason = format!("old_text is empty: use write_file to replace all of `{path}`");
        return Err(ToolError::Argument { reason });
    }
    if old == new {
        let reason =
            format!("old_text and new_text are the same: nothing would change in `{path}`");
        return Err(ToolError::Argument { reason });
    }
    let crlf = text.matches("\r\n").count();
    let uses_crlf = crlf > 0 && crlf * 2 >= text.matches('\n').count();
    let (old, new) = match text.matches(old).count() {
        0 => (with_endings(old, uses_crlf), with_endings(new, uses_crlf)),
        // A single line contains no line ending, so use the file's.
        _ if !old.contains('\n') => (old.to_owned(), with_endings(new, uses_crlf)),
        _ => (old.to_owned(), new.to_owned()),
    };
    let places: Vec<usize> = text.match_indices(&old).map(|(at, _)| at).collect();
    match places.as_slice() {
        [at] => {
            let (head, tail) = text.split_at(*at);
            Ok([head, &new, tail.get(old.len()..).unwrap_or_default()].concat())
        }
        [] => {
            let near = nearest(text, &old);
            let mut found = text.match_indices(&new).map(|(at, _)| at);
            let once = found.next().filter(|_| found.next().is_none());
            let is_there = once.is_some_and(|at| {
                // If another line is more similar to the old text, that line was meant and isn't
                // replaced yet.
                let line = line_at(text, at).0;
                near.first().is_none_or(|(number, _)| *number == line)
            });
            // The replacement was already made.
            if is_there && !new.trim().is_empty() {
                return Ok(text.to_owned());
            }
            let (path, count) = (path.to_owned(), 0);
            Err(ToolError::OldText { path, count, near })
        }
        places => {
            let near = places
                .iter()
                .take(MAX_NEAR)
                .map(|at| line_at(text, *at))
                .collect();
            Err(ToolError::OldText {
                path: path.to_owned(),
                count: places.len(),
                near,
            })
        }
    }
}

fn with_endings(text: &str, crlf: bool) -> String {
    let text = text.replace("\r\n", "\n");
    if crlf {
        text.replace('\n', "\r\n")
    } else {
        text
    }
}

fn line_at(text: &str, at: usize) -> (usize, String) {
    let head = text.get(..at).unwrap_or_default();
    let start = head.rfind('\n').map_or(0, |at| at + 1);
    let line = text
        .get(start..)
        .and_then(|rest| rest.lines().next())
        .unwrap_or_default();
    (
        head.matches('\n').count() + 1,
        bounded::line(line, MAX_LINE),
    )
}

/// The lines that share the most words with the first non-blank line of `old`, each with its
/// number, most similar first.
fn nearest(text: &str, old: &str) -> Vec<(usize, String)> {
    let Some(wanted) = old.lines().find(|line| !line.trim().is_empty()) else {
        return Vec::new();
    };
    let wanted = words(wanted);
    let mut scored: Vec<(usize, usize, &str)> = text
        .lines()
        .enumerate()
        .filter_map(|(index, line)| {
            let found = words(line);
            let shared = wanted.intersection(&found).count();
            let all = wanted.union(&found).count();
            // In thousandths, because integers can be sorted.
            (shared > 0).then(|| (1000 - shared * 1000 / all, index + 1, line))
        })
        .filter(|(distance, _, _)| *distance <= 700)
        .collect();
    scored.sort();
    scored
        .into_iter()
        .take(MAX_NEAR)
        .map(|(_, number, line)| (number, bounded::line(line, MAX_LINE)))
        .collect()
}

fn words(line: &str) -> BTreeSet<&str> {
    line.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(text: &str, old: &str, new: &str) -> Result<String, String> {
        replace_once("f", text, old, new).map_err(|error| error.to_string())
    }

    #[test]
    fn one_occurrence_is_replaced_and_nothing_else() {
        assert_eq!(edit("a b a", "b", "c").as_deref(), Ok("a c a"));
        assert_eq!(edit("\u{feff}a\n", "a", "b").as_deref(), Ok("\u{feff}b\n"));
    }

    #[test]
    fn what_was_replaced_before_stays_as_it_is() {
        assert_eq!(edit("a c a", "b", "c").as_deref(), Ok("a c a"));
        assert_eq!(
            edit("x\r\ny\r\n", "a\nb", "x\ny").as_deref(),
            Ok("x\r\ny\r\n")
        );
        for (text, new) in [("c a c", "c"), ("a", "c"), ("a", ""), ("a ", " ")] {
            assert!(edit(text, "b", new).is_err(), "{text:?}, {new:?}");
        }
    }

    #[test]
    fn line_endings_are_the_files_own() {
        assert_eq!(
            edit("a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz").as_deref(),
            Ok("x\r\ny\r\nz\r\nc\r\n")
        );
        assert_eq!(
            edit("a\r\nb\r\n", "b", "x\ny").as_deref(),
            Ok("a\r\nx\r\ny\r\n")
        );
        assert_eq!(edit("a\nb\n", "a\r\nb", "x\r\ny").as_deref(), Ok("x\ny\n"));
        assert_eq!(
            edit("a\nb\nc\r\n", "a\nb", "x\ny").as_deref(),
            Ok("x\ny\nc\r\n")
        );
    }

    #[test]
    fn a_text_that_is_not_there_once_is_refused_with_the_lines_to_look_at() {
        let text = "fn total(rows: u32)\nfn other()\nlet x = total(rows);\n";
        assert_eq!(
            edit(text, "fn total(row: u32)", "x"),
            Err(
                "`f` does not contain old_text: copy the text exactly; the nearest lines are\n  \
                 1: fn total(rows: u32)"
                    .to_owned()
            )
        );
        assert_eq!(
            edit(text, "rows", "x"),
            Err(
                "`f` contains old_text 2 times: include more surrounding text so that it matches \
                 once; it occurs at\n  1: fn total(rows: u32)\n  3: let x = total(rows);"
                    .to_owned()
            )
        );
        assert!(edit(text, "", "x").unwrap_err().contains("write_file"));
        assert!(
            edit(text, "zzz", "y")
                .unwrap_err()
                .contains("read the file")
        );
    }
}

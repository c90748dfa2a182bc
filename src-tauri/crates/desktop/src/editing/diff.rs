//! Line diffs with a few lines of context.

use similar::{Algorithm, DiffTag, capture_diff_slices};

use crate::document::cut;
use crate::wire::DiffLine;

/// Lines of context around a change.
const CONTEXT: usize = 3;

/// Maximum characters in a line.
const MAX_LINE_LEN: usize = 500;

/// The differing lines in hunks separated by a `gap`, at most `most` lines; the second value says
/// whether lines were dropped at the end.
pub(crate) fn diff_lines(before: &str, after: &str, most: usize) -> (Vec<DiffLine>, bool) {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old[same..], &new[same..]);
    let ends = old_rest.iter().rev().zip(new_rest.iter().rev());
    let same_end = ends.take_while(|(a, b)| a == b).count();
    let old_rest = &old_rest[..old_rest.len() - same_end];
    let new_rest = &new_rest[..new_rest.len() - same_end];
    let mut page = Page {
        lines: Vec::new(),
        old: &old,
        new: &new,
        shown: 0,
    };
    for op in capture_diff_slices(Algorithm::Myers, old_rest, new_rest) {
        let (tag, old_range, new_range) = op.as_tag_tuple();
        if tag == DiffTag::Equal {
            continue;
        }
        let old_range = old_range.start + same..old_range.end + same;
        let new_range = new_range.start + same..new_range.end + same;
        page.context(old_range.start, new_range.start);
        for at in old_range.clone() {
            page.push("removed", Some(at), None);
        }
        for at in new_range.clone() {
            page.push("added", None, Some(at));
        }
        page.shown = old_range.end;
        page.pending(old_range.end, new_range.end);
        if page.lines.len() > most {
            break;
        }
    }
    page.finish();
    let is_cut = page.lines.len() > most;
    page.lines.truncate(most);
    (page.lines, is_cut)
}

/// The hunks built so far.
struct Page<'t> {
    lines: Vec<DiffLine>,
    old: &'t [&'t str],
    new: &'t [&'t str],
    /// Index after the last old line shown.
    shown: usize,
}

impl Page<'_> {
    fn push(&mut self, kind: &str, old: Option<usize>, new: Option<usize>) {
        let line = match (old, new) {
            (Some(at), _) => self.old.get(at),
            (None, Some(at)) => self.new.get(at),
            (None, None) => None,
        };
        let number = |at: usize| u32::try_from(at + 1).unwrap_or(u32::MAX);
        self.lines.push(DiffLine {
            kind: kind.to_owned(),
            old: old.map(number),
            new: new.map(number),
            text: cut(line.copied().unwrap_or_default(), MAX_LINE_LEN),
        });
    }

    /// Adds the context before a change that begins at these lines.
    fn context(&mut self, old: usize, new: usize) {
        // Remove lines shown after the previous change that are part of this one too.
        let is_first = self.lines.is_empty();
        while self
            .lines
            .last()
            .is_some_and(|line| line.kind == "same" && line.old.is_some_and(|at| at as usize > old))
        {
            self.lines.pop();
        }
        let shown = match self.lines.last() {
            Some(line) if line.kind == "same" => line.old.map_or(0, |at| at as usize),
            _ => self.shown,
        };
        let from = old.saturating_sub(CONTEXT).max(shown);
        if from > shown && !is_first {
            self.push("gap", None, None);
        }
        for at in from..old {
            self.push("same", Some(at), Some(new - (old - at)));
        }
    }

    /// Adds the context after a change that ends before these lines.
    fn pending(&mut self, old: usize, new: usize) {
        for more in 0..CONTEXT {
            let (old, new) = (old + more, new + more);
            if old < self.old.len() && new < self.new.len() && self.old[old] == self.new[new] {
                self.push("same", Some(old), Some(new));
            } else {
                break;
            }
        }
    }

    /// Removes a gap at the end.
    fn finish(&mut self) {
        while self.lines.last().is_some_and(|line| line.kind == "gap") {
            self.lines.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a panic fails the test")]

    use super::*;

    fn shown(before: &str, after: &str) -> String {
        let sign = |kind: &str| match kind {
            "same" => " ",
            "added" => "+",
            "removed" => "-",
            _ => "~",
        };
        let number = |number: Option<u32>| number.map_or("-".to_owned(), |at| at.to_string());
        let lines = diff_lines(before, after, 100).0;
        let lines = lines.iter().map(|line| {
            let (old, new) = (number(line.old), number(line.new));
            format!("{}{old},{new} {}\n", sign(&line.kind), line.text)
        });
        lines.collect()
    }

    #[test]
    fn changes_stand_with_what_is_around_them() {
        let before: String = (1..=20).map(|at| format!("{at}\n")).collect();
        let after = before.replace("\n5\n", "\nfive\n").replace("\n17\n", "\n");
        let expected = " 2,2 2\n 3,3 3\n 4,4 4\n-5,- 5\n+-,5 five\n 6,6 6\n 7,7 7\n 8,8 8\n~-,- \n \
                        14,14 14\n 15,15 15\n 16,16 16\n-17,- 17\n 18,17 18\n 19,18 19\n 20,19 20\n";
        assert_eq!(shown(&before, &after), expected);
    }

    #[test]
    fn changes_near_each_other_share_what_is_between() {
        let before = "a\nb\nc\nd\n";
        let after = "A\nb\nc\nD\n";
        let expected = "-1,- a\n+-,1 A\n 2,2 b\n 3,3 c\n-4,- d\n+-,4 D\n";
        assert_eq!(shown(before, after), expected);
        assert_eq!(shown(before, before), "");
        assert_eq!(shown("", "x\n"), "+-,1 x\n");
    }

    #[test]
    fn a_long_diff_is_cut() {
        let after = "x\n".repeat(1_000);
        let (lines, is_cut) = diff_lines("", &after, 10);
        assert_eq!((lines.len(), is_cut), (10, true));
    }
}

//! How a text would be read as a plan, for the editor: badge, findings with positions and fixes,
//! and the lines of tasks. Positions are in UTF-16 units, as in JavaScript.

use crate::document::{ParsedPlan, badge, heard};
use crate::wire::{TextFix, TextMark, TextReplacement, TextReport, TextTask};
use workbench::checking::labels;

/// Maximum marks in one answer.
const MAX_MARKS: usize = 500;

/// Maximum tasks in one answer.
const MAX_TASKS: usize = 20_000;

/// The report on a parsed text.
pub(super) fn report(parsed: &ParsedPlan) -> TextReport {
    let places = Places::of(parsed.text());
    let findings = heard(&parsed.report).map(|finding| {
        let (from, to) = place(parsed, &places, finding.line, &finding.message);
        TextMark {
            finding: Some(finding.id.clone()),
            code: finding.code.as_str().to_owned(),
            severity: finding.severity.as_str().to_owned(),
            message: finding.message.clone(),
            line: finding.line,
            from,
            to,
            fixes: labels(&finding.fixes),
        }
    });
    // Many parse problems are findings too; list only those that aren't.
    let is_told = |problem: &plan::Problem| {
        let mut findings = parsed.report.findings.iter();
        findings.any(|finding| finding.line == problem.line && finding.message == problem.message)
    };
    let problems = parsed.problems.iter().take(MAX_MARKS);
    let problems = problems.filter(|problem| !is_told(problem)).map(|problem| {
        let (from, to) = place(parsed, &places, problem.line, &problem.message);
        TextMark {
            finding: None,
            code: problem.code.as_str().to_owned(),
            severity: "minor".to_owned(),
            message: problem.message.clone(),
            line: problem.line,
            from,
            to,
            fixes: Vec::new(),
        }
    });
    let tasks = parsed.plan.tasks.iter().take(MAX_TASKS);
    TextReport {
        badge: badge(&parsed.report),
        marks: findings
            .take(MAX_MARKS)
            .chain(problems)
            .take(MAX_MARKS)
            .collect(),
        tasks: tasks
            .map(|task| TextTask {
                id: task.id.to_string(),
                line: task.line,
                end: places.line_of(task.span.end).max(task.line),
            })
            .collect(),
    }
}

/// The columns of a mark: the words quoted in its message, else the title of the task on that line,
/// else the line without surrounding whitespace.
fn place(parsed: &ParsedPlan, places: &Places, line: u32, message: &str) -> (u32, u32) {
    let (start, text) = places.line(parsed.text(), line);
    let of_quote = quoted(message).and_then(|words| {
        let at = text.find(words)?;
        Some(at..at + words.len())
    });
    let of_title = || {
        let tasks = &parsed.plan.tasks;
        let at = tasks.binary_search_by_key(&line, |task| task.line).ok()?;
        let title = tasks[at].title_span.clone();
        let range = title.start.checked_sub(start)?..title.end.checked_sub(start)?;
        (!range.is_empty() && range.end <= text.len()).then_some(range)
    };
    let of_line = || {
        let blanks = text.len() - text.trim_start().len();
        blanks..text.trim_end().len().max(blanks)
    };
    let range = of_quote.or_else(of_title).unwrap_or_else(of_line);
    (units(&text[..range.start]), units(&text[..range.end]))
}

/// The first quoted words in a message.
fn quoted(message: &str) -> Option<&str> {
    let pairs = [('“', '”'), ('`', '`')];
    let found = pairs.iter().filter_map(|(open, close)| {
        let (before, rest) = message.split_once(*open)?;
        let (words, _) = rest.split_once(*close)?;
        (!words.trim().is_empty()).then_some((before.len(), words))
    });
    found.min_by_key(|(at, _)| *at).map(|(_, words)| words)
}

/// A fix as one replacement, without the leading and trailing lines that both texts share.
pub(super) fn fix_of(label: &str, before: &str, after: &str) -> TextFix {
    let same_start = before
        .bytes()
        .zip(after.bytes())
        .take_while(|(one, other)| one == other)
        .count();
    let line = |at: usize| {
        before[..before.floor_char_boundary(at)]
            .rfind('\n')
            .map_or(0, |end| end + 1)
    };
    let start = line(same_start);
    let longest = before.len().min(after.len()) - start;
    let same_end = before
        .bytes()
        .rev()
        .zip(after.bytes().rev())
        .take(longest)
        .take_while(|(one, other)| one == other)
        .count();
    let end = before.ceil_char_boundary(before.len() - same_end);
    let behind = before.len() - end;
    let places = Places::of(before);
    TextFix {
        label: label.to_owned(),
        changes: vec![TextReplacement {
            from: places.unit_of(before, start),
            to: places.unit_of(before, end),
            text: after[start..after.len() - behind].to_owned(),
        }],
    }
}

fn units(text: &str) -> u32 {
    let units: usize = text.chars().map(char::len_utf16).sum();
    u32::try_from(units).unwrap_or(u32::MAX)
}

/// Where each line of a text starts, in bytes and in UTF-16 units.
#[derive(Debug)]
pub(crate) struct Places {
    lines: Vec<(usize, u32)>,
}

impl Places {
    pub(crate) fn of(text: &str) -> Self {
        let mut lines = vec![(0, 0)];
        let mut unit = 0;
        let mut before = '\0';
        for (at, c) in text.char_indices() {
            // A new line starts after each line ending; CRLF counts as one.
            if before == '\n' || (before == '\r' && c != '\n') {
                lines.push((at, unit));
            }
            unit += if c.len_utf16() == 2 { 2 } else { 1 };
            before = c;
        }
        if matches!(before, '\n' | '\r') {
            lines.push((text.len(), unit));
        }
        Self { lines }
    }

    /// A line's start offset, and its content without the line ending.
    pub(crate) fn line<'t>(&self, text: &'t str, line: u32) -> (usize, &'t str) {
        let at = (line.max(1) as usize - 1).min(self.lines.len() - 1);
        let start = self.lines[at].0;
        let end = self.lines.get(at + 1).map_or(text.len(), |next| next.0);
        (start, text[start..end].trim_end_matches(['\n', '\r']))
    }

    /// The line that contains a byte, from 1.
    pub(crate) fn line_of(&self, byte: usize) -> u32 {
        let lines = self.lines.partition_point(|(start, _)| *start <= byte);
        u32::try_from(lines.max(1)).unwrap_or(u32::MAX)
    }

    /// The position of a byte in UTF-16 units from the start of the text.
    fn unit_of(&self, text: &str, byte: usize) -> u32 {
        let (start, unit) = self.lines[self.line_of(byte) as usize - 1];
        unit + text.get(start..byte).map_or(0, units)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_as_a_page_does() {
        let text = "a😀b\r\nü\n";
        let places = Places::of(text);
        assert_eq!(places.lines, [(0, 0), (8, 6), (11, 8)]);
        assert_eq!(places.line(text, 1), (0, "a😀b"));
        assert_eq!(places.line(text, 9), (11, ""));
        let found =
            [0, 5, 8, 10, 11].map(|byte| (places.line_of(byte), places.unit_of(text, byte)));
        assert_eq!(found, [(1, 0), (1, 3), (2, 6), (2, 7), (3, 8)]);
    }

    #[test]
    fn a_fix_replaces_what_differs() {
        for (before, after) in [
            ("a\nü 😀\nc\n", "a\nü 😁\nc\n"),
            ("a\nb\n", "a\nb\nb\n"),
            ("a\nb\nb\n", "a\nb\n"),
            ("", "a\n"),
            ("a", "b"),
        ] {
            let fix = fix_of("Mend", before, after);
            let change = &fix.changes[0];
            let units: Vec<u16> = before.encode_utf16().collect();
            let mut made = String::from_utf16(&units[..change.from as usize]).unwrap();
            made.push_str(&change.text);
            made.push_str(&String::from_utf16(&units[change.to as usize..]).unwrap());
            assert_eq!(made, after);
        }
    }

    #[test]
    fn the_words_that_a_message_quotes_are_found() {
        assert_eq!(quoted("“clean up” does not say what"), Some("clean up"));
        assert_eq!(quoted("run `make` or “x”"), Some("make"));
        assert_eq!(quoted("no quote, “ one"), None);
    }
}

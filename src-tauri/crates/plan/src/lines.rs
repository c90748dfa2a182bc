//! Lines of a text and their endings.
//!
//! A line ends at `\n`, `\r\n` or a lone `\r`, as in CommonMark.

use std::borrow::Cow;

/// An index of the line starts of a text.
#[derive(Debug)]
pub(crate) struct Lines {
    starts: Vec<usize>,
    /// The line ending that the text uses most.
    pub(crate) ending: &'static str,
    /// Whether any line ends at a lone `\r`.
    pub(crate) has_lone_returns: bool,
}

impl Lines {
    /// Builds the index of a text, in one pass.
    pub(crate) fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        let (mut lf, mut crlf, mut cr) = (0_usize, 0_usize, 0_usize);
        for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
            match bytes[at] {
                b'\n' if at > 0 && bytes[at - 1] == b'\r' => crlf += 1,
                b'\n' => lf += 1,
                _ if bytes.get(at + 1) != Some(&b'\n') => cr += 1,
                _ => continue,
            }
            starts.push(at + 1);
        }
        let ending = if lf >= crlf && lf >= cr {
            "\n"
        } else if crlf >= cr {
            "\r\n"
        } else {
            "\r"
        };
        Self {
            starts,
            ending,
            has_lone_returns: cr > 0,
        }
    }

    /// The number of lines.
    pub(crate) fn count(&self) -> usize {
        self.starts.len()
    }

    /// The line number of an offset, from 1.
    pub(crate) fn number(&self, at: usize) -> u32 {
        u32::try_from(self.starts.partition_point(|start| *start <= at)).unwrap_or(u32::MAX)
    }

    /// The line that contains an offset. The search is fast if that is line `near` or a few lines
    /// below it.
    pub(crate) fn line(&self, text: &str, at: usize, near: usize) -> Line {
        const STEPS: usize = 8;
        let begins = |index: usize| self.starts.get(index).is_some_and(|start| *start <= at);
        let found = (near..near + STEPS).find(|index| begins(*index) && !begins(index + 1));
        let index = found.unwrap_or_else(|| {
            self.starts
                .partition_point(|start| *start <= at)
                .saturating_sub(1)
        });
        let end = self.starts.get(index + 1).map_or(text.len(), |next| {
            let with_ending = &text.as_bytes()[..*next];
            let ending = if with_ending.ends_with(b"\r\n") { 2 } else { 1 };
            next - ending
        });
        Line {
            index,
            start: self.starts[index],
            end,
        }
    }
}

/// A line of a text.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Line {
    /// The index of the line, from 0.
    pub(crate) index: usize,
    pub(crate) start: usize,
    /// The offset where the line ends, without its line ending.
    pub(crate) end: usize,
}

impl Line {
    /// The line number, from 1.
    pub(crate) fn number(self) -> u32 {
        u32::try_from(self.index + 1).unwrap_or(u32::MAX)
    }
}

/// The end of the line that contains an offset, without its line ending.
pub(crate) fn line_end(text: &str, at: usize) -> usize {
    memchr::memchr2(b'\n', b'\r', &text.as_bytes()[at..]).map_or(text.len(), |len| at + len)
}

/// The start of the line after the line end `at`; `at` itself at the end of the text.
pub(crate) fn after_line_end(text: &str, at: usize) -> usize {
    let rest = &text.as_bytes()[at..];
    match rest {
        [b'\r', b'\n', ..] => at + 2,
        [b'\r' | b'\n', ..] => at + 1,
        _ => at,
    }
}

/// The text for the Markdown parser, with `\n` instead of each lone `\r`, which the parser doesn't
/// accept as a line ending everywhere. Offsets stay the same.
pub(crate) fn markdown(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let is_lone = |at: usize| bytes.get(at + 1) != Some(&b'\n');
    if !memchr::memchr_iter(b'\r', bytes).any(is_lone) {
        return Cow::Borrowed(text);
    }
    let mut rest = text.chars().peekable();
    let mut out = String::with_capacity(text.len());
    while let Some(c) = rest.next() {
        let is_lone = c == '\r' && rest.peek() != Some(&'\n');
        out.push(if is_lone { '\n' } else { c });
    }
    Cow::Owned(out)
}

/// Splits a text into its lines, without their endings.
pub(crate) fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let end = line_end(text, 0);
        let next = after_line_end(text, end);
        rest = (next > end).then(|| &text[next..]);
        Some(&text[..end])
    })
}

/// The end of the last line in `start..end` that has content besides whitespace and quote
/// marks, or `start`.
pub(crate) fn trim_back(text: &str, start: usize, end: usize) -> usize {
    let bytes = text.as_bytes();
    let mut end = end;
    loop {
        while end > start && matches!(bytes[end - 1], b' ' | b'\t' | b'\n' | b'\r') {
            end -= 1;
        }
        // A line of only quote marks is a blank line inside a quote.
        let mut marks = end;
        while marks > start && matches!(bytes[marks - 1], b'>' | b' ' | b'\t') {
            marks -= 1;
        }
        let whole_line = marks > start && matches!(bytes[marks - 1], b'\n' | b'\r');
        if marks == end || !whole_line {
            return end;
        }
        end = marks;
    }
}

/// The column at the end of a line prefix, with a tab stop every 4 columns. A byte-order mark has
/// no width.
pub(crate) fn column(text: &str) -> usize {
    text.chars().fold(0, |column, c| match c {
        '\t' => column / 4 * 4 + 4,
        '\u{feff}' => column,
        _ => column + 1,
    })
}

/// The start of the line that contains an offset.
pub(crate) fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind(['\n', '\r']).map_or(0, |end| end + 1)
}

/// The line without the indentation and quote marks up to a column.
pub(crate) fn dedent(line: &str, column: usize) -> &str {
    let mut at = 0;
    for (offset, c) in line.char_indices() {
        if !matches!(c, ' ' | '\t' | '>') || at >= column {
            return &line[offset..];
        }
        at = if c == '\t' { at / 4 * 4 + 4 } else { at + 1 };
    }
    ""
}

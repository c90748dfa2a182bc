//! Lines of a text and what stands at their ends.
//!
//! A line ends at `\n`, `\r\n` or a lone `\r`, as in CommonMark.

/// The starts of all lines.
#[derive(Debug)]
pub(crate) struct Lines {
    starts: Vec<usize>,
    /// The line ending that the text uses most.
    pub(crate) ending: &'static str,
}

impl Lines {
    /// Counts through a text once.
    pub(crate) fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        let (mut lf, mut crlf, mut cr) = (0_usize, 0_usize, 0_usize);
        for (at, byte) in bytes.iter().enumerate() {
            match byte {
                b'\n' if at > 0 && bytes[at - 1] == b'\r' => crlf += 1,
                b'\n' => lf += 1,
                b'\r' if bytes.get(at + 1) != Some(&b'\n') => cr += 1,
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
        Self { starts, ending }
    }

    /// The line of an offset, from 1.
    pub(crate) fn number(&self, at: usize) -> u32 {
        u32::try_from(self.starts.partition_point(|start| *start <= at)).unwrap_or(u32::MAX)
    }

    /// The start of the line that holds an offset.
    pub(crate) fn start(&self, at: usize) -> usize {
        let line = self.starts.partition_point(|start| *start <= at);
        line.checked_sub(1).map_or(0, |line| self.starts[line])
    }
}

/// The end of the line that holds an offset, line ending excluded.
pub(crate) fn line_end(text: &str, at: usize) -> usize {
    let rest = &text.as_bytes()[at..];
    rest.iter()
        .position(|byte| matches!(byte, b'\n' | b'\r'))
        .map_or(text.len(), |len| at + len)
}

/// The start of the line that follows the line end `at`; the same offset at the end of the text.
pub(crate) fn after_line_end(text: &str, at: usize) -> usize {
    let rest = &text.as_bytes()[at..];
    match rest {
        [b'\r', b'\n', ..] => at + 2,
        [b'\r' | b'\n', ..] => at + 1,
        _ => at,
    }
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

/// The last offset up to `end` that a line with more than blanks and quote marks ends at, but not
/// before `start`.
pub(crate) fn trim_back(text: &str, start: usize, end: usize) -> usize {
    let bytes = text.as_bytes();
    let mut end = end;
    loop {
        while end > start && matches!(bytes[end - 1], b' ' | b'\t' | b'\n' | b'\r') {
            end -= 1;
        }
        // A line of nothing but quote marks is a blank line inside a quote.
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

/// The column that a line's text reaches at its end, with tab stops of 4.
pub(crate) fn column(text: &str) -> usize {
    text.chars().fold(0, |column, c| {
        if c == '\t' {
            column / 4 * 4 + 4
        } else {
            column + 1
        }
    })
}

//! The syntax of ids.

use std::ops::Range;

/// The length of the id at the start of `text`: up to three letters, then a number that may contain
/// dots.
pub(crate) fn id_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let letters = bytes
        .iter()
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    if letters > 3 {
        return None;
    }
    number_length(&text[letters..]).map(|digits| letters + digits)
}

/// The length of the number at the start of `text`: digits, then more digits after single dots.
fn number_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        bytes[from..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count()
    };
    let mut end = digits(0);
    if end == 0 {
        return None;
    }
    while bytes.get(end) == Some(&b'.') {
        let more = digits(end + 1);
        if more == 0 {
            break;
        }
        end += 1 + more;
    }
    Some(end)
}

/// Whether the whole text could be a task's id, including a positional one.
pub(crate) fn is_id(text: &str) -> bool {
    let id = text.strip_prefix('#').unwrap_or(text);
    id_length(id) == Some(id.len())
}

/// An id at the start of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct IdMatch {
    /// The id without its emphasis.
    pub(crate) id: Range<usize>,
    /// Where the text after it starts.
    pub(crate) rest: usize,
    /// Whether the id is bold.
    pub(crate) bold: bool,
    /// Whether a star after it marks an optional task.
    pub(crate) starred: bool,
    /// Whether the emphasis extends to the end of the line, as in `**1. Words**`.
    bold_title: bool,
}

impl IdMatch {
    fn new(id: Range<usize>, rest: usize, bold: bool) -> Self {
        Self {
            id,
            rest,
            bold,
            starred: false,
            bold_title: false,
        }
    }

    /// Whether the emphasis around the id also covers the title, so that its closing marks end the
    /// text.
    pub(crate) fn is_in_bold_title(&self) -> bool {
        self.bold_title
    }
}

/// The length of a spec-kit id: `T001`, `T-001`, `T012a`, `T012.1`.
pub(crate) fn spec_kit_length(text: &str) -> Option<usize> {
    let rest = text.strip_prefix('T')?;
    let dash = usize::from(rest.starts_with('-'));
    let digits = number_length(&rest[dash..])?;
    let mut end = 1 + dash + digits;
    let after = &text.as_bytes()[end..];
    end += usize::from(after.first().is_some_and(u8::is_ascii_lowercase));
    let ends = !text[end..].starts_with(|c: char| c.is_alphanumeric());
    ends.then_some(end)
}

/// The spec-kit id at the start of `text`: `T001`, also in bold or in square brackets.
pub(crate) fn spec_kit_id(text: &str) -> Option<IdMatch> {
    if let Some(found) = bold(text, spec_kit_length) {
        return Some(found);
    }
    let bracket = usize::from(text.starts_with('['));
    let length = spec_kit_length(&text[bracket..])?;
    let end = bracket + length;
    let rest = &text[end..];
    let rest = match bracket {
        1 => rest.strip_prefix(']')?,
        _ => rest,
    };
    let ends = rest.is_empty()
        || rest.starts_with([' ', '\t', '['])
        || rest.strip_prefix([':', '.', ')']).is_some_and(starts_blank);
    ends.then(|| {
        let rest = skip_separator(text, text.len() - rest.len());
        IdMatch::new(bracket..end, rest, false)
    })
}

/// The number at the start of `text`: `1.2` or `1.`, also in bold, either alone or together with
/// the title. A number without dots only counts with punctuation after it; "3 retries" is text.
pub(crate) fn number_id(text: &str) -> Option<IdMatch> {
    let length = |text: &str| {
        let digits = number_length(text)?;
        // "2.5x" is an amount, not an id.
        let letter = matches!(text.as_bytes().get(digits), Some(b'a'..=b'e'));
        Some(digits + usize::from(letter))
    };
    if let Some(found) = bold(text, length) {
        return Some(found);
    }
    let mark = ["**", "__"]
        .into_iter()
        .find(|mark| text.starts_with(mark))
        .unwrap_or("");
    let end = mark.len() + length(&text[mark.len()..])?;
    let id = mark.len()..end;
    let mut rest = &text[end..];
    let starred = mark.is_empty() && rest.starts_with('*') && starts_blank(&rest[1..]);
    if starred {
        rest = &rest[1..];
    }
    let has_mark = rest.strip_prefix(['.', ')', ':']).is_some_and(starts_blank);
    let is_dotted = text[id.clone()].contains('.');
    let ends = has_mark || (is_dotted || starred) && starts_blank(rest);
    if !ends {
        return None;
    }
    let start = skip_separator(text, text.len() - rest.len());
    let bold_title = !mark.is_empty();
    if bold_title {
        let words = text[start..].trim_end().strip_suffix(mark)?;
        if words.contains(mark) {
            return None;
        }
    }
    Some(IdMatch {
        starred,
        bold_title,
        ..IdMatch::new(id, start, bold_title)
    })
}

/// The task id at the start of `text`: `**T1**`, `**1.2**`, or `T1`, `C1`, `D1` without bold.
pub(crate) fn task_id(text: &str) -> Option<IdMatch> {
    bold(text, id_length).or_else(|| {
        let digits = text.strip_prefix(['T', 'C', 'D'])?;
        let end = 1 + number_length(digits)?;
        let after = &text[end..];
        let ends = after.is_empty()
            || after.starts_with([' ', '\t'])
            || after
                .strip_prefix([':', '.', ')'])
                .is_some_and(starts_blank);
        ends.then(|| IdMatch::new(0..end, skip_separator(text, end), false))
    })
}

/// The requirement id at the start of `text`: any id in bold, or a common prefix with digits.
pub(crate) fn requirement_id(text: &str) -> Option<IdMatch> {
    let dashed = |text: &str| {
        let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
        if letters > 4 {
            return None;
        }
        let dash = usize::from(letters > 0 && text.as_bytes().get(letters) == Some(&b'-'));
        number_length(&text[letters + dash..]).map(|digits| letters + dash + digits)
    };
    bold(text, dashed).or_else(|| {
        const LETTERS: [&str; 6] = ["NFR", "REQ", "AC", "FR", "US", "R"];
        let end = dashed(text)?;
        let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
        let after = &text[end..];
        let ends = after.is_empty()
            || after.starts_with([' ', '\t'])
            || after
                .strip_prefix([':', '.', ')'])
                .is_some_and(starts_blank);
        (LETTERS.contains(&&text[..letters]) && ends)
            .then(|| IdMatch::new(0..end, skip_separator(text, end), false))
    })
}

fn bold(text: &str, length: impl Fn(&str) -> Option<usize>) -> Option<IdMatch> {
    let mark = ["**", "__"]
        .into_iter()
        .find(|mark| text.starts_with(mark))?;
    let inner = &text[mark.len()..];
    let end = length(inner)?;
    let rest = &inner[end..];
    let rest = rest.strip_prefix([':', '.', ')']).unwrap_or(rest);
    let rest = rest.strip_prefix(mark)?;
    let ends = rest.is_empty() || rest.starts_with([' ', '\t', ':', '.', ')', ',', ';', '–', '—']);
    ends.then(|| {
        let start = skip_separator(text, text.len() - rest.len());
        IdMatch::new(mark.len()..mark.len() + end, start, true)
    })
}

fn starts_blank(text: &str) -> bool {
    text.is_empty() || text.starts_with([' ', '\t'])
}

/// Skips whitespace and one punctuation character that separates the id from the text.
fn skip_separator(text: &str, at: usize) -> usize {
    let blanks =
        |at: usize| at + text[at..].len() - text[at..].trim_start_matches([' ', '\t']).len();
    let at = blanks(at);
    match text[at..].strip_prefix([':', '.', ')', '-', '–', '—']) {
        Some(rest) if starts_blank(rest) => blanks(text.len() - rest.len()),
        _ => at,
    }
}

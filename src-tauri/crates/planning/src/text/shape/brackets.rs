//! Finds the context of a word beyond its own line: open brackets, declarations, lists.

use super::is_word;
use crate::among;

/// How far back to search for an opening bracket, in bytes.
const LOOK_BACK: usize = 4_000;

/// The innermost bracket that is open at a position.
pub(super) struct Opener<'a> {
    pub(super) bracket: u8,
    /// The offset where the bracket's line starts.
    pub(super) line_start: usize,
    /// The bracket's line without indentation.
    pub(super) head: &'a str,
    /// The text before the bracket on its line, trimmed.
    pub(super) before: &'a str,
}

impl Opener<'_> {
    /// Whether the bracket follows a name that has only a type or nothing before it, as in a method
    /// declaration.
    pub(super) fn before_is_method(&self) -> bool {
        let name = last_word(self.before);
        !name.is_empty()
            && !among(name, "if for while switch catch return with")
            && !self.before.contains(['=', '('])
    }
}

pub(super) fn open_bracket(text: &str, offset: usize) -> Option<Opener<'_>> {
    let bytes = text.as_bytes();
    let mut depth = 0usize;
    let floor = offset.saturating_sub(LOOK_BACK);
    for at in (floor..offset).rev() {
        match bytes[at] {
            b')' | b']' | b'}' => depth += 1,
            b'(' | b'[' | b'{' if depth > 0 => depth -= 1,
            bracket @ (b'(' | b'[' | b'{') => {
                let line_start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
                let line_end = text[at..]
                    .find('\n')
                    .map_or(text.len(), |newline| at + newline);
                return Some(Opener {
                    bracket,
                    line_start,
                    head: text[line_start..line_end].trim(),
                    before: text[line_start..at].trim(),
                });
            }
            _ => {}
        }
    }
    None
}

/// Whether a string is an entry of Python's `__all__` list.
pub(super) fn opens_all_list(text: &str, line_start: usize, line: &str) -> bool {
    let names = |head: &str| head.trim_start().starts_with("__all__");
    names(line)
        || open_bracket(text, line_start)
            .is_some_and(|opener| opener.bracket != b'{' && names(opener.head))
}

/// Whether the comment at `offset` is directly above a declaration of the term.
pub(super) fn declares_below(text: &str, offset: usize, term: &str) -> bool {
    text[offset..]
        .lines()
        .skip(1)
        .find(|line| !line.trim_start().starts_with("//"))
        .is_some_and(|line| {
            starts_any(line, &["func ", "type ", "var ", "const ", "\t"]) && line.contains(term)
        })
}

pub(super) fn last_word(before: &str) -> &str {
    let start = before
        .char_indices()
        .rev()
        .take_while(|(_, c)| is_word(*c))
        .last()
        .map_or(before.len(), |(at, _)| at);
    &before[start..]
}

pub(super) fn starts_any(text: &str, starts: &[&str]) -> bool {
    starts.iter().any(|start| text.starts_with(start))
}

//! Text of a file whose line ends were escaped once too often.
//!
//! Told from text that really holds backslashes by where they stand: a line end that code writes
//! stands in quotes or in a pattern, one that was escaped twice stands between lines.

/// What stands at a place of the text.
enum Piece {
    /// `\n`, `\t` or `\r` outside of quotes: a line end or tab that was escaped twice.
    Layout(char),
    /// `\"` or `\\`: an escape that was escaped itself.
    Escaped(char),
    Other,
}

/// Whether the text has no line end of its own and two or more escaped ones between lines.
pub(super) fn is_escaped_twice(text: &str) -> bool {
    if text.contains('\n') {
        return false;
    }
    let mut ends = 0;
    walk(text, |piece, _| {
        ends += usize::from(matches!(piece, Piece::Layout('\n')))
    });
    ends >= 2
}

/// The text with one level of escapes less.
pub(super) fn escaped_once(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    walk(text, |piece, raw| match piece {
        Piece::Layout(c) | Piece::Escaped(c) => out.push(c),
        Piece::Other => out.push_str(raw),
    });
    out
}

fn walk(text: &str, mut each: impl FnMut(Piece, &str)) {
    let bytes = text.as_bytes();
    let mut quote: Option<u8> = None;
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let (piece, length) = match (c, bytes.get(at + 1)) {
            ('\\', Some(letter @ (b'n' | b't' | b'r'))) => {
                let is_layout = quote.is_none() && !in_pattern(bytes, at);
                let meant = match letter {
                    b'n' => '\n',
                    b't' => '\t',
                    _ => '\r',
                };
                let layout = Some(Piece::Layout(meant)).filter(|_| is_layout);
                (layout.unwrap_or(Piece::Other), 2)
            }
            ('\\', Some(escaped @ (b'"' | b'\'' | b'\\'))) => {
                if *escaped != b'\\' {
                    quote = toggled(quote, *escaped, bytes, at + 1);
                }
                (Piece::Escaped(char::from(*escaped)), 2)
            }
            ('"' | '\'' | '`', _) => {
                quote = toggled(quote, bytes[at], bytes, at);
                (Piece::Other, 1)
            }
            _ => (Piece::Other, c.len_utf8()),
        };
        each(piece, &text[at..at + length]);
        at += length;
    }
}

/// The open quote after one more quote; an apostrophe in a word is none.
fn toggled(open: Option<u8>, quote: u8, bytes: &[u8], at: usize) -> Option<u8> {
    let is_letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    match open {
        Some(same) if same == quote => None,
        Some(other) => Some(other),
        None if quote == b'\'' && at > 0 && is_letter(bytes.get(at - 1)) => None,
        None => Some(quote),
    }
}

/// Whether an escape belongs to a regular expression by what stands around it.
fn in_pattern(bytes: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| bytes.get(at));
    let after = bytes.get(at + 2);
    matches!(before, Some(b'[' | b'^' | b'/' | b'|'))
        || matches!(after, Some(b']' | b'+' | b'*' | b'?' | b'|' | b'/'))
            && !matches!((before, after), (_, Some(b'/')) if bytes.get(at + 3) == Some(&b'/'))
}

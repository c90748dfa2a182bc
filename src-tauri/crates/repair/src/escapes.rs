//! Unescapes file content whose line ends were escaped twice.
//!
//! It is distinguished from text with real backslashes by position: an escaped line end that
//! belongs to code is inside quotes or a pattern; one that was escaped twice is between lines.

/// Removes one level of escapes, but keeps escaped line ends and tabs inside quotes and patterns.
/// `None` if the text has a real line end, or fewer than two escaped line ends elsewhere.
pub(super) fn escaped_once(text: &str) -> Option<String> {
    if text.contains('\n') {
        return None;
    }
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let (mut quote, mut ends, mut at) = (None, 0, 0);
    while let Some(c) = text[at..].chars().next() {
        let escaped = bytes.get(at + 1).copied().filter(|_| c == '\\');
        match escaped {
            Some(b'n' | b't' | b'r') if quote.is_some() || in_pattern(bytes, at) => {
                out.push_str(&text[at..at + 2]);
            }
            Some(b'n') => {
                out.push('\n');
                ends += 1;
            }
            Some(b't') => out.push('\t'),
            Some(b'r') => out.push('\r'),
            Some(mark @ (b'"' | b'\'' | b'\\')) => {
                out.push(char::from(mark));
                if mark != b'\\' {
                    quote = toggled(quote, mark, bytes, at + 1);
                }
            }
            _ => {
                out.push(c);
                if matches!(c, '"' | '\'' | '`') {
                    quote = toggled(quote, bytes[at], bytes, at);
                }
                at += c.len_utf8();
                continue;
            }
        }
        at += 2;
    }
    (ends >= 2).then_some(out)
}

/// Which quote is open after the quote at `at`; an apostrophe in a word doesn't count.
fn toggled(open: Option<u8>, quote: u8, bytes: &[u8], at: usize) -> Option<u8> {
    let is_letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    match open {
        Some(same) if same == quote => None,
        Some(other) => Some(other),
        None if quote == b'\'' && at > 0 && is_letter(bytes.get(at - 1)) => None,
        None => Some(quote),
    }
}

/// Whether an escape belongs to a regular expression, judging by the bytes around it.
fn in_pattern(bytes: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| bytes.get(at));
    let after = bytes.get(at + 2);
    matches!(before, Some(b'[' | b'^' | b'/' | b'|'))
        || matches!(after, Some(b']' | b'+' | b'*' | b'?' | b'|' | b'/'))
            && !matches!((before, after), (_, Some(b'/')) if bytes.get(at + 3) == Some(&b'/'))
}

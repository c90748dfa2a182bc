//! Reads strings in every kind of quotes that models use.
//!
//! Never adds a missing end: a string without a closing quote is [`ParseError::Cut`]. The content
//! is kept byte for byte, except that escapes are decoded.

use serde_json::Value;

use super::RepairKind;
use super::value::{ParseError, Reader, Slot, ends_wrapper, key_length};

/// Tokens that serve as quotes; the same token closes the string.
const TOKENS: [&str; 3] = ["<escape>", "<|\"|>", "&quot;"];

impl Reader<'_> {
    /// Whether a string starts at the current position.
    pub(super) fn starts_string(&self) -> bool {
        let rest = self.rest();
        match rest.chars().next() {
            Some('"' | '\'' | '`' | '“' | '”' | '„' | '‘') => true,
            Some('\\') => rest.starts_with("\\\""),
            Some('r' | 'u' | 'b') => rest[1..].starts_with(['"', '\'']),
            Some('<' | '&') => TOKENS.iter().any(|token| rest.starts_with(token)),
            _ => false,
        }
    }

    /// Reads the string that starts here, including parts that are joined to it by `+`.
    pub(super) fn string(&mut self, slot: Slot<'_>) -> Result<String, ParseError> {
        let mut out = self.one_string(slot)?;
        loop {
            let rest = self.rest();
            let spaces = rest.len() - rest.trim_start().len();
            let Some(joined) = rest[spaces..].strip_prefix('+') else {
                return Ok(out);
            };
            let more = joined.len() - joined.trim_start().len();
            if !joined[more..].starts_with(['"', '\'']) {
                return Ok(out);
            }
            self.at += spaces + 1 + more;
            self.note(RepairKind::JoinedStrings);
            out.push_str(&self.one_string(slot)?);
        }
    }

    fn one_string(&mut self, slot: Slot<'_>) -> Result<String, ParseError> {
        let rest = self.rest();
        self.spend(1)?;
        for token in TOKENS {
            if let Some(body) = rest.strip_prefix(token) {
                let length = self.find(body, token)?;
                self.at += length + 2 * token.len();
                return Ok(body[..length].to_owned());
            }
        }
        for triple in ["\"\"\"", "'''"] {
            if rest.starts_with(triple) {
                return self.triple(triple);
            }
        }
        let Some(first) = rest.chars().next() else {
            return Err(ParseError::Cut);
        };
        match first {
            'r' => {
                let (quote, body) = rest[1..].split_at(1);
                let length = self.find(body, quote)?;
                self.at += length + 3;
                Ok(body[..length].to_owned())
            }
            'u' | 'b' => {
                self.at += 1;
                self.one_string(slot)
            }
            '\\' => self.over_escaped(),
            '“' | '”' | '„' | '‘' => self.noted(RepairKind::SmartQuotes, first, slot),
            '\'' => self.noted(RepairKind::SingleQuotes, first, slot),
            '`' => self.noted(RepairKind::Backticks, first, slot),
            _ => self.quoted(first, slot),
        }
    }

    fn noted(
        &mut self,
        kind: RepairKind,
        open: char,
        slot: Slot<'_>,
    ) -> Result<String, ParseError> {
        self.note(kind);
        self.quoted(open, slot)
    }

    /// The position of a closing token. Counts every skipped byte as work.
    fn find(&self, body: &str, close: &str) -> Result<usize, ParseError> {
        let found = body.find(close);
        self.spend(found.unwrap_or(body.len()))?;
        found.ok_or(ParseError::Cut)
    }

    /// Reads `"""…"""`: as is if it spans several lines, otherwise with escapes decoded.
    fn triple(&mut self, quotes: &'static str) -> Result<String, ParseError> {
        let body = &self.rest()[3..];
        let mut length = self.find(body, quotes)?;
        let quote = quotes.as_bytes()[0];
        // The content may end with quotes, so the last three of a run of quotes close the string.
        while body.as_bytes().get(length + 3) == Some(&quote) {
            length += 1;
        }
        self.spend(length)?;
        self.at += length + 6;
        self.note(RepairKind::TripleQuotes);
        let body = &body[..length];
        if body.contains('\n') {
            return Ok(body.to_owned());
        }
        Ok(unescape(body))
    }

    /// Reads `\"…\"`, in which the quotes themselves are escaped.
    fn over_escaped(&mut self) -> Result<String, ParseError> {
        let body = &self.rest()[2..];
        let mut from = 0;
        let length = loop {
            let found = from + self.find(&body[from..], "\\\"")?;
            let slashes = found - body[..found].trim_end_matches('\\').len();
            if slashes.is_multiple_of(2) {
                break found;
            }
            from = found + 2;
        };
        self.spend(length)?;
        self.at += length + 4;
        self.note(RepairKind::OverEscaped);
        Ok(unescape(&body[..length]))
    }

    fn quoted(&mut self, open: char, slot: Slot<'_>) -> Result<String, ParseError> {
        let text = self.text;
        let mut at = self.at + open.len_utf8();
        let mut out = String::new();
        let mut from = at;
        let bytes = text.as_bytes();
        loop {
            let Some(&byte) = bytes.get(at) else {
                return Err(ParseError::Cut);
            };
            self.spend(1)?;
            if byte == b'\\' {
                out.push_str(&text[from..at]);
                let rest = &text[at..];
                if rest.len() == 1 {
                    return Err(ParseError::Cut);
                }
                // Between backticks, only the backtick itself can be escaped.
                let (decoded, used, is_known) = if open == '`' && !rest.starts_with("\\`") {
                    ("\\".to_owned(), 1, true)
                } else {
                    escape(rest)
                };
                if !is_known {
                    self.note(RepairKind::BadEscape);
                }
                out.push_str(&decoded);
                at += used;
                from = at;
            } else if byte < 0x20 {
                if open != '`' {
                    self.note(RepairKind::ControlChars);
                }
                at += 1;
            } else if text.is_char_boundary(at)
                && let Some(length) = ends_quote(&text[at..], open)
                && self.closes(open, at + length, slot)
            {
                out.push_str(&text[from..at]);
                self.at = at + length;
                return Ok(out);
            } else {
                at += 1;
            }
        }
    }

    /// Whether a quote, followed by the text at `after`, closes the string.
    fn closes(&self, open: char, after: usize, slot: Slot<'_>) -> bool {
        if open == '"' && !self.guided {
            return true;
        }
        let rest = self.text.get(after..).unwrap_or_default();
        let spaces = rest.len() - rest.trim_start().len();
        // This is still linear, since whitespace between two quotes is examined at most twice.
        self.budget.spend(spaces + 1);
        let rest = &rest[spaces..];
        let Some(next) = rest.chars().next() else {
            return true;
        };
        if !self.guided {
            return match slot {
                Slot::Key => matches!(next, ':' | '='),
                _ => matches!(next, ',' | '}' | ']' | ')' | '+' | '<' | ';'),
            };
        }
        match (slot, next) {
            (Slot::Key, _) => next == ':',
            (Slot::Member(seen), ',') => {
                let rest = rest[1..].trim_start();
                rest.strip_prefix(['"', '\'']).is_some_and(|key| {
                    let quote = rest.chars().next().unwrap_or('"');
                    key_length(key, quote, self.keys)
                        .is_some_and(|length| !seen.contains_key(&key[..length]))
                })
            }
            (Slot::Element, ',') => rest[1..].trim_start().starts_with(['"', '\'', ']']),
            (Slot::Member(_), '}') | (Slot::Element, ']') => is_end(rest),
            // The model didn't close an object inside an array.
            (Slot::Member(_), ']') => self.arrays > 0 && is_end(rest),
            _ => ends_wrapper(rest),
        }
    }
}

/// Whether nothing but closing brackets follows before the end of the value.
fn is_end(rest: &str) -> bool {
    let mut newline = false;
    for (at, c) in rest.char_indices().take(64) {
        let after = || rest[at + c.len_utf8()..].trim_start();
        match c {
            '}' | ']' => newline = false,
            '\n' => newline = true,
            ',' => return after().starts_with(['"', '\'', '{']),
            ';' => return after().is_empty() || after().starts_with('{'),
            '<' => return after().starts_with(['/', '|', '｜']),
            '`' => return after().starts_with("``"),
            c if c.is_whitespace() => {}
            '"' | '\'' => return false,
            _ => return newline,
        }
    }
    true
}

/// The length of the quote here, if it can close a string that `open` opened.
fn ends_quote(rest: &str, open: char) -> Option<usize> {
    let next = rest.chars().next()?;
    let ends = match open {
        '“' | '”' | '„' => matches!(next, '”' | '“'),
        '‘' => next == '’',
        _ => next == open,
    };
    ends.then(|| next.len_utf8())
}

/// The escape at the start of a text: its meaning, its length, and whether it is valid in JSON. An
/// unknown escape stands for itself, including the backslash, since such sequences are common in
/// code and patterns.
pub(super) fn escape(rest: &str) -> (String, usize, bool) {
    let mut chars = rest.chars();
    chars.next();
    let Some(next) = chars.next() else {
        return ("\\".to_owned(), rest.len().min(1), false);
    };
    let plain = match next {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\u{8}',
        'f' => '\u{c}',
        '"' | '\\' | '/' | '`' => next,
        '\'' => '\'',
        'u' => return unicode(rest),
        _ => {
            let length = 1 + next.len_utf8();
            return (rest[..length].to_owned(), length, false);
        }
    };
    (plain.to_string(), 2, next != '\'' && next != '`')
}

fn unicode(rest: &str) -> (String, usize, bool) {
    let unit = |from: usize| {
        let digits = rest.get(from..from + 4)?;
        let is_hex = digits.bytes().all(|b| b.is_ascii_hexdigit());
        is_hex.then(|| u16::from_str_radix(digits, 16).ok())?
    };
    let Some(first) = unit(2) else {
        return ("\\u".to_owned(), 2, false);
    };
    if let Some(c) = char::from_u32(u32::from(first)) {
        return (c.to_string(), 6, true);
    }
    let pair = (rest.get(6..8) == Some("\\u")).then(|| unit(8)).flatten();
    let decoded = pair.and_then(|second| char::decode_utf16([first, second]).next()?.ok());
    match decoded {
        Some(c) => (c.to_string(), 12, true),
        None => ("\u{fffd}".to_owned(), 6, false),
    }
}

/// Removes one level of escapes.
pub(super) fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let (decoded, used, _) = escape(&rest[at..]);
        out.push_str(&decoded);
        rest = &rest[at + used..];
    }
    out.push_str(rest);
    out
}

/// The text of a string that seems to contain an object or an array, and should therefore be parsed
/// again as JSON.
pub(super) fn holds_json(value: &Value) -> Option<&str> {
    let text = value.as_str()?.trim();
    text.starts_with(['{', '[']).then_some(text)
}

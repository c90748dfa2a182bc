//! A lenient parser for JSON as models write it.
//!
//! Beyond the standard, it accepts trailing and missing commas, names and strings in apostrophes or
//! typographic quotes, unquoted names, comments, line breaks in strings, `True` and `None`. From a
//! truncated text it returns what is complete, and reports the truncation.

use serde_json::{Map, Value};

/// Result of parsing the beginning of a text.
#[derive(Debug, Clone, Default)]
pub(super) struct Read {
    /// The value, as far as it was complete.
    pub(super) value: Option<Value>,
    /// Number of bytes consumed.
    pub(super) length: usize,
    /// Whether the value was complete.
    pub(super) is_whole: bool,
    /// Whether at least one list of tasks was complete.
    pub(super) has_whole_list: bool,
}

/// Parses one value. Never fails: text that is not JSON gives no value.
pub(super) fn read(text: &str) -> Read {
    let mut reader = Reader {
        text,
        at: 0,
        depth: 0,
        is_cut: false,
        has_whole_list: false,
    };
    let value = reader.value();
    Read {
        is_whole: value.is_some() && !reader.is_cut,
        value,
        length: reader.at,
        has_whole_list: reader.has_whole_list,
    }
}

/// Maximum nesting: more than any reply needs, and safe for the stack.
const MAX_DEPTH: usize = 64;

struct Reader<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
    /// Whether the text ended, or had an error, inside a value.
    is_cut: bool,
    has_whole_list: bool,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn eat(&mut self, wanted: char) -> bool {
        let is_there = self.peek() == Some(wanted);
        if is_there {
            self.at += wanted.len_utf8();
        }
        is_there
    }

    /// Skips white space and comments.
    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let bare = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
            self.at += rest.len() - bare.len();
            let end = if bare.starts_with("//") {
                bare.find('\n').unwrap_or(bare.len())
            } else if bare.starts_with("/*") {
                bare.find("*/").map_or(bare.len(), |at| at + 2)
            } else {
                return;
            };
            self.at += end;
        }
    }

    /// The value at the current position; `None` if there is none or no part of it is complete.
    fn value(&mut self) -> Option<Value> {
        self.skip();
        match self.peek()? {
            '{' => self.nested(Self::object),
            '[' => self.nested(Self::array),
            quote if closing(quote).is_some() => self.string().map(Value::String),
            _ => self.bare(),
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Value) -> Option<Value> {
        if self.depth == MAX_DEPTH {
            self.is_cut = true;
            return None;
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        Some(value)
    }

    fn object(&mut self) -> Value {
        self.eat('{');
        let mut object = Map::new();
        loop {
            self.skip();
            if self.eat('}') {
                break;
            }
            if self.eat(',') {
                continue;
            }
            let Some(name) = self.name() else {
                self.is_cut = true;
                break;
            };
            self.skip();
            if !self.eat(':') {
                self.is_cut = true;
                break;
            }
            let value = self.value();
            let is_list = name == "tasks" && matches!(value, Some(Value::Array(_)));
            // Not the list of a nested task.
            let is_outer = self.depth == 1 || self.depth == 2 && self.text.starts_with('{');
            if is_list && is_outer && !self.is_cut {
                self.has_whole_list = true;
            }
            if let Some(value) = value {
                object.insert(name, value);
            } else {
                self.is_cut = true;
            }
            if self.is_cut {
                break;
            }
        }
        Value::Object(object)
    }

    fn array(&mut self) -> Value {
        self.eat('[');
        let mut items = Vec::new();
        loop {
            self.skip();
            if self.eat(']') {
                break;
            }
            if self.eat(',') {
                continue;
            }
            match self.value() {
                Some(item) => items.push(item),
                None => self.is_cut = true,
            }
            if self.is_cut {
                break;
            }
        }
        Value::Array(items)
    }

    fn name(&mut self) -> Option<String> {
        if self.peek().and_then(closing).is_some() {
            return self.string();
        }
        let rest = self.rest();
        let end = rest
            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.')))
            .unwrap_or(rest.len());
        self.at += end;
        (end > 0).then(|| rest[..end].to_owned())
    }

    /// A quoted string; `None` if it is not terminated.
    fn string(&mut self) -> Option<String> {
        let quote = self.peek()?;
        let end = closing(quote)?;
        self.at += quote.len_utf8();
        let mut text = String::new();
        loop {
            let Some(c) = self.peek() else {
                self.is_cut = true;
                return None;
            };
            self.at += c.len_utf8();
            if c == end && self.closes(end) {
                return Some(text);
            }
            match c {
                '\\' => self.escape(&mut text)?,
                c => text.push(c),
            }
        }
    }

    /// Whether a quotation mark ends the current string. An apostrophe inside a word does not end a
    /// string in apostrophes.
    fn closes(&self, mark: char) -> bool {
        if mark == '"' {
            return true;
        }
        let rest = self.rest().trim_start();
        rest.is_empty() || rest.starts_with([',', ':', ']', '}', '/'])
    }

    fn escape(&mut self, text: &mut String) -> Option<()> {
        let Some(c) = self.peek() else {
            self.is_cut = true;
            return None;
        };
        self.at += c.len_utf8();
        match c {
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'r' => text.push('\r'),
            'b' | 'f' => text.push(' '),
            'u' => text.push(self.unicode()),
            other => text.push(other),
        }
        Some(())
    }

    /// Four hex digits, or two such groups for a surrogate pair.
    fn unicode(&mut self) -> char {
        let Some(first) = self.hex() else {
            return char::REPLACEMENT_CHARACTER;
        };
        if (0xd800..0xdc00).contains(&first) && self.rest().starts_with("\\u") {
            let back = self.at;
            self.at += 2;
            if let Some(second @ 0xdc00..0xe000) = self.hex() {
                let code = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                return char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
            }
            self.at = back;
        }
        char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    fn hex(&mut self) -> Option<u32> {
        let digits = self.rest().get(..4)?;
        let code = u32::from_str_radix(digits, 16).ok()?;
        self.at += 4;
        Some(code)
    }

    /// A number, a boolean, or an unquoted string.
    fn bare(&mut self) -> Option<Value> {
        let rest = self.rest();
        let end = rest.find([',', ']', '}', '\n', '\r', '{', '[', '"']);
        let word = rest[..end.unwrap_or(rest.len())].trim_end();
        if word.is_empty() {
            return None;
        }
        self.at += word.len();
        // If cut off, it may be incomplete: 1 instead of 10.
        self.is_cut |= end.is_none();
        Some(match word {
            "true" | "True" => Value::Bool(true),
            "false" | "False" => Value::Bool(false),
            "null" | "None" | "undefined" | "NaN" => Value::Null,
            word => match word.parse::<serde_json::Number>() {
                Ok(number) => Value::Number(number),
                Err(_) => Value::String(word.to_owned()),
            },
        })
    }
}

fn closing(quote: char) -> Option<char> {
    match quote {
        '"' => Some('"'),
        '\'' => Some('\''),
        '“' => Some('”'),
        '‘' => Some('’'),
        _ => None,
    }
}

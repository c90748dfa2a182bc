//! A tolerant parser for one value, in JSON or in what small models write instead.
//!
//! Parses from a position to the end of the value. Never closes an unterminated string: a quote
//! still open at the end is [`ParseError::Cut`]. Missing closing brackets at the end are filled in
//! and reported by `open_end`; whether that is acceptable depends on the finish reason, which only
//! the caller knows. Depth and work are bounded. There are two passes: in the first, a string ends
//! at the next quote; only if that yields no value is there a second pass, in which a closing quote
//! must be followed by text that may follow a value.
//!
//! Long because: it is one parser; strings are already in `strings`.

use serde_json::{Map, Number, Value};

use super::RepairKind;
use super::budget::Budget;
use super::tags;

/// Maximum nesting depth.
const DEPTH: usize = 32;
/// Maximum length of a key, in bytes.
const MAX_KEY_LEN: usize = 120;

/// Why a text can't be read as a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ParseError {
    /// The text ends inside a string or a bare word, or before a value.
    Cut,
    /// The value is nested too deeply or takes too much work.
    TooComplex,
    /// The text cannot be read beyond this byte.
    Syntax {
        /// The offset of the byte.
        at: usize,
        /// What was expected there.
        expected: &'static str,
    },
}

/// A value that was read.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) value: Value,
    /// The offset of the byte after the value.
    pub(super) end: usize,
    /// The kinds of repairs that were made, without duplicates.
    pub(super) notes: Vec<RepairKind>,
    /// Whether the text ended before its brackets were closed.
    pub(super) open_end: bool,
}

/// The keys that an object may have, if known; used to tell a closing quote from one inside the
/// string. If empty, any word may be a key.
pub(super) type Keys<'a> = &'a [&'a str];

/// Reads the value that starts at `from`.
pub(super) fn read(
    text: &str,
    from: usize,
    keys: Keys<'_>,
    budget: &Budget,
) -> Result<Parsed, ParseError> {
    let first = run(text, from, keys, budget, false);
    let why = match first {
        Err(why) if why != ParseError::TooComplex => why,
        _ => return first,
    };
    match run(text, from, keys, budget, true) {
        Ok(mut read) => {
            note(&mut read.notes, RepairKind::InnerQuotes);
            Ok(read)
        }
        Err(ParseError::Cut) => Err(ParseError::Cut),
        _ => Err(why),
    }
}

fn run(
    text: &str,
    from: usize,
    keys: Keys<'_>,
    budget: &Budget,
    guided: bool,
) -> Result<Parsed, ParseError> {
    let mut reader = Reader::at(text, from, keys, budget);
    reader.guided = guided;
    let value = reader.value(0, Slot::Element)?;
    Ok(reader.read(value))
}

/// Adds a kind of repair unless it is already there.
pub(super) fn note(notes: &mut Vec<RepairKind>, kind: RepairKind) {
    if !notes.contains(&kind) {
        notes.push(kind);
    }
}

/// Where in a value a string occurs.
#[derive(Clone, Copy)]
pub(super) enum Slot<'a> {
    /// It is a key of an object.
    Key,
    /// It is a value in an object that already has these members.
    Member(&'a Map<String, Value>),
    /// It is an element of an array, an argument of a call, or the whole value.
    Element,
}

/// The reading position and the repairs so far.
pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    pub(super) keys: Keys<'a>,
    pub(super) budget: &'a Budget,
    /// Whether this is the second pass, in which the text after a quote decides whether it closes
    /// the string.
    pub(super) guided: bool,
    /// Whether the text contains the arguments of `name(…)`, where a bare word ends at `)`.
    pub(super) in_call: bool,
    pub(super) arrays: usize,
    pub(super) notes: Vec<RepairKind>,
    pub(super) open_end: bool,
}

impl<'a> Reader<'a> {
    fn at(text: &'a str, at: usize, keys: Keys<'a>, budget: &'a Budget) -> Self {
        Self {
            text,
            at,
            keys,
            budget,
            guided: false,
            in_call: false,
            arrays: 0,
            notes: Vec::new(),
            open_end: false,
        }
    }

    /// Creates a reader for the arguments of a call `name(…)`.
    pub(super) fn in_call(text: &'a str, at: usize, budget: &'a Budget) -> Self {
        Self {
            in_call: true,
            ..Self::at(text, at, &[], budget)
        }
    }

    fn read(self, value: Value) -> Parsed {
        Parsed {
            value,
            end: self.at,
            notes: self.notes,
            open_end: self.open_end,
        }
    }

    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn note(&mut self, kind: RepairKind) {
        note(&mut self.notes, kind);
    }

    pub(super) fn spend(&self, steps: usize) -> Result<(), ParseError> {
        self.budget
            .spend(steps)
            .then_some(())
            .ok_or(ParseError::TooComplex)
    }

    pub(super) fn wrong<T>(&self, expected: &'static str) -> Result<T, ParseError> {
        Err(ParseError::Syntax {
            at: self.at,
            expected,
        })
    }

    /// Skips whitespace and comments.
    pub(super) fn blank(&mut self) -> Result<(), ParseError> {
        loop {
            let rest = self.rest();
            let spaces = rest.len() - rest.trim_start().len();
            self.spend(spaces + 1)?;
            self.at += spaces;
            let rest = self.rest();
            let skipped = if rest.starts_with("//") || rest.starts_with('#') {
                rest.find('\n').unwrap_or(rest.len())
            } else if rest.starts_with("/*") {
                rest.find("*/").map_or(rest.len(), |end| end + 2)
            } else {
                return Ok(());
            };
            self.note(RepairKind::Comments);
            self.spend(skipped)?;
            self.at += skipped;
        }
    }

    /// Whether the text or an enclosing wrapper ends here. No value extends past such an end.
    fn ends_here(&self) -> bool {
        let rest = self.rest();
        rest.is_empty() || ends_wrapper(rest) || rest.starts_with("[/") || rest.starts_with("[END_")
    }

    pub(super) fn value(&mut self, depth: usize, slot: Slot<'_>) -> Result<Value, ParseError> {
        if depth > DEPTH {
            return Err(ParseError::TooComplex);
        }
        self.blank()?;
        let Some(next) = self.peek() else {
            return Err(ParseError::Cut);
        };
        if self.starts_string() {
            return self.string(slot).map(Value::String);
        }
        match next {
            '{' => self.object(depth),
            '[' => self.array(depth),
            '-' | '+' | '.' | '0'..='9' => self.number(),
            _ => self.word(),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, ParseError> {
        self.at += 1;
        self.blank()?;
        if self.peek() == Some('{') {
            self.note(RepairKind::DoubledBraces);
            let inner = self.value(depth + 1, Slot::Element)?;
            self.blank()?;
            match self.peek() {
                Some('}') => self.at += 1,
                _ if self.ends_here() => self.open_end = true,
                _ => return self.wrong("`}`"),
            }
            return Ok(inner);
        }
        self.members(depth, Map::new())
    }

    /// Reads the members of an object after its opening brace, which may be missing.
    fn members(&mut self, depth: usize, mut map: Map<String, Value>) -> Result<Value, ParseError> {
        while self.begins_item('}')? {
            let key = self.key()?;
            self.blank()?;
            match self.peek() {
                Some(':') => self.at += 1,
                Some('=') => {
                    self.at += if self.rest().starts_with("=>") { 2 } else { 1 };
                    self.note(RepairKind::EqualsSign);
                }
                None => return Err(ParseError::Cut),
                _ => return self.wrong("`:` after a key"),
            }
            let value = self.value(depth + 1, Slot::Member(&map))?;
            map.insert(key, value);
            if !self.skip_separator('}')? {
                break;
            }
        }
        Ok(Value::Object(map))
    }

    /// Whether a member or an element starts here. Skips stray commas and consumes the closing
    /// bracket.
    fn begins_item(&mut self, close: char) -> Result<bool, ParseError> {
        loop {
            self.blank()?;
            match self.peek() {
                Some(next) if next == close => {
                    self.at += 1;
                    return Ok(false);
                }
                Some(',') => {
                    self.at += 1;
                    self.note(RepairKind::TrailingComma);
                }
                // The model didn't close an array inside an object.
                Some('}') => break,
                _ if self.ends_here() => {
                    self.open_end = true;
                    break;
                }
                _ => return Ok(true),
            }
        }
        self.note(RepairKind::CloseBrackets);
        Ok(false)
    }

    /// Skips the separator after a member or an element. Returns `false` if the wrong bracket ends
    /// the object.
    fn skip_separator(&mut self, close: char) -> Result<bool, ParseError> {
        self.blank()?;
        let is_object = close == '}';
        match self.peek() {
            Some(',') => {
                self.at += 1;
                self.blank()?;
                let next = self.peek();
                if next == Some(close) || next == Some(']') {
                    self.note(RepairKind::TrailingComma);
                }
            }
            Some(']') if is_object && self.arrays == 0 => {
                self.at += 1;
                self.note(RepairKind::WrongBracket);
                return Ok(false);
            }
            Some(']') if is_object => {
                self.note(RepairKind::CloseBrackets);
                return Ok(false);
            }
            Some('}' | ']') => {}
            Some('{' | '"') if !is_object => self.note(RepairKind::MissingComma),
            _ if self.ends_here() => {}
            _ if is_object && self.is_key_here() => self.note(RepairKind::MissingComma),
            _ if is_object => return self.wrong("`,` or `}` after a value"),
            _ => return self.wrong("`,` or `]` after an element"),
        }
        Ok(true)
    }

    /// Whether a quoted key, with its colon, starts here.
    fn is_key_here(&self) -> bool {
        let rest = self.rest();
        let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'')) else {
            return false;
        };
        key_length(&rest[1..], quote, &[]).is_some()
    }

    fn key(&mut self) -> Result<String, ParseError> {
        if self.starts_string() {
            return self.string(Slot::Key);
        }
        let rest = self.rest();
        let length = rest
            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$' | '-' | '.')))
            .unwrap_or(rest.len());
        self.spend(length)?;
        if length == 0 || length > MAX_KEY_LEN {
            return self.wrong("a key in double quotes");
        }
        if length == rest.len() {
            return Err(ParseError::Cut);
        }
        self.at += length;
        self.note(RepairKind::UnquotedKeys);
        // The opening quote is missing, as in `path": "x"`.
        if self.rest().starts_with("\":") || self.rest().starts_with("\" :") {
            self.at += 1;
        }
        Ok(rest[..length].to_owned())
    }

    fn array(&mut self, depth: usize) -> Result<Value, ParseError> {
        self.at += 1;
        self.arrays += 1;
        let mut items = Vec::new();
        while self.begins_item(']')? {
            items.push(self.value(depth + 1, Slot::Element)?);
            self.skip_separator(']')?;
        }
        self.arrays -= 1;
        Ok(Value::Array(items))
    }

    fn number(&mut self) -> Result<Value, ParseError> {
        let rest = self.rest();
        let length = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.' | '_')))
            .unwrap_or(rest.len());
        self.spend(length)?;
        let token = &rest[..length];
        if let Ok(number) = token.parse::<Number>() {
            self.at += length;
            return Ok(Value::Number(number));
        }
        let plain = token.replace('_', "");
        let hex = plain.strip_prefix("0x").or(plain.strip_prefix("0X"));
        let hex = hex.and_then(|digits| i64::from_str_radix(digits, 16).ok());
        let plain = plain.trim_start_matches('+');
        // Rust would parse `nan` and `inf` as numbers, but here they are words.
        let is_float =
            !plain.contains(|c: char| c.is_ascii_alphabetic() && !matches!(c, 'e' | 'E'));
        let float = || plain.parse().ok().filter(|_| is_float);
        let whole = hex.or_else(|| plain.parse().ok()).map(Number::from);
        match whole.or_else(|| Number::from_f64(float()?)) {
            Some(number) => {
                self.at += length;
                self.note(RepairKind::NumberForm);
                Ok(Value::Number(number))
            }
            None => self.bare_word(),
        }
    }

    fn word(&mut self) -> Result<Value, ParseError> {
        let rest = self.rest();
        let length = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
            .unwrap_or(rest.len());
        self.spend(length)?;
        let value = match &rest[..length] {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "null" => Value::Null,
            "True" | "TRUE" => self.python(Value::Bool(true)),
            "False" | "FALSE" => self.python(Value::Bool(false)),
            "None" | "NULL" | "Null" | "nil" | "undefined" => self.python(Value::Null),
            _ => return self.bare_word(),
        };
        let next = rest[length..].trim_start().chars().next();
        if !matches!(
            next,
            None | Some(',' | '}' | ']' | ')' | '/' | '#' | '<' | '`' | ';')
        ) {
            return self.bare_word();
        }
        self.at += length;
        Ok(value)
    }

    fn python(&mut self, value: Value) -> Value {
        self.note(RepairKind::PythonLiterals);
        value
    }

    /// Reads a string without quotes, up to the next comma, bracket or line end; never up to the
    /// end of the text, where it may be truncated.
    fn bare_word(&mut self) -> Result<Value, ParseError> {
        let rest = self.rest();
        let in_call = self.in_call;
        let end = rest.find(|c: char| {
            matches!(
                c,
                ',' | '}' | ']' | '\n' | '"' | '{' | '[' | '\\' | '“' | '”' | '`'
            ) || (in_call && matches!(c, '(' | ')' | '='))
        });
        let length = end.unwrap_or(rest.len());
        self.spend(length)?;
        let word = rest[..length].trim();
        let Some(end) = end else {
            return Err(ParseError::Cut);
        };
        let is_ended = matches!(rest.as_bytes().get(end), Some(b',' | b'}' | b']' | b'\n'));
        if word.is_empty() || word.contains("...") || in_call || !is_ended {
            return self.wrong("a value");
        }
        self.at += length;
        self.note(RepairKind::BareValue);
        Ok(Value::String(word.to_owned()))
    }
}

/// Whether a wrapper ends here, so that no bracket can follow.
pub(super) fn ends_wrapper(rest: &str) -> bool {
    tags::closes_here(rest) || rest.starts_with("```")
}

/// The length of `key" :` up to the colon, if the text starts with it. If there are `keys`, it must
/// be one of them.
pub(super) fn key_length(text: &str, quote: char, keys: Keys<'_>) -> Option<usize> {
    let length = text
        .bytes()
        .take(MAX_KEY_LEN)
        .position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'$')))?;
    let key = text.get(..length)?;
    let rest = text.get(length..)?.strip_prefix(quote)?;
    let is_known = keys.is_empty() || keys.contains(&key);
    let colon = rest
        .char_indices()
        .take(8)
        .find(|(_, c)| !c.is_whitespace())
        .map(|(_, c)| c);
    (length > 0 && is_known && colon == Some(':')).then_some(length)
}

/// Reads the members of an object whose opening brace is missing: `"path": "a"}`.
pub(super) fn read_members(
    text: &str,
    from: usize,
    keys: Keys<'_>,
    budget: &Budget,
) -> Result<Parsed, ParseError> {
    let mut reader = Reader::at(text, from, keys, budget);
    reader.note(RepairKind::OpenBrackets);
    let value = reader.members(0, Map::new())?;
    Ok(reader.read(value))
}

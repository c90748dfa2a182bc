//! Reads calls that are written like function calls: `name(path="a", 3)`.
//!
//! Only literals are read. Text with an expression, a variable or a repeated keyword is not a call.

use serde_json::{Map, Value};

use super::body::Body;
use super::budget::Budget;
use super::envelope::{Args, Raw};
use super::value::{ParseError, Reader, Slot};
use super::{Form, Repair, RepairKind};

/// Maximum length of a name, in bytes.
const MAX_NAME_LEN: usize = 100;
/// Maximum number of arguments.
const MAX_ARGUMENTS: usize = 64;

/// Whether a name can start at the beginning of this text.
pub(super) fn begins_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// The name that starts at `at`: letters, digits, `_`, and single dots, dashes or colons inside it.
pub(super) fn name_at(text: &str, at: usize) -> Option<&str> {
    let rest = text.get(at..)?;
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | ':');
    let near = &rest[..rest.floor_char_boundary(MAX_NAME_LEN + 4)];
    let length = near.find(|c| !is_part(c)).unwrap_or(near.len());
    let name = rest[..length].trim_end_matches(['.', '-', ':']);
    (begins_name(rest) && length <= MAX_NAME_LEN).then_some(name)
}

/// Reads a call of `name` whose `(` is at `at`.
pub(super) fn call(text: &str, name: &str, at: usize, budget: &Budget) -> Result<Body, ParseError> {
    let mut reader = Reader::in_call(text, at + 1, budget);
    let mut places = Vec::new();
    let mut named: Map<String, Value> = Map::new();
    let mut open_end = false;
    loop {
        reader.blank()?;
        match reader.peek() {
            Some(')') => {
                reader.at += 1;
                break;
            }
            None => return Err(ParseError::Cut),
            _ => {}
        }
        if places.len() + named.len() >= MAX_ARGUMENTS {
            return Err(ParseError::TooComplex);
        }
        match keyword(&reader) {
            Some((key, after)) => {
                reader.at = after;
                let value = reader.value(0, Slot::Element)?;
                if named.insert(key, value).is_some() {
                    return reader.wrong("every keyword once");
                }
            }
            None if named.is_empty() => places.push(reader.value(0, Slot::Element)?),
            None => return reader.wrong("a keyword"),
        }
        reader.blank()?;
        match reader.peek() {
            Some(',') => reader.at += 1,
            Some(')') => {}
            None => {
                open_end = true;
                reader.note(RepairKind::CloseBrackets);
                break;
            }
            _ => return reader.wrong("`,` or `)`"),
        }
    }
    let mut raw = Raw::new(name, Args::Call { places, named });
    raw.repairs
        .push(Repair::new(RepairKind::PythonCall, "call"));
    // These are normal in this form, so they are not repairs.
    use RepairKind::{PythonLiterals, SingleQuotes, TripleQuotes};
    let is_damage =
        |kind: &RepairKind| ![SingleQuotes, PythonLiterals, TripleQuotes].contains(kind);
    reader.notes.retain(is_damage);
    raw.repairs.extend(Repair::all(&reader.notes, "arguments"));
    let open_end = open_end || reader.open_end;
    Ok(Body::call(raw, Form::Python, open_end, reader.at))
}

/// The key in `key =` or `key:`, and the offset after the sign.
fn keyword(reader: &Reader<'_>) -> Option<(String, usize)> {
    let rest = reader.rest();
    let length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))?;
    let after = rest[length..].trim_start();
    let is_keyword = length > 0
        && (after.starts_with('=') && !after.starts_with("==")
            || after.starts_with(':') && !after.starts_with("::"));
    is_keyword.then(|| {
        let end = rest.len() - after.len() + 1;
        (rest[..length].to_owned(), reader.at + end)
    })
}

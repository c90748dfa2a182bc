//! The front matter: the block between `---` lines at the top of a file.
//!
//! Only its top level is parsed, event by event, so deep nesting and aliases are harmless. A block
//! that isn't valid YAML is still parsed line by line, and the error becomes a problem.

use saphyr_parser::{Event, Parser, ScalarStyle};

use crate::inline::single_line;
use crate::lines::{self, Lines};
use crate::model::{FrontMatter, Problem, ProblemCode};

/// Maximum size of a block that is parsed as YAML, in bytes; longer ones are parsed line by line.
const YAML_LIMIT: usize = 64 * 1024;

/// The format version that this program writes.
const VERSION: u32 = 1;

/// Parses the block at `start`. Returns it with the offset at which the Markdown starts.
pub(crate) fn read(
    text: &str,
    start: usize,
    lines: &Lines,
    problems: &mut Vec<Problem>,
) -> (FrontMatter, usize) {
    let Some(place) = locate(text, start, lines, problems) else {
        return (FrontMatter::default(), start);
    };
    let block = &text[place.block.clone()];
    let first_line = lines.number(place.block.start);
    let mut values = Values {
        front: FrontMatter::default(),
        first_line,
        problems,
    };
    values.front.span = Some(place.span.clone());
    let yaml = if block.len() <= YAML_LIMIT {
        entries(block).map_err(|(line, reason)| {
            let message = format!(
                "the front matter is not valid YAML ({reason}); quote values that contain `: ` or ` #`"
            );
            (line, message)
        })
    } else {
        let most = YAML_LIMIT / 1024;
        let message = format!("the front matter is longer than {most} KiB; shorten it");
        Err((first_line, message))
    };
    match yaml {
        Ok(entries) => entries.into_iter().for_each(|entry| values.take(entry)),
        Err((line, message)) => {
            values.problem(ProblemCode::FrontMatter, line, message);
            plain_entries(block)
                .into_iter()
                .for_each(|entry| values.take(entry));
        }
    }
    (values.front, place.end)
}

struct Block {
    /// The span of the block, including both `---` lines, without the last line ending.
    span: std::ops::Range<usize>,
    block: std::ops::Range<usize>,
    /// The offset where the line after the block starts.
    end: usize,
}

/// Finds the block. A thematic break at the top of a page is not front matter: the block has to
/// start with a key.
fn locate(text: &str, start: usize, lines: &Lines, problems: &mut Vec<Problem>) -> Option<Block> {
    let fence = |line: &str| line.trim_end_matches([' ', '\t']) == "---";
    let first_end = lines::line_end(text, start);
    if !fence(&text[start..first_end]) {
        return None;
    }
    let block_start = lines::after_line_end(text, first_end);
    let mut begins_with_key = None;
    let mut at = block_start;
    while at < text.len() {
        let end = lines::line_end(text, at);
        let line = &text[at..end];
        let next = lines::after_line_end(text, end);
        if fence(line) || line.trim_end_matches([' ', '\t']) == "..." {
            return begins_with_key.unwrap_or(true).then_some(Block {
                span: start..end,
                block: block_start..at,
                end: next,
            });
        }
        if begins_with_key.is_none() && !line.trim().is_empty() && !line.starts_with('#') {
            begins_with_key = Some(split_key(line).is_some());
            if begins_with_key == Some(false) {
                return None;
            }
        }
        at = next;
        if next == end {
            break;
        }
    }
    if begins_with_key == Some(true) {
        problems.push(Problem {
            code: ProblemCode::FrontMatter,
            task: None,
            line: lines.number(start),
            message: "the front matter isn't closed; add a line `---` after its last key"
                .to_owned(),
        });
    }
    None
}

/// Parses `key: value` at the start of a line.
fn split_key(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let is_key = !key.is_empty()
        && key
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '"' | '\'' | '.'));
    let ends = value.is_empty() || value.starts_with([' ', '\t']);
    (is_key && ends).then_some((key, value.trim()))
}

struct Entry {
    key: String,
    value: Value,
    /// The line number within the block, from 0.
    line: u32,
}

enum Value {
    Nothing,
    One(String),
    Many(Vec<String>),
    /// A mapping or a nested list, which this program doesn't use.
    Nested,
}

/// The top-level keys with their values, or the line and reason of the first error.
fn entries(block: &str) -> Result<Vec<Entry>, (u32, String)> {
    let mut entries = Vec::new();
    let mut depth = 0_usize;
    let mut key: Option<(String, u32)> = None;
    let mut list: Option<Vec<String>> = None;
    let mut nested = false;
    for event in Parser::new_from_str(block) {
        let (event, span) = event.map_err(|error| {
            let line = u32::try_from(error.marker().line()).unwrap_or(u32::MAX);
            (line.max(1), error.info().to_owned())
        })?;
        let line = u32::try_from(span.start.line()).unwrap_or(1).max(1) - 1;
        match event {
            Event::Scalar(text, style, ..) => match (depth, &mut list) {
                (1, _) => match key.take() {
                    None => key = Some((text.into_owned(), line)),
                    Some((key, line)) => {
                        let is_null = style == ScalarStyle::Plain
                            && matches!(text.as_ref(), "" | "~" | "null" | "Null" | "NULL");
                        let value = if is_null {
                            Value::Nothing
                        } else {
                            Value::One(text.into_owned())
                        };
                        entries.push(Entry { key, value, line });
                    }
                },
                (2, Some(list)) => list.push(text.into_owned()),
                (0, _) => return Err((line + 1, "it has no `key: value` lines".to_owned())),
                _ => {}
            },
            Event::SequenceStart(..) | Event::MappingStart(..) => {
                let is_list = matches!(event, Event::SequenceStart(..));
                match depth {
                    0 if is_list => {
                        return Err((line + 1, "it has no `key: value` lines".to_owned()));
                    }
                    0 => {}
                    1 if key.is_none() => {
                        return Err((line + 1, "a key is not a string".to_owned()));
                    }
                    1 => {
                        list = is_list.then(Vec::new);
                        nested = !is_list;
                    }
                    _ => nested = true,
                }
                depth += 1;
            }
            Event::SequenceEnd | Event::MappingEnd => {
                depth = depth.saturating_sub(1);
                if depth == 1
                    && let Some((key, line)) = key.take()
                {
                    let value = match list.take() {
                        Some(list) if !nested => Value::Many(list),
                        _ => Value::Nested,
                    };
                    entries.push(Entry { key, value, line });
                    nested = false;
                }
            }
            Event::Alias(_) => match depth {
                1 => match key.take() {
                    None => return Err((line + 1, "a key is not a string".to_owned())),
                    Some((key, line)) => entries.push(Entry {
                        key,
                        value: Value::Nested,
                        line,
                    }),
                },
                _ => nested = true,
            },
            _ => {}
        }
    }
    Ok(entries)
}

/// Parses an invalid block as well as possible, one value per line.
fn plain_entries(block: &str) -> Vec<Entry> {
    let mut entries = Vec::new();
    for (number, line) in lines::split(block).enumerate() {
        let Some((key, value)) = split_key(line) else {
            continue;
        };
        let unquoted = ['"', '\'']
            .into_iter()
            .find_map(|quote| value.strip_prefix(quote)?.strip_suffix(quote))
            .unwrap_or(value);
        let value = match unquoted {
            "" => Value::Nothing,
            text => Value::One(text.to_owned()),
        };
        let line = u32::try_from(number).unwrap_or(u32::MAX);
        entries.push(Entry {
            key: key.to_owned(),
            value,
            line,
        });
    }
    entries
}

struct Values<'p> {
    front: FrontMatter,
    /// The line number of the first line of the block.
    first_line: u32,
    problems: &'p mut Vec<Problem>,
}

impl Values<'_> {
    /// Creates a problem; `line` is the line number within the block, from 1.
    fn problem(&mut self, code: ProblemCode, line: u32, message: String) {
        let line = self.first_line.saturating_add(line).saturating_sub(1);
        self.problems.push(Problem {
            code,
            task: None,
            line,
            message,
        });
    }

    fn take(&mut self, entry: Entry) {
        let line = entry.line.saturating_add(1);
        let text = match &entry.value {
            Value::One(text) => Some(single_line(text)).filter(|text| !text.is_empty()),
            _ => None,
        };
        let front = &mut self.front;
        let slot = match entry.key.as_str() {
            "planwright" => return self.take_version(text.as_deref(), line),
            "id" => &mut front.id,
            "goal" => &mut front.goal,
            "base" => &mut front.base,
            "strategy" => {
                let known = ["upfront", "iterative", "hybrid"];
                if text.as_deref().is_none_or(|text| known.contains(&text)) {
                    &mut front.strategy
                } else {
                    let message = "`strategy` must be upfront, iterative or hybrid".to_owned();
                    return self.problem(ProblemCode::BadValue, line, message);
                }
            }
            "mute" => return front.mute.extend(list(entry.value, false)),
            "match" => return front.matches.extend(list(entry.value, false)),
            "params" => return front.params.extend(list(entry.value, true)),
            "checks" => return front.checks.extend(list(entry.value, false)),
            _ => {
                front.other.extend(text.map(|text| (entry.key, text)));
                return;
            }
        };
        let expects_text = matches!(entry.value, Value::Many(_) | Value::Nested);
        let twice = slot.is_some() && text.is_some();
        if slot.is_none() {
            *slot = text;
        }
        if twice || expects_text {
            let key = entry.key;
            let message = match twice {
                true => format!("duplicate `{key}` in the front matter; the first one is used"),
                false => format!("`{key}` must be one line of text"),
            };
            self.problem(ProblemCode::BadValue, line, message);
        }
    }

    fn take_version(&mut self, text: Option<&str>, line: u32) {
        self.front.version = text.and_then(|text| text.parse().ok());
        if self.front.version != Some(VERSION) {
            let found = text.unwrap_or("nothing");
            let message = format!(
                "unknown format version `planwright: {found}`; the file is read as version {VERSION}"
            );
            self.problem(ProblemCode::UnknownVersion, line, message);
        }
    }
}

fn list(value: Value, splits_at_commas: bool) -> Vec<String> {
    let items = match value {
        Value::Many(items) => items,
        Value::One(text) if splits_at_commas => text.split(',').map(str::to_owned).collect(),
        Value::One(text) => vec![text],
        Value::Nothing | Value::Nested => Vec::new(),
    };
    items
        .iter()
        .map(|item| single_line(item))
        .filter(|item| !item.is_empty())
        .collect()
}

//! Finds the parts of a source file that are not code: comments and strings.
//!
//! Expressions that are interpolated in a string count as code. An unclosed string ends at the end
//! of its line, so that a stray quote does not turn the rest of a file into text.

use std::ops::Range;

use super::language::Family;

/// The kinds of regions that are not code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// A comment or a docstring.
    Comment,
    /// A string that isn't a docstring.
    Text,
}

/// A region that is not code.
#[derive(Debug, Clone)]
pub(super) struct Region {
    /// The byte range of the region; for a string, without the quotes.
    pub(super) range: Range<usize>,
    /// What kind of region it is.
    pub(super) part: Part,
}

struct Lexer {
    line_comments: &'static [&'static str],
    block_comment: Option<(&'static str, &'static str)>,
    quotes: &'static [u8],
    long_quotes: bool,
    nested_blocks: bool,
}

fn lexer(family: Family) -> Lexer {
    let c = Lexer {
        line_comments: &["//"],
        block_comment: Some(("/*", "*/")),
        quotes: b"\"'",
        long_quotes: false,
        nested_blocks: false,
    };
    match family {
        Family::Python => Lexer {
            line_comments: &["#"],
            block_comment: None,
            long_quotes: true,
            ..c
        },
        Family::JavaScript | Family::Go => Lexer {
            quotes: b"\"'`",
            ..c
        },
        Family::Rust => Lexer {
            quotes: b"\"",
            nested_blocks: true,
            ..c
        },
        Family::C => c,
        Family::Script => Lexer {
            line_comments: &["#"],
            block_comment: None,
            ..c
        },
        Family::Data => Lexer {
            line_comments: &["#"],
            block_comment: None,
            quotes: b"",
            ..c
        },
        Family::Document => Lexer {
            line_comments: &[],
            block_comment: None,
            quotes: b"",
            ..c
        },
    }
}

/// The non-code regions of a file, in order, without overlap.
pub(super) fn regions(text: &str, family: Family) -> Vec<Region> {
    let rules = lexer(family);
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        if let Some(mark) = rules.line_comments.iter().find(|mark| starts(rest, mark))
            && (*mark != "#" || family == Family::Python || starts_word(bytes, at))
        {
            let end = line_end(bytes, at);
            found.push(Region {
                range: at + mark.len()..end,
                part: Part::Comment,
            });
            at = end;
        } else if let Some((open, close)) = rules.block_comment
            && starts(rest, open)
        {
            let end = block_end(bytes, at, open, close, rules.nested_blocks);
            found.push(Region {
                range: at + open.len()..end,
                part: Part::Comment,
            });
            at = end;
        } else if rules.quotes.contains(&bytes[at]) {
            at = string(bytes, at, family, rules.long_quotes, &mut found);
        } else if family == Family::Rust && bytes[at] == b'\'' {
            at = rust_char(bytes, at);
        } else {
            at += 1;
        }
    }
    found
}

fn starts(bytes: &[u8], mark: &str) -> bool {
    bytes.starts_with(mark.as_bytes())
}

/// Whether a word starts here. In shell and data files, `#` opens a comment only there.
fn starts_word(bytes: &[u8], at: usize) -> bool {
    at == 0 || bytes[at - 1].is_ascii_whitespace()
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    memchr_from(bytes, at, b'\n').unwrap_or(bytes.len())
}

fn memchr_from(bytes: &[u8], at: usize, wanted: u8) -> Option<usize> {
    bytes[at..]
        .iter()
        .position(|byte| *byte == wanted)
        .map(|found| at + found)
}

fn block_end(bytes: &[u8], start: usize, open: &str, close: &str, nested: bool) -> usize {
    let mut depth = 0usize;
    let mut at = start;
    while at < bytes.len() {
        if starts(&bytes[at..], close) {
            depth = depth.saturating_sub(1);
            at += close.len();
            if depth == 0 {
                return at;
            }
        } else if starts(&bytes[at..], open) && (nested || depth == 0) {
            depth += 1;
            at += open.len();
        } else {
            at += 1;
        }
    }
    bytes.len()
}

/// The end of the character literal that a `'` opens in Rust. Without a closing `'`, it is a
/// lifetime, and only the `'` itself is skipped.
fn rust_char(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at + 1) {
        Some(b'\\') => {
            memchr_from(bytes, (at + 3).min(bytes.len()), b'\'').map_or(at + 1, |end| end + 1)
        }
        Some(_) if bytes.get(at + 2) == Some(&b'\'') => at + 3,
        _ => at + 1,
    }
}

/// Reads a string from its opening quote on and returns its end.
fn string(
    bytes: &[u8],
    at: usize,
    family: Family,
    long_quotes: bool,
    found: &mut Vec<Region>,
) -> usize {
    let quote = bytes[at];
    let prefix = prefix_of(bytes, at);
    let long = long_quotes && bytes[at..].starts_with(&[quote; 3]);
    let hashes = if family == Family::Rust {
        raw_hashes(bytes, at)
    } else {
        None
    };
    let raw = hashes.is_some()
        || (family == Family::Python && prefix.contains(&b'r'))
        || (family == Family::Go && quote == b'`');
    let many_lines = long || quote == b'`' || family == Family::Rust;
    let opening = if long { 3 } else { 1 };
    let holes = match family {
        Family::Python if prefix.iter().any(|byte| matches!(byte, b'f' | b'F')) => Holes::Braces,
        Family::JavaScript if quote == b'`' => Holes::Dollar,
        Family::Rust => Holes::Braces,
        _ => Holes::None,
    };
    // A string in triple quotes at the start of a line is a docstring.
    let part = if long && stands_alone(bytes, at - prefix.len()) {
        Part::Comment
    } else {
        Part::Text
    };
    let mut piece = at + opening;
    let mut cursor = piece;
    while cursor < bytes.len() {
        let byte = bytes[cursor];
        let closes = if long {
            bytes[cursor..].starts_with(&[quote; 3])
        } else if let Some(count) = hashes {
            byte == quote
                && bytes[cursor + 1..]
                    .iter()
                    .take_while(|byte| **byte == b'#')
                    .count()
                    >= count
        } else {
            byte == quote
        };
        if closes {
            found.push(Region {
                range: piece..cursor,
                part,
            });
            return cursor + opening + hashes.unwrap_or(0);
        }
        if byte == b'\n' && !many_lines {
            found.push(Region {
                range: piece..cursor,
                part,
            });
            return cursor;
        }
        if byte == b'\\' && !raw {
            cursor += 2;
            continue;
        }
        if let Some((skip, end)) = holes.at(bytes, cursor) {
            if end > cursor + skip {
                found.push(Region {
                    range: piece..cursor + skip,
                    part,
                });
                piece = end;
            }
            cursor = end;
            continue;
        }
        cursor += 1;
    }
    found.push(Region {
        range: piece.min(bytes.len())..bytes.len(),
        part,
    });
    bytes.len()
}

/// The prefix of a string directly before its opening quote, such as `rb` or `f`.
fn prefix_of(bytes: &[u8], at: usize) -> &[u8] {
    let letters = bytes[..at]
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    if letters <= 2 {
        &bytes[at - letters..at]
    } else {
        &[]
    }
}

/// If a quote opens a raw string in Rust, the number of `#` before it.
fn raw_hashes(bytes: &[u8], at: usize) -> Option<usize> {
    let hashes = bytes[..at]
        .iter()
        .rev()
        .take_while(|byte| **byte == b'#')
        .count();
    let before = &bytes[..at - hashes];
    let is_raw = before.ends_with(b"r")
        && !before
            .iter()
            .rev()
            .nth(1)
            .is_some_and(|byte| byte.is_ascii_alphanumeric() && *byte != b'b');
    is_raw.then_some(hashes)
}

fn stands_alone(bytes: &[u8], at: usize) -> bool {
    bytes[..at]
        .iter()
        .rev()
        .find(|byte| !matches!(**byte, b' ' | b'\t'))
        .is_none_or(|byte| *byte == b'\n')
}

/// The syntax for interpolation in strings.
#[derive(Clone, Copy)]
enum Holes {
    None,
    /// `{name}`, where `{{` stands for a literal brace.
    Braces,
    /// `${name}`, as in JavaScript.
    Dollar,
}

impl Holes {
    /// If an interpolation starts here, the length of its opening mark and the position of its
    /// closing brace. A doubled brace is literal text.
    fn at(self, bytes: &[u8], at: usize) -> Option<(usize, usize)> {
        let mark = match self {
            Self::None => return None,
            Self::Braces if bytes[at..].starts_with(b"{{") => return Some((2, at + 2)),
            Self::Braces => 1,
            Self::Dollar => 2,
        };
        let opens = match self {
            Self::Dollar => bytes[at..].starts_with(b"${"),
            _ => bytes[at] == b'{',
        };
        if !opens {
            return None;
        }
        let mut depth = 0usize;
        for (index, byte) in bytes[at..].iter().enumerate() {
            match byte {
                b'{' => depth += 1,
                b'}' if depth == 1 => return Some((mark, at + index)),
                b'}' => depth -= 1,
                b'\n' if matches!(self, Self::Braces) => return None,
                _ => {}
            }
        }
        None
    }
}

//! Finds the occurrences of a word in a file and classifies each.

mod brackets;
mod code;
mod definitions;
mod document;

pub use definitions::{Definition, definitions};

use super::language::{Family, family_of};
use super::regions::{Part, regions};
use crate::among;
use crate::context::Occurrence;

/// The role of a word where it occurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    /// The name in the declaration of a function, type or module.
    Definition,
    /// The name in the declaration of a method.
    Member,
    /// The name of a value that is declared outside of any function.
    Constant,
    /// A name in an import, an export or a list of exported names.
    Import,
    /// A name followed by an argument list.
    Call,
    /// A name after a dot or a double colon.
    Attribute,
    /// Any other use of the name in code.
    Reference,
    /// The name of a variable declared or assigned in an inner scope.
    Assignment,
    /// The name of a parameter.
    Parameter,
    /// The name of an argument, field or key.
    Key,
    /// The end of a dotted name in a string, such as `"report.total"`.
    QualifiedText,
    /// A word in a string that looks like code.
    CodeText,
    /// An entire string, or a word in a data file.
    Text,
    /// A word in prose or a comment that is formatted as code.
    CodeMention,
    /// A plain word in a comment.
    Comment,
    /// A plain word in prose or in a sentence inside a string.
    Prose,
    /// Part of a path, file name, command-line flag or hyphenated word, which makes it a different
    /// name.
    OtherName,
}

impl Shape {
    /// The name used when explaining a choice.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Definition => "definition",
            Self::Member => "member definition",
            Self::Constant => "constant",
            Self::Import => "import",
            Self::Call => "call",
            Self::Attribute => "attribute",
            Self::Reference => "reference",
            Self::Assignment => "variable",
            Self::Parameter => "parameter",
            Self::Key => "key",
            Self::QualifiedText => "qualified name in a string",
            Self::CodeText => "code in a string",
            Self::Text => "string",
            Self::CodeMention => "code in prose",
            Self::Comment => "comment",
            Self::Prose => "prose",
            Self::OtherName => "part of another name",
        }
    }

    /// Whether an occurrence of this shape is in code.
    pub fn is_code(self) -> bool {
        self <= Self::Key
    }
}

/// Every occurrence of `term` as a whole word in a file, in order. If the term starts or ends with
/// a punctuation character, as `--json` does, no word boundary is required there.
pub fn occurrences(path: &str, text: &str, term: &str) -> Vec<Occurrence> {
    if term.is_empty() {
        return Vec::new();
    }
    let family = family_of(path);
    let places: Vec<usize> = text
        .match_indices(term)
        .map(|(at, _)| at)
        .filter(|at| is_whole_word(text, *at, term))
        .collect();
    if places.is_empty() {
        return Vec::new();
    }
    let sheet = Sheet::new(text, family);
    let mut line = 1u32;
    let mut counted = 0;
    places
        .into_iter()
        .map(|offset| {
            line += newlines(&text[counted..offset]);
            counted = offset;
            let place = Place::new(&sheet, offset, term);
            Occurrence {
                path: path.to_owned(),
                line,
                offset,
                text: place.line.trim().chars().take(200).collect(),
                shape: place.shape(),
            }
        })
        .collect()
}

fn newlines(text: &str) -> u32 {
    u32::try_from(text.bytes().filter(|byte| *byte == b'\n').count()).unwrap_or(u32::MAX)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn is_whole_word(text: &str, at: usize, term: &str) -> bool {
    let touches = |inner: Option<char>, outer: Option<char>| {
        inner.is_some_and(is_word) && outer.is_some_and(is_word)
    };
    let before = text[..at].chars().next_back();
    let after = text[at + term.len()..].chars().next();
    !touches(term.chars().next(), before) && !touches(term.chars().next_back(), after)
}

/// A file, with the positions of its comments and strings.
struct Sheet<'a> {
    text: &'a str,
    family: Family,
    regions: Vec<super::regions::Region>,
    fences: Vec<document::Fence>,
}

impl<'a> Sheet<'a> {
    fn new(text: &'a str, family: Family) -> Self {
        let fences = if family == Family::Document {
            document::fences(text)
        } else {
            Vec::new()
        };
        Self {
            text,
            family,
            regions: regions(text, family),
            fences,
        }
    }

    fn region(&self, offset: usize) -> Option<&super::regions::Region> {
        let next = self
            .regions
            .partition_point(|region| region.range.start <= offset);
        next.checked_sub(1)
            .map(|index| &self.regions[index])
            .filter(|region| region.range.end > offset)
    }
}

/// An occurrence of the word within its line.
struct Place<'a> {
    sheet: &'a Sheet<'a>,
    offset: usize,
    term: &'a str,
    line_start: usize,
    line: &'a str,
    before: &'a str,
    after: &'a str,
}

impl<'a> Place<'a> {
    fn new(sheet: &'a Sheet<'a>, offset: usize, term: &'a str) -> Self {
        let text = sheet.text;
        let line_start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
        let end = offset + term.len();
        let line_end = text[end..].find('\n').map_or(text.len(), |at| end + at);
        Self {
            sheet,
            offset,
            term,
            line_start,
            line: &text[line_start..line_end],
            before: &text[line_start..offset],
            after: text[end..line_end].trim_end_matches('\r'),
        }
    }

    fn shape(&self) -> Shape {
        match self.sheet.family {
            Family::Document => return self.in_document(),
            Family::Data => return self.in_data(),
            _ => {}
        }
        match self
            .sheet
            .region(self.offset)
            .map(|region| (region.part, region.range.clone()))
        {
            // In scripts, file names need no quotes.
            None if self.sheet.family == Family::Script && self.is_file_name() => Shape::OtherName,
            None => self.in_code(self.sheet.family),
            Some((Part::Comment, range)) => self.in_comment(&self.sheet.text[range]),
            Some((Part::Text, range)) => {
                let head = self
                    .sheet
                    .text
                    .get(self.line_start..range.start)
                    .unwrap_or("");
                if self.sheet.family == Family::Python && is_annotation(head, self.line) {
                    return Shape::Reference;
                }
                self.in_string(&self.sheet.text[range])
            }
        }
    }

    /// Whether the word is part of a path, a flag or a hyphenated word.
    fn is_other_name(&self) -> bool {
        let before = self.before.chars().next_back();
        let mut after = self.after.chars();
        let next = after.next();
        let then = after.next();
        let file_name = self.is_file_name();
        let hyphen_before = before == Some('-') && !self.before.ends_with("->");
        let hyphen_after = next == Some('-') && then.is_some_and(is_word);
        let slash = before == Some('/')
            || (next == Some('/') && then.is_some_and(|c| is_word(c) || c == '.'));
        file_name || hyphen_before || hyphen_after || slash
    }

    /// Whether the word is a file name followed by its extension.
    fn is_file_name(&self) -> bool {
        self.after.strip_prefix('.').is_some_and(is_extension)
    }

    /// Whether the word ends a qualified name: `report.total`, `report:total`, `a::total`.
    fn is_qualified(&self) -> bool {
        let mut head = self.before.chars().rev();
        matches!(head.next(), Some('.' | ':'))
            && head.find(|c| *c != ':').is_some_and(is_word)
            && !self.after.starts_with(['=', '-'])
    }

    fn in_string(&self, whole: &str) -> Shape {
        if self.is_other_name() {
            return Shape::OtherName;
        }
        if brackets::opens_all_list(self.sheet.text, self.line_start, self.line) {
            return Shape::Import;
        }
        if !whole.contains(char::is_whitespace) && self.is_qualified() {
            return Shape::QualifiedText;
        }
        if whole.trim() == self.term {
            return Shape::Text;
        }
        let imports = whole.contains("import ") || whole.contains("require(");
        if self.after.starts_with('(') || imports {
            return Shape::CodeText;
        }
        Shape::Prose
    }

    fn in_comment(&self, whole: &str) -> Shape {
        if self.is_other_name() {
            return Shape::OtherName;
        }
        let begins_go_doc = self.sheet.family == Family::Go
            && whole.trim_start().starts_with(self.term)
            && brackets::declares_below(self.sheet.text, self.offset, self.term);
        let doctest = {
            let line = self.line.trim_start();
            line.starts_with(">>> ") || line.starts_with("... ")
        };
        if begins_go_doc || (doctest && self.in_code(Family::Python) <= Shape::Attribute) {
            return Shape::CodeMention;
        }
        // In `@param {Help} helper`, the first name is a type.
        let is_typed = self.before.contains('@')
            && self.before.ends_with(['{', '|', '<', '('])
            && self.after.starts_with(['}', '|', '>', ')', '[']);
        if is_typed
            || document::looks_like_code(self.before, self.after)
            || self.is_qualified_in_prose()
        {
            return Shape::CodeMention;
        }
        Shape::Comment
    }

    /// Whether the word is part of a qualified name in prose, such as `report.total`, with a dot
    /// directly between two words.
    fn is_qualified_in_prose(&self) -> bool {
        (self.before.ends_with('.') || self.before.ends_with("::")) && self.is_qualified()
    }

    fn in_data(&self) -> Shape {
        if self.sheet.region(self.offset).is_some() {
            return Shape::Comment;
        }
        if self.is_other_name() {
            return Shape::OtherName;
        }
        let word_end = self
            .after
            .find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ','));
        let rest = &self.after[..word_end.unwrap_or(self.after.len())];
        if rest.is_empty() && self.is_qualified() {
            return Shape::QualifiedText;
        }
        let after = self.after.trim_start_matches(['"', '\'']).trim_start();
        if after.starts_with([':', '=']) {
            Shape::Key
        } else {
            Shape::Text
        }
    }
}

/// Whether a Python string that begins after `head` is a type annotation: `-> "Item"`,
/// `best: "Item | None"`.
fn is_annotation(head: &str, line: &str) -> bool {
    let head = head.trim_end_matches(['"', '\'']).trim_end();
    let Some(name) = head.strip_suffix(':') else {
        return head.ends_with("->");
    };
    let line = line.trim();
    let statement = name.trim().chars().all(|c| is_word(c) || c == '.');
    let declares = line.starts_with("def ") || line.starts_with("async def ");
    !name.trim().is_empty() && (statement && !line.ends_with(',') || declares)
}

/// Whether a text begins with a common file extension that isn't the name of a call.
fn is_extension(text: &str) -> bool {
    let end = text
        .find(|c: char| !c.is_ascii_alphanumeric())
        .unwrap_or(text.len());
    if text[end..].starts_with('(') {
        return false;
    }
    among(
        &text[..end],
        "py js jsx ts tsx mjs rs go c h cpp hpp java kt rb php sh md rst txt json yaml \
    yml toml csv tsv html css xml sql png svg pdf log lock",
    )
}

//! Classifies words in documents: in prose, inline code and code blocks.

use std::ops::Range;

use super::{Place, Shape};
use crate::text::language::Family;

/// A fenced code block.
pub(super) struct Fence {
    range: Range<usize>,
    family: Option<Family>,
}

/// The fenced blocks of a document; an unclosed one extends to the end.
pub(super) fn fences(text: &str) -> Vec<Fence> {
    let mut found = Vec::new();
    let mut open: Option<(String, usize, Option<Family>)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        let mark: String = trimmed
            .chars()
            .take_while(|c| matches!(c, '`' | '~'))
            .collect();
        match &open {
            Some((opening, start, family))
                if trimmed == mark && mark.starts_with(opening.as_str()) =>
            {
                found.push(Fence {
                    range: *start..at,
                    family: *family,
                });
                open = None;
            }
            Some(_) => {}
            None if mark.len() >= 3 => {
                open = Some((
                    mark.clone(),
                    at + line.len(),
                    language(&trimmed[mark.len()..]),
                ));
            }
            None => {}
        }
        at += line.len();
    }
    if let Some((_, start, family)) = open {
        found.push(Fence {
            range: start..text.len(),
            family,
        });
    }
    found
}

/// The language family named after a fence; `None` for terminal sessions, output and unknown
/// languages.
fn language(info: &str) -> Option<Family> {
    let name = info
        .trim()
        .trim_start_matches('{')
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '+')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    match name.as_str() {
        "python" | "py" | "python3" | "pycon" => Some(Family::Python),
        "javascript" | "js" | "jsx" | "typescript" | "ts" | "tsx" => Some(Family::JavaScript),
        "rust" | "rs" => Some(Family::Rust),
        "go" | "golang" => Some(Family::Go),
        "c" | "cpp" | "java" | "kotlin" | "swift" | "csharp" | "cs" | "php" => Some(Family::C),
        "ruby" | "rb" => Some(Family::Script),
        _ => None,
    }
}

/// Whether prose formats the word as code: alone in backticks or a `<code>` element, as part of a
/// name or declaration in backticks, or directly followed by an argument list.
pub(super) fn looks_like_code(before: &str, after: &str) -> bool {
    if after.starts_with('(') {
        return true;
    }
    let opened = before.ends_with('`') || before.ends_with("<code>");
    let closed = after.starts_with('`') || after.starts_with("</code>");
    if opened && closed {
        return true;
    }
    let ticks = before.matches('`').count();
    let in_span = ticks % 2 == 1 && after.contains('`');
    in_span
        && (before.ends_with('.')
            || before.ends_with("::")
            || before.ends_with("import ")
            || before.ends_with("def ")
            || before.ends_with("fn ")
            || before.ends_with("function ")
            || before.ends_with("func "))
}

impl Place<'_> {
    pub(super) fn in_document(&self) -> Shape {
        let fences = &self.sheet.fences;
        let next = fences.partition_point(|fence| fence.range.start <= self.offset);
        let fence = next
            .checked_sub(1)
            .map(|index| &fences[index])
            .filter(|fence| fence.range.end > self.offset);
        if self.is_other_name() {
            return Shape::OtherName;
        }
        if let Some(fence) = fence {
            return self.in_fence(fence);
        }
        if looks_like_code(self.before, self.after) || self.is_qualified_in_prose() {
            return Shape::CodeMention;
        }
        if self.line.trim_start().starts_with(">>> ")
            && self.in_code(Family::Python) <= Shape::Attribute
        {
            return Shape::CodeMention;
        }
        let in_span = self.before.matches('`').count() % 2 == 1 && self.after.contains('`');
        if in_span { Shape::Text } else { Shape::Prose }
    }

    fn in_fence(&self, fence: &Fence) -> Shape {
        let shape = self.in_code(fence.family.unwrap_or(Family::Script));
        match (shape, fence.family) {
            (
                Shape::Definition
                | Shape::Member
                | Shape::Constant
                | Shape::Import
                | Shape::Call
                | Shape::Attribute,
                Some(_),
            )
            | (Shape::Call | Shape::Import | Shape::Attribute, None) => Shape::CodeMention,
            (_, Some(_)) => Shape::Text,
            (_, None) => Shape::Prose,
        }
    }
}

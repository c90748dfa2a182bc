//! Rung 4, in backticks: reads calls in fences whose language suggests a call, and in inline code,
//! which is a quotation unless it is the whole text. Ignores other prose.

use super::body::{Body, skip};
use super::scan::Scan;
use super::{Form, RepairKind, tool_names};
use plan::word_list::WordList;

/// Maximum length of inline code, in bytes.
const MAX_CODE_LEN: usize = 2_000;

/// Fence languages that always mean calls.
const CALLS: WordList =
    WordList("tool_code tool_call tool_calls tool tool_use function function_call action tools");
/// Fence languages that models use for calls and for other things; the empty entry is a fence
/// without a language.
const PERHAPS: WordList = WordList("|json|jsonc|json5|javascript|xml|yaml");

impl Scan<'_> {
    /// Handles backticks: a fence, or inline code.
    pub(super) fn ticks(&mut self) -> bool {
        let at = self.at;
        let rest = self.rest(at);
        let count = rest.bytes().take_while(|byte| *byte == b'`').count();
        let inner = &rest[count..];
        if count >= 3 {
            return self.fence(at, count);
        }
        let ticks = &rest[..count];
        let window = inner.floor_char_boundary(MAX_CODE_LEN);
        let close = inner[..window].find(ticks);
        self.budget.spend(close.unwrap_or(window));
        let Some(close) = close.filter(|close| !inner[..*close].contains("\n\n")) else {
            self.at = at + count;
            return true;
        };
        let end = at + count + close + count;
        let is_all = self.text[..at].trim().is_empty() && self.text[end..].trim().is_empty();
        if is_all && let Some(body) = self.body(at + count, Form::Bare, false) {
            return self.take(Body { end, ..body }, at, true);
        }
        self.at = end;
        true
    }

    fn fence(&mut self, at: usize, count: usize) -> bool {
        let inner = &self.rest(at)[count..];
        let head = inner.find(['\n', '{', '[', '<']).unwrap_or(inner.len());
        let lang = inner[..head].trim().to_lowercase();
        let inside = at + count + head;
        let ticks = "`".repeat(count);
        let closing = |scan: &Self, from: usize| {
            let rest = scan.rest(from);
            let close = rest.find(&ticks);
            scan.budget.spend(close.unwrap_or(rest.len()));
            close.map_or(scan.text.len(), |close| from + close + count)
        };
        // The fence's language may be the name of a tool: ```read_file.
        if let Some(tool) = tool_names::resolve(&lang, self.tools).filter(|_| !lang.is_empty())
            && self.rest(skip(self.text, inside)).starts_with('{')
        {
            let from = skip(self.text, inside);
            let mut body = self.arguments(&tool.name, from, &self.keys, Form::NameFirst);
            if !body.is_broken() {
                body.end = closing(self, body.end);
                return self.take(body, at, true);
            }
        }
        let is_sure = CALLS.contains(&lang);
        // If the fence is the whole text, its language doesn't matter.
        let is_whole = || {
            let end = closing(self, inside);
            self.text[..at].trim().is_empty() && self.text[end..].trim().is_empty()
        };
        let is_python = WordList("python py text plaintext bash sh").contains(&lang);
        if is_sure || PERHAPS.contains(&lang) || is_python && is_whole() {
            let mut all = Body {
                items: Vec::new(),
                end: inside,
            };
            let mut next = inside;
            // Read the calls one after another.
            while let Some(body) = self.body(next, Form::Fenced, is_sure) {
                let is_broken = body.is_broken();
                all.items.extend(body.items);
                all.end = body.end;
                next = self.next_in_fence(all.end);
                if is_broken || next >= self.text.len() || self.rest(next).starts_with(&ticks) {
                    break;
                }
            }
            if !all.items.is_empty() {
                next = self.next_in_fence(all.end);
                all.end = match self.rest(next).starts_with(&ticks) {
                    true => next + count,
                    false => closing(self, all.end),
                };
                all.mended(&[RepairKind::StripFence]);
                return self.take(all, at, !is_sure);
            }
        }
        self.at = closing(self, inside);
        true
    }

    /// Where the next item in a fence starts, after closing tags, separators and comments.
    fn next_in_fence(&self, from: usize) -> usize {
        let mut at = from;
        loop {
            let rest = self.rest(at);
            let after = rest.trim_start_matches([' ', '\n', '\r', '\t', ';', ',', ')']);
            at += rest.len() - after.len();
            let close = super::tags::tag_at(self.text, at).filter(|tag| tag.closes);
            match close {
                Some(tag) => at = tag.end,
                None if after.starts_with('#') => at += after.find('\n').unwrap_or(after.len()),
                None => return at,
            }
        }
    }
}

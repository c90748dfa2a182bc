//! Rung 4, in prose: calls that are recognizable only by their shape.
//!
//! These are standalone JSON, `name(…)` on a line of its own, and names in brackets. `fences` reads
//! content in backticks, and `react` reads the lines of ReAct.

use super::body::skip;
use super::scan::Scan;
use super::tokens::is_invented_line;
use super::{Form, RepairKind, python, tags, tool_names};
use plan::word_list::WordList;

/// Maximum length of a line with a name and its arguments, in bytes.
const MAX_LINE_LEN: usize = 2_000;

/// Words without meaning that may precede a call.
const PREFIXES: WordList = WordList(
    "json|tool_call|tool call|function call|function_call|function|call|assistant|tool|action|\
    tool_calls|json format",
);

impl Scan<'_> {
    /// Handles standalone JSON.
    pub(super) fn json(&mut self) -> bool {
        let at = self.at;
        let inside = self.rest(at)[1..].trim_start();
        let is_json = inside.starts_with(['"', '\'', '“', '{', '/', '#', '\\', '[', '}'])
            || python::begins_name(inside);
        if !is_json {
            return false;
        }
        if let Some(mut body) = self.body(at, Form::Bare, false) {
            let start = self.without_prefix(at);
            if let Some(first) = body.items.first_mut().filter(|_| start < at) {
                first.mended(&[RepairKind::StripPrefix]);
            }
            if body.is_broken() {
                body.end = self.text.len();
            }
            return self.take(body, start, true);
        }
        // Skip any other JSON as a whole, since nothing inside it is a call.
        self.at = self.passed.get().max(at);
        self.at > at
    }

    /// Where the call at `at` starts, including a word such as `json` if that is all that precedes
    /// it.
    fn without_prefix(&self, at: usize) -> usize {
        let from = self.found.last().map_or(0, |found| found.span.end);
        let before = self.text.get(from..at).unwrap_or_default();
        let word = before
            .trim()
            .trim_end_matches(':')
            .trim_matches('*')
            .to_lowercase();
        if PREFIXES.contains(word) { from } else { at }
    }

    pub(super) fn bracket(&mut self) -> bool {
        let at = self.at;
        let rest = self.rest(at);
        let upper: String = rest.chars().take(24).collect::<String>().to_uppercase();
        for (open, close) in [
            ("[TOOL_CALLS]", "[/TOOL_CALLS]"),
            ("[TOOL_REQUEST]", "[END_TOOL_REQUEST]"),
            ("[TOOL_CALL]", "[/TOOL_CALL]"),
            ("[FUNCTION_CALL]", "[/FUNCTION_CALL]"),
        ] {
            if upper.starts_with(open) {
                return self.take_wrapped(at, at + open.len(), Some(close));
            }
            if upper.starts_with(close) {
                return self.swallow(at, at + close.len());
            }
        }
        if self.marked_thinking() {
            return true;
        }
        let ends = WordList("[TOOL_RESULTS] [INST] [/INST] [TOOL_RESULT] [AVAILABLE_TOOLS]");
        if ends.iter().any(|end| upper.starts_with(end)) {
            return self.cut(at);
        }
        if let Some(done) = self.bracketed(at) {
            return done;
        }
        let inside = rest[1..].trim_start();
        if inside.starts_with('{') || inside.starts_with('"') && inside.len() < 4_096 {
            return self.json();
        }
        if python::name_at(inside, 0)
            .is_some_and(|name| tool_names::resolve(name, self.tools).is_some())
            && self.begins_line(at)
            && let Some(body) = self.python_list(at)
            && self.ends_line(body.end)
        {
            return self.take(body, at, true);
        }
        false
    }

    /// Reads `[tool_use: read_file] {"path": "a"}` and similar forms.
    fn bracketed(&mut self, at: usize) -> Option<bool> {
        let rest = self.rest(at);
        let close = rest.bytes().take(120).position(|byte| byte == b']')?;
        let (head, name) = rest.get(1..close)?.split_once([':', '='])?;
        let head = head.trim().to_lowercase().replace([' ', '-'], "_");
        let is_head =
            WordList("tool_use tool_call tool call function function_call use_tool calling action")
                .contains(&head);
        if !is_head {
            return None;
        }
        let name = name.trim();
        let after = skip(self.text, at + close + 1);
        let mut body = if self.rest(after).starts_with('{') {
            self.arguments(name, after, &self.keys, Form::NameFirst)
        } else {
            // The arguments may be inside the brackets, or there may be none.
            let mut body = self.named(at + rest.find(name)?, true, 0)?;
            body.end = self.past(body.end, "]");
            body.items.truncate(1);
            body
        };
        body.items.first_mut()?.mended(&[RepairKind::BracketPrefix]);
        Some(self.take(body, at, false))
    }

    fn ends_line(&self, at: usize) -> bool {
        let rest = self.rest(at);
        let rest = &rest[..rest.floor_char_boundary(80)];
        let line = rest.lines().next().unwrap_or_default().trim_start();
        let is_over = |c: char| c.is_whitespace() || matches!(c, ')' | ']' | ';' | '.' | ',');
        line.chars().all(is_over) || tags::closes_here(line) || line.starts_with('#')
    }

    /// Handles a word: a tool's name at the start of a line, a ReAct line, or a supposed tool
    /// result. Other words are skipped.
    pub(super) fn word(&mut self) -> bool {
        let at = self.at;
        let rest = self.rest(at);
        let is_first = !self.text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '✿';
        let first = rest.chars().next().map_or(1, char::len_utf8);
        let length = match rest.starts_with(['*', '>']) {
            // A run of markers counts as one word.
            true => rest.len() - rest.trim_start_matches(['*', '>']).len(),
            false => rest.find(|c| !is_part(c)).unwrap_or(rest.len()).max(first),
        };
        let next = at + length;
        self.budget.spend(length);
        if is_first && rest.starts_with("functools[") {
            let body = self.body(at + "functools".len(), Form::Token, true);
            return body.is_some_and(|body| self.take(body, at, false));
        }
        if is_first && self.begins_line(at) {
            let end = rest
                .bytes()
                .take(MAX_LINE_LEN)
                .position(|byte| byte == b'\n');
            let line_end = end.unwrap_or(rest.len());
            let is_short = end.is_some() || rest.len() < MAX_LINE_LEN;
            self.budget.spend(line_end.min(MAX_LINE_LEN));
            let line = if is_short { &rest[..line_end] } else { "" }.trim();
            if !self.found.is_empty() && is_invented_line(line) {
                // A label without text is dropped, but not recorded as a repair: the model stopped
                // before it invented anything.
                let is_bare = line.ends_with(':') && rest[line_end..].trim().is_empty();
                return match is_bare {
                    true => self.swallow(at, self.text.len()),
                    false => self.cut(at),
                };
            }
            if is_short && let Some(done) = self.react(at, line_end) {
                return done;
            }
            let inner = rest.strip_prefix("print(").unwrap_or(rest);
            let name = python::name_at(inner, 0);
            let known = name.filter(|name| tool_names::resolve(name, self.tools).is_some());
            if known.is_some()
                && let Some(body) = self.named(at, false, 0)
            {
                let is_python = body.items.iter().any(|item| item.form == Form::Python);
                if !body.is_broken() && (!is_python || self.ends_line(body.end)) {
                    return self.take(body, at, true);
                }
            }
        }
        self.at = next;
        true
    }
}

//! Rung 4, inside a wrapper that announces a call: reads the call in any of the forms that models
//! use. Ignores prose. `elements` reads calls in tags.

use super::arguments::keys_of;
use super::envelope::{self, Args, Raw};
use super::python;
use super::scan::{Item, Scan};
use super::tags;
use super::tokens::{Token, token_at};
use super::value::{self, ParseError};
use super::{Form, Repair, RepairKind, tokens, tool_names};

/// Maximum nesting of wrappers.
const WRAPPERS: usize = 4;

/// The calls in the content of a wrapper.
pub(super) struct Body {
    pub(super) items: Vec<Item>,
    /// The offset after the content and any closing fence.
    pub(super) end: usize,
}

impl Body {
    pub(super) fn call(raw: Raw, form: Form, open_end: bool, end: usize) -> Self {
        let items = vec![Item::call(raw, form, open_end)];
        Self { items, end }
    }

    pub(super) fn broken(why: ParseError, name: Option<&str>, form: Form, end: usize) -> Self {
        let items = vec![Item::broken(why, name, form)];
        Self { items, end }
    }

    pub(super) fn is_broken(&self) -> bool {
        self.items.iter().any(Item::is_broken)
    }

    pub(super) fn mended(&mut self, kinds: &[RepairKind]) {
        self.items.iter_mut().for_each(|item| item.mended(kinds));
    }
}

/// The offset of the first byte at or after `at` that isn't whitespace.
pub(super) fn skip(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.len() - rest.trim_start().len()
}

/// The start of a code fence's content, after its language, if a fence opens at `at`.
pub(super) fn fence_body(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let inner = rest.trim_start_matches('`');
    if rest.len() - inner.len() < 3 {
        return None;
    }
    let inner = inner.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    Some(skip(text, text.len() - inner.len()))
}

impl<'a> Scan<'a> {
    /// The rest of the text, from `at` on.
    pub(super) fn rest(&self, at: usize) -> &'a str {
        self.text.get(at..).unwrap_or_default()
    }

    /// The offset after `mark` if that follows `end` and any whitespace, otherwise `end`.
    pub(super) fn past(&self, end: usize, mark: &str) -> usize {
        let next = skip(self.text, end);
        match self.rest(next).starts_with(mark) {
            true => next + mark.len(),
            false => end,
        }
    }

    /// Reads a call of `name` whose arguments are the value that starts at `at`.
    pub(super) fn arguments(&self, name: &str, at: usize, keys: &[&str], form: Form) -> Body {
        match value::read(self.text, at, keys, self.budget) {
            Ok(read) => {
                let mut raw = Raw::new(name, Args::Value(read.value));
                raw.repairs = Repair::all(&read.notes, "arguments");
                Body::call(raw, form, read.open_end, read.end)
            }
            Err(why) => Body::broken(why, Some(name), form, self.text.len()),
        }
    }

    /// Reads the calls that start at `from`; `None` if there are none. `sure` means that the
    /// wrapper can only contain calls, so unreadable content is a fault.
    pub(super) fn body(&self, from: usize, form: Form, sure: bool) -> Option<Body> {
        if self.depth.get() >= WRAPPERS {
            return None;
        }
        self.depth.set(self.depth.get() + 1);
        let body = self.unwrapped(from, form, sure);
        self.depth.set(self.depth.get() - 1);
        body
    }

    fn unwrapped(&self, from: usize, form: Form, sure: bool) -> Option<Body> {
        let mut kinds = Vec::new();
        let mut at = skip(self.text, from);
        self.budget.spend(at - from + 8);
        let fenced = fence_body(self.text, at);
        if let Some(inside) = fenced {
            kinds.push(RepairKind::StripFence);
            at = inside;
        }
        for word in ["json", "python", "JSON"] {
            let rest = self.rest(at);
            if rest
                .strip_prefix(word)
                .is_some_and(|rest| rest.trim_start().starts_with(['{', '[']))
            {
                kinds.push(RepairKind::StripPrefix);
                at = skip(self.text, at + word.len());
            }
        }
        let mut body = self.inner(at, form, sure)?;
        let closers = self.rest(body.end);
        let after = closers.trim_start_matches(['}', ']', ' ', '\n']);
        let length = closers.len() - after.len();
        if closers[..length].contains(['}', ']']) {
            kinds.push(RepairKind::ExtraBracket);
            body.end += length;
        }
        if fenced.is_some() {
            body.end = self.past(body.end, "```");
        }
        body.mended(&kinds);
        Some(body)
    }

    fn inner(&self, at: usize, form: Form, sure: bool) -> Option<Body> {
        let rest = self.rest(at);
        match rest.chars().next()? {
            '{' => self.values(at, form, sure),
            '[' => {
                let inside = rest[1..].trim_start();
                if inside.starts_with(['{', '"', '[']) {
                    self.values(at, form, sure)
                } else {
                    self.python_list(at)
                }
            }
            '"' | '\''
                if sure && value::key_length(&rest[1..], rest.chars().next()?, &[]).is_some() =>
            {
                self.headless(at, form)
            }
            '<' => match token_at(self.text, at) {
                Some((Token::Opens, end)) => self.body(end, form, sure),
                _ => self.wrapped(at, sure).or_else(|| self.element(at)),
            },
            _ => self.named(at, sure, 0),
        }
    }

    /// Reads a wrapper inside another wrapper or a fence.
    fn wrapped(&self, at: usize, sure: bool) -> Option<Body> {
        let tag = tags::tag_at(self.text, at).filter(|tag| !tag.closes && tag.value.is_none())?;
        let is_wrapper = tokens::is_call_tag(tag.name) == Some(true);
        if !is_wrapper || !self.budget.spend(tag.end - at) {
            return None;
        }
        let mut body = self.body(tag.end, Form::Tagged, sure)?;
        let close = tags::next_tag(self.text, body.end).filter(|close| close.closes);
        body.end = close.map_or(body.end, |close| close.end);
        Some(body)
    }

    /// Reads an object whose first brace is missing: `"name": "a", "arguments": {…}}`.
    fn headless(&self, at: usize, form: Form) -> Option<Body> {
        let read = value::read_members(self.text, at, &self.keys, self.budget).ok()?;
        let raws = envelope::calls(read.value, self.tools)?;
        Some(Body {
            items: items(raws, &read.notes, form, read.open_end),
            end: read.end,
        })
    }

    /// Reads the calls in one or more JSON values with only separators between them. If the first
    /// value isn't a call, it is a fault if `sure`, and otherwise the result is `None`.
    pub(super) fn values(&self, at: usize, form: Form, sure: bool) -> Option<Body> {
        let mut body = Body {
            items: Vec::new(),
            end: at,
        };
        let mut at = at;
        loop {
            match value::read(self.text, at, &self.keys, self.budget) {
                Ok(read) => {
                    let Some(raws) = envelope::calls(read.value, self.tools) else {
                        self.passed.set(read.end);
                        if body.items.is_empty() && sure {
                            let why = ParseError::Syntax {
                                at,
                                expected: "an object with a tool's name and arguments",
                            };
                            return Some(Body::broken(why, None, form, read.end));
                        }
                        break;
                    };
                    body.items
                        .extend(items(raws, &read.notes, form, read.open_end));
                    body.end = read.end;
                }
                Err(why) => {
                    // After a complete call, an unreadable start of another call is a separate
                    // fault.
                    let name = self.name_in(at);
                    if sure || !body.items.is_empty() || name.is_some() {
                        body.items.push(Item::broken(why, name, form));
                        body.end = self.text.len();
                    }
                    break;
                }
            }
            let rest = self.rest(body.end);
            let after = rest.trim_start_matches([';', ',', ' ', '\n', '\r', '\t']);
            self.budget.spend(rest.len() - after.len() + 1);
            if !after.starts_with(['{', '['])
                || after.starts_with("[/")
                || after.starts_with("[END")
            {
                break;
            }
            at = self.text.len() - after.len();
        }
        (!body.items.is_empty()).then_some(body)
    }

    /// The tool that an unreadable text seems to call.
    fn name_in(&self, at: usize) -> Option<&str> {
        let rest = self.rest(at);
        let end = rest.floor_char_boundary(200);
        self.budget.spend(end);
        let words = rest[..end].split(|c: char| !(c.is_alphanumeric() || "_.-".contains(c)));
        let mut words = words.filter(|word| !word.is_empty());
        words.find(|word| self.tools.get(word).is_some())
    }

    /// Reads a list of calls, as in Python: `[name(…), name(…)]`.
    pub(super) fn python_list(&self, at: usize) -> Option<Body> {
        let mut body = Body {
            items: Vec::new(),
            end: at + 1,
        };
        loop {
            let from = skip(self.text, body.end);
            if self.rest(from).starts_with(']') {
                body.end = from + 1;
                break;
            }
            let name = python::name_at(self.text, from)?;
            tool_names::resolve(name, self.tools)?;
            let open = from + name.len();
            if !self.rest(open).starts_with('(') {
                return None;
            }
            let called = python::call(self.text, name, open, self.budget).ok()?;
            body.end = called.end;
            body.items.extend(called.items);
            let next = skip(self.text, body.end);
            match self.rest(next).chars().next() {
                Some(',') => body.end = next + 1,
                Some(']') => {}
                // The closing bracket of the list is missing.
                _ => break,
            }
        }
        (!body.items.is_empty()).then_some(body)
    }

    /// Reads a name that is followed by the arguments in one of many forms.
    pub(super) fn named(&self, at: usize, sure: bool, depth: usize) -> Option<Body> {
        let rest = self.rest(at);
        if let Some(inner) = rest.strip_prefix("print(") {
            let mut body = self.named(self.text.len() - inner.len(), sure, depth)?;
            body.end = self.past(body.end, ")");
            return Some(body);
        }
        let name = python::name_at(self.text, at)?;
        let tool = tool_names::resolve(name, self.tools);
        let mut after = at + name.len();
        if let Some(variable) = self.rest(after).trim_start().strip_prefix('=')
            && tool.is_none()
            && depth < 2
        {
            // The call may be assigned to a variable: `result = read_file(…)`.
            let value = skip(self.text, self.text.len() - variable.len());
            return self.named(value, sure, depth + 1);
        }
        if self.rest(after).starts_with('(') {
            return match python::call(self.text, name, after, self.budget) {
                Ok(called) => Some(called),
                Err(why) if sure && tool.is_some() => {
                    let end = self.text.len();
                    Some(Body::broken(why, Some(name), Form::Python, end))
                }
                Err(_) => None,
            };
        }
        // Skip separators between the name and its arguments: tokens, markers, a fence, a line end.
        let mut kinds = Vec::new();
        let mut is_fenced = false;
        let is_separated = depth > 0 || self.rest(after).starts_with(['<', '[']);
        for _ in 0..6 {
            after = skip(self.text, after);
            let rest = self.rest(after);
            if let Some((Token::Noise, end)) = token_at(self.text, after) {
                if name == "function" && depth < 2 {
                    return self.named(skip(self.text, end), sure, depth + 1);
                }
                after = end;
            } else if let Some(id) = rest.strip_prefix("[CALL_ID]") {
                after += "[CALL_ID]".len() + id.find('[')?;
            } else if let Some(inside) = fence_body(self.text, after) {
                // After a separator token, the fence is part of the form and not a repair.
                is_fenced = true;
                if !is_separated {
                    kinds.push(RepairKind::StripFence);
                }
                after = inside;
            } else if rest.starts_with("json_") {
                break;
            } else {
                let marks = ["[ARGS]", "json", ":", "=", ","];
                let Some(mark) = marks.iter().find(|mark| rest.starts_with(**mark)) else {
                    break;
                };
                after += mark.len();
            }
        }
        let rest = self.rest(after);
        if rest.starts_with('{') {
            let keys = tool.map_or_else(|| self.keys.clone(), keys_of);
            let mut body = self.arguments(name, after, &keys, Form::NameFirst);
            body.mended(&kinds);
            if is_fenced {
                body.end = self.past(body.end, "```");
            }
            return Some(body);
        }
        if rest.starts_with("<arg_key") {
            // The end of the wrapper is left to the caller.
            let fields = tags::fields(self.text, after, "tool_call", tool, self.budget);
            let end = fields.end;
            return Some(self.field_call(name, fields, Form::Xml, end));
        }
        if rest.starts_with("<parameter") {
            let fields = tags::fields(self.text, after, "function", tool, self.budget);
            let end = fields.closed.unwrap_or(fields.end);
            return Some(self.field_call(name, fields, Form::Xml, end));
        }
        let is_alone = rest.is_empty() || tags::closes_here(rest);
        (sure && is_alone && tool.is_some()).then(|| {
            let raw = Raw::new(name, Args::None);
            Body::call(raw, Form::NameFirst, false, after)
        })
    }
}

/// The calls in one value, each with the repairs that were made in it.
pub(super) fn items(raws: Vec<Raw>, notes: &[RepairKind], form: Form, open_end: bool) -> Vec<Item> {
    let last = raws.len().saturating_sub(1);
    raws.into_iter()
        .enumerate()
        .map(|(i, raw)| {
            let mut item = Item::call(raw, form, open_end && i == last);
            item.mended(notes);
            item
        })
        .collect()
}

//! Rung 4, inside: where a wrapper says that a call follows, the call in any of the ways in which
//! models write one. Looks at no prose and decides nothing about it.
//! `elements` reads calls in tags.

use super::elements::field_item;
use super::envelope::{self, Args, Raw};
use super::fit::keys_of;
use super::python;
use super::scan::{Item, Scan};
use super::tags;
use super::tokens::token_at;
use super::value::{self, Broken};
use super::{Form, Repair, RepairKind, names, tokens};

/// Wrappers in wrappers that are opened.
const WRAPPERS: usize = 4;

/// What stands behind a wrapper's beginning.
pub(super) struct Body {
    pub(super) items: Vec<Item>,
    /// The byte after it, closing fence included.
    pub(super) end: usize,
}

impl Body {
    pub(super) fn of(item: Item, end: usize) -> Self {
        Self {
            items: vec![item],
            end,
        }
    }
}

/// The byte after white space.
pub(super) fn skip(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.len() - rest.trim_start().len()
}

impl<'a> Scan<'a> {
    /// The text from `at` on.
    pub(super) fn rest(&self, at: usize) -> &'a str {
        self.text.get(at..).unwrap_or_default()
    }

    /// The byte after `mark` where that stands next, else `end`.
    pub(super) fn past(&self, end: usize, mark: &str) -> usize {
        let next = skip(self.text, end);
        match self.rest(next).starts_with(mark) {
            true => next + mark.len(),
            false => end,
        }
    }

    /// The call of a name whose arguments are the value that begins at `at`.
    pub(super) fn arguments(&self, name: &str, at: usize, keys: &[&str], form: Form) -> Body {
        match value::read(self.text, at, keys, self.work) {
            Ok(read) => {
                let mut raw = Raw::new(name, Args::Value(read.value));
                raw.repairs = Repair::all(&read.notes, "arguments");
                Body::of(Item::call(raw, form, read.open_end), read.end)
            }
            Err(why) => {
                let item = Item::broken(why, Some(name.to_owned()), form);
                Body::of(item, self.text.len())
            }
        }
    }

    /// The calls that begin at `from`. `sure` says that the wrapper means calls and nothing else, so
    /// that what cannot be read is a fault.
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
        self.work.spend(at - from + 8);
        if self.rest(at).starts_with("```") {
            kinds.push(RepairKind::StripFence);
            let inner = self.rest(at).trim_start_matches('`');
            let lang = inner.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
            at = skip(self.text, self.text.len() - lang.len());
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
        let is_extra = closers[..closers.len() - after.len()].contains(['}', ']']);
        if is_extra {
            kinds.push(RepairKind::ExtraBracket);
            body.end += closers.len() - after.len();
        }
        if kinds.contains(&RepairKind::StripFence) {
            body.end = self.past(body.end, "```");
        }
        body.items.iter_mut().for_each(|item| item.mended(&kinds));
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
                Some((tokens::Token::Opens, end)) => self.body(end, form, sure),
                _ => self.wrapped(at, sure).or_else(|| self.element(at)),
            },
            _ => self.named(at, sure, 0),
        }
    }

    /// A wrapper within a wrapper or a fence.
    fn wrapped(&self, at: usize, sure: bool) -> Option<Body> {
        let tag = tags::tag_at(self.text, at).filter(|tag| !tag.closes && tag.value.is_none())?;
        let is_wrapper = tokens::is_call_tag(tag.name) == Some(true);
        if !is_wrapper || !self.work.spend(tag.end - at) {
            return None;
        }
        let mut body = self.body(tag.end, Form::Tagged, sure)?;
        let close = skip(self.text, body.end);
        let close = tags::tag_at(self.text, close).filter(|close| close.closes);
        body.end = close.map_or(body.end, |close| close.end);
        Some(body)
    }

    /// `"name": "a", "arguments": {…}}`: the first brace is missing.
    fn headless(&self, at: usize, form: Form) -> Option<Body> {
        let read = value::read_members(self.text, at, &self.keys, self.work).ok()?;
        let raws = envelope::calls(read.value, self.tools)?;
        Some(Body {
            items: items(raws, &read.notes, form, read.open_end),
            end: read.end,
        })
    }

    /// One or more JSON values, with nothing but separators between them.
    pub(super) fn values(&self, at: usize, form: Form, sure: bool) -> Option<Body> {
        let mut body = Body {
            items: Vec::new(),
            end: at,
        };
        let mut at = at;
        loop {
            match value::read(self.text, at, &self.keys, self.work) {
                Ok(read) => {
                    let Some(raws) = envelope::calls(read.value, self.tools) else {
                        self.passed.set(read.end);
                        if body.items.is_empty() && sure {
                            let why = Broken::Syntax {
                                at,
                                expected: "an object with a tool's name and arguments",
                            };
                            body.items.push(Item::broken(why, None, form));
                            body.end = read.end;
                        }
                        break;
                    };
                    body.items
                        .extend(items(raws, &read.notes, form, read.open_end));
                    body.end = read.end;
                }
                Err(why) => {
                    // After a whole call the beginning of another is a fault of its own.
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
            self.work.spend(rest.len() - after.len() + 1);
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

    /// The tool that a text which cannot be read begins to call.
    fn name_in(&self, at: usize) -> Option<String> {
        let rest = self.rest(at);
        let end = (0..=rest.len().min(200))
            .rev()
            .find(|end| rest.is_char_boundary(*end))?;
        self.work.spend(end);
        let words = rest[..end].split(|c: char| !(c.is_alphanumeric() || "_.-".contains(c)));
        let mut words = words.filter(|word| !word.is_empty());
        words
            .find(|word| self.tools.get(word).is_some())
            .map(str::to_owned)
    }

    /// `[name(…), name(…)]`.
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
            names::resolve(name, self.tools)?;
            let open = from + name.len();
            if !self.rest(open).starts_with('(') {
                return None;
            }
            let called = python::call(self.text, name, open, self.work).ok()?.body();
            body.end = called.end;
            body.items.extend(called.items);
            let next = skip(self.text, body.end);
            match self.rest(next).chars().next() {
                Some(',') => body.end = next + 1,
                Some(']') => {}
                _ => {
                    // The list's own bracket was forgotten.
                    break;
                }
            }
        }
        (!body.items.is_empty()).then_some(body)
    }

    /// A name, then the arguments in one of many ways.
    pub(super) fn named(&self, at: usize, sure: bool, depth: usize) -> Option<Body> {
        let rest = self.rest(at);
        if let Some(inner) = rest.strip_prefix("print(") {
            let mut body = self.named(self.text.len() - inner.len(), sure, depth)?;
            body.end = self.past(body.end, ")");
            return Some(body);
        }
        let name = python::name_at(self.text, at)?;
        let tool = names::resolve(name, self.tools);
        let mut after = at + name.len();
        if let Some(variable) = self.rest(after).trim_start().strip_prefix('=')
            && tool.is_none()
            && depth < 2
        {
            // `result = read_file(…)`
            return self.named(
                skip(self.text, self.text.len() - variable.len()),
                sure,
                depth + 1,
            );
        }
        if self.rest(after).starts_with('(') {
            return match python::call(self.text, name, after, self.work) {
                Ok(called) => Some(called.body()),
                Err(why) if sure && tool.is_some() => {
                    let item = Item::broken(why, Some(name.to_owned()), Form::Python);
                    Some(Body::of(item, self.text.len()))
                }
                Err(_) => None,
            };
        }
        // Separators between a name and its arguments: tokens, marks, a fence, a line end.
        let mut kinds = Vec::new();
        let mut is_fenced = false;
        let is_separated = depth > 0 || self.rest(after).starts_with(['<', '[']);
        for _ in 0..6 {
            after = skip(self.text, after);
            let rest = self.rest(after);
            if let Some((_, end)) =
                token_at(self.text, after).filter(|(token, _)| *token == tokens::Token::Noise)
            {
                if name == "function" && depth < 2 {
                    return self.named(skip(self.text, end), sure, depth + 1);
                }
                after = end;
            } else if let Some(more) = rest.strip_prefix("[ARGS]") {
                after = self.text.len() - more.len();
            } else if let Some(more) = rest.strip_prefix("[CALL_ID]") {
                let id = more.find('[')?;
                after = self.text.len() - more.len() + id;
            } else if rest.starts_with("```") {
                // After a separator token the fence belongs to the form.
                is_fenced = true;
                if !is_separated {
                    kinds.push(RepairKind::StripFence);
                }
                let inner = rest.trim_start_matches('`');
                after = self.text.len()
                    - inner
                        .trim_start_matches(|c: char| c.is_ascii_alphanumeric())
                        .len();
            } else if rest.starts_with([':', '=', ','])
                || rest.starts_with("json") && !rest.starts_with("json_")
            {
                after += if rest.starts_with("json") { 4 } else { 1 };
            } else {
                break;
            }
        }
        let rest = self.rest(after);
        if rest.starts_with('{') {
            let keys = tool.map_or_else(|| self.keys.clone(), keys_of);
            let mut body = self.arguments(name, after, &keys, Form::NameFirst);
            body.items.iter_mut().for_each(|item| item.mended(&kinds));
            if is_fenced {
                body.end = self.past(body.end, "```");
            }
            return Some(body);
        }
        if rest.starts_with("<arg_key") || rest.starts_with("<parameter") {
            let container = if rest.starts_with("<arg") {
                "tool_call"
            } else {
                "function"
            };
            let fields = tags::fields(self.text, after, container, tool, self.work);
            // The wrapper's own end is left to the wrapper.
            let end = if fields.closed && container == "tool_call" {
                self.text[..fields.end].rfind("</").unwrap_or(fields.end)
            } else {
                fields.end
            };
            return Some(Body::of(field_item(name, fields), end));
        }
        let is_alone = rest.is_empty()
            || rest.starts_with("</")
            || rest.starts_with("<|")
            || rest.starts_with("<｜");
        let raw = Raw::new(name, Args::None);
        (sure && is_alone && tool.is_some())
            .then(|| Body::of(Item::call(raw, Form::NameFirst, false), after))
    }
}

/// The calls of one value, each with what was mended in it.
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

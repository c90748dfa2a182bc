//! Rungs 1, 2 and 4: one pass over the content, from left to right.
//!
//! The strings in a call are skipped together with the call, so that a token, a fence or a tag in
//! file content is not mistaken for an end or for another call. This module finds possible calls
//! and rates how certain they are; whether each really is a call is decided when its arguments are
//! fitted.
//!
//! Long because: it is one pass over one text, and the marks that it looks for exclude each other.

use std::cell::Cell;
use std::ops::Range;

use super::body::{Body, skip};
use super::budget::Budget;
use super::envelope::Raw;
use super::schema::Tools;
use super::tags::{self, Tag};
use super::tokens::{self, Token, token_at};
use super::value::ParseError;
use super::{Form, Repair, RepairKind};

/// Maximum number of characters that are examined before the first word of a line.
const MARGIN: usize = 24;

/// What was found at a position.
#[derive(Debug)]
pub(super) enum ItemKind {
    Call(Raw),
    /// An unreadable call, with its name if that is known.
    Invalid {
        why: ParseError,
        name: Option<String>,
    },
}

/// A possible call that was found in a body.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) kind: ItemKind,
    pub(super) form: Form,
    pub(super) open_end: bool,
}

impl Item {
    pub(super) fn call(raw: Raw, form: Form, open_end: bool) -> Self {
        Self {
            kind: ItemKind::Call(raw),
            form,
            open_end,
        }
    }

    pub(super) fn broken(why: ParseError, name: Option<&str>, form: Form) -> Self {
        let name = name.map(str::to_owned);
        Self {
            kind: ItemKind::Invalid { why, name },
            form,
            open_end: false,
        }
    }

    pub(super) fn is_broken(&self) -> bool {
        matches!(self.kind, ItemKind::Invalid { .. })
    }

    /// Adds repairs made around the call before the repairs made inside it.
    pub(super) fn mended(&mut self, kinds: &[RepairKind]) {
        if let ItemKind::Call(raw) = &mut self.kind {
            raw.repairs.splice(0..0, Repair::all(kinds, "call"));
        }
    }
}

/// A possible call and its position in the text.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) item: Item,
    pub(super) span: Range<usize>,
    /// Whether nothing but its shape suggests that it is a call.
    pub(super) weak: bool,
}

/// The state of the pass, and what it has found so far.
pub(super) struct Scan<'a> {
    pub(super) text: &'a str,
    pub(super) tools: &'a Tools,
    pub(super) keys: Vec<&'a str>,
    pub(super) budget: &'a Budget,
    pub(super) at: usize,
    /// The number of open wrappers around the body that is being read.
    pub(super) depth: Cell<usize>,
    /// The end of the last JSON that wasn't a call.
    pub(super) passed: Cell<usize>,
    pub(super) found: Vec<Found>,
    /// The ranges of the text that are not calls, tokens or thinking.
    pub(super) prose: Vec<Range<usize>>,
    kept: usize,
    pub(super) thinking: String,
    /// Whether the text ended inside the thinking.
    pub(super) is_thinking: bool,
    pub(super) repairs: Vec<Repair>,
}

/// Scans a text for calls, thinking and prose.
pub(super) fn scan<'a>(text: &'a str, tools: &'a Tools, budget: &'a Budget) -> Scan<'a> {
    let mut scan = Scan {
        text,
        tools,
        keys: tools.keys(),
        budget,
        at: 0,
        depth: Cell::new(0),
        passed: Cell::new(0),
        found: Vec::new(),
        prose: Vec::new(),
        kept: 0,
        thinking: String::new(),
        is_thinking: false,
        repairs: Vec::new(),
    };
    scan.walk();
    scan
}

impl<'a> Scan<'a> {
    fn walk(&mut self) {
        while self.at < self.text.len() {
            if !self.budget.spend(1) {
                break;
            }
            let Some(next) = self.rest(self.at).chars().next() else {
                break;
            };
            let before = self.at;
            let done = match next {
                '<' => self.angle(),
                '[' => self.bracket(),
                '{' => self.json(),
                '`' => self.ticks(),
                '◁' => self.marked_thinking(),
                '_' | '*' | '✿' | '>' => self.word(),
                c => c.is_alphabetic() && self.word(),
            };
            if !done || self.at <= before {
                self.at = before + next.len_utf8();
            }
        }
        self.keep(self.text.len());
    }

    /// Marks the text between the last call or token and `until` as prose.
    pub(super) fn keep(&mut self, until: usize) {
        if until > self.kept {
            self.prose.push(self.kept..until);
        }
        self.kept = self.kept.max(until);
    }

    /// Drops a piece of the text and continues after it. Returns `true`, like every handler that
    /// has advanced the position.
    pub(super) fn swallow(&mut self, from: usize, end: usize) -> bool {
        self.keep(from);
        self.kept = end;
        self.at = end;
        true
    }

    /// Cuts off the text from here on, which isn't part of the model's turn.
    pub(super) fn cut(&mut self, from: usize) -> bool {
        if !is_only_tokens(self.rest(from)) {
            self.repairs
                .push(Repair::new(RepairKind::CutInvented, "reply"));
        }
        self.swallow(from, self.text.len())
    }

    /// Records the calls of a body that starts at `from`, and continues after it.
    pub(super) fn take(&mut self, body: Body, from: usize, weak: bool) -> bool {
        let span = from..body.end;
        let found = |item| Found {
            item,
            span: span.clone(),
            weak,
        };
        self.found.extend(body.items.into_iter().map(found));
        self.swallow(from, body.end)
    }

    /// Like [`Self::take`], for a wrapper whose content starts at `inside`. If the wrapper contains
    /// no calls, only its opening mark is dropped.
    pub(super) fn take_wrapped(&mut self, from: usize, inside: usize, close: Option<&str>) -> bool {
        match self.body(inside, Form::Token, true) {
            Some(mut body) => {
                body.end = close.map_or(body.end, |close| self.past(body.end, close));
                self.take(body, from, false)
            }
            None => self.swallow(from, inside),
        }
    }

    /// Adds a repair to the last call found.
    pub(super) fn mend_last(&mut self, kind: RepairKind) {
        if let Some(ItemKind::Call(raw)) = self.found.last_mut().map(|found| &mut found.item.kind) {
            raw.repairs.push(Repair::new(kind, "call"));
        }
    }

    fn think(&mut self, from: usize, inside: usize, end: Option<(usize, usize)>) -> bool {
        let (until, after) = end.unwrap_or((self.text.len(), self.text.len()));
        self.budget.spend(after - from);
        let thought = self.text[inside..until].trim().to_owned();
        if !self.thinking.is_empty() {
            self.thinking.push('\n');
        }
        self.thinking.push_str(&thought);
        self.is_thinking = end.is_none();
        self.swallow(from, after)
    }

    /// Handles an end mark of thinking without a start mark: everything before it is thinking.
    fn thought_until(&mut self, from: usize, after: usize) -> bool {
        self.keep(from);
        self.found.clear();
        self.prose.clear();
        self.repairs.clear();
        self.thinking = self.text[..from].trim().to_owned();
        self.swallow(from, after)
    }

    /// Handles thinking between two marks that aren't tags.
    pub(super) fn marked_thinking(&mut self) -> bool {
        let (at, rest) = (self.at, self.rest(self.at));
        for (open, close) in tokens::THINKING {
            if rest.starts_with(close) {
                return self.thought_until(at, at + close.len());
            }
            if rest.starts_with(open) {
                let inside = at + open.len();
                let end = self.rest(inside).find(close).map(|end| inside + end);
                return self.think(at, inside, end.map(|end| (end, end + close.len())));
            }
        }
        false
    }

    fn angle(&mut self) -> bool {
        let at = self.at;
        if let Some((token, end)) = token_at(self.text, at) {
            return self.token(token, at, end);
        }
        let Some(tag) = tags::tag_at(self.text, at) else {
            return false;
        };
        if tokens::is_think_tag(tag.name) {
            return self.think_tag(&tag);
        }
        if tag.closes {
            // This may be the end tag of a wrapper whose start tag the server dropped.
            let is_stray = tokens::is_call_tag(tag.name) == Some(true);
            if is_stray {
                if let Some(found) = self.found.last_mut().filter(|found| found.weak) {
                    found.weak = false;
                    self.mend_last(RepairKind::StrayTag);
                }
                return self.swallow(at, tag.end);
            }
            let is_end = tag.name.eq_ignore_ascii_case("s") && self.rest(tag.end).trim().is_empty();
            return is_end && self.swallow(at, tag.end);
        }
        if tokens::is_result_tag(tag.name) && (!self.found.is_empty() || self.begins_line(at)) {
            return self.cut(at);
        }
        match tag.name {
            "end_of_turn" | "eos" => return self.cut(at),
            "bos" | "s" if at == 0 => return self.swallow(at, tag.end),
            "start_of_turn" => {
                let rest = self.rest(tag.end);
                return match rest.strip_prefix("model") {
                    Some(rest) => self.swallow(at, self.text.len() - rest.len()),
                    None => self.cut(at),
                };
            }
            _ => {}
        }
        self.call_tag(&tag)
    }

    fn think_tag(&mut self, tag: &Tag<'_>) -> bool {
        let at = self.at;
        if tag.closes {
            return self.thought_until(at, tag.end);
        }
        let mut ends = self.rest(tag.end).match_indices("</");
        let end = ends.find_map(|(found, _)| {
            let from = tag.end + found;
            let close = tags::tag_at(self.text, from)?;
            let is_end = close.name.eq_ignore_ascii_case(tag.name);
            is_end.then_some((from, close.end))
        });
        self.think(at, tag.end, end)
    }

    /// Handles a tag that may contain a call.
    fn call_tag(&mut self, tag: &Tag<'_>) -> bool {
        let at = self.at;
        if let (Some(is_sure), None) = (tokens::is_call_tag(tag.name), tag.value) {
            let Some(mut body) = self.body(tag.end, Form::Tagged, is_sure) else {
                return is_sure && self.unread(tag);
            };
            let is_end = |close: &Tag<'_>| {
                let is_own = close.name.eq_ignore_ascii_case(tag.name);
                close.closes && (is_own || tokens::is_call_tag(close.name).is_some())
            };
            let mut is_closed = false;
            while let Some(close) = tags::next_tag(self.text, body.end).filter(is_end) {
                body.end = close.end;
                is_closed = true;
            }
            // An unreadable call ends where its wrapper ends.
            let is_broken = body.is_broken();
            if is_broken && !is_closed {
                body.end = self.wrapper_end(tag).unwrap_or(body.end);
            }
            // More calls may follow before the wrapper ends.
            let goes_on = self.rest(skip(self.text, body.end)).starts_with('<');
            self.take(body, at, !is_sure);
            if !is_broken && !is_closed && !goes_on {
                self.mend_last(RepairKind::CloseTag);
            }
            return true;
        }
        let is_line = self.begins_line(at);
        let Some(body) = self.element(at) else {
            return false;
        };
        let is_sure =
            matches!(tag.name, "function" | "invoke" | "tool_call") && tag.value.is_some();
        if !is_sure && !is_line {
            return false;
        }
        self.take(body, at, !is_sure)
    }

    /// Handles a wrapper without a readable call. The wrapper is a fault if it is closed or comes
    /// last; otherwise it is prose.
    fn unread(&mut self, tag: &Tag<'_>) -> bool {
        let at = self.at;
        let inside = self.rest(tag.end).trim_start();
        if inside.starts_with('<') {
            return self.swallow(at, tag.end);
        }
        let end = self.wrapper_end(tag);
        let is_ended = end.is_some_and(|end| self.text[..end].ends_with('>'));
        let why = match end {
            // The model wrote a second start tag instead of an end tag.
            None if inside.is_empty() && !self.found.is_empty() => {
                return self.swallow(at, tag.end);
            }
            None if inside.is_empty() => ParseError::Cut,
            Some(_) if is_ended => ParseError::Syntax {
                at: tag.end,
                expected: "an object with a tool's name and arguments",
            },
            _ => return false,
        };
        let end = end.unwrap_or(self.text.len());
        self.take(Body::broken(why, None, Form::Tagged, end), at, false)
    }

    fn wrapper_end(&self, tag: &Tag<'_>) -> Option<usize> {
        let mut from = tag.end;
        while let Some(found) = self.text.get(from..)?.find('<') {
            self.budget.spend(found + 1);
            let at = from + found;
            if let Some(other) = tags::tag_at(self.text, at)
                && other.name.eq_ignore_ascii_case(tag.name)
            {
                return Some(if other.closes { other.end } else { at });
            }
            from = at + 1;
        }
        None
    }

    fn token(&mut self, token: Token, at: usize, end: usize) -> bool {
        match token {
            Token::End => self.cut(at),
            Token::Noise => self.swallow(at, end),
            Token::Role => {
                let rest = self.rest(end);
                let word = rest.trim_start();
                match ["assistant", "model"]
                    .iter()
                    .find(|role| word.starts_with(*role))
                {
                    Some(role) => self.swallow(at, end + rest.len() - word.len() + role.len()),
                    None => self.cut(at),
                }
            }
            Token::Opens => self.take_wrapped(at, end, None),
            Token::Channel => self.channel(at, end),
        }
    }

    /// Handles `<|channel|>commentary to=functions.read_file
    /// <|constrain|>json<|message|>{…}<|call|>`.
    fn channel(&mut self, at: usize, end: usize) -> bool {
        let rest = self.rest(end);
        let Some(header) = rest.find("<|message|>") else {
            return self.swallow(at, end);
        };
        self.budget.spend(header);
        let inside = end + header + "<|message|>".len();
        let header = &rest[..header];
        let target = header.split("to=").nth(1).map(|to| {
            let to = to.split(|c: char| c.is_whitespace() || c == '<').next();
            to.unwrap_or_default().to_owned()
        });
        if let Some(name) = target {
            let from = skip(self.text, inside);
            let mut body = self.arguments(&name, from, &self.keys, Form::Token);
            body.end = self.past(body.end, "<|call|>");
            return self.take(body, at, false);
        }
        if header.trim_start().starts_with("analysis") {
            let stops = ["<|end|>", "<|start|>", "<|channel|>"];
            let inner = self.rest(inside);
            let stop = stops.iter().filter_map(|stop| inner.find(stop)).min();
            return self.think(at, inside, stop.map(|stop| (inside + stop, inside + stop)));
        }
        self.swallow(at, inside)
    }

    /// Whether nothing but whitespace and markers of lists, quotes and prompts precedes the
    /// position on its line.
    pub(super) fn begins_line(&self, at: usize) -> bool {
        let before = self.text[..at].chars().rev().take_while(|c| *c != '\n');
        let is_margin = |c: &char| c.is_whitespace() || matches!(c, '-' | '*' | '>' | '•');
        let mut outside = before.enumerate();
        let word = outside.find(|(looked, c)| *looked >= MARGIN || !is_margin(c));
        let looked = word.map_or(MARGIN, |(looked, _)| looked + 1);
        self.budget.spend(looked);
        word.is_none()
    }
}

/// Whether a text consists only of special tokens and whitespace.
fn is_only_tokens(text: &str) -> bool {
    let mut at = skip(text, 0);
    while at < text.len() {
        let end = token_at(text, at).map(|(_, end)| end).or_else(|| {
            tags::tag_at(text, at)
                .filter(|tag| matches!(tag.name, "s" | "eos" | "end_of_turn"))
                .map(|tag| tag.end)
        });
        let Some(end) = end else { return false };
        at = skip(text, end);
    }
    true
}

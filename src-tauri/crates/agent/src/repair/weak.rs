//! Rung 4, in prose: calls that nothing marks but their shape.
//!
//! JSON that stands free, code fences, `name(…)` on a line of its own, ReAct lines, names in
//! brackets. What stands in back-ticks or in a fence of a programming language is quoted.
//!
//! Long because: the marks of calls in prose, each a short rule.

use super::body::skip;
use super::envelope::{Args, Raw};
use super::scan::{Item, Scan, What};
use super::tokens::is_invented_line;
use super::value;
use super::{Form, Repair, RepairKind, names, python};

/// The longest code within a line, in bytes.
const LONGEST_CODE: usize = 2_000;
/// The longest line of a name and its arguments, in bytes.
const LONGEST_LINE: usize = 2_000;

/// Languages of fences that models put calls in.
const CALL_FENCES: [&str; 16] = [
    "",
    "json",
    "jsonc",
    "json5",
    "javascript",
    "tool_code",
    "tool_call",
    "tool_calls",
    "tool",
    "tool_use",
    "function",
    "function_call",
    "action",
    "xml",
    "tools",
    "yaml",
];
/// Of these the ones that say so by their name.
const SURE_FENCES: [&str; 9] = [
    "tool_code",
    "tool_call",
    "tool_calls",
    "tool",
    "tool_use",
    "function",
    "function_call",
    "action",
    "tools",
];
/// Words that stand alone before a call and mean nothing.
const PREFIXES: [&str; 12] = [
    "json",
    "tool_call",
    "tool call",
    "function call",
    "function_call",
    "function",
    "call",
    "assistant",
    "tool",
    "action",
    "tool_calls",
    "json format",
];

impl Scan<'_> {
    /// A brace that stands free.
    pub(super) fn brace(&mut self) -> bool {
        let at = self.at;
        self.json(at)
    }

    fn json(&mut self, at: usize) -> bool {
        let inside = self.rest(at)[1..].trim_start();
        let is_json = inside.starts_with(['"', '\'', '“', '{', '/', '#', '\\', '[', '}'])
            || inside
                .chars()
                .next()
                .is_some_and(|c| c.is_alphabetic() || c == '_');
        if !is_json {
            return false;
        }
        if let Some(body) = self.body(at, Form::Bare, false) {
            let start = self.without_prefix(at);
            let is_prefixed = start < at;
            let first = self.found.len();
            let is_read = body
                .items
                .iter()
                .all(|item| matches!(item.what, What::Call(_)));
            let end = if is_read { body.end } else { self.text.len() };
            self.take(body.items, start..end, true);
            if is_prefixed
                && let Some(What::Call(raw)) =
                    self.found.get_mut(first).map(|found| &mut found.item.what)
            {
                raw.repairs
                    .insert(0, Repair::new(RepairKind::StripPrefix, "call"));
            }
            return true;
        }
        // Other JSON is passed over as a whole: what stands in it is no call.
        let passed = self.passed.get();
        if passed > at {
            self.at = passed;
        }
        passed > at
    }

    /// Where a word such as `json` begins that stands alone before a call.
    fn without_prefix(&self, at: usize) -> usize {
        let from = self.prose_start();
        let before = self.text.get(from..at).unwrap_or_default();
        let word = before
            .trim()
            .trim_end_matches(':')
            .trim_matches('*')
            .to_lowercase();
        if PREFIXES.contains(&word.as_str()) {
            from
        } else {
            at
        }
    }

    fn prose_start(&self) -> usize {
        self.found.last().map_or(0, |found| found.span.end)
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
                let Some(body) = self.body(at + open.len(), Form::Token, true) else {
                    return self.swallow(at, at + open.len());
                };
                let after = skip(self.text, body.end);
                let end = if self.rest(after).starts_with(close) {
                    after + close.len()
                } else {
                    body.end
                };
                return self.take(body.items, at..end, false);
            }
            if upper.starts_with(close) {
                return self.swallow(at, at + close.len());
            }
        }
        if upper.starts_with("[THINK]") {
            let inside = at + 7;
            let inner = self.rest(inside);
            let close = inner.find("[/THINK]");
            self.work.spend(close.unwrap_or(inner.len()));
            let thought = inner[..close.unwrap_or(inner.len())].to_owned();
            self.thinking.push_str(thought.trim());
            self.is_thinking = close.is_none();
            let end = close.map_or(self.text.len(), |close| inside + close + 8);
            return self.swallow(at, end);
        }
        if [
            "[TOOL_RESULTS]",
            "[INST]",
            "[/INST]",
            "[TOOL_RESULT]",
            "[AVAILABLE_TOOLS]",
        ]
        .iter()
        .any(|end| upper.starts_with(end))
        {
            return self.cut(at);
        }
        if let Some(done) = self.bracketed(at) {
            return done;
        }
        let inside = rest[1..].trim_start();
        if inside.starts_with('{') || inside.starts_with('"') && inside.len() < 4_096 {
            return self.json(at);
        }
        if python::name_at(inside, 0).is_some_and(|name| names::resolve(name, self.tools).is_some())
            && self.begins_line(at)
            && let Some(body) = self.python_list(at)
            && self.ends_line(body.end)
        {
            return self.take(body.items, at..body.end, true);
        }
        false
    }

    /// `[tool_use: read_file] {"path": "a"}` and its kin.
    fn bracketed(&mut self, at: usize) -> Option<bool> {
        let rest = self.rest(at);
        let close = rest.bytes().take(120).position(|byte| byte == b']')?;
        let (head, name) = rest.get(1..close)?.split_once([':', '='])?;
        let head = head.trim().to_lowercase().replace([' ', '-'], "_");
        let is_head = matches!(
            head.as_str(),
            "tool_use"
                | "tool_call"
                | "tool"
                | "call"
                | "function"
                | "function_call"
                | "use_tool"
                | "calling"
                | "action"
        );
        if !is_head {
            return None;
        }
        let name = name.trim().to_owned();
        let after = skip(self.text, at + close + 1);
        let found = if self.rest(after).starts_with('{') {
            match value::read(self.text, after, &self.keys, self.work) {
                Ok(read) => {
                    let mut raw = Raw::new(name, Args::Value(read.value));
                    raw.repairs = Repair::all(&read.notes, "arguments");
                    (Item::call(raw, Form::NameFirst, read.open_end), read.end)
                }
                Err(why) => (
                    Item::broken(why, Some(name), Form::NameFirst),
                    self.text.len(),
                ),
            }
        } else {
            // The arguments may stand inside the brackets, or there are none.
            let open = at + rest.find(&name)?;
            let body = self.named(open, true, 0)?;
            let closed = skip(self.text, body.end);
            let end = if self.rest(closed).starts_with(']') {
                closed + 1
            } else {
                body.end
            };
            let item = body.items.into_iter().next()?;
            (item, end)
        };
        let (mut item, end) = found;
        if let What::Call(raw) = &mut item.what {
            raw.repairs
                .insert(0, Repair::new(RepairKind::BracketPrefix, "call"));
        }
        Some(self.take(vec![item], at..end, false))
    }

    /// Back-ticks: a fence, or a quotation in a line.
    pub(super) fn ticks(&mut self) -> bool {
        let at = self.at;
        let rest = self.rest(at);
        let count = rest.bytes().take_while(|byte| *byte == b'`').count();
        let inner = &rest[count..];
        if count >= 3 {
            return self.fence(at, count);
        }
        let ticks = &rest[..count];
        let window = (0..=inner.len().min(LONGEST_CODE))
            .rev()
            .find(|end| inner.is_char_boundary(*end))
            .unwrap_or(0);
        let close = inner[..window].find(ticks);
        self.work.spend(close.unwrap_or(window));
        let Some(close) = close.filter(|close| !inner[..*close].contains("\n\n")) else {
            self.at = at + count;
            return true;
        };
        let end = at + count + close + count;
        let is_all = self.text[..at].trim().is_empty() && self.text[end..].trim().is_empty();
        if is_all && let Some(body) = self.body(at + count, Form::Bare, false) {
            return self.take(body.items, at..end, true);
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
            scan.work.spend(close.unwrap_or(rest.len()));
            close.map_or(scan.text.len(), |close| from + close + count)
        };
        // ```read_file
        if let Some((tool, _)) = names::resolve(&lang, self.tools).filter(|_| !lang.is_empty())
            && self.rest(skip(self.text, inside)).starts_with('{')
        {
            let name = tool.name.clone();
            let from = skip(self.text, inside);
            if let Ok(read) = value::read(self.text, from, &self.keys, self.work) {
                let mut raw = Raw::new(name, Args::Value(read.value));
                raw.repairs = Repair::all(&read.notes, "arguments");
                let end = closing(self, read.end);
                return self.take(
                    vec![Item::call(raw, Form::NameFirst, read.open_end)],
                    at..end,
                    true,
                );
            }
        }
        let is_sure = SURE_FENCES.contains(&lang.as_str());
        // The fence is all there is: then its language does not matter.
        let is_whole = || {
            let end = closing(self, inside);
            self.text[..at].trim().is_empty() && self.text[end..].trim().is_empty()
        };
        let is_python = matches!(
            lang.as_str(),
            "python" | "py" | "text" | "plaintext" | "bash" | "sh"
        );
        if CALL_FENCES.contains(&lang.as_str()) || is_python && is_whole() {
            let form = Form::Fenced;
            let mut items = Vec::new();
            let mut from = inside;
            let mut end = inside;
            // One call after the other.
            while let Some(body) = self.body(from, form, is_sure) {
                let is_broken = body
                    .items
                    .iter()
                    .any(|item| matches!(item.what, What::Broken { .. }));
                items.extend(body.items);
                end = body.end;
                from = self.next_in_fence(end);
                if is_broken || from >= self.text.len() || self.rest(from).starts_with(&ticks) {
                    break;
                }
            }
            if !items.is_empty() {
                let next = self.next_in_fence(end);
                let end = if self.rest(next).starts_with(&ticks) {
                    next + count
                } else {
                    closing(self, end)
                };
                for item in &mut items {
                    if let What::Call(raw) = &mut item.what {
                        raw.repairs
                            .insert(0, Repair::new(RepairKind::StripFence, "call"));
                    }
                }
                return self.take(items, at..end, !is_sure);
            }
        }
        self.at = closing(self, inside);
        true
    }

    /// The next thing in a fence: past closing tags, separators and comments.
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

    fn ends_line(&self, at: usize) -> bool {
        let rest = self.rest(at);
        let line = rest.bytes().take(80).position(|byte| byte == b'\n');
        let line = rest
            .get(..line.unwrap_or(rest.len().min(80)))
            .unwrap_or("x");
        line.chars()
            .all(|c| c.is_whitespace() || matches!(c, ')' | ']' | ';' | '.' | ','))
            || line.trim_start().starts_with("<|")
            || line.trim_start().starts_with("</")
            || line.trim_start().starts_with('#')
    }

    /// A word: a tool's name at the beginning of a line, a ReAct line, a line that a tool is said
    /// to have answered. Other words are passed over.
    pub(super) fn word(&mut self) -> bool {
        let at = self.at;
        let rest = self.rest(at);
        let is_first = self.text[..at]
            .chars()
            .next_back()
            .is_none_or(|c| !(c.is_alphanumeric() || c == '_'));
        let length = rest
            .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '✿'))
            .unwrap_or(rest.len())
            .max(1);
        // A run of marks is one word.
        let length = if rest.starts_with(['*', '>']) {
            rest.len() - rest.trim_start_matches(['*', '>']).len()
        } else {
            length
        };
        let mut next = at + length;
        while !self.text.is_char_boundary(next) {
            next += 1;
        }
        self.work.spend(length);
        if is_first && rest.starts_with("functools[") {
            return match self.body(at + "functools".len(), Form::Token, true) {
                Some(body) => self.take(body.items, at..body.end, false),
                None => false,
            };
        }
        if is_first && self.begins_line(at) {
            let end = rest
                .bytes()
                .take(LONGEST_LINE)
                .position(|byte| byte == b'\n');
            let line_end = end.unwrap_or(rest.len());
            let is_short = end.is_some() || rest.len() < LONGEST_LINE;
            self.work.spend(line_end.min(LONGEST_LINE));
            let line = if is_short {
                rest[..line_end].trim()
            } else {
                ""
            };
            if !self.found.is_empty() && is_invented_line(line) {
                // A label that was never filled in is where the model stopped in time.
                let is_bare = line.ends_with(':') && rest[line_end..].trim().is_empty();
                return if is_bare {
                    self.swallow(at, self.text.len())
                } else {
                    self.cut(at)
                };
            }
            if is_short && let Some(done) = self.react(at, line_end) {
                return done;
            }
            let name = if rest.starts_with("print(") {
                python::name_at(self.text, at + 6)
            } else {
                python::name_at(self.text, at)
            };
            let known = name.filter(|name| names::resolve(name, self.tools).is_some());
            if known.is_some()
                && let Some(body) = self.named(at, false, 0)
            {
                let is_form = body
                    .items
                    .iter()
                    .all(|item| matches!(item.what, What::Call(_)));
                if is_form
                    && (body.items.iter().all(|item| item.form != Form::Python)
                        || self.ends_line(body.end))
                {
                    return self.take(body.items, at..body.end, true);
                }
            }
        }
        self.at = next;
        true
    }

    /// `Action: name` and `Action Input: …` on the next line; also `✿FUNCTION✿:`.
    fn react(&mut self, at: usize, line_end: usize) -> Option<bool> {
        let line = self.rest(at).get(..line_end)?;
        let (head, name) = line.split_once(':')?;
        let plain = |text: &str| {
            text.trim()
                .trim_matches(['*', '_', '`', '✿', ' ', '#'])
                .to_lowercase()
        };
        let is_head = matches!(
            plain(head).as_str(),
            "action"
                | "tool"
                | "tool name"
                | "function"
                | "function name"
                | "tool_name"
                | "action name"
        );
        let name = name
            .trim()
            .trim_matches(['*', '`', '"', '\'', ' '])
            .to_owned();
        let is_name = !name.is_empty() && name.len() < 100 && !name.contains([' ', '{', '[', '(']);
        if !is_head || !is_name {
            // `Action: read_file[src/a.rs]`, `Action: read_file({"path": "a"})`
            let start = at + head.len() + 1;
            let call = is_head
                .then(|| python::name_at(self.text, skip(self.text, start)))
                .flatten()?;
            names::resolve(call, self.tools)?;
            let from = skip(self.text, start);
            if let Some(inner) = self.rest(from + call.len()).strip_prefix('[') {
                let close = inner
                    .find(']')
                    .filter(|close| from + call.len() + close < at + line_end)?;
                let raw = Raw::new(
                    call,
                    Args::Value(inner[..close].trim().trim_matches(['"', '\'']).into()),
                );
                let end = from + call.len() + close + 2;
                return Some(self.take(vec![Item::call(raw, Form::React, false)], at..end, false));
            }
            let body = self.named(from, true, 0)?;
            return Some(self.take(body.items, at..body.end, false));
        }
        let next = skip(self.text, at + line_end);
        let input = self.rest(next);
        let input_line = &input[..input.find('\n').unwrap_or(input.len())];
        let head = input_line
            .split_once(':')
            .map(|(head, _)| (plain(head), head.len() + 1));
        let value_at = head.filter(|(head, _)| {
            matches!(
                head.as_str(),
                "action input"
                    | "input"
                    | "arguments"
                    | "args"
                    | "parameters"
                    | "action_input"
                    | "tool input"
                    | "tool_input"
            )
        });
        let Some((_, length)) = value_at else {
            let tool = names::resolve(&name, self.tools)?.0;
            // A tool without arguments needs no second line.
            tool.params.is_empty().then_some(())?;
            let raw = Raw::new(name, Args::None);
            return Some(self.take(
                vec![Item::call(raw, Form::React, false)],
                at..at + line_end,
                false,
            ));
        };
        let marks = self.rest(next + length);
        let after = self.text.len() - marks.trim_start_matches('*').len();
        let mut from = skip(self.text, after);
        let fenced = self.rest(from).strip_prefix("```").map(|inner| {
            inner
                .trim_start_matches(|c: char| c.is_ascii_alphanumeric())
                .trim_start()
        });
        if let Some(inner) = fenced {
            from = self.text.len() - inner.len();
        }
        let (item, mut end) = if self.rest(from).starts_with(['{', '[', '"']) {
            match value::read(self.text, from, &self.keys, self.work) {
                Ok(read) => {
                    let mut raw = Raw::new(name, Args::Value(read.value));
                    raw.repairs = Repair::all(&read.notes, "arguments");
                    (Item::call(raw, Form::React, read.open_end), read.end)
                }
                Err(why) => (Item::broken(why, Some(name), Form::React), self.text.len()),
            }
        } else {
            let rest = self.rest(after);
            let length = rest.find('\n').unwrap_or(rest.len());
            let value = rest[..length].trim().trim_matches('`').to_owned();
            let is_last = length == rest.len();
            let args = if value.is_empty() || value == "None" {
                Args::None
            } else {
                Args::Value(value.into())
            };
            (
                Item::call(Raw::new(name, args), Form::React, is_last),
                after + length,
            )
        };
        if fenced.is_some() && self.rest(skip(self.text, end)).starts_with("```") {
            end = skip(self.text, end) + 3;
        }
        Some(self.take(vec![item], at..end, false))
    }
}

//! Rung 4, ReAct: a line that names an action, and one with its input. Looks at no other prose.

use super::body::{Body, skip};
use super::envelope::{Args, Raw};
use super::scan::{Item, Scan};
use super::{Form, names, python};
use gate::word_list::WordList;

impl Scan<'_> {
    /// `Action: name` and `Action Input: …` on the next line; also `✿FUNCTION✿:`.
    pub(super) fn react(&mut self, at: usize, line_end: usize) -> Option<bool> {
        let line = self.rest(at).get(..line_end)?;
        let (head, name) = line.split_once(':')?;
        let plain = |text: &str| {
            text.trim()
                .trim_matches(['*', '_', '`', '✿', ' ', '#'])
                .to_lowercase()
        };
        let is_head =
            WordList("action|tool|tool name|function|function name|tool_name|action name")
                .contains(plain(head));
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
            WordList(
                "action input|input|arguments|args|parameters|action_input|tool input|tool_input",
            )
            .contains(head)
        });
        let Some((_, length)) = value_at else {
            let tool = names::resolve(&name, self.tools)?;
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
        let mut body = if self.rest(from).starts_with(['{', '[', '"']) {
            self.arguments(&name, from, &self.keys, Form::React)
        } else {
            let rest = self.rest(after);
            let length = rest.find('\n').unwrap_or(rest.len());
            let value = rest[..length].trim().trim_matches('`').to_owned();
            let args = match value.as_str() {
                "" | "None" => Args::None,
                _ => Args::Value(value.into()),
            };
            let item = Item::call(Raw::new(name, args), Form::React, length == rest.len());
            Body::of(item, after + length)
        };
        if fenced.is_some() {
            body.end = self.past(body.end, "```");
        }
        Some(self.take(body.items, at..body.end, false))
    }
}

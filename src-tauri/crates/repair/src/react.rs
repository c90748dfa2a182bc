//! Rung 4, in the ReAct format: reads a line that names an action, and a line with its input.
//! Ignores other prose.

use super::body::{Body, fence_body, skip};
use super::envelope::{Args, Raw};
use super::scan::Scan;
use super::{Form, python, tool_names};
use plan::word_list::WordList;

/// Labels of the line that names an action.
const ACTIONS: WordList =
    WordList("action|tool|tool name|function|function name|tool_name|action name");
/// Labels of the line with the action's input.
const INPUTS: WordList =
    WordList("action input|input|arguments|args|parameters|action_input|tool input|tool_input");

/// The text after a line's label, if it is one of these labels.
fn labelled(line: &str, labels: WordList) -> Option<&str> {
    let (label, rest) = line.split_once(':')?;
    let label = label.trim().trim_matches(['*', '_', '`', '✿', ' ', '#']);
    labels.contains(label.to_lowercase()).then_some(rest)
}

impl Scan<'_> {
    /// Reads `Action: name` with `Action Input: …` on the next line; also `✿FUNCTION✿:`.
    pub(super) fn react(&mut self, at: usize, line_end: usize) -> Option<bool> {
        let line = self.rest(at).get(..line_end)?;
        let action = labelled(line, ACTIONS)?;
        let name = action.trim().trim_matches(['*', '`', '"', '\'', ' ']);
        let is_name = !name.is_empty() && name.len() < 100 && !name.contains([' ', '{', '[', '(']);
        let body = match is_name {
            true => self.input(name, at + line_end)?,
            false => self.inline(skip(self.text, at + line_end - action.len()), at + line_end)?,
        };
        Some(self.take(body, at, false))
    }

    /// Reads an action with its input on the same line: `Action: read_file[src/a.rs]` or `Action:
    /// read_file({"path": "a"})`.
    fn inline(&self, at: usize, line_end: usize) -> Option<Body> {
        let name = python::name_at(self.text, at)?;
        tool_names::resolve(name, self.tools)?;
        let open = at + name.len();
        let Some(inner) = self.rest(open).strip_prefix('[') else {
            return self.named(at, true, 0);
        };
        let close = inner.find(']').filter(|close| open + close < line_end)?;
        let value = inner[..close].trim().trim_matches(['"', '\'']);
        let raw = Raw::new(name, Args::Value(value.into()));
        Some(Body::call(raw, Form::React, false, open + close + 2))
    }

    /// Reads the input of an action on the line after its name.
    fn input(&self, name: &str, line_end: usize) -> Option<Body> {
        let next = skip(self.text, line_end);
        let line = self.rest(next).lines().next().unwrap_or_default();
        let Some(input) = labelled(line, INPUTS) else {
            // A tool without arguments needs no second line.
            tool_names::resolve(name, self.tools).filter(|tool| tool.params.is_empty())?;
            let raw = Raw::new(name, Args::None);
            return Some(Body::call(raw, Form::React, false, line_end));
        };
        let marks = self.rest(next + line.len() - input.len());
        let after = self.text.len() - marks.trim_start_matches('*').len();
        let from = skip(self.text, after);
        let fenced = fence_body(self.text, from);
        let from = fenced.unwrap_or(from);
        let mut body = if self.rest(from).starts_with(['{', '[', '"']) {
            self.arguments(name, from, &self.keys, Form::React)
        } else {
            let rest = self.rest(after);
            let length = rest.find('\n').unwrap_or(rest.len());
            let args = match rest[..length].trim().trim_matches('`') {
                "" | "None" => Args::None,
                value => Args::Value(value.into()),
            };
            let raw = Raw::new(name, args);
            Body::call(raw, Form::React, length == rest.len(), after + length)
        };
        if fenced.is_some() {
            body.end = self.past(body.end, "```");
        }
        Some(body)
    }
}

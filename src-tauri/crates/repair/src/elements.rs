//! Rung 4, in tags: reads calls whose name and arguments are elements or attributes. Ignores prose.

use super::arguments::keys_of;
use super::body::{Body, items, skip};
use super::envelope::{self, Args, Raw};
use super::scan::Scan;
use super::tags::{self, Fields, Tag};
use super::value::ParseError;
use super::{Form, Repair, RepairKind, tool_names};
use plan::word_list::WordList;
use serde_json::{Map, Value};

impl Scan<'_> {
    /// Reads the call in tags that starts at `at`.
    pub(super) fn element(&self, at: usize) -> Option<Body> {
        let tag = tags::tag_at(self.text, at).filter(|tag| !tag.closes)?;
        let is_container =
            WordList("function invoke tool tool_call call function_call tool_use action")
                .contains(tag.name);
        if let (true, Some(name)) = (is_container, tag.value) {
            return self.filled(&tag, name, Form::Xml);
        }
        let is_named = matches!(
            tag.name,
            "name" | "tool_name" | "function_name" | "tool" | "function" | "recipient_name"
        );
        if is_named {
            return self.pairs(at);
        }
        let tool = tool_names::resolve(tag.name, self.tools)?;
        self.filled(&tag, &tool.name, Form::TagPerTool)
    }

    /// Reads the content between the tags of a call.
    fn filled(&self, tag: &Tag<'_>, name: &str, form: Form) -> Option<Body> {
        if tag.is_empty {
            let raw = Raw::new(name, Args::Value(tags::attributes(tag).into()));
            return Some(Body::call(raw, form, false, tag.end));
        }
        let tool = tool_names::resolve(name, self.tools);
        let at = skip(self.text, tag.end);
        let rest = self.rest(at);
        let closing = |end: usize| {
            tags::next_tag(self.text, end)
                .filter(|close| close.closes && close.name.eq_ignore_ascii_case(tag.name))
        };
        if rest.starts_with('{') || rest.starts_with("```") {
            let keys = tool.map_or_else(|| self.keys.clone(), keys_of);
            let mut body = self.arguments(name, at + rest.find('{')?, &keys, form);
            if body.is_broken() {
                return Some(body);
            }
            let extra = self.rest(body.end);
            let extra = extra.trim_start_matches(['}', ']', ' ', '\n', '`']);
            match closing(self.text.len() - extra.len()) {
                Some(close) => body.end = close.end,
                None => body.mended(&[RepairKind::CloseTag]),
            }
            if form == Form::Xml {
                body.items
                    .iter_mut()
                    .for_each(|item| item.form = Form::Tagged);
            }
            return Some(body);
        }
        let fields = tags::fields(self.text, at, tag.name, tool, self.budget);
        if !fields.map.is_empty() || fields.closed.is_some() || fields.cut {
            let end = fields.closed.unwrap_or(fields.end);
            return Some(self.field_call(name, fields, form, end));
        }
        // The content may be the only parameter: `<read_file>src/a.rs</read_file>`.
        let close = rest.find("</")?;
        self.budget.spend(close);
        let ended = closing(at + close)?;
        tool?.only_param()?;
        let raw = Raw::new(name, Args::Value(rest[..close].trim().into()));
        Some(Body::call(raw, form, false, ended.end))
    }

    /// Reads a call with its name in an element: `<name>read_file</name><arguments>…</arguments>`.
    fn pairs(&self, at: usize) -> Option<Body> {
        let fields = tags::fields(self.text, at, "tool_call", None, self.budget);
        let end = fields.end;
        if fields.cut {
            return Some(Body::broken(ParseError::Cut, None, Form::Xml, end));
        }
        let map = fields.map.into_iter().map(|(key, value)| {
            let inner = self.inner_fields(&key, &value);
            (key, inner.map_or(value, Value::Object))
        });
        let raws = envelope::calls(Value::Object(map.collect()), self.tools)?;
        Some(Body {
            items: items(raws, &[], Form::Xml, false),
            end,
        })
    }

    /// The fields in tags inside the text of another field.
    fn inner_fields(&self, key: &str, value: &Value) -> Option<Map<String, Value>> {
        let text = value.as_str().filter(|text| text.starts_with('<'))?;
        let inner = tags::fields(text, 0, key, None, self.budget);
        (!inner.map.is_empty() && !inner.cut).then_some(inner.map)
    }

    /// The call whose arguments are these fields.
    pub(super) fn field_call(&self, name: &str, fields: Fields, form: Form, end: usize) -> Body {
        if fields.cut {
            return Body::broken(ParseError::Cut, Some(name), form, end);
        }
        let is_whole = fields.closed.is_some();
        let mut map = fields.map;
        // The arguments may have a common parent: `<read_file><args><path>…`.
        if map.len() == 1
            && let Some((key, value)) = map.iter().next()
            && WordList("args arguments parameters params input").contains(key)
            && let Some(inner) = self.inner_fields(key, value)
        {
            map = inner;
        }
        let mut raw = Raw::new(name, Args::Value(map.into()));
        if !is_whole || fields.unended {
            raw.repairs.push(Repair::new(RepairKind::CloseTag, "call"));
        }
        Body::call(raw, form, !is_whole, end)
    }
}

//! Rung 4, in tags: a call whose name and arguments are elements or attributes. Looks at no prose.

use super::body::{Body, items, skip};
use super::envelope::{self, Args, Raw};
use super::fit::keys_of;
use super::scan::{Item, Scan};
use super::tags::{self, Fields, Tag};
use super::value::Broken;
use super::{Form, Repair, RepairKind, names};
use gate::word_list::WordList;

impl Scan<'_> {
    /// A call in tags.
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
        let tool = names::resolve(tag.name, self.tools)?;
        let name = tool.name.clone();
        if tag.is_empty {
            let args = tags::attributes(&tag);
            let raw = Raw::new(name, Args::Value(args.into()));
            return Some(Body::of(Item::call(raw, Form::TagPerTool, false), tag.end));
        }
        self.filled(&tag, &name, Form::TagPerTool)
    }

    /// What stands between the tags of a call.
    fn filled(&self, tag: &Tag<'_>, name: &str, form: Form) -> Option<Body> {
        let tool = names::resolve(name, self.tools);
        let at = skip(self.text, tag.end);
        let rest = self.rest(at);
        let closing = |end: usize| {
            let end = skip(self.text, end);
            tags::tag_at(self.text, end)
                .filter(|close| close.closes && close.name.eq_ignore_ascii_case(tag.name))
        };
        if tag.is_empty {
            let raw = Raw::new(name, Args::Value(tags::attributes(tag).into()));
            return Some(Body::of(Item::call(raw, form, false), tag.end));
        }
        if rest.starts_with('{') || rest.starts_with("```") {
            let keys = tool.map_or_else(|| self.keys.clone(), keys_of);
            let mut body = self.arguments(name, at + rest.find('{')?, &keys, form);
            let item = body.items.first_mut().filter(|item| !item.is_broken());
            let Some(item) = item else {
                return Some(body);
            };
            let extra = self.rest(body.end);
            let extra = extra.trim_start_matches(['}', ']', ' ', '\n', '`']);
            match closing(self.text.len() - extra.len()) {
                Some(close) => body.end = close.end,
                None => item.mended(&[RepairKind::CloseTag]),
            }
            if form == Form::Xml {
                item.form = Form::Tagged;
            }
            return Some(body);
        }
        let fields = tags::fields(self.text, at, tag.name, tool, self.work);
        if !fields.map.is_empty() || fields.closed || fields.cut {
            let end = fields.end;
            let mut item = field_item(name, fields);
            item.form = form;
            return Some(Body::of(item, end));
        }
        // `<read_file>src/a.rs</read_file>`
        let close = rest.find("</")?;
        self.work.spend(close);
        let ended = closing(at + close)?;
        let text = rest[..close].trim().to_owned();
        tool.filter(|tool| tool.only_param().is_some())?;
        let raw = Raw::new(name, Args::Value(text.into()));
        Some(Body::of(Item::call(raw, form, false), ended.end))
    }

    /// `<name>read_file</name><arguments>…</arguments>`.
    fn pairs(&self, at: usize) -> Option<Body> {
        let fields = tags::fields(self.text, at, "tool_call", None, self.work);
        let closed = if fields.closed {
            self.text[..fields.end].rfind("</").unwrap_or(fields.end)
        } else {
            fields.end
        };
        if fields.cut {
            return Some(Body::of(Item::broken(Broken::Cut, None, Form::Xml), closed));
        }
        let map = fields.map.into_iter().map(|(key, value)| {
            let inner = value
                .as_str()
                .filter(|text| text.starts_with('<'))
                .map(|text| tags::fields(text, 0, &key, None, self.work).map);
            (
                key,
                inner
                    .filter(|map| !map.is_empty())
                    .map_or(value, Into::into),
            )
        });
        let raws = envelope::calls(serde_json::Value::Object(map.collect()), self.tools)?;
        Some(Body {
            items: items(raws, &[], Form::Xml, false),
            end: closed,
        })
    }
}

/// A call whose arguments are elements.
pub(super) fn field_item(name: &str, fields: Fields) -> Item {
    if fields.cut {
        return Item::broken(Broken::Cut, Some(name.to_owned()), Form::Xml);
    }
    let mut map = fields.map;
    // `<read_file><args><path>…`
    if let (1, Some((key, text))) = (
        map.len(),
        map.iter()
            .next()
            .map(|(key, value)| (key.clone(), value.clone())),
    ) && matches!(
        key.as_str(),
        "args" | "arguments" | "parameters" | "params" | "input"
    ) && let Some(text) = text.as_str().filter(|text| text.starts_with('<'))
    {
        let work = super::work::Work::for_bytes(text.len());
        let inner = tags::fields(text, 0, &key, None, &work);
        if !inner.map.is_empty() && !inner.cut {
            map = inner.map;
        }
    }
    let mut raw = Raw::new(name, Args::Value(map.into()));
    if !fields.closed || fields.unended {
        raw.repairs.push(Repair::new(RepairKind::CloseTag, "call"));
    }
    Item::call(raw, Form::Xml, !fields.closed)
}

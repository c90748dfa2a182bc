//! The table of tools: names, what they may do, and the part of JSON Schema that is understood.
//!
//! Understood: `type` (one, or one with `null`), `properties`, `required`, `enum`, `items`. What else
//! a schema says (`anyOf`, `pattern`, `minimum`, …) is left to the tool: such a value is [`Kind::Any`]
//! or checked for its type alone.

use serde_json::Value;
use thiserror::Error;

use super::names::squash;

/// Nesting of schemas beyond this is not looked at.
const DEPTH: usize = 6;

/// What a tool can do to the workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Effect {
    /// Nothing: it looks, asks or reports. Keys that it does not have may be left out.
    Reads,
    /// It changes a draft, of which nothing comes before a person has read it.
    Drafts,
    /// It changes what can be taken back.
    Changes,
    /// It takes away. Nothing is ever guessed towards it.
    Destroys,
}

/// The type of a value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    String,
    Integer,
    Number,
    Boolean,
    Array(Box<Kind>),
    Object(Vec<Param>),
    /// Not checked.
    Any,
}

impl Kind {
    /// For messages.
    pub(super) fn describe(&self) -> &'static str {
        match self {
            Self::String => "a string",
            Self::Integer => "a whole number",
            Self::Number => "a number",
            Self::Boolean => "true or false",
            Self::Array(items) if **items == Self::String => "an array of strings",
            Self::Array(_) => "an array",
            Self::Object(_) => "an object",
            Self::Any => "a value",
        }
    }
}

/// One parameter.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Param {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) required: bool,
    pub(super) choices: Vec<Value>,
}

/// Why a schema cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "the parameters of `{tool}` are no JSON schema of an object: give {{\"type\": \"object\", \"properties\": {{…}}}}"
)]
pub struct SchemaError {
    /// The tool.
    pub tool: String,
}

/// One tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    pub(super) name: String,
    /// Letters and digits of the name, for every name that is held against it.
    pub(super) squashed: String,
    pub(super) effect: Effect,
    pub(super) params: Vec<Param>,
    /// Whether keys beyond the parameters are allowed and handed on.
    pub(super) is_open: bool,
}

impl Tool {
    /// A tool with the JSON schema of its parameters, whose order is that of positional arguments.
    /// `null` stands for no parameters.
    pub fn new(
        name: impl Into<String>,
        effect: Effect,
        schema: &Value,
    ) -> Result<Self, SchemaError> {
        let name = name.into();
        let is_object = schema.get("type").is_none_or(|kind| kind == "object")
            && schema.get("properties").is_none_or(Value::is_object);
        if !(schema.is_null() || schema.is_object() && is_object) {
            return Err(SchemaError { tool: name });
        }
        Ok(Self {
            squashed: squash(&name),
            name,
            effect,
            params: params(schema, 0),
            is_open: schema
                .get("additionalProperties")
                .is_some_and(|more| more != &Value::Bool(false)),
        })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn param(&self, name: &str) -> Option<&Param> {
        self.params.iter().find(|param| param.name == name)
    }

    pub(super) fn required(&self) -> impl Iterator<Item = &Param> {
        self.params.iter().filter(|param| param.required)
    }

    /// The parameter that a value without a key must mean, if there is only one.
    pub(super) fn only_param(&self) -> Option<&Param> {
        let mut required = self.required();
        match (required.next(), required.next()) {
            (Some(only), None) => Some(only),
            (None, _) if self.params.len() == 1 => self.params.first(),
            _ => None,
        }
    }
}

fn params(schema: &Value, depth: usize) -> Vec<Param> {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return Vec::new();
    };
    let list = |schema: &Value, key: &str| -> Vec<Value> {
        let list = schema.get(key).and_then(Value::as_array);
        list.cloned().unwrap_or_default()
    };
    let required = list(schema, "required");
    properties
        .iter()
        .map(|(name, schema)| Param {
            name: name.clone(),
            kind: kind(schema, depth + 1),
            required: required.iter().any(|required| required == name),
            choices: list(schema, "enum"),
        })
        .collect()
}

fn kind(schema: &Value, depth: usize) -> Kind {
    let named = match schema.get("type") {
        Some(Value::Array(names)) => names.as_slice(),
        Some(name) => std::slice::from_ref(name),
        None => &[],
    };
    let names = named.iter().filter_map(Value::as_str);
    let names: Vec<&str> = names.filter(|name| *name != "null").collect();
    match names[..] {
        ["string"] => Kind::String,
        ["integer"] => Kind::Integer,
        ["number"] => Kind::Number,
        ["boolean"] => Kind::Boolean,
        ["array"] if depth < DEPTH => {
            let items = schema.get("items");
            Kind::Array(Box::new(
                items.map_or(Kind::Any, |items| kind(items, depth + 1)),
            ))
        }
        ["object"] if depth < DEPTH => Kind::Object(params(schema, depth)),
        ["object"] => Kind::Object(Vec::new()),
        _ => Kind::Any,
    }
}

/// All tools that are offered in one request.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tools {
    pub(super) all: Vec<Tool>,
}

impl Tools {
    /// A table of these tools. Of two with one name the first counts.
    pub fn new(tools: impl IntoIterator<Item = Tool>) -> Self {
        Self {
            all: tools.into_iter().collect(),
        }
    }

    /// The tool of this exact name.
    pub fn get(&self, name: &str) -> Option<&Tool> {
        self.all.iter().find(|tool| tool.name == name)
    }

    /// The names of all of them, in their order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(Tool::name)
    }

    /// Every key that a call may have: those of envelopes and every parameter.
    pub(super) fn keys(&self) -> Vec<&str> {
        let known = super::envelope::KEYS
            .into_iter()
            .chain(super::wording::aliases());
        let params = self.all.iter().flat_map(|tool| &tool.params);
        let params = params.map(|param| param.name.as_str());
        known.map(|key: &str| key).chain(params).collect()
    }
}

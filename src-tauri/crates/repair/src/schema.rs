//! The table of tools: names, effects, and the supported part of JSON Schema.
//!
//! Supported: `type` (one, or one with `null`), `properties`, `required`, `enum`, `items`.
//! Everything else in a schema (`anyOf`, `pattern`, `minimum`, …) is left to the tool: such a value
//! is [`Kind::Any`], or only its type is checked.

use serde_json::Value;
use thiserror::Error;

use super::tool_names::squash;

/// Maximum depth of nested schemas.
const DEPTH: usize = 6;

/// A tool's possible effect on the workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Effect {
    /// None: the tool only reads, asks or reports. Unknown keys may be dropped.
    Reads,
    /// The tool changes a draft, which has no effect until the user has read it.
    Drafts,
    /// The tool changes the workspace in a way that can be undone.
    Changes,
    /// The tool deletes something, so a call to it is never guessed.
    Destroys,
}

/// The type of a parameter's value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    String,
    Integer,
    Number,
    Boolean,
    Array(Box<Kind>),
    Object(Vec<Param>),
    /// Any type; it isn't checked.
    Any,
}

impl Kind {
    /// A description of the kind, for messages.
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

/// A parameter of a tool.
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
    "the parameters of `{tool}` are not a JSON schema for an object; use {{\"type\": \"object\", \"properties\": {{…}}}}"
)]
pub struct SchemaError {
    /// The name of the tool with the schema.
    pub tool: String,
}

/// A tool that a model can call.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    pub(super) name: String,
    /// The letters and digits of the name in lowercase, for comparison with other names.
    pub(super) squashed: String,
    pub(super) effect: Effect,
    pub(super) params: Vec<Param>,
    /// Whether keys other than the parameters are allowed and passed on.
    pub(super) is_open: bool,
}

impl Tool {
    /// Creates a tool from the JSON schema of its parameters, which are in positional order. A
    /// schema that is `null` means that there are none.
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

    /// The tool's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn param(&self, name: &str) -> Option<&Param> {
        self.params.iter().find(|param| param.name == name)
    }

    pub(super) fn required(&self) -> impl Iterator<Item = &Param> {
        self.params.iter().filter(|param| param.required)
    }

    /// The parameter that a value without a key must be meant for; `None` if it could be several.
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

/// All tools offered in one request.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tools {
    pub(super) all: Vec<Tool>,
}

impl Tools {
    /// A table of these tools. If two have the same name, the first one is used.
    pub fn new(tools: impl IntoIterator<Item = Tool>) -> Self {
        Self {
            all: tools.into_iter().collect(),
        }
    }

    /// The tool with this exact name.
    pub fn get(&self, name: &str) -> Option<&Tool> {
        self.all.iter().find(|tool| tool.name == name)
    }

    /// The names of all tools, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(Tool::name)
    }

    /// Every key that a call may have: the keys of envelopes, the aliases, and all parameters.
    pub(super) fn keys(&self) -> Vec<&str> {
        let known = super::envelope::KEYS
            .into_iter()
            .chain(super::param_aliases::aliases());
        let params = self.all.iter().flat_map(|tool| &tool.params);
        let params = params.map(|param| param.name.as_str());
        known.map(|key: &str| key).chain(params).collect()
    }
}

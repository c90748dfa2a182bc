//! The format of a setting's values: parser, JSON Schema, and conversion back to JSON.
//!
//! Pure. Values come from a settings file, so parsers report mistakes instead of failing.

use std::fmt::Display;
use std::ops::RangeInclusive;

use serde::Serialize;
use serde_json::{Value, json};

use super::SettingProblem;
use super::value_parsers;

type Read<T> = dyn Fn(&str, &Value, &mut Vec<SettingProblem>) -> Option<T>;

/// The format of a setting with values of type `T`.
pub(super) struct Format<T> {
    read: Box<Read<T>>,
    to_json: Box<dyn Fn(&T) -> Value>,
    /// The JSON Schema, without title, description and default.
    schema: Value,
}

impl<T> Format<T> {
    /// Parses a value of `key` and reports its mistakes. `null` counts as unset.
    pub(super) fn read(
        &self,
        key: &str,
        value: &Value,
        problems: &mut Vec<SettingProblem>,
    ) -> Option<T> {
        match value {
            Value::Null => None,
            value => (self.read)(key, value, problems),
        }
    }

    pub(super) fn schema(&self) -> &Value {
        &self.schema
    }

    /// The effective value as JSON; `null` if it is unset.
    pub(super) fn to_json(&self, value: &impl Effective<T>) -> Value {
        value
            .as_set()
            .map_or(Value::Null, |value| (self.to_json)(&value))
    }
}

/// An effective value of a setting: always set (`T`), or possibly unset (`Option<T>`).
pub(super) trait Effective<T> {
    /// The value as a settings file would set it; `None` if it is unset.
    fn as_set(&self) -> Option<T>;
}

impl<T: Clone> Effective<T> for T {
    fn as_set(&self) -> Option<T> {
        Some(self.clone())
    }
}

impl<T: Clone> Effective<T> for Option<T> {
    fn as_set(&self) -> Option<T> {
        self.clone()
    }
}

/// The format of values whose parser may report several mistakes.
pub(super) fn custom<T: Serialize + 'static>(
    schema: Value,
    read: impl Fn(&str, &Value, &mut Vec<SettingProblem>) -> Option<T> + 'static,
) -> Format<T> {
    Format {
        read: Box::new(read),
        to_json: Box::new(|value| json!(value)),
        schema,
    }
}

/// The format of values that are either valid or not.
pub(super) fn single<T: Serialize + 'static>(
    schema: Value,
    read: impl Fn(&Value) -> Result<T, String> + 'static,
) -> Format<T> {
    custom(schema, reporting(read))
}

fn reporting<T>(
    read: impl Fn(&Value) -> Result<T, String>,
) -> impl Fn(&str, &Value, &mut Vec<SettingProblem>) -> Option<T> {
    move |key, value, problems| {
        let report = |message| problems.push(SettingProblem::new(key, message));
        read(value).map_err(report).ok()
    }
}

pub(super) fn switch() -> Format<bool> {
    single(json!({"type": ["boolean", "null"]}), value_parsers::switch)
}

/// The format of an integer in a range.
pub(super) fn whole<T>(range: RangeInclusive<T>) -> Format<T>
where
    T: Copy + Display + Into<u64> + TryFrom<u64> + Serialize + 'static,
{
    let schema = json!({
        "type": ["integer", "null"],
        "minimum": range.start(),
        "maximum": range.end(),
    });
    single(schema, move |value| value_parsers::whole_in(value, &range))
}

/// The format of a number in a range.
pub(super) fn number(range: RangeInclusive<f64>) -> Format<f64> {
    let schema = json!({
        "type": ["number", "null"],
        "minimum": range.start(),
        "maximum": range.end(),
    });
    single(schema, move |value| value_parsers::number_in(value, &range))
}

/// The format of a choice between several named values.
pub(super) fn choice<T>(table: impl Into<Vec<(&'static str, T)>>) -> Format<T>
where
    T: Copy + PartialEq + 'static,
{
    let table: Vec<(&'static str, T)> = table.into();
    let names = table.iter().map(|(name, _)| Some(*name));
    let schema = json!({"enum": names.chain([None]).collect::<Vec<_>>()});
    let known = table.clone();
    Format {
        read: Box::new(reporting(move |value| value_parsers::one_of(value, &known))),
        to_json: Box::new(move |value| {
            let found = table.iter().find(|(_, other)| other == value);
            json!(found.map(|(name, _)| name))
        }),
        schema,
    }
}

/// The format of a text.
pub(super) fn text(read: fn(&Value) -> Result<String, String>) -> Format<String> {
    single(json!({"type": ["string", "null"]}), read)
}

/// The format of a list of texts. Invalid entries are reported and skipped.
pub(super) fn texts(read: fn(&Value) -> Result<String, String>) -> Format<Vec<String>> {
    let schema = json!({"type": ["array", "null"], "items": {"type": "string"}});
    list(schema, read)
}

/// The format of a list. Invalid entries are reported and skipped.
pub(super) fn list<T: Serialize + 'static>(
    schema: Value,
    read: fn(&Value) -> Result<T, String>,
) -> Format<Vec<T>> {
    custom(schema, move |key, value, problems| {
        value_parsers::list(key, value, problems, read)
    })
}

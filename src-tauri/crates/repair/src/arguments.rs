//! Rungs 8 and 9: fits arguments to their tool's schema, or says why they don't fit.
//!
//! Converts values only without loss, renames keys only if just one meaning is possible, and
//! records both. Never decodes a `string`. Never renames, reorders or drops anything for a
//! destructive tool.
//!
//! Long because: it follows one value through one schema.

use serde_json::{Map, Number, Value};

use super::budget::Budget;
use super::envelope::{Args, peel};
use super::escapes::escaped_once;
use super::feedback::{Fault, FaultKind, quote};
use super::param_aliases::{is_alias, is_remark, is_verbatim};
use super::schema::{Effect, Kind, Param, Tool};
use super::strings::holds_json;
use super::tool_names::{bare, squash};
use super::value::{self, ParseError};
use super::{Form, Repair, RepairKind};

/// Fits the arguments of one call to the tool's schema.
pub(super) struct ArgumentFitter<'a> {
    pub(super) tool: &'a Tool,
    pub(super) form: Form,
    pub(super) budget: &'a Budget,
    pub(super) repairs: Vec<Repair>,
}

impl ArgumentFitter<'_> {
    fn may_guess(&self) -> bool {
        self.tool.effect != Effect::Destroys
    }

    fn did(&mut self, kind: RepairKind, place: impl Into<String>) {
        self.repairs.push(Repair::new(kind, place));
    }

    fn refuse<T>(
        &self,
        kind: FaultKind,
        wrong: String,
        given: &Map<String, Value>,
    ) -> Result<T, Fault> {
        Err(Fault::of(kind, self.tool, self.form, &wrong, given))
    }

    /// Fits the arguments to the tool's schema.
    pub(super) fn arguments(&mut self, args: Args) -> Result<Map<String, Value>, Fault> {
        let map = match args {
            Args::None => self.nothing(),
            Args::Value(value) => self.object(value, 0)?,
            Args::Call { places, named } => self.call(places, named)?,
        };
        let map = self.renamed(map)?;
        self.converted(map)
    }

    fn nothing(&mut self) -> Map<String, Value> {
        if self.tool.required().next().is_none() {
            self.did(RepairKind::EmptyArguments, "arguments");
        }
        Map::new()
    }

    fn object(&mut self, value: Value, depth: usize) -> Result<Map<String, Value>, Fault> {
        let tool = self.tool;
        match value {
            Value::Object(mut map) => {
                let said = peel(&mut map, |key| tool.param(key).is_some(), &mut self.repairs);
                // The envelope names another tool, so it is unclear which of the two is meant.
                if let Some(said) = said
                    && squash(bare(&said)) != tool.squashed
                {
                    let wrong = format!(
                        "The arguments of {} contain a call to “{}”.",
                        tool.name,
                        quote(&said)
                    );
                    return self.refuse(FaultKind::BadArguments, wrong, &Map::new());
                }
                Ok(map)
            }
            Value::Null => Ok(self.nothing()),
            Value::String(text) if text.trim().is_empty() => Ok(self.nothing()),
            Value::String(text) => {
                let value = Value::String(text);
                if let Some(inner) = holds_json(&value).filter(|_| depth < 2) {
                    let read = read_whole(inner, &keys_of(tool), self.budget)
                        .map_err(|why| Fault::broken(why, Some(tool), self.form, inner))?;
                    self.did(RepairKind::DoubleEncoded, "arguments");
                    let kinds = read.notes;
                    self.repairs.extend(Repair::all(&kinds, "arguments"));
                    return self.object(read.value, depth + 1);
                }
                self.single(value)
            }
            Value::Array(items) => self.array(items, depth),
            value => self.single(value),
        }
    }

    /// Assigns a value without a key to the only parameter that it can be meant for; if there is no
    /// such parameter, that is a fault.
    fn single(&mut self, value: Value) -> Result<Map<String, Value>, Fault> {
        let only = self.tool.only_param().filter(|_| self.may_guess());
        if let Some(param) = only {
            self.did(RepairKind::SingleParam, format!("arguments.{}", param.name));
            return Ok(Map::from_iter([(param.name.clone(), value)]));
        }
        let wrong = format!("The arguments of {} must be an object.", self.tool.name);
        self.refuse(FaultKind::BadArguments, wrong, &Map::new())
    }

    fn array(&mut self, items: Vec<Value>, depth: usize) -> Result<Map<String, Value>, Fault> {
        if let [Value::Object(_)] = &items[..]
            && depth < 2
            && let Some(only) = items.first()
            && only.get("value").is_none()
        {
            self.did(RepairKind::Envelope, "arguments");
            return self.object(only.clone(), depth + 1);
        }
        let pairs: Option<Map<String, Value>> = items
            .iter()
            .map(|item| {
                let name = item.get("name").or_else(|| item.get("key"))?.as_str()?;
                Some((name.to_owned(), item.get("value")?.clone()))
            })
            .collect();
        if let Some(pairs) = pairs.filter(|pairs| !pairs.is_empty()) {
            self.did(RepairKind::Envelope, "arguments");
            return Ok(pairs);
        }
        let required = self.tool.required().map(|param| param.name.clone());
        let required: Vec<String> = required.collect();
        if items.len() == required.len() && !items.is_empty() && self.may_guess() {
            self.did(RepairKind::Positional, "arguments");
            return Ok(required.into_iter().zip(items).collect());
        }
        let wrong = format!(
            "The arguments of {} must be an object with named values.",
            self.tool.name
        );
        self.refuse(FaultKind::BadArguments, wrong, &Map::new())
    }

    /// Handles `name(a, key=b)`: positional arguments are in the order of the parameters, as in
    /// Python.
    fn call(
        &mut self,
        mut places: Vec<Value>,
        named: Map<String, Value>,
    ) -> Result<Map<String, Value>, Fault> {
        if named.is_empty() && places.len() == 1 && places[0].is_object() {
            return self.object(places.remove(0), 1);
        }
        let params = self.tool.params.iter().map(|param| param.name.clone());
        let free: Vec<String> = params.filter(|name| !named.contains_key(name)).collect();
        if places.len() > free.len() || !places.is_empty() && !self.may_guess() {
            let wrong = format!("Pass the arguments of {} by name.", self.tool.name);
            return self.refuse(FaultKind::BadArguments, wrong, &named);
        }
        if places.is_empty() {
            return Ok(named);
        }
        self.did(RepairKind::Positional, "arguments");
        let mut map: Map<String, Value> = free.into_iter().zip(places).collect();
        map.extend(named);
        Ok(map)
    }

    /// Handles keys that the tool doesn't have: renames them, drops and records them, or reports a
    /// fault.
    fn renamed(&mut self, given: Map<String, Value>) -> Result<Map<String, Value>, Fault> {
        let tool = self.tool;
        if tool.is_open || given.keys().all(|key| tool.param(key).is_some()) {
            return Ok(given);
        }
        let is_strange = |key: &&String| tool.param(key).is_none();
        let mut strange: Vec<&String> = given.keys().filter(is_strange).collect();
        let mut renames: Vec<(&String, &Param)> = Vec::new();
        if self.may_guess() {
            let is_absent = |param: &&Param| !given.contains_key(&param.name);
            for param in tool.params.iter().filter(is_absent) {
                let same = |key: &&String| squash(key) == squash(&param.name);
                let alias =
                    |key: &&String| is_alias(&key.to_lowercase().replace('-', "_"), &param.name);
                let keys = || strange.iter().copied();
                let meant: Vec<&String> = match keys().find(same) {
                    Some(key) => vec![key],
                    None => keys().filter(alias).collect(),
                };
                if let [key] = meant[..] {
                    renames.push((key, param));
                }
            }
            // If a key could mean several parameters, it is taken to mean the only required one of
            // them, or none.
            let all = renames.clone();
            renames.retain(|(key, to)| {
                let rivals = all.iter().filter(|(other, _)| other == key);
                let required = rivals.clone().filter(|(_, to)| to.required);
                rivals.count() == 1 || to.required && required.count() == 1
            });
            strange.retain(|key| !renames.iter().any(|(from, _)| from == key));
        }
        let is_given = |name: &String| {
            given.contains_key(name) || renames.iter().any(|(_, to)| to.name == *name)
        };
        let missing = tool.required().filter(|param| !is_given(&param.name));
        let missing: Vec<&Param> = missing.collect();
        let candidates = strange.iter().copied().filter(|key| !is_remark(key));
        let candidates: Vec<&String> = candidates.collect();
        // If exactly one key is missing and one is unknown, they match if the type fits and, unless
        // the tool only reads, the names are similar.
        if let ([param], [key], true) = (&missing[..], &candidates[..], self.may_guess()) {
            let value = given.get(*key);
            let is_of_type = value.is_some_and(|value| has_type(value, &param.kind));
            let is_like = key.contains(&param.name) || param.name.contains(key.as_str());
            if is_of_type && (is_like || tool.effect == Effect::Reads) {
                renames.push((key, param));
                strange.retain(|other| other != key);
            }
        }
        for key in &strange {
            let value = given.get(*key);
            let says_nothing = value.is_some_and(|value| value.is_null() || value == "");
            // Whether the same value was also given under the parameter's name.
            let says_same = |param: &Param| {
                let other = given.get(&param.name);
                is_alias(key, &param.name) && other.is_some() && other == value
            };
            let is_repeated = tool.params.iter().any(says_same);
            let mut renamed = renames.iter();
            let is_complete = missing
                .first()
                .is_none_or(|first| renamed.any(|(_, to)| to.name == first.name));
            let may_drop = says_nothing
                || is_repeated
                || self.may_guess() && is_remark(key)
                || tool.effect == Effect::Reads && is_complete;
            if !may_drop {
                let params = match &keys_of(tool)[..] {
                    [] => "no arguments".to_owned(),
                    params => params.join(", "),
                };
                let wrong = format!(
                    "{} has no argument “{}”; use {params}.",
                    tool.name,
                    quote(key)
                );
                return self.refuse(FaultKind::UnknownKey, wrong, &given);
            }
            self.did(RepairKind::ExtraKey, format!("arguments.{}", quote(key)));
        }
        let mut map = Map::new();
        for (key, value) in &given {
            let renamed = renames.iter().find(|(from, _)| *from == key);
            if let Some((_, Param { name, .. })) = renamed {
                let place = format!("arguments.{name}: {}", quote(key));
                self.did(RepairKind::KeyAlias, place);
                map.insert(name.clone(), value.clone());
            } else if tool.param(key).is_some() {
                map.insert(key.clone(), value.clone());
            }
        }
        Ok(map)
    }

    fn converted(&mut self, given: Map<String, Value>) -> Result<Map<String, Value>, Fault> {
        let tool = self.tool;
        let mut map = Map::new();
        for (key, value) in &given {
            let Some(param) = tool.param(key) else {
                map.insert(key.clone(), value.clone());
                continue;
            };
            let place = format!("arguments.{key}");
            if value.is_null() && param.kind != Kind::Any {
                if !param.required {
                    self.did(RepairKind::SchemaCoerce, place);
                }
                continue;
            }
            let Some(fitting) = self.convert(value, &param.kind, &place, 0) else {
                let kind = param.kind.describe();
                let wrong = format!("“{key}” of {} must be {kind}.", tool.name);
                return self.refuse(FaultKind::WrongType, wrong, &given);
            };
            let mut fitting = self.chosen(fitting, param, &given)?;
            if let Value::String(text) = &mut fitting
                && param.kind == Kind::String
                && is_verbatim(key)
            {
                self.unescape_lines(text, &place);
            }
            map.insert(key.clone(), fitting);
        }
        if let Some(param) = tool.required().find(|param| !map.contains_key(&param.name)) {
            let wrong = format!("{} needs “{}”.", tool.name, param.name);
            return self.refuse(FaultKind::MissingRequired, wrong, &map);
        }
        Ok(map)
    }

    fn chosen(
        &mut self,
        value: Value,
        param: &Param,
        given: &Map<String, Value>,
    ) -> Result<Value, Fault> {
        if param.choices.is_empty() || param.choices.contains(&value) {
            return Ok(value);
        }
        let said = value.as_str().map(squash);
        let is_said = |choice: &&Value| said.is_some() && choice.as_str().map(squash) == said;
        let mut same = param.choices.iter().filter(is_said);
        if let (Some(choice), None) = (same.next(), same.next()) {
            let place = format!("arguments.{}", param.name);
            self.did(RepairKind::SchemaCoerce, place);
            return Ok(choice.clone());
        }
        let choices: Vec<String> = param.choices.iter().map(Value::to_string).collect();
        let wrong = format!("“{}” must be one of {}.", param.name, choices.join(", "));
        let mut given = given.clone();
        given.shift_remove(&param.name);
        self.refuse(FaultKind::BadValue, wrong, &given)
    }

    /// Converts a value to a kind, if that is possible without loss.
    fn convert(&mut self, value: &Value, kind: &Kind, place: &str, depth: usize) -> Option<Value> {
        if is_kind(value, kind) {
            return match (kind, value) {
                (Kind::Array(items), Value::Array(values)) => values
                    .iter()
                    .map(|item| self.convert(item, items, place, depth + 1))
                    .collect::<Option<Vec<Value>>>()
                    .map(Value::Array),
                (Kind::Object(params), Value::Object(map)) if !params.is_empty() => {
                    let mut out = Map::new();
                    for (key, value) in map {
                        let param = params.iter().find(|param| param.name == *key);
                        let value = match param {
                            Some(param) => self.convert(value, &param.kind, place, depth + 1)?,
                            None => value.clone(),
                        };
                        out.insert(key.clone(), value);
                    }
                    let is_whole = params
                        .iter()
                        .all(|param| !param.required || out.contains_key(&param.name));
                    is_whole.then_some(Value::Object(out))
                }
                _ => Some(value.clone()),
            };
        }
        if depth > 4 {
            return None;
        }
        let text = value.as_str().map(str::trim).unwrap_or_default();
        let number = || match text.parse::<i64>() {
            Ok(number) => Some(Value::from(number)),
            Err(_) => Number::from_f64(text.parse().ok()?).map(Value::Number),
        };
        let converted = match (kind, value) {
            // The model copied the schema: `{"type": "string", "value": "a"}`.
            (Kind::String | Kind::Integer | Kind::Number | Kind::Boolean, Value::Object(map)) => {
                let inner = map.get("value").filter(|_| map.len() <= 3)?;
                self.convert(inner, kind, place, depth + 1)?
            }
            (Kind::String | Kind::Integer | Kind::Number | Kind::Boolean, Value::Array(items)) => {
                let [only] = &items[..] else { return None };
                self.convert(only, kind, place, depth + 1)?
            }
            (Kind::String, Value::Number(number)) => Value::String(number.to_string()),
            (Kind::String, Value::Bool(flag)) => Value::String(flag.to_string()),
            (Kind::Integer, Value::Number(number)) => whole(number.as_f64()?)?,
            (Kind::Integer, Value::String(_)) => match number()? {
                whole if whole.is_i64() => whole,
                other => whole(other.as_f64()?)?,
            },
            (Kind::Number, Value::String(_)) => number()?,
            (Kind::Boolean, Value::String(_)) => match text.to_ascii_lowercase().as_str() {
                "true" | "yes" => Value::Bool(true),
                "false" | "no" => Value::Bool(false),
                _ => return None,
            },
            (Kind::Boolean, Value::Number(number)) => match number.as_i64()? {
                1 => Value::Bool(true),
                0 => Value::Bool(false),
                _ => return None,
            },
            (Kind::Array(_), Value::String(_)) if text.is_empty() => Value::Array(Vec::new()),
            (Kind::Array(_), Value::String(_)) if text.starts_with('[') => {
                let list = self.decoded(text).filter(Value::is_array)?;
                self.convert(&list, kind, place, depth + 1)?
            }
            (Kind::Array(items), other) => {
                Value::Array(vec![self.convert(other, items, place, depth + 1)?])
            }
            (Kind::Object(_), Value::String(_)) => {
                let map = self.decoded(holds_json(value)?).filter(Value::is_object)?;
                self.convert(&map, kind, place, depth + 1)?
            }
            _ => return None,
        };
        if depth == 0 || self.repairs.last().is_none_or(|last| last.place != place) {
            self.did(RepairKind::SchemaCoerce, place);
        }
        Some(converted)
    }

    /// The value that a text encodes, if the text contains nothing else.
    fn decoded(&self, text: &str) -> Option<Value> {
        let read = read_whole(text, &[], self.budget).ok()?;
        (!read.open_end).then_some(read.value)
    }

    /// Unescapes file content in which every line end was escaped twice.
    fn unescape_lines(&mut self, text: &mut String, place: &str) {
        let may_change = self.may_guess() && self.budget.spend(text.len());
        if let Some(plain) = may_change.then(|| escaped_once(text)).flatten() {
            self.did(RepairKind::DoubleEscapedNewlines, place);
            *text = plain;
        }
    }
}

fn whole(number: f64) -> Option<Value> {
    (number.fract() == 0.0 && number.abs() < 9e15).then(|| Value::from(number as i64))
}

fn is_kind(value: &Value, kind: &Kind) -> bool {
    match kind {
        Kind::String => value.is_string(),
        Kind::Integer => value.is_i64() || value.is_u64(),
        Kind::Number => value.is_number(),
        Kind::Boolean => value.is_boolean(),
        Kind::Array(_) => value.is_array(),
        Kind::Object(_) => value.is_object(),
        Kind::Any => true,
    }
}

/// Whether a value has this type. A text that contains a number also counts as a number, and a
/// single item as a list of one item.
fn has_type(value: &Value, kind: &Kind) -> bool {
    let text = value.as_str().map(str::trim);
    match kind {
        Kind::Integer | Kind::Number => {
            is_kind(value, kind) || text.is_some_and(|text| text.parse::<f64>().is_ok())
        }
        Kind::Array(items) => value.is_array() || is_kind(value, items),
        _ => is_kind(value, kind),
    }
}

/// The keys that a tool's arguments may have.
pub(super) fn keys_of(tool: &Tool) -> Vec<&str> {
    let params = tool.params.iter();
    params.map(|param| param.name.as_str()).collect()
}

/// Reads a text that consists of one value, possibly followed by extra closing brackets.
pub(super) fn read_whole(
    text: &str,
    keys: &[&str],
    budget: &Budget,
) -> Result<value::Parsed, ParseError> {
    let mut read = value::read(text, 0, keys, budget)?;
    let rest = text[read.end..].trim();
    let is_bracket = |c: char| matches!(c, '}' | ']' | ' ' | '\n' | '`');
    if !rest.chars().all(is_bracket) {
        return Err(ParseError::Syntax {
            at: read.end,
            expected: "the end",
        });
    }
    if !rest.is_empty() {
        value::note(&mut read.notes, RepairKind::ExtraBracket);
    }
    Ok(read)
}

//! Feedback to the model about text that cannot be turned into a call: what was wrong, and one line
//! that shows the correct form in the style that the model used.
//!
//! Messages are short, name at most [`LISTED`] tools, and quote at most [`QUOTED`] characters of
//! the reply.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::Form;
use super::schema::{Kind, Tool, Tools};
use super::value::ParseError;

/// Maximum number of tools listed in a message.
const LISTED: usize = 20;
/// Maximum number of characters quoted from the reply in a message.
const QUOTED: usize = 40;

plan::named! {
    /// The kinds of [`Fault`].
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    pub enum FaultKind {
        /// The reply contains nothing but whitespace and special tokens.
        Empty = "empty",
        /// The reply contains only thinking, without an answer.
        ReasoningOnly = "reasoning_only",
        /// The reply repeats the same few words over and over.
        Degenerate = "degenerate",
        /// The reply is text without a call, although a call was required or announced, or it
        /// claims to have no tools.
        NoCall = "no_call",
        /// There is no tool with that name.
        UnknownTool = "unknown_tool",
        /// The call lacks a required parameter.
        MissingRequired = "missing_required",
        /// The tool doesn't have a key, or the key could mean several parameters.
        UnknownKey = "unknown_key",
        /// A value has the wrong type.
        WrongType = "wrong_type",
        /// A value isn't one of the allowed ones.
        BadValue = "bad_value",
        /// The arguments can't be read.
        BadArguments = "bad_arguments",
        /// The reply ends inside the call.
        Cut = "cut",
        /// It is unclear whether the model meant to make the call.
        Unsure = "unsure",
        /// The answer must contain a step, but doesn't.
        NoStep = "no_step",
        /// The step is already in the plan.
        RepeatedStep = "repeated_step",
        /// The step can't be carried out with these tools.
        UnfeasibleStep = "unfeasible_step",
        /// The answer must contain a letter, but doesn't.
        NoChoice = "no_choice",
        /// The answer contains several letters instead of one.
        AmbiguousChoice = "ambiguous_choice",
    }
}

/// A fault to report to the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What kind of fault it is.
    pub kind: FaultKind,
    /// The name of the tool that was meant, or the unknown name that was written.
    pub tool: Option<String>,
    /// The id of the faulty call; `None` if the call has none, or there is no call.
    pub id: Option<String>,
    /// The form in which the call was written.
    pub form: Form,
    /// Its index among the calls and faulty calls of this reply, from 0.
    pub position: usize,
    /// The message for the model: what was wrong and how to write it.
    pub message: String,
}

impl Fault {
    /// A fault without suggestions; the message tells the model what to do.
    pub fn new(kind: FaultKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            tool: None,
            id: None,
            form: Form::Native,
            position: 0,
            message: message.into(),
        }
    }

    /// A fault in a call to a known tool, with a correct example.
    pub(super) fn of(
        kind: FaultKind,
        tool: &Tool,
        form: Form,
        wrong: &str,
        given: &Map<String, Value>,
    ) -> Self {
        let message = format!("{wrong} Write: {}", example(tool, form, given));
        Self::new(kind, message).about(&tool.name, form)
    }

    /// Adds the tool and the form of the call to the fault.
    pub(super) fn about(self, tool: &str, form: Form) -> Self {
        Self {
            tool: Some(tool.to_owned()),
            form,
            ..self
        }
    }

    pub(super) fn unknown(name: &str, form: Form, tools: &Tools) -> Self {
        let near = super::tool_names::suggestions(name, tools);
        let hint = match near.is_empty() {
            true => format!("The tools are {}.", list(tools)),
            false => format!("Did you mean {}?", near.join(" or ")),
        };
        let name = quote(name);
        let message = format!("There is no tool “{name}”. {hint}");
        Self::new(FaultKind::UnknownTool, message).about(&name, form)
    }

    /// A fault for a call whose text cannot be read.
    pub(super) fn broken(why: ParseError, tool: Option<&Tool>, form: Form, text: &str) -> Self {
        let (kind, wrong) = match why {
            ParseError::Cut => (
                FaultKind::Cut,
                "The call was cut off and not run. Send it again in full; if it is long, in smaller parts.".to_owned(),
            ),
            ParseError::TooComplex => (
                FaultKind::BadArguments,
                "The arguments are too deeply nested or too complex to parse; nothing was run.".to_owned(),
            ),
            ParseError::Syntax { at, expected } => {
                let near: String = text.get(at..).unwrap_or_default().chars().take(QUOTED).collect();
                (
                    FaultKind::BadArguments,
                    format!("The arguments cannot be parsed: expected {expected} at “{}”; nothing was run.", near.trim()),
                )
            }
        };
        match tool {
            Some(tool) => Self::of(kind, tool, form, &wrong, &Map::new()),
            None => Self {
                form,
                ..Self::new(kind, wrong)
            },
        }
    }
}

/// The names of the first tools, for use in a sentence.
pub(super) fn list(tools: &Tools) -> String {
    let names: Vec<&str> = tools.all.iter().take(LISTED).map(Tool::name).collect();
    names.join(", ")
}

/// Quotes the beginning of a text on one line.
pub(super) fn quote(text: &str) -> String {
    let on_one_line = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut out: String = on_one_line.take(QUOTED).collect();
    if text.chars().nth(QUOTED).is_some() {
        out.push('…');
    }
    out
}

/// A minimal correct call in this form; uses the given values if they are short.
pub(super) fn example(tool: &Tool, form: Form, given: &Map<String, Value>) -> String {
    let mut arguments = Map::new();
    let is_short = |value: &&Value| match value {
        Value::String(text) => text.len() <= QUOTED && !text.contains('\n'),
        other => !other.is_object() && !other.is_null(),
    };
    for param in &tool.params {
        let value = match (given.get(&param.name), &param.kind) {
            (None, _) if !param.required => continue,
            (Some(value), _) if is_short(&value) => value.clone(),
            _ if !param.choices.is_empty() => param.choices[0].clone(),
            (_, Kind::Integer | Kind::Number) => json!(1),
            (_, Kind::Boolean) => json!(true),
            (_, Kind::Array(_)) => json!(["…"]),
            (_, Kind::Object(_)) => json!({}),
            _ => json!(format!("<{}>", param.name)),
        };
        arguments.insert(param.name.clone(), value);
    }
    let name = &tool.name;
    let whole = json!({"name": name, "arguments": arguments});
    let plain = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let each = |one: &dyn Fn(&String, &Value) -> String| -> Vec<String> {
        let all = arguments.iter();
        all.map(|(key, value)| one(key, value)).collect()
    };
    match form {
        Form::Native => Value::Object(arguments).to_string(),
        Form::Tagged => format!("<tool_call>{whole}</tool_call>"),
        Form::Token | Form::Bare => whole.to_string(),
        Form::Fenced => format!("```json\n{whole}\n```"),
        Form::NameFirst => format!("{name} {}", Value::Object(arguments)),
        Form::React => format!("Action: {name}\nAction Input: {}", Value::Object(arguments)),
        Form::Python => {
            let parts = each(&|key, value| format!("{key}={value}"));
            format!("{name}({})", parts.join(", "))
        }
        Form::Xml => {
            let one = |key: &String, value: &Value| {
                format!("<parameter={key}>\n{}\n</parameter>\n", plain(value))
            };
            let parts = each(&one).concat();
            format!("<tool_call>\n<function={name}>\n{parts}</function>\n</tool_call>")
        }
        Form::TagPerTool => {
            let parts = each(&|key, value| format!("<{key}>{}</{key}>\n", plain(value)));
            format!("<{name}>\n{}</{name}>", parts.concat())
        }
    }
}

//! The text of each fault in different wordings, in two sets: one for development and one held out.
//!
//! The tests of the `repair` crate use the same kinds of malformed calls.

use serde_json::{Map, Value, json};

use super::mind::parameters;

/// A set of wordings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wording {
    /// The development set.
    Shown,
    /// The held-out set, which is measured but which developers don't look at.
    HeldOut,
}

/// Number of forms of typed calls in each set.
pub(super) const FORMS: usize = 8;

/// A call typed as text.
pub(super) fn typed(name: &str, arguments: &Value, wording: Wording, form: usize) -> String {
    let whole = json!({"name": name, "arguments": arguments});
    let of_llama = json!({"name": name, "parameters": arguments});
    match (wording, form % FORMS) {
        (Wording::Shown, 0) => format!("<tool_call>\n{whole}\n</tool_call>"),
        (Wording::Shown, 1) => format!("```json\n{whole:#}\n```"),
        (Wording::Shown, 2) => whole.to_string(),
        (Wording::Shown, 3) => format!("I will do that now.\n<tool_call>\n{whole}"),
        (Wording::Shown, 4) => format!("<|python_tag|>{of_llama}<|eom_id|>"),
        (Wording::Shown, 5) => format!("[TOOL_CALLS] [{whole}]"),
        (Wording::Shown, 6) => format!("Thought: the next step is clear.\nAction: {name}\nAction Input: {arguments}"),
        (Wording::Shown, _) => format!("<function={name}>{arguments}</function>"),
        (Wording::HeldOut, 0) => format!("{whole}\n</tool_call>"),
        (Wording::HeldOut, 1) => format!("```tool_call\n{of_llama}\n```"),
        (Wording::HeldOut, 2) => format!("functools[{whole}]"),
        (Wording::HeldOut, 3) => elements(name, arguments),
        (Wording::HeldOut, 4) => json!({"action": name, "action_input": arguments}).to_string(),
        (Wording::HeldOut, 5) => format!("Next:\n\n```json\n{of_llama}\n```\n"),
        (Wording::HeldOut, 6) => json!({"tool_calls": [{"type": "function", "function": {"name": name, "arguments": arguments.to_string()}}]}).to_string(),
        (Wording::HeldOut, _) => coder(name, arguments),
    }
}

fn elements(name: &str, arguments: &Value) -> String {
    let mut text = format!("<{name}>\n");
    for (key, value) in arguments.as_object().into_iter().flatten() {
        text.push_str(&format!("<{key}>{}</{key}>\n", bare(value)));
    }
    text.push_str(&format!("</{name}>"));
    text
}

fn coder(name: &str, arguments: &Value) -> String {
    let mut text = format!("<tool_call>\n<function={name}>\n");
    for (key, value) in arguments.as_object().into_iter().flatten() {
        text.push_str(&format!(
            "<parameter={key}>\n{}\n</parameter>\n",
            bare(value)
        ));
    }
    text.push_str("</function>\n</tool_call>");
    text
}

fn bare(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Arguments that aren't valid JSON, and whether the reply was cut off there.
pub(super) fn damaged(arguments: &Value, wording: Wording, form: usize) -> (String, bool) {
    let text = arguments.to_string();
    let inside = text.strip_suffix('}').unwrap_or(&text);
    match (wording, form % 6) {
        (Wording::Shown, 0) => (format!("{inside},}}"), false),
        (Wording::Shown, 1) => (inside.to_owned(), false),
        (Wording::Shown, 2) => (format!("```json\n{text}\n```"), false),
        (Wording::Shown, 3) => {
            (text.replace("\\n", "\n").replace('\t', " "), false).or_damaged(&text)
        }
        (Wording::Shown, 4) => (half(&text), true),
        (Wording::Shown, _) => (format!("{text} This is what I need."), false),
        (Wording::HeldOut, 0) => (format!("{text}}}"), false),
        (Wording::HeldOut, 1) => (format!("{text}{}", half(&text)), false),
        (Wording::HeldOut, 2) => (format!("// arguments\n{text}"), false),
        (Wording::HeldOut, 3) => (python(arguments), false).or_damaged(&text),
        (Wording::HeldOut, 4) => (half(&text), true),
        (Wording::HeldOut, _) => (format!("json\n{text}"), false),
    }
}

trait OrDamaged {
    fn or_damaged(self, text: &str) -> Self;
}

impl OrDamaged for (String, bool) {
    /// If the result happens to be valid for these arguments, removes the last bracket.
    fn or_damaged(self, text: &str) -> Self {
        match serde_json::from_str::<Value>(&self.0) {
            Ok(_) => (text.strip_suffix('}').unwrap_or(text).to_owned(), false),
            Err(_) => self,
        }
    }
}

fn half(text: &str) -> String {
    text.chars().take(text.chars().count() * 2 / 3).collect()
}

fn python(arguments: &Value) -> String {
    let mut parts = Vec::new();
    for (key, value) in arguments.as_object().into_iter().flatten() {
        let value = match value {
            Value::Bool(true) => "True".to_owned(),
            Value::Bool(false) => "False".to_owned(),
            Value::Null => "None".to_owned(),
            other => other.to_string(),
        };
        parts.push(format!("'{key}': {value}"));
    }
    format!("{{{}}}", parts.join(", "))
}

/// A tool name that doesn't exist.
pub(super) fn strange_name(name: &str, wording: Wording) -> String {
    let shown = match (wording, name) {
        (Wording::Shown, "read_file") => "open_file",
        (Wording::Shown, "search_files") => "grep",
        (Wording::Shown, "edit_file") => "str_replace",
        (Wording::Shown, "write_file") => "create_file",
        (Wording::Shown, "report_progress") => "complete_task",
        (Wording::HeldOut, "read_file") => "readFile",
        (Wording::HeldOut, "search_files") => "find_in_files",
        (Wording::HeldOut, "edit_file") => "EditFile",
        (Wording::HeldOut, "write_file") => "functions.write_file",
        (Wording::HeldOut, "report_progress") => "attempt_completion",
        (_, other) => return format!("do_{other}"),
    };
    shown.to_owned()
}

/// The same arguments with one key renamed.
pub(super) fn strange_key(name: &str, arguments: &Value, wording: Wording) -> Value {
    let Some(first) = parameters(name)
        .and_then(|all| all.first())
        .map(|(key, _)| *key)
    else {
        return arguments.clone();
    };
    let other = match (wording, first) {
        (Wording::Shown, "path") => "file_path",
        (Wording::Shown, "pattern") => "query",
        (Wording::Shown, "command") => "cmd",
        (Wording::Shown, "summary") => "message",
        (Wording::HeldOut, "path") => "filename",
        (Wording::HeldOut, "pattern") => "regex",
        (Wording::HeldOut, "command") => "command_line",
        (Wording::HeldOut, "summary") => "result",
        _ => "input",
    };
    let mut out = Map::new();
    for (key, value) in arguments.as_object().into_iter().flatten() {
        let key = if key == first { other } else { key };
        out.insert(key.to_owned(), value.clone());
    }
    Value::Object(out)
}

/// A nonexistent path similar to an existing one.
pub(super) fn strange_path(path: &str, wording: Wording) -> String {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    match wording {
        Wording::Shown if folder.is_empty() => format!("src/{name}"),
        Wording::Shown => format!("src/{folder}/{name}"),
        Wording::HeldOut => match name.rsplit_once('.') {
            Some((stem, kind)) if folder.is_empty() => format!("{stem}s.{kind}"),
            Some((stem, kind)) => format!("{folder}/{stem}s.{kind}"),
            None => format!("{path}_file"),
        },
    }
}

/// A text to replace that differs slightly from the file.
pub(super) fn stale(old: &str, wording: Wording) -> String {
    match wording {
        Wording::Shown => format!("{} # as before", old.trim_end()),
        Wording::HeldOut => {
            let lines: Vec<String> = old
                .lines()
                .map(|line| format!("        {};", line.trim()))
                .collect();
            lines.join("\n")
        }
    }
}

/// An announcement instead of a call.
pub(super) fn intent(what: &str, wording: Wording, form: usize) -> String {
    match (wording, form % 2) {
        (Wording::Shown, 0) => format!("I will now {what}."),
        (Wording::Shown, _) => format!("Let me {what}. After that the step should be complete."),
        (Wording::HeldOut, 0) => {
            format!("The next thing to do is to {what}; I am going to begin with it.")
        }
        (Wording::HeldOut, _) => format!("Sure! To continue I need to {what}. Shall I?"),
    }
}

/// A text that claims the step is done.
pub(super) fn claim(wording: Wording) -> String {
    match wording {
        Wording::Shown => "Everything is in place, the step is finished.".to_owned(),
        Wording::HeldOut => "Everything that was asked for works as expected now.".to_owned(),
    }
}

/// An answer to a planner in a shape that was not requested.
pub(super) fn planner_shape(step: &Value, wording: Wording, form: usize) -> String {
    let what = step["what"].as_str().unwrap_or_default();
    let why = step["why"].as_str().unwrap_or_default();
    let tools: Vec<&str> = step["tools"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let listed = tools.join(", ");
    match (wording, form % 5) {
        (Wording::Shown, 0) => format!("```json\n{step:#}\n```"),
        (Wording::Shown, 1) => format!("[{step}]"),
        (Wording::Shown, 2) => json!({"what": what, "why": why, "tools": listed}).to_string(),
        (Wording::Shown, 3) => format!("Here is the next step:\n{step}"),
        (Wording::Shown, _) => json!({"next_step": step}).to_string(),
        (Wording::HeldOut, 0) => format!("<think>What comes next?</think>\n{step}"),
        (Wording::HeldOut, 1) => json!({"title": what, "description": why, "acceptanceCriteria": [], "requiredTools": tools}).to_string(),
        (Wording::HeldOut, 2) => json!({"steps": [step]}).to_string(),
        (Wording::HeldOut, 3) => json!({"task": what, "reason": why, "tools": tools}).to_string(),
        (Wording::HeldOut, _) => format!("The next step is this one.\n\n```\n{step}\n```\nTell me when it is done."),
    }
}

/// A letter surrounded by extra words.
pub(super) fn letter_shape(letter: char, wording: Wording, form: usize) -> String {
    match (wording, form % 3) {
        (Wording::Shown, 0) => format!("{letter}) that fits best here"),
        (Wording::Shown, 1) => format!("I think the best choice is {letter}."),
        (Wording::Shown, _) => format!("**{letter}**"),
        (Wording::HeldOut, 0) => format!("Answer: {letter}"),
        (Wording::HeldOut, 1) => format!("Option {letter}, since the others would not help."),
        (Wording::HeldOut, _) => format!("({letter})"),
    }
}

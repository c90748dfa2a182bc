//! Requests other than for work on a step: for a plan, for a letter, or for JSON that matches a
//! schema.

use serde_json::{Map, Value, json};

use crate::model_server::Turn;
use crate::scenarios::{Scenario, Step};

use super::mind::Right;
use super::profile::Fault;
use super::talk::Talk;
use super::wordings::{self, Wording};

/// What a planner's request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Asked {
    /// Whether it asks for a list of whole tasks with five fields each.
    pub(super) is_large: bool,
    /// The maximum number of small steps.
    pub(super) count: usize,
}

/// The letters to choose from, if the request is a choice.
pub(super) fn letters(talk: &Talk) -> Option<Vec<char>> {
    if !talk.tools.is_empty() {
        return None;
    }
    let last = match talk.exchanges.last() {
        Some(exchange) if !exchange.after.trim().is_empty() => &exchange.after,
        _ => &talk.opening,
    };
    let letters: Vec<char> = last
        .lines()
        .filter_map(|line| {
            let line = line.trim_start().trim_start_matches(['-', '*', ' ']);
            let mut letters = line.chars();
            let (letter, mark) = (letters.next()?, letters.next()?);
            (('A'..='D').contains(&letter) && matches!(mark, ')' | '.' | ':')).then_some(letter)
        })
        .collect();
    (letters.len() >= 2).then_some(letters)
}

/// What to plan, if the request is for a plan.
pub(super) fn planning(talk: &Talk) -> Option<Asked> {
    if !talk.tools.is_empty() {
        return None;
    }
    if talk.opening.contains("acceptanceCriteria") {
        return Some(Asked {
            is_large: true,
            count: 10,
        });
    }
    let by_schema = talk
        .schema
        .as_ref()
        .is_some_and(|schema| schema.to_string().contains("\"what\""));
    let by_words = talk.opening.contains("\"what\"") && talk.opening.contains("\"why\"");
    if !by_schema && !by_words {
        return None;
    }
    let words = talk.opening.to_lowercase();
    let several = [
        "next 3 steps",
        "next three steps",
        "up to 3",
        "at most 3",
        "1 to 3",
        "1-3",
        "1–3",
    ];
    let pair = [
        "next 2 steps",
        "next two steps",
        "up to 2",
        "at most 2",
        "1 to 2",
        "1-2",
        "1–2",
    ];
    let count = if several.iter().any(|word| words.contains(word)) {
        3
    } else if pair.iter().any(|word| words.contains(word)) {
        2
    } else {
        1
    };
    Some(Asked {
        is_large: false,
        count,
    })
}

/// All steps combined into one, for a client that only gives the goal.
pub(super) fn whole(scenario: &Scenario) -> Step {
    let mut steps = scenario.worked();
    let mut whole = steps
        .next()
        .cloned()
        .unwrap_or_else(|| scenario.steps[0].clone());
    "whole".clone_into(&mut whole.id);
    whole.what.clone_from(&scenario.goal);
    for step in steps {
        whole.acts.extend(step.acts.iter().cloned());
        whole.hopeless = whole.hopeless.or(step.hopeless);
    }
    whole
}

/// A small step in the planner's format.
pub(super) fn small_step(step: &Step) -> Value {
    json!({"what": step.what, "why": step.why, "tools": step.tools()})
}

pub(super) fn small_plan(
    steps: &[Value],
    count: usize,
    fault: Option<Fault>,
    wording: Wording,
    form: usize,
) -> Turn {
    let Some(first) = steps.first() else {
        let done = if form.is_multiple_of(2) {
            "null".to_owned()
        } else {
            json!({"done": true}).to_string()
        };
        return Turn::say(done);
    };
    let whole = match count {
        0 | 1 => first.to_string(),
        _ => Value::Array(steps.to_vec()).to_string(),
    };
    match fault {
        Some(Fault::TextCall) if count <= 1 => {
            Turn::say(wordings::planner_shape(first, wording, form))
        }
        Some(Fault::TextCall) => Turn::say(format!("```json\n{whole}\n```")),
        Some(Fault::MalformedArgs) => Turn::say(whole.replacen(':', " ", 1)),
        Some(Fault::Prose) => Turn::say("Let us think about what is needed and then begin."),
        Some(Fault::Empty) => Turn::default(),
        _ => Turn::say(whole),
    }
}

/// Tasks with five fields each, as requested by traditional planners.
pub(super) fn large_plan(
    scenario: &Scenario,
    fault: Option<Fault>,
    wording: Wording,
    form: usize,
) -> Turn {
    let mut before: Option<String> = None;
    let mut tasks = Vec::new();
    for step in scenario.worked() {
        tasks.push(json!({
            "title": step.what,
            "description": format!("{}. {}.", step.what, step.why),
            "acceptanceCriteria": [format!("{} is so", step.why)],
            "dependencies": before.iter().collect::<Vec<_>>(),
            "requiredTools": step.tools(),
        }));
        before = Some(step.what.clone());
    }
    let whole = Value::Array(tasks);
    match fault {
        Some(Fault::TextCall) if form.is_multiple_of(2) => {
            Turn::say(format!("```json\n{whole:#}\n```"))
        }
        Some(Fault::TextCall) => {
            Turn::say(json!({"name": "create_plan", "arguments": {"tasks": whole}}).to_string())
        }
        Some(Fault::MalformedArgs) => {
            let (raw, is_cut) = wordings::damaged(&json!({"tasks": whole}), wording, form);
            let turn = Turn::say(raw);
            if is_cut { turn.finish("length") } else { turn }
        }
        Some(Fault::Prose) => {
            Turn::say("First the files have to be read, then they are changed one after the other.")
        }
        Some(Fault::Empty) => Turn::default(),
        _ => Turn::say(whole.to_string()),
    }
}

/// A sentence that describes a call.
pub(super) fn in_words(name: &str, arguments: &Value) -> String {
    let path = arguments["path"].as_str().unwrap_or("the project");
    match name {
        "read_file" => format!("read {path}"),
        "search_files" => "search the files".to_owned(),
        "list_files" => format!("list the files of {path}"),
        "edit_file" => format!("change {path}"),
        "write_file" => format!("write {path}"),
        "delete_file" => format!("delete {path}"),
        "run_command" => "run the command".to_owned(),
        "report_progress" => "report what was done".to_owned(),
        other => other.replace('_', " "),
    }
}

/// The text that ends a step, for a client without a report tool.
pub(super) fn report_in_words(step: &Step, right: &Right, has_headings: bool) -> String {
    let Right::Report {
        summary, learned, ..
    } = right
    else {
        return step.what.clone();
    };
    match has_headings {
        true => {
            let found: String = learned.iter().map(|fact| format!("- {fact}\n")).collect();
            format!("## Summary\n{summary}\n\n## Key Findings\n{found}\n## Decisions\n")
        }
        false => format!("{summary}. {}", learned.join(" ")),
    }
}

/// A call in the format that the request's text prescribes.
pub(super) fn asked_form(talk: &Talk, name: &str, arguments: &Value) -> String {
    let whole = json!({"name": name, "arguments": arguments});
    if talk.opening.contains("<tool_call>") {
        format!("<tool_call>\n{whole}\n</tool_call>")
    } else if talk.opening.contains("```") {
        format!("```json\n{whole}\n```")
    } else {
        whole.to_string()
    }
}

/// An answer that matches a schema: a report, or a call in an envelope.
pub(super) fn fitted(schema: &Value, name: &str, arguments: &Value) -> Value {
    let variants = schema
        .get("oneOf")
        .or_else(|| schema.get("anyOf"))
        .and_then(Value::as_array);
    if let Some(variants) = variants {
        let of_name = variants
            .iter()
            .find(|variant| variant.to_string().contains(&format!("\"{name}\"")));
        return fitted(
            of_name.or(variants.first()).unwrap_or(&Value::Null),
            name,
            arguments,
        );
    }
    let properties = schema["properties"]
        .as_object()
        .cloned()
        .unwrap_or_default();
    let has = |key: &str| properties.contains_key(key);
    if has("summary") && has("done") {
        return match name {
            "report_progress" => arguments.clone(),
            _ => {
                json!({"summary": "Not finished", "done": false, "learned": [], "decided": [], "next_hint": in_words(name, arguments)})
            }
        };
    }
    let mut out = Map::new();
    for (key, schema) in &properties {
        let value = match key.as_str() {
            "name" | "tool" | "tool_name" | "function" | "action" => json!(name),
            "arguments" | "args" | "parameters" | "input" | "action_input"
                if schema["type"] == "string" =>
            {
                json!(arguments.to_string())
            }
            "arguments" | "args" | "parameters" | "input" | "action_input" => arguments.clone(),
            _ => arguments.get(key).cloned().unwrap_or_else(|| empty(schema)),
        };
        out.insert(key.clone(), value);
    }
    Value::Object(out)
}

/// A letter in the form that matches a schema.
pub(super) fn fitted_letter(schema: &Value, letter: char) -> Value {
    let properties = schema["properties"]
        .as_object()
        .cloned()
        .unwrap_or_default();
    let mut out = Map::new();
    for (key, schema) in &properties {
        let is_letter = schema.get("enum").is_some()
            || matches!(key.as_str(), "choice" | "letter" | "answer" | "option");
        let value = if is_letter {
            json!(letter.to_string())
        } else {
            empty(schema)
        };
        out.insert(key.clone(), value);
    }
    if out.is_empty() {
        json!(letter.to_string())
    } else {
        Value::Object(out)
    }
}

fn empty(schema: &Value) -> Value {
    match schema["type"].as_str() {
        Some("array") => json!([]),
        Some("boolean") => json!(false),
        Some("integer" | "number") => json!(0),
        Some("object") => json!({}),
        _ => json!(""),
    }
}

//! Parses a request: which step it is about, which file texts it contains, and which calls were
//! made with which results.
//!
//! Reads only the messages of one request.

use serde_json::{Value, json};

use crate::form::Call;

/// A call in the conversation, with its result.
#[derive(Debug, Clone)]
struct Done {
    call: Call,
    is_ok: bool,
}

/// A parsed request to the model.
#[derive(Debug, Clone)]
pub(crate) struct Talk {
    first: String,
    /// The title of the step that the request is about.
    title: String,
    done: Vec<Done>,
    /// The text of each file that was read, in order.
    read: Vec<(String, String)>,
    /// The number of calls made when the host last rejected a report or said something other than a
    /// result; `None` if it hasn't, or if a reply without a call followed.
    told: Option<usize>,
    pub(crate) wants_letter: bool,
    pub(crate) shows_check: bool,
    pub(crate) schema: Option<Value>,
    pub(crate) tools: Vec<String>,
    /// Whether tool calls are native rather than text.
    pub(crate) is_native: bool,
    pub(crate) last_call: Option<Call>,
    is_act: bool,
}

/// How the results of rejected calls may begin.
const REFUSALS: [&str; 10] = [
    "not carried out",
    "nothing was",
    "the check does not",
    "you made this call",
    "error",
    "refused",
    "denied",
    "cannot",
    "there is no",
    "no such file",
];

impl Talk {
    /// Parses a request.
    pub(crate) fn read(request: &Value) -> Self {
        let messages = request["messages"].as_array().cloned().unwrap_or_default();
        let text = |message: &Value| message["content"].as_str().unwrap_or_default().to_owned();
        let is = |message: &Value, role: &str| message["role"] == role;
        let system = messages
            .iter()
            .find(|one| is(one, "system"))
            .map(text)
            .unwrap_or_default();
        let users: Vec<String> = messages
            .iter()
            .filter(|one| is(one, "user"))
            .map(text)
            .collect();
        let tools = request["tools"].as_array().into_iter().flatten();
        let tools: Vec<String> = tools
            .filter_map(|tool| tool["function"]["name"].as_str().map(str::to_owned))
            .collect();
        let schema = request
            .pointer("/response_format/json_schema/schema")
            .cloned();
        let first = users.first().cloned().unwrap_or_default();
        let mut talk = Self {
            title: String::new(),
            done: Vec::new(),
            read: Vec::new(),
            told: None,
            wants_letter: system.contains("one letter"),
            shows_check: first.contains("Check that is run"),
            is_native: !tools.is_empty(),
            is_act: system.starts_with("You carry out one step in a project folder."),
            last_call: None,
            schema,
            tools,
            first,
        };
        let mut open: Vec<(String, Call)> = Vec::new();
        for message in messages.iter().skip_while(|one| !is(one, "user")).skip(1) {
            if is(message, "assistant") {
                open = calls_of(message);
                if let Some((_, call)) = open.last() {
                    talk.last_call = Some(call.clone());
                }
                if open.is_empty() {
                    // This reply contains no call.
                    talk.told = None;
                }
                continue;
            }
            let said = text(message);
            let results: Vec<&str> = match is(message, "tool") {
                true => vec![said.as_str()],
                false => said.split("[result]\n").skip(1).collect(),
            };
            for result in &results {
                let at = open
                    .iter()
                    .position(|(id, _)| message["tool_call_id"] == id.as_str());
                if !open.is_empty() {
                    let (_, call) = open.remove(at.unwrap_or(0));
                    talk.answered(call, result);
                }
            }
            if !is(message, "tool") && !talk.done.is_empty() {
                let is_result_alone = said.starts_with("[result]") && !said.contains("\n\n");
                if !is_result_alone {
                    talk.told = Some(talk.done.len());
                }
            }
        }
        talk
    }

    fn answered(&mut self, call: Call, result: &str) {
        let low = result.trim_start().to_lowercase();
        let is_ok = !REFUSALS.iter().any(|word| low.starts_with(word));
        if call.name == "read_file"
            && is_ok
            && let Some(path) = call.arguments["path"].as_str()
        {
            self.read.push((path.to_owned(), unnumbered(result)));
        }
        let is_report = call.name == "report_progress";
        self.done.push(Done { call, is_ok });
        if is_report {
            // An accepted report ends the conversation, so a report with a reply was rejected.
            self.told = Some(self.done.len());
        }
    }

    /// Finds the step that the request is about by its title, remembers the title, and returns the
    /// step's index.
    pub(crate) fn step(&mut self, titles: &[&str]) -> Option<usize> {
        let found = self.found(titles)?;
        titles[found].clone_into(&mut self.title);
        Some(found)
    }

    fn found(&self, titles: &[&str]) -> Option<usize> {
        let of_line = |mark: &str| {
            let rest = self.first.split(mark).nth(1)?;
            let line = rest.lines().next()?;
            titles.iter().position(|title| line.contains(title))
        };
        of_line("\nYour step, ")
            .or_else(|| of_line("This step failed: "))
            .or_else(|| {
                let places = titles.iter().enumerate();
                let places = places.filter_map(|(at, title)| Some((self.first.rfind(title)?, at)));
                places.max().map(|(_, at)| at)
            })
    }

    /// Whether one change to one file is requested.
    pub(crate) fn is_act(&self) -> bool {
        self.is_act
    }

    /// Whether the last attempt at the step was rejected.
    pub(crate) fn was_refused(&self) -> bool {
        let failed = ["An earlier attempt at this step failed", "Its check says:"];
        failed.iter().any(|words| self.first.contains(words))
            || self.done.last().is_some_and(|done| !done.is_ok)
            || self.told.is_some()
    }

    /// The text of a file as first shown, before any change in this conversation.
    pub(crate) fn text_of(&self, path: &str) -> Option<String> {
        if self.is_act {
            return self.shown_for_act(path);
        }
        let mark = format!("<file-text path=\"{path}\"");
        if let Some((_, rest)) = self.first.split_once(&mark)
            && let Some((head, rest)) = rest.split_once(">\n")
            && !head.contains('\n')
            && let Some((text, _)) = rest.split_once("</file-text>")
        {
            return Some(text.to_owned());
        }
        let read = self.read.iter().find(|(read, _)| read == path);
        read.map(|(_, text)| text.clone())
    }

    fn shown_for_act(&self, path: &str) -> Option<String> {
        let mark = format!("{path}:\n");
        let at = match self.first.starts_with(&mark) {
            true => mark.len(),
            false => self.first.find(&format!("\n{mark}"))? + 1 + mark.len(),
        };
        let rest = &self.first[at..];
        if let Some(inside) = rest.strip_prefix("```\n") {
            return inside.split_once("```\n").map(|(text, _)| text.to_owned());
        }
        // The step's text follows, starting with its title; the file may contain the same text.
        let end = rest
            .rfind(&format!("\n{}", self.title))
            .map_or(rest.len(), |at| at + 1);
        let is_empty = rest.starts_with(&self.title);
        (!is_empty).then(|| rest[..end].to_owned())
    }

    /// The current text of a file, after the changes in this conversation.
    pub(crate) fn current(&self, path: &str) -> Option<String> {
        let mut text = self.text_of(path);
        let own = |done: &&Done| done.is_ok && done.call.arguments["path"] == path;
        for done in self.done.iter().filter(own) {
            let get = |name: &str| done.call.arguments[name].as_str().unwrap_or_default();
            match done.call.name.as_str() {
                "write_file" => text = Some(get("content").to_owned()),
                "edit_file" => {
                    text = text.map(|text| text.replacen(get("old_text"), get("new_text"), 1));
                }
                _ => {}
            }
        }
        text
    }

    /// Whether the file was changed since the step was last rejected.
    pub(crate) fn has_changed(&self, path: &str) -> bool {
        let from = self.told.unwrap_or_default();
        let changes = ["write_file", "edit_file"];
        let mut since = self.done.iter().skip(from);
        since.any(|done| {
            let call = &done.call;
            done.is_ok && changes.contains(&call.name.as_str()) && call.arguments["path"] == path
        })
    }
}

fn calls_of(message: &Value) -> Vec<(String, Call)> {
    let native = message["tool_calls"].as_array().into_iter().flatten();
    let native = native.map(|call| {
        let arguments = call.pointer("/function/arguments").and_then(Value::as_str);
        let arguments =
            serde_json::from_str(arguments.unwrap_or("{}")).unwrap_or_else(|_| json!({}));
        let name = call.pointer("/function/name").and_then(Value::as_str);
        let id = call["id"].as_str().unwrap_or_default().to_owned();
        (id, Call::new(name.unwrap_or_default(), arguments))
    });
    let lines = message["content"].as_str().unwrap_or_default().lines();
    let written = lines.filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let written = written.filter_map(|call| {
        let name = call["name"].as_str()?;
        Some((String::new(), Call::new(name, call["arguments"].clone())))
    });
    native.chain(written).collect()
}

/// The lines of a file without line numbers.
fn unnumbered(text: &str) -> String {
    let body = text.lines().map(|line| {
        let (number, rest) = line.split_once(['\t', '|']).unwrap_or(("", line));
        match number.trim().parse::<u32>() {
            Ok(_) => rest,
            Err(_) => line,
        }
    });
    let lines: Vec<&str> = body.collect();
    lines.join("\n") + "\n"
}

//! The baseline client, which plans upfront, accepts only strict JSON, and never retries.
//!
//! It works like a traditional planner. One request produces the whole plan, as tasks with five
//! fields each, parsed by `serde_json` alone; if that fails, the whole request becomes one task.
//! Each task is a conversation of at most ten requests with all tools. If a call isn't exactly
//! right, the task fails and the plan ends. A reply without a call ends the task as done. What
//! the task learned is read from that reply's headings and passed to later tasks.
//!
//! Written for this evaluation. It only runs commands that the scenario contains.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::Project;
use crate::scenarios::{Act, Scenario};

use super::{Client, End, Place, Played, Recorded, http};

/// The maximum number of requests for one task.
const MAX_TURNS: usize = 10;

/// The tools and their parameters; `!` marks required ones.
const TOOLS: [(&str, &[&str]); 8] = [
    ("list_files", &["path", "depth"]),
    ("read_file", &["path!", "start_line", "end_line"]),
    ("search_files", &["pattern!", "path"]),
    ("edit_file", &["path!", "old_text!", "new_text!"]),
    ("write_file", &["path!", "content!"]),
    ("delete_file", &["path!"]),
    ("run_command", &["command!", "timeout_s"]),
    ("git_status", &[]),
];

/// The baseline client.
#[derive(Debug, Clone, Copy, Default)]
pub struct Baseline;

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Task {
    title: String,
    description: String,
    #[serde(default)]
    acceptance_criteria: Vec<String>,
}

impl Client for Baseline {
    fn name(&self) -> &'static str {
        "baseline"
    }

    fn project(&self, scenario: &Scenario) -> Project {
        scenario.project()
    }

    fn play(&mut self, project: &Project, scenario: &Scenario, place: &Place) -> Played {
        let mut run = Run {
            project,
            scenario,
            place,
            found: Vec::new(),
            steps: Vec::new(),
            kept: String::new(),
        };
        let plan = run.plan();
        let planned = plan.is_ok();
        let tasks = plan.unwrap_or_else(|_| {
            let (title, description) = (scenario.goal.clone(), scenario.goal.clone());
            vec![Task {
                title,
                description,
                acceptance_criteria: Vec::new(),
            }]
        });
        let failed = tasks.iter().find_map(|task| run.carry_out(task).err());
        Played {
            end: if failed.is_some() {
                End::GivenUp
            } else {
                End::Done
            },
            steps: run.steps,
            kept: run.kept,
            questions: 0,
            planned: Some(planned),
            why: failed.unwrap_or_default(),
        }
    }
}

struct Run<'a> {
    project: &'a Project,
    scenario: &'a Scenario,
    place: &'a Place,
    found: Vec<String>,
    steps: Vec<Recorded>,
    kept: String,
}

impl Run<'_> {
    fn plan(&self) -> Result<Vec<Task>, String> {
        let system = "You are an expert planner. Break the user's request down into 2 to 15 tasks. Each task must be \
             specific, in order, and must say how it is known to be done. Think about the files concerned, the order of \
             the work, the tools that are needed and the risks. Answer with a JSON array and nothing else. Each item has \
             the fields title (string), description (string), acceptanceCriteria (array of strings), dependencies (array \
             of the titles of tasks that must be done before) and requiredTools (array of names).";
        let names: Vec<&str> = TOOLS.iter().map(|(name, _)| *name).collect();
        let user = format!(
            "Request: {}\n\nTools: {}\n\nJSON:",
            self.scenario.goal,
            names.join(", ")
        );
        let messages =
            json!([{"role": "system", "content": system}, {"role": "user", "content": user}]);
        let reply = http::ask(
            &self.place.base_url,
            &json!({"model": self.place.model, "messages": messages}),
        )?;
        let tasks: Vec<Task> =
            serde_json::from_str(reply.text.trim()).map_err(|error| error.to_string())?;
        match tasks.is_empty() {
            true => Err("an empty plan".to_owned()),
            false => Ok(tasks),
        }
    }

    fn carry_out(&mut self, task: &Task) -> Result<(), String> {
        let found: String = self
            .found
            .iter()
            .map(|fact| format!("- {fact}\n"))
            .collect();
        let system = "You carry out one task of a plan with the tools. When it is done, answer without a tool call, under \
             the headings ## Summary, ## Key Findings and ## Decisions.";
        let criteria = task.acceptance_criteria.join("; ");
        let user = format!(
            "# Task: {}\n\n{}\n\nAcceptance criteria: {criteria}\n\n# Discoveries so far\n{found}",
            task.title, task.description
        );
        let mut messages = vec![
            json!({"role": "system", "content": system}),
            json!({"role": "user", "content": user}),
        ];
        for _ in 0..MAX_TURNS {
            let body = json!({"model": self.place.model, "messages": messages, "tools": tools()});
            let reply = http::ask(&self.place.base_url, &body)?;
            if reply.calls.is_empty() {
                self.end(task, &reply.text);
                return Ok(());
            }
            let mut calls = Vec::new();
            let mut results = Vec::new();
            for (id, name, arguments) in &reply.calls {
                let result = self.call(name, arguments)?;
                let function = json!({"name": name, "arguments": arguments});
                calls.push(json!({"id": id, "type": "function", "function": function}));
                results.push(json!({"role": "tool", "tool_call_id": id, "content": result}));
            }
            messages.push(json!({"role": "assistant", "content": reply.text, "tool_calls": calls}));
            messages.append(&mut results);
        }
        // A task that hasn't failed after ten requests counts as done.
        self.end(task, "");
        Ok(())
    }

    /// Ends a task as done and extracts what it learned from the headings in its text.
    fn end(&mut self, task: &Task, text: &str) {
        let mut learned = Vec::new();
        let mut is_inside = false;
        for line in text.lines() {
            if line.starts_with("## ") {
                is_inside = line.to_lowercase().contains("findings");
            } else if let Some(fact) = line.strip_prefix("- ").filter(|_| is_inside) {
                learned.push(fact.to_owned());
            }
        }
        self.found.extend(learned.iter().cloned());
        self.kept.push_str(text);
        let step = self
            .scenario
            .steps
            .iter()
            .find(|step| step.what == task.title);
        let step = step.map_or_else(|| "whole".to_owned(), |step| step.id.clone());
        self.steps.push(Recorded {
            step,
            learned,
            is_reported: text.contains("## Summary"),
        });
    }

    fn call(&self, name: &str, arguments: &str) -> Result<String, String> {
        let arguments: Map<String, Value> =
            serde_json::from_str(arguments).map_err(|error| error.to_string())?;
        let (_, parameters) = TOOLS
            .iter()
            .find(|(known, _)| *known == name)
            .ok_or_else(|| format!("Unknown tool: {name}"))?;
        let known: BTreeMap<&str, bool> = parameters
            .iter()
            .map(|name| (name.trim_end_matches('!'), name.ends_with('!')))
            .collect();
        if let Some(strange) = arguments
            .keys()
            .find(|key| !known.contains_key(key.as_str()))
        {
            return Err(format!("Unknown parameter: {strange}"));
        }
        if let Some((missing, _)) = known
            .iter()
            .find(|(key, is_needed)| **is_needed && !arguments.contains_key(**key))
        {
            return Err(format!("Missing parameter: {missing}"));
        }
        let text = |key: &str| {
            arguments
                .get(key)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        self.perform(name, &text)
    }

    fn perform(&self, name: &str, text: &dyn Fn(&str) -> String) -> Result<String, String> {
        let path = text("path");
        if path.starts_with('/') || path.split('/').any(|part| part == "..") {
            return Err(format!("{path} lies outside"));
        }
        let full = self.project.at(&path);
        let failed = |error: std::io::Error| format!("{path}: {error}");
        match name {
            "read_file" => {
                let content = std::fs::read_to_string(&full).map_err(failed)?;
                Ok(content.chars().take(20_000).collect())
            }
            "list_files" => Ok(self.project.run_git(&["ls-files"])),
            "git_status" => Ok(self.project.run_git(&["status", "--porcelain"])),
            "search_files" => Ok(self.search(&text("pattern"))),
            "edit_file" => {
                let content = std::fs::read_to_string(&full).map_err(failed)?;
                let old = text("old_text");
                if content.matches(&old).count() != 1 {
                    return Err(format!("old_text does not occur once in {path}"));
                }
                std::fs::write(&full, content.replacen(&old, &text("new_text"), 1))
                    .map_err(failed)?;
                Ok(format!("{path} was edited"))
            }
            "write_file" => {
                self.project.write(&path, text("content"));
                Ok(format!("{path} was written"))
            }
            "delete_file" => {
                std::fs::remove_file(&full).map_err(failed)?;
                Ok(format!("{path} was deleted"))
            }
            _ => self.run(&text("command")),
        }
    }

    fn search(&self, pattern: &str) -> String {
        let mut out = String::new();
        for path in self.project.run_git(&["ls-files"]).lines() {
            let content = std::fs::read_to_string(self.project.at(path)).unwrap_or_default();
            for (number, line) in content
                .lines()
                .enumerate()
                .filter(|(_, line)| line.contains(pattern))
            {
                out.push_str(&format!("{path}:{}: {line}\n", number + 1));
            }
        }
        out
    }

    fn run(&self, command: &str) -> Result<String, String> {
        let mut shown = self.scenario.steps.iter().flat_map(|step| {
            let acts = step.acts.iter().filter_map(|act| match act {
                Act::Run { command, .. } => Some(command.as_str()),
                _ => None,
            });
            acts.chain(step.verify.as_deref())
        });
        if !shown.any(|known| known == command) {
            return Err(format!("{command} is not allowed"));
        }
        let output = Command::new("sh")
            .args(["-c", command])
            .current_dir(self.project.path())
            .stdin(Stdio::null())
            .output()
            .map_err(|error| error.to_string())?;
        let text = [output.stdout, output.stderr].concat();
        Ok(format!(
            "exit {}\n{}",
            output.status.code().unwrap_or(-1),
            String::from_utf8_lossy(&text)
        ))
    }
}

fn tools() -> Value {
    let tool = |(name, parameters): &(&str, &[&str])| {
        let mut properties = Map::new();
        let mut required = Vec::new();
        for parameter in *parameters {
            let key = parameter.trim_end_matches('!');
            let kind = if matches!(key, "depth" | "start_line" | "end_line" | "timeout_s") {
                "integer"
            } else {
                "string"
            };
            properties.insert(key.to_owned(), json!({"type": kind}));
            if parameter.ends_with('!') {
                required.push(key);
            }
        }
        let parameters = json!({"type": "object", "properties": properties, "required": required});
        json!({"type": "function", "function": {"name": name, "description": name, "parameters": parameters}})
    };
    TOOLS.iter().map(tool).collect()
}

//! The tools of a step: its own, and the two that every step has.
//!
//! Names and parameters of tools of the workspace are those of [`plan::ToolName`].

use gate::words::Words;
use plan::{ParamType, Task, ToolName};
use serde_json::{Map, Value, json};

use crate::repair::{Effect, SchemaError, Tool, Tools};

/// A tool that a step can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StepTool {
    /// One that works on the workspace.
    Workspace(ToolName),
    /// `ask_user {question!, options}`
    AskUser,
    /// `report_progress {summary!, done!, learned, decided, next_hint}`
    ReportProgress,
}

/// What a step gets that names no tools. A deletion has to be named, by the tool or in words.
const USUAL: [ToolName; 6] = [
    ToolName::ReadFile,
    ToolName::SearchFiles,
    ToolName::ListFiles,
    ToolName::EditFile,
    ToolName::WriteFile,
    ToolName::RunCommand,
];

/// Words of a step that is about taking something away.
const AWAY: [&str; 6] = ["delete", "remove", "clean up", "lösch", "entfern", "删除"];

impl StepTool {
    /// The name in calls.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Workspace(tool) => tool.as_str(),
            Self::AskUser => "ask_user",
            Self::ReportProgress => "report_progress",
        }
    }

    /// The tool of this exact name.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "ask_user" => Some(Self::AskUser),
            "report_progress" => Some(Self::ReportProgress),
            name => ToolName::from_name(name).map(Self::Workspace),
        }
    }

    /// Whether it changes nothing.
    pub fn only_looks(self) -> bool {
        match self {
            Self::Workspace(tool) => tool.is_read_only(),
            Self::AskUser | Self::ReportProgress => true,
        }
    }

    /// What it does, for a model.
    pub fn describes(self) -> &'static str {
        match self {
            Self::Workspace(ToolName::ListFiles) => "List a folder.",
            Self::Workspace(ToolName::ReadFile) => "Read a file or some lines.",
            Self::Workspace(ToolName::SearchFiles) => "Search file contents by regex.",
            Self::Workspace(ToolName::EditFile) => "Replace text that occurs once in a file.",
            Self::Workspace(ToolName::WriteFile) => "Write a whole file.",
            Self::Workspace(ToolName::DeleteFile) => "Delete a file.",
            Self::Workspace(ToolName::RunCommand) => "Run a command.",
            Self::Workspace(ToolName::GitStatus) => "Show what Git says has changed.",
            Self::AskUser => "Ask the person one question.",
            Self::ReportProgress => "End the step: what was done, whether it is done.",
        }
    }

    /// Its parameters as a JSON schema.
    pub fn parameters(self) -> Value {
        let text = || json!({"type": "string"});
        let texts = || json!({"type": "array", "items": {"type": "string"}});
        let (properties, required) = match self {
            Self::Workspace(tool) => {
                let properties: Map<String, Value> = tool
                    .params()
                    .iter()
                    .map(|(name, kind, _)| {
                        let kind = match kind {
                            ParamType::String => "string",
                            ParamType::Integer => "integer",
                        };
                        ((*name).to_owned(), json!({ "type": kind }))
                    })
                    .collect();
                let required = tool.params().iter().filter(|(_, _, required)| *required);
                let required: Vec<&str> = required.map(|(name, _, _)| *name).collect();
                (Value::Object(properties), required)
            }
            Self::AskUser => (
                json!({"question": text(), "options": texts()}),
                vec!["question"],
            ),
            Self::ReportProgress => (
                json!({
                    "summary": text(),
                    "done": {"type": "boolean"},
                    "learned": texts(),
                    "decided": texts(),
                    "next_hint": text(),
                }),
                vec!["summary", "done"],
            ),
        };
        let mut schema = json!({"type": "object", "properties": properties});
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        schema
    }
}

/// The tools that a step gets, in a fixed order.
pub fn of_step(task: &Task) -> Vec<StepTool> {
    let named: Vec<ToolName> = task
        .tools
        .iter()
        .filter_map(|name| ToolName::from_name(name.trim().trim_matches('`')))
        .collect();
    let is_about_taking_away = is_to_take_away(task);
    let has = |tool: &ToolName| {
        if named.is_empty() {
            USUAL.contains(tool) || (*tool == ToolName::DeleteFile && is_about_taking_away)
        } else {
            // Who edits has to be able to look, and to write a file whole where an edit does not take.
            let edits = named.contains(&ToolName::EditFile) || named.contains(&ToolName::WriteFile);
            named.contains(tool)
                || *tool == ToolName::ReadFile
                || (edits && matches!(tool, ToolName::EditFile | ToolName::WriteFile))
        }
    };
    let own = ToolName::ALL.into_iter().filter(has);
    own.map(StepTool::Workspace)
        .chain([StepTool::AskUser, StepTool::ReportProgress])
        .collect()
}

/// Whether a step's words are about taking something away.
pub fn is_to_take_away(task: &Task) -> bool {
    let words = format!("{} {}", task.title, task.body).to_lowercase();
    AWAY.iter().any(|word| words.contains(word))
}

/// How a step begins that only finds something out.
const LOOKS: Words = Words(
    "find look read list check search see note learn locate inspect review verify confirm count \
    report tell explain understand run test answer suche lies",
);

/// Whether a step is there to change something, by its tools and its words.
pub fn is_to_change(task: &Task) -> bool {
    const CHANGES: [&str; 3] = ["edit_file", "write_file", "delete_file"];
    let changes = |tool: &String| CHANGES.contains(&tool.trim().trim_matches('`'));
    match task.tools.is_empty() {
        false => task.tools.iter().any(changes),
        true => !task.files.is_empty() && !begins_as_a_look(task),
    }
}

/// Whether a step is there to find something out and no more, by its tools and its words. Of a step that
/// names neither tools nor files this may be as unclear as whether it is to change something.
pub fn only_looks(task: &Task) -> bool {
    let reads = |tool: &String| {
        let tool = ToolName::from_name(tool.trim().trim_matches('`'));
        tool.is_some_and(ToolName::is_read_only)
    };
    let is_to_read = !task.tools.is_empty() && task.tools.iter().all(reads);
    is_to_read || (!is_to_change(task) && begins_as_a_look(task))
}

fn begins_as_a_look(task: &Task) -> bool {
    let first = task.title.split_whitespace().next().unwrap_or_default();
    let first = first
        .trim_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase();
    LOOKS.contains(&first.as_str())
}

/// The tools as replies are held against them.
///
/// # Errors
/// [`SchemaError`] for a schema that is none.
pub fn as_tools(tools: &[StepTool]) -> Result<Tools, SchemaError> {
    let all: Result<Vec<Tool>, SchemaError> = tools
        .iter()
        .map(|tool| {
            let effect = match tool {
                StepTool::Workspace(ToolName::DeleteFile) => Effect::Destroys,
                tool if tool.only_looks() => Effect::Reads,
                _ => Effect::Changes,
            };
            Tool::new(tool.as_str(), effect, &tool.parameters())
        })
        .collect();
    Ok(Tools::new(all?))
}

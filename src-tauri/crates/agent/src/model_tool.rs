//! The tools of a model, in a step of a run and in a conversation: names, words and parameters.
//!
//! Names and parameters of tools of the workspace are those of [`plan::ToolName`]. Which of them a model is
//! given is said elsewhere: by [`model_step::table`](crate::model_step::table) and by
//! [`session::tools`](crate::session::tools).

use plan::{ParamType, ToolName};
use serde_json::{Map, Value, json};

use crate::repair::{Effect, SchemaError, Tool, Tools};

/// A tool of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ModelTool {
    /// One of the workspace.
    Workspace(ToolName),
    /// `edit_plan {new_text!, task, after, old_text}`, of a conversation.
    EditPlan,
    /// `read_plan {task}`, of a conversation.
    ReadPlan,
    /// `ask_user {question!, options}`
    AskUser,
    /// `propose_plan {}`, which ends a turn of a conversation.
    ProposePlan,
    /// `report_progress {summary!, done!, learned, decided, next_hint}`, which ends a step.
    ReportProgress,
}

impl ModelTool {
    /// The name in calls.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Workspace(tool) => tool.as_str(),
            Self::EditPlan => "edit_plan",
            Self::ReadPlan => "read_plan",
            Self::AskUser => "ask_user",
            Self::ProposePlan => "propose_plan",
            Self::ReportProgress => "report_progress",
        }
    }

    /// The tool of this exact name.
    pub fn named(name: &str) -> Option<Self> {
        let own = [
            Self::EditPlan,
            Self::ReadPlan,
            Self::AskUser,
            Self::ProposePlan,
            Self::ReportProgress,
        ];
        let workspace = ToolName::ALL.map(Self::Workspace).into_iter();
        own.into_iter()
            .chain(workspace)
            .find(|tool| tool.as_str() == name)
    }

    /// The same, as far as a step can have it.
    pub fn of_step(name: &str) -> Option<Self> {
        let is_of_step =
            |tool: &Self| !matches!(tool, Self::EditPlan | Self::ReadPlan | Self::ProposePlan);
        Self::named(name).filter(is_of_step)
    }

    /// Whether nothing outside changes by it: it may be repeated without asking.
    pub fn only_looks(self) -> bool {
        match self {
            Self::Workspace(tool) => tool.is_read_only(),
            Self::EditPlan => false,
            Self::ReadPlan | Self::AskUser | Self::ProposePlan | Self::ReportProgress => true,
        }
    }

    /// One sentence for the model.
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
            Self::EditPlan => {
                "Write the plan file. new_text alone: a new plan. With `task`: replaces that task; \
                 `after`: adds behind that task; `old_text`: replaces that exact text. Empty new_text \
                 deletes."
            }
            Self::ReadPlan => "Read the plan, or one task of it.",
            Self::AskUser => "Ask the person one question.",
            Self::ProposePlan => "Offer the plan file for approval. Ends your turn.",
            Self::ReportProgress => "End the step: what was done, whether it is done.",
        }
    }

    /// The JSON Schema of the arguments.
    pub fn parameters(self) -> Value {
        let text = || json!({"type": "string"});
        let texts = || json!({"type": "array", "items": {"type": "string"}});
        let (properties, required) = match self {
            Self::Workspace(tool) => {
                let properties = tool.params().iter().map(|(name, kind, _)| {
                    let kind = match kind {
                        ParamType::String => "string",
                        ParamType::Integer => "integer",
                    };
                    ((*name).to_owned(), json!({ "type": kind }))
                });
                let required = tool.params().iter().filter(|(_, _, required)| *required);
                let required = required.map(|(name, _, _)| *name).collect();
                (Value::Object(properties.collect::<Map<_, _>>()), required)
            }
            Self::EditPlan => (
                json!({"task": text(), "after": text(), "old_text": text(), "new_text": text()}),
                vec!["new_text"],
            ),
            Self::ReadPlan => (json!({"task": text()}), Vec::new()),
            Self::AskUser => (
                json!({"question": text(), "options": texts()}),
                vec!["question"],
            ),
            Self::ProposePlan => (json!({}), Vec::new()),
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

    /// The tool as a request holds it, in these words.
    pub(crate) fn to_json(self, describes: &str) -> Value {
        json!({
            "type": "function",
            "function": {
                "name": self.as_str(),
                "description": describes,
                "parameters": self.parameters(),
            },
        })
    }
}

/// The tools as replies are held against them.
///
/// # Errors
/// [`SchemaError`] for a schema that is none.
pub fn as_tools(tools: &[ModelTool]) -> Result<Tools, SchemaError> {
    let all: Result<Vec<Tool>, SchemaError> = tools
        .iter()
        .map(|tool| {
            let effect = match tool {
                ModelTool::Workspace(ToolName::DeleteFile) => Effect::Destroys,
                tool if tool.only_looks() => Effect::Reads,
                ModelTool::EditPlan => Effect::Drafts,
                _ => Effect::Changes,
            };
            Tool::new(tool.as_str(), effect, &tool.parameters())
        })
        .collect();
    Ok(Tools::new(all?))
}

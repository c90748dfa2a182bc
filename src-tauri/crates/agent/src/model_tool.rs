//! The tools that a model can call, in a step of a run and in a conversation: names, descriptions
//! and parameters.
//!
//! Workspace tools have the names and parameters of [`plan::ToolName`].
//! [`model_step::step_tools`](crate::model_step::step_tools) and
//! [`session::tools`](crate::session::tools) decide which tools a model gets.

use plan::{ParamType, ToolName};
use serde_json::{Map, Value, json};

use repair::{Effect, SchemaError, Tool, Tools};

/// A tool that a model can call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ModelTool {
    /// A workspace tool.
    Workspace(ToolName),
    /// `edit_plan {new_text!, task, after, old_text}`, in conversations only.
    EditPlan,
    /// `read_plan {task}`, in conversations only.
    ReadPlan,
    /// `ask_user {question!, options}`
    AskUser,
    /// `propose_plan {}`, in conversations only; ends the turn.
    ProposePlan,
    /// `report_progress {summary!, done!, learned, decided, next_hint}`; ends the step.
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

    /// The tool with exactly this name.
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

    /// The tool with exactly this name, if steps can use it.
    pub fn of_step(name: &str) -> Option<Self> {
        let is_of_step =
            |tool: &Self| !matches!(tool, Self::EditPlan | Self::ReadPlan | Self::ProposePlan);
        Self::named(name).filter(is_of_step)
    }

    /// Whether the tool has no side effects, so that it can be repeated without asking.
    pub fn only_looks(self) -> bool {
        match self {
            Self::Workspace(tool) => tool.is_read_only(),
            Self::EditPlan => false,
            Self::ReadPlan | Self::AskUser | Self::ProposePlan | Self::ReportProgress => true,
        }
    }

    /// The description for the model.
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

    /// The tool as JSON for a request, with this description.
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

/// The tools in the form that replies are validated against. Fails if one of the schemas is
/// invalid.
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

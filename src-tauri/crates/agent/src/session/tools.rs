//! The tools of a conversation, in one constant table that is kept short because every request
//! includes it.
//!
//! They can change nothing but the plan; a run carries it out.

use plan::ToolName;
use serde_json::Value;

use crate::model_tool::ModelTool;

/// All tools, in the order of the table.
pub const TOOLS: [ModelTool; 8] = [
    ModelTool::Workspace(ToolName::ReadFile),
    ModelTool::Workspace(ToolName::SearchFiles),
    ModelTool::Workspace(ToolName::ListFiles),
    COMMAND,
    ModelTool::EditPlan,
    ModelTool::ReadPlan,
    ModelTool::AskUser,
    ModelTool::ProposePlan,
];

/// The tool that runs commands, which are read-only in a conversation.
pub const COMMAND: ModelTool = ModelTool::Workspace(ToolName::RunCommand);

/// The tool with exactly this name.
pub fn named(name: &str) -> Option<ModelTool> {
    TOOLS.into_iter().find(|tool| tool.as_str() == name)
}

/// The description for the model.
pub fn describes(tool: ModelTool) -> &'static str {
    match tool {
        COMMAND => "Run a read-only command.",
        other => other.describes(),
    }
}

/// The tool table as JSON for a request.
pub fn table() -> Value {
    let all = TOOLS.map(|tool| tool.to_json(describes(tool)));
    Value::Array(all.into())
}

//! The tools of a conversation: one constant table, short, since it is paid for with every request.
//!
//! None of them changes anything but the plan: a run carries the plan out.

use plan::ToolName;
use serde_json::Value;

use crate::model_tool::ModelTool;

/// Every tool, in the order of the table.
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

/// The one for commands, which look only.
pub const COMMAND: ModelTool = ModelTool::Workspace(ToolName::RunCommand);

/// The tool of this exact name.
pub fn named(name: &str) -> Option<ModelTool> {
    TOOLS.into_iter().find(|tool| tool.as_str() == name)
}

/// One sentence for the model.
pub fn describes(tool: ModelTool) -> &'static str {
    match tool {
        COMMAND => "Run a read-only command.",
        other => other.describes(),
    }
}

/// The table as a request holds it.
pub fn table() -> Value {
    let all = TOOLS.map(|tool| tool.to_json(describes(tool)));
    Value::Array(all.into())
}

//! Descriptions of a conversation's calls for display. They never contain a plan's text.

use agent::model_tool::ModelTool;
use agent::session::call::{PlanTarget, TypedCall};
use agent::session::entry::{CallResult, Question};
use agent::session::tools;
use agent::turn::Call;
use plan::{ToolCall, ToolName};
use serde_json::Value;

use crate::document::cut;
use crate::run_views;

/// Maximum characters in a line.
pub(super) const MAX_LINE_LEN: usize = 600;

/// Maximum characters in a title.
const MAX_TITLE_LEN: usize = 2_000;

/// An abbreviated revision for display.
pub(super) fn short(revision: &str) -> String {
    revision.chars().take(12).collect()
}

/// Describes a call.
pub(super) fn title(call: &Call) -> String {
    let known = tools::named(&call.name).and_then(|tool| TypedCall::of(tool, call).ok());
    let title = match known {
        Some(TypedCall::Workspace(call)) => run_views::title_of_call(&call),
        Some(TypedCall::EditPlan { target, .. }) => match target {
            PlanTarget::New => "Wrote the plan".to_owned(),
            PlanTarget::Task(task) => format!("Changed {task} in the plan"),
            PlanTarget::After(task) => format!("Added to the plan after {task}"),
            PlanTarget::Text(_) => "Changed the plan".to_owned(),
        },
        Some(TypedCall::ReadPlan { task: None }) => "Read the plan".to_owned(),
        Some(TypedCall::ReadPlan { task: Some(task) }) => format!("Read {task} in the plan"),
        Some(TypedCall::AskUser { .. }) => "Asked you".to_owned(),
        Some(TypedCall::ProposePlan) => "Proposed the plan".to_owned(),
        // A tool that conversations don't have, an unknown tool, or invalid arguments.
        None => ToolName::from_name(&call.name)
            .and_then(|tool| ToolCall::new(tool, call.arguments.clone()).ok())
            .map_or_else(|| call.name.clone(), |call| run_views::title_of_call(&call)),
    };
    cut(&title, MAX_TITLE_LEN)
}

/// Describes a call in progress by its tool and subject.
pub(super) fn call_line(tool: &str, subject: &str) -> String {
    let line = match tool {
        "run_command" => subject.to_owned(),
        "edit_plan" => "writing the plan".to_owned(),
        "read_plan" => "reading the plan".to_owned(),
        "propose_plan" => "checking the plan".to_owned(),
        _ => format!("{} {subject}", tool.replace('_', " ")),
    };
    cut(line.trim(), 200)
}

/// The result of a call, in one line.
pub(super) fn came_of(call: &Call, result: &CallResult) -> String {
    let argument = |name: &str| call.arguments.get(name).and_then(Value::as_str);
    let argument = |name: &str| argument(name).unwrap_or_default();
    let said = first_line(&result.content);
    if !result.ok || result.is_unknown {
        return said;
    }
    match ToolName::from_name(&call.name) {
        Some(ToolName::EditFile) => {
            let (added, removed) = run_views::counts(argument("old_text"), argument("new_text"));
            format!("+{added} −{removed}")
        }
        Some(ToolName::WriteFile) => match argument("content").lines().count() {
            1 => "1 line".to_owned(),
            count => format!("{count} lines"),
        },
        _ if call.name == ModelTool::ReadPlan.as_str() => String::new(),
        _ => said,
    }
}

/// The first non-blank line.
pub(super) fn first_line(text: &str) -> String {
    let mut lines = text.lines().map(str::trim);
    cut(
        lines.find(|line| !line.is_empty()).unwrap_or_default(),
        MAX_LINE_LEN,
    )
}

/// Why a permission is requested: the question without the part that repeats the request.
pub(super) fn why(question: &Question) -> String {
    let asked = question.message.rsplit_once("? ");
    asked.map_or_else(String::new, |(_, why)| cut(why.trim(), MAX_LINE_LEN))
}

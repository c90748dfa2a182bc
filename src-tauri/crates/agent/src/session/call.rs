//! Calls whose arguments have been validated.

use plan::{CallError, ToolCall};
use serde_json::{Map, Value};
use thiserror::Error;

use crate::model_tool::ModelTool;
use crate::turn::Call;

/// Where in the plan an edit applies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlanTarget {
    /// The edit creates a new plan; there is none yet.
    New,
    /// Replaces this task and its sub-tasks.
    Task(String),
    /// Inserts text after this task.
    After(String),
    /// Replaces this text, which must occur exactly once.
    Text(String),
}

/// A valid call, ready to be judged and carried out.
#[derive(Debug, Clone, PartialEq)]
pub enum TypedCall {
    /// A workspace tool.
    Workspace(ToolCall),
    /// An edit of the plan.
    EditPlan {
        /// Where to edit.
        target: PlanTarget,
        /// The text to insert, or to replace the old text with.
        new_text: String,
    },
    /// Shows the plan, or one task of it.
    ReadPlan {
        /// The task's id; `None` for the whole plan.
        task: Option<String>,
    },
    /// Asks the person a question.
    AskUser {
        /// The text of the question.
        question: String,
        /// The answers to choose from; empty for an answer in free text.
        options: Vec<String>,
    },
    /// Offers the plan for approval.
    ProposePlan,
}

/// Why the arguments of a call are invalid.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ArgumentError {
    /// Invalid arguments for a workspace tool.
    #[error("{0}. Call it again with the right arguments.")]
    Workspace(CallError),
    /// A parameter is missing, blank or of the wrong type.
    #[error("`{tool}` needs `{param}`, {expected}. Add it and call again.")]
    Needs {
        /// The tool's name.
        tool: &'static str,
        /// The parameter's name.
        param: &'static str,
        /// The kind of value that is expected.
        expected: &'static str,
    },
    /// The tool has no such parameter.
    #[error("`{tool}` has no parameter `{param}`. Call it again without it.")]
    Unknown {
        /// The tool's name.
        tool: &'static str,
        /// The parameter's name.
        param: String,
    },
    /// More than one place to edit was given.
    #[error(
        "`edit_plan` takes only one of `task`, `after` and `old_text`. Call it once for each change."
    )]
    TwoTargets,
}

impl TypedCall {
    /// Validates a call's arguments. The error's message is sent to the model.
    pub fn of(tool: ModelTool, call: &Call) -> Result<Self, ArgumentError> {
        let given = Given {
            tool: tool.as_str(),
            arguments: &call.arguments,
        };
        match tool {
            ModelTool::Workspace(tool) => ToolCall::new(tool, call.arguments.clone())
                .map(Self::Workspace)
                .map_err(ArgumentError::Workspace),
            ModelTool::EditPlan => {
                given.only(&["task", "after", "old_text", "new_text"])?;
                let new_text = given
                    .text("new_text")?
                    .ok_or(given.needs("new_text", "a text"))?;
                let mut targets = [
                    given.filled("task")?.map(PlanTarget::Task),
                    given.filled("after")?.map(PlanTarget::After),
                    given.filled("old_text")?.map(PlanTarget::Text),
                ]
                .into_iter()
                .flatten();
                let target = targets.next().unwrap_or(PlanTarget::New);
                if targets.next().is_some() {
                    return Err(ArgumentError::TwoTargets);
                }
                Ok(Self::EditPlan { target, new_text })
            }
            ModelTool::ReadPlan => {
                given.only(&["task"])?;
                let task = given.filled("task")?;
                Ok(Self::ReadPlan { task })
            }
            ModelTool::AskUser => {
                given.only(&["question", "options"])?;
                let question = given.filled("question")?;
                Ok(Self::AskUser {
                    question: question.ok_or(given.needs("question", "a text"))?,
                    options: given.texts("options")?,
                })
            }
            // The tool takes no arguments; any that are given are ignored.
            ModelTool::ProposePlan | ModelTool::ReportProgress => Ok(Self::ProposePlan),
        }
    }
}

struct Given<'a> {
    tool: &'static str,
    arguments: &'a Map<String, Value>,
}

impl Given<'_> {
    fn only(&self, params: &[&str]) -> Result<(), ArgumentError> {
        let unknown = self
            .arguments
            .keys()
            .find(|key| !params.contains(&key.as_str()));
        unknown.map_or(Ok(()), |param| {
            Err(ArgumentError::Unknown {
                tool: self.tool,
                param: param.clone(),
            })
        })
    }

    fn text(&self, param: &'static str) -> Result<Option<String>, ArgumentError> {
        match self.arguments.get(param) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(self.needs(param, "a text")),
        }
    }

    /// The text of an argument; a blank text counts as missing.
    fn filled(&self, param: &'static str) -> Result<Option<String>, ArgumentError> {
        Ok(self.text(param)?.filter(|text| !text.trim().is_empty()))
    }

    fn texts(&self, param: &'static str) -> Result<Vec<String>, ArgumentError> {
        let items = match self.arguments.get(param) {
            None | Some(Value::Null) => return Ok(Vec::new()),
            Some(Value::Array(items)) => items.as_slice(),
            Some(other) => std::slice::from_ref(other),
        };
        let texts = items.iter().map(|item| item.as_str().map(str::to_owned));
        let texts: Option<Vec<String>> = texts.collect();
        texts.ok_or_else(|| self.needs(param, "a list of strings"))
    }

    fn needs(&self, param: &'static str, expected: &'static str) -> ArgumentError {
        ArgumentError::Needs {
            tool: self.tool,
            param,
            expected,
        }
    }
}

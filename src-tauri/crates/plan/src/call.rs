//! The tool calls that a plan may contain: names and parameters.
//!
//! This is the single table of workspace tools. The `tools` crate implements them.

use serde_json::{Map, Value};
use thiserror::Error;

crate::named! {
    without serde:
    /// A tool that works on the workspace. Each variant lists its parameters; `!` marks a required
    /// one.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum ToolName {
        /// `list_files {path, depth}`
        ListFiles = "list_files",
        /// `read_file {path!, start_line, end_line}`
        ReadFile = "read_file",
        /// `search_files {pattern!, path}`
        SearchFiles = "search_files",
        /// `edit_file {path!, old_text!, new_text!}`
        EditFile = "edit_file",
        /// `write_file {path!, content!}`
        WriteFile = "write_file",
        /// `delete_file {path!}`
        DeleteFile = "delete_file",
        /// `run_command {command!, timeout_s}`
        RunCommand = "run_command",
        /// `git_status {}`
        GitStatus = "git_status",
    }
}

/// The type of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParamType {
    /// A JSON string.
    String,
    /// A JSON number without fraction, 0 or more.
    Integer,
}

/// One parameter of a tool: name, type, required.
pub type Param = (&'static str, ParamType, bool);

impl ToolName {
    /// The tool's parameters.
    pub fn params(self) -> &'static [Param] {
        use ParamType::{Integer, String};
        match self {
            Self::ListFiles => &[("path", String, false), ("depth", Integer, false)],
            Self::ReadFile => &[
                ("path", String, true),
                ("start_line", Integer, false),
                ("end_line", Integer, false),
            ],
            Self::SearchFiles => &[("pattern", String, true), ("path", String, false)],
            Self::EditFile => &[
                ("path", String, true),
                ("old_text", String, true),
                ("new_text", String, true),
            ],
            Self::WriteFile => &[("path", String, true), ("content", String, true)],
            Self::DeleteFile => &[("path", String, true)],
            Self::RunCommand => &[("command", String, true), ("timeout_s", Integer, false)],
            Self::GitStatus => &[],
        }
    }

    /// Whether the tool only reads.
    pub fn is_read_only(self) -> bool {
        match self {
            Self::ListFiles | Self::ReadFile | Self::SearchFiles | Self::GitStatus => true,
            Self::EditFile | Self::WriteFile | Self::DeleteFile | Self::RunCommand => false,
        }
    }
}

/// One call with checked arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall {
    /// The tool.
    pub tool: ToolName,
    /// Its arguments: all required ones, no unknown ones, each of the right type.
    pub arguments: Map<String, Value>,
}

/// Why a text is not a call.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CallError {
    /// There is no tool name.
    #[error(
        "write a tool name and a JSON object, for example: read_file {{\"path\": \"src/main.rs\"}}"
    )]
    Empty,
    /// No tool has this name.
    #[error("there is no tool `{name}`; the tools are {}", tool_list())]
    UnknownTool {
        /// The unknown tool's name.
        name: String,
    },
    /// The arguments are not a JSON object.
    #[error("the arguments of `{tool}` are not a JSON object: {reason}")]
    Json {
        /// The tool's name.
        tool: &'static str,
        /// The JSON parser's message.
        reason: String,
    },
    /// A required parameter is missing.
    #[error("`{tool}` needs `{param}`")]
    Missing {
        /// The tool's name.
        tool: &'static str,
        /// The parameter's name.
        param: &'static str,
    },
    /// A parameter has the wrong type.
    #[error("`{param}` of `{tool}` must be {expected}")]
    Type {
        /// The tool's name.
        tool: &'static str,
        /// The parameter's name.
        param: &'static str,
        /// The expected type.
        expected: &'static str,
    },
    /// The tool has no such parameter.
    #[error("`{tool}` has no parameter `{param}`")]
    UnknownParam {
        /// The tool's name.
        tool: &'static str,
        /// The unknown parameter's name.
        param: String,
    },
}

fn tool_list() -> String {
    ToolName::ALL.map(ToolName::as_str).join(", ")
}

impl ToolCall {
    /// Parses `tool_name {json}` as written in a plan, without the backticks around it.
    pub fn parse(text: &str) -> Result<Self, CallError> {
        let text = text.trim();
        let (name, rest) = match text.find(|c: char| c.is_whitespace() || c == '{') {
            Some(at) => (&text[..at], text[at..].trim()),
            None => (text, ""),
        };
        if name.is_empty() {
            return Err(CallError::Empty);
        }
        let tool = ToolName::from_name(name).ok_or_else(|| CallError::UnknownTool {
            name: name.to_owned(),
        })?;
        let arguments = if rest.is_empty() {
            Map::new()
        } else {
            serde_json::from_str(rest).map_err(|error| CallError::Json {
                tool: tool.as_str(),
                reason: error.to_string(),
            })?
        };
        Self::new(tool, arguments)
    }

    /// Checks arguments against the tool's parameters. Fails with [`CallError`] for a missing,
    /// unknown or mistyped parameter.
    pub fn new(tool: ToolName, arguments: Map<String, Value>) -> Result<Self, CallError> {
        let name = tool.as_str();
        for &(param, kind, required) in tool.params() {
            let (fits, expected) = match (arguments.get(param), kind) {
                (None, _) if required => return Err(CallError::Missing { tool: name, param }),
                (None, _) => continue,
                (Some(value), ParamType::String) => (value.is_string(), "a string"),
                (Some(value), ParamType::Integer) => (value.is_u64(), "a whole number"),
            };
            if !fits {
                return Err(CallError::Type {
                    tool: name,
                    param,
                    expected,
                });
            }
        }
        let unknown = arguments.keys().find(|key| {
            !tool
                .params()
                .iter()
                .any(|(param, _, _)| param == &key.as_str())
        });
        if let Some(param) = unknown {
            return Err(CallError::UnknownParam {
                tool: name,
                param: param.clone(),
            });
        }
        Ok(Self { tool, arguments })
    }

    /// A string argument.
    pub fn string(&self, param: &str) -> Option<&str> {
        self.arguments.get(param).and_then(Value::as_str)
    }

    /// An integer argument.
    pub fn integer(&self, param: &str) -> Option<u64> {
        self.arguments.get(param).and_then(Value::as_u64)
    }

    /// The workspace path it operates on, if it has one.
    pub fn path(&self) -> Option<&str> {
        self.string("path")
    }

    /// The form used in plans: `tool_name {json}`.
    pub fn to_line(&self) -> String {
        if self.arguments.is_empty() {
            self.tool.as_str().to_owned()
        } else {
            format!(
                "{} {}",
                self.tool.as_str(),
                Value::Object(self.arguments.clone())
            )
        }
    }
}

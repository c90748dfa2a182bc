//! The tools of a conversation: one constant table, short, since it is paid for with every request.
//!
//! None of them changes anything but the plan: a run carries the plan out.

use serde_json::{Value, json};

gate::named! {
    /// A tool of a session.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
    pub enum SessionTool {
        /// `read_file {path!, start_line, end_line}`
        ReadFile = "read_file",
        /// `search_files {pattern!, path}`
        SearchFiles = "search_files",
        /// `list_files {path, depth}`
        ListFiles = "list_files",
        /// `run_command {command!, timeout_s}`
        RunCommand = "run_command",
        /// `edit_plan {new_text!, task, after, old_text}`
        EditPlan = "edit_plan",
        /// `read_plan {task}`
        ReadPlan = "read_plan",
        /// `ask_user {question!, options}`
        AskUser = "ask_user",
        /// `propose_plan {}`
        ProposePlan = "propose_plan",
    }
}

impl SessionTool {
    /// Whether it only looks: it may be repeated without asking.
    pub fn only_looks(self) -> bool {
        matches!(
            self,
            Self::ReadFile | Self::SearchFiles | Self::ListFiles | Self::ReadPlan
        )
    }

    /// What it does, for a model.
    pub fn describes(self) -> &'static str {
        match self {
            Self::ReadFile => "Read a file or some lines.",
            Self::SearchFiles => "Search file contents by regex.",
            Self::ListFiles => "List a folder.",
            Self::RunCommand => "Run a read-only command.",
            Self::EditPlan => {
                "Write the plan file. new_text alone: a new plan. With `task`: replaces that task; \
                 `after`: adds behind that task; `old_text`: replaces that exact text. Empty new_text \
                 deletes."
            }
            Self::ReadPlan => "Read the plan, or one task of it.",
            Self::AskUser => "Ask the person one question.",
            Self::ProposePlan => "Offer the plan file for approval. Ends your turn.",
        }
    }

    /// Its parameters as a JSON schema.
    pub fn parameters(self) -> Value {
        let text = || json!({"type": "string"});
        let number = || json!({"type": "integer"});
        let (properties, required): (Value, &[&str]) = match self {
            Self::ReadFile => (
                json!({"path": text(), "start_line": number(), "end_line": number()}),
                &["path"],
            ),
            Self::SearchFiles => (json!({"pattern": text(), "path": text()}), &["pattern"]),
            Self::ListFiles => (json!({"path": text(), "depth": number()}), &[]),
            Self::RunCommand => (
                json!({"command": text(), "timeout_s": number()}),
                &["command"],
            ),
            Self::EditPlan => (
                json!({"task": text(), "after": text(), "old_text": text(), "new_text": text()}),
                &["new_text"],
            ),
            Self::ReadPlan => (json!({"task": text()}), &[]),
            Self::AskUser => (
                json!({"question": text(), "options": {"type": "array", "items": text()}}),
                &["question"],
            ),
            Self::ProposePlan => (json!({}), &[]),
        };
        let mut schema = json!({"type": "object", "properties": properties});
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        schema
    }

    /// As an OpenAI-compatible endpoint takes it.
    pub fn to_json(self) -> Value {
        json!({
            "type": "function",
            "function": {
                "name": self.as_str(),
                "description": self.describes(),
                "parameters": self.parameters(),
            },
        })
    }
}

/// The whole table, as an endpoint takes it. It never changes.
pub fn table() -> Value {
    Value::Array(
        SessionTool::ALL
            .into_iter()
            .map(SessionTool::to_json)
            .collect(),
    )
}

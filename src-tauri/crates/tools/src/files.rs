//! A plan's file tools: reading, and changing single files.
//!
//! [`perform_read`] carries out read-only calls. A change has two stages so that its intent can be
//! journaled before the effect: [`prepare`] computes everything without side effects, and
//! [`commit`] applies it. After a crash, [`examine`] determines from the journaled [`WriteRecord`]
//! whether it happened.
//!
//! Every answer is bounded. These tools never run commands (except `git status`), follow links out
//! of the workspace, open pipes or devices, or write to Git's or Planwright's own files or to a
//! plan.

mod bounded;
mod edit;
mod git;
mod list;
mod read;
mod search;
mod write;

use plan::{ToolCall, ToolName};

pub use crate::atomic::Situation;
pub use write::{FileState, Prepared, WriteRecord, check_target, commit, examine, prepare};

use crate::error::ToolError;
use crate::workspace::Workspace;

/// Maximum size of a file that is read or edited, in bytes.
pub const MAX_FILE: u64 = 32 << 20;

/// The result of a read-only call.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReadOutcome {
    /// The answer, truncated if it is too long.
    pub text: String,
    /// Short summaries to show while a step runs, such as `3 hits in 2 files`.
    pub discoveries: Vec<String>,
    /// Number of hits of a search; `None` for other tools.
    pub hits: Option<u32>,
    /// Whether `text` was truncated.
    pub truncated: bool,
}

/// Carries out a read-only call.
///
/// # Errors
/// A refused or missing path, an I/O error, or [`ToolError::Argument`] for a call that changes
/// something.
pub fn perform_read(workspace: &Workspace, call: &ToolCall) -> Result<ReadOutcome, ToolError> {
    workspace.ensure_present()?;
    match call.tool {
        ToolName::ListFiles => list::list_files(
            workspace,
            call.path().unwrap_or_default(),
            call.integer("depth"),
        ),
        ToolName::ReadFile => read::read_file(
            workspace,
            call.path().unwrap_or_default(),
            call.integer("start_line"),
            call.integer("end_line"),
        ),
        ToolName::SearchFiles => search::search_files(
            workspace,
            call.string("pattern").unwrap_or_default(),
            call.path().unwrap_or_default(),
        ),
        ToolName::GitStatus => git::git_status(workspace),
        ToolName::EditFile | ToolName::WriteFile | ToolName::DeleteFile | ToolName::RunCommand => {
            let reason = format!("`{}` makes changes and needs approval", call.tool.as_str());
            Err(ToolError::Argument { reason })
        }
    }
}

/// A count with its noun: `1 file`, `2 files`.
fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

//! `git_status`: what Git reports as changed, without letting the repository run programs.
//!
//! A repository's configuration can name programs (file monitor, filters, pager). All of them are
//! disabled for this call, and the index is not refreshed on disk. A missing Git or repository is
//! not an error but an answer without hits.

use std::time::{Duration, Instant};

use super::bounded::{MAX_CHARS, head_and_tail};
use super::{ReadOutcome, counted};
use crate::error::ToolError;
use crate::git::run::{Ran, no_filters, run};
use crate::workspace::Workspace;

const LIMIT: Duration = Duration::from_secs(20);

pub(super) fn git_status(workspace: &Workspace) -> Result<ReadOutcome, ToolError> {
    let deadline = Instant::now() + LIMIT;
    let args = [
        "status",
        "--porcelain",
        "--ignore-submodules=dirty",
        "--",
        ".",
    ];
    let ran = match no_filters(workspace, deadline)? {
        Ok(filters) => run(workspace, &args, &filters, deadline)?,
        Err(ran) => ran,
    };
    if ran.found_no_repository() {
        return Ok(none("Not a Git repository.\n", "not a Git repository"));
    }
    Ok(match ran {
        Ran::NoGit => none("Git is not installed.\n", "Git is not installed"),
        Ran::TooLong => none(
            "Git did not respond in time.\n",
            "Git did not respond in time",
        ),
        Ran::Ended {
            ok: false, errors, ..
        } => {
            let (errors, _) = head_and_tail(&errors, 2_000, "run git yourself");
            none(&format!("Git failed: {errors}\n"), "Git failed")
        }
        Ran::Ended { output, .. } if output.is_empty() => answer(
            "Nothing changed since the last commit.\n",
            "nothing changed",
        ),
        Ran::Ended { output, .. } => {
            let output = String::from_utf8_lossy(&output);
            let lines = output.lines().count();
            let (text, truncated) = head_and_tail(&output, MAX_CHARS, "too many changes to show");
            let discoveries = vec![format!("{} changed", counted(lines, "path"))];
            ReadOutcome {
                text,
                discoveries,
                hits: None,
                truncated,
            }
        }
    })
}

/// An answer for a workspace whose repository has no status to show.
fn none(text: &str, discovery: &str) -> ReadOutcome {
    ReadOutcome {
        hits: Some(0),
        ..answer(text, discovery)
    }
}

fn answer(text: &str, discovery: &str) -> ReadOutcome {
    let discoveries = vec![discovery.to_owned()];
    ReadOutcome {
        text: text.to_owned(),
        discoveries,
        hits: None,
        truncated: false,
    }
}

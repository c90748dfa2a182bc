//! The subjects of recent commits, and the workspace files they changed.

use std::time::{Duration, Instant};

use super::run::{Ran, run};
use crate::error::ToolError;
use crate::workspace::Workspace;

/// Time limit; the log is not worth a longer wait.
const LIMIT: Duration = Duration::from_secs(3);
/// Commits that change more files are left out, since they say little about any of them.
const MAX_CHANGED: usize = 30;
/// Marks the start of a commit in Git's output; not contained in subjects and paths.
const MARK: &str = "\u{1}";

/// A commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logged {
    /// The first line of its message.
    pub subject: String,
    /// The changed files, relative to the workspace.
    pub files: Vec<String>,
}

/// The hash of the current commit; `None` without a repository, a commit or Git.
///
/// # Errors
/// If Git cannot be started.
pub fn head(workspace: &Workspace) -> Result<Option<String>, ToolError> {
    workspace.ensure_present()?;
    let asked = ["rev-parse", "--quiet", "--verify", "HEAD^{commit}"];
    let ran = run(workspace, &asked, &[], Instant::now() + LIMIT)?;
    let Ran::Ended {
        ok: true, output, ..
    } = ran
    else {
        return Ok(None);
    };
    let head = String::from_utf8_lossy(&output).trim().to_owned();
    Ok((!head.is_empty()).then_some(head))
}

/// The newest commits up to and including `head`, at most `most`. Leaves out merges, commits that
/// change no file of the workspace, and commits that change more than 30. Empty if Git does not
/// answer within three seconds. Output beyond 4 MiB and names that Git would quote are ignored.
///
/// # Errors
/// If Git cannot be started.
pub fn log(workspace: &Workspace, head: &str, most: usize) -> Result<Vec<Logged>, ToolError> {
    workspace.ensure_present()?;
    let is_hash = (4..=64).contains(&head.len()) && head.chars().all(|c| c.is_ascii_hexdigit());
    if !is_hash {
        return Ok(Vec::new());
    }
    let (format, most) = (format!("--format={MARK}%s"), most.to_string());
    let asked = [
        "log",
        "--no-merges",
        "--name-only",
        "--no-renames",
        "--relative",
        "--no-ext-diff",
        "--no-textconv",
        "--no-show-signature",
        "--no-color",
        "--ignore-submodules=all",
        &format,
        "-n",
        &most,
        head,
        "--",
    ];
    let plain = [("core.quotePath".to_owned(), "false".to_owned())];
    let ran = run(workspace, &asked, &plain, Instant::now() + LIMIT)?;
    let Ran::Ended {
        ok: true, output, ..
    } = ran
    else {
        return Ok(Vec::new());
    };
    Ok(parse(&String::from_utf8_lossy(&output)))
}

fn parse(output: &str) -> Vec<Logged> {
    let entries = output.split(MARK).skip(1).filter_map(|entry| {
        let (subject, files) = entry.split_once('\n')?;
        // Git quotes names that would break the line format.
        let is_plain = |file: &&str| !file.is_empty() && !file.starts_with('"');
        let files: Vec<String> = files.lines().filter(is_plain).map(str::to_owned).collect();
        (1..=MAX_CHANGED).contains(&files.len()).then(|| Logged {
            subject: subject.to_owned(),
            files,
        })
    });
    entries.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commits_are_read_with_their_files_and_large_ones_are_left_out() {
        let many: String = (0..=MAX_CHANGED).map(|at| format!("f{at}\n")).collect();
        let output =
            format!("\u{1}fix: one\n\na.rs\n\"b\\n.rs\"\nc d.rs\n\u{1}empty\n\u{1}all\n\n{many}");
        assert_eq!(
            parse(&output),
            [Logged {
                subject: "fix: one".to_owned(),
                files: vec!["a.rs".to_owned(), "c d.rs".to_owned()],
            }]
        );
    }
}

//! `git_status`: what Git says has changed, without letting the repository run anything.
//!
//! A repository can name programs in its configuration (file monitor, filters, pager). They are all
//! switched off for this call, and the index is not refreshed on disk. That Git is not installed or
//! that this is no repository is an answer, not an error.

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use super::bounded::{MAX_CHARS, head_and_tail};
use super::{ReadOutcome, counted};
use crate::error::ToolError;
use crate::workspace::Workspace;

const LIMIT: Duration = Duration::from_secs(20);
const MAX_BYTES: u64 = 4 << 20;

pub(super) fn git_status(workspace: &Workspace) -> Result<ReadOutcome, ToolError> {
    let filters = match run(
        workspace,
        &[
            "config",
            "--show-scope",
            "--name-only",
            "-z",
            "--get-regexp",
            "^filter\\.",
        ],
    )? {
        Ran::NoGit => return Ok(answer("Git is not installed.\n", "Git is not installed")),
        Ran::TooLong => {
            return Ok(answer(
                "Git did not answer in time.\n",
                "Git did not answer in time",
            ));
        }
        Ran::Ended { output, .. } => own_filters(&output),
    };
    let mut args: Vec<&str> = Vec::new();
    for setting in &filters {
        args.extend(["-c", setting]);
    }
    args.extend([
        "status",
        "--porcelain",
        "--ignore-submodules=dirty",
        "--",
        ".",
    ]);
    Ok(match run(workspace, &args)? {
        Ran::NoGit => answer("Git is not installed.\n", "Git is not installed"),
        Ran::TooLong => answer(
            "Git did not answer in time.\n",
            "Git did not answer in time",
        ),
        Ran::Ended {
            ok: false, errors, ..
        } if errors.contains("not a git repository") => {
            answer("Not a Git repository.\n", "not a Git repository")
        }
        Ran::Ended {
            ok: false, errors, ..
        } => {
            let (errors, _) = head_and_tail(&errors, 2_000, "run git yourself");
            answer(&format!("Git refused: {errors}\n"), "Git refused")
        }
        Ran::Ended { output, .. } if output.is_empty() => answer(
            "Nothing changed since the last commit.\n",
            "nothing changed",
        ),
        Ran::Ended { output, .. } => {
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

fn answer(text: &str, discovery: &str) -> ReadOutcome {
    let discoveries = vec![discovery.to_owned()];
    ReadOutcome {
        text: text.to_owned(),
        discoveries,
        hits: None,
        truncated: false,
    }
}

/// Settings that switch off the filters which the repository itself names. Those of the user's own
/// configuration stay: they are the user's.
fn own_filters(listing: &str) -> Vec<String> {
    let mut off = Vec::new();
    let mut words = listing.split('\0');
    while let (Some(scope), Some(key)) = (words.next(), words.next()) {
        if matches!(scope, "local" | "worktree")
            && let Some((filter, _)) = key.rsplit_once('.')
        {
            for part in ["clean=", "process=", "smudge=", "required=false"] {
                off.push(format!("{filter}.{part}"));
            }
        }
    }
    off.sort();
    off.dedup();
    off
}

enum Ran {
    NoGit,
    TooLong,
    Ended {
        ok: bool,
        output: String,
        errors: String,
    },
}

fn run(workspace: &Workspace, args: &[&str]) -> Result<Ran, ToolError> {
    let failed =
        |error: &std::io::Error| ToolError::io("running `git status` in", workspace.path(), error);
    let mut command = Command::new("git");
    // Variables of a Git that called us would point to its own repository.
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_none_or(|name| name.starts_with("GIT_")) {
            command.env_remove(&name);
        }
    }
    command
        .current_dir(workspace.path())
        .args([
            "-c",
            "core.fsmonitor=false",
            "-c",
            "core.hooksPath=/dev/null",
        ])
        .args([
            "-c",
            "core.untrackedCache=false",
            "-c",
            "safe.bareRepository=explicit",
            "--no-pager",
        ])
        .args(args)
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Ran::NoGit),
        Err(error) => return Err(failed(&error)),
    };
    let (sender, receiver) = mpsc::channel();
    let output = reader(child.stdout.take(), &sender);
    let errors = reader(child.stderr.take(), &sender);
    drop(sender);
    for _ in 0..2 {
        if receiver.recv_timeout(LIMIT).is_err() {
            end(&mut child);
            return Ok(Ran::TooLong);
        }
    }
    let status = child.wait().map_err(|error| failed(&error))?;
    let text = |reader: std::thread::JoinHandle<Vec<u8>>| {
        String::from_utf8_lossy(&reader.join().unwrap_or_default()).into_owned()
    };
    Ok(Ran::Ended {
        ok: status.success(),
        output: text(output),
        errors: text(errors),
    })
}

/// Reads a pipe to its end, keeps its beginning, and tells when it is at the end.
fn reader(
    pipe: Option<impl Read + Send + 'static>,
    done: &mpsc::Sender<()>,
) -> std::thread::JoinHandle<Vec<u8>> {
    let done = done.clone();
    std::thread::spawn(move || {
        let mut kept = Vec::new();
        if let Some(mut pipe) = pipe {
            // A pipe that breaks has said all it can.
            let _ = pipe.by_ref().take(MAX_BYTES).read_to_end(&mut kept);
            let _ = std::io::copy(&mut pipe, &mut std::io::sink());
        }
        let _ = done.send(());
        kept
    })
}

fn end(child: &mut Child) {
    // It may have ended by itself just now.
    let _ = child.kill();
    let _ = child.wait();
}

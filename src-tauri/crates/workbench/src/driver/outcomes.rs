//! What a call or a check came to, in the words of the journal.

use agent::journal::CallOutcome;
use agent::verifying::FileHashes;
use plan::{ToolCall, ToolName};
use tools::files::WriteRecord;
use tools::sandbox::{CommandOutcome, Exit};

pub(super) fn failed(summary: String) -> CallOutcome {
    CallOutcome {
        summary,
        ..CallOutcome::default()
    }
}

pub(super) fn written(tool: ToolName, record: &WriteRecord, recovered: bool) -> CallOutcome {
    let path = record.path.as_str();
    let (before, after) = record.hashes();
    let verb = match tool {
        ToolName::DeleteFile => "deleted",
        ToolName::EditFile => "edited",
        _ => "wrote",
    };
    CallOutcome {
        ok: true,
        summary: format!("{verb} {path}; the content on disk is the intended one"),
        file: Some(Box::new(FileHashes {
            path: path.to_owned(),
            before: before.map(|hash| hash.to_hex()),
            after: after.map(|hash| hash.to_hex()),
        })),
        recovered,
        ..CallOutcome::default()
    }
}

/// What a model gets of a command: how it ended, then its output.
pub(crate) fn said(outcome: &CommandOutcome) -> String {
    let how = match outcome.exit {
        Exit::Exited(code) => format!("exit {code}"),
        Exit::Signaled(signal) => format!("ended by signal {signal}"),
        Exit::TimedOut => "ended: its time was up".to_owned(),
        Exit::Cancelled => "cancelled".to_owned(),
    };
    format!("{how}\n{}", output_of(outcome).trim_end())
}

/// The output, the middle left out where it is long.
fn output_of(outcome: &CommandOutcome) -> String {
    let mut output = outcome.head.clone();
    let kept = (outcome.head.len() + outcome.tail.len()) as u64;
    if outcome.bytes > kept {
        output.push_str(&format!("\n… {} bytes left out …\n", outcome.bytes - kept));
    }
    output.push_str(&outcome.tail);
    output
}

pub(super) fn of_command(line: &str, outcome: &CommandOutcome, recovered: bool) -> CallOutcome {
    let (exit_code, summary) = match outcome.exit {
        Exit::Exited(code) => (Some(code), format!("`{line}` exited with {code}")),
        Exit::Signaled(signal) => (None, format!("`{line}` was ended by signal {signal}")),
        Exit::TimedOut => (None, format!("`{line}` was ended: its time was up")),
        Exit::Cancelled => (None, format!("`{line}` was cancelled")),
    };
    let output = output_of(outcome);
    let summary = match outcome.exit {
        Exit::Exited(0) | Exit::Cancelled => summary,
        _ => match output
            .lines()
            .rev()
            .map(str::trim)
            .find(|line| !line.is_empty())
        {
            // Programs say last what went wrong.
            Some(last) => format!("{summary}: {}", last.chars().take(160).collect::<String>()),
            None => summary,
        },
    };
    CallOutcome {
        ok: outcome.exit.is_success(),
        summary,
        command: Some(line.to_owned()),
        exit_code,
        output: tail(&output),
        elapsed_ms: outcome.elapsed_ms,
        recovered,
        cancelled: outcome.exit == Exit::Cancelled,
        ..CallOutcome::default()
    }
}

/// The command line inside a journaled `run_command {…}`.
pub(super) fn command_of(line: &str) -> String {
    ToolCall::parse(line)
        .ok()
        .and_then(|call| call.string("command").map(str::to_owned))
        .unwrap_or_else(|| line.to_owned())
}

/// The end of a text, at most 4,000 bytes: the journal stays small, and a failure shows at the end.
pub(super) fn tail(text: &str) -> String {
    const KEPT: usize = 4_000;
    let mut from = text.len().saturating_sub(KEPT);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    text[from..].to_owned()
}

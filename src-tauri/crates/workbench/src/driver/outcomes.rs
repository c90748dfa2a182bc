//! Converts the results of calls and checks for the journal.

use agent::journal::CallOutcome;
use agent::verification::FileHashes;
use plan::{ToolCall, ToolName};
use tools::files::WriteRecord;
use tools::sandbox::{CommandOutcome, Exit, Tier};

use crate::text::without_sequences;

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
        ToolName::EditFile if before == after => "unchanged:",
        ToolName::EditFile => "edited",
        _ => "wrote",
    };
    CallOutcome {
        ok: true,
        summary: format!("{verb} {path}; verified on disk"),
        file: Some(Box::new(FileHashes {
            path: path.to_owned(),
            before: before.map(|hash| hash.to_hex()),
            after: after.map(|hash| hash.to_hex()),
        })),
        recovered,
        ..CallOutcome::default()
    }
}

/// Messages that programs print when the sandbox denies access.
const DENIAL_MESSAGES: [&str; 4] = [
    "Permission denied",
    "permission denied",
    "Operation not permitted",
    "EACCES",
];

/// Part of the app's message for a file that commands may not write to.
const PROTECTED_MESSAGE: &str = "is protected (";

/// Describes the limits of the weaker sandbox, and the alternatives.
const LANDLOCK_LIMITS: &str = "This machine's sandbox (Landlock) doesn't let commands create files or folders at the \
                               top level of the workspace, change file modes, or open connections. Create \
                               the folder with a `write_file` step first, or allow user namespaces so that \
                               Bubblewrap works";

/// The text of a command's result for a model: how it ended, then its output.
pub(crate) fn command_text(outcome: &CommandOutcome) -> String {
    let how = match outcome.exit {
        Exit::Exited(code) => format!("exit {code}"),
        Exit::Signaled(signal) => format!("ended by signal {signal}"),
        Exit::TimedOut => "ended: its time was up".to_owned(),
        Exit::Cancelled => "cancelled".to_owned(),
    };
    format!("{how}\n{}", output_of(outcome).trim_end())
}

/// The output, with the middle cut out if it is long.
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
        Exit::Signaled(signal) => (None, format!("`{line}` was killed by signal {signal}")),
        Exit::TimedOut => (None, format!("`{line}` timed out")),
        Exit::Cancelled => (None, format!("`{line}` was cancelled")),
    };
    let output = output_of(outcome);
    let summary = match outcome.exit {
        Exit::Exited(0) | Exit::Cancelled => summary,
        _ => match output
            .lines()
            .rev()
            .map(|line| without_sequences(line).trim().to_owned())
            .find(|line| !line.is_empty())
        {
            // The last line usually has the error.
            Some(last) => format!("{summary}: {}", last.chars().take(160).collect::<String>()),
            None => summary,
        },
    };
    let is_refused = outcome.tier == Tier::Landlock
        && !outcome.exit.is_success()
        && DENIAL_MESSAGES.iter().any(|words| output.contains(words))
        && !output.contains(PROTECTED_MESSAGE);
    let summary = match is_refused {
        true => format!("{summary}. {LANDLOCK_LIMITS}"),
        false => summary,
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

/// The end of a text, at most 4,000 bytes: it keeps the journal small, and errors come last.
pub(super) fn tail(text: &str) -> String {
    const KEPT: usize = 4_000;
    let mut from = text.len().saturating_sub(KEPT);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    text[from..].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_the_weaker_sandbox_refuses_is_explained() {
        let outcome = |tier, code, output: &str| CommandOutcome {
            exit: Exit::Exited(code),
            tier,
            bytes: output.len() as u64,
            head: output.to_owned(),
            tail: String::new(),
            elapsed_ms: 1,
            alarms: Vec::new(),
        };
        let denied = "touch: cannot touch 'new': Permission denied\n";
        let explained = |outcome: &CommandOutcome| {
            let summary = of_command("touch new", outcome, false).summary;
            summary.contains(LANDLOCK_LIMITS)
        };
        assert!(explained(&outcome(Tier::Landlock, 1, denied)));
        assert!(!explained(&outcome(Tier::Landlock, 0, denied)));
        assert!(!explained(&outcome(Tier::Landlock, 1, "no such file\n")));
        assert!(!explained(&outcome(Tier::Bubblewrap, 1, denied)));
    }

    #[test]
    fn the_reason_of_a_failed_command_has_no_terminal_sequences_and_its_output_keeps_them() {
        let output = "all fine\n\u{1b}[1;31mE   assert 1 == 2\u{1b}[0m\n\u{1b}[0m\n";
        let outcome = CommandOutcome {
            exit: Exit::Exited(1),
            tier: Tier::Bubblewrap,
            bytes: output.len() as u64,
            head: output.to_owned(),
            tail: String::new(),
            elapsed_ms: 1,
            alarms: Vec::new(),
        };
        let failed = of_command("pytest", &outcome, false);
        assert_eq!(failed.summary, "`pytest` exited with 1: E   assert 1 == 2");
        assert_eq!(failed.output, output);
    }
}

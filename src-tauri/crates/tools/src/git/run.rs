//! One call of Git that runs no program which the repository names.
//!
//! Git is the system's, never a project's (`program`). Switched off for the call: hooks, the file monitor, the filters of the repository's own
//! configuration, lazy fetches, the pager, questions on the terminal. The environment is an
//! allow-list, so that a Git that called us does not point to its own repository. What stays is the
//! user's own configuration, with filters they installed themselves: those are theirs.
//!
//! The filters are listed by one call and switched off in the next; who can write `.git/config`
//! just between the two can still name one.

use std::io::Read;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use super::program::{self, Program};
use crate::error::ToolError;
use crate::workspace::Workspace;

/// How much of each stream is kept.
const MAX_BYTES: u64 = 4 << 20;
/// How long a Git that is told to end may take to remove its lock files.
const GRACE: Duration = Duration::from_secs(1);
/// What Git needs to find itself and the user's configuration.
const ALLOWED: [&str; 5] = ["HOME", "XDG_CONFIG_HOME", "USER", "LOGNAME", "TMPDIR"];
/// For every call: nothing that Git is told in a file may start a program.
const SETTINGS: [(&str, &str); 18] = [
    ("core.fsmonitor", "false"),
    ("core.hooksPath", "/dev/null"),
    ("core.untrackedCache", "keep"),
    ("core.sshCommand", "false"),
    ("core.gitProxy", ""),
    ("core.askPass", ""),
    ("core.editor", "false"),
    ("core.pager", "cat"),
    ("core.alternateRefsCommand", "false"),
    ("credential.helper", ""),
    ("diff.external", ""),
    ("gpg.program", "false"),
    ("interactive.diffFilter", "cat"),
    ("log.showSignature", "false"),
    ("protocol.allow", "never"),
    ("safe.bareRepository", "explicit"),
    ("sequence.editor", "false"),
    ("submodule.recurse", "false"),
];

/// How a call went.
pub(crate) enum Ran {
    /// Git is not installed.
    NoGit,
    /// It took longer than it may; it has been ended.
    TooLong,
    /// It ended by itself.
    Ended {
        /// Whether it ended with code 0.
        ok: bool,
        /// The beginning of its output, at most 4 MiB.
        output: Vec<u8>,
        /// The beginning of what it complained about.
        errors: String,
    },
}

impl Ran {
    /// Whether it said that there is no repository.
    pub(crate) fn found_no_repository(&self) -> bool {
        matches!(self, Self::Ended { ok: false, errors, .. } if errors.contains("not a git repository"))
    }
}

/// Runs Git in the workspace's folder, with these settings beyond those of every call.
pub(crate) fn run(
    workspace: &Workspace,
    args: &[&str],
    settings: &[(String, String)],
    deadline: Instant,
) -> Result<Ran, ToolError> {
    run_for(workspace.path(), None, args, settings, deadline)
}

/// The same for a folder that is not held open, and for the settings in this home folder.
pub(crate) fn run_for(
    folder: &Path,
    home: Option<&Path>,
    args: &[&str],
    settings: &[(String, String)],
    deadline: Instant,
) -> Result<Ran, ToolError> {
    let failed = |error: &std::io::Error| ToolError::io("running `git` in", folder, error);
    let Some(program) = program::git(folder) else {
        return Ok(Ran::NoGit);
    };
    let mut command = command(folder, &program, args, settings);
    command.envs(home.map(|home| ("HOME", home)));
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
        let left = deadline.saturating_duration_since(Instant::now());
        if receiver.recv_timeout(left).is_err() {
            end(&mut child);
            return Ok(Ran::TooLong);
        }
    }
    let status = child.wait().map_err(|error| failed(&error))?;
    let errors = errors.join().unwrap_or_default();
    Ok(Ran::Ended {
        ok: status.success(),
        output: output.join().unwrap_or_default(),
        errors: String::from_utf8_lossy(&errors).into_owned(),
    })
}

/// Settings that switch off the filters which the repository itself names; `Err` is a call that
/// could not tell.
pub(crate) fn no_filters(
    workspace: &Workspace,
    deadline: Instant,
) -> Result<Result<Vec<(String, String)>, Ran>, ToolError> {
    let args = [
        "config",
        "--show-scope",
        "--name-only",
        "-z",
        "--get-regexp",
        "^filter\\.",
    ];
    Ok(match run(workspace, &args, &[], deadline)? {
        // It ends with 1 where there are none, and with another word where there is no repository:
        // then nothing is listed, and the call that follows says so itself.
        Ran::Ended { output, .. } => Ok(off(&String::from_utf8_lossy(&output))),
        other => Err(other),
    })
}

fn off(listing: &str) -> Vec<(String, String)> {
    let mut off = Vec::new();
    let mut words = listing.split('\0');
    while let (Some(scope), Some(key)) = (words.next(), words.next()) {
        if matches!(scope, "local" | "worktree")
            && let Some((filter, _)) = key.rsplit_once('.')
        {
            for part in ["clean", "process", "smudge"] {
                off.push((format!("{filter}.{part}"), String::new()));
            }
            off.push((format!("{filter}.required"), "false".to_owned()));
        }
    }
    off.sort();
    off.dedup();
    off
}

fn command(
    folder: &Path,
    program: &Program,
    args: &[&str],
    settings: &[(String, String)],
) -> Command {
    let mut command = Command::new(&program.path);
    command.env_clear().env("PATH", &program.search);
    for name in ALLOWED {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    // Not as `-c key=value`: a name can hold an equals sign, and would then name another setting.
    let always = SETTINGS.iter().copied();
    let given = settings.iter().map(|(key, value)| (&**key, &**value));
    let mut count = 0;
    for (key, value) in always.chain(given) {
        command.env(format!("GIT_CONFIG_KEY_{count}"), key);
        command.env(format!("GIT_CONFIG_VALUE_{count}"), value);
        count += 1;
    }
    command
        .env("GIT_CONFIG_COUNT", count.to_string())
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("LC_ALL", "C")
        .current_dir(folder)
        .arg("--no-pager")
        .args(args)
        // So that a filter of the user's ends with the Git that called it.
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Reads a pipe to its end, keeps its beginning, and tells when it is at the end.
fn reader(
    pipe: Option<impl Read + Send + 'static>,
    done: &mpsc::Sender<()>,
) -> JoinHandle<Vec<u8>> {
    let done = done.clone();
    thread::spawn(move || {
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

/// Ends Git and what it started: asks first, since a Git that is killed leaves its lock files.
fn end(child: &mut Child) {
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let signal = |signal| {
        if let Some(group) = group {
            // It may have ended by itself just now.
            let _ = kill_process_group(group, signal);
        }
    };
    signal(Signal::TERM);
    let asked = Instant::now();
    while asked.elapsed() < GRACE {
        if matches!(child.try_wait(), Ok(Some(_))) {
            break;
        }
        thread::sleep(Duration::from_millis(10));
    }
    signal(Signal::KILL);
    let _ = child.wait();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_filters_of_the_repository_are_switched_off() {
        let listing = "global\0filter.lfs.clean\0local\0filter.a=b.c.process\0\
                       worktree\0filter.x.required\0";
        let off = off(listing);
        let keys: Vec<_> = off.iter().map(|(key, value)| (&**key, &**value)).collect();
        assert_eq!(
            keys,
            [
                ("filter.a=b.c.clean", ""),
                ("filter.a=b.c.process", ""),
                ("filter.a=b.c.required", "false"),
                ("filter.a=b.c.smudge", ""),
                ("filter.x.clean", ""),
                ("filter.x.process", ""),
                ("filter.x.required", "false"),
                ("filter.x.smudge", ""),
            ]
        );
    }
}

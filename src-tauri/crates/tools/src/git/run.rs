//! Calls Git without running any program that the repository names.
//!
//! The program is always the system's Git, never a project's (see `program`). Hooks, the file
//! system monitor, filters in the repository's configuration, lazy fetches, the pager and terminal
//! prompts are disabled for the call. The environment is an allowlist, so that a Git process that
//! called us does not redirect the call to its own repository. The user's own configuration remains
//! in effect, including filters they installed.
//!
//! One call lists the filters and the next disables them, so a process that can write `.git/config`
//! in between can still add one.

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

/// Maximum number of bytes kept of each stream.
const MAX_BYTES: u64 = 4 << 20;
/// How long Git may take to remove its lock files when asked to end.
const GRACE: Duration = Duration::from_secs(1);
/// The environment variables that Git gets, to find the user's configuration and temporary folder.
const ALLOWED: [&str; 5] = ["HOME", "XDG_CONFIG_HOME", "USER", "LOGNAME", "TMPDIR"];
/// Set for every call, so that no configuration file can start a program.
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

/// The result of a call.
pub(crate) enum Ran {
    /// Git is not installed.
    NoGit,
    /// It was ended because it exceeded its time limit.
    TooLong,
    /// It exited.
    Ended {
        /// Whether its exit code was 0.
        ok: bool,
        /// The start of its output, at most 4 MiB.
        output: Vec<u8>,
        /// The start of its error output.
        errors: String,
    },
}

impl Ran {
    /// Whether it reported that there is no repository.
    pub(crate) fn found_no_repository(&self) -> bool {
        matches!(self, Self::Ended { ok: false, errors, .. } if errors.contains("not a git repository"))
    }
}

/// Runs Git in the workspace's folder, with additional settings for this call.
pub(crate) fn run(
    workspace: &Workspace,
    args: &[&str],
    settings: &[(String, String)],
    deadline: Instant,
) -> Result<Ran, ToolError> {
    run_for(workspace.path(), None, args, settings, deadline)
}

/// Like [`run`], for a folder given by its path, with the settings in this home folder.
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

/// Settings that disable the filters named by the repository; `Err` has the result of the call if
/// it failed to list them.
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
        // It exits with 1 if there are none, and with another code without a repository: then
        // nothing is listed, and the next call reports the problem itself.
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
    // Passed as variables rather than `-c key=value`, where a name with an equals sign would set
    // another key.
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
        // So that a user's filter ends together with the Git process that started it.
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Reads a pipe to its end, keeps the start of its content, and reports the end.
fn reader(
    pipe: Option<impl Read + Send + 'static>,
    done: &mpsc::Sender<()>,
) -> JoinHandle<Vec<u8>> {
    let done = done.clone();
    thread::spawn(move || {
        let mut kept = Vec::new();
        if let Some(mut pipe) = pipe {
            // If reading fails, what was read so far is kept.
            let _ = pipe.by_ref().take(MAX_BYTES).read_to_end(&mut kept);
            let _ = std::io::copy(&mut pipe, &mut std::io::sink());
        }
        let _ = done.send(());
        kept
    })
}

/// Ends Git and its children, first with SIGTERM, since a killed Git leaves its lock files.
fn end(child: &mut Child) {
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let signal = |signal| {
        if let Some(group) = group {
            // It may have just exited.
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

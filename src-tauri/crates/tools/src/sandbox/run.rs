//! The app's side of running a command: prepare it, start the helper, pass on output, return the
//! outcome.
//!
//! Blocking; callers with an event loop run it on a separate thread. Nothing is retried here.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use gate::{Cage, Permit};
use plan::CommandLine;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::checks::{real_workspace, startable, visible, writable};
use super::wire::{self, CANCEL, ERR, FAILURE, Failure, Job, OUT, RESULT};
use super::{
    CancelToken, CommandOutcome, CommandSpec, Exit, Mode, OutputChunk, OutputStream, Sandbox,
    SandboxError, Tier, environment, helper, limits, roots, tree,
};
use crate::git::control_paths;
use crate::git::harmless::harmless_part;
use crate::git::repository::Repository;
use crate::logins;

const SETTINGS_FOLDER: &str = "XDG_CONFIG_HOME";

/// Time for the helper to end the command and report after a cancellation.
const CANCEL_PATIENCE: Duration = Duration::from_secs(15);

impl Sandbox {
    /// Runs a command to its end and passes its output to `on_output` as it arrives.
    ///
    /// While `on_output` runs, the command, its timeout and cancellation wait, so it should be
    /// quick. `cancel` may be used from any thread. With an error other than
    /// [`SandboxError::HelperLost`], the command had no effect. With a permit for another line,
    /// nothing runs.
    pub fn run(
        &self,
        permit: &Permit,
        spec: &CommandSpec,
        cancel: &CancelToken,
        on_output: &mut dyn FnMut(OutputChunk),
    ) -> Result<CommandOutcome, SandboxError> {
        let cage = match spec.mode {
            Mode::Plan => Cage::ReadOnly,
            Mode::Exec => Cage::Workspace,
        };
        permit.require_command(&spec.line, cage, spec.network)?;
        if self.tier() == Tier::None && spec.mode == Mode::Plan {
            let reasons = self
                .report
                .unavailable
                .iter()
                .map(|tier| tier.reason.as_str());
            let reason = reasons.collect::<Vec<_>>().join(" ");
            return Err(SandboxError::PlanNeedsSandbox { reason });
        }
        let job = self.job(spec)?;
        if cancel.is_cancelled() {
            return Ok(CommandOutcome {
                exit: Exit::Cancelled,
                tier: job.tier,
                bytes: 0,
                head: String::new(),
                tail: String::new(),
                elapsed_ms: 0,
                alarms: Vec::new(),
            });
        }
        execute(&job, cancel, on_output)
    }

    fn job(&self, spec: &CommandSpec) -> Result<Job, SandboxError> {
        let workspace = real_workspace(&spec.workspace, &self.home)?;
        let inherited = std::env::vars_os().filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        });
        let mut env = environment::allowed(inherited, &spec.env);
        if !env.iter().any(|(name, _)| name == "HOME")
            && let Some(home) = self.home.to_str()
        {
            env.push(("HOME".to_owned(), home.to_owned()));
        }
        for (name, value) in &spec.granted {
            env.retain(|(known, _)| known != name);
            env.push((name.clone(), value.clone()));
        }
        if spec.network && self.tier() == Tier::Landlock {
            return Err(SandboxError::Setup {
                tier: self.tier(),
                reason: "it can't allow network access; install bubblewrap".to_owned(),
            });
        }
        let argv = match &spec.line {
            CommandLine::Argv(words) => words.clone(),
            CommandLine::Shell(line) => vec!["/bin/sh".to_owned(), "-c".to_owned(), line.clone()],
        };
        let path = env
            .iter()
            .find(|(name, _)| name == "PATH")
            .map_or("", |(_, path)| path);
        let program = argv.first().map_or("", String::as_str);
        startable(program, &workspace, path)?;
        if let Some(record) = &spec.outcome_record
            && (!record.is_absolute() || record.starts_with(&workspace))
        {
            return Err(SandboxError::Setup {
                tier: self.tier(),
                reason: "the outcome record must be outside the workspace".to_owned(),
            });
        }
        let homes = roots::homes(&self.home, &env);
        let mut roots = roots::find(&roots::Sources {
            workspace: &workspace,
            homes: &homes,
            env: &env,
            words: &argv,
            granted: &self.toolchains,
            data: &self.data_dir,
            private: &self.private,
        });
        if let Some(how) = &spec.interactive {
            roots.let_in(&how.programs, &homes, &self.data_dir);
        }
        if self.tier() != Tier::None {
            visible(program, &workspace, &roots, &homes)?;
        }
        let mut control_paths = Vec::new();
        if spec.mode == Mode::Exec {
            let repository = Repository::of(&workspace);
            for home in &homes {
                let places =
                    control_paths::places(&workspace, &workspace, repository.as_ref(), Some(home));
                control_paths.extend(places.map_err(|error| SandboxError::Setup {
                    tier: self.tier(),
                    reason: error.to_string(),
                })?);
            }
        }
        Ok(Job {
            tier: self.tier(),
            bwrap: self.bwrap.clone(),
            helper: self.helper.clone(),
            mode: spec.mode,
            writable: spec
                .writable
                .as_deref()
                .map(|paths| writable(&workspace, paths)),
            protected: spec.protected.clone(),
            control_paths,
            commits: spec.commits && spec.mode == Mode::Exec && spec.writable.is_none(),
            sees_private: spec.sees_private && spec.mode == Mode::Exec,
            private_files: self.private_files.clone(),
            aside: self
                .data_dir
                .join("displaced")
                .join(file_name(&spec.marker)),
            git_settings: git_settings(&homes),
            temporary: self.is_sized.then(limits::temporary),
            homes,
            hidden: roots.hidden,
            readable: roots.readable,
            workspace,
            argv,
            env,
            stdin: spec.stdin.clone(),
            network: spec.network,
            timeout_ms: u64::try_from(spec.timeout.as_millis()).unwrap_or(u64::MAX),
            output_limit: spec.output_limit,
            record: spec.outcome_record.clone(),
            interactive: spec.interactive.clone(),
            marker: spec.marker.clone(),
        })
    }
}

/// A marker converted to a folder name.
fn file_name(marker: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || c == '-' {
            c
        } else {
            '_'
        }
    };
    marker.chars().map(plain).collect()
}

/// The user's Git settings that run nothing and contain no keys.
fn git_settings(homes: &[PathBuf]) -> String {
    let files = homes
        .iter()
        .flat_map(|home| [home.join(".config/git/config"), home.join(".gitconfig")]);
    let texts = files.filter_map(|file| std::fs::read_to_string(file).ok());
    // First reduce them to the harmless settings, whose values are on a single line.
    let parts = texts.map(|text| logins::without_login_lines(&harmless_part(&text).0));
    parts.collect()
}

/// Starts the helper and waits for the outcome.
pub(super) fn execute(
    job: &Job,
    cancel: &CancelToken,
    on_output: &mut dyn FnMut(OutputChunk),
) -> Result<CommandOutcome, SandboxError> {
    let mut helper = Helper::start(job)?;
    let mut cancelled: Option<Instant> = None;
    loop {
        helper.wait(cancel, &mut cancelled)?;
        let (kind, payload) = match helper.frame() {
            Ok(frame) => frame,
            Err(_) => return Err(helper.lost()),
        };
        match kind {
            OUT => on_output(OutputChunk {
                stream: OutputStream::Out,
                bytes: payload,
            }),
            ERR => on_output(OutputChunk {
                stream: OutputStream::Err,
                bytes: payload,
            }),
            RESULT => {
                let outcome = serde_json::from_slice(&payload).map_err(|_| helper.lost())?;
                helper.finish();
                return Ok(outcome);
            }
            FAILURE => {
                let failure = serde_json::from_slice::<Failure>(&payload);
                let failure = failure.map_err(|_| helper.lost())?;
                helper.finish();
                return Err(failure.into_error(job.tier));
            }
            _ => return Err(helper.lost()),
        }
    }
}

/// The program to start as the helper. If this program is its own helper, this is the running
/// executable, even if its file was replaced. It is never a file that a command could have written.
fn own_program(job: &Job) -> Result<PathBuf, SandboxError> {
    let helper = job
        .helper
        .canonicalize()
        .unwrap_or_else(|_| job.helper.clone());
    if std::env::current_exe().is_ok_and(|own| own == helper) {
        return Ok(PathBuf::from("/proc/self/exe"));
    }
    if !helper.is_absolute() || helper.starts_with(&job.workspace) {
        return Err(SandboxError::Setup {
            tier: job.tier,
            reason: format!(
                "its helper {} is in the workspace, where a command could replace it",
                helper.display()
            ),
        });
    }
    Ok(helper)
}

/// The helper process. Dropping it closes its stdin, which ends the command.
struct Helper {
    child: Child,
}

impl Helper {
    fn start(job: &Job) -> Result<Self, SandboxError> {
        let mut command = Command::new(own_program(job)?);
        command
            .args([helper::ARGUMENT, helper::SUPERVISE])
            .env_clear()
            .current_dir("/");
        command
            .env("TMPDIR", std::env::temp_dir())
            // The user's Git settings may be outside their home folder.
            .envs(std::env::var_os(SETTINGS_FOLDER).map(|folder| (SETTINGS_FOLDER, folder)))
            .env(tree::HELPER_VARIABLE, &job.marker);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command
            .spawn()
            .map_err(SandboxError::io("start the command's helper"))?;
        let sent = match &mut child.stdin {
            Some(lifeline) => wire::send(lifeline, job),
            None => Err(std::io::ErrorKind::BrokenPipe.into()),
        };
        let mut this = Self { child };
        match sent {
            Ok(()) => Ok(this),
            Err(error) => Err(SandboxError::Setup {
                tier: job.tier,
                reason: format!(
                    "its helper is not responding ({error}): {}",
                    this.last_words()
                ),
            }),
        }
    }

    /// Waits until the helper sends something; passes a cancellation on in the meantime.
    fn wait(
        &mut self,
        cancel: &CancelToken,
        cancelled: &mut Option<Instant>,
    ) -> Result<(), SandboxError> {
        loop {
            let Some(frames) = &self.child.stdout else {
                return Err(self.lost());
            };
            let mut fds = vec![PollFd::new(frames, PollFlags::IN)];
            if cancelled.is_none() {
                fds.push(PollFd::new(cancel, PollFlags::IN));
            }
            let left = cancelled.map(|at| CANCEL_PATIENCE.saturating_sub(at.elapsed()));
            let timeout = left.map(|left| Timespec {
                tv_sec: i64::try_from(left.as_secs()).unwrap_or(i64::MAX),
                tv_nsec: left.subsec_nanos().into(),
            });
            match poll(&mut fds, timeout.as_ref()) {
                Ok(0) => return Err(self.lost()),
                Ok(_) => {}
                Err(rustix::io::Errno::INTR) => continue,
                Err(_) => return Err(self.lost()),
            }
            let wants_end = fds.get(1).is_some_and(|fd| !fd.revents().is_empty());
            let speaks = !fds[0].revents().is_empty();
            drop(fds);
            if wants_end {
                *cancelled = Some(Instant::now());
                if let Some(lifeline) = &mut self.child.stdin {
                    // If it has already ended, its last frame can still be read.
                    let _ = lifeline.write_all(&[CANCEL]);
                }
            }
            if speaks {
                return Ok(());
            }
        }
    }

    fn frame(&mut self) -> std::io::Result<(u8, Vec<u8>)> {
        match &mut self.child.stdout {
            Some(frames) => wire::receive_frame(frames),
            None => Err(std::io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn lost(&mut self) -> SandboxError {
        SandboxError::HelperLost {
            detail: self.last_words(),
        }
    }

    /// Ends the helper and describes how it ended, for messages only.
    fn last_words(&mut self) -> String {
        // It may have been killed already, or be about to exit.
        let _ = self.child.kill();
        let status = self.child.wait();
        let mut words = String::new();
        if let Some(stderr) = self.child.stderr.take() {
            use std::io::Read;
            let _ = stderr.take(2048).read_to_string(&mut words);
        }
        match status {
            Ok(status) => format!("{status} {}", words.trim()),
            Err(error) => format!("{error} {}", words.trim()),
        }
    }

    /// Waits for the helper, which ends at once after its last frame.
    fn finish(mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        // This also runs if the callback panics. Close stdin first, so that the helper ends the
        // process tree properly.
        drop(self.child.stdin.take());
        drop(self.child.stdout.take());
        let _ = self.child.wait();
    }
}

//! Runs commands in a sandbox.
//!
//! A plan's command runs in the best of three tiers that has been *proved* to work on this machine:
//!
//! - **A, bubblewrap**: separate user, PID, mount, network and IPC namespaces, in which the command
//!   never runs as root. The file system consists of listed folders (`roots`): programs, libraries,
//!   toolchains, the workspace. The home folder is empty except for those.
//! - **B, Landlock**: used if user namespaces are not allowed. It has the same list, but writes are
//!   limited to existing entries of the workspace. There are no sockets, no IPC shared between
//!   processes of a user, and no changes of modes, owners, times or attributes by path.
//! - **C, none**: no confinement. Plan mode offers no commands; exec mode asks for each.
//!
//! In tiers A and B, every Git folder in the workspace, or that the workspace belongs to, is
//! read-only, whatever its name. Approved commits go through a private Git folder (`commit`).
//! Private files of the workspace are hidden in plan mode and from commands that a model wrote; if
//! an approved command prints their content, it is removed from the recorded output (`redact`).
//! After each command, in every tier, the files that make Git run programs are compared, restored
//! and reported (`control`). Processes, memory and temporary files are limited (`limits`).
//!
//! In every tier, the command runs under a *helper*: the program starts itself again
//! ([`become_helper_if_asked`]). The helper is single-threaded, owns the command's process tree,
//! limits time and output, and records the outcome durably **before** reporting it to the app. It
//! ends everything once the app is gone, for whatever reason.
//!
//! This module never asks a person, decides whether a command may run, reads a plan, passes on
//! environment variables that look like keys, or falls back to a weaker tier during a run.
//!
//! Limitations by tier, to be shown to users:
//!
//! - A: no Unix sockets (a connected `socketpair` works), so nothing can talk to a daemon by path.
//!   Only a command recognized as a commit can write to a repository, and it cannot change the
//!   branch. A protected name that does not exist is held by an empty stand-in while a command
//!   runs. The stand-in is removed afterwards, at the latest after the next command. If another
//!   program replaces a protected file *while* a command runs, the new file is not protected from
//!   that command.
//! - B: no network and no local test servers. No `chmod` by path, which some linkers need.
//!   No new entries directly in the workspace's top folder, or beside a protected file or a nested
//!   repository, because Landlock cannot exclude a name from a writable folder. A first `target/`
//!   therefore needs a grant (builds are redirected to the temporary folder instead). `/dev/shm` is
//!   not accessible. Open files in toolchain folders may have their mode bits or times changed. The
//!   home folder is not writable.
//! - C: only run time, output and process lifetime are limited.

mod args;
mod attempts;
mod cancel;
mod capture;
mod checks;
mod commit;
mod commit_line;
mod confine;
mod control;
mod environment;
mod error;
mod filter;
mod guard;
mod helper;
mod hints;
mod interactive;
mod inventory;
mod limits;
mod login_files;
mod probe;
mod proof;
mod protect;
mod pump;
mod record;
mod redact;
mod roots;
mod run;
mod scratch;
mod spawn;
mod supervise;
mod temporary;
mod toolchains;
mod tree;
mod wire;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use plan::CommandLine;
use serde::{Deserialize, Serialize};

pub use crate::private::PrivateFiles;
pub use cancel::CancelToken;
pub use commit_line::is_commit;
pub use error::SandboxError;
pub use helper::become_helper_if_asked;
pub use interactive::{Heard, Interactive, Talk};
pub use probe::NOT_ALLOWED;
pub use record::{OutcomeRecord, read_outcome_record};
pub(crate) use temporary::make_folder as private_folder;
pub use tree::{RUN_VARIABLE, kill_leftovers};

/// Default time limit of a command.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(600);

/// Default for [`CommandSpec::output_limit`], in bytes.
pub const DEFAULT_OUTPUT_LIMIT: u64 = 8 * 1024 * 1024;

/// How strictly commands are confined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Tier A: bubblewrap namespaces with a system-call filter.
    Bubblewrap,
    /// Tier B: Landlock with a system-call filter that blocks sockets.
    Landlock,
    /// Tier C: no confinement.
    None,
}

impl Tier {
    /// The name used in receipts, settings and on screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Bubblewrap => "bubblewrap",
            Self::Landlock => "landlock",
            Self::None => "none",
        }
    }
}

/// The tier requested in the user's settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// The best tier that can be proved.
    Auto,
    /// Bubblewrap or none.
    Bubblewrap,
    /// Landlock or none.
    Landlock,
    /// No sandbox; commands need permission.
    None,
}

/// Whether a command may change the workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// The workspace is writable, except for protected names.
    Exec,
    /// Only the private temporary folder is writable.
    Plan,
}

/// Properties of the machine and the user that a probe needs.
#[derive(Debug, Clone)]
pub struct ProbeConfig {
    /// The program that calls [`become_helper_if_asked`] before anything else: usually
    /// `std::env::current_exe()`.
    pub helper: PathBuf,
    /// The user's home folder; secrets in it are hidden from commands.
    pub home: PathBuf,
    /// The app's data folder, absolute. Hidden from commands; the probe keeps its scratch files in
    /// it.
    pub data_dir: PathBuf,
    /// The tier requested in the settings.
    pub wanted: Wanted,
    /// Additional folders that commands may read: the setting `toolchains`.
    pub toolchains: Vec<PathBuf>,
    /// The user's patterns in addition to the default list of private files: the setting
    /// `private_files`.
    pub private_files: Vec<String>,
}

/// An escape attempted from inside the sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// Short name, such as `truncate` or `udp`.
    pub name: String,
    /// Whether the sandbox blocked it, verified from inside and outside.
    pub refused: bool,
    /// A description of what was observed, for people.
    pub detail: String,
}

/// A tier that cannot be used here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unavailable {
    /// The tier that cannot be used.
    pub tier: Tier,
    /// Why, and how to fix it, in one sentence.
    pub reason: String,
}

/// The result of the probe.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbeReport {
    /// The tier in use.
    pub tier: Tier,
    /// The escapes attempted on that tier, all refused; empty for [`Tier::None`].
    pub attempts: Vec<Attempt>,
    /// Better tiers that are not in use, with the reasons.
    pub unavailable: Vec<Unavailable>,
}

/// A command to run.
#[derive(Debug, Clone)]
pub struct CommandSpec {
    /// The command line as written in the plan.
    pub line: CommandLine,
    /// The absolute path of the workspace, where the command also starts.
    pub workspace: PathBuf,
    /// Whether the workspace is writable.
    pub mode: Mode,
    /// If it is writable: the only writable files and folders, relative to it; `None` for all of
    /// it. Missing paths and paths through links are not writable. A listed file can be written in
    /// place but not replaced.
    pub writable: Option<Vec<PathBuf>>,
    /// Plan files and other paths that stay read-only, absolute or relative to the workspace. Every
    /// Git folder and `.planwright` are always read-only.
    pub protected: Vec<PathBuf>,
    /// Whether it can see the workspace's private files. Not in plan mode, and not if a model wrote
    /// the command, since its output would reach the model's server.
    pub sees_private: bool,
    /// Whether it was approved to commit and may write objects, references, logs and the index of
    /// the workspace's repository. [`is_commit`] determines this for a line.
    pub commits: bool,
    /// The command is ended after this time.
    pub timeout: Duration,
    /// Variables in addition to the allowlist. Names that look like keys are dropped nonetheless.
    pub env: Vec<(String, String)>,
    /// Variables that the user named for this command, including keys; they take precedence over
    /// all others.
    pub granted: Vec<(String, String)>,
    /// Its standard input; empty if `None`.
    pub stdin: Option<String>,
    /// Whether it may use the network. Only for commands for which the user's settings allow it,
    /// never for a plan's command.
    pub network: bool,
    /// Maximum number of bytes passed to the callback. Beyond that, bytes are counted and the end
    /// is kept.
    pub output_limit: u64,
    /// File outside the workspace where the helper durably records the outcome.
    pub outcome_record: Option<PathBuf>,
    /// Value of `PLANWRIGHT_RUN` in the command's environment; see [`kill_leftovers`].
    pub marker: String,
    /// Set by [`Sandbox::talk`] for an interactive program.
    pub interactive: Option<Interactive>,
}

impl CommandSpec {
    /// A command with the default limits and no additional protected paths.
    pub fn new(line: CommandLine, workspace: PathBuf, mode: Mode, marker: String) -> Self {
        Self {
            sees_private: mode == Mode::Exec,
            commits: mode == Mode::Exec && is_commit(&line),
            line,
            workspace,
            mode,
            writable: None,
            protected: Vec::new(),
            timeout: DEFAULT_TIMEOUT,
            env: Vec::new(),
            granted: Vec::new(),
            stdin: None,
            network: false,
            output_limit: DEFAULT_OUTPUT_LIMIT,
            outcome_record: None,
            marker,
            interactive: None,
        }
    }
}

/// The stream that a command wrote to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputStream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

/// A piece of output as received; it may split a character.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputChunk {
    /// The stream it was written to.
    pub stream: OutputStream,
    /// The bytes, at most 64 KiB.
    pub bytes: Vec<u8>,
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// It exited with this code.
    Exited(i32),
    /// It was ended by this signal. Under bubblewrap, codes 129 to 192 are read as signal
    /// `code - 128`, since bubblewrap reports signals like a shell.
    Signaled(i32),
    /// Ended because it exceeded its time limit.
    TimedOut,
    /// Ended at a person's request.
    Cancelled,
}

impl Exit {
    /// Whether the command exited with code 0.
    pub fn is_success(self) -> bool {
        self == Self::Exited(0)
    }
}

/// The result of a command. Once it exists, none of the command's processes are left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandOutcome {
    /// How it ended.
    pub exit: Exit,
    /// The tier of the sandbox it ran in.
    pub tier: Tier,
    /// Total bytes written to both streams.
    pub bytes: u64,
    /// The first 4 KiB of output, with both streams in order of arrival.
    pub head: String,
    /// The last 16 KiB after the head.
    pub tail: String,
    /// Time from start to end in milliseconds.
    pub elapsed_ms: u64,
    /// Forbidden changes it made and how they were handled, one sentence each. They also appear in
    /// its output.
    #[serde(default)]
    pub alarms: Vec<String>,
}

/// The proved sandbox of this machine. Cheap to share; holds no processes or files.
#[derive(Debug, Clone)]
pub struct Sandbox {
    helper: PathBuf,
    bwrap: Option<PathBuf>,
    /// Whether bubblewrap can limit the size of an in-memory folder.
    is_sized: bool,
    home: PathBuf,
    data_dir: PathBuf,
    toolchains: Vec<PathBuf>,
    private_files: Vec<String>,
    /// The default list and the user's patterns, compiled once because that is expensive.
    private: Arc<PrivateFiles>,
    report: ProbeReport,
}

impl Sandbox {
    /// The tier in use.
    pub fn tier(&self) -> Tier {
        self.report.tier
    }

    /// The result of the probe.
    pub fn report(&self) -> &ProbeReport {
        &self.report
    }
}

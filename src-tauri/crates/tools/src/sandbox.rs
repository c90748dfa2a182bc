//! Commands, shut in.
//!
//! A command of a plan runs in the best of three tiers that has *proved* itself on this machine:
//!
//! - **A, bubblewrap**: user, PID, mount, network and IPC namespaces of its own, and never root
//!   inside. The file system is a list (`roots`): programs, libraries, toolchains, the workspace.
//!   Home is empty but for that list.
//! - **B, Landlock**: where user namespaces are refused. The same list; writes stay inside what the
//!   workspace holds already, no sockets at all, nothing that processes of one user share, no change
//!   of modes, owners, times or attributes by path.
//! - **C, none**: nothing is shut in. Plan mode offers no commands, exec asks for each.
//!
//! In both: every Git folder in the workspace, or that it belongs to, is read-only, whatever it is
//! called; what a command was approved to commit goes through a desk (`commit`); in plan mode, and for a
//! command that a model wrote, the workspace's private files are not there, and what an approved command
//! prints of them is left out of what is kept of its output (`secrets`). After each command, in every tier, the files by which
//! Git decides what to run are compared, put back and told (`control`). Processes, memory and
//! temporary files are bounded (`limits`).
//!
//! In every tier the command runs under a *helper*: the program starts itself again
//! ([`become_helper_if_asked`]). The helper is single-threaded, holds the command's whole process
//! tree, bounds time and output, writes the outcome down durably **before** it tells the app, and
//! ends everything when the app is gone, however it went.
//!
//! What this module never does: ask a person, decide whether a command may run, read a plan, keep
//! an environment variable that looks like a key, or fall back to a weaker tier during a run.
//!
//! Limits, by tier, that a screen has to say:
//!
//! - A: no unix sockets (a connected `socketpair` works), so nothing that talks to a daemon by path. Only a
//!   command that is recognized as a commit writes to a repository, and it cannot change the branch.
//!   A name that is protected but absent is held by an empty stand-in while a command runs; it is
//!   removed after it, at the latest after the next command. If another program replaces a protected
//!   file *while* a command runs, the new file is not protected from that command.
//! - B: no network and no local test server; no change of modes by path, which some linkers need; no
//!   new entry directly in the workspace's top folder, or beside a protected file or a nested
//!   repository, because Landlock cannot except a name from a folder that is writable. So a first
//!   `target/` needs a grant (builds are pointed to the temporary folder instead). `/dev/shm` is
//!   closed. Open files of toolchain folders may get other mode bits or times. Home cannot be written.
//! - C: only the time, the output and the life of the processes are bounded.

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
mod ground;
mod helper;
mod hints;
mod inventory;
mod limits;
pub(crate) mod logins;
mod probe;
mod proof;
mod protect;
mod pump;
mod record;
mod roots;
mod run;
mod scratch;
mod secrets;
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
pub use probe::NOT_ALLOWED;
pub use record::{OutcomeRecord, read_outcome_record};
pub use tree::{RUN_VARIABLE, kill_leftovers};

/// Time a command gets when nobody says otherwise.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(600);

/// Bytes of output handed to the callback when nobody says otherwise; the rest is counted.
pub const DEFAULT_OUTPUT_LIMIT: u64 = 8 * 1024 * 1024;

/// How strongly commands are shut in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Tier A: namespaces made by bubblewrap, with a system-call filter.
    Bubblewrap,
    /// Tier B: Landlock with a system-call filter that knows no sockets.
    Landlock,
    /// Tier C: not shut in.
    None,
}

impl Tier {
    /// The word for receipts, settings and screens.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Bubblewrap => "bubblewrap",
            Self::Landlock => "landlock",
            Self::None => "none",
        }
    }
}

/// Which tier the user's settings ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// The best one that proves itself.
    Auto,
    /// Bubblewrap or nothing.
    Bubblewrap,
    /// Landlock or nothing.
    Landlock,
    /// No sandbox: commands ask.
    None,
}

/// Whether a command may change the workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// The workspace is writable, its protected names excepted.
    Exec,
    /// Nothing but the private temporary folder is writable.
    Plan,
}

/// What a probe needs to know of this machine and user.
#[derive(Debug, Clone)]
pub struct ProbeConfig {
    /// The program that calls [`become_helper_if_asked`] first of all: usually
    /// `std::env::current_exe()`.
    pub helper: PathBuf,
    /// The user's home folder; its secrets are hidden from commands.
    pub home: PathBuf,
    /// The app's own data folder, absolute. Hidden from commands; the probe's scratch lives in it.
    pub data_dir: PathBuf,
    /// The tier the settings ask for.
    pub wanted: Wanted,
    /// Folders that the user lets commands read beyond what is found: the setting `toolchains`.
    pub toolchains: Vec<PathBuf>,
    /// The user's patterns beyond the default list of private files: the setting `private_files`.
    pub private_files: Vec<String>,
}

/// One escape that was tried from inside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// Short name, such as `truncate` or `udp`.
    pub name: String,
    /// Whether the sandbox held, seen from inside and from outside.
    pub refused: bool,
    /// What was seen, for a person.
    pub detail: String,
}

/// A tier that cannot be used here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unavailable {
    /// The tier.
    pub tier: Tier,
    /// Why, and what helps, as a sentence.
    pub reason: String,
}

/// What the probe found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbeReport {
    /// The tier in force.
    pub tier: Tier,
    /// The escapes tried on that tier, all refused; empty for [`Tier::None`].
    pub attempts: Vec<Attempt>,
    /// The better tiers that are not in force, with their reasons.
    pub unavailable: Vec<Unavailable>,
}

/// A command to run.
#[derive(Debug, Clone)]
pub struct CommandSpec {
    /// The line as the plan has it.
    pub line: CommandLine,
    /// The workspace, absolute; also the folder the command starts in.
    pub workspace: PathBuf,
    /// Whether the workspace is writable.
    pub mode: Mode,
    /// Where it is: only these files and folders of it, relative to it. One that is not there, or that
    /// a link leads to, is not writable; `None` is all of it. A file can be written in place, not
    /// replaced by another one.
    pub writable: Option<Vec<PathBuf>>,
    /// Plan files and whatever else stays read-only, absolute or relative to the workspace. Every Git
    /// folder and `.planwright` always are.
    pub protected: Vec<PathBuf>,
    /// Whether it finds the private files of the workspace as they are. Not in plan mode, and not where a
    /// model wrote the command: what it printed would reach the model's server.
    pub sees_private: bool,
    /// Whether it was approved to commit: it may then write objects, references, logs and the index
    /// of the workspace's repository. [`is_commit`] says so of a line.
    pub commits: bool,
    /// The command is ended after this time.
    pub timeout: Duration,
    /// Variables beyond the allow-list. A name that looks like a key is dropped all the same.
    pub env: Vec<(String, String)>,
    /// Variables that the user named for this very command, keys included; they win over all others.
    pub granted: Vec<(String, String)>,
    /// What it reads on its standard input; nothing where absent.
    pub stdin: Option<String>,
    /// Whether it may use the network. Only for what the user named as such: a command of a plan never
    /// does.
    pub network: bool,
    /// Bytes handed to the callback at most; what comes after is counted, its end is kept.
    pub output_limit: u64,
    /// Where the helper writes the outcome durably, outside the workspace.
    pub outcome_record: Option<PathBuf>,
    /// Value of `PLANWRIGHT_RUN` in the command's environment; see [`kill_leftovers`].
    pub marker: String,
}

impl CommandSpec {
    /// A command with the default bounds and nothing protected beyond what always is.
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
        }
    }
}

/// Which of its two streams the command wrote to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputStream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

/// A piece of output, as it came; pieces may cut a character in two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputChunk {
    /// Where it was written.
    pub stream: OutputStream,
    /// At most 64 KiB.
    pub bytes: Vec<u8>,
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// By itself, with this code.
    Exited(i32),
    /// By this signal. Under bubblewrap a code of 129 to 192 is read as signal `code - 128`, since
    /// bubblewrap, like a shell, reports signals so.
    Signaled(i32),
    /// Ended by us when its time was up.
    TimedOut,
    /// Ended by us when a person asked for it.
    Cancelled,
}

impl Exit {
    /// Whether it is exit code 0.
    pub fn is_success(self) -> bool {
        self == Self::Exited(0)
    }
}

/// What is known of a command that ended. When it exists, no process of the command is left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandOutcome {
    /// How it ended.
    pub exit: Exit,
    /// The sandbox it ran in.
    pub tier: Tier,
    /// All bytes it wrote, both streams.
    pub bytes: u64,
    /// The first 4 KiB of the output, both streams in the order they came.
    pub head: String,
    /// The last 16 KiB of what follows the head.
    pub tail: String,
    /// Time from start to end in milliseconds.
    pub elapsed_ms: u64,
    /// What it changed that no command may change, and what became of that: one sentence each. They
    /// are part of its output too.
    #[serde(default)]
    pub alarms: Vec<String>,
}

/// The proved sandbox of this machine. Cheap to share; it holds no process and no file.
#[derive(Debug, Clone)]
pub struct Sandbox {
    helper: PathBuf,
    bwrap: Option<PathBuf>,
    /// Whether bubblewrap can bound the size of a folder in memory.
    is_sized: bool,
    home: PathBuf,
    data_dir: PathBuf,
    toolchains: Vec<PathBuf>,
    private_files: Vec<String>,
    /// The same, read: that costs more than a look at it.
    private: Arc<PrivateFiles>,
    report: ProbeReport,
}

impl Sandbox {
    /// The tier in force.
    pub fn tier(&self) -> Tier {
        self.report.tier
    }

    /// What the probe found.
    pub fn report(&self) -> &ProbeReport {
        &self.report
    }
}

//! The arguments of `hook`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct HookArgs {
    #[command(subcommand)]
    pub(crate) command: HookCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum HookCommand {
    /// Answer an event on standard input; Claude Code calls this
    ///
    /// Has a person review its plans, and holds its changes to the approved one.
    ///
    /// Exit: 0 answered on standard output, or nothing to say · 2 the event can't be read.
    Claude(HookEventArgs),
    /// Answer an event on standard input; Codex calls this
    ///
    /// Holds its changes to the plan that a person approved over MCP.
    ///
    /// Exit: as for `claude`.
    Codex(HookEventArgs),
    /// Answer an event on standard input; Gemini CLI calls this
    ///
    /// Holds its changes to the plan that a person approved over MCP.
    ///
    /// Exit: as for `claude`.
    Gemini(HookEventArgs),
    /// Answer an event on standard input; Cursor calls this
    ///
    /// Holds its changes to the plan that a person approved over MCP.
    ///
    /// Exit: as for `claude`.
    Cursor(HookEventArgs),
    /// Add the hook to the agent's settings, after showing the change
    Install(HookSetupArgs),
    /// Remove the hook from the agent's settings, after showing the change
    Remove(HookSetupArgs),
    /// Check that the hook is installed and can work
    ///
    /// Exit: 0 it can work · 1 it is missing or can't work.
    Doctor(HookDoctorArgs),
}

#[derive(Debug, Args)]
pub(crate) struct HookEventArgs {
    /// Longest time to wait for the decision, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 590)]
    pub(crate) wait: u64,
}

/// An agent with hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum HookHost {
    /// Claude Code
    Claude,
    /// Codex
    Codex,
    /// Gemini CLI
    Gemini,
    /// Cursor
    Cursor,
}

#[derive(Debug, Args)]
pub(crate) struct HookSetupArgs {
    /// The agent
    #[arg(value_name = "AGENT")]
    pub(crate) host: HookHost,
    /// Change the settings of one project [default: those for all projects]
    #[arg(long, value_name = "DIR", num_args = 0..=1, default_missing_value = ".")]
    pub(crate) project: Option<PathBuf>,
    /// Don't ask
    #[arg(long)]
    pub(crate) yes: bool,
}

#[derive(Debug, Args)]
pub(crate) struct HookDoctorArgs {
    /// The agent
    #[arg(value_name = "AGENT")]
    pub(crate) host: HookHost,
    /// Also check the settings of one project [default: the current folder's]
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) project: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

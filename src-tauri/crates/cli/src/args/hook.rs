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
    /// Have a person review the plan of an event on standard input; Claude Code calls this
    ///
    /// Exit: 0 answered on standard output, or no plan · 2 the event can't be read.
    Claude(ClaudeHookArgs),
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
pub(crate) struct ClaudeHookArgs {
    /// Longest time to wait for the decision, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 590)]
    pub(crate) wait: u64,
}

/// An agent with hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum HookHost {
    /// Claude Code
    Claude,
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

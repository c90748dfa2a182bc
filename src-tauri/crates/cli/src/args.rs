//! The command line: commands and arguments, with the help shown to users.
//!
//! `runs`, `plan`, `hook`, `mcp` and `run_options` hold the arguments of their commands.

mod hook;
mod mcp;
mod plan;
#[cfg(test)]
mod reference;
mod run_options;
mod runs;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub(crate) use hook::{
    HookArgs, HookCommand, HookDoctorArgs, HookEventArgs, HookHost, HookSetupArgs,
};
pub(crate) use mcp::McpArgs;
pub(crate) use plan::PlanArgs;
pub(crate) use run_options::RunOptions;
pub(crate) use runs::{
    AnswerArgs, DiscardArgs, Policy, ReceiptArgs, ResumeArgs, RunArgs, UndoArgs,
};

/// Check, approve and run plans written in Markdown, one step at a time, with evidence.
#[derive(Debug, Parser)]
#[command(name = "planwright", version, args_conflicts_with_subcommands = true)]
#[command(after_help = "Without a command, Planwright opens its window.")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    /// Folder or plan file to open in the window
    #[arg(value_name = "PATH")]
    pub(crate) path: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Score plans and explain why
    ///
    /// Exit: 0 ok · 1 thin, with --enforce · 2 unusable file.
    Check(CheckArgs),
    /// Write a plan for a goal; never runs it
    ///
    /// Uses the configured model, or rules and templates without one.
    ///
    /// Exit: 0 written or proposed · 1 thin and enforced · 3 the model asks a question · 4 failed.
    Plan(PlanArgs),
    /// Continue a conversation about a plan
    ///
    /// Exit: 0 answered, or a plan is proposed · 3 waiting on you · 4 failed · 5 the plan is no
    /// longer at that revision.
    Chat(ChatArgs),
    /// List conversations
    Sessions(JsonArgs),
    /// Add what a thin plan lacks, and show the changes
    ///
    /// Exit: 0 ok · 1 still thin and enforced · 2 unusable file · 4 failed.
    Expand(ExpandArgs),
    /// Run the approved revision of a plan
    ///
    /// Exit: 0 done · 2 unusable file · 3 waiting on you · 4 failed · 5 a step isn't covered by
    /// REVISION · 6 finished, some steps unverified · 7 finished, a requirement not covered or a
    /// step skipped by the model.
    Run(RunArgs),
    /// Resume a waiting, failed or interrupted run
    ///
    /// Exit: as `run`.
    Resume(ResumeArgs),
    /// Answer a waiting run, and resume it
    ///
    /// At a terminal, `run` and `resume` ask by themselves.
    ///
    /// Exit: as `run`.
    Answer(AnswerArgs),
    /// Discard a run so that it can't be resumed
    ///
    /// An interrupted run is discarded only with --yes; without it, lists what the run was doing.
    ///
    /// Exit: 0 discarded · 3 not discarded, needs --yes.
    Discard(DiscardArgs),
    /// Print a hand-off brief for one step
    Brief(BriefArgs),
    /// List runs
    Runs(JsonArgs),
    /// Show what a run did, with evidence
    Receipt(ReceiptArgs),
    /// Undo the changes of a step, or of a whole run
    ///
    /// A file whose later changes conflict is left alone and both sides are shown.
    ///
    /// Exit: 0 undone · 3 conflict.
    Undo(UndoArgs),
    /// Show the configured model, its capabilities, and the model servers on this machine
    ///
    /// Exit: 0 ok · 4 the configuration can't be used, or --test or --probe failed.
    Models(ModelsArgs),
    /// Test the sandbox: try every known escape and show what is blocked
    Sandbox(JsonArgs),
    /// Show the effective settings and any problems
    Settings(SettingsArgs),
    /// List permission rules and their sources, or remove one
    Permissions(PermissionsArgs),
    /// Review plans of other agents, and hold their changes to them, through their hooks
    Hook(HookArgs),
    /// Serve an agent over MCP, on standard input and output or over HTTP
    ///
    /// The agent can read, propose and edit plans and ask for approval. Only you approve, in the
    /// window. The agent starts this command itself, for example after
    /// `claude mcp add planwright -- planwright mcp`.
    ///
    /// Exit: 0 the agent hung up, or you pressed Ctrl-C.
    Mcp(McpArgs),
    /// Plan and approve in an editor over ACP, on standard input and output
    ///
    /// For Zed, JetBrains IDEs and Neovim, which start this command themselves. The editor shows
    /// the plan and its badge, and asks you to approve it and to answer what a run asks.
    ///
    /// Exit: 0 the editor hung up.
    Acp,
    /// Print a completion script for your shell
    Completions(CompletionsArgs),
    /// Print the manual pages as JSON, by file name; for packages
    #[command(hide = true)]
    Manual,
}

impl Command {
    /// Whether `--json` was given.
    pub(crate) fn wants_json(&self) -> bool {
        match self {
            Self::Check(args) => args.json,
            Self::Plan(args) => args.json,
            Self::Chat(args) => args.json,
            Self::Expand(args) => args.json,
            Self::Run(args) => args.json,
            Self::Resume(args) => args.json,
            Self::Answer(args) => args.json,
            Self::Discard(args) => args.json,
            Self::Runs(args) | Self::Sessions(args) | Self::Sandbox(args) => args.json,
            Self::Receipt(args) => args.json,
            Self::Brief(args) => args.json,
            Self::Undo(args) => args.json,
            Self::Settings(args) => args.json,
            Self::Permissions(args) => args.json,
            Self::Models(args) => args.json,
            Self::Hook(args) => {
                matches!(&args.command, HookCommand::Doctor(doctor) if doctor.json)
            }
            Self::Mcp(_) | Self::Acp | Self::Completions(_) | Self::Manual => false,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct ModelsArgs {
    /// Model to inspect [default: the configured one]
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// Send one short request; explain how to fix a failure
    #[arg(long)]
    pub(crate) test: bool,
    /// Measure the model's capabilities with six short requests
    #[arg(long)]
    pub(crate) probe: bool,
    /// Override a profile value, such as contextWindow=16384; an empty value removes the override
    #[arg(long, value_name = "FIELD=VALUE", value_parser = overrule)]
    pub(crate) set: Vec<(String, String)>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

fn overrule(text: &str) -> Result<(String, String), String> {
    let (field, value) = text
        .split_once('=')
        .ok_or("must be FIELD=VALUE, such as contextWindow=16384")?;
    Ok((field.trim().to_owned(), value.trim().to_owned()))
}

#[derive(Debug, Args)]
pub(crate) struct BriefArgs {
    /// Plan file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Step id
    #[arg(value_name = "STEP")]
    pub(crate) step: String,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Plan files
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Goal, if the file doesn't state it
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) goal: Option<String>,
    /// File with the requirements, one `- text` per line
    #[arg(long, value_name = "FILE")]
    pub(crate) requirements: Option<PathBuf>,
    /// Level of detail to require
    #[arg(long, value_enum, default_value_t = Depth::Standard)]
    pub(crate) depth: Depth,
    /// File that the goal is about; repeatable
    #[arg(long, value_name = "PATH")]
    pub(crate) scope: Vec<String>,
    /// Earlier version of the plan, to report what a rewrite lost
    #[arg(long, value_name = "FILE")]
    pub(crate) before: Option<PathBuf>,
    /// Print one JSON object per file
    #[arg(long)]
    pub(crate) json: bool,
    /// Exit with 1 if a plan is thin
    #[arg(long)]
    pub(crate) enforce: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Depth {
    Minimal,
    Standard,
    Deep,
}

#[derive(Debug, Args)]
pub(crate) struct ChatArgs {
    /// Session id or its first characters, or a plan file
    #[arg(value_name = "SESSION|PLAN")]
    pub(crate) session: String,
    /// Your message; answers a pending question, never grants a permission
    #[arg(value_name = "MESSAGE", required_unless_present_any = ["allow", "resume", "approve", "mode"], allow_hyphen_values = true)]
    pub(crate) message: Option<String>,
    /// Switch to this mode [default: unchanged]
    #[arg(long, value_enum)]
    pub(crate) mode: Option<SessionMode>,
    /// Request the changes in MESSAGE for this revision
    #[arg(long, value_name = "REVISION", requires = "message", conflicts_with_all = ["approve", "mode"])]
    pub(crate) changes: Option<String>,
    /// Approve this revision and run it (12 digits or more)
    #[arg(long, value_name = "REVISION")]
    pub(crate) approve: Option<String>,
    /// Reason for overriding the quality gate or a thin plan
    #[arg(
        long,
        value_name = "TEXT",
        requires = "approve",
        allow_hyphen_values = true
    )]
    pub(crate) reason: Option<String>,
    /// When the run asks for approval [default: as in settings, else all]
    #[arg(long, value_enum)]
    pub(crate) policy: Option<Policy>,
    /// JSON file with answers
    #[arg(long, value_name = "FILE")]
    pub(crate) answers: Option<PathBuf>,
    /// Grant the permission that the model asks for
    #[arg(long, value_enum, conflicts_with_all = ["message", "changes", "resume"])]
    pub(crate) allow: Option<Allow>,
    /// Continue an interrupted turn
    #[arg(long, conflicts_with_all = ["message", "changes", "allow"])]
    pub(crate) resume: bool,
    /// Model to use [default: PLANWRIGHT_MODEL, else settings]
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// Print one JSON object per line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SessionMode {
    /// Only the plan may change
    Plan,
    /// The approved plan is carried out
    Exec,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Allow {
    /// Once
    Once,
    /// The same request, until the conversation or run ends
    Session,
}

impl From<SessionMode> for workbench::Mode {
    fn from(mode: SessionMode) -> Self {
        match mode {
            SessionMode::Plan => Self::Plan,
            SessionMode::Exec => Self::Exec,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct ExpandArgs {
    /// Plan file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Write the changes to the file
    #[arg(long)]
    pub(crate) apply: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Model to use after the rules, if `loop_mode` allows it [default: PLANWRIGHT_MODEL, else
    /// settings]
    #[arg(long, value_name = "MODEL", conflicts_with = "offline")]
    pub(crate) model: Option<String>,
    /// Don't use a model
    #[arg(long)]
    pub(crate) offline: bool,
}

#[derive(Debug, Args)]
pub(crate) struct JsonArgs {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SettingsArgs {
    /// Folder whose settings apply too [default: the current one]
    #[arg(long, value_name = "DIR")]
    pub(crate) workspace: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Print the JSON Schema of settings.json
    #[arg(long)]
    pub(crate) schema: bool,
}

#[derive(Debug, Args)]
pub(crate) struct PermissionsArgs {
    /// Folder whose rules apply [default: the current one]
    #[arg(long, value_name = "DIR")]
    pub(crate) workspace: Option<PathBuf>,
    /// Remove this rule; Planwright asks again from then on
    #[arg(long, value_name = "ID")]
    pub(crate) remove: Option<String>,
    /// Print one JSON object per rule
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// Shell to complete for
    #[arg(value_name = "SHELL")]
    pub(crate) shell: clap_complete::Shell,
}

impl From<Depth> for workbench::PlanDepth {
    fn from(depth: Depth) -> Self {
        match depth {
            Depth::Minimal => Self::Minimal,
            Depth::Standard => Self::Standard,
            Depth::Deep => Self::Deep,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_person_may_begin_with_a_dash() {
        let words = "- add a flag\n- document it";
        for line in [
            &["check", "--goal", words, "plan.md"][..],
            &["check", "plan.md", "--goal", words, "--json"],
            &["plan", words, "--offline"],
            &["plan", "--offline", "a goal", "--reason", words],
            &["chat", "s1", words],
        ] {
            let parsed = Cli::try_parse_from(std::iter::once(&"planwright").chain(line));
            let parsed = parsed.unwrap_or_else(|error| panic!("{line:?}: {error}"));
            let said = format!("{:?}", parsed.command);
            assert!(said.contains(&format!("{words:?}")), "{line:?}: {said}");
        }
        // An existing flag is still parsed as a flag.
        let parsed = Cli::try_parse_from(["planwright", "plan", "--offline"]);
        assert!(parsed.is_err(), "{parsed:?}");
    }
}

//! The command line: what can be said, with the help that users read.
//!
//! Long because: one page of help, in the order in which it is read.

mod growing;
mod planning;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use workbench::HandOverChoice;

pub(crate) use growing::GrowingArgs;
pub(crate) use planning::PlanArgs;

/// Plans as Markdown files: checked, approved by their exact bytes, carried out step by step with
/// evidence.
#[derive(Debug, Parser)]
#[command(name = "planwright", version, args_conflicts_with_subcommands = true)]
#[command(after_help = "Without a command, the window is opened.")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    /// A folder or a plan file to open in the window
    #[arg(value_name = "PATH")]
    pub(crate) path: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Say how adequate plans are, and why
    ///
    /// Exit: 0 fine · 1 thin and --enforce · 2 unusable file.
    Check(CheckArgs),
    /// Write a plan for a goal, with the model that is configured or without one; never carries it out
    ///
    /// Exit: 0 written or offered · 1 thin and enforced · 3 the model asks something · 4 failed.
    Plan(PlanArgs),
    /// Go on with a conversation about a plan
    ///
    /// Exit: 0 answered, or a plan is offered · 3 something is asked · 4 failed · 5 the revision is not
    /// what the plan holds.
    Chat(ChatArgs),
    /// List the conversations
    Sessions(JsonArgs),
    /// Make a plan fuller in bounded rounds, and show what would change
    ///
    /// Exit: 0 fine · 1 still thin and enforced · 2 unusable file · 4 failed.
    Expand(ExpandArgs),
    /// Carry out the approved revision of a plan
    ///
    /// Exit: 0 done · 3 waiting for a person · 4 failed · 5 a step is not covered by REVISION ·
    /// 6 ended, some steps unverified · 7 ended, a requirement not covered or a step skipped by the model.
    Run(RunArgs),
    /// Resume a waiting, failed or interrupted run
    ///
    /// Exit: as `run`.
    Resume(ResumeArgs),
    /// Discard a run, so that it can never be resumed
    ///
    /// Lists what an interrupted run was doing, and discards it only with --yes.
    ///
    /// Exit: 0 discarded · 3 nothing was done, --yes is needed.
    Discard(DiscardArgs),
    /// Print what somebody else has to know to carry out one step
    Brief(BriefArgs),
    /// List the runs
    Runs(JsonArgs),
    /// Show what a run did, with the evidence
    Receipt(ReceiptArgs),
    /// Take back what a step of a run changed
    Undo(UndoArgs),
    /// Show the model in force, what it can be trusted with, and the model servers on this machine
    ///
    /// Exit: 0 fine · 4 what is configured cannot be used, or a probe or a trial failed.
    Models(ModelsArgs),
    /// Try every escape from the sandbox and show what is refused
    Sandbox(JsonArgs),
    /// Show the settings in force and what is wrong with them
    Settings(SettingsArgs),
    /// List the permission rules with where they came from, or take one back
    Permissions(PermissionsArgs),
}

impl Command {
    /// Whether results are wanted as JSON.
    pub(crate) fn wants_json(&self) -> bool {
        match self {
            Self::Check(args) => args.json,
            Self::Plan(args) => args.json,
            Self::Chat(args) => args.json,
            Self::Expand(args) => args.json,
            Self::Run(args) => args.json,
            Self::Resume(args) => args.json,
            Self::Discard(args) => args.json,
            Self::Runs(args) | Self::Sessions(args) | Self::Sandbox(args) => args.json,
            Self::Receipt(args) => args.json,
            Self::Brief(args) => args.json,
            Self::Undo(args) => args.json,
            Self::Settings(args) => args.json,
            Self::Permissions(args) => args.json,
            Self::Models(args) => args.json,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct ModelsArgs {
    /// The model to speak of [default: the configured one]
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// Send one short request, and say what helps where it fails
    #[arg(long)]
    pub(crate) test: bool,
    /// Find out in six short requests what the model can be trusted with
    #[arg(long)]
    pub(crate) probe: bool,
    /// Overrule a value of the profile, such as contextWindow=16384; nothing after “=” takes it back
    #[arg(long, value_name = "FIELD=VALUE", value_parser = overrule)]
    pub(crate) set: Vec<(String, String)>,
    /// One JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

fn overrule(text: &str) -> Result<(String, String), String> {
    let (field, value) = text
        .split_once('=')
        .ok_or("must be FIELD=VALUE, such as contextWindow=16384")?;
    Ok((field.trim().to_owned(), value.trim().to_owned()))
}

fn handing(text: &str) -> Result<HandOverChoice, String> {
    let (name, tasks) = text.split_once('=').unwrap_or((text, ""));
    let tasks = tasks.split(',').map(str::trim);
    let tasks = tasks.filter(|task| !task.is_empty()).map(str::to_owned);
    match name.trim() {
        "" => Err("must be a name of your settings, such as codex or codex=T2,T5".to_owned()),
        name => Ok(HandOverChoice {
            name: name.to_owned(),
            tasks: tasks.collect(),
        }),
    }
}

#[derive(Debug, Args)]
pub(crate) struct BriefArgs {
    /// The plan file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The step
    #[arg(value_name = "STEP")]
    pub(crate) step: String,
    /// JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Plan files
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// What the plan is for, when the file does not say it
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) goal: Option<String>,
    /// A file that lists what the plan has to do, `- text` a line
    #[arg(long, value_name = "FILE")]
    pub(crate) requirements: Option<PathBuf>,
    /// How much detail is wanted
    #[arg(long, value_enum, default_value_t = Depth::Standard)]
    pub(crate) depth: Depth,
    /// A file the goal is about; may be given several times
    #[arg(long, value_name = "PATH")]
    pub(crate) scope: Vec<String>,
    /// The plan as it was before, to see what a rewrite lost
    #[arg(long, value_name = "FILE")]
    pub(crate) before: Option<PathBuf>,
    /// One JSON object a line and file
    #[arg(long)]
    pub(crate) json: bool,
    /// Exit with 1 when a plan is thin
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
    /// The session's id, or the beginning of it, or a plan file
    #[arg(value_name = "SESSION | PLAN")]
    pub(crate) session: String,
    /// What to say; answers a question that waits, never a permission
    #[arg(value_name = "MESSAGE", required_unless_present_any = ["allow", "resume", "approve", "mode"], allow_hyphen_values = true)]
    pub(crate) message: Option<String>,
    /// The mode to go on in [default: as it is]
    #[arg(long, value_enum)]
    pub(crate) mode: Option<SessionMode>,
    /// MESSAGE says what to change in this revision of the plan
    #[arg(long, value_name = "REVISION", requires = "message", conflicts_with_all = ["approve", "mode"])]
    pub(crate) changes: Option<String>,
    /// The revision you approve, 12 digits or more: a run carries it out
    #[arg(long, value_name = "REVISION")]
    pub(crate) approve: Option<String>,
    /// Why steps that the quality gate blocks, or a thin plan, may go on
    #[arg(
        long,
        value_name = "TEXT",
        requires = "approve",
        allow_hyphen_values = true
    )]
    pub(crate) reason: Option<String>,
    /// How often the run asks: before each step, risky ones or none [default: the settings', else all]
    #[arg(long, value_enum)]
    pub(crate) policy: Option<Policy>,
    /// A JSON file with answers for the run
    #[arg(long, value_name = "FILE")]
    pub(crate) answers: Option<PathBuf>,
    /// Give the permission that is asked
    #[arg(long, value_enum, conflicts_with_all = ["message", "changes", "resume"])]
    pub(crate) allow: Option<Allow>,
    /// Go on with a turn that was cut off
    #[arg(long, conflicts_with_all = ["message", "changes", "allow"])]
    pub(crate) resume: bool,
    /// The model to ask [default: PLANWRIGHT_MODEL, else the settings]
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// One JSON object a line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SessionMode {
    /// Nothing but the plan may change
    Plan,
    /// The plan is carried out
    Exec,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Allow {
    /// This once
    Once,
    /// The same request, until the conversation or the run ends
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
    /// The plan file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Write all changes into the file
    #[arg(long)]
    pub(crate) apply: bool,
    /// One JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// The model that goes on where code is done, if `loop_mode` asks for it [default:
    /// PLANWRIGHT_MODEL, else the settings]
    #[arg(long, value_name = "MODEL", conflicts_with = "offline")]
    pub(crate) model: Option<String>,
    /// Ask no model
    #[arg(long)]
    pub(crate) offline: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// The plan file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The revision you approve: its hash, 12 digits or more, as `check` prints it
    #[arg(long, value_name = "REVISION")]
    pub(crate) approve: String,
    /// The folder to work in [default: found from the plan's place]
    #[arg(long, value_name = "DIR")]
    pub(crate) workspace: Option<PathBuf>,
    /// How often to ask [default: all steps are approved]
    #[arg(long, value_enum)]
    pub(crate) policy: Option<Policy>,
    /// Carry out only the steps up to this one
    #[arg(long, value_name = "TASK")]
    pub(crate) upto: Option<String>,
    /// A JSON file with answers
    #[arg(long, value_name = "FILE")]
    pub(crate) answers: Option<PathBuf>,
    /// Why steps that the quality gate blocks, or a thin plan, may run
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) reason: Option<String>,
    /// How many steps may be under way at once, 1 to 4: those that wait for none of the others and
    /// name different files
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=4))]
    pub(crate) parallel: u8,
    /// The model that carries out steps without `call:` lines [default: the configured one]
    #[arg(long, value_name = "MODEL", conflicts_with = "offline")]
    pub(crate) model: Option<String>,
    /// Hand steps without `call:` lines over to a command of your settings; with “=T2,T5” those alone
    #[arg(long, value_name = "NAME[=STEPS]", value_parser = handing)]
    pub(crate) hand_over: Option<HandOverChoice>,
    /// Ask no model: such steps are a person's
    #[arg(long)]
    pub(crate) offline: bool,
    #[command(flatten)]
    pub(crate) growing: GrowingArgs,
    /// One JSON object a line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Policy {
    /// Before each step
    Each,
    /// Before steps that delete or run commands
    Risky,
    /// Before none
    All,
}

#[derive(Debug, Args)]
pub(crate) struct ResumeArgs {
    /// The run's id, or the beginning of it
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
    /// A JSON file with answers
    #[arg(long, value_name = "FILE")]
    pub(crate) answers: Option<PathBuf>,
    /// The model that carries out steps without `call:` lines [default: the configured one]
    #[arg(long, value_name = "MODEL", conflicts_with = "offline")]
    pub(crate) model: Option<String>,
    /// Hand steps without `call:` lines over to a command of your settings; with “=T2,T5” those alone
    #[arg(long, value_name = "NAME[=STEPS]", value_parser = handing)]
    pub(crate) hand_over: Option<HandOverChoice>,
    /// Ask no model: such steps are a person's
    #[arg(long)]
    pub(crate) offline: bool,
    /// One JSON object a line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct JsonArgs {
    /// JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ReceiptArgs {
    /// The run's id, or the beginning of it
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
    /// JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DiscardArgs {
    /// The run's id, or the beginning of it
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
    /// Discard it although the outcome of what it was doing is unknown
    #[arg(long)]
    pub(crate) yes: bool,
    /// JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct UndoArgs {
    /// The run's id, or the beginning of it
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
    /// The task whose changes to take back
    #[arg(value_name = "TASK")]
    pub(crate) task: String,
    /// JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SettingsArgs {
    /// The folder whose settings count too [default: the current one]
    #[arg(long, value_name = "DIR")]
    pub(crate) workspace: Option<PathBuf>,
    /// JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
    /// Print the JSON Schema of settings.json
    #[arg(long)]
    pub(crate) schema: bool,
}

#[derive(Debug, Args)]
pub(crate) struct PermissionsArgs {
    /// The folder whose rules count [default: the current one]
    #[arg(long, value_name = "DIR")]
    pub(crate) workspace: Option<PathBuf>,
    /// Take this rule back; from then on it is asked about again
    #[arg(long, value_name = "ID")]
    pub(crate) remove: Option<String>,
    /// One JSON object a line and rule
    #[arg(long)]
    pub(crate) json: bool,
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

impl From<Policy> for workbench::Policy {
    fn from(policy: Policy) -> Self {
        match policy {
            Policy::Each => Self::Each,
            Policy::Risky => Self::Risky,
            Policy::All => Self::All,
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
        // A flag that there is stays one.
        let parsed = Cli::try_parse_from(["planwright", "plan", "--offline"]);
        assert!(parsed.is_err(), "{parsed:?}");
    }
}

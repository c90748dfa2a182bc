//! Arguments of the commands about runs: `run`, `resume`, `answer`, `discard`, `receipt`, `undo`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use workbench::HandOverChoice;

use super::RunOptions;

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// Plan file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Revision you approve: its hash as printed by `check`, 12 digits or more
    #[arg(long, value_name = "REVISION")]
    pub(crate) approve: String,
    /// Folder to work in [default: found from the plan's location]
    #[arg(long, value_name = "DIR")]
    pub(crate) workspace: Option<PathBuf>,
    /// When to ask for approval [default: as in settings, else all]
    #[arg(long, value_enum)]
    pub(crate) policy: Option<Policy>,
    /// Stop after this step
    #[arg(long, value_name = "STEP")]
    pub(crate) upto: Option<String>,
    /// JSON file with answers
    #[arg(long, value_name = "FILE")]
    pub(crate) answers: Option<PathBuf>,
    /// Reason for overriding the quality gate or a thin plan
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) reason: Option<String>,
    /// Steps to run in parallel, 1 to 4, if they are independent and use different files
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=4))]
    pub(crate) parallel: u8,
    /// Model for steps without `call:` lines [default: the configured one]
    #[arg(long, value_name = "MODEL", conflicts_with = "offline")]
    pub(crate) model: Option<String>,
    /// Hand steps without `call:` lines to a program from your settings, or with acp:NAME to an
    /// agent; with =T2,T5 only those
    #[arg(long, value_name = "NAME[=STEPS]", value_parser = handing)]
    pub(crate) hand_over: Option<HandOverChoice>,
    /// Don't use a model; you carry out such steps yourself
    #[arg(long)]
    pub(crate) offline: bool,
    #[command(flatten)]
    pub(crate) growing: RunOptions,
    /// Print one JSON object per line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Policy {
    /// Before each step
    Each,
    /// Before steps that delete or run commands
    Risky,
    /// Never
    All,
}

#[derive(Debug, Args)]
pub(crate) struct ResumeArgs {
    /// Run id or its first characters
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
    /// JSON file with answers
    #[arg(long, value_name = "FILE")]
    pub(crate) answers: Option<PathBuf>,
    /// Model for steps without `call:` lines [default: the configured one]
    #[arg(long, value_name = "MODEL", conflicts_with = "offline")]
    pub(crate) model: Option<String>,
    /// Hand steps without `call:` lines to a program from your settings, or with acp:NAME to an
    /// agent; with =T2,T5 only those
    #[arg(long, value_name = "NAME[=STEPS]", value_parser = handing)]
    pub(crate) hand_over: Option<HandOverChoice>,
    /// Don't use a model; you carry out such steps yourself
    #[arg(long)]
    pub(crate) offline: bool,
    /// Print one JSON object per line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct AnswerArgs {
    /// Run id or its first characters
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
    /// Step that is asking, as printed by the run
    #[arg(value_name = "STEP")]
    pub(crate) step: String,
    /// One of the options or the start of one, or free text if the question allows it
    #[arg(value_name = "ANSWER", required = true)]
    pub(crate) answer: Vec<String>,
    /// What was done, why a step is skipped, or what to do instead
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) note: Option<String>,
    /// Model for steps without `call:` lines [default: the configured one]
    #[arg(long, value_name = "MODEL", conflicts_with = "offline")]
    pub(crate) model: Option<String>,
    /// Hand steps without `call:` lines to a program from your settings, or with acp:NAME to an
    /// agent; with =T2,T5 only those
    #[arg(long, value_name = "NAME[=STEPS]", value_parser = handing)]
    pub(crate) hand_over: Option<HandOverChoice>,
    /// Don't use a model; you carry out such steps yourself
    #[arg(long)]
    pub(crate) offline: bool,
    /// Print one JSON object per line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ReceiptArgs {
    /// Run id or its first characters
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DiscardArgs {
    /// Run id or its first characters
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
    /// Discard even if the outcome of an interrupted action is unknown
    #[arg(long)]
    pub(crate) yes: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct UndoArgs {
    /// Run id or its first characters
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
    /// Step whose changes to undo [default: every step, the newest first]
    #[arg(value_name = "STEP")]
    pub(crate) task: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
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

fn handing(text: &str) -> Result<HandOverChoice, String> {
    let (name, tasks) = text.split_once('=').unwrap_or((text, ""));
    let tasks = tasks.split(',').map(str::trim);
    let tasks = tasks.filter(|task| !task.is_empty()).map(str::to_owned);
    match name.trim() {
        "" => Err("must be a name from your settings, such as codex or codex=T2,T5, or an agent, such as acp:claude".to_owned()),
        name => Ok(HandOverChoice {
            name: name.to_owned(),
            tasks: tasks.collect(),
        }),
    }
}

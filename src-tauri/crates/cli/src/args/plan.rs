//! The arguments of `plan`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct PlanArgs {
    /// What you want to achieve, in your own words
    #[arg(value_name = "GOAL", allow_hyphen_values = true)]
    pub(crate) goal: String,
    /// Folder to plan for [default: the current one]
    #[arg(long, value_name = "DIR")]
    pub(crate) workspace: Option<PathBuf>,
    /// Print one JSON object per line; the last is the plan
    #[arg(long)]
    pub(crate) json: bool,
    /// Reason for accepting a thin plan while enforcement is on
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) reason: Option<String>,
    /// Model to use [default: PLANWRIGHT_MODEL, else settings]
    #[arg(long, value_name = "MODEL", conflicts_with = "offline")]
    pub(crate) model: Option<String>,
    /// Don't use a model
    #[arg(long)]
    pub(crate) offline: bool,
    /// Don't use templates
    #[arg(long)]
    pub(crate) no_template: bool,
    /// Plan in one go instead of in a conversation, with this effort
    #[arg(long, value_enum, value_name = "DEPTH")]
    pub(crate) depth: Option<Depth>,
    /// Plan in one go with this plugin and no other of its kind; repeatable, one per kind
    #[arg(long, value_name = "ID")]
    pub(crate) pin: Vec<String>,
    /// Plan in one go and explain how the planner was chosen
    #[arg(long)]
    pub(crate) explain: bool,
    /// Have another agent write the plan: qwen, claude, codex, opencode, nanocoder or your own
    #[arg(
        long,
        value_name = "NAME",
        conflicts_with_all = ["model", "offline", "no_template", "depth", "pin"]
    )]
    pub(crate) agent: Option<String>,
    /// Have the agent change this plan; GOAL says what to change
    #[arg(long, value_name = "FILE", requires = "agent", conflicts_with_all = ["reason", "explain"])]
    pub(crate) change: Option<PathBuf>,
}

impl PlanArgs {
    /// Whether to plan in one go.
    pub(crate) fn is_in_one_go(&self) -> bool {
        self.depth.is_some() || !self.pin.is_empty() || self.explain
    }

    pub(crate) fn template_wish(&self) -> workbench::TemplateChoice {
        match self.no_template {
            true => workbench::TemplateChoice::Refused,
            false => workbench::TemplateChoice::ByGoal,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Depth {
    /// Quick: the cheapest planners only
    Minimal,
    /// By the goal and past results
    Standard,
    /// Thorough: the most capable planners first
    Deep,
}

impl From<Depth> for workbench::Effort {
    fn from(depth: Depth) -> Self {
        match depth {
            Depth::Minimal => Self::Quick,
            Depth::Standard => Self::Auto,
            Depth::Deep => Self::Thorough,
        }
    }
}

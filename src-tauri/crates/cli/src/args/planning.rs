//! The arguments of `plan`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct PlanArgs {
    /// What is to be achieved, in your words
    #[arg(value_name = "GOAL", allow_hyphen_values = true)]
    pub(crate) goal: String,
    /// The folder to plan for [default: the current one]
    #[arg(long, value_name = "DIR")]
    pub(crate) workspace: Option<PathBuf>,
    /// One JSON object a line; the last one is the plan
    #[arg(long)]
    pub(crate) json: bool,
    /// Why a thin plan is to be accepted, where enforcement is on
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) reason: Option<String>,
    /// The model to ask [default: PLANWRIGHT_MODEL, else the settings]
    #[arg(long, value_name = "MODEL", conflicts_with = "offline")]
    pub(crate) model: Option<String>,
    /// Ask no model
    #[arg(long)]
    pub(crate) offline: bool,
    /// Take no template where the plan is made without a model: a step for each thing asked for
    #[arg(long)]
    pub(crate) no_template: bool,
    /// Make the plan in one go, instead of in a conversation, and with this much effort
    #[arg(long, value_enum, value_name = "DEPTH")]
    pub(crate) depth: Option<Depth>,
    /// Make the plan in one go and try no other plugin of this one's kind; can be given for each kind
    #[arg(long, value_name = "ID")]
    pub(crate) pin: Vec<String>,
    /// Make the plan in one go and say how its route was decided, term by term
    #[arg(long)]
    pub(crate) explain: bool,
}

impl PlanArgs {
    /// Whether the plan is made in one go.
    pub(crate) fn is_in_one_go(&self) -> bool {
        self.depth.is_some() || !self.pin.is_empty() || self.explain
    }

    pub(crate) fn template_wish(&self) -> workbench::TemplateWish {
        match self.no_template {
            true => workbench::TemplateWish::Refused,
            false => workbench::TemplateWish::ByGoal,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Depth {
    /// Quick: what costs least is tried first, the thorough ones not at all
    Minimal,
    /// As the goal and what was learned say
    Standard,
    /// Thorough: the heavy ones first
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

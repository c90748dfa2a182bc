//! The arguments of `plan`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct PlanArgs {
    /// What is to be achieved, in your words
    #[arg(value_name = "GOAL")]
    pub(crate) goal: String,
    /// The folder to plan for [default: the current one]
    #[arg(long, value_name = "DIR")]
    pub(crate) workspace: Option<PathBuf>,
    /// One JSON object a line; the last one is the plan
    #[arg(long)]
    pub(crate) json: bool,
    /// Why a thin plan is to be accepted, where enforcement is on
    #[arg(long, value_name = "TEXT")]
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
    /// Make the plan in one go and by this solver, instead of in a conversation
    #[arg(long, value_enum, value_name = "SOLVER", conflicts_with = "offline")]
    pub(crate) route: Option<Route>,
}

impl PlanArgs {
    pub(crate) fn template_wish(&self) -> workbench::TemplateWish {
        match self.no_template {
            true => workbench::TemplateWish::Refused,
            false => workbench::TemplateWish::ByGoal,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Route {
    /// Templates and rules, no model
    #[value(name = "gs-symbolic")]
    Symbolic,
    /// One request to the model
    #[value(name = "gs-llm-fast")]
    Fast,
    /// Draft, critique and bounded rounds
    #[value(name = "gs-llm-deep")]
    Deep,
}

impl From<Route> for workbench::PlanRoute {
    fn from(route: Route) -> Self {
        match route {
            Route::Symbolic => Self::Symbolic,
            Route::Fast => Self::Fast,
            Route::Deep => Self::Deep,
        }
    }
}

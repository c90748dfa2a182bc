//! The arguments of `run` for planning during a run, for a model's context, and for limits.

use clap::{Args, ValueEnum};
use workbench::{ContextStrategy, PlanningStrategy, RunChoice};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Strategy {
    /// Only the approved steps
    Upfront,
    /// After each step, the model names the next ones
    Iterative,
    /// Each step is broken down when its turn comes
    Hybrid,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Context {
    /// Results of earlier steps, and pinned notes
    Minimal,
    /// Also the step's files and what is related to them
    Relevant,
    /// Everything known that fits the model's context window
    Full,
}

#[derive(Debug, Args)]
pub(crate) struct RunOptions {
    /// When to plan steps [default: from the plan, the settings or the model's profile]
    #[arg(long, value_enum)]
    strategy: Option<Strategy>,
    /// Steps that a model plans at once, 1 to 3 [default: from the model's profile]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=3))]
    look_ahead: Option<u8>,
    /// How much context a model gets for a step [default: as in settings]
    #[arg(long, value_enum)]
    context: Option<Context>,
    /// Maximum number of steps that the run adds
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_steps: Option<u32>,
    /// Maximum number of requests to a model
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_calls: Option<u32>,
    /// Maximum number of tokens
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_tokens: Option<u64>,
    /// Maximum working time in minutes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_minutes: Option<u64>,
}

impl From<RunOptions> for RunChoice {
    fn from(args: RunOptions) -> Self {
        Self {
            strategy: args.strategy.map(|strategy| match strategy {
                Strategy::Upfront => PlanningStrategy::Upfront,
                Strategy::Iterative => PlanningStrategy::Iterative,
                Strategy::Hybrid => PlanningStrategy::Hybrid,
            }),
            look_ahead: args.look_ahead,
            context: args.context.map(|context| match context {
                Context::Minimal => ContextStrategy::Minimal,
                Context::Relevant => ContextStrategy::Relevant,
                Context::Full => ContextStrategy::Full,
            }),
            steps: args.max_steps,
            calls: args.max_calls,
            tokens: args.max_tokens,
            seconds: args.max_minutes.map(|minutes| minutes.saturating_mul(60)),
            model: None,
            hand_over: None,
            host: None,
        }
    }
}

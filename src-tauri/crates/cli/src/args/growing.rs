//! The arguments of `run` that say when steps are thought of, what a model is given, and where a run stops.

use clap::{Args, ValueEnum};
use workbench::{ContextStrategy, PlanningStrategy, RunChoice};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Strategy {
    /// The approved steps and no others
    Upfront,
    /// Behind each step the model names the next ones
    Iterative,
    /// Each step is taken apart when its turn comes
    Hybrid,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Context {
    /// What the steps before gave, and pinned notes
    Minimal,
    /// Also the files that the step names, and what has to do with it
    Relevant,
    /// Whatever is known, up to the model's window
    Full,
}

#[derive(Debug, Args)]
pub(crate) struct GrowingArgs {
    /// When steps are thought of [default: as the plan, the settings or the model's profile say]
    #[arg(long, value_enum)]
    strategy: Option<Strategy>,
    /// How many steps a model is asked for at once, 1 to 3 [default: by the model's profile]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=3))]
    look_ahead: Option<u8>,
    /// How much a model is given for a step [default: as the settings say]
    #[arg(long, value_enum)]
    context: Option<Context>,
    /// The most steps that the run adds
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_steps: Option<u32>,
    /// The most requests to a model
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_calls: Option<u32>,
    /// The most tokens of them
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_tokens: Option<u64>,
    /// The most minutes of work
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_minutes: Option<u64>,
}

impl From<GrowingArgs> for RunChoice {
    fn from(args: GrowingArgs) -> Self {
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
        }
    }
}

//! The settings of planning while a run goes on: names and ranges, how they are read and merged.

use agent::micro_planning::{Caps, MOST_LOOK_AHEAD, Strategy};
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::Value;

use super::expansion::whole;
use super::layer::{Layer, or_null};
use super::merge::at_most;
use super::values::one_of;

/// When the steps of a plan are thought of that does not say so itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Choice {
    /// As the model's profile says, where the plan lacks steps.
    #[default]
    Auto,
    /// All of them before the run.
    Upfront,
    /// The next ones after each step.
    Iterative,
    /// An outline, each of its steps taken apart when its turn comes.
    Hybrid,
}

pub(super) const CHOICES: [(&str, Choice); 4] = [
    ("auto", Choice::Auto),
    ("upfront", Choice::Upfront),
    ("iterative", Choice::Iterative),
    ("hybrid", Choice::Hybrid),
];

/// The most that a limit of a run can be set to.
const MOST_STEPS: u64 = 1_000;
const MOST_CALLS: u64 = 100_000;
const MOST_TOKENS: u64 = 1_000_000_000;
const MOST_SECONDS: u64 = 7 * 24 * 60 * 60;
const MOST_WAIT: u64 = 24 * 60 * 60;

/// How plans grow while they run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Planning {
    /// For plans that do not say it.
    pub(crate) strategy: Choice,
    /// How much of what is known a model is given for a step.
    pub(crate) context: agent::context::Strategy,
    /// Steps asked for at once; absent: as the model's profile says.
    pub(crate) look_ahead: Option<u8>,
    /// When a run ends that does not end by itself.
    pub(crate) caps: Caps,
}

impl Planning {
    /// Whether the model's profile says when steps are thought of.
    pub(crate) fn is_by_profile(&self) -> bool {
        self.strategy == Choice::Auto
    }

    /// The strategy of a plan that says none, with a model of whose profile `recommended` is known.
    pub(crate) fn usual(&self, recommended: model::profile::Strategy) -> Strategy {
        match self.strategy {
            Choice::Upfront => Strategy::Upfront,
            Choice::Iterative => Strategy::Iterative,
            Choice::Hybrid => Strategy::Hybrid,
            Choice::Auto => match recommended {
                model::profile::Strategy::Upfront => Strategy::Upfront,
                model::profile::Strategy::Iterative => Strategy::Iterative,
                model::profile::Strategy::Hybrid => Strategy::Hybrid,
            },
        }
    }
}

impl Choice {
    /// The name in settings.
    pub(super) fn as_str(self) -> &'static str {
        let mut names = CHOICES.iter();
        names
            .find(|(_, choice)| *choice == self)
            .map_or("auto", |(name, _)| name)
    }
}

pub(super) fn choice(value: &Value) -> Result<Choice, String> {
    one_of(value, &CHOICES)
}

pub(super) fn look_ahead(value: &Value) -> Result<u8, String> {
    // The range makes the cast exact.
    whole(value, 1, u64::from(MOST_LOOK_AHEAD)).map(|steps| steps as u8)
}

pub(super) fn steps(value: &Value) -> Result<u32, String> {
    whole(value, 1, MOST_STEPS).map(|steps| steps as u32)
}

pub(super) fn calls(value: &Value) -> Result<u32, String> {
    whole(value, 1, MOST_CALLS).map(|calls| calls as u32)
}

pub(super) fn tokens(value: &Value) -> Result<u64, String> {
    whole(value, 1, MOST_TOKENS)
}

pub(super) fn seconds(value: &Value) -> Result<u64, String> {
    whole(value, 1, MOST_SECONDS)
}

/// How long a server that is gone is waited for.
pub(super) fn wait(value: &Value) -> Result<u64, String> {
    whole(value, 0, MOST_WAIT)
}

/// How much a model is given.
pub(super) fn context(value: &Value) -> Result<agent::context::Strategy, String> {
    use agent::context::Strategy;
    one_of(value, &Strategy::ALL.map(|one| (one.as_str(), one)))
}

pub(super) fn context_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "enum": or_null(agent::context::Strategy::ALL.map(|one| one.as_str())),
        "default": "relevant",
    })
}

pub(super) fn choice_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "enum": or_null(CHOICES.map(|(name, _)| name)),
        "default": "auto",
    })
}

/// Merges; `ignore` is told what of the workspace would loosen.
pub(super) fn merge(
    user: &Layer,
    workspace: &Layer,
    ignore: &mut dyn FnMut(&str, String),
) -> Planning {
    let default = Caps::default();
    let mut most = |key: &str, own: u64, wish| at_most(key, own, wish, &mut *ignore);
    let steps = most(
        "maxAddedSteps",
        user.max_added_steps.unwrap_or(default.steps).into(),
        workspace.max_added_steps.map(Into::into),
    );
    let calls = most(
        "maxModelCalls",
        user.max_model_calls.unwrap_or(default.calls).into(),
        workspace.max_model_calls.map(Into::into),
    );
    let tokens = most(
        "maxRunTokens",
        user.max_run_tokens.unwrap_or(default.tokens),
        workspace.max_run_tokens,
    );
    let seconds = most(
        "maxRunSeconds",
        user.max_run_seconds.unwrap_or(default.seconds),
        workspace.max_run_seconds,
    );
    Planning {
        // A plan that grows is approved for less than all of its steps: no workspace says so.
        strategy: user.planning_strategy.unwrap_or_default(),
        context: workspace
            .context_strategy
            .or(user.context_strategy)
            .unwrap_or_default(),
        look_ahead: workspace.look_ahead_tasks.or(user.look_ahead_tasks),
        caps: Caps {
            steps: steps as u32,
            calls: calls as u32,
            tokens,
            seconds,
        },
    }
}

//! Options that a person chooses for a single run, which override settings and profile.

use serde::{Deserialize, Serialize};

use super::Strategy;
use crate::context;
use crate::run_limits::RunLimits;

/// The chosen options; where one is absent, settings and profile apply.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunChoice {
    /// When the steps are created; overrides the plan's own setting.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy: Option<Strategy>,
    /// How many steps to request at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub look_ahead: Option<u8>,
    /// How much context a model gets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<context::Strategy>,
    /// Maximum number of steps that the run adds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<u32>,
    /// Maximum number of requests to models.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls: Option<u32>,
    /// Maximum number of tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Maximum active time, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<u64>,
    /// The model that carries out steps; empty for none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The command that carries out steps instead of a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hand_over: Option<HandOverChoice>,
    /// The agent program that carries out the steps itself and asks before each change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<HostChoice>,
}

/// An agent program that carries out a run's steps itself, such as Claude Code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostChoice {
    /// Its name on screen.
    pub agent: String,
    /// The ID that it gave the conversation.
    pub session: String,
}

/// A command from the user's settings that carries out steps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandOverChoice {
    /// The command's name in the settings.
    pub name: String,
    /// The ids of the steps that it carries out; empty for all steps without `call:` lines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tasks: Vec<String>,
}

impl RunChoice {
    /// Whether no option was chosen.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The chosen limits, with the values of `usual` where none was chosen.
    pub fn caps(&self, usual: RunLimits) -> RunLimits {
        RunLimits {
            steps: self.steps.unwrap_or(usual.steps),
            calls: self.calls.unwrap_or(usual.calls),
            tokens: self.tokens.unwrap_or(usual.tokens),
            seconds: self.seconds.unwrap_or(usual.seconds),
        }
    }
}

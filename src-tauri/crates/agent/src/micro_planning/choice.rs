//! What a person chose for one run instead of what settings and profile say.

use serde::{Deserialize, Serialize};

use super::Strategy;
use super::caps::Caps;
use crate::context;

/// The choice; what is absent is as settings and profile say.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunChoice {
    /// When the steps are thought of; goes over what the plan itself says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy: Option<Strategy>,
    /// Steps asked for at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub look_ahead: Option<u8>,
    /// How much a model is given of what is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<context::Strategy>,
    /// Steps that the run may add.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<u32>,
    /// Requests to a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls: Option<u32>,
    /// Tokens of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Seconds of work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<u64>,
    /// The model that carries steps out; empty for none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What steps are handed over to in place of a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hand_over: Option<HandOverChoice>,
}

/// A command of the user's settings that steps are handed over to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandOverChoice {
    /// Its name in the settings.
    pub name: String,
    /// The steps; empty for all without `call:` lines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tasks: Vec<String>,
}

impl RunChoice {
    /// Whether nothing was chosen.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The limits: those chosen, else the usual ones.
    pub fn caps(&self, usual: Caps) -> Caps {
        Caps {
            steps: self.steps.unwrap_or(usual.steps),
            calls: self.calls.unwrap_or(usual.calls),
            tokens: self.tokens.unwrap_or(usual.tokens),
            seconds: self.seconds.unwrap_or(usual.seconds),
        }
    }
}

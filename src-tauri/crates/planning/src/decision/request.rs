//! What is decided on, and what a decision is. Plain data.

use serde::Serialize;
use thiserror::Error;

use super::learning::Statistics;
use super::plugin::{Kind, Plugins};
use super::ranking::Ranked;
use super::signals::Signals;
use crate::intake::Intake;

/// The one choice that a person has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// As the goal and what was learned say.
    #[default]
    Auto,
    /// The cheapest first, the heavy ones not at all.
    Quick,
    /// The thorough ones first.
    Thorough,
}

impl Effort {
    /// Every choice.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Quick, Self::Thorough];

    /// The name on screen, in lower case.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Quick => "quick",
            Self::Thorough => "thorough",
        }
    }

    /// The one of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|effort| effort.as_str() == name)
    }
}

/// The default orders, as the settings give them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Orders {
    /// The planner that is asked first.
    pub planner: String,
    /// Those that are asked after it, in order.
    pub planners: Vec<String>,
    /// Detectors.
    pub detectors: Vec<String>,
    /// KB plugins.
    pub kbs: Vec<String>,
    /// Goal solvers.
    pub solvers: Vec<String>,
}

impl Default for Orders {
    fn default() -> Self {
        let list = |ids: [&str; 3]| ids.map(str::to_owned).to_vec();
        Self {
            planner: "planner-default".to_owned(),
            planners: vec!["planner-default".to_owned(), "planner-depth".to_owned()],
            detectors: list(["sd-symbolic", "sd-llm-fast", "sd-llm-deep"]),
            kbs: list(["kb-fast", "kb-balanced", "kb-thinkingdb"]),
            solvers: list(["gs-symbolic", "gs-llm-fast", "gs-llm-deep"]),
        }
    }
}

impl Orders {
    /// The order of one stage.
    pub fn of(&self, kind: Kind) -> &[String] {
        match kind {
            Kind::Detector => &self.detectors,
            Kind::Kb => &self.kbs,
            Kind::Solver => &self.solvers,
            Kind::Planner => &self.planners,
        }
    }
}

/// What is to be decided.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The goal, read by rules.
    pub intake: &'a Intake,
    /// What the person chose.
    pub effort: Effort,
    /// Plugins that the person named, at most one of each kind.
    pub pins: &'a [String],
    /// The model; `None` where none is configured, or none is to be asked.
    pub model: Option<&'a str>,
    /// The default orders.
    pub orders: &'a Orders,
    /// The plugins that are known.
    pub plugins: &'a Plugins,
    /// What was learned.
    pub statistics: &'a Statistics,
}

/// Why nothing was decided: what was pinned cannot be.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DecisionError {
    /// No plugin of that id.
    #[error("there is no plugin {pin}; the plugins are {known}")]
    Unknown {
        /// What was named.
        pin: String,
        /// All ids.
        known: String,
    },
    /// Two of one kind.
    #[error("{one} and {other} are both a {kind}; pin one of them")]
    Both {
        /// The first.
        one: String,
        /// The second.
        other: String,
        /// Their kind.
        kind: &'static str,
    },
    /// It needs a model.
    #[error(
        "{0} is pinned and needs a model, and none is configured; set PLANWRIGHT_BASE_URL and PLANWRIGHT_MODEL, or pin another plugin"
    )]
    NoModel(String),
}

/// The order of one stage.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stage {
    /// Which.
    pub kind: Kind,
    /// Those to be tried, in order.
    pub candidates: Vec<Ranked>,
    /// Whether the one candidate was pinned by a person.
    pub is_pinned: bool,
    /// Why the order is not that of the scores alone: one sentence each.
    pub notes: Vec<String>,
}

/// What one planner would have tried.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlannerPlan {
    /// The planner, with its score.
    pub planner: Ranked,
    /// Detectors, KB plugins, solvers.
    pub stages: Vec<Stage>,
}

/// What the first choice is expected to take.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Expectation {
    /// Milliseconds.
    pub ms: u64,
    /// Requests to a model.
    pub calls: u32,
    /// Tokens; 0 where nothing is known of them.
    pub tokens: u64,
    /// Plans of this route that were approved, of those that were judged.
    pub accepted: u32,
    /// Plans of this route that were judged.
    pub judged: u32,
    /// Whether outcomes say so; otherwise the plugins say it of themselves.
    pub is_learned: bool,
}

/// What is to be tried for one request.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Decision {
    /// What the person chose.
    pub effort: Effort,
    /// What the goal asks for.
    pub signals: Signals,
    /// The planners, in order; never empty.
    pub planners: Vec<PlannerPlan>,
    /// Why it is so, one sentence each, the weightiest first.
    pub reasons: Vec<String>,
    /// What the first choice is expected to take.
    pub expected: Expectation,
}

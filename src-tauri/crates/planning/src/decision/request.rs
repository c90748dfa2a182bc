//! The input and output of a decision, as plain data.

use serde::Serialize;
use thiserror::Error;

use super::plugin::{Kind, Plugins};
use super::ranking::Ranked;
use super::signals::Signals;
use super::statistics::Statistics;
use crate::intake::Intake;

/// The effort that the user chose.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// Chosen from the goal and the learned statistics.
    #[default]
    Auto,
    /// Try the cheapest plugins first, and no expensive ones.
    Quick,
    /// Try thorough plugins first.
    Thorough,
}

impl Effort {
    /// All values.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Quick, Self::Thorough];

    /// The name in lowercase, as shown on screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Quick => "quick",
            Self::Thorough => "thorough",
        }
    }

    /// The effort with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|effort| effort.as_str() == name)
    }
}

/// The default orders from the settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Orders {
    /// The id of the planner to use first.
    pub planner: String,
    /// The ids of the other planners, in order.
    pub planners: Vec<String>,
    /// The ids of the detectors, in order.
    pub detectors: Vec<String>,
    /// The ids of the KB plugins, in order.
    pub kbs: Vec<String>,
    /// The ids of the goal solvers, in order.
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
    /// The default order of one stage.
    pub fn of(&self, kind: Kind) -> &[String] {
        match kind {
            Kind::Detector => &self.detectors,
            Kind::Kb => &self.kbs,
            Kind::Solver => &self.solvers,
            Kind::Planner => &self.planners,
        }
    }
}

/// The input of a decision.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The goal, parsed by rules.
    pub intake: &'a Intake,
    /// The effort that the user chose.
    pub effort: Effort,
    /// Plugins that the user pinned, at most one of each kind.
    pub pins: &'a [String],
    /// The model's name; `None` if no model is configured or allowed.
    pub model: Option<&'a str>,
    /// The default orders.
    pub orders: &'a Orders,
    /// The known plugins.
    pub plugins: &'a Plugins,
    /// The learned statistics.
    pub statistics: &'a Statistics,
}

/// Why the user's pins are invalid, so that no decision can be made.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DecisionError {
    /// There is no plugin with that id.
    #[error("unknown plugin {pin}; choose one of {known}")]
    Unknown {
        /// The id that the user pinned.
        pin: String,
        /// The ids of all plugins, separated by commas.
        known: String,
    },
    /// Two pins are of the same kind.
    #[error("{one} and {other} are both {kind} plugins; pin only one")]
    Both {
        /// The id of the first pinned plugin.
        one: String,
        /// The id of the second pinned plugin.
        other: String,
        /// The name of both plugins' kind.
        kind: &'static str,
    },
    /// The pinned plugin needs a model, but there is none.
    #[error(
        "{0} is pinned but needs a model, and none is configured; set PLANWRIGHT_BASE_URL and PLANWRIGHT_MODEL, or pin another plugin"
    )]
    NoModel(String),
}

/// One stage of a decision, with the plugins to try.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stage {
    /// The kind of plugins in this stage.
    pub kind: Kind,
    /// The plugins to try, in order.
    pub candidates: Vec<Ranked>,
    /// Whether the user pinned a plugin, which is then the only candidate.
    pub is_pinned: bool,
    /// Why the order differs from the order of the scores, one sentence per reason.
    pub notes: Vec<String>,
}

/// The plugins to try under one planner.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlannerPlan {
    /// The planner, with its score.
    pub planner: Ranked,
    /// The stages: detectors, KB plugins, solvers.
    pub stages: Vec<Stage>,
}

/// What the first choice is expected to cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Expectation {
    /// Expected duration in milliseconds.
    pub ms: u64,
    /// Expected number of model requests.
    pub calls: u32,
    /// Expected number of tokens; 0 if unknown.
    pub tokens: u64,
    /// Number of plans from this route that the user approved.
    pub accepted: u32,
    /// Number of plans from this route that were approved or rejected.
    pub judged: u32,
    /// Whether the values come from outcomes rather than from the plugins' descriptions.
    pub is_learned: bool,
}

/// The decision for one request.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Decision {
    /// The effort that the user chose.
    pub effort: Effort,
    /// The needs of the request, derived from the goal.
    pub signals: Signals,
    /// The planners to use, in order; never empty.
    pub planners: Vec<PlannerPlan>,
    /// The reasons for the decision, one sentence each, most important first.
    pub reasons: Vec<String>,
    /// What the first choice is expected to cost.
    pub expected: Expectation,
}

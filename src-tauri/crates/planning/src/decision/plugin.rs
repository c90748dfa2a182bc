//! What a plugin says of itself.
//!
//! The nine fields of [`PlannerHints`] are those of the described system, under its names. A plugin
//! is described here and carried out elsewhere; nothing is trusted but what was checked by
//! [`Plugins::add`].

use serde::Serialize;
use thiserror::Error;

use super::built_in;
use super::signals::Topic;
use crate::TaskType;

/// What a plugin does for a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Reads the goal.
    Detector,
    /// Gathers what is known of the workspace.
    Kb,
    /// Writes the plan.
    Solver,
    /// Puts the others into an order.
    Planner,
}

impl Kind {
    /// The stages of a request, in order.
    pub const STAGES: [Self; 3] = [Self::Detector, Self::Kb, Self::Solver];

    /// The name in reports and in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Detector => "detector",
            Self::Kb => "kb",
            Self::Solver => "solver",
            Self::Planner => "planner",
        }
    }
}

/// How deep a plugin goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Depth {
    /// It looks at the surface, at once.
    Shallow,
    /// The usual.
    Medium,
    /// It takes its time.
    Deep,
}

/// What a plugin is for among those of its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FallbackRole {
    /// Worth a try, since it costs nearly nothing.
    CheapProbe,
    /// The usual.
    Default,
    /// For what the others did not manage.
    HeavyRecovery,
}

/// How a plugin comes to what it knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EvidenceStyle {
    /// By words as they stand.
    LexicalOnly,
    /// By facts and rules.
    SymbolicFacts,
    /// By several ways together.
    Hybrid,
}

/// What a plugin tells the planners.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlannerHints {
    /// The kinds of request that it handles well; empty where it makes no difference.
    pub supported_acts: Vec<TaskType>,
    /// What it is good at.
    pub topic_tags: Vec<Topic>,
    /// How it comes to what it knows.
    pub evidence_style: Vec<EvidenceStyle>,
    /// How deep it goes.
    pub preferred_depth: Depth,
    /// What it is for.
    pub fallback_role: FallbackRole,
    /// Milliseconds that it takes, until outcomes say it.
    pub expected_latency_ms: u32,
    /// Requests to a model that it takes.
    #[serde(rename = "expectedLLMCalls")]
    pub expected_llm_calls: u32,
    /// 0 to 1.
    pub relative_cost: f64,
    /// 0 to 1: how sure it is of itself where it fits.
    pub confidence_when_matched: f64,
}

/// A plugin as it is described.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Plugin {
    /// Its id, such as `gs-llm-fast`.
    pub id: String,
    /// What it does.
    pub kind: Kind,
    /// In one or two sentences, for people; its words count where a goal has them too.
    pub description: String,
    /// Whether it asks a model.
    pub needs_model: bool,
    /// Requests that are held back for it before it begins.
    pub max_calls: u32,
    /// What it tells the planners.
    #[serde(rename = "plannerHints")]
    pub hints: PlannerHints,
}

/// Why a plugin was not taken in.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PluginError {
    /// One of that name is there.
    #[error("there is a plugin {0} already")]
    Twice(String),
    /// A share that is none.
    #[error("{plugin}: {field} must be a number from 0 to 1")]
    Share {
        /// The plugin.
        plugin: String,
        /// The field of its hints.
        field: &'static str,
    },
}

/// The plugins that are known.
#[derive(Debug, Clone, PartialEq)]
pub struct Plugins(Vec<Plugin>);

impl Plugins {
    /// Those that are built in.
    pub fn built_in() -> Self {
        Self(built_in::all())
    }

    /// Whether a plugin of this id is built in.
    pub(super) fn is_built_in(id: &str) -> bool {
        built_in::IDS.contains(&id)
    }

    /// One more.
    ///
    /// # Errors
    /// [`PluginError`] where its id is taken or its hints cannot be.
    pub fn add(&mut self, plugin: Plugin) -> Result<(), PluginError> {
        if self.get(&plugin.id).is_some() {
            return Err(PluginError::Twice(plugin.id));
        }
        let shares = [
            ("relativeCost", plugin.hints.relative_cost),
            (
                "confidenceWhenMatched",
                plugin.hints.confidence_when_matched,
            ),
        ];
        if let Some((field, _)) = shares
            .iter()
            .find(|(_, share)| !(0.0..=1.0).contains(share))
        {
            let plugin = plugin.id;
            return Err(PluginError::Share { plugin, field });
        }
        self.0.push(plugin);
        Ok(())
    }

    /// The one of this id.
    pub fn get(&self, id: &str) -> Option<&Plugin> {
        self.0.iter().find(|plugin| plugin.id == id)
    }

    /// Those of one kind, as they were taken in.
    pub fn of(&self, kind: Kind) -> impl Iterator<Item = &Plugin> {
        self.0.iter().filter(move |plugin| plugin.kind == kind)
    }

    /// All of them.
    pub fn all(&self) -> &[Plugin] {
        &self.0
    }

    /// Every id.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|plugin| plugin.id.as_str())
    }
}

impl Plugin {
    /// Whether it works by facts and rules alone.
    pub(super) fn is_symbolic(&self) -> bool {
        self.hints.topic_tags.contains(&Topic::Symbolic)
    }

    /// Whether what it knows was come to in this way.
    pub(super) fn has_evidence(&self, style: EvidenceStyle) -> bool {
        self.hints.evidence_style.contains(&style)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plugin_is_taken_in_once_and_with_shares_that_are_such() {
        let mut plugins = Plugins::built_in();
        let fast = plugins.get("gs-llm-fast").cloned();
        let Some(mut other) = fast else {
            panic!("gs-llm-fast is built in");
        };
        assert_eq!(
            plugins.add(other.clone()),
            Err(PluginError::Twice("gs-llm-fast".to_owned()))
        );
        other.id = "gs-mine".to_owned();
        other.hints.relative_cost = f64::NAN;
        assert!(matches!(
            plugins.add(other.clone()),
            Err(PluginError::Share {
                field: "relativeCost",
                ..
            })
        ));
        other.hints.relative_cost = 1.0;
        assert_eq!(plugins.add(other), Ok(()));
        assert_eq!(plugins.of(Kind::Solver).count(), 4);
    }

    #[test]
    fn the_built_in_plugins_are_those_of_the_described_system_and_all_differ() {
        let plugins = Plugins::built_in();
        let ids: Vec<&str> = plugins.ids().collect();
        assert_eq!(ids, built_in::IDS);
        for one in plugins.0.iter().filter(|one| one.kind != Kind::Planner) {
            for other in plugins.of(one.kind).filter(|other| other.id != one.id) {
                assert_ne!(one.hints, other.hints, "{} and {}", one.id, other.id);
                assert_ne!(one.description, other.description);
            }
        }
    }

    #[test]
    fn the_hints_bear_the_names_of_the_described_system() {
        let plugins = Plugins::built_in();
        let Some(plugin) = plugins.get("gs-llm-deep") else {
            panic!("gs-llm-deep is built in");
        };
        let hints = serde_json::to_value(&plugin.hints).unwrap_or_default();
        let mut names: Vec<&str> = hints
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, _)| name.as_str())
            .collect();
        names.sort_unstable();
        assert_eq!(
            names,
            [
                "confidenceWhenMatched",
                "evidenceStyle",
                "expectedLLMCalls",
                "expectedLatencyMs",
                "fallbackRole",
                "preferredDepth",
                "relativeCost",
                "supportedActs",
                "topicTags"
            ]
        );
        assert_eq!(hints["fallbackRole"], "heavy-recovery");
    }
}

//! Descriptions of plugins.
//!
//! The nine fields of [`PlannerHints`] have the names used by the reference system. Plugins are
//! only described here and run elsewhere.

use serde::Serialize;

use super::built_in;
use super::signals::Topic;
use crate::TaskType;

/// A plugin's role in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Reads the goal.
    Detector,
    /// Gathers context from the workspace.
    Kb,
    /// Writes the plan.
    Solver,
    /// Decides the order of the other plugins.
    Planner,
}

impl Kind {
    /// The stages of a request, in order.
    pub const STAGES: [Self; 3] = [Self::Detector, Self::Kb, Self::Solver];

    /// The name used in reports and in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Detector => "detector",
            Self::Kb => "kb",
            Self::Solver => "solver",
            Self::Planner => "planner",
        }
    }
}

/// How thorough a plugin is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Depth {
    /// Superficial, with an immediate result.
    Shallow,
    /// Moderately thorough.
    Medium,
    /// Thorough and slow.
    Deep,
}

/// When a plugin should be tried, compared with others of its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FallbackRole {
    /// Worth trying first, since it costs almost nothing.
    CheapProbe,
    /// The normal choice.
    Default,
    /// A fallback when the others fail.
    HeavyRecovery,
}

/// What a plugin's results are based on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EvidenceStyle {
    /// Literal word matches.
    LexicalOnly,
    /// Facts, to which rules are applied.
    SymbolicFacts,
    /// A combination of several methods.
    Hybrid,
}

/// Hints from a plugin to the planners.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlannerHints {
    /// The kinds of request that it handles well; empty if it handles all kinds alike.
    pub supported_acts: Vec<TaskType>,
    /// The topics that it handles well.
    pub topic_tags: Vec<Topic>,
    /// What its results are based on.
    pub evidence_style: Vec<EvidenceStyle>,
    /// How thorough it is.
    pub preferred_depth: Depth,
    /// When it should be tried, compared with others of its kind.
    pub fallback_role: FallbackRole,
    /// Expected duration in milliseconds, until outcomes are known.
    pub expected_latency_ms: u32,
    /// Expected number of model requests.
    #[serde(rename = "expectedLLMCalls")]
    pub expected_llm_calls: u32,
    /// Relative cost, 0 to 1.
    pub relative_cost: f64,
    /// Its confidence if a request fits it, 0 to 1.
    pub confidence_when_matched: f64,
}

/// The description of a plugin.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Plugin {
    /// Its id, such as `gs-llm-fast`.
    pub id: String,
    /// Its role in a request.
    pub kind: Kind,
    /// One or two sentences for people; its words are also matched against the goal.
    pub description: String,
    /// Whether it uses a model.
    pub needs_model: bool,
    /// Model requests that must be left in the budget before it starts.
    pub max_calls: u32,
    /// Its hints to the planners.
    #[serde(rename = "plannerHints")]
    pub hints: PlannerHints,
}

/// The known plugins.
#[derive(Debug, Clone, PartialEq)]
pub struct Plugins(Vec<Plugin>);

impl Plugins {
    /// The built-in plugins.
    pub fn built_in() -> Self {
        Self(built_in::all())
    }

    /// The built-in plugins and the solver that asks another agent.
    pub fn with_agent() -> Self {
        let mut all = built_in::all();
        all.push(built_in::agent());
        Self(all)
    }

    /// The plugin with this id.
    pub fn get(&self, id: &str) -> Option<&Plugin> {
        self.0.iter().find(|plugin| plugin.id == id)
    }

    /// The plugins of one kind, from cheap to expensive.
    pub fn of(&self, kind: Kind) -> impl Iterator<Item = &Plugin> {
        self.0.iter().filter(move |plugin| plugin.kind == kind)
    }

    /// All plugins.
    pub fn all(&self) -> &[Plugin] {
        &self.0
    }

    /// All ids.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|plugin| plugin.id.as_str())
    }
}

impl Plugin {
    /// Whether it handles [`Topic::Symbolic`] requests well.
    pub(super) fn is_symbolic(&self) -> bool {
        self.hints.topic_tags.contains(&Topic::Symbolic)
    }

    /// Whether its results are based on this kind of evidence.
    pub(super) fn has_evidence(&self, style: EvidenceStyle) -> bool {
        self.hints.evidence_style.contains(&style)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_plugins_are_those_of_the_reference_system_and_all_differ() {
        let plugins = Plugins::built_in();
        let ids: Vec<&str> = plugins.ids().collect();
        assert_eq!(
            ids.join(" "),
            "sd-symbolic sd-llm-fast sd-llm-deep kb-fast kb-balanced kb-thinkingdb \
             gs-symbolic gs-llm-fast gs-llm-deep planner-default planner-depth"
        );
        for plugin in plugins.all() {
            let hints = &plugin.hints;
            let shares = [hints.relative_cost, hints.confidence_when_matched];
            assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)));
        }
        for one in plugins.0.iter().filter(|one| one.kind != Kind::Planner) {
            for other in plugins.of(one.kind).filter(|other| other.id != one.id) {
                assert_ne!(one.hints, other.hints, "{} and {}", one.id, other.id);
                assert_ne!(one.description, other.description);
            }
        }
    }

    #[test]
    fn another_agent_is_asked_only_where_it_is_wanted() {
        let agent = crate::decision::AGENT_SOLVER;
        assert!(Plugins::built_in().get(agent).is_none());
        let plugins = Plugins::with_agent();
        let solver = plugins.get(agent).map(|plugin| plugin.needs_model);
        assert_eq!(solver, Some(false));
    }

    #[test]
    fn the_hints_have_the_names_of_the_reference_system() {
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

//! The eleven built-in plugins, under the ids of the reference system.
//!
//! Latencies and costs apply until outcomes are known. How fast and deep variants actually differ
//! is up to their implementations: different questions, more context, more requests. All plugins
//! share the topics that most goals have, so that these never favor an expensive plugin. Rules and
//! file names can't handle legal and literary topics; only text search and models list them.

use super::plugin::{Depth, EvidenceStyle, FallbackRole, Kind, PlannerHints, Plugin};
use super::signals::Topic;
use crate::TaskType;

/// Their ids, by kind and from cheap to expensive.
pub(super) const IDS: [&str; 11] = [
    "sd-symbolic",
    "sd-llm-fast",
    "sd-llm-deep",
    "kb-fast",
    "kb-balanced",
    "kb-thinkingdb",
    "gs-symbolic",
    "gs-llm-fast",
    "gs-llm-deep",
    "planner-default",
    "planner-depth",
];

/// The metrics of one plugin, in the order of [`PlannerHints`].
struct Measures {
    latency_ms: u32,
    calls: u32,
    cost: f64,
    confidence: f64,
}

pub(super) fn all() -> Vec<Plugin> {
    use EvidenceStyle::{Hybrid, LexicalOnly, SymbolicFacts};
    use Topic::{Legal, Literature, Procedural, Symbolic, Technical};
    vec![
        plugin(
            "sd-symbolic",
            Kind::Detector,
            "Reads the goal by rules: its kind, requirements, constraints and the paths it names. No model, at once.",
            0,
            (&[Technical, Symbolic], &[SymbolicFacts], Depth::Shallow),
            Measures {
                latency_ms: 30,
                calls: 0,
                cost: 0.05,
                confidence: 0.82,
            },
        ),
        plugin(
            "sd-llm-fast",
            Kind::Detector,
            "Has a model take a goal apart that rules leave in one piece: a long one, or one in another language.",
            2,
            (&[Technical], &[LexicalOnly], Depth::Medium),
            Measures {
                latency_ms: 800,
                calls: 1,
                cost: 0.35,
                confidence: 0.72,
            },
        ),
        plugin(
            "sd-llm-deep",
            Kind::Detector,
            "Has a model read the goal against the workspace: what it needs and does not say, what it leaves open, what has to be assumed.",
            2,
            (&[Technical, Legal, Literature], &[Hybrid], Depth::Deep),
            Measures {
                latency_ms: 1_800,
                calls: 1,
                cost: 0.75,
                confidence: 0.80,
            },
        ),
        plugin(
            "kb-fast",
            Kind::Kb,
            "The folder's files, those that the goal names, and where its names stand.",
            0,
            (&[Technical], &[LexicalOnly], Depth::Shallow),
            Measures {
                latency_ms: 50,
                calls: 0,
                cost: 0.08,
                confidence: 0.70,
            },
        ),
        plugin(
            "kb-balanced",
            Kind::Kb,
            "The same and a ranked search over all files and the names that they define, for goals that name no file.",
            0,
            (&[Technical, Legal, Literature], &[Hybrid], Depth::Medium),
            Measures {
                latency_ms: 120,
                calls: 0,
                cost: 0.22,
                confidence: 0.76,
            },
        ),
        plugin(
            "kb-thinkingdb",
            Kind::Kb,
            "The same and what earlier runs left: facts, decisions, outcomes, and which files hang together.",
            0,
            (
                &[Technical, Legal, Literature],
                &[SymbolicFacts],
                Depth::Deep,
            ),
            Measures {
                latency_ms: 220,
                calls: 0,
                cost: 0.35,
                confidence: 0.84,
            },
        ),
        plugin(
            "gs-symbolic",
            Kind::Solver,
            "Writes the plan from a template and rules: renames, dependency updates and other usual jobs, with exact edits. No model.",
            0,
            (
                &[Technical, Symbolic, Procedural],
                &[SymbolicFacts],
                Depth::Shallow,
            ),
            Measures {
                latency_ms: 25,
                calls: 0,
                cost: 0.05,
                confidence: 0.78,
            },
        ),
        plugin(
            "gs-llm-fast",
            Kind::Solver,
            "Has a model write the steps in one request, in the form that it manages; once more, smaller, where that fails.",
            2,
            (
                &[Technical, Legal, Literature],
                &[LexicalOnly],
                Depth::Medium,
            ),
            Measures {
                latency_ms: 900,
                calls: 1,
                cost: 0.40,
                confidence: 0.74,
            },
        ),
        plugin(
            "gs-llm-deep",
            Kind::Solver,
            "Has a model draft with more of the workspace in view, look for gaps, and fill them in bounded rounds.",
            6,
            (&[Technical, Legal, Literature], &[Hybrid], Depth::Deep),
            Measures {
                latency_ms: 2_200,
                calls: 1,
                cost: 0.78,
                confidence: 0.82,
            },
        ),
        plugin(
            "planner-default",
            Kind::Planner,
            "Cheap first: what costs least is tried first, and more only where that does not do.",
            0,
            (&[], &[], Depth::Medium),
            Measures {
                latency_ms: 1,
                calls: 0,
                cost: 0.0,
                confidence: 0.5,
            },
        ),
        plugin(
            "planner-depth",
            Kind::Planner,
            "Heavy first: the thorough ones are tried first, for hard goals and where cheap first failed.",
            0,
            (&[], &[], Depth::Deep),
            Measures {
                latency_ms: 1,
                calls: 0,
                cost: 0.0,
                confidence: 0.5,
            },
        ),
    ]
}

fn plugin(
    id: &str,
    kind: Kind,
    description: &str,
    max_calls: u32,
    (topics, evidence, depth): (&[Topic], &[EvidenceStyle], Depth),
    measures: Measures,
) -> Plugin {
    Plugin {
        id: id.to_owned(),
        kind,
        description: description.to_owned(),
        needs_model: max_calls > 0,
        max_calls,
        hints: PlannerHints {
            supported_acts: match kind {
                Kind::Planner => Vec::new(),
                Kind::Detector | Kind::Kb | Kind::Solver => TaskType::ALL.to_vec(),
            },
            topic_tags: topics.to_vec(),
            evidence_style: evidence.to_vec(),
            preferred_depth: depth,
            fallback_role: match depth {
                Depth::Shallow => FallbackRole::CheapProbe,
                Depth::Medium => FallbackRole::Default,
                Depth::Deep => FallbackRole::HeavyRecovery,
            },
            expected_latency_ms: measures.latency_ms,
            expected_llm_calls: measures.calls,
            relative_cost: measures.cost,
            confidence_when_matched: measures.confidence,
        },
    }
}

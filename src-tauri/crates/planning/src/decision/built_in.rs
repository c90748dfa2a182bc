//! The eleven built-in plugins, under the ids of the reference system, and the one that asks
//! another agent.
//!
//! Latencies and costs apply until outcomes are known. How the fast and the deep variant of a
//! plugin differ is up to their implementations: in the questions, the context or the number of
//! requests. All plugins share the topics that most goals have, so that these never favor an
//! expensive plugin. Rules and file names can't handle legal and literary topics; only text search
//! and models list them.

use Depth::{Deep, Medium, Shallow};
use EvidenceStyle::{Hybrid, LexicalOnly, SymbolicFacts};
use Kind::{Detector, Kb, Planner, Solver};

use super::plugin::{Depth, EvidenceStyle, FallbackRole, Kind, PlannerHints, Plugin};
use super::signals::Topic;
use crate::TaskType;

/// A plugin: its id, kind, depth, evidence and topics; the maximum number of requests; the expected
/// latency in ms, requests, relative cost and confidence; the description.
type Row = (
    &'static str,
    Kind,
    Depth,
    &'static [EvidenceStyle],
    &'static [Topic],
    u32,
    (u32, u32, f64, f64),
    &'static str,
);

const CODE: &[Topic] = &[Topic::Technical];
const RULES: &[Topic] = &[Topic::Technical, Topic::Symbolic];
const JOBS: &[Topic] = &[Topic::Technical, Topic::Symbolic, Topic::Procedural];
const TEXTS: &[Topic] = &[Topic::Technical, Topic::Legal, Topic::Literature];

/// The plugins by kind, from cheap to expensive.
#[rustfmt::skip]
const PLUGINS: [Row; 11] = [
    ("sd-symbolic", Detector, Shallow, &[SymbolicFacts], RULES, 0, (30, 0, 0.05, 0.82),
        "Reads the goal with rules: its kind, requirements, constraints and the paths it names. Instant, no model."),
    ("sd-llm-fast", Detector, Medium, &[LexicalOnly], CODE, 2, (800, 1, 0.35, 0.72),
        "Uses a model to split a goal that rules leave in one piece: a long one, or one in another language."),
    ("sd-llm-deep", Detector, Deep, &[Hybrid], TEXTS, 2, (1_800, 1, 0.75, 0.80),
        "Uses a model to compare the goal with the workspace: unstated needs, open questions, assumptions."),
    ("kb-fast", Kb, Shallow, &[LexicalOnly], CODE, 0, (50, 0, 0.08, 0.70),
        "The folder's files, the files the goal names, and where its names occur."),
    ("kb-balanced", Kb, Medium, &[Hybrid], TEXTS, 0, (120, 0, 0.22, 0.76),
        "The same, plus a ranked search over all files and the names they define, for goals that name no file."),
    ("kb-thinkingdb", Kb, Deep, &[SymbolicFacts], TEXTS, 0, (220, 0, 0.35, 0.84),
        "The same, plus facts, decisions and outcomes from earlier runs, and which files are related."),
    ("gs-symbolic", Solver, Shallow, &[SymbolicFacts], JOBS, 0, (25, 0, 0.05, 0.78),
        "Writes the plan from a template and rules, with exact edits: renames, dependency updates and other common jobs. No model."),
    ("gs-llm-fast", Solver, Medium, &[LexicalOnly], TEXTS, 2, (900, 1, 0.40, 0.74),
        "Uses a model to write the steps in one request. If that fails, retries once in a simpler form."),
    ("gs-llm-deep", Solver, Deep, &[Hybrid], TEXTS, 6, (2_200, 1, 0.78, 0.82),
        "Uses a model to draft with more of the workspace in view, look for gaps, and fill them in a few rounds."),
    ("planner-default", Planner, Medium, &[], &[], 0, (1, 0, 0.0, 0.5),
        "Cheap first: starts with the cheapest plugins and escalates if needed."),
    ("planner-depth", Planner, Deep, &[], &[], 0, (1, 0, 0.0, 0.5),
        "Thorough first: starts with the most thorough plugins, for hard goals or after cheap first failed."),
];

/// Only tried if a person names an agent.
#[rustfmt::skip]
const AGENT: Row =
    (super::AGENT_SOLVER, Solver, Deep, &[Hybrid], TEXTS, 0, (60_000, 0, 0.90, 0.80),
        "Has another coding agent explore the workspace in its plan mode and write the plan.");

pub(super) fn all() -> Vec<Plugin> {
    PLUGINS.iter().map(plugin).collect()
}

pub(super) fn agent() -> Plugin {
    plugin(&AGENT)
}

fn plugin(row: &Row) -> Plugin {
    let (id, kind, depth, evidence, topics, max_calls, expected, description) = *row;
    let (latency_ms, calls, cost, confidence) = expected;
    Plugin {
        id: id.to_owned(),
        kind,
        description: description.to_owned(),
        needs_model: max_calls > 0,
        max_calls,
        hints: PlannerHints {
            supported_acts: match kind {
                Planner => Vec::new(),
                Detector | Kb | Solver => TaskType::ALL.to_vec(),
            },
            topic_tags: topics.to_vec(),
            evidence_style: evidence.to_vec(),
            preferred_depth: depth,
            fallback_role: match depth {
                Shallow => FallbackRole::CheapProbe,
                Medium => FallbackRole::Default,
                Deep => FallbackRole::HeavyRecovery,
            },
            expected_latency_ms: latency_ms,
            expected_llm_calls: calls,
            relative_cost: cost,
            confidence_when_matched: confidence,
        },
    }
}

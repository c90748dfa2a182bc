//! Ranks the plugins of one kind by a sum of terms.
//!
//! The terms are those of the reference system: learned utility, place in the default order,
//! support for this kind of request and its topics, requested depth and speed, evidence,
//! confidence, cost, and words shared by the description and the goal. Plugins with higher scores
//! are tried first; ties are broken by the default order, then by name.

use std::cmp::Ordering;

use serde::Serialize;

use super::plugin::{Depth, EvidenceStyle, FallbackRole, Kind, Plugin};
use super::signals::Signals;
use super::statistics::{Figures, cold_planner_utility, cold_utility};

/// A term of a score.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Term {
    /// The term's name: `learned`, `place`, `kind`, …
    pub name: &'static str,
    /// How much it adds to the score.
    pub value: f64,
    /// Why the term applies, as a phrase.
    pub why: String,
}

/// A ranked plugin.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ranked {
    /// The plugin's id.
    pub plugin: String,
    /// Its score, the sum of the terms.
    pub score: f64,
    /// The nonzero terms.
    pub terms: Vec<Term>,
}

/// Ranks plugins of one kind. `order` is the default order by id; `figures` returns the learned
/// statistics.
pub fn rank(
    plugins: &[&Plugin],
    order: &[String],
    signals: &Signals,
    figures: &dyn Fn(&str) -> Option<Figures>,
) -> Vec<Ranked> {
    let place = |id: &str| order.iter().position(|known| known == id);
    let mut ranked: Vec<Ranked> = plugins
        .iter()
        .map(|plugin| {
            let terms = terms(plugin, place(&plugin.id), signals, figures(&plugin.id));
            let score = rounded(terms.iter().map(|term| term.value).sum());
            Ranked {
                plugin: plugin.id.clone(),
                score,
                terms,
            }
        })
        .collect();
    ranked.sort_by(|one, other| {
        other
            .score
            .total_cmp(&one.score)
            .then_with(|| by_place(place(&one.plugin), place(&other.plugin)))
            .then_with(|| one.plugin.cmp(&other.plugin))
    });
    ranked
}

/// Ranks the planners by learned utility; ties keep their order.
pub fn rank_planners(order: &[String], figures: &dyn Fn(&str) -> Option<Figures>) -> Vec<Ranked> {
    let mut ranked: Vec<Ranked> = order
        .iter()
        .map(|id| {
            let (value, why) = match figures(id).filter(Figures::counts) {
                Some(figures) => (figures.planner_utility(), summary(&figures)),
                None => (cold_planner_utility(), NO_OUTCOMES.to_owned()),
            };
            let value = rounded(value);
            Ranked {
                plugin: id.clone(),
                score: value,
                terms: vec![Term {
                    name: "learned",
                    value,
                    why,
                }],
            }
        })
        .collect();
    // The sort is stable: ties keep the configured order.
    ranked.sort_by(|one, other| other.score.total_cmp(&one.score));
    ranked
}

const NO_OUTCOMES: &str = "default value: fewer than 5 outcomes for this kind of goal";

fn by_place(one: Option<usize>, other: Option<usize>) -> Ordering {
    match (one, other) {
        (Some(one), Some(other)) => one.cmp(&other),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    }
}

/// Rounds to nine decimal places, so that the order of summation makes no difference.
fn rounded(value: f64) -> f64 {
    (value * 1e9).round() / 1e9
}

fn summary(figures: &Figures) -> String {
    format!(
        "{} of {} succeeded; estimated success {:.2}, about {:.1} s",
        figures.successes,
        figures.attempts,
        figures.success_ewma,
        figures.latency_ms_ewma / 1_000.0
    )
}

fn terms(
    plugin: &Plugin,
    place: Option<usize>,
    signals: &Signals,
    figures: Option<Figures>,
) -> Vec<Term> {
    let mut all = Terms(Vec::new());
    match figures.filter(Figures::counts) {
        Some(figures) => all.add("learned", figures.utility(), summary(&figures)),
        None => all.add("learned", cold_utility(), NO_OUTCOMES.to_owned()),
    }
    match place {
        Some(at) => all.add(
            "place",
            (0.18 - 0.04 * at as f64).max(0.0),
            format!("number {} in the default order", at + 1),
        ),
        None => all.add("place", -0.02, "not in the default order".to_owned()),
    }
    let hints = &plugin.hints;
    let act = signals.act.as_str();
    if hints.supported_acts.contains(&signals.act) {
        all.add("kind", 0.24, format!("handles {act} goals"));
    } else if !hints.supported_acts.is_empty() {
        all.add("kind", -0.04, format!("isn't made for {act} goals"));
    }
    for topic in signals
        .topics
        .iter()
        .filter(|topic| hints.topic_tags.contains(topic))
    {
        all.add(
            "topic",
            0.08,
            format!("matches the topic {}", topic.as_str()),
        );
    }
    depth_and_speed(&mut all, plugin, signals);
    if let Some(why) = signals.symbolic.as_ref().filter(|_| plugin.is_symbolic()) {
        all.add("rules", 0.12, format!("rules apply: {why}"));
    }
    if let Some(why) = signals
        .retrieval
        .as_ref()
        .filter(|_| plugin.kind == Kind::Kb)
    {
        let why = || format!("needs a broad search: {why}");
        if plugin.has_evidence(EvidenceStyle::Hybrid) {
            all.add("evidence", 0.10, why());
        }
        if plugin.has_evidence(EvidenceStyle::SymbolicFacts) {
            all.add("evidence", 0.08, why());
        }
    }
    let is_for_procedures = hints.topic_tags.contains(&super::Topic::Procedural);
    if signals.is_procedure && plugin.kind == Kind::Solver && is_for_procedures {
        all.add(
            "procedure",
            0.08,
            "the goal asks for a procedure".to_owned(),
        );
    }
    all.add(
        "confidence",
        0.1 * hints.confidence_when_matched,
        format!("confidence {:.2}", hints.confidence_when_matched),
    );
    let calls = hints.expected_llm_calls;
    all.add(
        "requests",
        -0.03 * f64::from(calls),
        format!("expected model requests: {calls}"),
    );
    let description = plugin.description.to_lowercase();
    let shared: Vec<&str> = signals
        .words
        .iter()
        .map(String::as_str)
        .filter(|word| contains_word(&description, word))
        .collect();
    all.add(
        "words",
        (0.03 * shared.len() as f64).min(0.15),
        format!("description mentions {}", shared.join(", ")),
    );
    all.0
}

fn depth_and_speed(all: &mut Terms, plugin: &Plugin, signals: &Signals) {
    let hints = &plugin.hints;
    if let Some(why) = &signals.wants_depth {
        if hints.preferred_depth == Depth::Deep {
            all.add("depth", 0.16, format!("plans in depth: {why}"));
        }
        if hints.fallback_role == FallbackRole::HeavyRecovery {
            all.add("depth", 0.08, format!("made for hard goals: {why}"));
        }
    }
    if let Some(why) = &signals.wants_speed {
        if hints.fallback_role == FallbackRole::CheapProbe {
            all.add("speed", 0.12, format!("cheap to try: {why}"));
        }
        let cost = hints.relative_cost;
        all.add(
            "speed",
            -0.25 * cost,
            format!("relative cost {cost:.2}: {why}"),
        );
        let ms = hints.expected_latency_ms;
        all.add(
            "speed",
            -(f64::from(ms) / 5_000.0).min(0.15),
            format!("takes about {ms} ms: {why}"),
        );
    }
}

/// Whether a description contains a word as a whole word.
fn contains_word(description: &str, word: &str) -> bool {
    description
        .split(|c: char| !(c.is_alphanumeric() || c == '-'))
        .any(|known| known == word)
}

struct Terms(Vec<Term>);

impl Terms {
    /// Adds a term unless it is zero.
    fn add(&mut self, name: &'static str, value: f64, why: String) {
        let value = rounded(value);
        if value != 0.0 {
            self.0.push(Term { name, value, why });
        }
    }
}

#[cfg(test)]
mod tests;

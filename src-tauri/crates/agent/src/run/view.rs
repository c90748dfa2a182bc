//! The plan as a run reads it: parsed, with its order and with what the approval does not cover.

use std::collections::BTreeMap;

use plan::graph::Graph;
use plan::{Plan, TaskId, coverage};

use super::Config;

/// The plan as last read.
#[derive(Debug)]
pub(super) struct PlanView {
    pub(super) plan: Plan,
    pub(super) graph: Graph,
    pub(super) revision: String,
    pub(super) fingerprints: BTreeMap<TaskId, String>,
    pub(super) uncovered: BTreeMap<TaskId, String>,
    /// The text, for plans that grow; else empty.
    pub(super) text: String,
}

impl PlanView {
    pub(super) fn read(
        text: &str,
        revision: String,
        covered: &BTreeMap<String, String>,
        config: &Config,
    ) -> Self {
        let (plan, _) = plan::parse(text);
        let graph = Graph::of(&plan);
        let fingerprints = fingerprints(text, &plan);
        let approved = covered
            .iter()
            .map(|(id, print)| (TaskId(id.clone()), coverage::Fingerprint(print.clone())))
            .collect();
        let uncovered = coverage::uncovered(&approved, text, &plan)
            .into_iter()
            .map(|found| (found.task, found.reason.to_string()))
            .collect();
        let text = match config.may_grow(&plan) {
            true => text.to_owned(),
            false => String::new(),
        };
        Self {
            plan,
            graph,
            revision,
            fingerprints,
            uncovered,
            text,
        }
    }
}

/// The fingerprint of every step of a plan, as the journal stores them.
pub fn fingerprints(text: &str, plan: &Plan) -> BTreeMap<TaskId, String> {
    coverage::fingerprints(text, plan)
        .into_iter()
        .map(|(id, print)| (id, print.0))
        .collect()
}

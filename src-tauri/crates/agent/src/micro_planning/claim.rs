//! A model's claim that the goal is reached, and the checks that confirm or refute it.

use plan::graph::Graph;
use plan::{By, Plan, Task, TaskKind};
use serde::{Deserialize, Serialize};

/// The conditions for the goal to count as reached, taken from the plan when the claim was made.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// Commands to run, in order and without duplicates: the project's own checks, followed by the
    /// checks of the steps.
    pub checks: Vec<String>,
    /// What is still open in the plan, one sentence for each item.
    pub open: Vec<String>,
}

/// The outcome of one command of a claim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checked {
    /// The command line.
    pub command: String,
    /// Whether it succeeded.
    pub is_ok: bool,
    /// The end of its output, for the model.
    pub said: String,
}

/// The verdict on a claim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// All checks succeeded, and nothing is open.
    Reached,
    /// Nothing is open, but there was no check to confirm it: a person decides, in a separate step
    /// ([`NewStep::closing`](super::NewStep::closing)).
    Unverified,
    /// The goal is not reached.
    NotReached {
        /// The reasons, one sentence each, for the model's next request and the screen.
        because: Vec<String>,
    },
}

impl Claim {
    /// The conditions for this plan. `project` contains the checks in the workspace's settings.
    pub fn of(plan: &Plan, project: &[String]) -> Self {
        let mut checks: Vec<String> = Vec::new();
        let of_steps = plan
            .leaves()
            .filter(|(_, task)| task.done && task.by != By::Person)
            .flat_map(|(_, task)| &task.verify);
        for command in project.iter().chain(of_steps) {
            let command = command.trim();
            if !command.is_empty() && !checks.iter().any(|known| known == command) {
                checks.push(command.to_owned());
            }
        }
        Self {
            checks,
            open: open(plan),
        }
    }

    /// Judges the claim. Commands that were not run count as failed.
    pub fn judge(&self, checked: &[Checked]) -> Verdict {
        let mut because = self.open.clone();
        for command in &self.checks {
            match checked.iter().find(|found| found.command == *command) {
                Some(found) if found.is_ok => {}
                Some(found) => {
                    let said = crate::envelope::one_line(&found.said, 400);
                    because.push(format!("`{command}` fails: {said}"));
                }
                None => because.push(format!("`{command}` was not run")),
            }
        }
        match (because.is_empty(), self.checks.is_empty()) {
            (false, _) => Verdict::NotReached { because },
            (true, true) => Verdict::Unverified,
            (true, false) => Verdict::Reached,
        }
    }
}

/// The steps that are neither done nor skipped, and the requirements that no completed step covers.
fn open(plan: &Plan) -> Vec<String> {
    let graph = Graph::of(plan);
    let left_out = |index: usize| {
        let answer = |decision: &Task| plan.recorded_answer(decision);
        graph.skipped_by(plan, index, answer).is_some()
    };
    let mut open: Vec<String> = plan
        .leaves()
        .filter(|(index, task)| {
            !task.done && task.skipped.is_none() && !task.optional && !left_out(*index)
        })
        .map(|(_, task)| match task.kind {
            TaskKind::Decision => format!("{} is not decided: {}", task.id, task.title),
            _ => format!("{} is not done: {}", task.id, task.title),
        })
        .collect();
    for requirement in &plan.requirements {
        let mut done = plan.leaves().filter(|(_, task)| task.done);
        if !done.any(|(_, task)| task.covers.contains(&requirement.id)) {
            open.push(format!(
                "no completed step covers {}: {}",
                requirement.id, requirement.text
            ));
        }
    }
    open
}

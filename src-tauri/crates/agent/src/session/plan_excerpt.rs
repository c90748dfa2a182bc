//! Abridges a long plan to the current step, its neighbors in the graph, and the number of other
//! steps.
//!
//! The size of the excerpt doesn't depend on the size of the plan. Everything in the excerpt comes
//! from the plan.

use plan::graph::Graph;
use plan::{Plan, TaskId};

use super::entry::Extent;
use super::request::{BYTES_OF_A_TOKEN, Profile, tokens};
use crate::envelope::{clipped, one_line};

/// Maximum number of tokens in an excerpt.
pub const EXCERPT_TOKENS: usize = 400;

/// Maximum number of bytes in an excerpt, which leaves room for the envelope.
const EXCERPT_BYTES: usize = EXCERPT_TOKENS * BYTES_OF_A_TOKEN - 200;

/// Maximum number of neighbors listed on each side.
const NEIGHBOURS: usize = 4;

/// The plan as shown in a message: complete if it is small enough, otherwise as an excerpt.
pub fn fitting(text: &str, profile: &Profile) -> (Extent, String) {
    if tokens(text) <= profile.whole_plan() {
        (Extent::Whole, text.to_owned())
    } else {
        (Extent::Window, excerpt(text))
    }
}

/// An excerpt of a plan.
pub fn excerpt(text: &str) -> String {
    let (plan, _) = plan::parse(text);
    let graph = Graph::of(&plan);
    let (done, total) = plan.counted();
    let mut lines = Vec::new();
    if let Some(goal) = plan.goal() {
        lines.push(format!("Goal: {}", one_line(goal, 160)));
    }
    lines.push(format!("{done} of {total} tasks done."));
    if let Some(at) = current(&plan, &graph) {
        let task = &plan.tasks[at];
        let own = text.get(task.span.clone()).unwrap_or_default();
        lines.push(format!("Next:\n{}", clipped(own.trim_end(), 480)));
        let before = named(&plan, graph.waits_for(at));
        if !before.is_empty() {
            lines.push(format!("It depends on {before}."));
        }
        let after: Vec<usize> = plan
            .leaves()
            .map(|(leaf, _)| leaf)
            .filter(|leaf| graph.waits_for(*leaf).contains(&at))
            .take(NEIGHBOURS + 1)
            .collect();
        if !after.is_empty() {
            lines.push(format!("After it: {}.", named(&plan, &after)));
        }
    }
    // The hint about reading the rest must never be cut off.
    const HOW: &str = "The plan is long; read_plan {\"task\": \"<id>\"} shows one task.";
    let body = clipped(&lines.join("\n"), EXCERPT_BYTES - HOW.len() - 1);
    format!("{body}\n{HOW}")
}

/// The first open step that has no open dependencies; if there is none, the first open step.
fn current(plan: &Plan, graph: &Graph) -> Option<usize> {
    let is_closed = |at: usize| {
        let task = &plan.tasks[at];
        task.done || task.skipped.is_some()
    };
    let open = || plan.leaves().map(|(at, _)| at).filter(|at| !is_closed(*at));
    open()
        .find(|at| graph.waits_for(*at).iter().all(|before| is_closed(*before)))
        .or_else(|| open().next())
}

fn named(plan: &Plan, tasks: &[usize]) -> String {
    let mut names: Vec<String> = tasks
        .iter()
        .take(NEIGHBOURS)
        .map(|at| {
            let task = &plan.tasks[*at];
            let done = if task.done { ", done" } else { "" };
            format!("{} “{}”{done}", task.id, one_line(&task.title, 50))
        })
        .collect();
    if tasks.len() > NEIGHBOURS {
        names.push(format!("{} more", tasks.len() - NEIGHBOURS));
    }
    names.join("; ")
}

/// The answer to `read_plan`: the lines of one task, or as much of the plan as fits. Also returns
/// whether it contains the whole text. Fails with a message to the model if the plan is empty or
/// has no such task.
pub fn read(text: &str, task: Option<&str>, profile: &Profile) -> Result<(String, bool), String> {
    let Some(id) = task else {
        if text.trim().is_empty() {
            return Err("The plan file is empty. Write it with edit_plan.".to_owned());
        }
        let (extent, shown) = fitting(text, profile);
        return Ok((shown, extent == Extent::Whole));
    };
    let (plan, _) = plan::parse(text);
    let found = plan
        .task(&TaskId::from(id.trim()))
        .and_then(|task| text.get(task.span.clone()));
    match found {
        Some(own) => Ok((own.to_owned(), false)),
        None => Err(no_such_task(&plan, id)),
    }
}

/// The message to a model that names a task that doesn't exist.
pub(crate) fn no_such_task(plan: &Plan, id: &str) -> String {
    const NAMED: usize = 20;
    let mut names: Vec<&str> = plan
        .tasks
        .iter()
        .map(|task| task.id.as_str())
        .take(NAMED)
        .collect();
    if plan.tasks.len() > NAMED {
        names.push("…");
    }
    let id = one_line(id, 40);
    if names.is_empty() {
        return "The plan has no tasks yet. Write them with edit_plan.".to_owned();
    }
    format!(
        "The plan has no task {id}. Its tasks are {}.",
        names.join(", ")
    )
}

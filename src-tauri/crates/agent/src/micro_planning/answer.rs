//! Parses and validates a planning model's answer.

use plan::{Plan, Task, ToolName};

use super::MAX_LOOK_AHEAD;
use super::gist::Gist;
use super::new_step::NewStep;
use crate::context::paths_in;
use repair::{Fault, FaultKind, Repair, Step, Tools, read_steps};

const MAX_PARTS: usize = 6;

/// The data that an answer is validated against.
#[derive(Clone, Copy)]
pub struct AnswerContext<'a> {
    /// The current plan.
    pub plan: &'a Plan,
    /// The tools that a step may use.
    pub tools: &'a Tools,
    /// Whether a path exists in the workspace.
    pub has_file: &'a dyn Fn(&str) -> bool,
    /// How many steps were requested.
    pub look_ahead: u8,
}

/// A parsed answer.
#[derive(Debug, Clone, PartialEq)]
pub enum NextSteps {
    /// The next steps, at least one.
    Steps {
        /// The steps with all fields filled in.
        steps: Vec<NewStep>,
        /// The repairs made to the answer.
        repairs: Vec<Repair>,
    },
    /// The model claims that the goal is reached; see [`super::Claim`].
    Claimed,
}

/// Parses the answer to a request for the next steps. Drops steps beyond the requested number, and
/// everything from the first unusable step on. If the first step is unusable, returns what is wrong
/// with it as a [`Fault`], whose message is sent to the model.
pub fn read_next(text: &str, around: &AnswerContext<'_>) -> Result<NextSteps, Fault> {
    let most = usize::from(around.look_ahead.clamp(1, MAX_LOOK_AHEAD));
    let listed = read_steps(text, around.tools)?;
    if listed.steps.is_empty() {
        return Ok(NextSteps::Claimed);
    }
    let mut steps: Vec<NewStep> = Vec::new();
    for step in listed.steps.iter().take(most) {
        match accepted(step, around, &steps) {
            Ok(step) => steps.push(step),
            Err(fault) if steps.is_empty() => return Err(fault),
            Err(_) => break,
        }
    }
    Ok(NextSteps::Steps {
        steps,
        repairs: listed.repairs,
    })
}

/// Parses the answer to a request to split a step, which must contain at least two parts, none of
/// which repeats the step. The message of a [`Fault`] is sent to the model.
pub fn read_split(
    text: &str,
    task: &Task,
    around: &AnswerContext<'_>,
) -> Result<Vec<NewStep>, Fault> {
    let listed = read_steps(text, around.tools)?;
    let own = Gist::of(&task.title);
    let mut steps: Vec<NewStep> = Vec::new();
    for step in listed.steps.iter().take(MAX_PARTS) {
        feasible(step)?;
        let gist = Gist::of(&step.what);
        let is_new = !gist.is_blank()
            && !gist.is_like(&own)
            && !steps
                .iter()
                .any(|other| Gist::of(&other.title).is_like(&gist));
        if is_new {
            steps.push(filled(step, around));
        }
    }
    if steps.len() < 2 {
        let message = format!(
            "That does not make the step smaller. Break “{}” into 2 or 3 steps that each do one thing: \
             [{{\"what\": \"<one action>\", \"why\": \"<reason>\", \"tools\": [\"<tool>\"]}}, …]",
            short(&task.title)
        );
        return Err(Fault::new(FaultKind::RepeatedStep, message));
    }
    Ok(steps)
}

/// The step to add if no answer was usable, for the first requirement that no step covers. `None`
/// if all requirements are covered; a person must then decide.
pub fn fallback(plan: &Plan) -> Option<NewStep> {
    let is_covered = |id: &String| {
        plan.leaves()
            .any(|(_, task)| task.covers.contains(id) && task.skipped.is_none())
    };
    let open = plan
        .requirements
        .iter()
        .find(|requirement| !is_covered(&requirement.id))?;
    Some(NewStep {
        title: open.text.split_whitespace().collect::<Vec<_>>().join(" "),
        body: format!("No step covers {} yet.", open.id),
        covers: vec![open.id.clone()],
        ..NewStep::default()
    })
}

/// Validates a step and fills in its fields; `before` contains the preceding steps of the same
/// answer.
fn accepted(step: &Step, around: &AnswerContext<'_>, before: &[NewStep]) -> Result<NewStep, Fault> {
    feasible(step)?;
    let gist = Gist::of(&step.what);
    if gist.is_blank() {
        return Err(Fault::new(
            FaultKind::NoStep,
            "The step says nothing. Write: {\"what\": \"<one action>\", \"why\": \"<reason>\", \
             \"tools\": [\"<tool>\"]}, or null if the goal is reached.",
        ));
    }
    if before
        .iter()
        .any(|other| Gist::of(&other.title).is_like(&gist))
    {
        return Err(Fault::new(
            FaultKind::RepeatedStep,
            "The answer contains the same step twice. Give each step once.",
        ));
    }
    let filled = filled(step, around);
    if let Some(same) = same_in(around.plan, &gist, &filled) {
        let state = match (same.done, &same.skipped) {
            (true, _) => "is already done",
            (_, Some(_)) => "was skipped by a person",
            _ => "is already in the plan and comes next",
        };
        let message = format!(
            "{} “{}” {state}. Name another step that is still missing, or answer null if the goal is \
             reached.",
            same.id,
            short(&same.title)
        );
        return Err(Fault::new(FaultKind::RepeatedStep, message));
    }
    Ok(filled)
}

/// Rejects a step that is about files outside the workspace.
fn feasible(step: &Step) -> Result<(), Fault> {
    let text = format!("{} {}", step.what, step.why);
    let outside = paths_in(&text)
        .into_iter()
        .find(|path| path.starts_with(['/', '~']) || path.split('/').any(|name| name == ".."));
    match outside {
        None => Ok(()),
        Some(path) => {
            let message = format!(
                "`{}` is outside of this folder, where no tool reaches. Name a step that works inside \
                 it.",
                short(path)
            );
            Err(Fault::new(FaultKind::UnfeasibleStep, message))
        }
    }
}

fn filled(step: &Step, around: &AnswerContext<'_>) -> NewStep {
    let mut new = NewStep::filled(step, around.plan, around.has_file);
    if new.tools.is_empty() {
        let guessed = guess(&step.what);
        new.tools = guessed
            .iter()
            .filter(|name| around.tools.get(name).is_some())
            .map(|name| (*name).to_owned())
            .collect();
    }
    new
}

/// Guesses the tools of a step from its first word, for answers that name none.
fn guess(what: &str) -> &'static [&'static str] {
    let first = adequacy::goal::first_word(what);
    match first.as_str() {
        "read" | "open" | "view" | "inspect" | "understand" | "explain" | "review" => {
            &["read_file", "search_files"]
        }
        "find" | "search" | "locate" | "look" | "identify" | "list" | "check" => {
            &["search_files", "read_file", "list_files"]
        }
        "run" | "execute" | "test" | "verify" | "build" => &["run_command", "read_file"],
        "create" | "write" => &["write_file", "read_file"],
        "delete" | "remove" => &["read_file", "search_files", "edit_file"],
        _ => &["read_file", "search_files", "edit_file"],
    }
}

/// The step in the plan that has the same content. A read-only step or check may be repeated after
/// a later step has changed something.
fn same_in<'p>(plan: &'p Plan, gist: &Gist, new: &NewStep) -> Option<&'p Task> {
    let looks_only = !new.tools.is_empty()
        && new.tools.iter().all(|name| {
            name == ToolName::RunCommand.as_str()
                || ToolName::from_name(name).is_some_and(ToolName::is_read_only)
        });
    let found = plan
        .leaves()
        .filter(|(_, task)| Gist::of(&task.title).is_like(gist))
        .last();
    let (index, task) = found?;
    let changed_since = plan
        .leaves()
        .filter(|(other, _)| *other > index)
        .any(|(_, later)| later.done && changes(later));
    match task.done && looks_only && changed_since {
        true => None,
        false => Some(task),
    }
}

/// Whether a step may have changed files.
fn changes(task: &Task) -> bool {
    let is_changing = |tool: ToolName| {
        matches!(
            tool,
            ToolName::EditFile | ToolName::WriteFile | ToolName::DeleteFile
        )
    };
    let calls = task
        .calls
        .iter()
        .filter_map(|call| call.parsed.as_ref().ok());
    calls.map(|call| call.tool).any(is_changing)
        || task
            .tools
            .iter()
            .filter_map(|name| ToolName::from_name(name))
            .any(is_changing)
        || task.tools.is_empty() && task.calls.is_empty() && !task.files.is_empty()
}

fn short(text: &str) -> String {
    crate::envelope::one_line(text, 120)
}

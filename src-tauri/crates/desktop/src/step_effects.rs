//! The effects of a step, for approvals and the step's card: one line for each thing it reads,
//! edits, creates, deletes, runs or waits for. Also why a step won't run.
//!
//! Derived from the plan and the files that exist. Pure except for [`is_there`].

use std::collections::BTreeMap;

use agent::journal::{EarlierEnd, Evidence};
use gate::destructive::PathState;
use gate::permissions::request_of;
use plan::graph::Graph;
use plan::{By, Call, Plan, Task, TaskKind, ToolCall, ToolName};
use tools::Workspace;
use tools::listing::path_state;

use crate::wire::{EffectVerb, StepEffect};
use workbench::evidence::is_other_branch;

/// Effects of a plan's steps in sequence: a file created by one step exists for the next.
pub(crate) struct Effects<'a> {
    plan: &'a Plan,
    graph: &'a Graph,
    has_model: bool,
    exists: &'a dyn Fn(&str) -> bool,
    foreseen: BTreeMap<String, bool>,
}

impl<'a> Effects<'a> {
    /// `exists` tells whether there is something at a path in the workspace.
    pub(crate) fn new(
        plan: &'a Plan,
        graph: &'a Graph,
        has_model: bool,
        exists: &'a dyn Fn(&str) -> bool,
    ) -> Self {
        Self {
            plan,
            graph,
            has_model,
            exists,
            foreseen: BTreeMap::new(),
        }
    }

    /// The effects of the task at an index, in order.
    pub(crate) fn of(&mut self, index: usize) -> Vec<StepEffect> {
        let task = &self.plan.tasks[index];
        let mut effects: Vec<StepEffect> = self.condition(index).into_iter().collect();
        if task.kind != TaskKind::Normal {
            effects.push(pause(task));
            return effects;
        }
        let is_person = is_for_person(task, self.has_model);
        if is_person {
            effects.push(effect(
                EffectVerb::WaitsForYou,
                "to do it and mark it as done",
            ));
        }
        if is_person || task.calls.is_empty() {
            let verb = (!is_person && only_looks(task)).then_some(EffectVerb::Reads);
            for file in &task.files {
                let verb = verb.unwrap_or_else(|| self.writes(file));
                effects.push(effect(verb, file));
            }
            if !is_person && task.files.is_empty() {
                effects.push(effect(
                    EffectVerb::Asks,
                    "before it changes a file or runs a command",
                ));
            }
        } else {
            effects.extend(task.calls.iter().map(|call| self.of_call(call)));
            effects.extend(self.by_commands(task));
        }
        effects.extend(
            task.verify
                .iter()
                .map(|line| effect(EffectVerb::Runs, line)),
        );
        effects
    }

    fn of_call(&mut self, call: &Call) -> StepEffect {
        let raw = call.raw.trim();
        let Ok(parsed) = &call.parsed else {
            return effect(EffectVerb::CannotRun, raw);
        };
        let path = parsed.path().unwrap_or_default();
        let as_written = |effect: StepEffect| StepEffect {
            call: Some(raw.to_owned()),
            ..effect
        };
        match parsed.tool {
            ToolName::RunCommand => effect(EffectVerb::Runs, &request_of(parsed).subject),
            ToolName::EditFile => as_written(effect(EffectVerb::Edits, path)),
            ToolName::WriteFile => as_written(effect(self.writes(path), path)),
            ToolName::DeleteFile => {
                self.foreseen.insert(path.to_owned(), false);
                effect(EffectVerb::Deletes, path)
            }
            _ => effect(EffectVerb::Reads, &looked_at(parsed)),
        }
    }

    /// The effects on the step's files that no call names, since its commands may write them; empty
    /// for a step without commands.
    fn by_commands(&mut self, task: &Task) -> Vec<StepEffect> {
        let calls = || {
            task.calls
                .iter()
                .filter_map(|call| call.parsed.as_ref().ok())
        };
        if !calls().any(|call| call.tool == ToolName::RunCommand) {
            return Vec::new();
        }
        let files = task.files.iter();
        let unnamed = files.filter(|file| !calls().any(|call| call.path() == Some(file)));
        unnamed
            .map(|file| effect(self.writes(file), file))
            .collect()
    }

    fn writes(&mut self, path: &str) -> EffectVerb {
        // A folder or pattern may match several files.
        let is_one = !path.ends_with('/') && !path.contains(['*', '?', '[']);
        let was_there = self.foreseen.insert(path.to_owned(), true);
        match was_there.unwrap_or_else(|| !is_one || (self.exists)(path)) {
            true => EffectVerb::Edits,
            false => EffectVerb::Creates,
        }
    }

    /// The effect that states which answers to decisions the step requires; `None` if it requires
    /// none.
    fn condition(&self, index: usize) -> Option<StepEffect> {
        let branches = self.graph.branch_of(index);
        let conditions = branches.iter().filter_map(|(decision, option)| {
            let decision = &self.plan.tasks[*decision];
            let label = &decision.options.get(*option)?.label;
            Some(format!("{} is answered “{label}”", decision.id))
        });
        let conditions: Vec<String> = conditions.collect();
        (!conditions.is_empty()).then(|| effect(EffectVerb::OnlyIf, &conditions.join(" or ")))
    }
}

/// Whether there is something at a path in the workspace. Inaccessible paths count as existing.
pub(crate) fn is_there(workspace: &Workspace, path: &str) -> bool {
    !matches!(path_state(workspace, path), Ok(PathState::Missing))
}

/// Whether a person has to carry out the step, given whether a model or another agent is available.
pub(crate) fn is_for_person(task: &Task, has_model: bool) -> bool {
    task.carried_out_by(has_model) == By::Person || (task.calls.is_empty() && !has_model)
}

/// Why a leaf of the plan won't run; `None` if it will, or asks when its turn comes.
pub(crate) fn why_left_out(
    plan: &Plan,
    graph: &Graph,
    index: usize,
    upto: Option<&str>,
    found: &BTreeMap<String, Evidence>,
) -> Option<String> {
    let task = &plan.tasks[index];
    let last = upto.and_then(|id| plan.index_of_name(id));
    if let (Some(last), Some(upto)) = (last, upto)
        && index > last
    {
        return Some(format!("comes after {upto}"));
    }
    if let Some(evidence) = found.get(task.id.as_str()) {
        return Some(match &evidence.end {
            EarlierEnd::Done => "already done".to_owned(),
            EarlierEnd::Decided { label } => format!("already answered “{label}”"),
            EarlierEnd::Skipped { .. } => "already skipped".to_owned(),
        });
    }
    if is_other_branch(plan, graph, index, found) {
        return Some("belongs to an answer that wasn't chosen".to_owned());
    }
    let is_shown = task.kind == TaskKind::Normal && (task.done || task.skipped.is_some());
    is_shown.then(|| match task.done {
        true => "marked as done manually; the run asks whether it counts".to_owned(),
        false => "skipped manually; the run asks whether it counts".to_owned(),
    })
}

/// The effect of a checkpoint or decision: what it waits for, or that it only shows a notice.
fn pause(task: &Task) -> StepEffect {
    let labels: Vec<&str> = task
        .options
        .iter()
        .map(|option| option.label.as_str())
        .collect();
    let among = match labels.is_empty() {
        true => String::new(),
        false => format!(": {}", labels.join(" · ")),
    };
    match task.kind {
        TaskKind::Checkpoint if !task.confirm => {
            effect(EffectVerb::Shows, "a notice and continues")
        }
        TaskKind::Checkpoint => effect(EffectVerb::WaitsForYou, &format!("to review{among}")),
        _ => effect(EffectVerb::WaitsForYou, &format!("to decide{among}")),
    }
}

/// Whether a model's step names only read-only tools.
fn only_looks(task: &Task) -> bool {
    let looks = |name: &String| ToolName::from_name(name).is_some_and(ToolName::is_read_only);
    !task.tools.is_empty() && task.tools.iter().all(looks)
}

fn looked_at(call: &ToolCall) -> String {
    let place = match call.path() {
        None | Some("" | ".") => "the workspace",
        Some(path) => path,
    };
    match call.tool {
        ToolName::SearchFiles => {
            let pattern = call.string("pattern").unwrap_or_default();
            format!("{place}, for “{pattern}”")
        }
        ToolName::GitStatus => "the state of the repository".to_owned(),
        _ => place.to_owned(),
    }
}

fn effect(verb: EffectVerb, subject: &str) -> StepEffect {
    StepEffect {
        verb,
        subject: subject.to_owned(),
        call: None,
        diff: Vec::new(),
    }
}

#[cfg(test)]
mod tests;

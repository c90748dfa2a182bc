//! Steps that a user-defined command carries out.
//!
//! Agents that Planwright talks to over a protocol are also executors, but `agent_work` handles
//! them.
//!
//! Like any other call, the command is announced, carried out, examined after a crash, and undone
//! if necessary. What the command says about its work isn't evidence: the step's check decides, and
//! a step without a check stays unverified.

use gate::Action;
use plan::{By, Task, ToolCall, ToolName};
use serde_json::Value;

use super::next::Turn;
use super::state::TaskState;
use super::{Config, Effect, Machine, PlanView};
use crate::journal::{Changes, Entry};
use crate::model_step::instructions;
use crate::progress::Phase;
use crate::verification::Verdict;

/// The number of the only call in a step that was handed over.
const CALL: usize = 0;

/// A command or an agent that carries out steps instead of the model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Executor {
    /// The name by which the person chose the command or agent.
    pub name: String,
    /// The command line.
    pub line: String,
    /// The timeout in seconds.
    pub timeout_s: u64,
    /// The ids of the steps that it carries out; empty for all steps without `call:` lines.
    pub tasks: Vec<String>,
    /// Whether it is an agent, with which messages are exchanged, rather than a command, which only
    /// reads its brief.
    pub is_agent: bool,
}

impl Executor {
    /// Whether it was chosen to carry out this step.
    pub(super) fn is_for(&self, id: &str) -> bool {
        self.tasks.is_empty() || self.tasks.iter().any(|one| one == id)
    }
}

impl Config {
    /// Whether a model, a command or an agent program can carry out steps without `call:` lines.
    pub fn has_model(&self) -> bool {
        self.model.is_some() || self.hand_over.is_some() || self.host.is_some()
    }
}

impl Machine {
    /// The command or agent for this step, if the step is for an agent and has no calls of its own.
    pub(super) fn executor_of(&self, task: &Task) -> Option<&Executor> {
        let id = task.id.as_str();
        let executor = self.config.hand_over.as_ref()?;
        if executor.is_agent {
            return self.agent_of(task);
        }
        let is_chosen = executor.is_for(id);
        let by = task.carried_out_by(true);
        // If a model has started a step, the model also finishes it.
        let known = self.state.tasks.get(id);
        let is_begun = known.is_some_and(|known| !known.work.rounds.all().is_empty());
        (is_chosen && by == By::Agent && task.calls.is_empty() && !is_begun).then_some(executor)
    }

    /// Whether this step was handed over to the user's command, or would be if it were started now.
    pub(super) fn is_handed_over(&self, task: &Task) -> bool {
        if self.agent_of(task).is_some() {
            return false;
        }
        let state = self.state.tasks.get(task.id.as_str());
        state.is_some_and(|state| state.handed_to.is_some()) || self.executor_of(task).is_some()
    }

    /// Runs the command once. `None` once it has succeeded, so that the checks come next.
    pub(super) fn next_hand_over(
        &mut self,
        view: &PlanView,
        task: &Task,
        state: &TaskState,
    ) -> Option<Turn> {
        let id = task.id.as_str();
        match state.calls.get(&CALL) {
            Some(outcome) if outcome.ok => return None,
            Some(outcome) => return Some(self.fail_on(id, outcome)),
            None => {}
        }
        let Some(executor) = self.executor_of(task).cloned() else {
            let to = state.handed_to.as_ref().map(|over| over.to.clone());
            let to = to.unwrap_or_default();
            let reason = format!(
                "it was handed over to {to}, which this run doesn't use; resume with --hand-over {to}"
            );
            return Some(self.fail(id.to_owned(), reason));
        };
        if state.handed_to.as_ref().map(|over| &over.line) != Some(&executor.line) {
            self.record(Entry::HandedOver {
                task: id.to_owned(),
                to: executor.name.clone(),
                line: executor.line.clone(),
            });
        }
        let tool = as_call(&executor);
        // The person who started the run chose the command, so it counts as named by the step, like
        // the step's calls.
        let permit = match self.may(view, task, Action::HandOver(tool.clone()), true) {
            Ok(permit) => permit,
            Err(turn) => return Some(turn),
        };
        if let Some(turn) = self.baseline(view, id) {
            return Some(turn);
        }
        self.report(view, id, Phase::ToolCalling, Some(executor.line));
        Some(self.begin(Effect::Prepare {
            task: id.to_owned(),
            call: CALL,
            tool,
            permit: Some(permit),
        }))
    }

    /// The command's input: everything it needs to know about the step, and nothing else.
    pub fn brief_of(&self, id: &str) -> Option<String> {
        let view = &self.view;
        let index = view.plan.index_of_name(id)?;
        self.state.tasks.get(id)?.handed_to.as_ref()?;
        let before = self.summaries_before(view, index);
        Some(instructions::for_others(
            &view.plan,
            &view.plan.tasks[index],
            &before,
        ))
    }

    /// Adjusts the verdict on a step that was handed over: notes changes to files that the step
    /// doesn't name and, if there is no check, that only the command itself claims that the step is
    /// done.
    pub(super) fn judge_handed(
        &self,
        id: &str,
        known: &TaskState,
        changes: &Changes,
        verdict: Option<Verdict>,
    ) -> Option<Verdict> {
        let (Some(over), Some(mut verdict)) = (&known.handed_to, verdict.clone()) else {
            return verdict;
        };
        let view = &self.view;
        let task = view.task(id)?;
        // An agent makes its changes by calls, so they are evidence, as they are for a model.
        if self.agent_of(task).is_some() {
            return Some(verdict);
        }
        let named = |path: &String| {
            task.files.iter().any(|file| {
                let file = file.trim_start_matches("./");
                file == path || (file.ends_with('/') && path.starts_with(file))
            })
        };
        let others = changes.files.iter().filter(|path| !named(path));
        let others: Vec<&str> = others.map(String::as_str).collect();
        if !others.is_empty() {
            verdict.warnings.push(format!(
                "{} changed files that the step doesn't name: {}",
                over.to,
                others.join(", ")
            ));
        }
        let is_checked = !self.checks_of(task, known).is_empty();
        if !is_checked && known.signed.is_none() {
            verdict.is_verified = false;
            verdict.reasons = vec![format!(
                "{} exited without an error, but the step has no check to confirm it",
                over.to
            )];
        }
        Some(verdict)
    }
}

pub(super) fn as_call(executor: &Executor) -> ToolCall {
    let line = Value::from(executor.line.clone());
    let timeout = Value::from(executor.timeout_s);
    let arguments = [
        ("command".to_owned(), line),
        ("timeout_s".to_owned(), timeout),
    ];
    ToolCall {
        tool: ToolName::RunCommand,
        arguments: arguments.into_iter().collect(),
    }
}

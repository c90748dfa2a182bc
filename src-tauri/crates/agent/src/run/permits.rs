//! Decides whether an action of a step may proceed. The [gate](mod@gate::decide) makes the
//! decision; this module asks the questions that the gate requires.
//!
//! Nothing is prepared or saved before the person says yes, so a refused call leaves no trace.

use std::collections::BTreeSet;

use gate::destructive::{self, Danger, InspectionResult};
use gate::permissions::request_of;
use gate::question::{PermissionRequest, QuestionKind};
use gate::{Action, Bearer, Cage, Case, Checkpoints, Decision, Permit, Refusal, decide};
use plan::{Task, TaskKind, ToolCall};

use super::next::Turn;
use super::state::Standing;
use super::{Effect, Machine, PlanView, questions};
use crate::journal::Entry;

/// The result of inspecting what a call would destroy, and the call.
#[derive(Debug, Clone)]
pub(super) struct Looked {
    pub(super) tool: ToolCall,
    pub(super) seen: InspectionResult,
}

pub(super) enum Held {
    /// Not yet: an inspection is in progress or a question is open.
    Later(Turn),
    /// The action is not allowed.
    Refused(Refusal),
}

impl Machine {
    /// Gets the permit for an action of a step. `is_named` tells whether the approved step names
    /// the action; all other actions need approval unless a rule allows them.
    pub(super) fn allow(
        &mut self,
        view: &PlanView,
        task: &Task,
        action: Action,
        is_named: bool,
    ) -> Result<Permit, Held> {
        let decision = self.decision(view, task, action, is_named);
        self.settle(task, decision)
    }

    /// The gate's decision on an action of a step, before anyone is asked.
    pub(super) fn decision(
        &self,
        view: &PlanView,
        task: &Task,
        action: Action,
        is_named: bool,
    ) -> Decision {
        let id = task.id.as_str();
        let call = action.call();
        let looked = self.looked.get(id);
        let looked = looked.filter(|looked| Some(&looked.tool) == call.as_ref());
        decide(Case {
            is_named,
            checkpoints: Some(Checkpoints {
                seen: looked.map(|looked| &looked.seen),
                answered: &|| self.answered_before(view, task),
            }),
            ..self.case(Some(id), action, &self.state.granted)
        })
    }

    /// Acts on a decision: returns the permit, asks a question or starts an inspection.
    pub(super) fn settle(&mut self, task: &Task, decision: Decision) -> Result<Permit, Held> {
        let id = task.id.as_str();
        match decision {
            Decision::Permit(permit) => Ok(permit),
            Decision::Refuse(refusal) => Err(Held::Refused(refusal)),
            Decision::LookAt { call, look } => {
                self.begin(Effect::LookAt {
                    task: id.to_owned(),
                    tool: call,
                    look,
                });
                Err(Held::Later(Turn::InProgress))
            }
            Decision::Ask(pending) => {
                let mut request = pending.request().clone();
                request.content = self.host_content();
                let question = match request.danger.clone() {
                    Some(danger) => questions::destructive(task, &request, danger),
                    None => questions::permission(id, request, pending.why()),
                };
                let Some(answer) = self.ask(question) else {
                    return Err(Held::Later(Turn::Again));
                };
                match pending.answered(&answer) {
                    Some(answered) => answered.map_err(Held::Refused),
                    None => Err(Held::Later(self.refused(id, answer))),
                }
            }
        }
    }

    /// The content that a step's call would destroy; `Err` until the inspection is complete.
    pub(super) fn danger(&mut self, id: &str, tool: &ToolCall) -> Result<Option<Danger>, Turn> {
        let Some(look) = destructive::inspection_for(tool) else {
            return Ok(None);
        };
        let looked = self.looked.get(id).filter(|looked| looked.tool == *tool);
        let seen = match looked {
            Some(looked) => looked.seen.clone(),
            None if look.is_empty() => InspectionResult::default(),
            None => {
                return Err(self.begin(Effect::LookAt {
                    task: id.to_owned(),
                    tool: tool.clone(),
                    look,
                }));
            }
        };
        Ok(destructive::danger_of(tool, &seen))
    }

    /// The input of the gate for an action of the run or of one of its steps.
    pub(super) fn case<'a>(
        &'a self,
        step: Option<&str>,
        action: Action,
        granted: &'a BTreeSet<PermissionRequest>,
    ) -> Case<'a> {
        // An agent runs its commands itself, outside of our sandbox.
        let is_by_host = self.config.host.is_some() && matches!(action, Action::Call(_));
        Case {
            bearer: Bearer::Run {
                run: self.config.run.clone(),
                step: step.map(str::to_owned),
            },
            action,
            cage: Cage::Workspace,
            plan: self.config.plan.as_ref(),
            rules: &self.config.rules,
            granted,
            is_sandboxed: self.config.sandboxed && !is_by_host,
            is_named: true,
            may_have_happened: false,
            checkpoints: None,
        }
    }

    pub(super) fn answered_before<'a>(&self, view: &'a PlanView, task: &Task) -> Vec<&'a Task> {
        let tasks = &view.plan.tasks;
        let Some(index) = view.plan.index_of(&task.id) else {
            return Vec::new();
        };
        let is_answered = |before: &&Task| {
            before.kind == TaskKind::Checkpoint
                && self
                    .state
                    .task(&before.id)
                    .is_some_and(|known| known.standing == Standing::Done && known.signed.is_some())
        };
        let before = view.graph.waits_for(index).iter();
        before.map(|at| &tasks[*at]).filter(is_answered).collect()
    }

    pub(super) fn refuse(&mut self, id: &str, action: &Action, refusal: Refusal) -> Turn {
        self.failed_here.push(id.to_owned());
        let request = action.call().as_ref().map(request_of);
        let (tool, subject) =
            request.map_or_else(Default::default, |request| (request.tool, request.subject));
        let (reason, words) = match refusal {
            Refusal::PlanFile => (
                format!("steps can't change the plan file `{subject}`"),
                None,
            ),
            Refusal::Person { words: None } => (format!("`{subject}` was refused"), None),
            Refusal::Person { words: Some(words) } => {
                (format!("`{subject}` was refused: {words}"), Some(words))
            }
            Refusal::Rule | Refusal::BeforeApproval | Refusal::NoSandbox => (
                format!("a permission rule forbids `{tool}` on `{subject}`"),
                None,
            ),
        };
        let task = id.to_owned();
        self.record(Entry::Refused {
            task,
            reason,
            words,
        })
    }
}

/// Kinds of questions about calls. An answer applies only to the call that the question was about.
pub(super) const ABOUT_CALLS: [QuestionKind; 2] =
    [QuestionKind::Permission, QuestionKind::Destructive];

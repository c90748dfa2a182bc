//! May a call go ahead now? Rules, what the person allowed, and the checkpoint by rule before what
//! destroys something.
//!
//! Nothing is prepared and nothing kept before the answer is yes: a call that is refused leaves no
//! trace. What a call would destroy is looked up each time anew, so that a yes is for what is there
//! when it is used; where that is something else by then, it is asked again.

use plan::{Task, TaskKind, ToolCall};

use super::next::Turn;
use super::state::Standing;
use super::{Effect, Machine, PlanView, asking};
use crate::answers::{Answer, Grant};
use crate::destructive::{self, Danger, Seen};
use crate::journal::Entry;
use crate::permissions::{self, Verdict};
use crate::question::{PermissionRequest, QuestionKind};

/// What is known before a call: for which call, and what was seen.
#[derive(Debug, Clone)]
pub(super) struct Looked {
    pub(super) tool: ToolCall,
    pub(super) seen: Seen,
}

/// Whether a call goes ahead.
pub(super) enum Permit {
    /// Yes.
    Go,
    /// Not now: something is looked up, or a person is asked.
    Later(Turn),
    /// No.
    Refused(Refusal),
}

/// A no, with its reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    /// One sentence for the record.
    pub(super) reason: String,
    /// The person's own words; none from a rule.
    pub(super) words: Option<String>,
    /// Whether a rule said it, and nobody was asked.
    pub(super) is_by_rule: bool,
}

impl Machine {
    /// Whether a call of a step goes ahead. `is_named` says whether the approved step names it: what
    /// it does not name asks, unless a rule allows it.
    pub(super) fn allow(
        &mut self,
        view: &PlanView,
        task: &Task,
        tool: &ToolCall,
        is_named: bool,
    ) -> Permit {
        let request = permissions::request_of(tool);
        let rules = &self.config.rules;
        let said = permissions::judge_in_step(&request, rules, self.config.sandboxed, is_named);
        if said == Verdict::Deny {
            let PermissionRequest { tool, subject, .. } = request;
            return Permit::Refused(Refusal {
                reason: format!("a permission rule forbids `{tool}` on `{subject}`"),
                words: None,
                is_by_rule: true,
            });
        }
        let danger = match self.danger(task.id.as_str(), tool) {
            Ok(danger) => danger,
            Err(turn) => return Permit::Later(turn),
        };
        if let Some(danger) = danger
            && !self.is_settled(view, task, tool, said, &request)
        {
            let question = asking::destructive(task, &request, danger);
            return self.permit(task.id.as_str(), question);
        }
        let why = match said {
            Verdict::Ask if self.state.is_granted(&request) => return Permit::Go,
            Verdict::Ask if !is_named => "The approved step does not name it.",
            Verdict::Ask if self.config.sandboxed => "A permission rule asks.",
            Verdict::Ask => "No sandbox is in force, so it could change anything you can change.",
            Verdict::Allow | Verdict::Deny => return Permit::Go,
        };
        self.permit(
            task.id.as_str(),
            asking::permission(task.id.as_str(), request, why),
        )
    }

    /// What the call would destroy; `Err` while that is looked up.
    pub(super) fn danger(&mut self, id: &str, tool: &ToolCall) -> Result<Option<Danger>, Turn> {
        let Some(look) = destructive::look_for(tool) else {
            return Ok(None);
        };
        let looked = self.looked.get(id).filter(|looked| looked.tool == *tool);
        let seen = match looked {
            Some(looked) => looked.seen.clone(),
            None if look.is_empty() => Seen::default(),
            None => {
                self.begin(Effect::LookAt {
                    task: id.to_owned(),
                    tool: tool.clone(),
                    look,
                });
                return Err(Turn::UnderWay);
            }
        };
        Ok(destructive::danger_of(tool, &seen))
    }

    /// Whether a person has answered this already: for the run, by a rule, or at a checkpoint that
    /// the step waits for and that names the same.
    fn is_settled(
        &self,
        view: &PlanView,
        task: &Task,
        tool: &ToolCall,
        said: Verdict,
        request: &PermissionRequest,
    ) -> bool {
        let mut rules = self.config.rules.iter();
        let by_rule =
            said == Verdict::Allow && rules.any(|rule| destructive::is_spared_by(rule, request));
        by_rule || self.state.is_granted_whole(request) || self.is_guarded(view, task, tool)
    }

    fn is_guarded(&self, view: &PlanView, task: &Task, tool: &ToolCall) -> bool {
        let mut tasks = view.plan.tasks.iter();
        let Some(index) = tasks.position(|other| other.id == task.id) else {
            return false;
        };
        view.graph.waits_for(index).iter().any(|before| {
            let before = &view.plan.tasks[*before];
            let answered = self
                .state
                .task(&before.id)
                .is_some_and(|known| known.standing == Standing::Done && known.signed.is_some());
            before.kind == TaskKind::Checkpoint
                && answered
                && destructive::is_named_by(before, tool)
        })
    }

    fn permit(&mut self, id: &str, question: crate::question::Question) -> Permit {
        let what = question
            .permission
            .as_ref()
            .map(|request| request.subject.clone());
        match self.ask(question) {
            Some(Answer::Permission {
                grant: Grant::No,
                words,
            }) => {
                let said = words.as_ref().map(|words| format!(": {words}"));
                let reason = format!(
                    "`{}` was refused{}",
                    what.unwrap_or_default(),
                    said.unwrap_or_default()
                );
                Permit::Refused(Refusal {
                    reason,
                    words,
                    is_by_rule: false,
                })
            }
            Some(Answer::Permission { .. }) => Permit::Go,
            Some(answer) => Permit::Later(self.refused(id, answer)),
            None => Permit::Later(Turn::Again),
        }
    }

    /// Leaves a step at what a person or a rule refused.
    pub(super) fn refuse(&mut self, id: &str, refusal: Refusal) -> Turn {
        self.failed_here.push(id.to_owned());
        self.record(Entry::Refused {
            task: id.to_owned(),
            reason: refusal.reason,
            words: refusal.words,
        });
        Turn::Again
    }
}

/// The kinds of question whose answers are spent with the call that they were about.
pub(super) const ABOUT_CALLS: [QuestionKind; 2] =
    [QuestionKind::Permission, QuestionKind::Destructive];

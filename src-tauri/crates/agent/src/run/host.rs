//! Answers an agent program that carries out the steps of a run itself, such as Claude Code.
//!
//! Policy, gates, questions, checks and receipt are the same as in any other run; only the calls
//! are made by the agent. It asks before each call, one call at a time, and the call is judged as
//! part of the step in progress: it is allowed if the approved step names it; otherwise, the person
//! is asked. The agent's commands don't run in our sandbox, so they are judged as in a run without
//! a sandbox.
//!
//! If the agent makes a call that belongs to a later step or ends its turn, it claims that the step
//! in progress is done. The step's checks then run; if it has none and isn't read-only, a person
//! has to sign it.

use gate::answers::Answer;
use gate::permissions::request_of;
use gate::{Action, Refusal};
use plan::{By, Revision, Task, TaskId, ToolCall, ToolName};

use super::next::Turn;
use super::permits::Held;
use super::ready::{Leaf, Readiness};
use super::state::{Standing, TaskState};
use super::{Machine, PlanView, model_work, questions};
use crate::envelope::clipped;
use crate::host_answer::HostAnswer;
use crate::journal::{CallOutcome, EndState, Entry};
use crate::model_step::{Report, step_tools};

/// Longest output of a failed check that the agent gets, in bytes.
const MAX_OUTPUT: usize = 4_000;

/// What this process has done to answer the agent.
#[derive(Debug, Default)]
pub(super) struct HostTurn {
    /// Whether it has answered a request.
    has_answered: bool,
    /// The number of the request to end the turn for which the step in progress was already
    /// examined.
    examined_for: Option<usize>,
}

/// The agent's oldest request without an answer.
struct Request {
    number: usize,
    /// The call; `None` if the agent wants to end its turn.
    call: Option<ToolCall>,
}

impl Machine {
    /// Whether the agent program carries out the step.
    pub(super) fn is_by_host(&self, task: &Task) -> bool {
        self.config.host.is_some() && !task.is_pause() && task.carried_out_by(true) == By::Agent
    }

    /// Whether the agent claims that the step is done, but no person has signed it.
    pub(super) fn is_claimed_by_host(&self, task: &Task, state: &TaskState) -> bool {
        self.is_by_host(task) && state.work.report.is_some() && state.signed.is_none()
    }

    /// Whether the step has to wait because the agent is working on another one.
    pub(super) fn waits_with_host(&self, task: &Task) -> bool {
        let is_other = |id: &str| {
            let other = self.view.task(id);
            id != task.id.as_str() && other.is_some_and(|other| self.is_by_host(other))
        };
        self.is_by_host(task) && self.state.active().any(is_other)
    }

    /// The ready step that names the agent's call, if any. This step starts before all other ready
    /// steps.
    pub(super) fn wanted_by_host(&self, view: &PlanView) -> Option<usize> {
        let call = self.host_request()?.call?;
        view.scope(&self.state).into_iter().find(|index| {
            let task = &view.plan.tasks[*index];
            self.is_by_host(task)
                && self.state.standing(&task.id) == Standing::Pending
                && view.leaf(&self.state, *index) == Leaf::Open
                && view.readiness(&self.state, *index) == Readiness::Ready
                && names(task, &call)
        })
    }

    /// Answers the agent's next request about the step in progress. `None` if the agent claims that
    /// the step is done or a person signed it, so that its checks come next.
    pub(super) fn advance_with_host(
        &mut self,
        view: &PlanView,
        task: &Task,
        state: &TaskState,
    ) -> Option<Turn> {
        if state.work.report.is_some() || state.signed.is_some() {
            return None;
        }
        let Some(Request { number, call }) = self.host_request() else {
            return Some(self.wait_for_host(task));
        };
        Some(match call {
            None => self.end_of_turn(task, state, number),
            Some(call) if !names(task, &call) && self.is_for_later(view, task, &call) => {
                self.claim(task, state, number)
            }
            Some(call) => self.judge_host_call(view, task, number, call),
        })
    }

    fn host_request(&self) -> Option<Request> {
        self.config.host.as_ref()?;
        let (number, request) = self.state.host.open().next()?;
        let call = request.call();
        Some(Request { number, call })
    }

    /// The hash of the call that the agent wants to make.
    pub(super) fn host_content(&self) -> Option<String> {
        self.config.host.as_ref()?;
        let (_, request) = self.state.host.open().next()?;
        let line = request.line.as_deref()?;
        Some(Revision::of(line.as_bytes()).short().to_owned())
    }

    /// Called if the agent has no open request. If this process has just answered one, the agent is
    /// working and the run pauses; otherwise, a person resumed the run and is asked about the step.
    fn wait_for_host(&mut self, task: &Task) -> Turn {
        let id = task.id.as_str();
        let agent = self.config.host.clone().unwrap_or_default();
        if self.host_turn.has_answered {
            return self.end(EndState::Paused, format!("{agent} is carrying out {id}"));
        }
        self.ask_whether_done(task)
    }

    /// Asks the person whether the step that the agent carries out is done.
    pub(super) fn ask_whether_done(&mut self, task: &Task) -> Turn {
        let agent = self.config.host.clone().unwrap_or_default();
        match self.ask(questions::of_host(task, &agent)) {
            Some(Answer::Done { .. }) | None => Turn::Again,
            Some(answer) => self.refused(task.id.as_str(), answer),
        }
    }

    /// Whether another step that hasn't ended names the call.
    fn is_for_later(&self, view: &PlanView, task: &Task, call: &ToolCall) -> bool {
        view.scope(&self.state).into_iter().any(|index| {
            let other = &view.plan.tasks[index];
            other.id != task.id
                && self.is_by_host(other)
                && view.leaf(&self.state, index) == Leaf::Open
                && names(other, call)
        })
    }

    /// Judges a call of the agent as part of this step.
    fn judge_host_call(
        &mut self,
        view: &PlanView,
        task: &Task,
        number: usize,
        call: ToolCall,
    ) -> Turn {
        let id = task.id.as_str();
        if let Some(turn) = self.baseline(view, id) {
            return turn;
        }
        let is_named = names(task, &call);
        let decision = self.decision(view, task, Action::Call(call.clone()), is_named);
        let refusal = match self.settle(task, decision) {
            Ok(_) => {
                let task = id.to_owned();
                return self.answer_host(number, HostAnswer::Allowed { task, is_named });
            }
            Err(Held::Later(turn)) => return turn,
            Err(Held::Refused(refusal)) => refusal,
        };
        let request = request_of(&call);
        let words = match &refusal {
            Refusal::Person { words } => words.clone(),
            _ => None,
        };
        let reason = match refusal {
            Refusal::PlanFile => "The plan file can only be changed in Planwright.".to_owned(),
            Refusal::Person { .. } => format!("The person said no to `{}`.", request.subject),
            Refusal::Rule | Refusal::BeforeApproval | Refusal::NoSandbox => format!(
                "A permission rule forbids `{} {}`. Do without it.",
                request.tool, request.subject
            ),
        };
        let task = Some(id.to_owned());
        let answer = HostAnswer::Refused {
            task,
            reason,
            words: words.filter(|words| !words.trim().is_empty()),
        };
        self.answer_host(number, answer)
    }

    /// Handles the agent's implicit claim that the step is done.
    fn claim(&mut self, task: &Task, state: &TaskState, number: usize) -> Turn {
        let id = task.id.as_str();
        let is_idle = self.is_idle(task);
        if is_idle && state.work.claims == 0 {
            let message = format!("{}, and it hasn't changed anything yet.", comes_first(task));
            return self.reject(task, number, message);
        }
        let has_check = !self.checks_of(task, state).is_empty();
        if is_idle || !(has_check || step_tools::is_read_only(task)) {
            return self.ask_whether_done(task);
        }
        let agent = self.config.host.clone().unwrap_or_default();
        self.record(Entry::Reported {
            task: id.to_owned(),
            report: Report {
                summary: format!("{agent} went on to the next step"),
                done: true,
                ..Report::default()
            },
            is_inferred: true,
        })
    }

    /// Whether the step should change something, but the agent was never allowed to do so.
    fn is_idle(&self, task: &Task) -> bool {
        step_tools::is_edit(task) && !self.state.host.has_changed(task.id.as_str())
    }

    /// Answers a request to end the turn: first examines the step in progress, then tells the agent
    /// which step to continue with.
    fn end_of_turn(&mut self, task: &Task, state: &TaskState, number: usize) -> Turn {
        if self.is_idle(task) || self.host_turn.examined_for == Some(number) {
            let message = format!(
                "The approved plan isn't done. {}. If you need the user, say why.",
                comes_first(task)
            );
            return self.tell_to_continue(task, number, message);
        }
        self.host_turn.examined_for = Some(number);
        self.claim(task, state, number)
    }

    fn tell_to_continue(&mut self, task: &Task, number: usize, message: String) -> Turn {
        let request = self.state.host.get(number);
        let is_last = request.is_some_and(|request| request.is_last);
        let answer = match self.state.host.may_continue() && !is_last {
            true => HostAnswer::Continue {
                task: task.id.0.clone(),
                message,
            },
            false => HostAnswer::Ended,
        };
        self.answer_host(number, answer)
    }

    /// Called if a check has failed in a step that the agent claims is done.
    pub(super) fn reject_host_claim(&mut self, task: &Task, outcome: &CallOutcome) -> Turn {
        let as_before = self.as_before(outcome.command.as_deref().unwrap_or_default());
        let output = clipped(outcome.output.trim_end(), MAX_OUTPUT);
        let message = format!(
            "{} isn't done: its check failed: {}{as_before}\n{output}",
            task.id, outcome.summary
        );
        self.reject_for_host(task.id.as_str(), message.trim_end().to_owned())
    }

    /// Rejects the claim that a step is done, and answers the request that made it.
    pub(super) fn reject_for_host(&mut self, id: &str, message: String) -> Turn {
        let view = std::sync::Arc::clone(&self.view);
        match (self.host_request(), view.task(id)) {
            (Some(request), Some(task)) => self.reject(task, request.number, message),
            _ => self.record(Entry::ClaimRejected {
                task: id.to_owned(),
                message,
            }),
        }
    }

    fn reject(&mut self, task: &Task, number: usize, message: String) -> Turn {
        self.record(Entry::ClaimRejected {
            task: task.id.0.clone(),
            message: message.clone(),
        });
        let is_call = self.host_request().is_some_and(|one| one.call.is_some());
        if !is_call {
            return self.tell_to_continue(task, number, message);
        }
        let task = Some(task.id.0.clone());
        let (reason, words) = (message, None);
        self.answer_host(
            number,
            HostAnswer::Refused {
                task,
                reason,
                words,
            },
        )
    }

    fn answer_host(&mut self, number: usize, answer: HostAnswer) -> Turn {
        self.host_turn.has_answered = true;
        self.record(Entry::HostAnswered { number, answer })
    }

    /// Answers all open requests when the run ends in this process, except that calls stay open
    /// while the run waits for a person.
    pub(super) fn answer_host_at_the_end(&mut self, state: EndState, message: &str) {
        let open: Vec<(usize, bool)> = self
            .state
            .host
            .open()
            .map(|(number, request)| (number, request.line.is_some()))
            .collect();
        for (number, is_call) in open {
            let answer = match is_call {
                true if state == EndState::Waiting => continue,
                true => HostAnswer::Refused {
                    task: None,
                    reason: format!(
                        "The run of the approved plan can't continue: {}.",
                        message.trim_end_matches('.')
                    ),
                    words: None,
                },
                false => HostAnswer::Ended,
            };
            self.answer_host(number, answer);
        }
    }
}

/// Whether the step's own text or one of its calls names the call.
fn names(task: &Task, call: &ToolCall) -> bool {
    let mut written = task.calls.iter().filter_map(|own| own.parsed.as_ref().ok());
    let is_written = written.any(|own| match call.tool {
        ToolName::RunCommand => {
            let line = call.string("command").map(str::trim);
            line.is_some() && own.string("command").map(str::trim) == line
        }
        _ => own == call,
    });
    is_written || model_work::names(task, call)
}

fn comes_first(task: &Task) -> String {
    let TaskId(id) = &task.id;
    format!("Step {id} (“{}”) comes first", task.title)
}

//! Takes a step through its stages: gate, approval, checkpoint, calls, checks, evidence.
//!
//! Long because: all stages of a step are in one place, in order of execution.

use gate::answers::{Answer, Unknown};
use gate::policy;
use gate::{Action, Permit};
use plan::{By, Task, ToolCall};

use super::next::Turn;
use super::permits::Held;
use super::state::{Standing, TaskState};
use super::{Effect, Machine, PlanView, questions};
use crate::journal::{CallOutcome, Changes, EndState, Entry};
use crate::progress::{Phase, Progress};
use crate::session::notice::short;
use gate::question::QuestionKind;

impl Machine {
    /// Starts a ready step. `Nothing` if it waits for a person.
    pub(super) fn start(&mut self, view: &PlanView, index: usize) -> Turn {
        let task = &view.plan.tasks[index];
        let id = task.id.0.clone();
        if self.stops_uncovered(view, task) {
            return Turn::Again;
        }
        if task.is_pause() {
            return self.pause(view, index);
        }
        if self.state.standing(&task.id) == Standing::Failed {
            let known = self.state.tasks.get(&id).cloned().unwrap_or_default();
            if let Some(turn) = self.check_anew(view, task, &known) {
                return turn;
            }
            let question = questions::failure(&id, &task.title, &known);
            return match self.ask(question) {
                Some(Answer::Retry) => self.record(Entry::Retried { task: id }),
                Some(Answer::Recover { strategy, words }) => {
                    if let Err(message) = self.choose(view, &id, strategy, words) {
                        self.notice(message);
                        let question = questions::failure(&id, &task.title, &known);
                        self.park(question);
                    }
                    Turn::Again
                }
                Some(answer) => self.refused(&id, answer),
                None => Turn::Nothing,
            };
        }
        if self.is_by_model(task)
            && self.agent_of(task).is_none()
            && let Some(turn) = self.split_before_start(view, index)
        {
            return turn;
        }
        if let Some(turn) = self.gate(view, index) {
            return turn;
        }
        let by_person = task.carried_out_by(self.config.has_model()) == By::Person;
        let executor = self.executor_of(task).cloned();
        let is_ours = self.is_by_model(task) || self.is_by_host(task) || executor.is_some();
        let is_work = is_ours || !(by_person || task.calls.is_empty());
        if is_work && policy::asks(self.state.started.policy, task) {
            match self.ask(questions::approval(task, executor.as_ref())) {
                Some(Answer::Run) => {}
                Some(answer) => return self.refused(&id, answer),
                None => return Turn::Nothing,
            }
        }
        let holds = self.holds(view, task);
        self.record(Entry::TaskStarted {
            task: id.clone(),
            holds,
        });
        self.report(view, &id, Phase::Starting, None);
        Turn::Again
    }

    /// Whether a model or another agent carries out the step: it isn't assigned to anyone else and
    /// has no calls of its own.
    pub(super) fn is_by_model(&self, task: &Task) -> bool {
        let by = task.carried_out_by(self.config.has_model());
        let is_agents = by == By::Agent && task.calls.is_empty();
        let has_one = self.config.model.is_some() || self.agent_of(task).is_some();
        has_one && is_agents && !self.is_handed_over(task)
    }

    /// Whether the step is carried out and only its checks remain.
    pub(super) fn is_carried_out(&self, task: &Task, state: &TaskState) -> bool {
        match self.is_by_model(task) {
            true => state.work.report.is_some(),
            false if self.is_by_host(task) => state.work.report.is_some() || state.signed.is_some(),
            false if task.calls.is_empty() => state.signed.is_some(),
            false => state.calls.len() >= task.calls.len(),
        }
    }

    /// Asks the person before carrying out or continuing a step whose record may be lost or that an
    /// earlier run started. `None` if the step may be carried out.
    fn doubt(&mut self, task: &Task) -> Option<Turn> {
        let is_trusted = self.state.trusted.contains(task.id.as_str());
        let half_done = self.state.started.half_done.get(task.id.as_str()).cloned();
        let is_known = !self.state.is_cut && half_done.is_none();
        if is_known || is_trusted || policy::only_reads(task) {
            return None;
        }
        let Some(left) = self.left.get(task.id.as_str()).cloned() else {
            let task = task.id.0.clone();
            return Some(self.begin(Effect::Survey { task }));
        };
        let question = |looked: bool| match &half_done {
            Some(half_done) => questions::half_done(task, half_done, &left, looked),
            None => questions::cut(task, &left, looked),
        };
        match self.ask(question(false)) {
            Some(Answer::Unknown {
                how: Unknown::Repeat,
            }) => None,
            Some(Answer::Unknown {
                how: Unknown::Check,
            }) => {
                self.park(question(true));
                Some(Turn::Again)
            }
            Some(_) => {
                let reason = match half_done {
                    Some(earlier) => format!("started by run {}; skipped by a person", earlier.run),
                    None => "its record was lost; skipped by a person".to_owned(),
                };
                Some(self.refused(task.id.as_str(), Answer::Skip { reason }))
            }
            None => Some(Turn::Again),
        }
    }

    /// Runs the quality gate. `None` if the step passes or the person overrides the gate.
    fn gate(&mut self, view: &PlanView, index: usize) -> Option<Turn> {
        let task = &view.plan.tasks[index];
        let id = task.id.0.clone();
        let known = self.state.tasks.get(&id);
        if known.is_some_and(|known| known.overridden.is_some()) {
            return None;
        }
        let findings =
            adequacy::step_gate::blocks(&view.plan, &view.graph, index, self.config.has_model());
        if findings.is_empty() {
            return None;
        }
        let messages: Vec<String> = findings.iter().map(|found| found.message.clone()).collect();
        let reason = match self.config.reason.clone() {
            Some(reason) => reason,
            None => match self.ask(questions::gate(task, &messages)) {
                Some(Answer::Reason { reason }) => reason,
                Some(answer) => return Some(self.refused(&id, answer)),
                None => return Some(Turn::Nothing),
            },
        };
        let codes = findings
            .iter()
            .map(|found| found.code.as_str().to_owned())
            .collect();
        self.record(Entry::Overridden {
            task: id,
            codes,
            reason,
        });
        None
    }

    /// Stops before a step that differs from the approved one, unless a person accepts the change.
    /// `false` if the step is covered.
    fn stops_uncovered(&mut self, view: &PlanView, task: &Task) -> bool {
        let Some(file) = self.file.clone() else {
            return false;
        };
        let Some(reason) = file.uncovered.get(&task.id) else {
            return false;
        };
        if self.drop_stale_answer(task) || !self.ask_to_keep(view, &file) {
            let message = format!(
                "{} is not covered by revision {}: {reason}. Continue with the approved plan, or approve \
                 revision {}.",
                task.id,
                short(&view.revision),
                short(&file.revision)
            );
            self.end(EndState::NotCovered, message);
        }
        true
    }

    pub(super) fn advance_step(&mut self, view: &PlanView, id: &str) -> Turn {
        let Some(task) = view.task(id) else {
            return self.end(
                EndState::NotCovered,
                format!("{id} is no longer in the plan"),
            );
        };
        if self.stops_uncovered(view, task) {
            return Turn::Again;
        }
        let state = self.state.tasks.get(id).cloned().unwrap_or_default();
        let reads = policy::only_reads(task);
        let carried_out_by = task.carried_out_by(self.config.has_model());
        let by_model = self.is_by_model(task);
        let by_host = self.is_by_host(task);
        let is_handed_over = !by_model && !by_host && self.is_handed_over(task);
        let by_person = carried_out_by == By::Person || (task.calls.is_empty() && !by_host);
        // A step with its own calls gets its checkpoint only when its first call is allowed,
        // because a refused step needs none.
        let begins_at_once = by_model || by_host || is_handed_over || by_person;
        let is_ours = by_model || is_handed_over || !by_person;
        if is_ours && let Some(turn) = self.doubt(task) {
            return turn;
        }
        if !reads && !state.has_checkpoint && begins_at_once {
            return self.take_checkpoint(id);
        }
        if by_model && self.agent_of(task).is_some() {
            if let Some(turn) = self.advance_with_agent(view, task, &state) {
                return turn;
            }
        } else if by_model {
            if let Some((_, reason)) = &state.work.trouble {
                return self.ask_for_letter(view, task, reason);
            }
            if let Some(turn) = self.advance_with_model(view, task, &state) {
                return turn;
            }
        } else if by_host {
            if let Some(turn) = self.advance_with_host(view, task, &state) {
                return turn;
            }
        } else if is_handed_over {
            if let Some(turn) = self.next_hand_over(view, task, &state) {
                return turn;
            }
        } else if by_person {
            if state.signed.is_none() {
                let by_agent = carried_out_by == By::Agent;
                let question = match state.needs_words {
                    true => questions::what_was_done(task, QuestionKind::Person),
                    false => {
                        let shown = self.file.as_ref();
                        let shown = shown.and_then(|file| file.plan.task(&task.id));
                        questions::person(task, by_agent, shown.is_some_and(|shown| shown.done))
                    }
                };
                return match self.ask(question) {
                    Some(Answer::Done { .. }) => Turn::Again,
                    Some(answer) => self.refused(id, answer),
                    None => Turn::Again,
                };
            }
        } else if let Some(turn) = self.next_call(view, task, &state) {
            return turn;
        }
        if let Some(turn) = self.next_check(view, task, &state) {
            return turn;
        }
        if by_model && let Some(turn) = self.doubt_trial(task, &state) {
            return turn;
        }
        self.report(view, id, Phase::Completing, None);
        if reads {
            return self.complete(id.to_owned(), Changes::default());
        }
        self.begin(Effect::Measure {
            task: id.to_owned(),
        })
    }

    fn take_checkpoint(&mut self, id: &str) -> Turn {
        let task = id.to_owned();
        self.begin(Effect::TakeCheckpoint { task })
    }

    fn next_call(&mut self, view: &PlanView, task: &Task, state: &TaskState) -> Option<Turn> {
        let id = task.id.as_str();
        for (call, written) in task.calls.iter().enumerate() {
            match state.calls.get(&call) {
                Some(outcome) if outcome.ok => continue,
                Some(outcome) => return Some(self.fail_on(id, outcome)),
                None => {}
            }
            let tool = match &written.parsed {
                Ok(tool) => tool.clone(),
                Err(error) => {
                    let reason = format!("line {}: {error}", written.line);
                    return Some(self.fail(id.to_owned(), reason));
                }
            };
            let permit = match self.may(view, task, Action::Call(tool.clone()), true) {
                Ok(permit) => permit,
                Err(turn) => return Some(turn),
            };
            if !tool.tool.is_read_only()
                && let Some(turn) = self.baseline(view, id)
            {
                return Some(turn);
            }
            if !state.has_checkpoint && !policy::only_reads(task) {
                return Some(self.take_checkpoint(id));
            }
            let with = match tool.tool.is_read_only() {
                true => self.following_reads(task, state, call),
                false => Vec::new(),
            };
            self.begin_call(view, id, (call, tool, permit), with);
            return Some(Turn::InProgress);
        }
        None
    }

    /// Starts a call that is allowed. A read-only call is started together with other read-only
    /// calls.
    pub(super) fn begin_call(
        &mut self,
        view: &PlanView,
        id: &str,
        (call, tool, permit): (usize, ToolCall, Permit),
        with: Vec<(usize, ToolCall, Permit)>,
    ) {
        let line = tool.to_line();
        let action = match with.len() {
            0 => line,
            more => format!("{line} and {more} more"),
        };
        self.report(view, id, Phase::ToolCalling, Some(action));
        let task = id.to_owned();
        self.begin(match (tool.tool.is_read_only(), with.is_empty()) {
            (true, true) => Effect::Perform {
                task,
                call,
                tool,
                permit,
            },
            (true, false) => Effect::PerformAll {
                task,
                calls: std::iter::once((call, tool, permit)).chain(with).collect(),
            },
            (false, _) => Effect::Prepare {
                task,
                call,
                tool,
                permit: Some(permit),
            },
        });
    }

    /// Like [`Self::allow`], but also records the refusal if the action isn't allowed. The error is
    /// what the machine does next.
    pub(super) fn may(
        &mut self,
        view: &PlanView,
        task: &Task,
        action: Action,
        is_named: bool,
    ) -> Result<Permit, Turn> {
        let allowed = self.allow(view, task, action.clone(), is_named);
        allowed.map_err(|held| match held {
            Held::Later(turn) => turn,
            Held::Refused(refusal) => self.refuse(task.id.as_str(), &action, refusal),
        })
    }

    pub(super) fn finish_call(&mut self, task: String, call: usize, outcome: CallOutcome) {
        self.finish_calls(task, vec![(call, outcome)]);
    }

    /// Records how calls ended. In a step with its own calls, the first failed call fails the step.
    pub(super) fn finish_calls(&mut self, task: String, ended: Vec<(usize, CallOutcome)>) {
        self.plan_is_fresh = false;
        let mut failed = None;
        for (call, mut outcome) in ended {
            outcome.lost = self.unapproved_loss(&task, &outcome);
            // The model sees the failure and continues.
            let state = self.state.tasks.get(&task);
            let is_asked_by_model =
                state.is_some_and(|state| state.work.rounds.call(call).is_some());
            if failed.is_none() && !outcome.ok && !is_asked_by_model {
                failed = Some(outcome.summary.clone());
            }
            self.record(Entry::Finished {
                task: task.clone(),
                call,
                outcome,
            });
        }
        if let Some(reason) = failed {
            self.fail(task, reason);
        }
    }

    /// Fails a step because of a call or check that failed in an earlier process, which ended
    /// before recording that the step failed.
    pub(super) fn fail_on(&mut self, id: &str, outcome: &CallOutcome) -> Turn {
        let reason = outcome.summary.clone();
        self.record(Entry::Failed {
            task: id.to_owned(),
            reason,
        })
    }

    pub(super) fn fail(&mut self, task: String, reason: String) -> Turn {
        self.failed_here.push(task.clone());
        self.record(Entry::Failed { task, reason })
    }

    pub(super) fn report(
        &mut self,
        view: &PlanView,
        id: &str,
        phase: Phase,
        action: Option<String>,
    ) {
        let (mut tools_used, mut discoveries) = (Vec::<String>::new(), Vec::new());
        let known = self.state.tasks.get(id).into_iter();
        for outcome in known.flat_map(|known| known.calls.values()) {
            discoveries.extend(outcome.discoveries.iter().cloned());
            if !tools_used.contains(&outcome.tool) {
                tools_used.push(outcome.tool.clone());
            }
        }
        let report = self
            .state
            .tasks
            .get(id)
            .and_then(|known| known.work.report.as_ref());
        discoveries.extend(
            report
                .into_iter()
                .flat_map(|report| report.learned.iter().cloned()),
        );
        self.out.push(Effect::Progress(Progress {
            task: id.to_owned(),
            step: view.place(&self.state, id),
            is_open_ended: self.may_add_steps(view),
            phase,
            tools_used,
            discoveries,
            current_action: action,
        }));
    }
}

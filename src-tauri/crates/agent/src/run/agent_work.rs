//! Steps carried out by another agent, which has its own model and its own loop.
//!
//! The machine treats such an agent like a model that sends few replies. A file that the agent
//! wants to write is a call, which is judged, announced and performed like a model's; the end of
//! its turn is its report. The agent gets no selected context and no instructions for calling
//! tools. After a failure, a person decides; an agent is never restarted automatically.

use gate::{Action, Permit};
use plan::{By, Task};

use super::hand_over::{Executor, as_call};
use super::next::Turn;
use super::state::TaskState;
use super::{Effect, Machine, PlanView};
use crate::journal::Entry;
use crate::model_step::instructions;
use crate::model_step::ladder::{self, Next};
use crate::progress::Phase;
use crate::turn::Reply;

impl Machine {
    /// The agent that carries out this step; `None` if the step isn't for an agent, has its own
    /// calls, or was started by a model or another executor.
    pub(super) fn agent_of(&self, task: &Task) -> Option<&Executor> {
        let id = task.id.as_str();
        let agent = self.config.hand_over.as_ref();
        let agent = agent.filter(|agent| agent.is_agent && agent.is_for(id))?;
        let known = self.state.tasks.get(id);
        let handed = known.and_then(|known| known.handed_to.as_ref());
        let is_own = match handed {
            Some(over) => over.to == agent.name,
            None => known.is_none_or(|known| known.work.rounds.all().is_empty()),
        };
        let is_open = task.carried_out_by(true) == By::Agent && task.calls.is_empty();
        (is_open && is_own).then_some(agent)
    }

    /// Whether an agent carries out the step with this id.
    pub fn is_by_agent(&self, id: &str) -> bool {
        let task = self.view.task(id);
        task.is_some_and(|task| self.agent_of(task).is_some())
    }

    /// Advances the agent's work. `None` if the agent claims that the step is done, so that the
    /// checks come next.
    pub(super) fn advance_with_agent(
        &mut self,
        view: &PlanView,
        task: &Task,
        state: &TaskState,
    ) -> Option<Turn> {
        match ladder::after_agent(&state.work) {
            Next::Claimed(report) => self.reject_idle_claim(view, task, state, &report),
            Next::Call { number, call } => Some(self.handle_call(view, task, state, number, &call)),
            Next::Fail { kind, reason } => Some(self.recover(view, task, kind, &reason)),
            Next::Ask | Next::Tell(_) | Next::Infer => Some(self.ask_agent(view, task, state)),
        }
    }

    fn ask_agent(&mut self, view: &PlanView, task: &Task, state: &TaskState) -> Turn {
        let id = task.id.as_str();
        if let Some(turn) = self.stop_at_limit() {
            return turn;
        }
        let Some(agent) = self.agent_of(task).cloned() else {
            return Turn::Again;
        };
        if state.handed_to.as_ref().map(|over| &over.line) != Some(&agent.line) {
            self.record(Entry::HandedOver {
                task: id.to_owned(),
                to: agent.name.clone(),
                line: agent.line.clone(),
            });
        }
        let permit = match self.agent_permit(view, task, state, &agent) {
            Ok(permit) => permit,
            Err(turn) => return turn,
        };
        let Some(index) = view.plan.index_of(&task.id) else {
            return Turn::Again;
        };
        let before = self.summaries_before(view, index);
        let said = &self.state.said;
        let brief = instructions::for_agent(&view.plan, task, &before, &state.work, said);
        self.report(view, id, Phase::Processing, Some(agent.name));
        self.begin(Effect::AskAgent {
            task: id.to_owned(),
            brief,
            permit,
        })
    }

    /// The permit to run the agent. It is kept for the whole attempt, in which the agent is started
    /// only once.
    fn agent_permit(
        &mut self,
        view: &PlanView,
        task: &Task,
        state: &TaskState,
        agent: &Executor,
    ) -> Result<Permit, Turn> {
        let id = task.id.as_str();
        let is_new = state.work.rounds.all().is_empty();
        match self.agent_permits.get(id).filter(|_| !is_new) {
            Some(permit) => Ok(permit.clone()),
            None => {
                // The person who started the run chose the agent, so it counts as named by the
                // step.
                let permit = self.may(view, task, Action::HandOver(as_call(agent)), true)?;
                self.agent_permits.insert(id.to_owned(), permit.clone());
                Ok(permit)
            }
        }
    }

    /// Records an agent's reply.
    pub(super) fn take_agent_reply(&mut self, task: String, reply: Reply) {
        let reply = reply.with_report_last();
        self.record(Entry::Replied { task, reply });
    }
}

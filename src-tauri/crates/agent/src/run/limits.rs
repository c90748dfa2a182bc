//! How much a run may take of a model: requests, tokens, seconds, steps that it adds. A run that stops at
//! a limit may be gone on with, and then has as much again.

use super::next::Turn;
use super::state::State;
use super::{Machine, Spent};
use crate::journal::EndState;

impl State {
    /// What the run has spent in all, on steps and on planning.
    pub(super) fn spent(&self) -> Spent {
        let mut spent = self.planning.spent();
        for state in self.tasks.values() {
            spent.calls += state.work.requests;
            spent.tokens += state.work.usage.input + state.work.usage.output;
            spent.seconds += state.work.elapsed_ms / 1_000;
        }
        spent
    }
}

impl Machine {
    /// Ends the run where a limit is reached that another request would pass. A step that is under way
    /// stays so: going on goes on with it.
    pub(super) fn stop_at_limit(&mut self) -> Option<Turn> {
        let spent = self.state.spent().since(&self.state.spent_before);
        // A step that is there already adds none.
        self.stop_at(Spent { steps: 0, ..spent })
    }

    /// The same where the request is for another step.
    pub(super) fn stop_at_limit_of_steps(&mut self) -> Option<Turn> {
        let spent = self.state.spent().since(&self.state.spent_before);
        self.stop_at(spent)
    }

    fn stop_at(&mut self, spent: Spent) -> Option<Turn> {
        let reached = self.config.caps.reached(&spent)?;
        Some(self.end(EndState::Stopped, reached.sentence()))
    }
}

//! Limits on what a run spends on models: requests, tokens, seconds, added steps. A run that
//! stopped at a limit can be resumed and then gets the same amounts again.

use super::Machine;
use super::next::Turn;
use super::state::State;
use crate::journal::EndState;
use crate::run_limits::Spent;

impl State {
    /// What the run has spent in total, on steps and on planning.
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
    /// Ends the run if it has reached a limit that applies to model requests. A step in progress
    /// stays in progress and continues when the run is resumed.
    pub(super) fn stop_at_limit(&mut self) -> Option<Turn> {
        let spent = self.state.spent().since(&self.state.spent_before);
        // A request for an existing step adds no steps, so that limit doesn't apply.
        self.stop_at(Spent { steps: 0, ..spent })
    }

    /// Like [`Self::stop_at_limit`], but for a request that would add a step.
    pub(super) fn stop_at_limit_of_steps(&mut self) -> Option<Turn> {
        let spent = self.state.spent().since(&self.state.spent_before);
        self.stop_at(spent)
    }

    fn stop_at(&mut self, spent: Spent) -> Option<Turn> {
        let reached = self.config.caps.reached(&spent)?;
        Some(self.end(EndState::Stopped, reached.sentence()))
    }
}

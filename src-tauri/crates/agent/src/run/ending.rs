//! How a run ends, and what is said of it.

use super::Machine;
use crate::journal::{EndState, Entry};

impl Machine {
    /// Ends the run; where something is under way, once it has ended, and nothing new is begun.
    pub(super) fn end(&mut self, state: EndState, message: String) {
        if self.under_way.is_empty() {
            self.record(Entry::Ended { state, message });
        } else if self.ending.is_none() {
            self.ending = Some((state, message));
        }
    }

    /// The steps that failed in this process, each with its reason.
    pub(super) fn failures(&self) -> String {
        let failed = self.failed_here.iter().map(|failed| {
            let known = self.state.tasks.get(failed).cloned().unwrap_or_default();
            let reason = known.reason.unwrap_or_default();
            let end = match known.is_refused {
                true => "was left undone",
                false => "failed",
            };
            format!("{failed} {end}: {reason}")
        });
        failed.collect::<Vec<_>>().join("; ")
    }

    /// The end of a run, which names the steps that nothing verified.
    pub(super) fn all_ended(&self) -> String {
        let unverified: Vec<&str> = self
            .state
            .tasks
            .iter()
            .filter(|(_, task)| task.is_unverified())
            .map(|(id, _)| id.as_str())
            .collect();
        match unverified.is_empty() {
            true => "every step is done or left out".to_owned(),
            false => format!(
                "every step has ended or is left out; not verified: {}",
                unverified.join(", ")
            ),
        }
    }
}

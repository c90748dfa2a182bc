//! A window that is smaller than was thought: learned from the server's refusal, kept in the journal so
//! that a process which takes the run over asks as small, and never asked past again.

use std::sync::Arc;

use crate::journal::Entry;
use crate::model_step::{FailureKind, Offer, StepProfile, StepRequest};
use crate::run::Machine;

/// The part of a refused request, in percent, that the next one may take.
const PART: u32 = 60;

impl Machine {
    /// What is known of the model, its window as this run learned it.
    pub(in crate::run) fn profile(&self) -> Option<StepProfile> {
        let told = self.config.model?;
        let learned = self.state.window.unwrap_or(u32::MAX);
        Some(StepProfile {
            context_window: told.context_window.min(learned),
            ..told
        })
    }

    /// Takes in that a request did not fit; whether that leaves less room than before. A server counts
    /// other tokens than we do, so that the window which it names is not enough where this request was
    /// thought to fit it.
    fn learn_window(&mut self, request: &StepRequest, named: Option<u64>) -> bool {
        let Some(profile) = self.profile() else {
            return false;
        };
        let asked = request.tokens().saturating_add(request.max_output_tokens);
        let smaller = asked / 100 * PART;
        let named = named.map_or(u32::MAX, |named| u32::try_from(named).unwrap_or(u32::MAX));
        let tokens = match named < asked {
            true => named,
            false => smaller,
        };
        let is_less = tokens < profile.context_window && tokens > 0;
        if is_less {
            self.notice(format!(
                "the model's window is smaller than was thought: requests keep to {tokens} tokens now"
            ));
            self.record(Entry::WindowLearned { tokens });
        }
        is_less
    }

    /// A request of a step did not fit: the step begins anew with less.
    pub(in crate::run) fn model_exceeded(
        &mut self,
        id: &str,
        request: &StepRequest,
        named: Option<u64>,
        reason: &str,
    ) {
        self.learn_window(request, named);
        if matches!(request.offer, Offer::Letters(_)) {
            return self.model_failed(id, request, reason);
        }
        let view = Arc::clone(&self.view);
        if let Some(task) = view.task(id) {
            self.recover(&view, task, FailureKind::TooLarge, reason);
        }
    }

    /// A request of the planner did not fit: it is made anew as long as it can be made smaller.
    pub(in crate::run) fn planner_exceeded(
        &mut self,
        task: Option<String>,
        request: &StepRequest,
        named: Option<u64>,
        reason: String,
    ) {
        if !self.learn_window(request, named) {
            self.planner_failed(task, reason);
        }
    }
}

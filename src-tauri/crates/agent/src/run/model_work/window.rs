//! Handles a context window that turns out to be smaller than assumed. The size is learned from the
//! server's refusal, journaled so that a later process also keeps its requests small, and never
//! exceeded again.

use std::sync::Arc;

use crate::journal::Entry;
use crate::model_step::{FailureKind, Offer, StepProfile, StepRequest};
use crate::run::Machine;

/// The size of the next request, as a percentage of the size of the refused one.
const PART: u32 = 60;

impl Machine {
    /// The model's profile, with the window size learned in this run.
    pub(in crate::run) fn profile(&self) -> Option<StepProfile> {
        let told = self.config.model?;
        let learned = self.state.window.unwrap_or(u32::MAX);
        Some(StepProfile {
            context_window: told.context_window.min(learned),
            ..told
        })
    }

    /// Learns the window size from a request that didn't fit. Returns whether the known window got
    /// smaller. Servers count tokens differently, so the size they report is ignored if the request
    /// should have fit into it.
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
                "the model's context window is smaller than expected; requests are now limited \
                 to {tokens} tokens"
            ));
            self.record(Entry::WindowLearned { tokens });
        }
        is_less
    }

    /// Called if a step's request didn't fit: the step starts over with less context.
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

    /// Called if a planner's request didn't fit: it is repeated as long as it can be made smaller.
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

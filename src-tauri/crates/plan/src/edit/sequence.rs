//! Composes an edit from several others.

use super::draft::Draft;
use super::{EditError, Splice};
use crate::model::Plan;
use crate::reparse::plan_after;

/// A text being edited, with the plan parsed from it.
#[derive(Debug)]
pub(super) struct EditSequence {
    pub(super) draft: Draft,
    pub(super) plan: Plan,
}

impl EditSequence {
    /// Starts a sequence with a text and its plan.
    pub(super) fn of(text: &str, plan: &Plan) -> Self {
        Self {
            draft: Draft::of(text),
            plan: plan.clone(),
        }
    }

    /// The current text.
    pub(super) fn text(&self) -> &str {
        &self.draft.text
    }

    /// Applies splices to the current text.
    pub(super) fn make(&mut self, splices: &[Splice]) -> Result<(), EditError> {
        if !splices.is_empty() {
            let before = self.draft.text.clone();
            self.draft.change(splices)?;
            self.plan = plan_after(&before, &self.plan, &self.draft.text);
        }
        Ok(())
    }

    /// Like [`Self::make`], but doesn't update the plan; for the last edit of a sequence.
    pub(super) fn make_last(&mut self, splices: &[Splice]) -> Result<(), EditError> {
        self.draft.change(splices)
    }

    /// The splices that turn the original text into the current one.
    pub(super) fn splices(&self) -> Vec<Splice> {
        self.draft.splices()
    }
}

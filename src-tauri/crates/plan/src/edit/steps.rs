//! An edit that is made of several others, one after the other.

use super::draft::Draft;
use super::{EditError, Splice};
use crate::model::Plan;
use crate::reparse::plan_after;

/// A text under change, with the plan that it reads as now.
#[derive(Debug)]
pub(super) struct Steps {
    pub(super) draft: Draft,
    pub(super) plan: Plan,
}

impl Steps {
    /// Begins with a text and what it reads as.
    pub(super) fn of(text: &str, plan: &Plan) -> Self {
        Self {
            draft: Draft::of(text),
            plan: plan.clone(),
        }
    }

    /// The text as it stands now.
    pub(super) fn text(&self) -> &str {
        &self.draft.text
    }

    /// Makes a change of the text as it stands now.
    pub(super) fn make(&mut self, splices: &[Splice]) -> Result<(), EditError> {
        if !splices.is_empty() {
            let before = self.draft.text.clone();
            self.draft.change(splices)?;
            self.plan = plan_after(&before, &self.plan, &self.draft.text);
        }
        Ok(())
    }

    /// As [`Self::make`] for the last step: the plan is not read again.
    pub(super) fn make_last(&mut self, splices: &[Splice]) -> Result<(), EditError> {
        self.draft.change(splices)
    }

    /// The splices that lead from the first text to this one.
    pub(super) fn splices(&self) -> Vec<Splice> {
        self.draft.splices()
    }
}

//! What a session knows about its plan.

use crate::session::entry::{Extent, PlanChange, Seen, ShownPlan};

/// What a session knows about its plan.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlanMemory {
    /// The revision that the model last saw, in whole or in part.
    pub known: Option<String>,
    /// The revision whose full text is in the messages.
    pub visible: Option<String>,
    /// Whether the plan was read, edited, proposed or approved in this session: only then is it
    /// handed over.
    pub is_own: bool,
    /// The revision that feedback was given on; proposing it again is refused.
    pub feedback_on: Option<String>,
    /// The revision last proposed.
    pub proposed: Option<String>,
    /// The approved revision.
    pub approved: Option<String>,
}

impl PlanMemory {
    pub(super) fn show(&mut self, plan: &ShownPlan) {
        self.is_own = true;
        self.known = Some(plan.revision.clone());
        match plan.extent {
            Extent::Whole | Extent::Above => self.visible = Some(plan.revision.clone()),
            Extent::Window => {}
        }
    }

    pub(super) fn saw(&mut self, seen: &Seen) {
        self.is_own = true;
        self.known = Some(seen.revision.clone());
        if seen.whole {
            self.visible = Some(seen.revision.clone());
        }
    }

    pub(super) fn learn(&mut self, change: &PlanChange) {
        self.known = match change {
            PlanChange::Edited { to, .. } => Some(to.clone()),
            PlanChange::Deleted { .. } => None,
        };
        if self.known.is_none() {
            self.visible = None;
            self.approved = None;
        }
    }
}

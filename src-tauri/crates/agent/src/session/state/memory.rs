//! What a session knows about its plan.

use crate::session::entry::{Extent, PlanChange, Seen, ShownPlan};

/// What a session knows about its plan.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlanMemory {
    /// The last revision that the model has seen, in whole or in part.
    pub known: Option<String>,
    /// The revision whose complete text is in the messages.
    pub visible: Option<String>,
    /// Whether the plan was read, edited, proposed or approved in this session. Only then is it
    /// shown to the model in a hand-off.
    pub is_own: bool,
    /// The revision that the person gave feedback on; proposing it again is refused.
    pub feedback_on: Option<String>,
    /// The revision that was last proposed.
    pub proposed: Option<String>,
    /// The revision that the model started from when it changed the plan after the last proposal.
    pub edited_from: Option<String>,
    /// Whether the model has edited the plan since the last proposal.
    pub is_edited: bool,
    /// Whether others changed the plan after the model did, so that the model's changes can't be
    /// told apart from theirs.
    pub is_mixed: bool,
    /// The approved revision.
    pub approved: Option<String>,
}

impl PlanMemory {
    pub(super) fn show(&mut self, plan: &ShownPlan) {
        self.is_own = true;
        self.found(&plan.revision);
        match plan.extent {
            Extent::Whole | Extent::Above => self.visible = Some(plan.revision.clone()),
            Extent::Window => {}
        }
    }

    pub(super) fn saw(&mut self, seen: &Seen) {
        self.is_own = true;
        if seen.edited {
            self.is_edited = true;
            self.known = Some(seen.revision.clone());
        } else {
            self.found(&seen.revision);
        }
        if seen.whole {
            self.visible = Some(seen.revision.clone());
        }
    }

    /// Records a change by others. If `has_edited` is true, the result of the model's own edit
    /// tells the model about it, and the new revision already includes that edit.
    pub(super) fn learn(&mut self, change: &PlanChange, has_edited: bool) {
        match change {
            PlanChange::Edited { to, .. } if has_edited => {
                self.is_mixed = true;
                self.known = Some(to.clone());
            }
            PlanChange::Edited { to, .. } => self.found(to),
            PlanChange::Deleted { .. } => self.known = None,
        }
        if self.known.is_none() {
            self.visible = None;
            self.approved = None;
        }
    }

    pub(super) fn propose(&mut self, revision: &str) {
        self.is_own = true;
        for place in [&mut self.proposed, &mut self.edited_from, &mut self.known] {
            *place = Some(revision.to_owned());
        }
        (self.is_edited, self.is_mixed) = (false, false);
    }

    /// Records that the plan is at a revision that was not made by the model.
    fn found(&mut self, revision: &str) {
        if self.known.as_deref() != Some(revision) {
            match self.is_edited {
                true => self.is_mixed = true,
                false => self.edited_from = Some(revision.to_owned()),
            }
        }
        self.known = Some(revision.to_owned());
    }
}

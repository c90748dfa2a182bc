//! Whether a person who decides about a plan has seen what an agent proposed.
//!
//! A person decides about the revision on screen. If an agent proposes another revision in the
//! meantime, the decision doesn't apply to it, since the person hasn't seen it.

use store::Review;

use crate::Workbench;
use crate::error::Result;

/// Maximum number of events in the plan's history that are searched for the proposal.
const MAX_EVENTS: usize = 400;

impl Workbench {
    /// Refuses a decision on this revision if an agent is waiting for a decision on a newer
    /// proposal.
    ///
    /// # Errors
    /// [`crate::Code::NotCovered`], [`crate::Code::Storage`].
    pub fn refuse_unseen(&self, plan: &str, seen: &str) -> Result<()> {
        for review in self.waiting_reviews(Some(plan))? {
            if !self.has_seen(&review, seen)? {
                return Err(err!(NotCovered:
                    "{} has since proposed another version of the plan, so nothing was decided; review that version first",
                    review.agent));
            }
        }
        Ok(())
    }

    /// Whether this revision is the review's proposal or a later version of it.
    pub(super) fn has_seen(&self, review: &Review, seen: &str) -> Result<bool> {
        if review.revision == seen {
            return Ok(true);
        }
        let events = self
            .store
            .revisions()
            .page(&review.plan, None, MAX_EVENTS)?;
        let is_proposal = |event: &store::RevisionEvent| {
            event.hash == review.revision && event.at_ms <= review.asked_ms
        };
        let mut since = events.iter().take_while(|event| !is_proposal(event));
        Ok(since.any(|event| event.hash == seen))
    }
}

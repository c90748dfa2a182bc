//! Whether a person who decides about a plan has seen what an agent proposed.
//!
//! A person decides about the revision on screen. If an agent proposes another one meanwhile, the
//! decision isn't about it: it is neither approved nor rejected with words about an older text.

use store::Review;

use crate::Workbench;
use crate::error::Result;

/// Maximum number of events in the plan's history that are searched for the proposal.
const MAX_EVENTS: usize = 400;

impl Workbench {
    /// Refuses a decision if an agent waits for one on a proposal that came after this revision.
    ///
    /// # Errors
    /// [`crate::Code::NotCovered`], [`crate::Code::Storage`].
    pub fn refuse_unseen(&self, plan: &str, seen: &str) -> Result<()> {
        for review in self.waiting_reviews(Some(plan))? {
            if !self.has_seen(&review, seen)? {
                return Err(err!(NotCovered:
                    "{} proposed another version of the plan meanwhile. Nothing was decided: review it, then decide",
                    review.agent));
            }
        }
        Ok(())
    }

    /// Whether this revision is the review's proposal, or what became of it later.
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

//! Requests for changes to a plan, and revisions by the agent that wrote it.
//!
//! Nothing here approves or runs anything. A request is stored before it is passed on: the plan is
//! marked “changes requested”, and the person's text is added as a comment. Comments are then
//! marked as sent, with one exception: those for the agent that wrote the plan stay unsent until
//! its revision is in the file, so that nothing is lost if the agent fails, is cancelled or the
//! process dies.

#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::Arc;

use store::{Author, CommentKind, Mark, NewComment};

use super::words;
use crate::wire::{DesktopEvent, PlanRevised, Reviser, RevisionRequest};
use crate::{Desktop, Shared};
use workbench::error::Result;
use workbench::routes::PlanningHandle;
use workbench::wire::PlanningEvent;
use workbench::{ChangeRequest, PlanningSink, Workbench};

impl Desktop {
    /// Requests the changes that the unsent comments and `text` name: they are stored with the plan,
    /// which is marked “changes requested” at the revision on screen. Agents that wait for a decision
    /// get them; otherwise the model does, if the person chose it and one is configured.
    /// [`Desktop::revise_with_agent`] sends them to the agent that wrote the plan. Doesn't approve or
    /// run anything. Returns how many waiting agents got them.
    ///
    /// # Errors
    /// [`workbench::Code::Usage`] if there is neither a comment nor text;
    /// [`workbench::Code::NotCovered`] if an agent has proposed another version since;
    /// [`workbench::Code::Storage`]; an error if the model can't be asked, in which case the mark
    /// and the comments are still stored.
    pub fn request_changes(
        &self,
        plan: &str,
        revision: &str,
        text: &str,
        reviser: Reviser,
    ) -> Result<u32> {
        // Records the current content; without a file, the history is all there is.
        let _ = self.shared.parsed_now(plan);
        self.shared.workbench().refuse_unseen(plan, revision)?;
        let told;
        let wanted = {
            let workbench = self.shared.workbench();
            let now = workbench.clock.now_ms();
            let comments = workbench.store.comments();
            if !text.trim().is_empty() {
                comments.add(&NewComment {
                    plan,
                    revision,
                    task: None,
                    quote: None,
                    before: None,
                    kind: CommentKind::Comment,
                    text: words(text)?,
                    at_ms: now,
                })?;
            }
            let unsent = unsent(&workbench, plan)?;
            let ids: Vec<i64> = unsent.iter().map(|comment| comment.id).collect();
            if reviser != Reviser::Agent {
                comments.mark_sent(&ids, now)?;
            }
            workbench.keep_verdict(plan, store::ReviewerVerdict::NeedsRevision);
            let mark = Mark::ChangesRequested;
            workbench
                .store
                .plan_marks()
                .add(plan, revision, mark, now)?;
            let wanted = wanted(&unsent);
            told = workbench.request_changes_in_reviews(plan, revision, &wanted)?;
            if told > 0 {
                comments.mark_sent(&ids, now)?;
            }
            wanted
        };
        self.shared.review_changed(plan);
        self.shared.events.send(DesktopEvent::Inbox);
        // The request is stored whether or not a model handles it. If an agent proposed the plan,
        // that agent also revises it.
        if told == 0 && reviser == Reviser::Model && self.shared.workbench().has_model() {
            self.shared.talk_feedback(plan, revision, wanted)?;
        }
        Ok(u32::try_from(told).unwrap_or(u32::MAX))
    }

    /// Has an agent revise a plan as the unsent comments ask, and marks them as sent once its revision
    /// is written. May take long; reports progress and can be cancelled until then. Doesn't approve
    /// or run anything.
    ///
    /// # Errors
    /// [`workbench::Code::Usage`] if there is no comment to send, if the job is already under way, or if
    /// the agent isn't found; otherwise the same as [`Workbench::change_with_agent`]. The comments
    /// stay unsent.
    pub fn revise_with_agent(&self, request: &RevisionRequest) -> Result<PlanRevised> {
        let plan = request.plan.as_str();
        let (root, sent) = {
            let workbench = self.shared.workbench();
            let root = self.shared.locate(&workbench, plan)?.root;
            (root, unsent(&workbench, plan)?)
        };
        let change = ChangeRequest {
            file: PathBuf::from(plan),
            words: wanted(&sent),
            proposed: None,
        };
        // Use a separate connection, so that other calls aren't held up.
        let mut bench = self.shared.workbench().again()?;
        let cancel = workbench::environment::token()?;
        let under_way = Arc::new(PlanningHandle::cancelled_by(cancel.clone())?);
        let _job = self.shared.begin_planning(&request.job, &under_way)?;
        let mut agent = bench.planning_agent(&root, &request.agent)?;
        let phase = format!("{} reads the plan and revises it", agent.title());
        let told = |tell: PlanningSink<'_>| {
            let mut sink = |event| tell(PlanningEvent::Model(event));
            bench.change_with_agent(&change, agent.as_mut(), &cancel, &mut sink)
        };
        let outcome = self
            .shared
            .telling(&request.job, &phase, &under_way, told)?;
        let revised = outcome.report.path;
        self.shared.mark_answered(&sent)?;
        self.shared.plan_changed(&revised, Author::Outside);
        self.shared.review_changed(plan);
        self.shared.events.send(DesktopEvent::Inbox);
        Ok(PlanRevised {
            plan: revised,
            notices: outcome.notices,
        })
    }
}

impl Shared {
    /// Marks comments as sent once an agent has acted on them, except those edited in the meantime.
    fn mark_answered(&self, sent: &[store::Comment]) -> Result<()> {
        let workbench = self.workbench();
        let comments = workbench.store.comments();
        let mut ids = Vec::new();
        for comment in sent {
            let now = comments.get(comment.id)?;
            ids.extend(now.filter(|now| now.text == comment.text).map(|now| now.id));
        }
        Ok(comments.mark_sent(&ids, workbench.clock.now_ms())?)
    }
}

/// The comments to send; at least one.
fn unsent(workbench: &Workbench, plan: &str) -> Result<Vec<store::Comment>> {
    let open = workbench.store.comments().open(plan)?.into_iter();
    let unsent: Vec<store::Comment> = open.filter(|comment| comment.sent_ms.is_none()).collect();
    if unsent.is_empty() {
        return Err(err!(Usage: "there are no comments to send; enter what should change"));
    }
    Ok(unsent)
}

/// Formats comments for the model or the agent, each with its step and quote.
fn wanted(comments: &[store::Comment]) -> String {
    let line = |comment: &store::Comment| {
        let place = match (&comment.task, &comment.quote) {
            (Some(task), Some(quote)) => format!("{task}, at “{quote}”: "),
            (Some(task), None) => format!("{task}: "),
            (None, Some(quote)) => format!("At “{quote}”: "),
            (None, None) => String::new(),
        };
        match comment.kind {
            CommentKind::Comment => format!("{place}{}", comment.text),
            CommentKind::Replace => format!("{place}replace it with “{}”.", comment.text),
        }
    };
    comments.iter().map(line).collect::<Vec<_>>().join("\n\n")
}

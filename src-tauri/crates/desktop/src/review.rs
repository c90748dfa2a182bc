//! Drafts and review comments.
//!
//! A comment is attached to a task and quotes words in it. After the plan changes, `anchoring`
//! finds both again; `replacing` applies the change that a comment suggests; `change_requests` sends
//! comments to whoever revises the plan.

mod anchoring;
mod change_requests;
mod replacing;

use std::sync::Arc;

use store::{CommentKind, NewComment, NewDraft};

use crate::document::{ParsedPlan, cut};
use crate::wire::{
    Comment, CommentAnchor, CommentPlace, DesktopEvent, Draft, EditOutcome, StepNote,
};
use crate::{Desktop, Shared};
use anchoring::Anchoring;
use workbench::error::{Error, Result};
use workbench::text::one_line;

/// Maximum size of a draft or comment, in bytes.
const MAX_TEXT_BYTES: usize = 1 << 20;

/// Key of the draft for a plan's whole text.
const SOURCE_DRAFT: &str = "source";

/// Maximum size of a quote, and of the text before it, in bytes.
const MAX_QUOTE_LEN: usize = 16 << 10;

/// Maximum characters in a title.
const MAX_TITLE_LEN: usize = 200;

impl Desktop {
    /// The drafts for a plan; a workspace's path returns the draft of its goal.
    pub fn drafts(&self, plan: &str) -> Result<Vec<Draft>> {
        let drafts = self.shared.workbench().store.drafts().of_plan(plan)?;
        let drafts = drafts.into_iter().map(|draft| Draft {
            key: draft.key,
            text: draft.text,
            revision: draft.revision,
            at_ms: draft.at_ms,
        });
        Ok(drafts.collect())
    }

    /// Saves a draft. Empty text deletes it, because it was submitted or discarded.
    ///
    /// # Errors
    /// [`workbench::Code::Usage`] for more than 1 MiB, or for a plan's source that exceeds the
    /// maximum plan size; [`workbench::Code::Storage`].
    pub fn save_draft(
        &self,
        plan: &str,
        key: &str,
        text: &str,
        revision: Option<&str>,
    ) -> Result<()> {
        let workbench = self.shared.workbench();
        if text.is_empty() {
            workbench.store.drafts().delete(plan, key)?;
            return Ok(());
        }
        // A plan's source has its own, larger limit.
        if key != SOURCE_DRAFT || text.len() as u64 > plan::source::LIMIT {
            check_length(text)?;
        }
        workbench.store.drafts().put(&NewDraft {
            plan,
            key,
            text,
            revision,
            at_ms: workbench.clock.now_ms(),
        })?;
        Ok(())
    }

    /// A plan's comments, oldest first, including sent and resolved ones, anchored in its current
    /// content or, if the file is missing, in its last revision.
    pub fn comments(&self, plan: &str) -> Result<Vec<Comment>> {
        let comments = self.shared.workbench().store.comments().of_plan(plan)?;
        if comments.is_empty() {
            return Ok(Vec::new());
        }
        let now = self.shared.parsed_latest(plan);
        let anchoring = now.as_deref().map(Anchoring::new);
        let comments = comments.into_iter();
        let placed = comments.map(|comment| {
            self.shared
                .placed(comment, anchoring.as_ref(), now.as_deref())
        });
        Ok(placed.collect())
    }

    /// Adds a comment to the whole plan, to a task, or to words in it.
    ///
    /// # Errors
    /// [`workbench::Code::Usage`] for blank text, an unknown kind, or a `replace` comment without a
    /// quote; [`workbench::Code::Storage`].
    pub fn add_comment(
        &self,
        plan: &str,
        revision: &str,
        place: &CommentPlace,
        kind: &str,
        text: &str,
    ) -> Result<Comment> {
        let kind = match kind {
            "comment" => CommentKind::Comment,
            "replace" => CommentKind::Replace,
            other => {
                let other = cut(other, 40);
                return Err(
                    err!(Usage: "invalid kind of comment “{other}”: choose comment or replace"),
                );
            }
        };
        let quote = place.quote.as_deref().map(str::trim);
        let quote = quote.filter(|quote| !quote.is_empty());
        if kind == CommentKind::Replace && quote.is_none() {
            return Err(err!(Usage: "select the text to replace first"));
        }
        let before = place.before.as_deref().filter(|_| quote.is_some());
        let too_long = |text: &&str| text.len() > MAX_QUOTE_LEN;
        if quote.as_ref().is_some_and(too_long) || before.as_ref().is_some_and(too_long) {
            return Err(err!(Usage: "the quote is too long; select less text"));
        }
        let added = {
            let workbench = self.shared.workbench();
            let id = workbench.store.comments().add(&NewComment {
                plan,
                revision,
                task: place.task.as_deref(),
                quote,
                before,
                kind,
                text: words(text)?,
                at_ms: workbench.clock.now_ms(),
            })?;
            workbench.store.comments().get(id)?
        };
        self.shared.review_changed(plan);
        let added = added.ok_or_else(no_such_comment)?;
        let now = self.shared.parsed_latest(plan);
        let anchoring = now.as_deref().map(Anchoring::new);
        Ok(self
            .shared
            .placed(added, anchoring.as_ref(), now.as_deref()))
    }

    /// Edits an unsent comment.
    ///
    /// # Errors
    /// [`workbench::Code::Usage`] for blank text or a sent comment, [`workbench::Code::Storage`].
    pub fn edit_comment(&self, plan: &str, id: i64, text: &str) -> Result<()> {
        let is_changed = {
            let workbench = self.shared.workbench();
            let now = workbench.clock.now_ms();
            workbench.store.comments().update(id, words(text)?, now)?
        };
        self.shared.review_changed(plan);
        is_changed.then_some(()).ok_or_else(no_such_comment)
    }

    /// Resolves or reopens a comment.
    ///
    /// # Errors
    /// [`workbench::Code::Usage`] if the plan has no such comment, [`workbench::Code::Storage`].
    pub fn resolve_comment(&self, plan: &str, id: i64, resolved: bool) -> Result<()> {
        self.shared.comment(plan, id)?;
        self.shared.resolve(plan, id, resolved)
    }

    /// Applies the change suggested by a `replace` comment, as an edit that can be undone, and
    /// resolves the comment.
    ///
    /// # Errors
    /// Same as [`Desktop::edit`]; [`workbench::Code::Usage`] for another kind of comment, or if the
    /// quoted words are no longer in the plan.
    pub fn accept_comment(&self, plan: &str, revision: &str, id: i64) -> Result<EditOutcome> {
        let comment = self.shared.comment(plan, id)?;
        let base = self.shared.parsed_at(plan, revision)?;
        let then = || self.shared.parsed_at(plan, &comment.revision).ok();
        let outcome = replacing::replace(&self.shared, plan, &base, &comment, then)?;
        if !matches!(outcome, EditOutcome::Conflict { .. }) {
            self.shared.resolve(plan, id, true)?;
        }
        Ok(outcome)
    }

    /// Deletes an unsent comment.
    ///
    /// # Errors
    /// [`workbench::Code::Usage`] if it was sent, [`workbench::Code::Storage`].
    pub fn delete_comment(&self, plan: &str, id: i64) -> Result<()> {
        if self.shared.comment(plan, id)?.sent_ms.is_some() {
            return Err(no_such_comment());
        }
        self.shared.workbench().store.comments().delete(id)?;
        self.shared.review_changed(plan);
        Ok(())
    }
}

impl Shared {
    fn comment(&self, plan: &str, id: i64) -> Result<store::Comment> {
        let found = self.workbench().store.comments().get(id)?;
        let found = found.filter(|found| found.plan == plan);
        found.ok_or_else(no_such_comment)
    }

    fn resolve(&self, plan: &str, id: i64, resolved: bool) -> Result<()> {
        {
            let workbench = self.workbench();
            let at = resolved.then(|| workbench.clock.now_ms());
            workbench.store.comments().resolve(id, at)?;
        }
        self.review_changed(plan);
        Ok(())
    }

    /// The plan's current content, or else its last revision; `None` if neither can be read.
    pub(crate) fn parsed_latest(&self, plan: &str) -> Option<Arc<ParsedPlan>> {
        if let Ok((_, parsed)) = self.parsed_now(plan) {
            return Some(parsed);
        }
        let latest = self.workbench().store.revisions().latest(plan);
        self.parsed_at(plan, &latest.ok()??.hash).ok()
    }

    /// A comment with its current position.
    fn placed(
        &self,
        comment: store::Comment,
        anchoring: Option<&Anchoring<'_>>,
        now: Option<&ParsedPlan>,
    ) -> Comment {
        let then = || self.parsed_at(&comment.plan, &comment.revision).ok();
        let found = anchoring.map(|anchoring| anchoring.find(&comment, then));
        let task = found.and_then(|found| now?.plan.tasks.get(found.task?));
        let anchor = found.map_or(CommentAnchor::Lost, |found| found.anchor);
        let (task, title) = match task {
            Some(task) => (Some(task.id.to_string()), Some(task.title.clone())),
            // The task wasn't found: use its id and title from when the comment was written.
            None if anchor == CommentAnchor::Lost => {
                let id = comment.task.clone();
                let title = id.as_ref().and_then(|id| {
                    let then = then()?;
                    Some(then.plan.tasks[then.index_of(id)?].title.clone())
                });
                (id, title)
            }
            // The comment is about the whole plan, or the quoted words are now outside all tasks.
            None => (None, None),
        };
        Comment {
            id: comment.id,
            kind: comment.kind.as_str().to_owned(),
            task,
            task_title: title.map(|title| cut(&title, MAX_TITLE_LEN)),
            anchor,
            is_resolved: comment.resolved_ms.is_some(),
            is_sent: comment.sent_ms.is_some(),
            quote: comment.quote,
            revision: comment.revision,
            text: comment.text,
            at_ms: comment.at_ms,
        }
    }

    /// Marks comments as sent if their text was written into the plan as a note on their step.
    pub(crate) fn comments_went_into(&self, plan: &str, notes: &[StepNote]) -> Result<()> {
        let workbench = self.workbench();
        let comments = workbench.store.comments();
        let unsent = comments
            .open(plan)?
            .into_iter()
            .filter(|one| one.sent_ms.is_none());
        let went: Vec<i64> = unsent
            .filter(|comment| {
                let own = notes
                    .iter()
                    .filter(|note| Some(&note.task) == comment.task.as_ref());
                let words = one_line(&comment.text);
                own.map(|note| one_line(&note.text))
                    .any(|note| note.contains(&words))
            })
            .map(|comment| comment.id)
            .collect();
        if !went.is_empty() {
            comments.mark_sent(&went, workbench.clock.now_ms())?;
        }
        Ok(())
    }

    /// Tells the windows that a plan's comments or marks changed.
    pub(crate) fn review_changed(&self, plan: &str) {
        self.events.send(DesktopEvent::Review {
            plan: plan.to_owned(),
        });
    }
}

fn words(text: &str) -> Result<&str> {
    check_length(text)?;
    match text.trim() {
        "" => Err(err!(Usage: "the comment is empty")),
        words => Ok(words),
    }
}

fn check_length(text: &str) -> Result<()> {
    if text.len() <= MAX_TEXT_BYTES {
        return Ok(());
    }
    Err(err!(Usage: "the text is longer than 1 MiB; put it into a file and name the file here"))
}

fn no_such_comment() -> Error {
    err!(Usage: "no such comment; it may have been sent or deleted")
}

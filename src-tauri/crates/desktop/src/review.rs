//! Drafts and comments: what a person has typed and not yet given.
//!
//! A comment stands at a task and at words of it. When the plan moves on, `anchoring` finds both
//! again; `replacing` makes the change that a comment asks for.

mod anchoring;
mod replacing;

use std::sync::Arc;

use store::{CommentKind, Mark, NewComment, NewDraft};

use crate::document::{ParsedPlan, cut};
use crate::wire::{
    Comment, CommentAnchor, CommentPlace, DesktopEvent, Draft, EditOutcome, StepNote,
};
use crate::{Desktop, Shared};
use anchoring::Anchoring;
use workbench::error::{Error, Result};
use workbench::text::one_line;

/// The longest draft or comment that is kept, in bytes.
const LONGEST: usize = 1 << 20;

/// The draft of a plan's whole text.
const SOURCE_DRAFT: &str = "source";

/// The longest quote, and the longest text before one, in bytes.
const MAX_QUOTE_LEN: usize = 16 << 10;

/// Characters of a title.
const MAX_TITLE_LEN: usize = 200;

impl Desktop {
    /// What was being typed about a plan; a workspace's path gives its goal.
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

    /// Keeps what is being typed; empty text drops it: it was given, or given up.
    ///
    /// # Errors
    /// [`workbench::Code::Usage`] for more than 1 MiB, for the source of a plan for more than a plan may have;
    /// [`workbench::Code::Storage`].
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
        // The plan's own text may be as long as a plan may be.
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

    /// The comments of a plan, sent and settled ones too, the oldest first, each where it stands in
    /// the plan as it is now; if the file is gone, as it was last.
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

    /// Adds a comment to the plan as a whole, to a task, or to words of it.
    ///
    /// # Errors
    /// [`workbench::Code::Usage`] for a blank one, for a kind other than `comment` and `replace`, and for a
    /// replacement of no words; [`workbench::Code::Storage`].
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
                return Err(err!(Usage: "a comment is a comment or a replace, not “{other}”"));
            }
        };
        let quote = place.quote.as_deref().map(str::trim);
        let quote = quote.filter(|quote| !quote.is_empty());
        if kind == CommentKind::Replace && quote.is_none() {
            return Err(err!(Usage: "mark the words that are to be replaced first"));
        }
        let before = place.before.as_deref().filter(|_| quote.is_some());
        let too_long = |text: &&str| text.len() > MAX_QUOTE_LEN;
        if quote.as_ref().is_some_and(too_long) || before.as_ref().is_some_and(too_long) {
            return Err(err!(Usage: "the quote is too long; mark fewer words"));
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

    /// Changes the words of a comment that was not sent.
    ///
    /// # Errors
    /// [`workbench::Code::Usage`] for blank words or a comment that was sent, [`workbench::Code::Storage`].
    pub fn edit_comment(&self, plan: &str, id: i64, text: &str) -> Result<()> {
        let is_changed = {
            let workbench = self.shared.workbench();
            let now = workbench.clock.now_ms();
            workbench.store.comments().update(id, words(text)?, now)?
        };
        self.shared.review_changed(plan);
        is_changed.then_some(()).ok_or_else(no_such_comment)
    }

    /// Settles a comment, or opens it again.
    ///
    /// # Errors
    /// [`workbench::Code::Usage`] when the plan has no such comment, [`workbench::Code::Storage`].
    pub fn resolve_comment(&self, plan: &str, id: i64, resolved: bool) -> Result<()> {
        self.shared.comment(plan, id)?;
        self.shared.resolve(plan, id, resolved)
    }

    /// Makes the change that a `replace` comment asks for, as an edit that can be undone, and settles
    /// the comment.
    ///
    /// # Errors
    /// As [`Desktop::edit`]; [`workbench::Code::Usage`] for a comment that asks for none, and where its words do
    /// not stand in the plan any more.
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

    /// Deletes a comment that was not sent.
    ///
    /// # Errors
    /// [`workbench::Code::Usage`] when it was sent, [`workbench::Code::Storage`].
    pub fn delete_comment(&self, plan: &str, id: i64) -> Result<()> {
        if self.shared.comment(plan, id)?.sent_ms.is_some() {
            return Err(no_such_comment());
        }
        self.shared.workbench().store.comments().delete(id)?;
        self.shared.review_changed(plan);
        Ok(())
    }

    /// Sends the comments: they are kept with the plan, which is marked “changes requested” at the
    /// revision on screen. A model gets them where one is configured. Nothing is approved, and nothing
    /// runs.
    ///
    /// # Errors
    /// [`workbench::Code::Usage`] when there is neither a comment nor any words, [`workbench::Code::Storage`]; when the model
    /// cannot be asked, which the plan's mark and its comments outlive.
    pub fn request_changes(&self, plan: &str, revision: &str, text: &str) -> Result<()> {
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
            let unsent: Vec<store::Comment> = comments
                .open(plan)?
                .into_iter()
                .filter(|comment| comment.sent_ms.is_none())
                .collect();
            if unsent.is_empty() {
                return Err(err!(Usage: "say what is to be changed: there is no comment yet"));
            }
            let ids: Vec<i64> = unsent.iter().map(|comment| comment.id).collect();
            comments.mark_sent(&ids, now)?;
            workbench.keep_verdict(plan, store::ReviewerVerdict::NeedsRevision);
            let mark = Mark::ChangesRequested;
            workbench
                .store
                .plan_marks()
                .add(plan, revision, mark, now)?;
            wanted(&unsent)
        };
        self.shared.review_changed(plan);
        self.shared.events.send(DesktopEvent::Inbox);
        // The request is kept whether or not a model takes it up.
        if self.shared.workbench().has_model() {
            self.shared.talk_feedback(plan, revision, wanted)?;
        }
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

    /// A plan as it is now, else as it was last; `None` if neither can be read.
    fn parsed_latest(&self, plan: &str) -> Option<Arc<ParsedPlan>> {
        if let Ok((_, parsed)) = self.parsed_now(plan) {
            return Some(parsed);
        }
        let latest = self.workbench().store.revisions().latest(plan);
        self.parsed_at(plan, &latest.ok()??.hash).ok()
    }

    /// A comment where it stands now.
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
            // Where it was found is outside of tasks, or it still names the task that is gone.
            None if anchor == CommentAnchor::Lost => {
                let id = comment.task.clone();
                let title = id.as_ref().and_then(|id| {
                    let then = then()?;
                    Some(then.plan.tasks[then.index_of(id)?].title.clone())
                });
                (id, title)
            }
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

    /// Notes that comments went into the plan with these notes: those whose words stand in the note
    /// of their step.
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

    /// Tells the windows that comments or marks of a plan are others now.
    pub(crate) fn review_changed(&self, plan: &str) {
        self.events.send(DesktopEvent::Review {
            plan: plan.to_owned(),
        });
    }
}

/// Comments as a model gets them: each with its step and the words that it is about.
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
            CommentKind::Replace => format!("{place}put “{}” there instead.", comment.text),
        }
    };
    comments.iter().map(line).collect::<Vec<_>>().join("\n\n")
}

fn words(text: &str) -> Result<&str> {
    check_length(text)?;
    match text.trim() {
        "" => Err(err!(Usage: "the comment is empty")),
        words => Ok(words),
    }
}

fn check_length(text: &str) -> Result<()> {
    if text.len() <= LONGEST {
        return Ok(());
    }
    Err(err!(Usage: "the text is longer than 1 MiB; put it into a file and name the file here"))
}

fn no_such_comment() -> Error {
    err!(Usage: "there is no such comment any more, or it was sent already")
}

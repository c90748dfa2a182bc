//! Drafts and comments: what a person has typed and not yet given.

use store::{Mark, NewComment, NewDraft};

use crate::desktop::{Desktop, Shared};
use crate::error::{Code, Error, Result};
use crate::wire::window::{Comment, CommentAnchor, CommentPlace, DesktopEvent, Draft, EditOutcome};

/// The longest draft or comment that is kept, in bytes.
const LONGEST: usize = 1 << 20;

impl Desktop {
    /// What was being typed about a plan; a workspace's path gives its goal.
    ///
    /// # Errors
    /// [`Code::Storage`].
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
    /// [`Code::Usage`] for more than 1 MiB, [`Code::Storage`].
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
        check_length(text)?;
        workbench.store.drafts().put(&NewDraft {
            plan,
            key,
            text,
            revision,
            at_ms: workbench.clock.now_ms(),
        })?;
        Ok(())
    }

    /// The comments of a plan, sent ones too, the oldest first.
    ///
    /// # Errors
    /// [`Code::Storage`].
    pub fn comments(&self, plan: &str) -> Result<Vec<Comment>> {
        let comments = self.shared.workbench().store.comments().of_plan(plan)?;
        Ok(comments.into_iter().map(comment).collect())
    }

    /// Adds a comment to the plan as a whole, or to a task.
    ///
    /// # Errors
    /// [`Code::Usage`] for a blank one, [`Code::Storage`].
    pub fn add_comment(
        &self,
        plan: &str,
        revision: &str,
        place: &CommentPlace,
        _kind: &str,
        text: &str,
    ) -> Result<Comment> {
        let added = {
            let workbench = self.shared.workbench();
            let id = workbench.store.comments().add(&NewComment {
                plan,
                revision,
                task: place.task.as_deref(),
                quote: place.quote.as_deref(),
                before: None,
                kind: store::CommentKind::Comment,
                text: words(text)?,
                at_ms: workbench.clock.now_ms(),
            })?;
            workbench.store.comments().get(id)?
        };
        self.shared.review_changed(plan);
        added.map(comment).ok_or_else(no_such_comment)
    }

    /// Changes the words of a comment that was not sent.
    ///
    /// # Errors
    /// [`Code::Usage`] for blank words or a comment that was sent, [`Code::Storage`].
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
    /// [`Code::Storage`].
    pub fn resolve_comment(&self, plan: &str, id: i64, resolved: bool) -> Result<()> {
        {
            let workbench = self.shared.workbench();
            let at = resolved.then(|| workbench.clock.now_ms());
            workbench.store.comments().resolve(id, at)?;
        }
        self.shared.review_changed(plan);
        Ok(())
    }

    /// Makes the change that a `replace` comment asks for.
    pub fn accept_comment(&self, _plan: &str, _revision: &str, _id: i64) -> Result<EditOutcome> {
        Err(Error::new(Code::Failed, "not built"))
    }

    /// Deletes a comment that was not sent.
    ///
    /// # Errors
    /// [`Code::Usage`] when it was sent, [`Code::Storage`].
    pub fn delete_comment(&self, plan: &str, id: i64) -> Result<()> {
        {
            let workbench = self.shared.workbench();
            let found = workbench.store.comments().get(id)?;
            if !found.is_some_and(|found| found.plan == plan && found.sent_ms.is_none()) {
                return Err(no_such_comment());
            }
            workbench.store.comments().delete(id)?;
        }
        self.shared.review_changed(plan);
        Ok(())
    }

    /// Sends the comments: they are kept with the plan, which is marked “changes requested” at the
    /// revision on screen. Nothing is approved, and nothing runs.
    ///
    /// # Errors
    /// [`Code::Usage`] when there is neither a comment nor any words, [`Code::Storage`].
    pub fn request_changes(&self, plan: &str, revision: &str, text: &str) -> Result<()> {
        {
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
                    kind: store::CommentKind::Comment,
                    text: words(text)?,
                    at_ms: now,
                })?;
            }
            let unsent: Vec<i64> = comments
                .open(plan)?
                .into_iter()
                .filter(|comment| comment.sent_ms.is_none())
                .map(|comment| comment.id)
                .collect();
            if unsent.is_empty() {
                return Err(Error::new(
                    Code::Usage,
                    "say what is to be changed: there is no comment yet",
                ));
            }
            comments.mark_sent(&unsent, now)?;
            let mark = Mark::ChangesRequested;
            workbench
                .store
                .plan_marks()
                .add(plan, revision, mark, now)?;
        }
        self.shared.review_changed(plan);
        self.shared.events.send(DesktopEvent::Inbox);
        Ok(())
    }
}

impl Shared {
    /// Tells the windows that comments or marks of a plan are others now.
    pub(crate) fn review_changed(&self, plan: &str) {
        self.events.send(DesktopEvent::Review {
            plan: plan.to_owned(),
        });
    }
}

fn comment(comment: store::Comment) -> Comment {
    Comment {
        id: comment.id,
        kind: "comment".to_owned(),
        task: comment.task,
        task_title: None,
        quote: comment.quote,
        anchor: CommentAnchor::Here,
        is_resolved: comment.resolved_ms.is_some(),
        revision: comment.revision,
        text: comment.text,
        at_ms: comment.at_ms,
        is_sent: comment.sent_ms.is_some(),
    }
}

fn words(text: &str) -> Result<&str> {
    check_length(text)?;
    match text.trim() {
        "" => Err(Error::new(Code::Usage, "the comment is empty")),
        words => Ok(words),
    }
}

fn check_length(text: &str) -> Result<()> {
    if text.len() <= LONGEST {
        return Ok(());
    }
    Err(Error::new(
        Code::Usage,
        "the text is longer than 1 MiB; put it into a file and name the file here",
    ))
}

fn no_such_comment() -> Error {
    Error::new(
        Code::Usage,
        "there is no such comment any more, or it was sent already",
    )
}

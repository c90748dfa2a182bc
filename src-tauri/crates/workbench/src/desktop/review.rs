//! Drafts and comments.

use crate::desktop::Desktop;
use crate::error::{Result, unbuilt};
use crate::wire::window::{Comment, Draft};

impl Desktop {
    /// What was being typed about a plan; a workspace's path gives its goal.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn drafts(&self, plan: &str) -> Result<Vec<Draft>> {
        Err(unbuilt(&(plan,)))
    }

    /// Keeps what is being typed; empty text drops it.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn save_draft(
        &self,
        plan: &str,
        key: &str,
        text: &str,
        revision: Option<&str>,
    ) -> Result<()> {
        Err(unbuilt(&(plan, key, text, revision)))
    }

    /// The comments of a plan, sent ones too.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn comments(&self, plan: &str) -> Result<Vec<Comment>> {
        Err(unbuilt(&(plan,)))
    }

    /// Adds a comment.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn add_comment(
        &self,
        plan: &str,
        revision: &str,
        task: Option<&str>,
        text: &str,
    ) -> Result<Comment> {
        Err(unbuilt(&(plan, revision, task, text)))
    }

    /// Changes the words of a comment that was not sent.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn edit_comment(&self, plan: &str, id: i64, text: &str) -> Result<()> {
        Err(unbuilt(&(plan, id, text)))
    }

    /// Deletes a comment that was not sent.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn delete_comment(&self, plan: &str, id: i64) -> Result<()> {
        Err(unbuilt(&(plan, id)))
    }

    /// Sends the comments: they are kept with the plan, and it is marked “changes requested”.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn request_changes(&self, plan: &str, revision: &str, text: &str) -> Result<()> {
        Err(unbuilt(&(plan, revision, text)))
    }
}

//! Plans as they are shown: lists, outlines, rows, tasks, findings. Changes nothing.

use crate::desktop::Desktop;
use crate::error::{Result, unbuilt};
use crate::wire::window::{
    FindingsReport, Outline, PlanSummary, RowPage, Section, TaskDetail, TaskRef,
};

/// Plans as last parsed, the newest few.
#[derive(Default)]
pub(crate) struct Parsed {}

impl Desktop {
    /// The plans of a workspace.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn plans(&self, workspace: &str) -> Result<Vec<PlanSummary>> {
        Err(unbuilt(&(workspace,)))
    }

    /// The head of a plan, as it is now or as it was in a revision.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn outline(&self, plan: &str, revision: Option<&str>) -> Result<Outline> {
        Err(unbuilt(&(plan, revision)))
    }

    /// Rows of the outline, at most 200.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn rows(&self, plan: &str, revision: &str, from: u32, count: u32) -> Result<RowPage> {
        Err(unbuilt(&(plan, revision, from, count)))
    }

    /// The row of a task, found by its id; `None` when there is none.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn row_index(&self, plan: &str, revision: &str, task: &str) -> Result<Option<u32>> {
        Err(unbuilt(&(plan, revision, task)))
    }

    /// One task, whole.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn task(&self, plan: &str, revision: &str, task: &str) -> Result<TaskDetail> {
        Err(unbuilt(&(plan, revision, task)))
    }

    /// One section, whole.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn section(&self, plan: &str, revision: &str, section: &str) -> Result<Section> {
        Err(unbuilt(&(plan, revision, section)))
    }

    /// Why the badge is what it is.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn findings(&self, plan: &str, revision: &str) -> Result<FindingsReport> {
        Err(unbuilt(&(plan, revision)))
    }

    /// Files of the workspace whose path has the words in it, the best first.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn find_files(&self, workspace: &str, words: &str) -> Result<Vec<String>> {
        Err(unbuilt(&(workspace, words)))
    }

    /// Tasks whose id or title has the words in it, at most 50, for the picker of dependencies.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn find_tasks(&self, plan: &str, revision: &str, words: &str) -> Result<Vec<TaskRef>> {
        Err(unbuilt(&(plan, revision, words)))
    }

    /// A step as a self-contained brief, to hand over.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn brief(&self, plan: &str, revision: &str, task: &str) -> Result<String> {
        Err(unbuilt(&(plan, revision, task)))
    }
}

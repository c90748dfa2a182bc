//! Starting: places, workspaces, goals.

use crate::desktop::Desktop;
use crate::error::{Result, unbuilt};
use crate::wire::window::{
    GoalReading, GoalRequest, OpenedPath, Place, PlanMade, Start, WorkspaceInfo,
};

impl Desktop {
    /// What a window needs to draw its first frame.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn start(&self, window: &str) -> Result<Start> {
        Err(unbuilt(&(window,)))
    }

    /// Keeps where a window stands.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn save_place(&self, window: &str, place: Place) -> Result<()> {
        Err(unbuilt(&(window, place)))
    }

    /// Forgets where a window stood: a person closed it.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn forget_place(&self, window: &str) -> Result<()> {
        Err(unbuilt(&(window,)))
    }

    /// Opens a folder as a workspace and watches it.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn open_workspace(&self, path: &str) -> Result<WorkspaceInfo> {
        Err(unbuilt(&(path,)))
    }

    /// Opens what a person named: a folder, or a plan file in one.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn open_path(&self, path: &str) -> Result<OpenedPath> {
        Err(unbuilt(&(path,)))
    }

    /// Copies the sample program into the user's data, once, and opens it.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn open_sample(&self) -> Result<WorkspaceInfo> {
        Err(unbuilt(&()))
    }

    /// Takes a folder off the recent ones. The folder itself is left alone.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn forget_workspace(&self, path: &str) -> Result<()> {
        Err(unbuilt(&(path,)))
    }

    /// Reads a goal as it is typed.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn read_goal(&self, workspace: Option<&str>, goal: &str) -> Result<GoalReading> {
        Err(unbuilt(&(workspace, goal)))
    }

    /// Writes a plan for a goal. Takes long in a large workspace; tells of itself, can be cancelled.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn make_plan(&self, request: GoalRequest) -> Result<PlanMade> {
        Err(unbuilt(&(request,)))
    }

    /// Cancels planning; nothing was written then.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn cancel_planning(&self, job: &str) -> Result<()> {
        Err(unbuilt(&(job,)))
    }
}

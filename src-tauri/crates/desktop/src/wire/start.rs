//! Startup, workspaces and goals.

use serde::{Deserialize, Serialize};
use specta::Type;

use super::PlanSummary;

/// What a window needs to render its first frame.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct Start {
    /// The program's version.
    pub version: String,
    /// The window's saved place, or the default for a new window.
    pub place: Place,
    /// Recently opened folders, newest first.
    pub recent: Vec<RecentWorkspace>,
    /// Messages for the user, such as a database that was set aside or a log that can't be written.
    pub notices: Vec<String>,
    /// `light`, `dark` or `auto`.
    pub theme: String,
    /// Whether a model is configured.
    pub has_model: bool,
}

/// What a window was showing, saved so that it reopens in the same place even after being killed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
pub struct Place {
    /// Path of the open workspace.
    pub workspace: Option<String>,
    /// Key of the open plan.
    pub plan: Option<String>,
    /// The main screen: `first`, `plan`, `talk`, `inbox`, `templates`, `settings`.
    pub screen: Option<String>,
    /// The view of the open plan: `outline`, `graph`, `source`, `history`. `None` means the
    /// outline.
    pub view: Option<String>,
    /// The tab of the right panel: `talk`, `findings`, `run`, `changes`.
    pub panel: Option<String>,
    /// Id of the selected task.
    pub task: Option<String>,
    /// Id of the task at the top of the view.
    pub top: Option<String>,
    /// Id of the run on screen.
    pub run: Option<String>,
    /// Session of the conversation on screen, if its plan isn't written yet.
    pub talk: Option<String>,
    /// Whether the selected task is being edited.
    pub editing: bool,
}

/// A recently opened folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct RecentWorkspace {
    /// The absolute path.
    pub path: String,
    /// The path for display: `~/code/report-tool`.
    pub shown: String,
    /// Number of plans; `None` if the folder can't be read.
    pub plans: Option<u32>,
    /// Number of plans waiting for the user.
    pub waiting: u32,
    /// Whether the folder no longer exists.
    pub is_missing: bool,
}

/// An open workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct WorkspaceInfo {
    /// The absolute path, with symlinks resolved.
    pub path: String,
    /// The folder's name.
    pub name: String,
    /// The path for display.
    pub shown: String,
    /// Whether plans can be written to it; a read-only folder can still be viewed.
    pub is_writable: bool,
    /// Problems in its settings.
    pub notices: Vec<String>,
}

/// A path as opened: a workspace, and possibly a plan in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct OpenedPath {
    /// The workspace.
    pub workspace: WorkspaceInfo,
    /// The plan's key, if the path is a plan file.
    pub plan: Option<String>,
}

/// A goal as parsed while the user types.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct GoalReading {
    /// The requirements, one line each.
    pub requirements: Vec<String>,
    /// The kind of task, for display: "rename", "bug fix".
    pub kind: String,
    /// What is vague or missing, one sentence each.
    pub open: Vec<String>,
    /// The template that matches, if any.
    pub template: Option<TemplateMatch>,
}

/// A template that matches a goal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct TemplateMatch {
    /// The template's name.
    pub name: String,
    /// Why it matches, in one sentence.
    pub reason: String,
    /// Parameters taken from the goal, as names and values.
    pub took: Vec<(String, String)>,
}

/// The origin of a plan that hasn't been changed since it was created.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct PlanOrigin {
    /// The revision it was created as.
    pub revision: String,
    /// The template it was created from, which the user can reject; `None` if none was used.
    pub template: Option<TemplateMatch>,
}

/// The method for recreating a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Type)]
#[serde(rename_all = "lowercase")]
pub enum PlanWriter {
    /// Templates and rules.
    Rules,
    /// Rules without a template: one step per requirement.
    Steps,
    /// The configured model.
    Model,
}

/// A request to recreate a plan from its goal, in the same file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Type)]
pub struct PlanAnew {
    /// A job id chosen by the window, used in [`super::DesktopEvent::Planning`] and
    /// `cancel_planning`.
    pub job: String,
    /// The plan's key.
    pub plan: String,
    /// The revision that the user sees.
    pub seen: String,
    /// The method to use.
    pub by: PlanWriter,
}

/// A request to plan a goal.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Type)]
pub struct GoalRequest {
    /// A job id chosen by the window, used in [`super::DesktopEvent::Planning`] and
    /// `cancel_planning`.
    pub job: String,
    /// The workspace's path.
    pub workspace: String,
    /// The goal in the user's words.
    pub goal: String,
    /// The requirements as edited by the user; `None` uses those parsed from the goal.
    pub requirements: Option<Vec<String>>,
    /// Name of the template to use; `None` selects one by the goal.
    pub template: Option<String>,
    /// Whether to use no template at all.
    pub without_template: bool,
    /// The planning effort: `auto`, `quick` or `thorough`.
    pub effort: String,
    /// Ids of plugins that the user pinned.
    pub pins: Vec<String>,
    /// Name of the agent that writes the plan; `None` for Planwright's own planners.
    pub agent: Option<String>,
    /// Reason for accepting a thin plan, if enforcement is on.
    pub reason: Option<String>,
}

/// A plan that was created for a goal.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct PlanMade {
    /// The plan as shown in the list.
    pub plan: PlanSummary,
    /// Name of the template it was created from, if any.
    pub template: Option<String>,
    /// How it was created: why this template, and what was taken from the goal.
    pub route: Vec<String>,
    /// Why enforcement rejects it, if it does.
    pub refused: Option<String>,
    /// Messages for the user.
    pub notices: Vec<String>,
}

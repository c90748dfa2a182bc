//! Starting: what a window opens with, workspaces, goals.

use serde::{Deserialize, Serialize};
use specta::Type;

use super::PlanSummary;

/// What a window needs to draw its first frame.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct Start {
    /// The program's version.
    pub version: String,
    /// Where this window stood when it was last seen; the default for a new one.
    pub place: Place,
    /// Folders opened before, the newest first.
    pub recent: Vec<RecentWorkspace>,
    /// What the person should know: a database that was set aside, a log that cannot be written.
    pub notices: Vec<String>,
    /// `light`, `dark` or `auto`.
    pub theme: String,
    /// Whether a model is set up.
    pub has_model: bool,
}

/// Where a window stands. Kept so that a killed window comes back to the same place.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
pub struct Place {
    /// The open workspace.
    pub workspace: Option<String>,
    /// The open plan.
    pub plan: Option<String>,
    /// The screen in the centre: `first`, `plan`, `talk`, `inbox`, `templates`, `settings`.
    pub screen: Option<String>,
    /// The view of the open plan: `outline`, `graph`, `source`, `history`. `None`: the outline.
    pub view: Option<String>,
    /// The tab of the right panel: `talk`, `findings`, `run`, `changes`.
    pub panel: Option<String>,
    /// The selected task.
    pub task: Option<String>,
    /// The first task in view.
    pub top: Option<String>,
    /// The run shown.
    pub run: Option<String>,
    /// The conversation on screen, while its plan is not written yet.
    pub talk: Option<String>,
    /// Whether the selected task is open for editing.
    pub editing: bool,
}

/// A folder opened before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct RecentWorkspace {
    /// Absolute.
    pub path: String,
    /// As people write it: `~/code/report-tool`.
    pub shown: String,
    /// How many plans it has; absent when it cannot be read.
    pub plans: Option<u32>,
    /// How many of them wait for a person.
    pub waiting: u32,
    /// Whether the folder is gone.
    pub is_missing: bool,
}

/// A workspace that is open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct WorkspaceInfo {
    /// Absolute, links resolved.
    pub path: String,
    /// The folder's name.
    pub name: String,
    /// As people write it.
    pub shown: String,
    /// Whether plans can be written into it; a read-only folder can still be looked at.
    pub is_writable: bool,
    /// What is wrong with its settings.
    pub notices: Vec<String>,
}

/// What a path turned out to be: a folder, or a plan in one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct OpenedPath {
    /// The workspace.
    pub workspace: WorkspaceInfo,
    /// The plan, when the path named one.
    pub plan: Option<String>,
}

/// What was read from a goal as it is typed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct GoalReading {
    /// What it asks for, one line each.
    pub requirements: Vec<String>,
    /// The kind of job, in words: "rename", "bug fix".
    pub kind: String,
    /// What the goal leaves open, one sentence each.
    pub open: Vec<String>,
    /// The template that would answer it; none where only the plain rules would.
    pub template: Option<TemplateMatch>,
}

/// A template that answers a goal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct TemplateMatch {
    /// Its name.
    pub name: String,
    /// Why this one, in one sentence.
    pub reason: String,
    /// What it takes from the goal, as names and values.
    pub took: Vec<(String, String)>,
}

/// How a plan that is still as it was made came to be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct PlanOrigin {
    /// The revision that was made.
    pub revision: String,
    /// The template it was made from, which can be refused; none where none was used.
    pub template: Option<TemplateMatch>,
}

/// Who is to write a plan anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Type)]
#[serde(rename_all = "lowercase")]
pub enum PlanWriter {
    /// Templates and rules.
    Rules,
    /// Rules without a template: a step for each thing that the goal asks for.
    Steps,
    /// The model that is configured.
    Model,
}

/// A plan that is to be made anew for its goal, in its place.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Type)]
pub struct PlanAnew {
    /// Chosen by the window: names the work in [`super::DesktopEvent::Planning`] and in `cancel_planning`.
    pub job: String,
    /// The plan.
    pub plan: String,
    /// The revision that the person sees.
    pub seen: String,
    /// Who is to write it.
    pub by: PlanWriter,
}

/// A goal to be planned.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Type)]
pub struct GoalRequest {
    /// Chosen by the window: names the work in [`super::DesktopEvent::Planning`] and in `cancel_planning`.
    pub job: String,
    /// The workspace.
    pub workspace: String,
    /// The goal in the person's words.
    pub goal: String,
    /// The requirements as the person left them; `None` takes those read from the goal.
    pub requirements: Option<Vec<String>>,
    /// The template to use; `None` lets the goal choose.
    pub template: Option<String>,
    /// Whether none is to be used, whatever the goal asks for.
    pub without_template: bool,
    /// `auto`, `quick` or `thorough`.
    pub effort: String,
    /// Plugins that the person pinned, by id.
    pub pins: Vec<String>,
    /// Why a thin plan is to be accepted, where enforcement is on.
    pub reason: Option<String>,
}

/// A plan that was written for a goal.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct PlanMade {
    /// As the list shows it.
    pub plan: PlanSummary,
    /// The template it was made from, if any.
    pub template: Option<String>,
    /// Why that one, and what was taken from the goal.
    pub route: Vec<String>,
    /// Why enforcement refuses it, when it does.
    pub refused: Option<String>,
    /// What the person should know.
    pub notices: Vec<String>,
}

//! Startup, workspaces and goals.
//!
//! Submodules: `goal` parses goals and plans them, `origin` tells how a plan was created and
//! recreates it, `sample` writes the sample program.

mod goal;
mod origin;
mod sample;

use std::path::Path;

use store::StoreError;
use tools::Workspace;

use crate::wire::{OpenedPath, Place, RecentWorkspace, Start, WorkspaceInfo};
use crate::{Desktop, Shared};
use workbench::error::{Code, Error, Result};
use workbench::settings::{Editor, Settings};
use workbench::{Workbench, plan_file};

/// Maximum recent folders on the first screen.
const RECENT: usize = 12;

impl Desktop {
    /// What a window needs to render its first frame.
    pub fn start(&self, window: &str) -> Result<Start> {
        let workbench = self.shared.workbench();
        let (settings, _) = workbench.settings_for(None);
        let place = workbench.store.places().get(window)?;
        // A saved place in an outdated format must not prevent startup.
        let place = place
            .and_then(|place| serde_json::from_str(&place.body).ok())
            .map(|place| at_its_plan(&workbench, place))
            .unwrap_or_default();
        let recent = recent(&workbench, &settings)?;
        let mut notices = self.shared.notices.clone();
        let (_, problems) = workbench.settings_for(None);
        notices.extend(problems.iter().map(ToString::to_string));
        Ok(Start {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            place,
            recent,
            notices,
            theme: settings.theme.as_str().to_owned(),
            has_model: workbench.has_model(),
        })
    }

    /// The folders that the user has opened as workspaces, newest first.
    pub fn known_workspaces(&self) -> Result<Vec<String>> {
        let folders = self.shared.workbench().store.workspaces().list()?;
        Ok(folders.into_iter().map(|folder| folder.path).collect())
    }

    /// The editor that the user has chosen for files. A workspace's settings can't override it.
    pub fn editor(&self) -> Editor {
        self.shared.workbench().settings_for(None).0.editor
    }

    /// Saves what a window is showing.
    pub fn save_place(&self, window: &str, place: Place) -> Result<()> {
        let body = serde_json::to_string(&place)
            .map_err(|error| Error::from_cause(Code::Failed, error))?;
        let workbench = self.shared.workbench();
        let now = workbench.clock.now_ms();
        Ok(workbench.store.places().put(window, &body, now)?)
    }

    /// Deletes a window's saved place when a person closes it while others stay open.
    pub fn forget_place(&self, window: &str) -> Result<()> {
        self.shared.workbench().store.places().remove(window)?;
        Ok(())
    }

    /// Opens a folder as a workspace and starts watching it.
    ///
    /// # Errors
    /// [`Code::Workspace`] if it isn't a readable folder, or contains Planwright's own data.
    pub fn open_workspace(&self, path: &str) -> Result<WorkspaceInfo> {
        let info = {
            let workbench = self.shared.workbench();
            let path = workbench.environment.cwd.join(path);
            let workspace = workbench.open_workspace(&path)?;
            let now = workbench.clock.now_ms();
            let info = info(&workbench, &workspace);
            workbench.store.workspaces().touch(&info.path, now)?;
            info
        };
        self.shared.watch_workspace(&info.path)?;
        Ok(info)
    }

    /// Opens a path given by the user: a folder, or a plan file in one.
    ///
    /// # Errors
    /// [`Code::Usage`] if it doesn't exist or isn't a plan; otherwise same as
    /// [`Desktop::open_workspace`].
    pub fn open_path(&self, path: &str) -> Result<OpenedPath> {
        let (root, plan) = {
            let workbench = self.shared.workbench();
            let found = workbench.environment.cwd.join(path);
            let found = found.canonicalize().map_err(|error| {
                err!(Usage:
                "can't open {path}: {error}; check the path")
            })?;
            if found.is_dir() {
                (found, None)
            } else if is_markdown(&found) {
                let (user, _) = workbench.settings_for(None);
                let root = plan_file::workspace_of(&found, &user.plan_folder);
                (root, Some(found.display().to_string()))
            } else {
                return Err(err!(Usage:
                    "{path} is neither a folder nor a Markdown file; open a project folder, or a plan in it"));
            }
        };
        let workspace = self.open_workspace(&root.display().to_string())?;
        Ok(OpenedPath { workspace, plan })
    }

    /// Copies the sample program next to the user's data, unless it exists, and opens it with its
    /// plan. Changes made by the user are kept.
    ///
    /// # Errors
    /// [`Code::Workspace`] if it can't be written.
    pub fn open_sample(&self) -> Result<OpenedPath> {
        let folder = self.shared.workbench().home.sample.to_owned();
        sample::put(&folder)?;
        let workspace = self.open_workspace(&folder.display().to_string())?;
        // The user may have deleted it.
        let plan = Path::new(&workspace.path).join(sample::PLAN);
        let plan = plan.is_file().then(|| plan.display().to_string());
        Ok(OpenedPath { workspace, plan })
    }

    /// Removes a folder from the recent ones and drops its index. The folder itself isn't touched.
    pub fn forget_workspace(&self, path: &str) -> Result<()> {
        let workbench = self.shared.workbench();
        workbench.store.workspaces().remove(path)?;
        workbench.forget_index(Path::new(path));
        Ok(())
    }
}

/// Updates a window's place if its plan was moved while the window was closed.
fn at_its_plan(workbench: &Workbench, mut place: Place) -> Place {
    let is_gone = |plan: &&String| !Path::new(plan).exists();
    if let Some(plan) = place.plan.as_ref().filter(is_gone)
        && let Ok(Some(to)) = workbench.store.plan_moves().moved_to(plan)
        && Path::new(&to).exists()
    {
        place.plan = Some(to);
    }
    place
}

fn is_markdown(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| {
        ["md", "markdown"].contains(&extension.to_ascii_lowercase().as_str())
    })
}

fn info(workbench: &Workbench, workspace: &Workspace) -> WorkspaceInfo {
    let (_, problems) = workbench.settings_for(Some(workspace));
    let path = workspace.path();
    let name = path.file_name().map_or_else(
        || path.display().to_string(),
        |name| name.to_string_lossy().into_owned(),
    );
    WorkspaceInfo {
        path: path.display().to_string(),
        name,
        shown: shown(workbench, path),
        is_writable: is_writable(path),
        notices: problems.iter().map(ToString::to_string).collect(),
    }
}

/// Whether this user may create files in the folder, according to the system; nothing is written.
fn is_writable(folder: &Path) -> bool {
    use rustix::fs::{Access, access};
    access(folder, Access::WRITE_OK | Access::EXEC_OK).is_ok()
}

/// The display form of a path: `~/code/report-tool`.
fn shown(workbench: &Workbench, path: &Path) -> String {
    let home = workbench.environment.home();
    match path.strip_prefix(&home) {
        Ok(rest) if home != Path::new("/") => format!("~/{}", rest.display()),
        _ => path.display().to_string(),
    }
}

fn recent(
    workbench: &Workbench,
    settings: &Settings,
) -> std::result::Result<Vec<RecentWorkspace>, StoreError> {
    let waiting = Shared::waiting_by_workspace(workbench)?;
    let folders = workbench.store.workspaces().list()?;
    let recent = folders.into_iter().take(RECENT).map(|folder| {
        let path = Path::new(&folder.path);
        let plans = Workspace::open(path).ok().map(|workspace| {
            let names = tools::documents::markdown_files(&workspace, &settings.plan_folder);
            names.map_or(0, |names| u32::try_from(names.len()).unwrap_or(u32::MAX))
        });
        RecentWorkspace {
            shown: shown(workbench, path),
            plans,
            waiting: waiting.get(&folder.path).copied().unwrap_or(0),
            is_missing: !path.is_dir(),
            path: folder.path,
        }
    });
    Ok(recent.collect())
}

impl Shared {
    /// Number of waiting runs per workspace. Reads only the runs' states, so that startup stays
    /// fast.
    fn waiting_by_workspace(
        workbench: &Workbench,
    ) -> std::result::Result<std::collections::BTreeMap<String, u32>, StoreError> {
        let mut waiting = std::collections::BTreeMap::new();
        for run in workbench.store.runs().list()? {
            if ["waiting", "failed", "paused"].contains(&run.state.as_str()) {
                *waiting.entry(run.workspace).or_insert(0) += 1;
            }
        }
        Ok(waiting)
    }
}

#[cfg(test)]
mod tests;

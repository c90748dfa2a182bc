//! Watching the disk for changes by others: plans in open workspaces, open plans, settings, and
//! whether a workspace's folder exists.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Weak};
use std::time::Duration;

use store::Author;
use tools::watch::{ChangeKind, Changed, WatchNews, WatchRequest, Watcher};

use crate::document::Located;
use crate::wire::DesktopEvent;
use crate::{Shared, lock};
use workbench::WORKSPACE_SETTINGS;
use workbench::error::{Code, Error, Result};

/// How often to check that the workspace folders exist.
const FOLDERS_EVERY: Duration = Duration::from_secs(2);

/// Maximum plans to watch outside plan folders; the most recently opened ones are kept.
const MAX_PLANS: usize = 64;

/// The watched paths, and the latest announcement about each plan.
#[derive(Default)]
pub(crate) struct Watching {
    watcher: Option<Watcher>,
    /// Open workspaces by folder.
    workspaces: BTreeMap<PathBuf, WatchedWorkspace>,
    /// The user's settings file.
    settings_file: Option<PathBuf>,
    /// Open plans outside any watched plan folder: workspace and relative path.
    plans: VecDeque<(PathBuf, String)>,
    /// The revision last announced for each plan; `None` for a missing plan.
    told: HashMap<String, Option<String>>,
}

#[derive(Debug)]
struct WatchedWorkspace {
    plan_folder: String,
    is_missing: bool,
}

impl Watching {
    /// The innermost open workspace that contains a path.
    pub(super) fn workspace_of(&self, path: &Path) -> Option<PathBuf> {
        let around = self.workspaces.keys().filter(|root| path.starts_with(root));
        around.max_by_key(|root| root.as_os_str().len()).cloned()
    }

    /// Records an announcement; returns `false` if it was already made.
    pub(super) fn is_news(&mut self, plan: &str, revision: Option<&str>) -> bool {
        let told = self.told.get(plan).map(Option::as_deref);
        if told == Some(revision) {
            return false;
        }
        let revision = revision.map(str::to_owned);
        self.told.insert(plan.to_owned(), revision);
        true
    }

    /// Switches to the new path of a plan that was moved.
    pub(super) fn moved(&mut self, from: &str, to: &str) {
        // Forget what was announced for either path, so that the plan is announced at its new path.
        self.told.remove(from);
        self.told.remove(to);
        for (root, relative) in &mut self.plans {
            if root.join(&*relative) == Path::new(from)
                && let Ok(inside) = Path::new(to).strip_prefix(&*root)
            {
                *relative = inside.display().to_string();
            }
        }
    }

    fn request(&self) -> WatchRequest {
        let mut request = WatchRequest::new();
        if let Some(file) = &self.settings_file
            && let (Some(folder), Some(name)) = (file.parent(), file.file_name())
        {
            request = request.file(folder, name);
        }
        for (root, watched) in &self.workspaces {
            request = request
                .tree(root, &watched.plan_folder, ".md")
                .file(root, WORKSPACE_SETTINGS);
        }
        let plans = self.plans.iter();
        plans.fold(request, |request, (root, plan)| request.file(root, plan))
    }
}

impl Shared {
    /// The innermost open workspace that contains a path.
    pub(crate) fn workspace_around(&self, path: &Path) -> Option<PathBuf> {
        lock(&self.watching).workspace_of(path)
    }

    /// Starts watching the plans and settings of a workspace. Call it again after its settings
    /// changed. Fails with [`Code::Workspace`] if the workspace can't be opened, [`Code::Failed`]
    /// if watching isn't possible.
    pub(crate) fn watch_workspace(self: &Arc<Self>, workspace: &str) -> Result<()> {
        let (root, plan_folder, settings_file) = {
            let workbench = self.workbench();
            let opened = workbench.open_workspace(Path::new(workspace))?;
            let (settings, _) = workbench.settings_for(Some(&opened));
            (
                opened.path().to_owned(),
                settings.plan_folder,
                workbench.home.settings_file.to_owned(),
            )
        };
        {
            let mut watching = lock(&self.watching);
            watching.settings_file = Some(settings_file);
            let known = watching.workspaces.get(&root);
            if known.is_some_and(|known| known.plan_folder == plan_folder) {
                return Ok(());
            }
            let watched = WatchedWorkspace {
                plan_folder,
                // Keep this until the folder's reappearance has been announced.
                is_missing: known.is_some_and(|known| known.is_missing),
            };
            watching.workspaces.insert(root, watched);
        }
        self.watch_again()
    }

    /// Starts watching an open plan at any location. Fails with [`Code::Failed`] if watching isn't
    /// possible.
    pub(crate) fn watch_plan(self: &Arc<Self>, plan: &Located, revision: &str) -> Result<()> {
        {
            let mut watching = lock(&self.watching);
            let told = Some(revision.to_owned());
            watching.told.entry(plan.file.key()).or_insert(told);
            let folder = watching.workspaces.get(&plan.root);
            let is_in_folder = folder.is_some_and(|watched| {
                Path::new(&plan.file.relative).starts_with(&watched.plan_folder)
            });
            let plan = (plan.root.clone(), plan.file.relative.clone());
            if is_in_folder || watching.plans.contains(&plan) {
                return Ok(());
            }
            watching.plans.push_back(plan);
            if watching.plans.len() > MAX_PLANS {
                watching.plans.pop_front();
            }
        }
        self.watch_again()
    }

    /// Passes the current set of paths to the watcher, starting it if necessary.
    fn watch_again(self: &Arc<Self>) -> Result<()> {
        let mut watching = lock(&self.watching);
        let request = watching.request();
        if let Some(watcher) = &watching.watcher {
            return watcher.watch(request).map_err(failed);
        }
        let (news, inbox) = mpsc::channel();
        let watcher = Watcher::start(request, move |one| {
            // Fails only while the windows are closing.
            let _ = news.send(one);
        });
        let shared = Arc::downgrade(self);
        std::thread::Builder::new()
            .name("disk news".to_owned())
            .spawn(move || attend(&shared, &inbox))
            .map_err(|error| Error::from_cause(Code::Failed, error))?;
        watching.watcher = Some(watcher.map_err(failed)?);
        Ok(())
    }

    fn files_changed(self: &Arc<Self>, changes: &[Changed]) {
        let mut has_settings = false;
        // Handle missing plans last, because they may have been moved.
        let (gone, there): (Vec<_>, Vec<_>) = changes
            .iter()
            .partition(|change| change.kind == ChangeKind::Removed);
        for change in there.into_iter().chain(gone) {
            if self.is_settings(&change.path) {
                has_settings = true;
            } else if let Some(plan) = change.path.to_str() {
                self.plan_file_changed(plan, change.kind);
            }
        }
        if has_settings {
            let workspaces: Vec<PathBuf> =
                lock(&self.watching).workspaces.keys().cloned().collect();
            for root in workspaces {
                // The setting for the plan folder may have changed.
                if let Err(error) = self.watch_workspace(&root.display().to_string()) {
                    tracing::warn!(%error, "couldn't watch a workspace with its new settings");
                }
            }
            self.events.send(DesktopEvent::Settings);
        }
    }

    fn is_settings(&self, path: &Path) -> bool {
        let watching = lock(&self.watching);
        let mut workspaces = watching.workspaces.keys();
        watching.settings_file.as_deref() == Some(path)
            || workspaces.any(|root| root.join(WORKSPACE_SETTINGS) == path)
    }

    fn plan_file_changed(&self, plan: &str, kind: ChangeKind) {
        if kind == ChangeKind::Removed && !Path::new(plan).exists() {
            let moved_to = self.workbench().store.plan_moves().moved_to(plan);
            let is_elsewhere = matches!(moved_to, Ok(Some(to)) if Path::new(&to).exists());
            if !is_elsewhere {
                self.announce(plan, None, Author::Outside);
            }
            return;
        }
        let workbench = self.workbench();
        let (key, content) = match self.read_now(&workbench, plan) {
            Ok((located, _, content)) => (located.file.key(), content),
            Err(error) => {
                tracing::info!(%error, "couldn't read a changed plan");
                self.announce(plan, None, Author::Outside);
                return;
            }
        };
        let author = match workbench.store.revisions().latest(plan) {
            Ok(Some(latest)) => latest.author,
            Ok(None) | Err(_) => Author::Outside,
        };
        let is_news = self.announce(plan, Some(content.revision.as_str().to_owned()), author);
        // Windows showing this plan will now request it. Parse it while still holding the
        // workbench, so that their requests wait and find it in the cache. Not needed for changes
        // made by the windows, which already have them.
        if is_news && lock(&self.parsed).has_of(&key) {
            self.parsed_as(&key, content);
        }
    }

    /// Reports workspaces whose folder disappeared or reappeared.
    fn look_for_workspaces(&self) {
        let mut news = Vec::new();
        for (root, watched) in &mut lock(&self.watching).workspaces {
            let is_missing = !root.is_dir();
            if watched.is_missing != is_missing {
                watched.is_missing = is_missing;
                news.push((root.display().to_string(), is_missing));
            }
        }
        for (workspace, is_missing) in news {
            self.events.send(DesktopEvent::Workspace {
                workspace: workspace.clone(),
                is_missing,
            });
            self.events.send(DesktopEvent::Plans { workspace });
        }
    }
}

/// Handles the watcher's messages until the watcher stops.
fn attend(shared: &Weak<Shared>, inbox: &Receiver<WatchNews>) {
    loop {
        let news = inbox.recv_timeout(FOLDERS_EVERY);
        let Some(shared) = shared.upgrade() else {
            return;
        };
        match news {
            Ok(WatchNews::Changed(changes)) => shared.files_changed(&changes),
            Ok(WatchNews::Polling { reason }) => {
                shared.events.send(DesktopEvent::Notice {
                    about: None,
                    message: reason,
                });
            }
            Ok(WatchNews::TooLarge { path, limit }) => {
                let path = path.display();
                let message = format!(
                    "{path} has more than {limit} files and folders; changes in the rest only show up when a plan is opened"
                );
                shared.events.send(DesktopEvent::Notice {
                    about: None,
                    message,
                });
            }
            Ok(WatchNews::Listening) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        shared.look_for_workspaces();
    }
}

fn failed(error: tools::ToolError) -> Error {
    Error::from_cause(Code::Failed, error)
}

//! Facts about a workspace for checking plans: its files, commands and build targets, the programs
//! of this machine, and which files changed since the plan was written.
//!
//! Read-only, bounded, and within the workspace, except for the list of programs. Anything that
//! couldn't be read completely counts as unknown, so that nothing is reported missing just because
//! it wasn't seen. A plan outside any workspace has no facts except the requirements in its
//! companion files. Submodule `bases` determines what changed.

mod bases;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;

use adequacy::{WorkspaceFacts, symbols};
use plan::{Plan, Task};
use planning::project::{self, commands};
use tools::{Workspace, documents, listing};

use crate::settings::Settings;
use crate::{Workbench, companion_files, plan_file};

/// Maximum number of files and folders listed; in a larger workspace, the paths are unknown.
const MAX_ENTRIES: usize = 50_000;

/// Maximum number of manifests read.
pub(crate) const MAX_MANIFESTS: usize = 100;

/// The size limit of a manifest, in bytes.
pub(crate) const MAX_MANIFEST_BYTES: u64 = 1 << 20;

/// Maximum number of files checked for a plan.
const MAX_NAMED: usize = 500;

/// Maximum number of programs listed.
const MAX_PROGRAMS: usize = 20_000;

/// The facts of the workspaces whose plan files have been checked, by workspace path.
#[derive(Debug, Default)]
pub struct KnownWorkspaces(HashMap<PathBuf, Option<(Workspace, Arc<WorkspaceFacts>)>>);

impl Workbench {
    /// The facts for a plan file, collected once per workspace. If the file isn't in a workspace,
    /// only the requirements in its companion files; empty if the workspace can't be read.
    pub(crate) fn facts_for(
        &self,
        known: &mut KnownWorkspaces,
        path: &Path,
        key: &str,
        plan: &Plan,
    ) -> Arc<WorkspaceFacts> {
        let (user, _) = self.settings_for(None);
        let Some(root) = plan_file::own_workspace_of(path, &user.plan_folder) else {
            return Arc::new(WorkspaceFacts {
                requirements: companion_files::requirements(path, plan),
                ..WorkspaceFacts::default()
            });
        };
        let gather = |root: &PathBuf| {
            let workspace = self.open_workspace(root).ok()?;
            let (settings, _) = self.settings_for(Some(&workspace));
            let around = Arc::new(self.facts_around(&workspace, &settings));
            Some((workspace, around))
        };
        match known.0.entry(root).or_insert_with_key(gather) {
            Some((workspace, around)) => self.facts_of_plan(workspace, around, key, plan),
            None => Arc::default(),
        }
    }

    /// The facts for a plan in a workspace, collected now.
    pub(crate) fn facts_in(
        &self,
        workspace: &Workspace,
        settings: &Settings,
        key: &str,
        plan: &Plan,
    ) -> Arc<WorkspaceFacts> {
        let around = Arc::new(self.facts_around(workspace, settings));
        self.facts_of_plan(workspace, &around, key, plan)
    }

    /// The facts of a workspace that don't depend on a plan.
    pub fn facts_around(&self, workspace: &Workspace, settings: &Settings) -> WorkspaceFacts {
        let path = self.environment.variable("PATH");
        around(workspace, settings, path)
    }

    /// Like [`Workbench::facts_around`], but on another thread.
    pub(crate) fn facts_around_soon(
        &self,
        workspace: &Arc<Workspace>,
        settings: &Settings,
    ) -> JoinHandle<WorkspaceFacts> {
        let (workspace, settings) = (Arc::clone(workspace), settings.clone());
        let path = self.environment.variable("PATH");
        std::thread::spawn(move || around(&workspace, &settings, path))
    }

    /// Adds the facts that depend on a plan; returns `around` itself if there are none.
    pub fn facts_of_plan(
        &self,
        workspace: &Workspace,
        around: &Arc<WorkspaceFacts>,
        key: &str,
        plan: &Plan,
    ) -> Arc<WorkspaceFacts> {
        let named = named_paths(plan.tasks.iter());
        let ignored: Vec<&String> = match &around.paths {
            // Files that Git ignores exist although they aren't listed.
            Some(paths) => named
                .iter()
                .filter(|path| !paths.contains(*path) && workspace.dir().metadata(path).is_ok())
                .collect(),
            None => Vec::new(),
        };
        let changed = bases::changed(self, workspace, key, plan, &named);
        let symbols = self.symbols_near(workspace, &symbols::names_in(plan));
        let requirements = companion_files::requirements(Path::new(key), plan);
        let is_usual = changed.is_empty() && symbols.is_empty() && requirements.is_empty();
        if ignored.is_empty() && is_usual {
            return Arc::clone(around);
        }
        let mut facts = WorkspaceFacts::clone(around);
        if let Some(paths) = &mut facts.paths {
            paths.extend(ignored.into_iter().cloned());
        }
        facts.changed = changed;
        facts.symbols = symbols;
        facts.requirements = requirements;
        Arc::new(facts)
    }
}

/// The facts of a workspace that don't depend on a plan. `path` is the search path for programs.
fn around(workspace: &Workspace, settings: &Settings, path: Option<OsString>) -> WorkspaceFacts {
    let programs = path.map(|path| programs(&path));
    let mut facts = WorkspaceFacts {
        programs,
        commands: settings.verify_commands.clone(),
        ..WorkspaceFacts::default()
    };
    let listing = match listing::files_below(workspace, "", "", MAX_ENTRIES) {
        Ok(listing) => listing,
        Err(error) => {
            tracing::info!(%error, "couldn't list the workspace's files");
            return facts;
        }
    };
    if listing.is_cut {
        tracing::info!(
            limit = MAX_ENTRIES,
            "the workspace is too large to list its files"
        );
        return facts;
    }
    let paths: BTreeSet<String> = listing.files.into_iter().collect();
    let texts = manifests(workspace, &paths);
    if facts.commands.is_empty() {
        let projects = project::detect(&paths, &texts);
        for command in projects.into_iter().flat_map(|project| project.tests) {
            if !facts.commands.contains(&command) {
                facts.commands.push(command);
            }
        }
    }
    facts.targets = commands::targets(&paths, &texts);
    facts.paths = Some(paths);
    facts
}

/// The texts of the workspace's readable manifests; if there are too many, the outermost ones.
pub fn manifests(workspace: &Workspace, paths: &BTreeSet<String>) -> BTreeMap<String, String> {
    let wanted = commands::wanted(paths).into_iter().take(MAX_MANIFESTS);
    wanted
        .filter_map(|path| {
            let bytes = documents::read(workspace, &path, MAX_MANIFEST_BYTES).ok()?;
            Some((path, String::from_utf8(bytes).ok()?))
        })
        .collect()
}

/// The paths that the steps name, without a leading `./`.
pub(crate) fn named_paths<'p>(tasks: impl Iterator<Item = &'p Task>) -> BTreeSet<String> {
    let named = tasks.flat_map(|task| {
        let calls = task.calls.iter();
        let of_calls =
            calls.filter_map(|call| call.parsed.as_ref().ok()?.path().map(str::to_owned));
        task.files.iter().cloned().chain(of_calls)
    });
    named
        .map(|path| path.trim_start_matches("./").to_owned())
        .filter(|path| !path.is_empty() && !path.starts_with(['/', '~']))
        .take(MAX_NAMED)
        .collect()
}

/// The programs on the search path, listed once per process.
fn programs(path: &OsStr) -> BTreeSet<String> {
    static FOUND: OnceLock<(std::ffi::OsString, BTreeSet<String>)> = OnceLock::new();
    let (of, found) = FOUND.get_or_init(|| (path.to_owned(), programs_in(path)));
    match of == path {
        true => found.clone(),
        false => programs_in(path),
    }
}

fn programs_in(path: &OsStr) -> BTreeSet<String> {
    let folders = std::env::split_paths(path).filter(|folder| folder.is_absolute());
    let entries = folders.filter_map(|folder| std::fs::read_dir(folder).ok());
    let programs = entries.flatten().filter_map(|entry| {
        let entry = entry.ok()?;
        // Follows symlinks, since most programs are links.
        let found = entry.path().metadata().ok()?;
        let can_be_run = found.is_file() && found.permissions().mode() & 0o111 != 0;
        can_be_run.then(|| entry.file_name().into_string().ok())?
    });
    programs.take(MAX_PROGRAMS).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a panic fails the test")]

    use super::*;

    #[test]
    fn programs_are_files_that_can_be_run() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, mode: u32| {
            let path = folder.path().join(name);
            std::fs::write(&path, "").unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        };
        write("tool", 0o755);
        write("notes.txt", 0o644);
        std::fs::create_dir(folder.path().join("folder")).unwrap();
        std::os::unix::fs::symlink("tool", folder.path().join("link")).unwrap();
        let mut path = folder.path().as_os_str().to_owned();
        path.push(":/nonexistent:relative");
        let found = programs_in(&path);
        assert_eq!(found, ["link", "tool"].map(str::to_owned).into());
    }

    #[test]
    fn named_paths_are_those_of_files_and_calls() {
        let text = "- [ ] **T1** a\n  - files: `./src/a.rs`, `/etc/passwd`\n  - call: `read_file {\"path\": \"b.md\"}`\n";
        let named = named_paths(plan::parse(text).0.tasks.iter());
        assert_eq!(named, ["b.md", "src/a.rs"].map(str::to_owned).into());
    }
}

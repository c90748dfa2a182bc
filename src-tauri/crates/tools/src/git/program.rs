//! Finds the `git` program: once, at an absolute path that no project can write to.
//!
//! A search path may lead into a workspace through an active environment, a relative entry or a
//! folder of installed packages. Programs there come from the project and would run outside every
//! sandbox, before anyone is asked. System folders are therefore preferred, and folders that belong
//! to a project are skipped.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Folders that only the administrator can write to.
const SYSTEM: [&str; 5] = [
    "/usr/bin",
    "/bin",
    "/usr/local/bin",
    "/run/current-system/sw/bin",
    "/opt/homebrew/bin",
];
/// Entries that mark a folder as a project or as an environment that projects activate.
const PROJECT: [&str; 4] = [".git", ".hg", ".planwright", "pyvenv.cfg"];

/// The Git program and the folders from which it may start other programs, all outside this
/// workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Program {
    /// The absolute path, with links resolved.
    pub(crate) path: PathBuf,
    /// The search path for programs that Git starts.
    pub(crate) search: OsString,
}

/// The Git program for a workspace; `None` if there is none. It is searched once per process, and
/// again if the one found is inside this workspace.
pub(crate) fn git(workspace: &Path) -> Option<Program> {
    static FOUND: OnceLock<Option<Program>> = OnceLock::new();
    let path = || env::var_os("PATH").unwrap_or_default();
    let found = FOUND.get_or_init(|| find("git", &path(), workspace));
    let is_inside = |found: &Program| {
        let folders = env::split_paths(&found.search);
        folders
            .chain([found.path.clone()])
            .any(|path| path.starts_with(workspace))
    };
    match found {
        // It was found for another workspace but is inside this one.
        Some(program) if is_inside(program) => find("git", &path(), workspace),
        found => found.clone(),
    }
}

/// Finds a program in the system's folders and those of the search path `path`, skipping folders in
/// which a project could have put one.
fn find(name: &str, path: &OsStr, workspace: &Path) -> Option<Program> {
    let workspace = workspace
        .canonicalize()
        .unwrap_or_else(|_| workspace.to_owned());
    let mut folders: Vec<PathBuf> = Vec::new();
    for folder in SYSTEM
        .iter()
        .map(PathBuf::from)
        .chain(env::split_paths(path))
    {
        let Some(folder) = trusted(&folder, &workspace) else {
            continue;
        };
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    let candidates = folders.iter().map(|folder| folder.join(name));
    let mut candidates = candidates.filter_map(|path| path.canonicalize().ok());
    let path = candidates.find(|path| {
        let data = fs::metadata(path);
        let runs = data.is_ok_and(|data| data.is_file() && data.mode() & 0o111 != 0);
        runs && path
            .parent()
            .is_some_and(|folder| trusted(folder, &workspace).is_some())
    })?;
    let search = env::join_paths(&folders).ok()?;
    Some(Program { path, search })
}

/// The canonical folder, if no project could have put a program there.
fn trusted(folder: &Path, workspace: &Path) -> Option<PathBuf> {
    if !folder.is_absolute() {
        return None;
    }
    let folder = folder.canonicalize().ok()?;
    let data = fs::metadata(&folder).ok()?;
    let is_open_to_all = data.mode() & 0o002 != 0;
    let is_system = SYSTEM.iter().any(|system| folder == Path::new(system));
    let is_project = |folder: &Path| PROJECT.iter().any(|name| folder.join(name).exists());
    let is_installed_by_one = folder.iter().any(|part| part == "node_modules");
    let is_wrong = !data.is_dir()
        || folder.starts_with(workspace)
        || is_open_to_all
        || is_installed_by_one
        || !is_system && folder.ancestors().any(is_project);
    (!is_wrong).then_some(folder)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a panic fails the test")]

    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn program(at: PathBuf) {
        fs::create_dir_all(at.parent().unwrap()).unwrap();
        fs::write(&at, "#!/bin/sh\n").unwrap();
        fs::set_permissions(&at, fs::Permissions::from_mode(0o755)).unwrap();
    }

    #[test]
    fn a_program_of_a_project_is_never_ours() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let at = |path: &str| root.join(path);
        fs::create_dir_all(at("work")).unwrap();
        fs::create_dir_all(at("other/.git")).unwrap();
        program(at("work/.venv/bin/tool"));
        program(at("other/bin/tool"));
        program(at("venv/bin/tool"));
        fs::write(at("venv/pyvenv.cfg"), "").unwrap();
        program(at("lib/node_modules/.bin/tool"));
        program(at("open/tool"));
        fs::set_permissions(at("open"), fs::Permissions::from_mode(0o777)).unwrap();
        fs::create_dir(at("links")).unwrap();
        symlink(at("work/.venv/bin/tool"), at("links/tool")).unwrap();
        program(at("good/tool"));
        for wrong in [
            "work/.venv/bin",
            "other/bin",
            "venv/bin",
            "lib/node_modules/.bin",
            "open",
            "links",
        ] {
            let path = env::join_paths([at(wrong), "work/.venv/bin".into(), "".into()]).unwrap();
            assert_eq!(find("tool", &path, &at("work")), None, "{wrong}");
            let path = env::join_paths([at(wrong), at("good")]).unwrap();
            let found = find("tool", &path, &at("work")).unwrap();
            assert_eq!(found.path, at("good/tool"), "{wrong}");
            let is_searched = env::split_paths(&found.search).any(|folder| folder == at(wrong));
            assert!(!is_searched || wrong == "links", "{wrong}: {found:?}");
        }
    }
}

//! Finds the user's toolchains through `PATH`, variables, links and `pyvenv.cfg`.
//!
//! The user's own environment is trusted. The workspace and the command line are not, since anyone
//! may have written them: a path they name is only made readable if it is a Python environment,
//! together with its base.

use std::fs;
use std::path::{Path, PathBuf};

use plan::word_list::WordList;

use super::environment;
use super::roots::{Sources, is_system, is_wide};

/// Maximum number of entries in one `PATH` folder whose links are followed.
const MAX_LINKS: usize = 512;
/// Folders in which a workspace keeps its environment.
const ENVIRONMENTS: [&str; 3] = [".venv", "venv", "env"];
/// Siblings of a program folder that make its parent a toolchain.
const BESIDE: WordList = WordList("pyvenv.cfg lib lib64 libexec versions installs conda-meta pkg");

/// The toolchain folders as named; they may be repeated or missing.
pub(super) fn find(sources: &Sources<'_>) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for folder in environment::toolchain_folders(sources.env).map(PathBuf::from) {
        if is_system(&folder) || folder.starts_with(sources.workspace) {
            continue;
        }
        let root = root_of(&folder, sources.homes);
        environment_of(&root, &mut all);
        follow_links(&folder, sources, &mut all);
        // Go's folder contains the user's projects besides programs and modules.
        match root.join("pkg/mod").is_dir() {
            true => all.extend(["bin", "pkg"].map(|name| root.join(name))),
            false => all.push(root),
        }
    }
    for name in ENVIRONMENTS {
        let folder = sources.workspace.join(name);
        // The folder may be a link to an environment elsewhere, or its base may be elsewhere.
        environment_of(&folder, &mut all);
    }
    for mut word in sources.words.iter().flat_map(|word| paths_in(word)) {
        // The command line may have changed into a folder first, so also try the path without
        // `../`.
        loop {
            let program = sources.workspace.join(word);
            if let Some(root) = program.parent().and_then(Path::parent) {
                environment_of(root, &mut all);
            }
            let Some(shorter) = word.strip_prefix("../") else {
                break;
            };
            word = shorter;
        }
    }
    all
}

/// Substrings of a word or a shell line that look like the path of a program.
fn paths_in(word: &str) -> impl Iterator<Item = &str> {
    let parts = word.split(|c: char| c.is_whitespace() || "\"'`;&|()<>=$".contains(c));
    parts.filter(|part| part.contains("/bin/"))
}

/// The toolchain that a program folder belongs to, or the folder itself if unknown.
pub(super) fn root_of(folder: &Path, homes: &[PathBuf]) -> PathBuf {
    let name = folder.file_name().and_then(|name| name.to_str());
    let above = folder.parent().filter(|above| {
        matches!(name, Some("bin" | "sbin" | "shims" | "condabin"))
            && !is_wide(above, homes)
            && BESIDE.iter().any(|beside| above.join(beside).exists())
    });
    above.unwrap_or(folder).to_owned()
}

/// Follows the links in a `PATH` folder, since installers put links to their programs there.
fn follow_links(folder: &Path, sources: &Sources<'_>, all: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.take(MAX_LINKS) {
        if !entry.file_type().is_ok_and(|kind| kind.is_symlink()) {
            continue;
        }
        let Ok(target) = entry.path().canonicalize() else {
            continue;
        };
        if !target.is_file() || is_system(&target) || target.starts_with(folder) {
            continue;
        }
        if let Some(above) = target.parent() {
            let root = root_of(above, sources.homes);
            environment_of(&root, all);
            // If the program belongs to no toolchain, add only the program.
            all.push(if root == above { target } else { root });
        }
    }
}

/// Adds a folder and its base if the folder is a Python environment.
fn environment_of(folder: &Path, all: &mut Vec<PathBuf>) {
    let Ok(settings) = fs::read_to_string(folder.join("pyvenv.cfg")) else {
        return;
    };
    all.push(folder.to_owned());
    let named = settings.lines().filter_map(|line| line.split_once('='));
    let named = named.filter(|(key, _)| key.trim() == "home");
    let named = named.map(|(_, home)| PathBuf::from(home.trim()));
    let linked = ["python", "python3"].map(|name| folder.join("bin").join(name));
    let linked = linked.iter().filter_map(|link| link.canonicalize().ok());
    let linked = linked.filter_map(|program| program.parent().map(Path::to_owned));
    for programs in named.chain(linked) {
        all.extend(base_of(&programs));
    }
}

/// The base of an environment, if the folder contains Python and its library. The check keeps an
/// environment from naming an arbitrary folder.
fn base_of(programs: &Path) -> Option<PathBuf> {
    let programs = programs.canonicalize().ok()?;
    let base = programs.parent()?;
    let begins = |folder: &Path, name: &str| {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut names = entries.map(|entry| entry.file_name());
        names.any(|found| found.to_str().is_some_and(|found| found.starts_with(name)))
    };
    let is_base = programs.ends_with("bin")
        && begins(&programs, "python")
        && begins(&base.join("lib"), "python");
    is_base.then(|| base.to_owned())
}

#[cfg(test)]
mod tests;

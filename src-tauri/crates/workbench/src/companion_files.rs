//! Reads a plan's companion files from disk; `plan::companion` says which they are and parses them.
//! A missing file is skipped silently; one that is too large or unreadable is logged.

use std::path::{Path, PathBuf};

use plan::{Plan, Requirement};

/// The size limit of a companion file, in bytes.
const MAX_BYTES: u64 = 512 << 10;

/// Maximum number of folders searched for a pattern.
const MAX_FOLDERS: usize = 200;

/// The companion requirements of a plan that lists none itself. `path` is the plan file.
pub(crate) fn requirements(path: &Path, plan: &Plan) -> Vec<Requirement> {
    let Some(folder) = path.parent().filter(|_| plan.requirements.is_empty()) else {
        return Vec::new();
    };
    let patterns = plan::companion::files(plan.dialect).iter();
    let files = patterns.flat_map(|pattern| matching(folder, pattern));
    let mut found: Vec<Requirement> = files
        .filter_map(|file| read(&file))
        .flat_map(|text| plan::companion::requirements(plan.dialect, &text))
        .collect();
    for (place, requirement) in found.iter_mut().enumerate() {
        if requirement.id.is_empty() {
            requirement.id = format!("R{}", place + 1);
        }
    }
    found
}

/// The files that match a pattern: a path, or one with `*` for a folder.
fn matching(folder: &Path, pattern: &str) -> Vec<PathBuf> {
    let Some((before, behind)) = pattern.split_once("/*/") else {
        return vec![folder.join(pattern)];
    };
    let entries = std::fs::read_dir(folder.join(before)).into_iter().flatten();
    let mut found: Vec<PathBuf> = entries
        .flatten()
        .take(MAX_FOLDERS)
        .map(|entry| entry.path().join(behind))
        .collect();
    found.sort();
    found
}

fn read(file: &Path) -> Option<String> {
    let kind = std::fs::symlink_metadata(file).ok()?;
    if !kind.is_file() || kind.len() > MAX_BYTES {
        tracing::info!(file = %file.display(), "skipped when reading requirements: too large, or not a file");
        return None;
    }
    std::fs::read_to_string(file)
        .inspect_err(
            |error| tracing::info!(file = %file.display(), %error, "couldn't read requirements"),
        )
        .ok()
}

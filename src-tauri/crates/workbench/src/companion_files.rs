//! What the files beside a plan ask for: the requirements that Kiro, spec-kit and OpenSpec keep apart from their
//! tasks. A file that is missing is passed over; one that is too large or cannot be read as well, with a line in the
//! log.

use std::path::{Path, PathBuf};

use plan::{Plan, Requirement};

/// Larger files are no requirements that somebody wrote.
const LARGEST: u64 = 512 << 10;

/// So many folders are looked into where any may hold such a file.
const MAX_FOLDERS: usize = 200;

/// Those of a plan that lists none itself. `path` is the plan file.
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

/// The files of a pattern: a path, or one with `*` for a folder.
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
    if !kind.is_file() || kind.len() > LARGEST {
        tracing::info!(file = %file.display(), "not read for requirements: it is large, or no file");
        return None;
    }
    std::fs::read_to_string(file)
        .inspect_err(
            |error| tracing::info!(file = %file.display(), %error, "not read for requirements"),
        )
        .ok()
}

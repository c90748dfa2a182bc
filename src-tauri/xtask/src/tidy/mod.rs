//! Checks project rules that no other tool checks, for all files that Git doesn't ignore.
//!
//! The rules for a single file are in [`rules`], and the places where side effects are allowed in
//! [`doors`]; this module checks the repository as a whole. It changes nothing: every complaint
//! says where the problem is and how to fix it.

mod doors;
mod rules;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use crate::modules;
use crate::process::{Failure, cargo, output};
use crate::source::{paths, test_files, texts};

/// What is allowed in the repository root, besides dotfiles and licenses.
const TOP: [&str; 8] = [
    "Cargo.lock",
    "Cargo.toml",
    "README.md",
    "migrations",
    "plans",
    "src-tauri",
    "tests",
    "ui",
];

const LICENCE: &str = "MIT OR Apache-2.0";

/// Applies every rule to every file.
pub(crate) fn run(root: &Path) -> Result<(), Failure> {
    let paths = paths(root)?;
    let mut complaints = top_level(&paths);
    let files = texts(root, &paths);
    complaints.extend(modules::complaint(&files));
    let test_files = test_files(&files);
    let here = root.to_string_lossy();
    let mut doors = doors::Doors::default();
    for (path, text) in &files {
        if !rules::is_test_path(path) && !test_files.contains(Path::new(path)) {
            doors.look(path, text);
        }
        complaints.extend(rules::file(
            path,
            text,
            test_files.contains(Path::new(path)),
            &here,
        ));
    }

    complaints.extend(doors.complaints());

    let mut metadata = cargo(root);
    metadata.args(["metadata", "--locked", "--format-version=1", "--no-deps"]);
    let metadata: Value = serde_json::from_str(&output(&mut metadata)?)
        .map_err(|error| Failure::one(format!("invalid JSON from cargo metadata: {error}")))?;
    complaints.extend(manifests(&metadata));
    Failure::unless_empty(complaints)
}

fn top_level(paths: &[impl AsRef<str>]) -> Vec<String> {
    let entries: BTreeSet<&str> = paths
        .iter()
        .map(AsRef::as_ref)
        .map(|path| path.split('/').next().unwrap_or(path))
        .collect();
    entries
        .into_iter()
        .filter(|entry| !entry.starts_with('.') && !entry.starts_with("LICENSE-"))
        .filter(|entry| !TOP.contains(entry))
        .map(|entry| format!("{entry}: unknown top-level entry; move it into an existing folder"))
        .collect()
}

/// Checks the license of every member.
fn manifests(metadata: &Value) -> Vec<String> {
    let none = Vec::new();
    let packages = metadata["packages"].as_array().unwrap_or(&none);
    if packages.is_empty() {
        return vec!["cargo metadata lists no packages, so no license was checked".to_owned()];
    }
    packages
        .iter()
        .filter(|package| package["license"] != LICENCE)
        .map(|package| {
            let name = package["name"].as_str().unwrap_or("a package");
            format!("{name}: the license must be \"{LICENCE}\" (license.workspace = true)")
        })
        .collect()
}

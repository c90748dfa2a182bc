//! Detects the projects in a workspace and the command that runs each one's tests.
//!
//! Detection is based on the workspace's paths and the contents of a few files (see [`wanted`]). A
//! command is given only if the project declares tests: a script, a target, a test file. Commands
//! run from the workspace root.

pub mod commands;
mod python;

use std::collections::{BTreeMap, BTreeSet};

use plan::shell_word;
use serde_json::{Map, Value};

use crate::context::{Project, ProjectKind};

/// Maximum number of manifests and test files that are read.
const MAX_READ: usize = 200;

/// The workspace's files whose contents [`detect`] needs.
pub fn wanted(paths: &BTreeSet<String>) -> Vec<String> {
    let manifest = |path: &&String| {
        matches!(
            name_of(path),
            "Cargo.toml" | "package.json" | "Makefile" | "makefile" | "GNUmakefile"
        ) || python::is_configuration(path)
    };
    let mut files: Vec<&String> = paths.iter().filter(manifest).collect();
    files.sort_by_key(|path| path.matches('/').count());
    files.truncate(MAX_READ);
    let tests = paths
        .iter()
        .filter(|path| python::is_test_file(path))
        .take(MAX_READ);
    files.into_iter().chain(tests).cloned().collect()
}

/// Detects the projects in a workspace, outermost first.
pub fn detect(paths: &BTreeSet<String>, texts: &BTreeMap<String, String>) -> Vec<Project> {
    let mut projects = Vec::new();
    let mut add = |kind, manifest: &str, tests: Vec<String>| {
        projects.push(Project {
            kind,
            manifest: manifest.to_owned(),
            folder: folder_of(manifest).to_owned(),
            tests,
        });
    };
    let cargo_roots: Vec<&str> = paths
        .iter()
        .filter(|path| name_of(path) == "Cargo.toml")
        .map(|path| folder_of(path))
        .collect();
    for path in paths {
        let text = texts.get(path).map_or("", String::as_str);
        let folder = folder_of(path);
        match name_of(path) {
            "Cargo.toml" => {
                // A member of an enclosing workspace is tested along with it.
                let inside = cargo_roots
                    .iter()
                    .any(|root| *root != folder && crate::context::holds(root, path));
                if !inside {
                    add(ProjectKind::Cargo, path, vec![cargo(folder, text)]);
                }
            }
            "package.json" => add(ProjectKind::Npm, path, npm(folder, text, paths)),
            "go.mod" => {
                let tested = paths
                    .iter()
                    .any(|file| file.ends_with("_test.go") && crate::context::holds(folder, file));
                let command = match folder {
                    "" => "go test ./...".to_owned(),
                    folder => format!("go -C {} test ./...", shell_word(folder)),
                };
                add(
                    ProjectKind::Go,
                    path,
                    if tested { vec![command] } else { Vec::new() },
                );
            }
            "Makefile" | "makefile" | "GNUmakefile" if has_test_target(text) => {
                let command = match folder {
                    "" => "make test".to_owned(),
                    folder => format!("make -C {} test", shell_word(folder)),
                };
                add(ProjectKind::Make, path, vec![command]);
            }
            _ => {}
        }
    }
    projects.extend(python::projects(paths, texts));
    projects.sort_by(|a, b| {
        let key = |project: &Project| {
            let depth = if project.folder.is_empty() {
                0
            } else {
                project.folder.split('/').count()
            };
            (depth, project.folder.clone(), project.kind)
        };
        key(a).cmp(&key(b))
    });
    projects
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn cargo(folder: &str, text: &str) -> String {
    let has = |section: &str| text.lines().any(|line| line.trim() == section);
    let mut command = "cargo test".to_owned();
    if !folder.is_empty() {
        command.push_str(&format!(
            " --manifest-path {}/Cargo.toml",
            shell_word(folder)
        ));
    }
    // In a root that is also a package, `cargo test` would skip the other members.
    if has("[workspace]") && has("[package]") {
        command.push_str(" --workspace");
    }
    command
}

/// The scripts of a `package.json`, by name; `None` if it can't be parsed.
fn scripts(text: &str) -> Option<Map<String, Value>> {
    let Value::Object(mut manifest) = serde_json::from_str(text).ok()? else {
        return None;
    };
    match manifest.remove("scripts") {
        Some(Value::Object(scripts)) => Some(scripts),
        _ => Some(Map::new()),
    }
}

/// The package manager of a folder, judging by the lock file in it or at the root.
fn package_runner(folder: &str, paths: &BTreeSet<String>) -> &'static str {
    let has = |name: &str| {
        paths.contains(name) || (!folder.is_empty() && paths.contains(&format!("{folder}/{name}")))
    };
    match () {
        () if has("pnpm-lock.yaml") => "pnpm",
        () if has("yarn.lock") => "yarn",
        () if has("bun.lock") || has("bun.lockb") => "bun",
        () => "npm",
    }
}

fn npm(folder: &str, text: &str, paths: &BTreeSet<String>) -> Vec<String> {
    let scripts = scripts(text).unwrap_or_default();
    let script = scripts.get("test").and_then(Value::as_str);
    let script = script.unwrap_or_default();
    // The placeholder script written by `npm init` means that there are no tests.
    if script.trim().is_empty() || script.contains("no test specified") {
        return Vec::new();
    }
    let place = shell_word(folder);
    vec![match (package_runner(folder, paths), folder) {
        // Use `run`, since `bun test` would use Bun's own test runner.
        ("bun", "") => "bun run test".to_owned(),
        ("bun", _) => format!("bun run --cwd {place} test"),
        (program, "") => format!("{program} test"),
        ("pnpm", _) => format!("pnpm --dir {place} test"),
        ("yarn", _) => format!("yarn --cwd {place} test"),
        (program, _) => format!("{program} --prefix {place} test"),
    }]
}

/// Whether a makefile has a rule for the target `test`.
fn has_test_target(text: &str) -> bool {
    text.lines().any(|line| {
        line.split_once(':').is_some_and(|(targets, rest)| {
            !rest.starts_with('=')
                && !line.starts_with(['\t', '#', ' '])
                && targets.split_whitespace().any(|target| target == "test")
        })
    })
}

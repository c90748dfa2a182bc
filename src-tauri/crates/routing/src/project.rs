//! Which projects a workspace holds, and the command line that runs each one's own tests.
//!
//! Told from the paths of the workspace and the texts of a few of its files ([`wanted`] says which).
//! A command is given only where the project itself says that there are tests to run: a script, a
//! target, a test file. Commands run from the workspace's root.

mod python;

use std::collections::{BTreeMap, BTreeSet};

use crate::context::{Project, ProjectKind};

/// The most manifests and test files that are read.
const MAX_READ: usize = 200;

/// The files whose texts [`detect`] wants to see, as far as they exist.
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

/// The projects, the outermost first.
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
                // A member of an outer workspace is tested with it.
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
                    folder => format!("go -C {} test ./...", word(folder)),
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
                    folder => format!("make -C {} test", word(folder)),
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

/// A folder as one word of a command line.
fn word(folder: &str) -> String {
    let plain = folder
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || "_-./@+".contains(c));
    if plain {
        folder.to_owned()
    } else {
        format!("'{}'", folder.replace('\'', "'\\''"))
    }
}

fn cargo(folder: &str, text: &str) -> String {
    let has = |section: &str| text.lines().any(|line| line.trim() == section);
    let mut command = "cargo test".to_owned();
    if !folder.is_empty() {
        command.push_str(&format!(" --manifest-path {}/Cargo.toml", word(folder)));
    }
    // At a root that is a package too, `cargo test` would leave the other members out.
    if has("[workspace]") && has("[package]") {
        command.push_str(" --workspace");
    }
    command
}

fn npm(folder: &str, text: &str, paths: &BTreeSet<String>) -> Vec<String> {
    let manifest: Option<serde_json::Value> = serde_json::from_str(text).ok();
    let script = manifest
        .as_ref()
        .and_then(|manifest| manifest.get("scripts")?.get("test")?.as_str())
        .unwrap_or_default();
    // What `npm init` writes only says that there are none.
    if script.trim().is_empty() || script.contains("no test specified") {
        return Vec::new();
    }
    let beside = |name: &str| {
        let near = if folder.is_empty() {
            name.to_owned()
        } else {
            format!("{folder}/{name}")
        };
        paths.contains(&near) || paths.contains(name)
    };
    let place = word(folder);
    vec![match (
        folder,
        beside("pnpm-lock.yaml"),
        beside("yarn.lock"),
        beside("bun.lock") || beside("bun.lockb"),
    ) {
        ("", true, _, _) => "pnpm test".to_owned(),
        ("", _, true, _) => "yarn test".to_owned(),
        ("", _, _, true) => "bun run test".to_owned(),
        ("", ..) => "npm test".to_owned(),
        (_, true, _, _) => format!("pnpm --dir {place} test"),
        (_, _, true, _) => format!("yarn --cwd {place} test"),
        (_, _, _, true) => format!("bun run --cwd {place} test"),
        _ => format!("npm --prefix {place} test"),
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

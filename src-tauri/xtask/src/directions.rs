//! Checks which crate may depend on which, and that the modules of a crate have no cyclic
//! dependencies.
//!
//! Dependencies between our own crates come from `cargo metadata` and must go from a higher layer
//! to a lower one. Transitive dependencies, third-party crates included, come from `cargo tree` and
//! must not contain anything banned for that layer. A misspelled ban would never match, so every
//! banned name has a control: a crate that is known to depend on it and must be reported as doing
//! so. Modules are checked by [`cycles`].

mod cycles;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::process::{Failure, cargo, output};

/// The layers, lowest first. A crate may depend on crates of lower layers, but not of its own.
const LAYERS: [&[&str]; 12] = [
    &["planwright-plan"],
    &["planwright-gate", "planwright-repair"],
    &["planwright-adequacy"],
    &["planwright-agent", "planwright-planning"],
    &["planwright-model", "planwright-store", "planwright-tools"],
    &["planwright-workbench"],
    &["planwright-bridges", "planwright-desktop-views"],
    &["planwright-cli", "planwright-desktop"],
    &["planwright-soundness"],
    &["planwright-entrances"],
    &["planwright-tests"],
    &["xtask"],
];

/// Crates without access to clock, disk, network or windows.
const PURE: [&str; 6] = [
    "planwright-plan",
    "planwright-adequacy",
    "planwright-gate",
    "planwright-repair",
    "planwright-planning",
    "planwright-agent",
];

/// Dependencies that some crates must not have, even transitively, and why.
struct Ban {
    crates: &'static [&'static str],
    names: &'static [&'static str],
    why: &'static str,
}

const BANS: [Ban; 3] = [
    Ban {
        crates: &PURE,
        names: &[
            "tokio",
            "rusqlite",
            "libsqlite3-sys",
            "cap-std",
            "rustix",
            "tracing",
            "tracing-subscriber",
            "tempfile",
            "directories",
            "ignore",
            "getrandom",
            "reqwest",
            "tauri",
        ],
        why: "pure crates must not use the clock, disk, network, randomness or UI",
    },
    Ban {
        crates: &[
            "planwright-model",
            "planwright-store",
            "planwright-tools",
            "planwright-workbench",
            "planwright-desktop-views",
            "planwright-cli",
        ],
        names: &["tauri", "wry", "webkit2gtk", "gtk"],
        why: "only the desktop shell may use UI libraries",
    },
    Ban {
        crates: &["planwright-model", "planwright-tools"],
        names: &["rusqlite", "libsqlite3-sys"],
        why: "only the store may use the database",
    },
];

/// Dependencies that must be found, to prove that each banned name is spelled correctly.
const CONTROLS: [(&str, &str); 16] = [
    ("planwright-workbench", "tokio"),
    ("planwright-workbench", "rusqlite"),
    ("planwright-workbench", "libsqlite3-sys"),
    ("planwright-workbench", "tracing"),
    ("planwright-workbench", "tracing-subscriber"),
    ("planwright-workbench", "directories"),
    ("planwright-workbench", "getrandom"),
    ("planwright-tools", "cap-std"),
    ("planwright-tools", "rustix"),
    ("planwright-tools", "ignore"),
    ("planwright-tests", "tempfile"),
    ("planwright-desktop", "tauri"),
    ("planwright-desktop", "wry"),
    ("planwright-desktop", "webkit2gtk"),
    ("planwright-desktop", "gtk"),
    ("planwright-desktop", "reqwest"),
];

/// The transitive dependencies of each workspace crate, by package name.
type Reach = BTreeMap<String, Vec<String>>;

/// Runs all checks on the real workspace.
pub(crate) fn run(root: &Path) -> Result<(), Failure> {
    let mut metadata = cargo(root);
    metadata.args(["metadata", "--locked", "--format-version=1", "--no-deps"]);
    let metadata: Value = serde_json::from_str(&output(&mut metadata)?)
        .map_err(|error| Failure::one(format!("invalid JSON from cargo metadata: {error}")))?;
    let edges = edges(&metadata);
    let mut wrong = wrong_edges(&edges);

    let mut reach = Reach::new();
    for name in edges.keys() {
        let mut tree = cargo(root);
        tree.args([
            "tree",
            "--locked",
            "--edges=normal,build",
            "--prefix=none",
            "--target=all",
        ]);
        let lines = output(tree.args(["--format={p}", "--package", name]))?;
        reach.insert(name.clone(), names_of_tree(&lines));
    }
    wrong.extend(wrong_reach(&reach));
    wrong.extend(wrong_controls(&reach));
    wrong.extend(cycles::check(root, &source_folders(&metadata))?);
    Failure::unless_empty(wrong)
}

/// The workspace members and the members each depends on, dev-dependencies included.
fn edges(metadata: &Value) -> BTreeMap<String, Vec<String>> {
    let none = Vec::new();
    let packages = metadata["packages"].as_array().unwrap_or(&none);
    let name = |value: &Value| value["name"].as_str().unwrap_or_default().to_owned();
    packages
        .iter()
        .map(|package| {
            let uses = package["dependencies"].as_array().unwrap_or(&none);
            // Only path dependencies are ours; a registry crate may have the same name.
            let ours = uses
                .iter()
                .filter(|used| used["path"].is_string())
                .map(name);
            (name(package), ours.collect())
        })
        .collect()
}

/// The workspace members and their source folders.
fn source_folders(metadata: &Value) -> BTreeMap<String, PathBuf> {
    let packages = metadata["packages"].as_array().into_iter().flatten();
    packages
        .filter_map(|package| {
            let manifest = Path::new(package["manifest_path"].as_str()?);
            let name = package["name"].as_str()?.to_owned();
            Some((name, manifest.parent()?.join("src")))
        })
        .filter(|(_, folder)| folder.is_dir())
        .collect()
}

fn layer(name: &str) -> Option<usize> {
    LAYERS.iter().position(|names| names.contains(&name))
}

fn wrong_edges(edges: &BTreeMap<String, Vec<String>>) -> Vec<String> {
    let mut wrong = Vec::new();
    for (from, uses) in edges {
        let Some(high) = layer(from) else {
            wrong.push(format!("{from} is missing from LAYERS; add it"));
            continue;
        };
        for to in uses {
            if layer(to).is_none_or(|low| low >= high) {
                wrong.push(format!(
                    "{from} must not depend on {to}: crates depend on lower layers only"
                ));
            }
        }
    }
    // Every crate in the layers must exist, or its rule would check nothing.
    for expected in LAYERS.concat() {
        if !edges.contains_key(expected) {
            wrong.push(format!("{expected} is in LAYERS but not in the workspace"));
        }
    }
    wrong
}

/// Package names from `cargo tree --prefix none --format {p}`: the first word of each line.
fn names_of_tree(lines: &str) -> Vec<String> {
    let mut names: Vec<String> = lines
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .map(str::to_owned)
        .collect();
    names.sort();
    names.dedup();
    names
}

fn reaches(reach: &Reach, from: &str, to: &str) -> bool {
    reach
        .get(from)
        .is_some_and(|names| names.iter().any(|name| name == to))
}

fn wrong_reach(reach: &Reach) -> Vec<String> {
    let mut wrong = Vec::new();
    for Ban { crates, names, why } in &BANS {
        for from in *crates {
            for to in names.iter().filter(|to| reaches(reach, from, to)) {
                wrong.push(format!(
                    "{from} depends on {to}, but {why}; see `cargo tree -p {from} -i {to}`"
                ));
            }
        }
    }
    wrong
}

fn wrong_controls(reach: &Reach) -> Vec<String> {
    let mut wrong: Vec<String> = CONTROLS
        .iter()
        .filter(|(from, to)| !reaches(reach, from, to))
        .map(|(from, to)| {
            format!("control failed: {from} no longer depends on {to}; choose another control")
        })
        .collect();
    for name in BANS.iter().flat_map(|ban| ban.names) {
        if !CONTROLS.iter().any(|(_, to)| to == name) {
            wrong.push(format!("{name} is banned but has no control; add one"));
        }
    }
    wrong.dedup();
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A workspace that satisfies every control.
    fn sound() -> (BTreeMap<String, Vec<String>>, Reach) {
        let mut edges: BTreeMap<String, Vec<String>> = LAYERS
            .concat()
            .iter()
            .map(|name| ((*name).to_owned(), Vec::new()))
            .collect();
        edges.insert(
            "planwright-cli".to_owned(),
            vec!["planwright-workbench".to_owned()],
        );
        let mut reach = Reach::new();
        for (from, to) in CONTROLS {
            reach
                .entry(from.to_owned())
                .or_default()
                .push(to.to_owned());
        }
        // The controls on `tools` must not add anything that `tools` is banned from.
        (edges, reach)
    }

    #[test]
    fn a_sound_workspace_passes() {
        let (edges, reach) = sound();
        assert_eq!(wrong_edges(&edges), Vec::<String>::new());
        assert_eq!(wrong_reach(&reach), Vec::<String>::new());
        assert_eq!(wrong_controls(&reach), Vec::<String>::new());
    }

    #[test]
    fn upward_and_sideways_edges_are_refused() {
        for (from, to) in [
            ("planwright-plan", "planwright-adequacy"),
            ("planwright-gate", "planwright-adequacy"),
            ("planwright-gate", "planwright-agent"),
            ("planwright-agent", "planwright-planning"),
            ("planwright-store", "planwright-tools"),
            ("planwright-workbench", "planwright-desktop-views"),
            ("planwright-workbench", "planwright-cli"),
            ("planwright-workbench", "planwright-tests"),
        ] {
            let (mut edges, _) = sound();
            edges.insert(from.to_owned(), vec![to.to_owned()]);
            let wrong = wrong_edges(&edges);
            assert_eq!(wrong.len(), 1, "{wrong:?}");
            assert!(
                wrong[0].contains(from) && wrong[0].contains(to),
                "{wrong:?}"
            );
        }
    }

    #[test]
    fn a_crate_without_a_place_and_a_place_without_a_crate_are_named() {
        let (mut edges, _) = sound();
        edges.insert("planwright-extra".to_owned(), Vec::new());
        edges.remove("planwright-store");
        let wrong = wrong_edges(&edges).join("\n");
        assert!(
            wrong.contains("planwright-extra is missing from LAYERS"),
            "{wrong}"
        );
        assert!(wrong.contains("planwright-store is in LAYERS"), "{wrong}");
    }

    #[test]
    fn a_pure_crate_that_reaches_a_clock_or_disk_is_refused() {
        let (_, mut reach) = sound();
        reach.insert("planwright-plan".to_owned(), vec!["tokio".to_owned()]);
        let wrong = wrong_reach(&reach);
        assert_eq!(wrong.len(), 1);
        assert!(
            wrong[0].starts_with("planwright-plan depends on tokio"),
            "{wrong:?}"
        );
    }

    #[test]
    fn a_control_that_is_not_found_fails() {
        let (_, mut reach) = sound();
        reach.remove("planwright-workbench");
        let wrong = wrong_controls(&reach);
        assert!(
            wrong
                .iter()
                .any(|line| line.contains("depends on rusqlite")),
            "{wrong:?}"
        );
    }

    #[test]
    fn a_crate_that_reaches_the_window_past_the_shell_is_refused() {
        let (_, mut reach) = sound();
        reach.insert("planwright-cli".to_owned(), vec!["tauri".to_owned()]);
        let wrong = wrong_reach(&reach);
        assert_eq!(wrong.len(), 1, "{wrong:?}");
        assert!(
            wrong[0].contains("only the desktop shell may use UI libraries"),
            "{wrong:?}"
        );
    }

    #[test]
    fn the_names_of_a_tree_are_its_first_words() {
        let tree = "planwright-plan v0.1.0 (/somewhere)\nserde v1.0.0\nserde v1.0.0 (*)\n";
        assert_eq!(names_of_tree(tree), ["planwright-plan", "serde"]);
    }

    #[test]
    fn only_dependencies_by_path_are_ours() {
        let metadata = serde_json::json!({"packages": [{
            "name": "planwright-adequacy",
            "dependencies": [
                {"name": "planwright-plan", "path": "/somewhere", "kind": null},
                {"name": "regex", "path": null, "kind": null},
            ],
        }]});
        let edges = edges(&metadata);
        assert_eq!(edges["planwright-adequacy"], ["planwright-plan"]);
    }
}

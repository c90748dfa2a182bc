//! Detects a Python project's test runner and its import root.

use std::collections::{BTreeMap, BTreeSet};

use plan::shell_word;

use super::{folder_of, name_of};
use crate::among;
use crate::context::{Project, ProjectKind};

/// Whether a file may contain the test configuration of a Python project.
pub(super) fn is_configuration(path: &str) -> bool {
    let name = name_of(path);
    among(
        name,
        "pyproject.toml setup.py setup.cfg tox.ini pytest.ini .pytest.ini Pipfile \
    conftest.py",
    ) || (name.contains("requirements") && name.ends_with(".txt"))
        || path.contains("requirements/") && name.ends_with(".txt")
}

/// Whether a file name matches the patterns of Python's test runners.
pub(super) fn is_test_file(path: &str) -> bool {
    let name = name_of(path);
    name.ends_with(".py")
        && (name.starts_with("test") && name != "testing.py" || name.ends_with("_test.py"))
}

/// The Python projects that have test files: one per outermost folder with a configuration, or the
/// workspace root if there is none.
pub(super) fn projects(paths: &BTreeSet<String>, texts: &BTreeMap<String, String>) -> Vec<Project> {
    let tests: Vec<&str> = paths
        .iter()
        .map(String::as_str)
        .filter(|path| is_test_file(path))
        .collect();
    if tests.is_empty() {
        return Vec::new();
    }
    let configured: Vec<&str> = paths
        .iter()
        .map(String::as_str)
        .filter(|path| {
            among(
                name_of(path),
                "pyproject.toml setup.py setup.cfg pytest.ini tox.ini",
            )
        })
        .collect();
    let mut roots: Vec<&str> = configured.iter().map(|path| folder_of(path)).collect();
    roots.sort_by_key(|root| root.len());
    let mut outermost: Vec<&str> = Vec::new();
    for root in roots {
        if !outermost.iter().any(|outer| {
            *outer == root || outer.is_empty() || root.starts_with(&format!("{outer}/"))
        }) {
            outermost.push(root);
        }
    }
    let mut by_root: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for test in tests {
        let root = outermost
            .iter()
            .find(|root| crate::context::holds(root, test));
        by_root
            .entry(root.copied().unwrap_or(""))
            .or_default()
            .push(test);
    }
    by_root
        .into_iter()
        .map(|(root, tests)| {
            let manifest = configured
                .iter()
                .find(|path| folder_of(path) == root)
                .copied();
            let text = |path: &str| texts.get(path).map_or("", String::as_str);
            let pytest = uses_pytest(root, &tests, texts);
            let source = source_folder(root, &tests, paths, texts);
            Project {
                kind: if pytest {
                    ProjectKind::Pytest
                } else {
                    ProjectKind::Unittest
                },
                manifest: manifest
                    .or(tests.first().copied())
                    .unwrap_or_default()
                    .to_owned(),
                folder: root.to_owned(),
                tests: if pytest {
                    let place = if root.is_empty() {
                        String::new()
                    } else {
                        format!(" {}", shell_word(root))
                    };
                    vec![format!("{source}python3 -m pytest{place}")]
                } else if tests.iter().any(|test| text(test).contains("unittest")) {
                    unittest(root, &tests, paths)
                        .into_iter()
                        .map(|command| format!("{source}{command}"))
                        .collect()
                } else {
                    Vec::new()
                },
            }
        })
        .collect()
}

/// Whether the project uses pytest: it is configured, required or imported by tests, or the tests
/// are plain functions.
fn uses_pytest(root: &str, tests: &[&str], texts: &BTreeMap<String, String>) -> bool {
    let named = texts
        .iter()
        .filter(|(path, _)| crate::context::holds(root, path))
        .any(|(path, text)| {
            let name = name_of(path);
            let required = || {
                text.lines().any(|line| {
                    let line = line.trim().trim_start_matches(['"', '\'', '-', ' ']);
                    line.starts_with("pytest")
                        && !line[6..].starts_with(|c: char| c.is_alphanumeric())
                }) || text.contains("\"pytest")
                    || text.contains("'pytest")
            };
            match name {
                "pytest.ini" | ".pytest.ini" | "conftest.py" => true,
                "pyproject.toml" => text.contains("[tool.pytest") || required(),
                "setup.cfg" | "tox.ini" => {
                    text.contains("[pytest]") || text.contains("[tool:pytest]") || required()
                }
                _ if is_configuration(path) => required(),
                _ => false,
            }
        });
    let written = tests.iter().any(|test| {
        let text = texts.get(*test).map_or("", String::as_str);
        text.lines()
            .any(|line| line.starts_with("import pytest") || line.starts_with("from pytest"))
    });
    let bare = || {
        tests.iter().any(|test| {
            let text = texts.get(*test).map_or("", String::as_str);
            text.lines()
                .any(|line| line.starts_with("def test") || line.starts_with("async def test"))
        }) && !tests.iter().any(|test| {
            texts
                .get(*test)
                .is_some_and(|text| text.contains("unittest"))
        })
    };
    named || written || bare()
}

/// `env PYTHONPATH=src ` if the tests import modules from `src/` and no configuration makes that
/// possible; otherwise empty.
fn source_folder(
    root: &str,
    tests: &[&str],
    paths: &BTreeSet<String>,
    texts: &BTreeMap<String, String>,
) -> String {
    let inside = |name: &str| {
        if root.is_empty() {
            name.to_owned()
        } else {
            format!("{root}/{name}")
        }
    };
    let settled = texts.iter().any(|(path, text)| {
        crate::context::holds(root, path)
            && (text.contains("pythonpath") || text.contains("sys.path") || text.contains("-e ."))
    });
    if settled {
        return String::new();
    }
    let exists = |folder: &str, module: &str| {
        let file = inside(&format!("{folder}{module}.py"));
        let package = inside(&format!("{folder}{module}/"));
        paths.contains(&file)
            || paths
                .range(package.clone()..)
                .next()
                .is_some_and(|path| path.starts_with(&package))
    };
    let imported = tests
        .iter()
        .filter_map(|test| texts.get(*test))
        .flat_map(|text| text.lines());
    let needs = imported
        .filter_map(|line| {
            let rest = line
                .trim()
                .strip_prefix("from ")
                .or_else(|| line.trim().strip_prefix("import "))?;
            rest.split(|c: char| !c.is_alphanumeric() && c != '_')
                .next()
        })
        .any(|module| !module.is_empty() && exists("src/", module) && !exists("", module));
    if needs {
        format!("env PYTHONPATH={} ", shell_word(&inside("src")))
    } else {
        String::new()
    }
}

/// The unittest commands: discovery from the root if the tests can be imported from there,
/// otherwise one command for each folder that is not a package.
fn unittest(root: &str, tests: &[&str], paths: &BTreeSet<String>) -> Vec<String> {
    let mut starts: BTreeSet<(String, bool)> = BTreeSet::new();
    for test in tests {
        let mut folder = folder_of(test);
        while folder != root && paths.contains(&format!("{folder}/__init__.py")) {
            folder = folder_of(folder);
        }
        let usual = name_of(test).starts_with("test");
        starts.insert((folder.to_owned(), usual));
    }
    starts
        .into_iter()
        .map(|(folder, usual)| {
            let pattern = if usual { "" } else { " -p '*_test.py'" };
            match folder.as_str() {
                "" if usual => "python3 -m unittest".to_owned(),
                "" => format!("python3 -m unittest discover{pattern}"),
                folder => format!(
                    "python3 -m unittest discover -s {}{pattern}",
                    shell_word(folder)
                ),
            }
        })
        .collect()
}

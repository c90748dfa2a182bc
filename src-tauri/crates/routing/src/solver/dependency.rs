//! Where a project says which version of a library it uses, and the exact edit to another one.

use std::sync::LazyLock;

use regex::Regex;

use super::edits;
use crate::among;
use crate::context::{Context, Occurrence};
use crate::indexing::is_made_by_a_tool;
use crate::intake::{Dependency, VERSION_CONSTANT};
use crate::text::is_test;

static VERSION: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"(?:["'=<>~^! v]|^)(\d+(?:\.[\dx*]+)*(?:[-+][\w.]+)?)"#).ok());

/// What the manifests say of one library.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Manifests that name it.
    pub(super) manifests: Vec<String>,
    /// Lock files of the workspace.
    pub(super) locks: Vec<String>,
    /// Edits to the wanted version, by manifest.
    pub(super) edits: Vec<(String, Vec<String>)>,
    /// Manifests in which the version could not be settled.
    pub(super) unsettled: Vec<String>,
    /// Whether code that uses it may have to change: a new major version, or nobody knows.
    pub(super) is_breaking: bool,
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn is_manifest(path: &str) -> bool {
    let name = name_of(path);
    among(
        name,
        "Cargo.toml package.json pyproject.toml setup.py setup.cfg Pipfile go.mod Gemfile \
    pom.xml build.gradle build.gradle.kts composer.json",
    ) || (name.starts_with("requirements") && name.ends_with(".txt"))
        || path.contains("requirements/") && name.ends_with(".txt")
}

fn is_lock(path: &str) -> bool {
    among(
        name_of(path),
        "Cargo.lock package-lock.json yarn.lock pnpm-lock.yaml poetry.lock uv.lock \
    Pipfile.lock go.sum Gemfile.lock composer.lock",
    )
}

pub(super) fn find(wanted: &Dependency, context: &Context) -> Found {
    let mut found = Found {
        locks: context
            .paths
            .iter()
            .filter(|path| is_lock(path))
            .cloned()
            .collect(),
        ..Found::default()
    };
    let mut lines: std::collections::BTreeMap<&str, Vec<usize>> = Default::default();
    for occurrence in context.found(&wanted.name) {
        let is_own = || declares_own(&occurrence.path, &occurrence.text, &wanted.name);
        if is_manifest(&occurrence.path) && (!wanted.is_own || is_own()) {
            let ends = lines.entry(&occurrence.path).or_default();
            ends.push(occurrence.offset + wanted.name.len());
        }
    }
    if wanted.is_own && wanted.name == "version" {
        for occurrence in context.found(VERSION_CONSTANT) {
            let text = context
                .texts
                .get(&occurrence.path)
                .map_or("", String::as_str);
            if is_constant(occurrence) && !is_made_by_a_tool(&occurrence.path, Some(text)) {
                let ends = lines.entry(&occurrence.path).or_default();
                ends.push(occurrence.offset + VERSION_CONSTANT.len());
            }
        }
    }
    let mut before: Vec<String> = Vec::new();
    for (path, ends) in lines {
        found.manifests.push(path.to_owned());
        match edit(path, &ends, wanted, context) {
            Some((old, calls)) if !calls.is_empty() => {
                before.push(old);
                found.edits.push((path.to_owned(), calls));
            }
            _ => found.unsettled.push(path.to_owned()),
        }
    }
    // Two versions of the project itself: which is meant, nobody says.
    if wanted.is_own && before.iter().any(|old| *old != before[0]) {
        found.edits.clear();
        found.unsettled.clone_from(&found.manifests);
    }
    let version = wanted.version.as_deref().unwrap_or_default();
    found.is_breaking = !found.unsettled.is_empty()
        || before.is_empty()
        || before.iter().any(|old| series(old) != series(version));
    found
}

/// The numbers of a version that stay while its users need no change: the major one, of 0.x the minor one too.
fn series(version: &str) -> Vec<&str> {
    let mut numbers = version.split(['.', '-', '+']);
    let major = numbers.next().unwrap_or_default();
    match major {
        "0" => vec![major, numbers.next().unwrap_or_default()],
        _ => vec![major],
    }
}

/// Whether a line sets the constant to a text: `__version__ = "1.2.0"`.
fn is_constant(occurrence: &Occurrence) -> bool {
    let value = occurrence.text.strip_prefix(VERSION_CONSTANT);
    let value = value.and_then(|rest| rest.trim_start().strip_prefix('='));
    !is_test(&occurrence.path)
        && value.is_some_and(|value| value.trim_start().starts_with(['"', '\'']))
}

/// Whether a line of a manifest sets the project's own version: it begins with `version`. The version of a library
/// follows the library's name.
fn declares_own(path: &str, line: &str, key: &str) -> bool {
    let is_nested = path.contains('/') || is_made_by_a_tool(path, Some(""));
    let name = line.trim_start_matches(['"', '\'']);
    let value = name.strip_prefix(key);
    let value = value.map(|rest| rest.trim_start_matches(['"', '\'', ' ']));
    !is_nested && value.is_some_and(|rest| rest.starts_with(['=', ':']))
}

/// The version in one manifest and the edit of it: only when its one line with the name has one version behind the
/// end of the name.
fn edit(
    path: &str,
    ends: &[usize],
    wanted: &Dependency,
    context: &Context,
) -> Option<(String, Vec<String>)> {
    let version = wanted.version.as_ref()?;
    let text = context.texts.get(path)?;
    let mut places = Vec::new();
    let mut old = String::new();
    for &start in ends {
        let end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let rest = &text[start..end];
        // `name = …`, `"name": …`, `name==…`, `name v…`: another word in between is another name.
        let declares = rest
            .trim_start_matches(['"', '\'', ' ', '['])
            .starts_with([':', '=', '>', '<', '~', '^', 'v', '!']);
        if !declares || rest.contains("path =") || rest.contains("git =") {
            continue;
        }
        let versions: Vec<_> = VERSION
            .as_ref()?
            .captures_iter(rest)
            .filter_map(|captures| captures.get(1))
            .collect();
        let [only] = versions.as_slice() else {
            return None;
        };
        if only.as_str() != version {
            only.as_str().clone_into(&mut old);
            places.push((start + only.start()..start + only.end(), version.clone()));
        }
    }
    if places.len() != 1 {
        return None;
    }
    Some((old, edits::exact(path, text, &places)?))
}

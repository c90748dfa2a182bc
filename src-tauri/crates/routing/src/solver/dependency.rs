//! Where a project says which version of a library it uses, and the exact edit to another one.

use std::sync::LazyLock;

use regex::Regex;

use super::edits;
use crate::among;
use crate::context::Context;
use crate::indexing::is_made_by_a_tool;
use crate::intake::Dependency;

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
        let is_own = || declares_own(&occurrence.path, &occurrence.text, wanted);
        if is_manifest(&occurrence.path) && (!wanted.is_own || is_own()) {
            lines
                .entry(&occurrence.path)
                .or_default()
                .push(occurrence.offset);
        }
    }
    for (path, offsets) in lines {
        found.manifests.push(path.to_owned());
        match edit(path, &offsets, wanted, context) {
            Some(calls) if !calls.is_empty() => found.edits.push((path.to_owned(), calls)),
            _ => found.unsettled.push(path.to_owned()),
        }
    }
    found
}

/// Whether a line of a manifest sets the project's own version: it begins with `version`. The version of a library
/// follows the library's name.
fn declares_own(path: &str, line: &str, wanted: &Dependency) -> bool {
    let is_nested = path.contains('/') || is_made_by_a_tool(path, Some(""));
    let name = line.trim_start_matches(['"', '\'']);
    let value = name.strip_prefix(&*wanted.name);
    let value = value.map(|rest| rest.trim_start_matches(['"', '\'', ' ']));
    !is_nested && value.is_some_and(|rest| rest.starts_with(['=', ':']))
}

/// The edit of one manifest: only when its one line with the name has one version behind it.
fn edit(
    path: &str,
    offsets: &[usize],
    wanted: &Dependency,
    context: &Context,
) -> Option<Vec<String>> {
    let version = wanted.version.as_ref()?;
    let text = context.texts.get(path)?;
    let mut places = Vec::new();
    for offset in offsets {
        let start = offset + wanted.name.len();
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
            places.push((start + only.start()..start + only.end(), version.clone()));
        }
    }
    if places.len() != 1 {
        return None;
    }
    edits::exact(path, text, &places)
}

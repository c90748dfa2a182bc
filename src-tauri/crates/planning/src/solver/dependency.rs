//! Finds where a project declares a library's version, and the exact edits that change it.

use std::sync::LazyLock;

use regex::Regex;

use super::{dependency_entry, edits};
use crate::among;
use crate::context::{Context, Occurrence};
use crate::indexing::is_generated;
use crate::intake::{Change, Dependency, VERSION_CONSTANT};
use crate::text::{Family, Shape, family_of, is_history, is_test};

static VERSION: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"(?:["'=<>~^! v]|^)(\d+(?:\.[\dx*]+)*(?:[-+][\w.]+)?)"#).ok());

/// What the manifests say about one library.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The paths of the manifests that name the library.
    pub(super) manifests: Vec<String>,
    /// The paths of the lock files in the workspace.
    pub(super) locks: Vec<String>,
    /// The edits that set the wanted version, by the path of the manifest.
    pub(super) edits: Vec<(String, Vec<String>)>,
    /// The paths of manifests that a person has to edit, since no exact edit is certain.
    pub(super) unsettled: Vec<String>,
    /// Whether code that uses it may have to change, because the major version changes or is
    /// unknown.
    pub(super) is_breaking: bool,
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Whether a file lists a project's dependencies.
pub(crate) fn is_manifest(path: &str) -> bool {
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
    match wanted.change {
        Change::Set => set(wanted, context, &mut found),
        Change::Add { is_dev } => add(wanted, is_dev, context, &mut found),
        Change::Remove => remove(wanted, context, &mut found),
    }
    found
}

fn add(wanted: &Dependency, is_dev: bool, context: &Context, found: &mut Found) {
    let is_at_top = |path: &&String| is_manifest(path) && !path.contains('/');
    let version = wanted.version.as_deref().unwrap_or_default();
    for path in context.paths.iter().filter(is_at_top) {
        found.manifests.push(path.clone());
        let text = context.texts.get(path);
        let place = text
            .and_then(|text| dependency_entry::added(path, text, &wanted.name, version, is_dev));
        let calls = text
            .zip(place)
            .and_then(|(text, place)| edits::exact(path, text, &[place]));
        match calls {
            Some(calls) => found.edits.push((path.clone(), calls)),
            None => found.unsettled.push(path.clone()),
        }
    }
    // If there are several manifests, it is unclear which one to add the library to.
    if found.manifests.len() > 1 {
        found.edits.clear();
        found.unsettled.clone_from(&found.manifests);
    }
}

fn remove(wanted: &Dependency, context: &Context, found: &mut Found) {
    for place in context.found(&wanted.name) {
        if !is_manifest(&place.path) {
            continue;
        }
        found.manifests.push(place.path.clone());
        let text = context.texts.get(&place.path);
        let gone = text.and_then(|text| dependency_entry::removed(&place.path, text, place.offset));
        let calls = text
            .zip(gone)
            .and_then(|(text, gone)| edits::exact(&place.path, text, &[gone]));
        match calls {
            Some(calls) => found.edits.push((place.path.clone(), calls)),
            None => found.unsettled.push(place.path.clone()),
        }
    }
}

/// The library's name as spelled in the manifests, if it differs only in case.
pub(super) fn as_listed(wanted: &Dependency, context: &Context) -> Option<String> {
    let is_listed = |name: &String| {
        let mut places = context.found(name).iter();
        places
            .any(|place| is_manifest(&place.path) && dependency_entry::is_entry(&place.text, name))
    };
    let is_known = context
        .found(&wanted.name)
        .iter()
        .any(|place| is_manifest(&place.path));
    let mut spellings = wanted.spellings().into_iter();
    (!is_known && !wanted.is_own).then(|| spellings.find(is_listed))?
}

/// Why a library cannot be added or removed by rules alone; `None` if it can.
pub(super) fn obstacle(wanted: &Dependency, context: &Context) -> Option<String> {
    let name = &wanted.name;
    let places = context.found(name);
    let listed: Vec<&Occurrence> = places
        .iter()
        .filter(|place| is_manifest(&place.path))
        .collect();
    match wanted.change {
        Change::Set => None,
        Change::Add { .. } => {
            let known = listed
                .iter()
                .find(|place| dependency_entry::is_entry(&place.text, name))?;
            Some(format!("`{name}` is already listed in `{}`", known.path))
        }
        Change::Remove => {
            let other_form = wanted.in_code();
            let others = match other_form == *name {
                true => &[][..],
                false => context.found(&other_form),
            };
            let is_use = |place: &&Occurrence| {
                let family = family_of(&place.path);
                let is_own_entry =
                    is_manifest(&place.path) && dependency_entry::is_entry(&place.text, name);
                !is_lock(&place.path)
                    && !is_own_entry
                    && family != Family::Document
                    && !is_history(&place.path)
                    && !matches!(place.shape, Shape::Comment | Shape::Prose)
            };
            if let Some(used) = places.iter().chain(others).find(is_use) {
                return Some(format!(
                    "`{name}` is still used in `{}` line {}; remove that use first",
                    used.path, used.line
                ));
            }
            let python = listed
                .iter()
                .find(|place| !dependency_entry::names_match_imports(&place.path));
            python.map(|place| format!("`{}` doesn't say how code imports `{name}`", place.path))
        }
    }
}

fn set(wanted: &Dependency, context: &Context, found: &mut Found) {
    let mut lines: std::collections::BTreeMap<&str, Vec<usize>> = Default::default();
    for occurrence in context.found(&wanted.name) {
        let is_own = || declares_own(occurrence, &wanted.name, context);
        if is_end_of_another(occurrence, context) {
            continue;
        }
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
            if is_constant(occurrence) && !is_generated(&occurrence.path, Some(text)) {
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
    // The manifests contain different versions of the project, so its own version is ambiguous.
    if wanted.is_own && before.iter().any(|old| *old != before[0]) {
        found.edits.clear();
        found.unsettled.clone_from(&found.manifests);
    }
    let version = wanted.version.as_deref().unwrap_or_default();
    found.is_breaking = !found.unsettled.is_empty()
        || before.is_empty()
        || before.iter().any(|old| series(old) != series(version));
}

/// Whether a name is only the end of a longer one, as in `typescript-eslint` or `@types/node`.
fn is_end_of_another(place: &Occurrence, context: &Context) -> bool {
    let text = context.texts.get(&place.path).map_or("", String::as_str);
    let before = text
        .get(..place.offset)
        .and_then(|text| text.chars().next_back());
    before.is_some_and(|c| "-/@".contains(c))
}

/// The version components that determine compatibility: the major version, and for 0.x also the
/// minor version.
fn series(version: &str) -> Vec<&str> {
    let mut numbers = version.split(['.', '-', '+']);
    let major = numbers.next().unwrap_or_default();
    match major {
        "0" => vec![major, numbers.next().unwrap_or_default()],
        _ => vec![major],
    }
}

/// Whether a line assigns a string to [`VERSION_CONSTANT`] and isn't in a test.
fn is_constant(occurrence: &Occurrence) -> bool {
    let value = occurrence.text.strip_prefix(VERSION_CONSTANT);
    let value = value.and_then(|rest| rest.trim_start().strip_prefix('='));
    !is_test(&occurrence.path)
        && value.is_some_and(|value| value.trim_start().starts_with(['"', '\'']))
}

/// Whether a line of a manifest in the root folder sets one of the project's own values to a string
/// or number: it begins with the key and is outside the dependency sections.
fn declares_own(place: &Occurrence, key: &str, context: &Context) -> bool {
    let path = &place.path;
    let is_nested = path.contains('/') || is_generated(path, Some(""));
    let name = place.text.trim_start_matches(['"', '\'']);
    let value = name.strip_prefix(key);
    let value = value.map(|rest| rest.trim_start_matches(['"', '\'', ' ']));
    let value = value.and_then(|rest| rest.strip_prefix(['=', ':']));
    let is_literal = value.is_some_and(|value| {
        let value = value.trim_start();
        value.starts_with(['"', '\'']) || value.starts_with(|c: char| c.is_ascii_digit())
    });
    let text = context.texts.get(path).map_or("", String::as_str);
    !is_nested && is_literal && !dependency_entry::is_among_libraries(path, text, place.offset)
}

/// The old version in one manifest, and the edit that changes it. `None` if a line with the name
/// doesn't have exactly one version, or if the number of lines to change isn't one.
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
        let head = text[..start].rfind('\n').map_or(0, |at| at + 1);
        if text[head..end].starts_with('[') && rest.trim() == "]" {
            places.extend(in_table(text, end, version, &mut old));
            continue;
        }
        // Accept `name = …`, `"name": …`, `name==…`, `name v…`; with another word in between, it is
        // a different name.
        let declares = rest
            .trim_start_matches(['"', '\'', ' ', '['])
            .starts_with([':', '=', '>', '<', '~', '^', 'v', '!']);
        // Skip features, which have a list of members, as in `serde = ["dep:serde"]`.
        let value = rest.trim_start_matches(['"', '\'', ' ']);
        let is_list = value
            .strip_prefix('=')
            .is_some_and(|value| value.trim_start().starts_with('['));
        if !declares || is_list || rest.contains("path =") || rest.contains("git =") {
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

/// Finds the version in a separate table, `[dependencies.name]`, whose heading ends at `end`.
/// Returns its range and the new version, and stores the old one in `old`; `None` if there is no
/// version or it is the new one already.
fn in_table(
    text: &str,
    end: usize,
    version: &str,
    old: &mut String,
) -> Option<(std::ops::Range<usize>, String)> {
    let mut at = end + 1;
    for line in text.get(at..)?.split_inclusive('\n') {
        if line.starts_with('[') {
            return None;
        }
        let value = line.strip_prefix("version").map(str::trim_start);
        if value.is_some_and(|value| value.starts_with('=')) {
            let known = VERSION.as_ref()?.captures(line)?.get(1)?;
            known.as_str().clone_into(old);
            let place = at + known.start()..at + known.end();
            return (known.as_str() != version).then(|| (place, version.to_owned()));
        }
        at += line.len();
    }
    None
}

/// The manifest's minimum Rust version, and the version that the new edition needs, if that is
/// higher.
pub(super) fn compiler(wanted: &Dependency, context: &Context) -> Option<(String, &'static str)> {
    let needed = match (&*wanted.name, wanted.version.as_deref()?) {
        ("edition", "2018") if wanted.is_own => "1.31",
        ("edition", "2021") if wanted.is_own => "1.56",
        ("edition", "2024") if wanted.is_own => "1.85",
        _ => return None,
    };
    let manifest = context.texts.get("Cargo.toml")?;
    let mut lines = manifest.lines();
    let line = lines.find_map(|line| line.trim_start().strip_prefix("rust-version"))?;
    let found = VERSION.as_ref()?.captures(line)?.get(1)?.as_str();
    let minor = |version: &str| version.split('.').nth(1)?.parse::<u32>().ok();
    (minor(found)? < minor(needed)?).then(|| (found.to_owned(), needed))
}

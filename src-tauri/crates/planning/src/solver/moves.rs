//! Moves a file: finds the references to it in other files, and exact edits for paths that are
//! written out.
//!
//! Workspace paths and links relative to the file that contains them can be edited exactly. A bare
//! name, an import, and the moved file's own relative references are left to a person.

use std::collections::BTreeMap;

use crate::context::{Context, Occurrence};
use crate::indexing::is_generated;
use crate::intake::{Intake, Move};
use crate::text::{Family, Shape, family_of, is_code, is_history, stem};

/// References to a file that moves.
#[derive(Debug, Default)]
pub(super) struct References {
    /// Paths that are written out, by file: the byte range and the new path.
    pub(super) exact: BTreeMap<String, Vec<(std::ops::Range<usize>, String)>>,
    /// Lines that may refer to the file, by the file that they are in.
    pub(super) unsure: BTreeMap<String, Vec<Occurrence>>,
}

/// Resolves bare file names in the goal to paths, if only one file has that name; such a file stays
/// in its folder.
pub(super) fn placed(intake: &mut Intake, context: &Context) {
    for one in &mut intake.moves {
        let is_bare = !one.from.contains('/') && !one.to.contains('/');
        if !is_bare || context.paths.contains(&one.from) {
            continue;
        }
        let ending = format!("/{}", one.from);
        let mut named = context.paths.iter().filter(|path| path.ends_with(&ending));
        if let (Some(only), None) = (named.next(), named.next()) {
            one.to = format!("{}/{}", folder_of(only), one.to);
            one.from.clone_from(only);
        }
    }
}

/// The destination path; moving into a folder keeps the file's name.
pub(super) fn target(one: &Move, context: &Context) -> String {
    let folder = one.to.trim_end_matches('/');
    let is_folder = one.to.ends_with('/')
        || context.folders.contains_key(folder)
        || context
            .paths
            .iter()
            .any(|path| crate::context::holds(folder, path));
    match is_folder && !context.paths.contains(&one.to) {
        true => format!(
            "{folder}/{}",
            one.from.rsplit('/').next().unwrap_or(&one.from)
        ),
        false => one.to.clone(),
    }
}

/// Why rules can't make these moves; `None` if they can.
pub(super) fn obstacle(moves: &[Move], context: &Context) -> Option<String> {
    let mut targets: Vec<String> = Vec::new();
    for one in moves {
        let (from, to) = (&one.from, target(one, context));
        if family_of(from) == Family::Rust && folder_of(from) != folder_of(&to) {
            return Some(format!(
                "`{from}` is a Rust module, so its declaration has to move too"
            ));
        }
        if !context.paths.contains(from) {
            let is_folder = context.folders.contains_key(from.trim_end_matches('/'));
            return Some(match is_folder {
                true => format!("`{from}` is a folder; move it by hand"),
                false => format!("`{from}` doesn't exist, so there is nothing to move"),
            });
        }
        let same = |path: &&String| path.to_lowercase() == to.to_lowercase();
        if let Some(taken) = context.paths.iter().find(same) {
            return Some(match (taken == from, *taken == to) {
                (true, _) => format!(
                    "`{from}` and `{to}` differ only in case, so they are the same file on some systems"
                ),
                (_, true) => format!("`{to}` already exists and won't be overwritten"),
                _ => format!(
                    "`{to}` and `{taken}` differ only in case, so they are the same file on some systems"
                ),
            });
        }
        if targets.contains(&to) {
            return Some(format!("two files would move to `{to}`"));
        }
        targets.push(to);
    }
    None
}

/// Finds the references to the file in other files, except in changelogs and generated files, and
/// the references in the file itself that are relative to its old folder.
pub(super) fn references(one: &Move, context: &Context) -> References {
    let to = target(one, context);
    let mut named = References::default();
    for term in one.terms() {
        for place in context.found(&term) {
            let Some(text) = context.texts.get(&place.path) else {
                continue;
            };
            let is_left = is_history(&place.path) || is_generated(&place.path, Some(text));
            if is_left || place.path == one.from {
                continue;
            }
            let range = written_path(text, place.offset);
            let written = &text[range.clone()];
            if let Some(new) = renamed(written, &place.path, &one.from, &to) {
                let edits = named.exact.entry(place.path.clone()).or_default();
                if !edits.iter().any(|(known, _)| known.start == range.start) {
                    edits.push((range, new));
                }
            } else if may_mean(place, written, one) {
                let lines = named.unsure.entry(place.path.clone()).or_default();
                if !lines.iter().any(|known| known.line == place.line) {
                    lines.push(place.clone());
                }
            }
        }
    }
    for edits in named.exact.values_mut() {
        edits.sort_by_key(|(range, _)| range.start);
    }
    // Drop lines that will be edited, which are no longer ambiguous.
    for (path, lines) in &mut named.unsure {
        let edited = named.exact.get(path);
        let text = context.texts.get(path).map_or("", String::as_str);
        let line = |at: usize| text[..at].matches('\n').count() + 1;
        lines.retain(|place| {
            let mut edits = edited.into_iter().flatten();
            !edits.any(|(range, _)| line(range.start) == place.line as usize)
        });
        lines.sort_by_key(|place| place.offset);
    }
    named.unsure.retain(|_, lines| !lines.is_empty());
    let own = own_lines(one, &to, context);
    if !own.is_empty() {
        named.unsure.insert(to, own);
    }
    named
}

/// The lines outside of a folder that refer to something in it, by the file they are in.
pub(super) fn references_into(
    folder: &str,
    context: &Context,
) -> BTreeMap<String, Vec<Occurrence>> {
    let inside = format!("{}/", folder.trim_end_matches('/'));
    let mut lines: BTreeMap<String, Vec<Occurrence>> = BTreeMap::new();
    for place in context.found(&inside) {
        let text = context.texts.get(&place.path).map_or("", String::as_str);
        let is_left = is_history(&place.path) || is_generated(&place.path, Some(text));
        let is_inside = place.path.starts_with(&inside);
        let written = text
            .get(written_path(text, place.offset.min(text.len())))
            .unwrap_or_default();
        let bare = written.trim_start_matches("./");
        let reached = joined(folder_of(&place.path), written);
        let reaches =
            bare.starts_with(&inside) || reached.is_some_and(|path| path.starts_with(&inside));
        if !is_left && !is_inside && reaches {
            lines
                .entry(place.path.clone())
                .or_default()
                .push(place.clone());
        }
    }
    lines
}

/// The range of the whole path around a position, without the punctuation of a sentence.
fn written_path(text: &str, at: usize) -> std::ops::Range<usize> {
    let is_part = |c: char| c.is_alphanumeric() || "_-./@".contains(c);
    let start = text[..at]
        .char_indices()
        .rev()
        .take_while(|(_, c)| is_part(*c))
        .last()
        .map_or(at, |(start, _)| start);
    let end = text[at..]
        .find(|c| !is_part(c))
        .map_or(text.len(), |end| at + end);
    let end = start + text[start..end].trim_end_matches('.').len();
    start..end.max(start)
}

/// A reference's path after the move; `None` if it refers to another file or is only a bare name.
fn renamed(written: &str, in_file: &str, from: &str, to: &str) -> Option<String> {
    let folder = folder_of(in_file);
    let (dots, bare) = match written.strip_prefix("./") {
        Some(rest) => ("./", rest),
        None => ("", written),
    };
    let reached = joined(folder, written);
    // In JavaScript, the extension of an imported file may be omitted: `require('./utils')`.
    let is_script = |path: &str| family_of(path) == Family::JavaScript;
    let is_import = written.starts_with('.') && [from, to, in_file].into_iter().all(is_script);
    let is_bare = is_import && reached.as_deref() == Some(without_ending(from));
    if is_bare || reached.as_deref() == Some(from) {
        let new = relative(folder, if is_bare { without_ending(to) } else { to });
        return Some(match new.starts_with("..") {
            true => new,
            false if is_bare => format!("./{new}"),
            false => format!("{dots}{new}"),
        });
    }
    // Replace a workspace path, but not a bare name, which could be any file of that name.
    (bare == from && (from.contains('/') || folder.is_empty())).then(|| format!("{dots}{to}"))
}

fn without_ending(path: &str) -> &str {
    let name = path.rfind('/').map_or(0, |at| at + 1);
    path[name..]
        .rfind('.')
        .map_or(path, |at| &path[..name + at])
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Resolves a path relative to a folder, including `.` and `..`; `None` if it leaves the workspace.
fn joined(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    (!path.starts_with('/')).then(|| parts.join("/"))
}

/// The relative path from a folder to a path.
fn relative(folder: &str, path: &str) -> String {
    let from: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    let to: Vec<&str> = path.split('/').collect();
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = vec![".."; from.len() - shared];
    up.into_iter()
        .chain(to[shared..].iter().copied())
        .collect::<Vec<_>>()
        .join("/")
}

/// Whether a line may refer to the file because it contains the file's name or imports it.
fn may_mean(place: &Occurrence, written: &str, one: &Move) -> bool {
    let name = one.from.rsplit('/').next().unwrap_or(&one.from);
    let says_name = written == name || written.ends_with(&format!("/{name}"));
    // The path may be that of a different file with the same name.
    let is_end = one.from.ends_with(&format!("/{written}"));
    let is_other = says_name && written.contains('/') && !written.starts_with('.') && !is_end;
    let imports = place.shape == Shape::Import
        || place
            .text
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| crate::among(word, "import from require include use mod load source"));
    let is_code = is_code(&one.from) && is_code(&place.path);
    // `utils-merge` is a different module from `utils`.
    let stem = stem(&one.from);
    let is_script = family_of(&one.from) == Family::JavaScript;
    let is_module = written.split(['/', '.', ':']).any(|part| part == stem)
        && (!is_script || written.contains('/'));
    // `def load(globals=None)` doesn't refer to a file; `eval::run()` does.
    let is_own = matches!(
        place.shape,
        Shape::Parameter | Shape::Assignment | Shape::Key
    );
    let is_path = place.text.contains(&format!("{stem}::"));
    says_name && !is_other && place.shape != Shape::Comment
        || is_code && is_module && (imports || is_path) && !is_own
}

/// The lines of a moved file that contain references relative to its folder, if the folder changes.
fn own_lines(one: &Move, to: &str, context: &Context) -> Vec<Occurrence> {
    if folder_of(&one.from) == folder_of(to) {
        return Vec::new();
    }
    let text = context.texts.get(&one.from).map_or("", String::as_str);
    let is_document = crate::text::is_document(&one.from);
    let reaches = |line: &str| {
        let is_link =
            is_document && (line.contains("](") || line.contains("src=") || line.contains("href="));
        let is_far = line.contains("://") || line.contains("](#");
        line.contains("./")
            || ["from .", "import .", "super::", "#include \""]
                .iter()
                .any(|start| is_code(&one.from) && line.trim_start().starts_with(start))
            || is_link && !is_far
    };
    let lines = text.lines().enumerate().filter(|(_, line)| reaches(line));
    lines
        .map(|(nth, line)| Occurrence {
            path: to.to_owned(),
            line: u32::try_from(nth + 1).unwrap_or(u32::MAX),
            offset: nth,
            text: line.trim().chars().take(200).collect(),
            shape: Shape::Reference,
        })
        .collect()
}

/// Whether code may find a file through its folder's name alone, so that a search can't find its
/// importers.
pub(super) fn is_found_by_folder(path: &str) -> bool {
    is_code(path) && crate::among(stem(path), "__init__ mod index lib main")
}

/// The `__init__.py` that makes the new folder a package, if the old folder has one and the new one
/// doesn't.
pub(super) fn missing_package(from: &str, to: &str, context: &Context) -> Option<String> {
    let main = |path: &str| format!("{}/__init__.py", folder_of(path));
    let is_missing = from.ends_with(".py")
        && context.paths.contains(&main(from))
        && !context.paths.contains(&main(to));
    is_missing.then(|| main(to))
}

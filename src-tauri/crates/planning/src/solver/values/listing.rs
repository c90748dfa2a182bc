//! Formats files and lines for steps: one by one, by folder, or as a list.

use std::collections::BTreeMap;

use super::MAX_STEPS;
use crate::context::Occurrence;

/// Maximum number of lines listed in a step for a person.
const MAX_LINES: usize = 24;

/// The number of places, as a phrase.
pub(super) fn counted(count: usize) -> String {
    if count == 1 {
        "1 place".to_owned()
    } else {
        format!("{count} places")
    }
}

/// Formats lines for a person, in a code block whose fence doesn't occur in the lines.
pub(super) fn listing(places: &[&Occurrence], several_files: bool) -> String {
    let mut lines: Vec<String> = Vec::new();
    for place in places {
        let line = if several_files {
            format!("{}:{}: {}", place.path, place.line, place.text)
        } else {
            format!("{}: {}", place.line, place.text)
        };
        if lines.last() != Some(&line) {
            lines.push(line);
        }
    }
    if lines.len() > MAX_LINES {
        let more = lines.len() - MAX_LINES;
        lines.truncate(MAX_LINES);
        lines.push(format!("… and {more} more"));
    }
    let longest = lines
        .iter()
        .flat_map(|line| line.split(|c| c != '`'))
        .map(str::len)
        .max()
        .unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{}\n{fence}", lines.join("\n"))
}

/// Groups files by folder if there are many, otherwise lists them one by one; each entry has a
/// label for the step's title and the paths.
pub(super) fn grouped(paths: &[String]) -> Vec<(String, Vec<String>)> {
    if paths.len() <= MAX_STEPS {
        return paths
            .iter()
            .map(|path| (format!("`{path}`"), vec![path.clone()]))
            .collect();
    }
    let deepest = paths
        .iter()
        .map(|path| path.split('/').count() - 1)
        .max()
        .unwrap_or(0);
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for depth in (0..=deepest).rev() {
        groups.clear();
        for path in paths {
            let parts: Vec<&str> = path.split('/').collect();
            let folder = parts[..depth.min(parts.len() - 1)].join("/");
            groups.entry(folder).or_default().push(path.clone());
        }
        if groups.len() <= MAX_STEPS {
            break;
        }
    }
    groups
        .into_iter()
        .map(|(folder, paths)| {
            let place = if folder.is_empty() {
                "the root folder".to_owned()
            } else {
                format!("`{folder}`")
            };
            let label = match paths.as_slice() {
                [only] => format!("`{only}`"),
                _ => format!("{} files in {place}", paths.len()),
            };
            (label, paths)
        })
        .collect()
}

//! Edits entries in manifests with a simple format: `package.json` and `Cargo.toml` with one
//! library per line.

use std::ops::Range;

/// A byte range and its replacement.
type Written = (Range<usize>, String);

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Whether code refers to a library by its name in the manifest. Python packages, for example, can
/// have any import name.
pub(super) fn names_match_imports(path: &str) -> bool {
    matches!(name_of(path), "package.json" | "Cargo.toml" | "go.mod")
}

/// Whether a line is the entry of a library or value, that is, begins with its name.
pub(super) fn is_entry(line: &str, name: &str) -> bool {
    let rest = line.trim_start_matches(['"', '\'', ' ']).strip_prefix(name);
    rest.is_some_and(|rest| {
        let rest = rest.trim_start_matches(['"', '\'', ' ']);
        rest.starts_with(['=', ':', '<', '>', '~', '^', '!'])
    })
}

/// Whether a position in a TOML file is in a dependency table.
pub(super) fn is_among_libraries(path: &str, text: &str, at: usize) -> bool {
    let mut above = text[..at].lines().rev();
    let table = above.find(|line| line.starts_with('[')).unwrap_or_default();
    path.ends_with(".toml") && table.contains("dependencies")
}

/// The lines of the dependency block, as ranges without line endings, and the separator between
/// entries.
fn block(path: &str, text: &str, is_dev: bool) -> Option<(Vec<Range<usize>>, &'static str)> {
    let is_json = match name_of(path) {
        "package.json" => true,
        "Cargo.toml" => false,
        _ => return None,
    };
    let opening = match (is_json, is_dev) {
        (true, false) => "\"dependencies\"",
        (true, true) => "\"devDependencies\"",
        (false, false) => "[dependencies]",
        (false, true) => "[dev-dependencies]",
    };
    let opens = |line: &str| {
        let rest = line.trim().strip_prefix(opening).map(str::trim_start);
        rest.is_some_and(|rest| match is_json {
            true => rest.starts_with(':') && rest.ends_with('{'),
            false => rest.is_empty(),
        })
    };
    let closes = |line: &str| {
        line.trim_start()
            .starts_with(if is_json { '}' } else { '[' })
    };
    let sign = if is_json { "," } else { "" };
    let mut entries: Option<Vec<Range<usize>>> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end();
        match &mut entries {
            None if opens(bare) => entries = Some(Vec::new()),
            Some(_) if closes(bare) => break,
            Some(entries) if !bare.is_empty() => entries.push(start..start + bare.len()),
            _ => {}
        }
        start += line.len();
    }
    entries
        .filter(|entries| !entries.is_empty())
        .map(|entries| (entries, sign))
}

/// The name in an entry; `None` for other lines, such as comments or parts of a list.
fn entry_name<'a>(line: &'a str, sign: &str) -> Option<&'a str> {
    let line = line.trim();
    match sign {
        "," => line
            .strip_prefix('"')?
            .split_once('"')
            .map(|(name, _)| name),
        _ => {
            let (name, _) = line.split_once('=')?;
            let name = name.trim();
            let is_plain = |c: char| c.is_alphanumeric() || "_-\"".contains(c);
            name.chars().all(is_plain).then_some(name.trim_matches('"'))
        }
    }
}

/// Adds an entry for a library: in alphabetical position if the others are sorted, otherwise at the
/// end.
pub(super) fn added(
    path: &str,
    text: &str,
    name: &str,
    version: &str,
    is_dev: bool,
) -> Option<Written> {
    let (entries, sign) = block(path, text, is_dev)?;
    let names: Option<Vec<&str>> = entries
        .iter()
        .map(|at| entry_name(&text[at.clone()], sign))
        .collect();
    let names = names?;
    let is_sorted = names.windows(2).all(|pair| pair[0] <= pair[1]);
    let entry = match sign {
        "," => format!("\"{name}\": \"{version}\""),
        _ => format!("{name} = \"{version}\""),
    };
    let next = names.iter().position(|known| is_sorted && *known > name);
    let line = &text[entries[0].clone()];
    let indent = &line[..line.len() - line.trim_start().len()];
    Some(match next {
        Some(at) => {
            let start = entries[at].start + indent.len();
            (start..start, format!("{entry}{sign}\n{indent}"))
        }
        None => {
            let end = entries.last()?.end;
            (end..end, format!("{sign}\n{indent}{entry}"))
        }
    })
}

/// Removes a library's entry at a position, along with its separator.
pub(super) fn removed(path: &str, text: &str, at: usize) -> Option<Written> {
    let blocks = [false, true]
        .into_iter()
        .filter_map(|is_dev| block(path, text, is_dev));
    let (entries, sign) = blocks
        .into_iter()
        .find(|(entries, _)| entries.iter().any(|entry| entry.contains(&at)))?;
    let nth = entries.iter().position(|entry| entry.contains(&at))?;
    let line = text[entries[nth].clone()].trim();
    entry_name(line, sign)?;
    let is_whole = match sign {
        "," => line.matches('"').count() == 4,
        _ => line.matches(['{', '[']).count() == line.matches(['}', ']']).count(),
    };
    if !is_whole {
        return None;
    }
    let inner = |entry: &Range<usize>| {
        let line = &text[entry.clone()];
        entry.start + (line.len() - line.trim_start().len())
    };
    match (
        entries.get(nth + 1),
        nth.checked_sub(1).map(|nth| &entries[nth]),
    ) {
        (Some(next), _) => Some((inner(&entries[nth])..inner(next), String::new())),
        (None, Some(before)) => {
            let end = before.end - usize::from(text[before.clone()].ends_with(','));
            Some((end..entries[nth].end, String::new()))
        }
        // If the block would become empty, a person edits it.
        (None, None) => None,
    }
}

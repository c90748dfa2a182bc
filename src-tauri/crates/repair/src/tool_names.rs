//! Rung 7: finds the tool that a name refers to.
//!
//! A name refers to the tool with exactly that name, or with the same name in another spelling. A
//! name that is only similar is a fault with suggestions, and a destructive tool is never
//! suggested.

use super::schema::{Effect, Tool, Tools};
use plan::word_list::WordList;

/// Minimum similarity of a tool to suggest, from 0 to 1.
const NEAR: f64 = 0.75;
/// Prefixes that stand for a collection of tools.
const SPACES: WordList = WordList(
    "functions function tools tool default_api api mcp assistant namespace client default builtin \
    call",
);

/// The tool that a name refers to.
pub(super) fn resolve<'a>(name: &str, tools: &'a Tools) -> Option<&'a Tool> {
    let bare = bare(name);
    if let Some(tool) = tools.get(name).or_else(|| tools.get(bare)) {
        return Some(tool);
    }
    if bare.is_empty() || bare.len() > 120 {
        return None;
    }
    let squashed = squash(bare);
    // Allow an affix that doesn't point to another tool: `read_file_2`, `read_file:0`,
    // `ReadFileTool`.
    let unmarked = squashed.trim_end_matches(|c: char| c.is_ascii_digit());
    let unmarked = unmarked
        .strip_suffix("tool")
        .or_else(|| unmarked.strip_prefix("tool"))
        .unwrap_or(unmarked);
    let is_safe = |tool: &Tool| tool.effect != Effect::Destroys;
    only(tools, |tool| tool.squashed == squashed)
        .or_else(|| only(tools, |tool| is_safe(tool) && tool.squashed == unmarked))
}

fn only(tools: &Tools, is_it: impl Fn(&Tool) -> bool) -> Option<&Tool> {
    let mut found = tools.all.iter().filter(|tool| is_it(tool));
    match (found.next(), found.next()) {
        (Some(tool), None) => Some(tool),
        _ => None,
    }
}

/// A name without quotes, namespaces and trailing text.
pub(super) fn bare(name: &str) -> &str {
    let name = name.trim_matches(|c: char| c.is_whitespace() || "\"'`*<>/[]{}()“”‘’,;".contains(c));
    let end = name
        .find(|c: char| c.is_whitespace() && !c.is_ascii_whitespace() || "({[<|\n\"".contains(c))
        .unwrap_or(name.len());
    let mut name = name[..end].trim_end();
    // Drop a call number, as in `functions.read_file:0`.
    if let Some((before, after)) = name.rsplit_once([':', '#'])
        && !after.is_empty()
        && after.bytes().all(|b| b.is_ascii_digit())
    {
        name = before;
    }
    for separator in ["__", "::", "/", ".", ":"] {
        let Some((space, last)) = name.rsplit_once(separator) else {
            continue;
        };
        let root = space.split(['.', ':', '/']).next().unwrap_or_default();
        let root = root.split("__").next().unwrap_or_default();
        let is_space = SPACES.iter().any(|known| known.eq_ignore_ascii_case(root));
        // Drop a method as in Python, such as `read_file.call`.
        if matches!(last, "call" | "run" | "invoke") {
            name = space;
        } else if is_space {
            name = last;
        }
    }
    name.trim()
}

/// A name reduced to its letters and digits, in lowercase.
pub(super) fn squash(name: &str) -> String {
    name.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// Up to three tools that a wrong name may refer to, most similar first; never a destructive one.
pub(super) fn suggestions<'a>(name: &str, tools: &'a Tools) -> Vec<&'a str> {
    let short: String = bare(name).chars().take(60).collect();
    let wanted = squash(&short);
    let words: Vec<String> = words(&short);
    let likeness = |tool: &Tool| strsim::jaro_winkler(&tool.squashed, &wanted);
    let (dangers, others): (Vec<&Tool>, Vec<&Tool>) = tools
        .all
        .iter()
        .partition(|tool| tool.effect == Effect::Destroys);
    let is_shared =
        |word: &String| word.len() > 2 && word != "file" && word != "files" && words.contains(word);
    let near = others.into_iter().map(|tool| {
        let least = match self::words(&tool.name).iter().any(is_shared) {
            true => 0.8,
            false => 0.0,
        };
        (likeness(tool).max(least), tool.name.as_str())
    });
    let mut near: Vec<(f64, &str)> = near.filter(|(likeness, _)| *likeness >= NEAR).collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    // If a destructive tool is more similar than any other, suggest nothing.
    let best = near.first().map_or(NEAR, |(likeness, _)| *likeness);
    if dangers.into_iter().any(|tool| likeness(tool) > best) {
        return Vec::new();
    }
    near.into_iter().take(3).map(|(_, name)| name).collect()
}

/// The words of a compound name, in lowercase.
fn words(name: &str) -> Vec<String> {
    let spaced = name.chars().map(|c| match c {
        c if c.is_uppercase() => format!(" {c}"),
        c if c.is_alphanumeric() => c.to_string(),
        _ => " ".to_owned(),
    });
    let spaced: String = spaced.collect();
    spaced.split_whitespace().map(str::to_lowercase).collect()
}

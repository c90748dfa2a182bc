//! Finds the lines that a change removed and added, each with its heads, and the names in the title
//! to look for in those lines.

use gate::destructive::Written;
use similar::{Algorithm, ChangeTag, TextDiff};

use super::{heads, quoted};

/// Maximum length of a name, in bytes.
const MAX_NAME: usize = 60;
/// Maximum number of lines in a file; longer files aren't judged.
pub(super) const MAX_LINES: usize = 4_000;

/// The quoted names in a step's title, except file names. The changed text should contain them.
pub(super) fn names<'t>(title: &'t str, files: &[Written]) -> Vec<&'t str> {
    let sections = title
        .split('[')
        .skip(1)
        .filter_map(|rest| Some(rest.split_once(']')?.0));
    let sections = sections.filter(|name| !name.is_empty() && !title.contains('`'));
    let names = quoted(title).into_iter().chain(sections).map(|value| {
        // `greet(name)` is the function `greet`.
        value.split_once('(').map_or(value, |(name, _)| name)
    });
    let is_file = |value: &str| {
        let (stem, ending) = value.rsplit_once('.').unwrap_or((value, ""));
        let is_changed = |(path, ..): &Written| path.rsplit('/').next() == Some(value);
        value.contains('/')
            || files.iter().any(is_changed)
            || !stem.is_empty()
                && (1..6).contains(&ending.len())
                && ending.chars().any(char::is_alphabetic)
    };
    names
        .filter(|value| {
            let is_short = !value.contains('\n') && value.len() <= MAX_NAME;
            is_short && value.contains(char::is_alphanumeric) && !is_file(value)
        })
        .collect()
}

pub(super) fn is_long(file: &Written) -> bool {
    [&file.1, &file.2]
        .iter()
        .any(|text| text.lines().count() > MAX_LINES)
}

/// Minimum similarity of two lines for one to be a variant of the other.
const MIN_SIMILARITY: f64 = 0.5;
/// Maximum number of removed or added lines. With more, the file counts as rewritten and isn't
/// judged.
const MAX_CHANGED: usize = 400;
/// Maximum number of removed lines to examine, and of added lines to compare each of them with.
pub(super) const MAX_REMOVED: usize = 60;
pub(super) const MAX_ADDED: usize = 240;
/// How many bytes of a line are compared.
const MAX_LINE: usize = 160;

/// Whether one line is a variant of the other.
pub(super) fn is_similar(one: &str, other: &str) -> bool {
    let begin = |line: &'_ str| line.trim()[..line.trim().floor_char_boundary(MAX_LINE)].to_owned();
    strsim::normalized_levenshtein(&begin(one), &begin(other)) >= MIN_SIMILARITY
}

/// A removed or added line with its heads.
pub(super) struct ChangedLine<'t> {
    pub(super) line: &'t str,
    pub(super) heads: Vec<&'t str>,
}

/// The removed and the added lines; `None` if there are too many.
pub(super) fn changed_lines<'t>(
    before: &'t str,
    after: &'t str,
) -> Option<(Vec<ChangedLine<'t>>, Vec<ChangedLine<'t>>)> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let diff = TextDiff::configure()
        .algorithm(Algorithm::Patience)
        .diff_lines(before, after);
    let (mut gone, mut came) = (Vec::new(), Vec::new());
    for change in diff.iter_all_changes() {
        let (lines, at, into) = match change.tag() {
            ChangeTag::Equal => continue,
            ChangeTag::Delete => (&old, change.old_index(), &mut gone),
            ChangeTag::Insert => (&new, change.new_index(), &mut came),
        };
        if into.len() == MAX_CHANGED {
            return None;
        }
        if let Some((at, line)) = at.and_then(|at| Some((at, *lines.get(at)?))) {
            let heads = heads(lines, at).split_off(1);
            into.push(ChangedLine { line, heads });
        }
    }
    Some((gone, came))
}

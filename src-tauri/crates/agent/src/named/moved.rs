//! What a change did: the lines that went and came, each with what heads it, and the names of a title that are to be
//! found in them.

use gate::destructive::Written;
use similar::{Algorithm, ChangeTag, TextDiff};

use super::{heads, quoted};

/// Bytes of a name.
const MAX_NAME: usize = 60;
/// Lines of a text beyond which nothing is said about it.
pub(super) const MAX_LINES: usize = 4_000;

/// The names in a step's title that are to be found in what it changes: quoted, and no file.
pub(super) fn names<'t>(title: &'t str, files: &[Written]) -> Vec<&'t str> {
    let sections = title
        .split('[')
        .skip(1)
        .filter_map(|rest| Some(rest.split_once(']')?.0));
    let sections = sections.filter(|name| !name.is_empty() && !title.contains('`'));
    let names = quoted(title).into_iter().chain(sections).map(|value| {
        // `greet(name)` names a function.
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

/// From here on one line is another form of the other.
const ALIKE: f64 = 0.5;
/// Lines that moved, beyond which a file was written anew and nothing is said about it.
const MAX_MOVED: usize = 400;
/// Lines that went which are looked at, and lines that came that each is compared with.
pub(super) const MAX_GONE: usize = 60;
pub(super) const MAX_CAME: usize = 240;
/// Bytes of a line that are compared.
const MAX_LINE: usize = 160;

/// Whether one line is another form of the other.
pub(super) fn is_alike(one: &str, other: &str) -> bool {
    let begin = |line: &'_ str| line.trim()[..line.trim().floor_char_boundary(MAX_LINE)].to_owned();
    strsim::normalized_levenshtein(&begin(one), &begin(other)) >= ALIKE
}

/// A line that went or came, with what heads it.
pub(super) struct Moved<'t> {
    pub(super) line: &'t str,
    pub(super) heads: Vec<&'t str>,
}

/// The lines that went, and those that came; `None` where they are too many.
pub(super) fn moved<'t>(
    before: &'t str,
    after: &'t str,
) -> Option<(Vec<Moved<'t>>, Vec<Moved<'t>>)> {
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
        if into.len() == MAX_MOVED {
            return None;
        }
        if let Some((at, line)) = at.and_then(|at| Some((at, *lines.get(at)?))) {
            let heads = heads(lines, at).split_off(1);
            into.push(Moved { line, heads });
        }
    }
    Some((gone, came))
}

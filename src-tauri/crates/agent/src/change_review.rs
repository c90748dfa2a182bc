//! Judges whether a change matches its step's title.
//!
//! Looks for the names in the title and for the text they refer to: lines that contain a name, and
//! lines in a block or section that it heads. Works without a parser: indentation marks blocks;
//! `[name]` and `# name` mark sections. Reads no files.
//!
//! Submodules: `doubt` combines all kinds of doubt, each of which has a module: `literal` (the
//! change isn't what the title literally asks for), `syntax`, `wrong_place` (the wrong one of two
//! places), `narrowed_condition`, `placement`, `unused_parameter` and `weakened_test`. `line_diff`
//! computes the changed lines.

mod doubt;
mod line_diff;
mod literal;
mod narrowed_condition;
mod placement;
mod syntax;
mod unused_parameter;
mod weakened_test;
mod wrong_place;

pub use doubt::review;

const MARKS: [(char, char); 7] = [
    ('`', '`'),
    ('"', '"'),
    ('“', '”'),
    ('„', '“'),
    ('«', '»'),
    ('‘', '’'),
    ('\'', '\''),
];

/// The quoted parts of a text, in order.
pub fn quoted(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut before = ' ';
    while let Some(open) = rest.chars().next() {
        let after = &rest[open.len_utf8()..];
        let close = MARKS.iter().find(|(mark, _)| *mark == open);
        // An apostrophe within a word is not a quotation mark.
        let close = close.filter(|_| !before.is_alphanumeric());
        let end = close.and_then(|(_, close)| Some((after.find(*close)?, close.len_utf8())));
        match end {
            Some((end, length)) => {
                found.push(after[..end].trim());
                rest = &after[end + length..];
                before = open;
            }
            None => {
                rest = after;
                before = open;
            }
        }
    }
    found.retain(|value| !value.is_empty());
    found
}

/// The byte positions of a value in a text. At an end where the value has a letter, it must match
/// at a word boundary.
pub fn places(text: &str, value: &str) -> Vec<usize> {
    let is_inside = |c: char| c.is_alphanumeric() || c == '_';
    let begins = value.chars().next().is_some_and(is_inside);
    let ends = value.chars().next_back().is_some_and(is_inside);
    let found = text.match_indices(value).filter(|(at, _)| {
        let before = text[..*at].chars().next_back().is_some_and(is_inside);
        let after = text[at + value.len()..].chars().next();
        !(begins && before || ends && after.is_some_and(is_inside))
    });
    found.map(|(at, _)| at).collect()
}

/// The lines that give a line its context: the line itself, the first line of each enclosing block,
/// and its section heading.
pub fn heads<'t>(lines: &[&'t str], at: usize) -> Vec<&'t str> {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let Some(line) = lines.get(at) else {
        return Vec::new();
    };
    let mut found = vec![*line];
    let mut least = depth(line);
    let mut has_section = false;
    for above in lines[..at]
        .iter()
        .rev()
        .filter(|line| !line.trim().is_empty())
    {
        let bare = above.trim();
        let is_section = bare.starts_with('[') && bare.ends_with(']') || bare.starts_with('#');
        if depth(above) < least {
            least = depth(above);
            found.push(above);
        } else if is_section && !has_section && depth(above) <= least {
            found.push(above);
        }
        has_section |= is_section && depth(above) == 0;
        if least == 0 && has_section {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRICES: &str = "def net(p):\n    total = p\n    return total\n\n\ndef gross(p):\n    total = p\n    return total\n";
    const INI: &str = "[dev]\ntimeout = 10\n\n[prod]\ntimeout = 30\n";

    #[test]
    fn a_word_is_found_as_a_word() {
        assert_eq!(places("a ab a_b a", "a"), [0, 9]);
        assert_eq!(places("http://x http://y", "http://"), [0, 9]);
    }

    #[test]
    fn what_heads_a_line_is_found_by_indentation_and_section() {
        let lines: Vec<&str> = PRICES.lines().collect();
        assert_eq!(heads(&lines, 6), ["    total = p", "def gross(p):"]);
        let lines: Vec<&str> = INI.lines().collect();
        assert_eq!(heads(&lines, 4), ["timeout = 30", "[prod]"]);
    }
}

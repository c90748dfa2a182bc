//! Extracts the part of a step's title that is about one of its files. "Create `a` with `x` and `b`
//! with `y`" is two requests; a model that edits `b` sees only the second.
//!
//! Titles are split at the names in them, not by grammar. A title can be split if it names each
//! file once, has conjunctions between the names, and has a separate value in each part. Otherwise,
//! the whole title applies to every file.

use super::values;
use crate::change_review::places;

/// Conjunctions between two tasks, including the spaces around them. Punctuation comes last, so
/// that ", and" is found as one conjunction.
const JOINS: [&str; 17] = [
    ", and ",
    ", then ",
    "; then ",
    " and then ",
    " and ",
    " then ",
    " und ",
    " dann ",
    " et ",
    " puis ",
    " y ",
    " luego ",
    " e ",
    " poi ",
    " plus ",
    "; ",
    ", ",
];

/// The part of a title that is about `path`, one of `paths`; `None` if there is no separate part.
pub(super) fn of(title: &str, path: &str, paths: &[&str]) -> Option<String> {
    if paths.len() < 2 {
        return None;
    }
    let mut mentions: Vec<(usize, usize, &str)> = Vec::new();
    for path in paths {
        mentions.push(mention(title, path)?);
    }
    mentions.sort_unstable();
    let is_apart = mentions.windows(2).all(|pair| pair[0].1 <= pair[1].0);
    if !is_apart {
        return None;
    }
    let mut parts: Vec<(usize, usize)> = Vec::new();
    let mut begin = 0;
    for pair in mentions.windows(2) {
        let between = &title[pair[0].1..pair[1].0];
        let (at, join) = last_join(between)?;
        parts.push((begin, pair[0].1 + at));
        begin = pair[0].1 + at + join.len();
    }
    parts.push((begin, title.len()));
    let texts = parts.iter().map(|(from, to)| title[*from..*to].trim());
    let texts: Vec<&str> = texts.collect();
    let has_own = |(text, (_, _, path)): (&&str, &(usize, usize, &str))| {
        !values::named(text, path).is_empty()
    };
    if !texts.iter().zip(&mentions).all(has_own) {
        return None;
    }
    let at = mentions.iter().position(|(_, _, named)| *named == path)?;
    // "… and `b` with `y`" has no verb, so it takes the verb of the first part.
    let (from, _) = *parts.get(at)?;
    let (mentioned, ..) = *mentions.get(at)?;
    let is_without_verb = !title[from..mentioned].contains(char::is_alphanumeric);
    let verb = title[..mentions.first()?.0].trim_end_matches(['`', '"', '\'', ' ']);
    let text = texts.get(at)?.trim_end_matches([',', ';']);
    Some(match is_without_verb && at > 0 && !verb.is_empty() {
        true => format!("{verb} {text}"),
        false => text.to_owned(),
    })
}

/// The position at which a title names a file, by path or otherwise by name, if it does so exactly
/// once.
fn mention<'p>(title: &str, path: &'p str) -> Option<(usize, usize, &'p str)> {
    let name = path.rsplit('/').next().unwrap_or(path);
    [path, name]
        .into_iter()
        .find_map(|word| match places(title, word)[..] {
            [at] => Some((at, at + word.len(), path)),
            _ => None,
        })
}

/// The last conjunction in a text and its position. If several conjunctions end at the same
/// position, the longest one is used.
fn last_join(text: &str) -> Option<(usize, &'static str)> {
    let found = JOINS
        .iter()
        .filter_map(|join| Some((text.rfind(join)?, *join)));
    found.max_by_key(|(at, join)| (at + join.len(), join.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_gets_the_words_about_it() {
        for (title, first, second) in [
            (
                "Create `a.txt` with `hello` and `b.txt` with `world`",
                "Create `a.txt` with `hello`",
                "Create `b.txt` with `world`",
            ),
            (
                "Set `port` to 80 in a.txt, then replace `x` with `y` in b.txt",
                "Set `port` to 80 in a.txt",
                "replace `x` with `y` in b.txt",
            ),
            (
                "Schreibe `eins` in a.txt und `zwei` in b.txt",
                "Schreibe `eins` in a.txt",
                "`zwei` in b.txt",
            ),
        ] {
            let paths = ["a.txt", "b.txt"];
            assert_eq!(
                of(title, "a.txt", &paths).as_deref(),
                Some(first),
                "{title}"
            );
            assert_eq!(
                of(title, "b.txt", &paths).as_deref(),
                Some(second),
                "{title}"
            );
        }
    }

    #[test]
    fn what_is_about_both_files_is_told_whole() {
        for title in [
            "Replace `x` with `y` in a.txt and b.txt",
            "In a.txt and b.txt, replace `x` with `y`",
            "Move `x` from a.txt to b.txt",
            "Write `x` and `y` into a.txt; a.txt and b.txt end with `z`",
            "Write the greeting",
        ] {
            assert_eq!(of(title, "a.txt", &["a.txt", "b.txt"]), None, "{title}");
            assert_eq!(of(title, "a.txt", &["a.txt"]), None, "{title}");
        }
    }
}

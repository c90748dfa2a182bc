//! Checks the position that a title asks for: the beginning or end of a file, or each of several
//! files.

use gate::destructive::{Doubt, Written};
use plan::word_list::WordList;

use super::quoted;

/// Reports text that should be at the beginning or end of a file but isn't.
pub(super) fn misplaced(files: &[Written], title: &str) -> Option<String> {
    const ENDS: [&str; 5] = [
        "at the end",
        "to the end",
        "am ende",
        "à la fin",
        "al final",
    ];
    const TOPS: [&str; 6] = [
        "at the top",
        "at the beginning",
        "at the start",
        "am anfang",
        "au début",
        "al principio",
    ];
    let low = title.to_lowercase();
    let is_whole = |words: &&str| {
        low.split_once(*words).is_some_and(|(_, rest)| {
            let of = rest.trim_start_matches([' ', '.']);
            let of = of.split_once(' ').map_or(of, |(first, rest)| match first {
                "of" | "von" | "de" | "du" => rest,
                _ => of,
            });
            let word = of.split_whitespace().next().unwrap_or_default();
            word.is_empty() || is_file(word.trim_matches(|c: char| !c.is_alphanumeric()))
        })
    };
    let [(path, before, after)] = files else {
        return None;
    };
    let text = quoted(title)
        .into_iter()
        .find(|text| after.contains(text) && !before.contains(text))?;
    let is_end = ENDS.iter().any(&is_whole);
    let mut lines = after.lines().filter(|line| !line.trim().is_empty());
    let line = match (is_end, TOPS.iter().any(is_whole)) {
        (true, _) => lines.next_back()?,
        (_, true) => lines.next()?,
        _ => return None,
    };
    let is_other = !line.contains(text) && before.lines().any(|other| other == line);
    is_other.then(|| format!("`{text}` is not where the step wants it in {path}"))
}

/// Whether a word of a title is a file name.
fn is_file(word: &str) -> bool {
    word.rsplit_once('.').is_some_and(|(stem, ending)| {
        let is_ending = (1..6).contains(&ending.len()) && ending.chars().all(char::is_alphanumeric);
        let is_named = stem.contains(char::is_alphabetic) && ending.contains(char::is_alphabetic);
        is_ending && is_named && !word.contains('(')
    })
}

/// Reports an unchanged file if the title joins its name with that of a changed file by "and".
pub(super) fn missed_place(files: &[Written], title: &str) -> Option<Doubt> {
    const AND: WordList = WordList("and & und e et y i и plus");
    const WHERE: WordList = WordList("in into to dans en a в");
    const MOVES: [&str; 8] = [
        "mov",
        "verschieb",
        "déplac",
        "muev",
        "spost",
        "перенес",
        "移动",
        "split",
    ];
    if files.is_empty() {
        return None;
    }
    let first = title.trim_start().to_lowercase();
    let is_move = MOVES.iter().any(|word| first.starts_with(word));
    let is_changed = |word: &str| {
        files
            .iter()
            .any(|(path, ..)| path == word || path.ends_with(&format!("/{word}")))
    };
    let mut last: Option<&str> = None;
    let mut is_and = is_move;
    for word in title.split_whitespace() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '&');
        let low = bare.to_lowercase();
        if is_file(bare) {
            let other = last.filter(|other| is_and && is_changed(other) != is_changed(bare));
            if let Some(other) = other {
                let missed = if is_changed(bare) { other } else { bare };
                return Some(Doubt {
                    why: format!("the step also names {missed}, but it was not changed"),
                    is_certain: false,
                });
            }
            (last, is_and) = (Some(bare), is_move || word.ends_with(','));
        } else if AND.contains(low.as_str()) {
            is_and = true;
        } else if !WHERE.contains(low.as_str()) {
            (last, is_and) = (None, is_move);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_files_both_are_changed() {
        let files = [("a.py".to_owned(), "x\n".to_owned(), "y\n".to_owned())];
        for (title, is_doubted) in [
            ("Rename `x` to `y` in a.py and b.py", true),
            ("Add the line `y` to a.py and to b.py", true),
            ("Move the function `y` from b.py to a.py", true),
            ("Rename `x` to `y` in `a.py` and `lib/b.py`", true),
            ("Use the helper of b.py in a.py", false),
            ("Rename `x` to `y` in a.py", false),
            ("Test b.py, and write the result into a.py", false),
            ("Convert b.py to a.py", false),
        ] {
            assert_eq!(missed_place(&files, title).is_some(), is_doubted, "{title}");
        }
    }

    #[test]
    fn what_was_to_be_at_the_end_is_there() {
        let why = |title: &str, after: &str| {
            let file = ("log.txt".to_owned(), "a\nb\n".to_owned(), after.to_owned());
            misplaced(&[file], title).is_some()
        };
        assert!(why(
            "Append the line `d` at the end of log.txt",
            "d\na\nb\n"
        ));
        assert!(why(
            "Insert the line `d` at the top of log.txt",
            "a\nb\nd\n"
        ));
        assert!(!why(
            "Append the line `d` at the end of log.txt",
            "a\nb\nd\n"
        ));
        assert!(!why(
            "Insert the line `d` at the top of log.txt",
            "d\na\nb\n"
        ));
        assert!(!why(
            "Add `d` at the end of the list in log.txt",
            "a\nd\nb\n"
        ));
        assert!(!why("Add `d` below `a`", "a\nd\nb\n"));
    }
}

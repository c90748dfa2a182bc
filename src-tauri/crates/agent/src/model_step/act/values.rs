//! What the words of a step hold that may stand in a file: what they quote, or else their words.

use plan::Task;

use crate::context::words::says_nothing;

/// Values that are offered, at most.
const MAX_VALUES: usize = 24;
/// Bytes of one of them.
const MAX_BYTES: usize = 160;
/// Words of an ending that is one value.
const MAX_WORDS: usize = 8;

/// Marks of quotation: what opens, and what closes.
const MARKS: [(char, char); 7] = [
    ('`', '`'),
    ('"', '"'),
    ('“', '”'),
    ('„', '“'),
    ('«', '»'),
    ('‘', '’'),
    ('\'', '\''),
];

/// The values in a step's title, its file's own name left out: what stands between marks of quotation;
/// where nothing does, each word and each ending.
pub(super) fn of(task: &Task, path: &str) -> Vec<String> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let title = task.title.as_str();
    let quoted = quoted(title);
    let is_own = |value: &str| value == path || value == name;
    let mut values: Vec<String> = Vec::new();
    let mut take = |value: &str| {
        let is_new = !values.iter().any(|known| known == value);
        let is_fit = !value.is_empty() && value.len() <= MAX_BYTES && !is_own(value);
        if is_new && is_fit && values.len() < MAX_VALUES {
            values.push(value.to_owned());
        }
    };
    quoted.iter().for_each(|value| take(value));
    if !values.is_empty() {
        return values;
    }
    let words: Vec<&str> = title.split_whitespace().collect();
    let mut take = |value: &str| {
        let value = value.trim_end_matches(['.', ',', ';', ':', '!', '?']);
        let is_new = !values.iter().any(|known| known == value);
        let is_fit = !value.is_empty() && value.len() <= MAX_BYTES && !is_own(value);
        if is_new && is_fit && values.len() < MAX_VALUES {
            values.push(value.to_owned());
        }
    };
    for word in &words {
        if !says_nothing(&word.to_lowercase()) {
            take(word);
        }
    }
    let longest = words.len().min(MAX_WORDS + 1);
    for length in 2..longest {
        take(&words[words.len() - length..].join(" "));
    }
    values
}

/// What stands between marks of quotation, in order.
fn quoted(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut before = ' ';
    while let Some(open) = rest.chars().next() {
        let after = &rest[open.len_utf8()..];
        let close = MARKS.iter().find(|(mark, _)| *mark == open);
        // An apostrophe within a word opens nothing.
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

/// How often a value stands in a text, as a word of its own where it is one, with the places.
pub(super) fn places(text: &str, value: &str) -> Vec<usize> {
    let is_inside = |c: char| c.is_alphanumeric() || c == '_';
    let begins = value.chars().next().is_some_and(is_inside);
    let ends = value.chars().next_back().is_some_and(is_inside);
    let found = text.match_indices(value).filter(|(at, _)| {
        let before = text[..*at].chars().next_back().is_some_and(is_inside);
        let after = text[at + value.len()..].chars().next();
        !(begins && before) && !(ends && after.is_some_and(is_inside))
    });
    found.map(|(at, _)| at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted_is_found_whatever_the_marks() {
        let of = |title: &str| {
            let text = format!("# P\n\n- [ ] {title}\n");
            let (plan, _) = plan::parse(&text);
            super::of(&plan.tasks[0], "notes.txt")
        };
        for (title, values) in [
            ("Create `notes.txt` with `a b`", vec!["a b"]),
            ("Write “Ada” into 'notes.txt'", vec!["Ada"]),
            ("Don't quote the user's 'x y' twice", vec!["x y"]),
            ("Ersetze „alt“ durch «neu»", vec!["alt", "neu"]),
        ] {
            assert_eq!(of(title), values, "{title}");
        }
        let free = of("Rename calc to compute in notes.txt.");
        assert!(free.contains(&"calc".to_owned()) && free.contains(&"compute".to_owned()));
        assert!(!free.contains(&"notes.txt".to_owned()));
    }

    #[test]
    fn a_word_is_found_as_a_word() {
        assert_eq!(places("a ab a_b a", "a"), [0, 9]);
        assert_eq!(places("http://x http://y", "http://"), [0, 9]);
    }
}

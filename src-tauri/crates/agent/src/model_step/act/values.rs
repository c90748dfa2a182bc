//! The values in a step's text: quoted strings; if there are none, code; otherwise, the words.

use crate::change_review::quoted;
use crate::context::keywords::is_stop_word;

const MAX_VALUES: usize = 24;
const MAX_BYTES: usize = 160;
/// Maximum number of changed lines that are offered.
const MAX_SETTINGS: usize = 12;
/// Maximum number of words in a trailing phrase that is used as one value.
const MAX_WORDS: usize = 8;

/// The values in a step's title, except the name of the file itself: all numbers, and quoted
/// strings or, if there are none, code. If there is neither a quoted string nor code, each word and
/// each trailing phrase.
pub(super) fn of(title: &str, path: &str) -> Vec<String> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let mut values: Vec<String> = Vec::new();
    let mut take = |value: &str| {
        let is_new = !values.iter().any(|known| known == value);
        let is_own = value == path || value == name;
        let is_fit = !value.is_empty() && value.len() <= MAX_BYTES && !is_own;
        let is_taken = is_new && is_fit && values.len() < MAX_VALUES;
        if is_taken {
            values.push(value.to_owned());
        }
        is_taken
    };
    let quoted = quoted(title);
    let mut has_quoted = quoted.iter().filter(|value| take(value)).count() > 0;
    let words: Vec<&str> = title.split_whitespace().map(bare).collect();
    if !has_quoted {
        has_quoted = words
            .iter()
            .filter(|word| is_code(word) && take(word))
            .count()
            > 0;
    }
    for word in &words {
        let is_telling = !has_quoted && !is_stop_word(&word.to_lowercase());
        if is_telling || kind_of(word) == Some(Kind::Number) {
            take(word);
        }
    }
    let longest = words.len().min(MAX_WORDS + 1);
    for length in 2..longest {
        let ending = title.split_whitespace().rev().take(length);
        let ending: Vec<&str> = ending.collect();
        let ending: Vec<&str> = ending.into_iter().rev().collect();
        if !has_quoted {
            take(bare(&ending.join(" ")));
        }
    }
    values
}

/// The values that are certainly meant as values, because they are quoted, code or numbers.
pub(super) fn named(title: &str, path: &str) -> Vec<String> {
    let is_named = |value: &String| {
        is_code(value) || kind_of(value).is_some() || quoted(title).contains(&value.as_str())
    };
    let mut values = of(title, path);
    values.retain(is_named);
    values
}

/// Whether a word is written like code rather than prose: `a==1`, `snake_case`, `camelCase`,
/// `call()`, `a/b`.
fn is_code(word: &str) -> bool {
    let has_mark = word.contains(|c: char| "=_/()[]{}<>@#$*+:".contains(c));
    let mut letters = word.chars().skip(1);
    let has_capital = word.starts_with(char::is_lowercase) && letters.any(char::is_uppercase);
    word.len() > 1 && word.contains(char::is_alphanumeric) && (has_mark || has_capital)
}

fn bare(word: &str) -> &str {
    word.trim_end_matches(['.', ',', ';', ':', '!', '?'])
}

/// The kind of a value in settings and programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    Truth,
    Text,
}

fn kind_of(word: &str) -> Option<Kind> {
    let is_number = word.starts_with(|c: char| c.is_ascii_digit() || c == '-')
        && word.ends_with(|c: char| c.is_ascii_digit())
        && word
            .chars()
            .all(|c| c.is_ascii_digit() || ".-_".contains(c));
    let is_quoted = word.len() >= 2
        && ["\"", "'"]
            .iter()
            .any(|mark| word.starts_with(mark) && word.ends_with(mark));
    match word.to_ascii_lowercase().as_str() {
        "true" | "false" | "on" | "off" | "yes" | "no" => Some(Kind::Truth),
        _ if is_number => Some(Kind::Number),
        _ if is_quoted => Some(Kind::Text),
        _ => None,
    }
}

/// Lines in which a name from the step's text occurs with a value, each with the value replaced by
/// another one from the text: `(line, changed line)`.
pub(super) fn settings(text: &str, values: &[String]) -> Vec<(String, String)> {
    let is_in = |line: &str, value: &str| line.to_lowercase().contains(&value.to_lowercase());
    let (names, news): (Vec<&String>, Vec<&String>) =
        values.iter().partition(|value| is_in(text, value));
    let mut found = Vec::new();
    let lines = text.lines().filter(|line| text.matches(*line).count() == 1);
    for line in lines.filter(|line| names.iter().any(|name| is_in(line, name))) {
        for (at, old) in literals(line) {
            for new in &news {
                let kind = kind_of(old);
                let new = match (kind, kind_of(new)) {
                    (Some(Kind::Text), None) => format!("{0}{new}{0}", &old[..1]),
                    (kind, new_kind) if kind == new_kind => (*new).clone(),
                    _ => continue,
                };
                let changed = format!("{}{new}{}", &line[..at], &line[at + old.len()..]);
                if found.len() < MAX_SETTINGS {
                    found.push((line.to_owned(), changed));
                }
            }
        }
    }
    found
}

/// The values in a line, with their positions.
fn literals(line: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = line[at..].chars().next() {
        let rest = &line[at..];
        let length = match first {
            '"' | '\'' => rest[1..].find(first).map_or(rest.len(), |end| end + 2),
            c if c.is_alphanumeric() || c == '-' || c == '_' => rest
                .find(|c: char| !(c.is_alphanumeric() || "._-".contains(c)))
                .unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        let word = &rest[..length];
        if kind_of(word).is_some() {
            found.push((at, word));
        }
        at += length;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted_is_found_whatever_the_marks() {
        let of = |title: &str| super::of(title, "notes.txt");
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
    fn a_value_beside_a_name_of_the_step_can_be_another() {
        let values = |all: &[&str]| {
            all.iter()
                .map(|value| (*value).to_owned())
                .collect::<Vec<_>>()
        };
        for (text, said, changed) in [
            (
                "a = 1\ntimeout = 5\n",
                &["timeout", "30"][..],
                "timeout = 30",
            ),
            (
                "HOST = \"x\"\nPORT = 8000\n",
                &["port", "9000"],
                "PORT = 9000",
            ),
            (
                "{\n  \"debug\": true\n}\n",
                &["\"debug\"", "false"],
                "  \"debug\": false",
            ),
            ("name: 'old'\n", &["name", "new"], "name: 'new'"),
        ] {
            let found = settings(text, &values(said));
            assert_eq!(found.len(), 1, "{found:?}");
            assert_eq!(found[0].1, changed);
        }
        assert_eq!(settings("a = 1\n", &values(&["b", "2"])), []);
    }
}

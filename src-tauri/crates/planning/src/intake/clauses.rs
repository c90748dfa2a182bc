//! Numbers the requirements of a goal.

use adequacy::goal::says_tests_pass;
pub(super) use adequacy::goal::{Goal, first_word, is_imperative, is_plain_wish, read};

use super::{Aim, Requirement};
use crate::among;

/// The requirements of a goal; if there are none, the goal itself is the only one.
pub(super) fn requirements(goal: &str, read: &Goal) -> Vec<Requirement> {
    let asked = read.requirements.iter().map(|part| part.text.as_str());
    let whole = read.requirements.is_empty().then_some(goal);
    asked
        .chain(whole)
        .enumerate()
        .map(|(index, text)| Requirement {
            id: format!("R{}", index + 1),
            text: capitalised(text),
            aim: aim(text),
        })
        .collect()
}

/// A text with its first letter capitalized, unless it begins with an identifier.
pub(super) fn capitalised(text: &str) -> String {
    let word = text.split_whitespace().next().unwrap_or_default();
    let is_code = |c: char| !c.is_alphabetic() && !",;:.!?'’-".contains(c);
    if word.contains(is_code)
        || word.trim_end_matches('.').contains('.')
        || word.chars().skip(1).any(char::is_uppercase)
    {
        return text.to_owned();
    }
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

fn aim(text: &str) -> Aim {
    let plain = text.to_lowercase();
    let words: Vec<&str> = plain
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let first = words.first().copied().unwrap_or_default();
    let about_tests = words
        .iter()
        .take(5)
        .any(|word| matches!(*word, "test" | "tests" | "coverage"));
    let about_docs = words.iter().any(|word| {
        among(
            word,
            "docs documentation readme changelog docstring docstrings",
        )
    });
    match first {
        "test" | "verify" | "check" | "validate" | "cover" => Aim::Test,
        "add" | "write" | "run" | "extend" | "make" | "ensure" | "include" if about_tests => {
            Aim::Test
        }
        "the" | "all" if says_tests_pass(text) => Aim::Test,
        "document" => Aim::Docs,
        "add" | "write" | "update" | "mention" | "describe" | "note" if about_docs => Aim::Docs,
        _ => Aim::Change,
    }
}

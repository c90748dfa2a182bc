//! Matches phrases at the start of a goal and extracts their parameters.

use std::collections::BTreeMap;

use regex::Regex;

/// A phrase with parameters, such as `release {{version}}`.
#[derive(Debug, Clone)]
pub(super) struct Phrase {
    text: String,
    pattern: Regex,
    words: usize,
}

impl Phrase {
    /// Parses a phrase. It must begin with a word, so that it cannot match every goal, and the only
    /// names that it may contain are parameters, each of them once.
    pub(super) fn new(text: &str, params: &[String]) -> Option<Self> {
        let mut pattern = String::from(r"(?i)^");
        let mut words = 0;
        let mut taken: Vec<&str> = Vec::new();
        for word in text.split_whitespace() {
            if pattern.len() > 5 {
                pattern.push_str(r"\s+");
            }
            match word
                .strip_prefix("{{")
                .and_then(|rest| rest.strip_suffix("}}"))
            {
                Some(name) => {
                    let usable = words > 0
                        && params.iter().any(|param| param == name)
                        && !taken.contains(&name);
                    if !usable {
                        return None;
                    }
                    taken.push(name);
                    pattern.push_str(form(name));
                }
                None => {
                    words += 1;
                    pattern.push_str(&regex::escape(word));
                }
            }
        }
        // The last parameter extends to the end of the clause.
        pattern.push_str(r"(?:[.!?;]?$|[.!?;,]\s|\s+and\s)");
        let pattern = Regex::new(&pattern).ok()?;
        (words > 0).then(|| Self {
            text: text.to_owned(),
            pattern,
            words,
        })
    }

    /// The names of the phrase's parameters.
    pub(super) fn params(&self) -> impl Iterator<Item = &str> {
        self.text.split_whitespace().filter_map(|word| {
            word.strip_prefix("{{")
                .and_then(|rest| rest.strip_suffix("}}"))
        })
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The number of literal words; the phrase with the most literal words wins.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// The parameters extracted from a goal; `None` if it doesn't start with this phrase.
    pub(super) fn take(&self, goal: &str) -> Option<BTreeMap<String, String>> {
        let captures = self.pattern.captures(crate::intake::imperative(goal))?;
        Some(
            self.params()
                .enumerate()
                .filter_map(|(index, name)| {
                    let value = captures.get(index + 1)?.as_str().trim();
                    let bare = value.trim_matches(['`', '"', '\'']);
                    Some((name.to_owned(), bare.to_owned()))
                })
                .collect(),
        )
    }
}

/// The pattern for a parameter, which depends on its name: `release {{version}}` must not match
/// "release notes for the press".
fn form(name: &str) -> &'static str {
    match name {
        "version" => r"[`']?(v?\d+(?:\.\d+)*(?:[-+.][0-9A-Za-z.]+)?)[`']?",
        "number" | "count" | "port" => r"(\d+)",
        "file" | "path" => r"[`']?([^\s`']*[./][^\s`',;]*[^\s`',;.!?])[`']?",
        _ => r"(.+?)",
    }
}

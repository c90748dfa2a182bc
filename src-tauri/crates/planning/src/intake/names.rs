//! Finds the names in a goal: identifiers, quoted texts, and plain words that may be names.

use std::sync::LazyLock;

use regex::Regex;

use super::paths::is_known_extension;
use crate::among;

/// Compiles a constant pattern; `None` matches nothing. Each pattern is covered by this crate's
/// tests.
pub(super) fn pattern(text: &str) -> Option<Regex> {
    Regex::new(text).ok()
}

static IDENTIFIER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?x)
        `([^`]+)`
        | (?:^|[\s(,]) (--?[A-Za-z][\w-]*)
        | \b ([A-Za-z_$][\w$]* (?:(?:::|\.)[A-Za-z_$][\w$]*)*) \(\)
        | \b ([A-Za-z_][\w]* (?:::[A-Za-z_]\w*)+)
        | \b ([A-Za-z_]\w* (?:\.[A-Za-z_]\w*)+)
        | \b ([A-Za-z][A-Za-z0-9]*_\w+ | _\w+)
        | \b ([a-z]+[a-z0-9]*[A-Z]\w*)
        | \b ([A-Z][a-z0-9]+[A-Z]\w*)
        ",
    )
});
static AFTER_NOUN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:function|method|class|struct|module|variable|constant|field|helper|component|trait|enum|interface|macro|endpoint|command|called|named)\s+(?:(?:called|named)\s+)?([A-Za-z_$][\w$]*)",
    )
});
static BEFORE_NOUN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?i)\bthe\s+([A-Za-z_]\w*)\s+(?:function|method|class|struct|command|subcommand|module|endpoint|component|helper)\b",
    )
});
static QUOTED: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern("\"([^\"]{2,80})\"|“([^”]{2,80})”|(?:^|\\s)'([^']{2,80})'"));
pub(super) fn group(captures: &regex::Captures<'_>, index: usize) -> String {
    captures
        .get(index)
        .map_or_else(String::new, |found| found.as_str().to_owned())
}

pub(super) fn last_part(name: &str) -> &str {
    if name.starts_with('-') {
        return name;
    }
    name.rsplit(['.', ':', '#', '>']).next().unwrap_or(name)
}

/// The identifiers in a goal, in its order.
pub(super) fn identifiers(goal: &str, named_paths: &[String]) -> Vec<String> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut owners: Vec<String> = Vec::new();
    if let Some(pattern) = IDENTIFIER.as_ref() {
        for captures in pattern.captures_iter(goal) {
            let Some(name) = (1..=8).find_map(|index| captures.get(index)) else {
                continue;
            };
            let text = name.as_str().trim().trim_end_matches("()");
            let one_word = !text.contains(char::is_whitespace)
                && !is_address(goal, name.start())
                && !text
                    .rsplit_once('.')
                    .is_some_and(|(_, end)| is_known_extension(end));
            if one_word && text.len() > 1 && !is_abbreviation(text) {
                found.push((name.start(), last_part(text).to_owned()));
                owners.extend(owner(text));
            }
        }
    }
    // "The command help" may be prose, so a word next to a noun only counts as a name if nothing
    // else looks like code.
    let nouns = [AFTER_NOUN.as_ref(), BEFORE_NOUN.as_ref()];
    for pattern in nouns
        .into_iter()
        .flatten()
        .filter(|_| found.is_empty())
        .collect::<Vec<_>>()
    {
        for captures in pattern.captures_iter(goal) {
            if let Some(name) = captures.get(1)
                && !is_plain_word(name.as_str())
            {
                found.push((name.start(), name.as_str().to_owned()));
            }
        }
    }
    found.sort();
    let mut names: Vec<String> = Vec::new();
    for name in found.into_iter().map(|(_, name)| name).chain(owners) {
        let in_path = named_paths
            .iter()
            .any(|path| path == &name || path.rsplit(['/', '.']).any(|part| part == name));
        if !name.is_empty() && !names.contains(&name) && !in_path {
            names.push(name);
        }
    }
    names
}

/// The type in a qualified name: `Shelf` in `Shelf.load`, `Shelf::load`, `Shelf.prototype.load`.
fn owner(name: &str) -> Option<String> {
    let mut parts: Vec<&str> = name.split(['.', ':', '#']).collect();
    parts.pop();
    let is_type = |part: &&&str| part.starts_with(|c: char| c.is_ascii_uppercase());
    parts
        .iter()
        .rev()
        .find(is_type)
        .map(|part| (*part).to_owned())
}

/// Whether a position is inside a URL or a path outside the workspace.
fn is_address(goal: &str, at: usize) -> bool {
    let start = goal[..at]
        .rfind(char::is_whitespace)
        .map_or(0, |blank| blank + 1);
    let end = goal[at..]
        .find(char::is_whitespace)
        .map_or(goal.len(), |blank| at + blank);
    let word = goal[start..end].trim_start_matches(['(', '`', '"', '\'']);
    word.contains("://") || word.contains("../") || word.starts_with('/') && word.len() > 1
}

fn is_abbreviation(text: &str) -> bool {
    among(
        text.to_lowercase().as_str(),
        "e.g i.e a.m p.m github gitlab javascript typescript node.js",
    )
}

/// The quoted texts in a goal.
pub(super) fn quoted(goal: &str) -> Vec<String> {
    let Some(pattern) = QUOTED.as_ref() else {
        return Vec::new();
    };
    let mut found: Vec<String> = Vec::new();
    for captures in pattern.captures_iter(goal) {
        if let Some(text) = (1..=3).find_map(|index| captures.get(index)) {
            let text = text.as_str().trim().to_owned();
            if !found.contains(&text) {
                found.push(text);
            }
        }
    }
    found
}

/// Whether a word gives no hint about which file is meant.
pub(super) fn is_plain_word(word: &str) -> bool {
    const PLAIN: &str = " about above after again all also and another any are arguments as at be because \
    been before being \
        below between both but by can code crash crashes \
    could date do does done each else empty every everywhere \
        everything \
    existing fails failing feature file files first for from full function functions \
    get given goal good \
        had has have how if in input into is it its just \
    last less like line lines make many may method methods more most \
        must \
    name need needs new no not now of off old on one only or other our out output \
    over own part path person \
        place please program project properly quick \
    quickly right run same script section shall should show simple so some \
        \
    still support such that the their them then there these they thing things this \
    those through time to too two under \
        up us use used user users using \
    value values very via want was way we were what when where which while who why \
    will \
        with without word words work working works wrong you your \
    everyone called named option options command commands \
        class module \
    folder directory documentation docs test tests testing bug bugs error errors \
    issue issues problem \
        fail unused obsolete deprecated dead stale missing broken slow \
        flag flags null none true false add fix it's instead also onto via per non yes let \
        own big bad new both more such same lot set get put \
        dependency version change changes update library \
    package";
    PLAIN.contains(&format!(" {} ", word.to_lowercase()))
}

/// The plain words of a goal that may occur in a file name or definition: at most six, in the
/// goal's order. A word that goals also use as a verb only counts after an article or a
/// preposition, as a noun.
pub(super) fn keywords(goal: &str, terms: &[String], paths: &[String]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut before = String::new();
    for word in goal.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '\'' | '’')) {
        // "user's" becomes "user"; "don't" is skipped, since it never occurs in a file name.
        let word = word.trim_matches(['\'', '’']);
        let (word, rest) = word.split_once(['\'', '’']).unwrap_or((word, ""));
        if rest == "t" {
            continue;
        }
        let plain = word.to_lowercase();
        let taken = terms.iter().any(|term| term.eq_ignore_ascii_case(word))
            || paths.iter().any(|path| {
                path.to_lowercase()
                    .split(['/', '.', '_', '-'])
                    .any(|part| part == plain)
            });
        let is_noun = among(
            &before,
            "the a an in of for by its our does do did is are when if why how make",
        );
        before.clone_from(&plain);
        let usable = plain.len() >= 3
            && !is_plain_word(&plain)
            && (is_noun || !super::clauses::is_imperative(&plain))
            && !plain.chars().next().is_some_and(char::is_numeric);
        if usable && !taken && !found.contains(&plain) {
            found.push(plain);
        }
    }
    found.truncate(6);
    found
}

/// Whether a word is clearly an identifier or a path: it has an underscore, digit, inner capital,
/// dot, slash, backticks, call parentheses or leading dashes.
pub(super) fn is_code_name(word: &str) -> bool {
    let word = word.trim_matches([',', ';', ':', '.', '!', '?', '"', '\'', '„', '“', '”']);
    let has_sign = word.contains(['_', '`', '/', '.', '\\', '#', '$', '*']) || word.contains("::");
    let is_call = word.ends_with("()");
    let is_option = word.len() > 1 && word.starts_with('-');
    let has_digit = word.contains(|c: char| c.is_ascii_digit());
    // An abbreviation such as `CLI` is an ordinary word.
    let is_mixed = word.contains(char::is_lowercase);
    let has_capital = is_mixed && word.chars().skip(1).any(char::is_uppercase);
    has_sign || is_call || is_option || has_digit || has_capital
}

/// Plain words that may be identifiers: informative words, any word in the position of a pair's old
/// name, and all words of a text that contains "name".
pub(super) fn possible_names(text: &str) -> Vec<String> {
    let words: Vec<&str> = text
        .split(|c: char| {
            !c.is_alphanumeric() && c != '_' && c != '>' && c != '-' && c != '=' && c != '→'
        })
        .filter(|word| !word.is_empty())
        .collect();
    let is_about_name = words.iter().any(|word| word.eq_ignore_ascii_case("name"));
    let mut names: Vec<String> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let is_old = words
            .get(at + 1)
            .is_some_and(|next| super::pairs::is_joint(next));
        let is_name = word.len() > 1 && (is_old || is_about_name || !is_plain_word(word));
        if is_name && !names.iter().any(|known| known == word) {
            names.push((*word).to_owned());
        }
    }
    names
}

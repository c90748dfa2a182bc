//! Names in a goal: identifiers, quoted texts, the names of a rename.

use std::sync::LazyLock;

use regex::Regex;

use super::paths::is_known_extension;
use crate::among;

/// The names of a rename.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rename {
    /// The name as it stands in the code: the last part of a dotted one.
    pub from: String,
    /// The name it gets.
    pub to: String,
    /// What the goal says is renamed, such as `function`; empty where it does not say.
    pub noun: String,
    /// The old name as the goal writes it.
    pub spelled: String,
}

/// A pattern written in this file; one that does not compile finds nothing, and the tests of this
/// crate use each.
pub(super) fn pattern(text: &str) -> Option<Regex> {
    Regex::new(text).ok()
}

const NOUNS: &str = "\
    function|func|fn|method|class|struct|enum|trait|interface|type|variable|constant|const|\
 \
       \
    field|attribute|property|parameter|argument|module|macro|symbol|identifier|helper|component|hook|test|\
 \
       property|column|key|option|setting|flag";
/// A name as code writes it, quotes or back-ticks around it allowed.
const NAME: &str = r#"[`"']?([A-Za-z_$][\w$]*(?:(?:::|\.|->|#)[A-Za-z_$][\w$]*)*)(?:\(\))?[`"']?"#;

static RENAME: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(&format!(
        r"(?i)^rename\s+(?:(?:all|every|each)\s+(?:occurrences?|uses?|instances?|mentions?)\s+of\s+)?(?:the\s+)?(?:(?:\w+\s+)?({NOUNS})\s+)?(?:called\s+|named\s+)?{NAME}(?:\s+({NOUNS}))?(?:\s+(?:everywhere|throughout|across)[\w\s]*?)?\s*(?:\bto\b|\binto\b|\bas\b|->|=>|→)\s*(?:be\s+called\s+)?{NAME}(?:\s+(.*))?$"
    ))
});
static NAME_OF: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(&format!(
        r"(?i)^change\s+the\s+name\s+of\s+(?:the\s+)?(?:({NOUNS})\s+)?{NAME}(?:\s+({NOUNS}))?\s+(?:from\s+\S+\s+)?to\s+{NAME}(?:\s+(.*))?$"
    ))
});
/// What stands between the pairs of a rename.
static JOINT: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern(r"(?i)\s*,\s*(?:and\s+|then\s+)*|\s+(?:and|&|then)\s+(?:then\s+)?"));
/// A pair behind a joint, the verb left out.
static PAIR: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(&format!(
        r"(?i)^(?:the\s+)?(?:(?:\w+\s+)?(?:{NOUNS})\s+)?{NAME}\s*(?:\bto\b|\binto\b|\bas\b|->|=>|→)\s*{NAME}(?:[\s,.;]|$)"
    ))
});
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

fn last_part(name: &str) -> &str {
    name.rsplit(['.', ':', '#', '>']).next().unwrap_or(name)
}

/// The names, pair by pair, when a clause asks to rename names in code.
pub(super) fn renames(clause: &str) -> Vec<Rename> {
    let (Some(joint), Some(pair)) = (JOINT.as_ref(), PAIR.as_ref()) else {
        return Vec::new();
    };
    let mut parts: Vec<String> = Vec::new();
    let mut from = 0;
    for found in joint.find_iter(clause) {
        if pair.is_match(&clause[found.end()..]) {
            parts.push(clause[from..found.start()].to_owned());
            from = found.end();
        }
    }
    parts.push(clause[from..].to_owned());
    for part in parts.iter_mut().skip(1) {
        part.insert_str(0, "rename ");
    }
    parts.iter().map_while(|part| rename(part)).collect()
}

/// The two names, when a clause asks to rename one name in code.
fn rename(clause: &str) -> Option<Rename> {
    let clause = clause.trim_end_matches(['?', '.', '!']);
    let captures = [&RENAME, &NAME_OF]
        .into_iter()
        .filter_map(|pattern| pattern.as_ref())
        .find_map(|pattern| pattern.captures(clause))?;
    let spelled = group(&captures, 2);
    let noun = [group(&captures, 1), group(&captures, 3)]
        .into_iter()
        .find(|noun| !noun.is_empty())
        .unwrap_or_default()
        .to_lowercase();
    let target = group(&captures, 4);
    // "Rename the start button to Begin the game": prose, not a name in code.
    let tail = group(&captures, 5).to_lowercase();
    let tail = tail.trim_start_matches([',', ' ']);
    let tail_goes_on = tail.is_empty()
        || [
            "everywhere",
            "throughout",
            "across",
            "in ",
            "in all",
            "for ",
            "so ",
            "(",
            "at ",
            "within",
            "project",
            "because",
            "to ",
            "with ",
            "wherever",
            "globally",
            "consistently",
        ]
        .iter()
        .any(|word| tail.starts_with(word));
    let from = last_part(&spelled).to_owned();
    let to = last_part(&target).to_owned();
    let is_file = [&spelled, &target].iter().any(|name| {
        name.rsplit_once('.')
            .is_some_and(|(_, end)| is_known_extension(end))
    });
    (tail_goes_on && !is_file && from != to && !from.is_empty() && !to.is_empty()).then_some(
        Rename {
            from,
            to,
            noun,
            spelled,
        },
    )
}

/// Names that code would use, in the order of the goal.
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
                let last = if text.starts_with('-') {
                    text
                } else {
                    last_part(text)
                };
                found.push((name.start(), last.to_owned()));
                owners.extend(owner(text));
            }
        }
    }
    // "The command help" may be prose: a word beside a noun counts where nothing looks like code.
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

/// The type that a dotted name belongs to: `Shelf` of `Shelf.load`, `Shelf::load`, `Shelf.prototype.load`.
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

/// Whether a place lies in a web address or a path out of the workspace.
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

/// Texts in quotes.
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

/// Words that say nothing about which file is meant.
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

/// Plain words that a file's name or a definition may bear: at most six, the goal's own order. A word
/// that is also a verb of goals counts only as a noun, after an article or a preposition.
pub(super) fn keywords(goal: &str, terms: &[String], paths: &[String]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut before = String::new();
    for word in goal.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '\'' | '’')) {
        // "user's" is "user"; "don't" is no word that a file bears.
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

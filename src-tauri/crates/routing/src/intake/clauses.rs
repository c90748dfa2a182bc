//! Splits a goal into what it asks for and what it forbids.
//!
//! It splits where a new sentence or a new imperative begins and nowhere else: "salt and pepper"
//! stays whole, "rename it and test it" does not. Quotes, back-ticks and brackets are never split.

use super::{Aim, Requirement};
use crate::among;

/// Verbs that open an imperative clause.
const IMPERATIVES: &str = "add adjust allow answer apply bring build bump call change check clean collect \
    compare compute configure confirm connect convert copy correct cover create \
    debug define delete deploy deprecate describe disable display document drop emit \
    enable ensure explain export expose extend extract find fix format generate give \
    group handle hide implement import improve include inline insert install \
    integrate introduce investigate let limit link list load locate log make merge \
    migrate modify move name note open optimise optimize parse pin port prepare \
    print produce propose provide publish put raise read record reduce refactor \
    reject release remove rename reorder repair replace report resolve restore \
    return review rewrite run save search send set show simplify skip solve sort \
    speed split start store summarise summarize support switch tell test throw trim \
    turn uninstall update upgrade use validate verify warn wrap write";

/// Openings of a clause that forbids, or asks to keep.
const LIMITS: &[&str] = &[
    "do not ",
    "don't ",
    "dont ",
    "never ",
    "without ",
    "must not ",
    "should not ",
    "no new ",
    "avoid ",
    "keep ",
    "leave ",
    "preserve ",
    "only touch ",
    "only change ",
    "make sure not ",
    "not ",
];

/// A goal in parts.
pub(super) struct Split {
    /// What is asked for, in order.
    pub(super) wishes: Vec<String>,
    /// What is forbidden or to be kept.
    pub(super) constraints: Vec<String>,
}

/// Whether a word opens an imperative.
pub(super) fn is_imperative(word: &str) -> bool {
    among(word, IMPERATIVES)
}

/// The first word of a text, in lower case, letters only.
pub(super) fn first_word(text: &str) -> String {
    text.trim_start()
        .chars()
        .take_while(|c| c.is_alphabetic() || *c == '\'')
        .flat_map(char::to_lowercase)
        .collect()
}

/// Splits a goal that stands on one line.
pub(super) fn split(goal: &str) -> Split {
    let mut wishes = Vec::new();
    let mut constraints = Vec::new();
    for clause in clauses(goal) {
        let clause = clause
            .trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';'))
            .trim_end_matches(['.', '!', ' ']);
        if clause.is_empty() {
            continue;
        }
        let plain = clause.to_lowercase();
        if LIMITS.iter().any(|limit| plain.starts_with(limit)) {
            constraints.push(clause.to_owned());
            continue;
        }
        let (wish, limit) = trailing_limit(clause);
        constraints.extend(limit.map(str::to_owned));
        if !wish.is_empty() {
            wishes.push(wish.to_owned());
        }
    }
    Split {
        wishes,
        constraints,
    }
}

/// The requirements of a split goal; a goal that only forbids is its own requirement.
pub(super) fn requirements(goal: &str, split: &Split) -> Vec<Requirement> {
    let whole = [goal.to_owned()];
    let texts = if split.wishes.is_empty() {
        &whole[..]
    } else {
        &split.wishes[..]
    };
    texts
        .iter()
        .enumerate()
        .map(|(index, text)| Requirement {
            id: format!("R{}", index + 1),
            text: capitalised(text),
            aim: aim(text),
        })
        .collect()
}

/// A text with its first letter in upper case.
pub(super) fn capitalised(text: &str) -> String {
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
        "document" => Aim::Docs,
        "add" | "write" | "update" | "mention" | "describe" | "note" if about_docs => Aim::Docs,
        _ => Aim::Change,
    }
}

/// Cuts " without …" or ", but do not …" off the end of a clause.
fn trailing_limit(clause: &str) -> (&str, Option<&str>) {
    let plain = clause.to_ascii_lowercase();
    let marks = [
        " without ",
        ", but do not ",
        " but do not ",
        ", but don't ",
        " but don't ",
        " but keep ",
        ", but keep ",
        " but never ",
        ", keeping ",
        " while keeping ",
        " but leave ",
        " and do not ",
        " and don't ",
        ", do not ",
        ", don't ",
    ];
    let cut = marks
        .iter()
        .filter_map(|mark| plain.find(mark).map(|at| (at, *mark)))
        .filter(|(at, _)| !is_inside_quotes(clause, *at))
        .min();
    match cut {
        // "a command without arguments" describes; "without new dependencies" forbids.
        Some((at, " without ")) if !forbids(&plain[at + 9..]) => (clause, None),
        Some((at, mark)) => {
            let lead = if matches!(mark, " without ") {
                1
            } else {
                let words = ["do not", "don't", "keep", "never", "leave", "without"];
                words
                    .iter()
                    .filter_map(|word| mark.find(word))
                    .min()
                    .unwrap_or(1)
            };
            (clause[..at].trim_end(), Some(clause[at + lead..].trim()))
        }
        None => (clause, None),
    }
}

/// Whether what follows "without" is a limit on the work.
fn forbids(rest: &str) -> bool {
    let first = first_word(rest);
    first.ends_with("ing")
        || among(first.as_str(), "new any a changes additional extra further")
            && [
                "dependenc",
                "librar",
                "package",
                "chang",
                "break",
                "crate",
                "downtime",
                "regression",
            ]
            .iter()
            .any(|word| rest.contains(word))
}

fn is_inside_quotes(text: &str, at: usize) -> bool {
    text[..at].matches('`').count() % 2 == 1 || text[..at].matches('"').count() % 2 == 1
}

/// Cuts at sentence ends and before imperatives.
fn clauses(goal: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut current = String::new();
    let mut closing: Vec<char> = Vec::new();
    let letters: Vec<(usize, char)> = goal.char_indices().collect();
    let mut index = 0;
    while index < letters.len() {
        let (at, c) = letters[index];
        match (closing.last(), c) {
            (Some(close), c) if *close == c => {
                closing.pop();
            }
            (Some('`' | '"'), _) => {}
            (_, '`' | '"') if goal[at + 1..].contains(c) => closing.push(c),
            (_, '(') if goal[at..].contains(')') => closing.push(')'),
            _ => {}
        }
        if closing.is_empty()
            && !current.trim().is_empty()
            && let Some(skip) = boundary(&goal[at..], &current)
        {
            found.push(std::mem::take(&mut current));
            index += goal[at..at + skip].chars().count();
            continue;
        }
        current.push(c);
        index += 1;
    }
    found.push(current);
    found
}

/// Whether a clause ends here: how many bytes of sign and conjunction to leave out.
fn boundary(rest: &str, current: &str) -> Option<usize> {
    if rest.starts_with("; ") || rest.starts_with("! ") {
        return Some(2);
    }
    if let Some(next) = rest.strip_prefix(". ") {
        // "e.g. this" and "approx. 5" go on; a sentence begins with a capital or an imperative.
        let begins =
            next.chars().next().is_some_and(char::is_uppercase) || is_imperative(&first_word(next));
        let word = current.rsplit(' ').next().unwrap_or_default();
        let abbreviated = word.contains('.') || matches!(word, "etc" | "vs" | "approx" | "incl");
        return (begins && !abbreviated).then_some(2);
    }
    // Lists folded onto one line: " - item" and " * item".
    if (rest.starts_with(" - ") || rest.starts_with(" * "))
        && is_imperative(&first_word(&rest[3..]))
    {
        return Some(3);
    }
    const JOINTS: [&str; 11] = [
        ", and then ",
        " and then ",
        ", and also ",
        " and also ",
        ", and ",
        " and ",
        ", then ",
        " then ",
        ", also ",
        "; ",
        ", ",
    ];
    let plain: String = rest.chars().take(12).flat_map(char::to_lowercase).collect();
    let joint = JOINTS.iter().find(|joint| plain.starts_with(**joint))?;
    let next = &rest[joint.len()..];
    let word = first_word(next);
    let after = next
        .trim_start_matches(|c: char| c.is_alphabetic() || c == '\'')
        .trim_start();
    // "test and build scripts", "find, list and show commands": the verb needs an object of its own,
    // and the clause before it a verb.
    let limit = LIMITS
        .iter()
        .any(|limit| next.to_lowercase().starts_with(limit));
    let lists = *joint == ", " && !limit;
    let had_verb = {
        let first = first_word(current);
        is_imperative(&first) || among(first.as_str(), "please can could i we let")
    };
    let object = !after.is_empty()
        && !among(
            first_word(after).as_str(),
            "command commands script scripts mode flag flags button buttons step steps \
    functions methods endpoints and or",
        );
    let begins = limit
        || (is_imperative(&word)
            && had_verb
            && (object || word == "test")
            && (!lists || current.split(' ').count() > 2));
    begins.then_some(joint.len())
}

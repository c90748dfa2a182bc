//! Words of plans: which begin an order, which say nothing about a step, which two steps share.

use std::collections::BTreeSet;

/// Verbs that steps begin with; sorted, so that they can be searched.
#[rustfmt::skip] // one word a line would bury the list
const ORDERS: &[&str] = &[
    "accept", "add", "adjust", "allow", "announce", "apply", "archive", "ask", "back", "backfill",
    "benchmark", "build", "bump", "cache", "call", "change", "check", "clean", "close", "collect",
    "compare", "configure", "connect", "convert", "copy", "cover", "create", "cut", "declare",
    "define", "delete", "deploy", "describe", "design", "detect", "disable", "document", "draft",
    "drop", "emit", "enable", "encrypt", "export", "expose", "extend", "extract", "fetch", "find",
    "fix", "format", "generate", "handle", "hide", "implement", "import", "include", "index",
    "install", "integrate", "introduce", "keep", "limit", "link", "list", "load", "log", "make",
    "map", "measure", "merge", "migrate", "monitor", "move", "name", "note", "notify", "open",
    "order", "parse", "pin", "port", "prepare", "print", "profile", "publish", "read", "record",
    "redirect", "refactor", "register", "reject", "release", "remove", "rename", "render",
    "replace", "report", "restore", "retry", "return", "review", "rewrite", "roll", "run", "save",
    "send", "serve", "set", "ship", "show", "sort", "split", "start", "store", "support", "switch",
    "sync", "tag", "test", "track", "translate", "turn", "update", "upgrade", "upload", "use",
    "validate", "verify", "warn", "wire", "wrap", "write",
];

/// Words that two steps share without having anything to do with each other; sorted.
#[rustfmt::skip] // one word a line would bury the list
const EMPTY: &[&str] = &[
    "a", "after", "all", "also", "an", "and", "any", "are", "as", "at", "be", "before", "but", "by",
    "can", "does", "each", "every", "for", "from", "has", "have", "if", "in", "into", "is", "it",
    "its", "more", "must", "new", "no", "not", "of", "on", "one", "only", "or", "out", "over",
    "should", "so", "step", "steps", "still", "that", "the", "their", "them", "then", "there",
    "this", "to", "too", "up", "when", "where", "which", "while", "will", "with", "without",
];

/// Whether a text begins like an order.
pub(super) fn is_order(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    let first = first.to_lowercase();
    ORDERS.binary_search(&first.as_str()).is_ok()
}

/// The words of a text that say what it is about, without endings.
pub(super) fn topics(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words
        .map(str::to_lowercase)
        .filter(|word| word.chars().count() > 1 && EMPTY.binary_search(&word.as_str()).is_err())
        .map(|word| stem(&word).to_owned())
        .collect()
}

fn stem(word: &str) -> &str {
    const ENDINGS: [&str; 6] = ["ations", "ation", "ing", "es", "ed", "s"];
    let ending = ENDINGS
        .iter()
        .find_map(|ending| word.strip_suffix(ending).filter(|rest| rest.len() >= 4));
    ending.unwrap_or(word)
}

/// How many topics two texts share.
pub(super) fn shared(one: &BTreeSet<String>, other: &BTreeSet<String>) -> usize {
    one.intersection(other).count()
}

/// The same with a capital first letter and without a full stop.
pub(super) fn titled(text: &str) -> String {
    let text = text.trim().trim_end_matches(['.', ',', ';', ':']);
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

/// The orders that a sentence gives, where it gives several: "Build the parser, add the flag and
/// write the docs". Nothing where one of them would be too short to stand alone.
pub(super) fn orders(text: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for piece in pieces(text) {
        let piece = piece.trim();
        match parts.last_mut() {
            // What is no order of its own belongs to the one before.
            Some(last) if !is_order(piece) => {
                last.push_str(", ");
                last.push_str(piece);
            }
            _ => parts.push(piece.to_owned()),
        }
    }
    let stands_alone = |part: &String| is_order(part) && topics(part).len() >= 2;
    match parts.len() >= 2 && parts.iter().all(stands_alone) {
        true => parts.iter().map(|part| titled(part)).collect(),
        false => Vec::new(),
    }
}

/// A text cut at its commas and ands, except inside of back-ticks and brackets.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut from, mut in_code, mut depth) = (0, false, 0i32);
    for (at, c) in text.char_indices() {
        match c {
            '`' => in_code = !in_code,
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        if in_code || depth > 0 || at < from {
            continue;
        }
        let marks = [
            ", and then ",
            ", and ",
            ", then ",
            " and then ",
            " and ",
            ", ",
            "; ",
            ". ",
        ];
        if let Some(mark) = marks.iter().find(|mark| text[at..].starts_with(**mark)) {
            let next = at + mark.len();
            // "search and replace" is one thing, an order behind the mark is another.
            if is_order(&text[next..]) {
                pieces.push(&text[from..at]);
                from = next;
            }
        }
    }
    pieces.push(&text[from..]);
    pieces
}

//! Whether dangerous words are only named: spoken of, forbidden, built, or part of a name.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::words::{PARTS, is_in};

/// Whether the words at `found` would not be carried out by whoever follows the text.
pub(super) fn is_only_named(text: &str, found: &Range<usize>) -> bool {
    is_mention(text, found) || is_part(text, found) || is_rehearsal(&text[found.start..])
}

/// Whether the words before, in their own clause, only speak of the danger, forbid it, or say that
/// something is built which could do it.
fn is_mention(text: &str, found: &Range<usize>) -> bool {
    static CLAUSE: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?i)[.;:,\n]|\s(?:and|then|before|after|by|via|using|but|or|und|dann|et|puis|y|luego|e|poi)\s",
        )
        .ok()
    });
    static SPEAKS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?i)^\W*(?:document|explain|describe|warn|mention|refuse|reject|forbid|disallow|ban|block|detect|prevent|dokumentier\w*|erkl[äa]r\w*|beschreib\w*|documente[rz]?|explique[rz]?|d[ée]cri\w*|documenta\w*|explica\w*|describ\w*)\b",
        )
        .ok()
    });
    static BUILDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?i)^\W*(?:add|adjust|allow|build|catch|code|cover|create|design|display|draft|draw|enable|expose|extend|fix|guard|handle|hide|highlight|implement|introduce|let|lex|lint|log|mark|mock|model|move|offer|parse|protect|provide|record|refactor|render|rename|review|show|sketch|style|support|teach|test|tokeni[sz]e|translate|type|update|verify|wire|write|f[üu]ge|erg[äa]nze|baue|erstelle|implementiere|schreibe|zeige|teste|ajoute[rz]?|cr[ée]e[rz]?|impl[ée]mente[rz]?|[ée]cri\w*|teste[rz]?|a[ñn]ad\w*|agrega\w*|crea\w*|implementa\w*|escrib\w*|proba\w*)\b",
        )
        .ok()
    });
    static FORBIDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?i)\b(?:never|not|don't|doesn't|no|avoid|without|instead of|nie|niemals|nicht|kein|keine|jamais|pas|ne|nunca|no)(?:\s+(?:a|the|to|be|get))*\W*$",
        )
        .ok()
    });
    let before = &text[..found.start];
    static GOES_ON: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(?i)^\s*(?:why|how|that|what|warum|wie|dass|wann|pourquoi|comment|que|por qu[ée]|perch[ée])\b").ok()
    });
    // "Document, why …" is one clause, whatever the comma says.
    let start = CLAUSE.as_ref().map_or(0, |clause| {
        let goes_on = |at: usize| {
            GOES_ON
                .as_ref()
                .is_some_and(|goes_on| goes_on.is_match(&text[at..]))
        };
        let ends = clause.find_iter(before).map(|border| border.end());
        ends.filter(|end| !goes_on(*end)).last().unwrap_or(0)
    });
    let clause = &before[start..];
    let says = |words: &LazyLock<Option<Regex>>| {
        words.as_ref().is_some_and(|words| words.is_match(clause))
    };
    // Inside the words found: "The database must never be dropped".
    let is_denied = text[found.clone()]
        .split_whitespace()
        .any(|word| matches!(word, "not" | "never" | "Never" | "no" | "don't"));
    is_denied || says(&FORBIDS) || says(&SPEAKS) || (says(&BUILDS) && !is_run(text, clause))
}

/// Whether what is built is also let loose: a migration, or a script that the same text runs.
fn is_run(text: &str, clause: &str) -> bool {
    static RUNS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?i-u)\b(?:run|execute|apply|start|launch)s?\s+(?:it|this|that|them|the\s+(?:script|job|migration|query))\b|\b(?:against|on|in)\s+(?:the\s+)?(?:prod|production|live)\b",
        )
        .ok()
    });
    clause.to_ascii_lowercase().contains("migration")
        || RUNS.as_ref().is_some_and(|runs| runs.is_match(text))
}

/// Whether the phrase goes on as the name of a part: "delete all button", "drop table statement",
/// "delete all unused imports".
fn is_part(text: &str, found: &Range<usize>) -> bool {
    const REACH: usize = 3;
    // Behind SQL stands the name of a table, whatever it is called.
    const OF_SQL: &[&str] = &[
        "keyword",
        "parser",
        "query",
        "statement",
        "statements",
        "support",
        "syntax",
    ];
    let first = text[found.clone()]
        .split_whitespace()
        .next()
        .unwrap_or_default();
    let is_sql = first.len() > 1 && first.bytes().all(|byte| byte.is_ascii_uppercase());
    let parts = if is_sql { OF_SQL } else { PARTS };
    let after = &text[found.end..];
    let end = after
        .find(['.', ';', ',', ':', '\n', '(', '|', '&', '/'])
        .unwrap_or(after.len());
    after[..end]
        .split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '”' | '“' | '’'))
        .filter(|word| !word.is_empty())
        .take(REACH)
        .take_while(|word| !is_border(word))
        .any(|word| is_in(parts, &word.to_ascii_lowercase()))
}

fn is_border(word: &str) -> bool {
    super::words::BORDERS
        .iter()
        .any(|border| word.eq_ignore_ascii_case(border))
}

/// Whether the command line only says what it would do.
fn is_rehearsal(phrase: &str) -> bool {
    let line = phrase.lines().next().unwrap_or_default();
    let end = line.find(['`', ';', '|', '&']).unwrap_or(line.len());
    ["--dry-run", "--dryrun", "--what-if"]
        .iter()
        .any(|flag| line[..end].contains(flag))
}

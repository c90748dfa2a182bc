//! Detects whether a destructive phrase is only mentioned: discussed, forbidden, implemented as a
//! feature, or part of a name.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::lexicon::{PARTS, is_in};

/// A text that may mention destructive actions. Positions in it are computed when first needed.
pub(crate) struct Mentions<'a> {
    text: &'a str,
    /// The start of each clause except the first, ascending.
    clauses: OnceCell<Vec<usize>>,
    /// Positions at which a migration is mentioned.
    migrations: OnceCell<Vec<usize>>,
    /// Positions of dry-run flags.
    rehearsals: OnceCell<Vec<usize>>,
    /// Positions at which commands end.
    ends: OnceCell<Vec<usize>>,
    runs: OnceCell<bool>,
}

impl<'a> Mentions<'a> {
    pub(crate) fn of(text: &'a str) -> Self {
        Self {
            text,
            clauses: OnceCell::new(),
            migrations: OnceCell::new(),
            rehearsals: OnceCell::new(),
            ends: OnceCell::new(),
            runs: OnceCell::new(),
        }
    }

    /// Whether the phrase at `found` names an action without requesting it.
    pub(super) fn is_only_named(&self, found: &Range<usize>) -> bool {
        self.is_mention(found)
            || is_part(self.text, found)
            || is_request(&self.text[found.start..])
            || self.is_rehearsal(found.start)
    }

    /// Whether the command is a dry run.
    fn is_rehearsal(&self, start: usize) -> bool {
        let flags = self.rehearsals.get_or_init(|| {
            let flags = ["--dry-run", "--dryrun", "--what-if", "--plan"];
            let mut places: Vec<usize> = flags
                .iter()
                .flat_map(|flag| self.text.match_indices(flag).map(|(at, _)| at))
                .collect();
            places.sort_unstable();
            places
        });
        let Some(flag) = flags.get(flags.partition_point(|at| *at < start)) else {
            return false;
        };
        let ends = self.ends.get_or_init(|| {
            let ends = self.text.match_indices(['\n', '`', ';', '|', '&']);
            ends.map(|(at, _)| at).collect()
        });
        let end = ends.get(ends.partition_point(|at| *at < start));
        end.is_none_or(|end| flag < end)
    }

    /// Whether the phrase at `found` only mentions the action or is a dry run.
    pub(crate) fn has(&self, found: &Range<usize>) -> bool {
        self.is_mention(found) || self.is_rehearsal(found.start)
    }

    /// Whether the words before the phrase, in the same clause, discuss the action, forbid it, or
    /// describe building something that could perform it.
    fn is_mention(&self, found: &Range<usize>) -> bool {
        let clauses = self.clauses.get_or_init(|| clauses(self.text));
        let before = clauses.partition_point(|start| *start <= found.start);
        let start = before.checked_sub(1).map_or(0, |at| clauses[at]);
        let clause = &self.text[start..found.start];
        // The phrase itself can contain the negation: "The database must never be dropped".
        let is_denied = self.text[found.clone()]
            .split_whitespace()
            .any(|word| matches!(word, "not" | "never" | "Never" | "no" | "don't"));
        is_denied
            || forbids(clause)
            || speaks(clause)
            || quotes(clause)
            || (builds(clause) && !is_means(clause) && !self.is_run(start..found.start))
    }

    /// Whether the text also says to run the migration or script that it describes.
    fn is_run(&self, clause: Range<usize>) -> bool {
        static RUNS: LazyLock<Option<Regex>> = LazyLock::new(|| {
            Regex::new(
                r"(?i-u)\b(?:run|execute|apply|start|launch)s?\s+(?:it|this|that|them|the\s+(?:script|job|migration|query))\b|\b(?:against|on|in)\s+(?:the\s+)?(?:prod|production|live)\b",
            )
            .ok()
        });
        let runs = || RUNS.as_ref().is_some_and(|runs| runs.is_match(self.text));
        let migrations = self.migrations.get_or_init(|| {
            let text = self.text.to_ascii_lowercase();
            text.match_indices("migration").map(|(at, _)| at).collect()
        });
        let next = migrations.get(migrations.partition_point(|at| *at < clause.start));
        next.is_some_and(|at| at + "migration".len() <= clause.end) || *self.runs.get_or_init(runs)
    }
}

/// The start of each clause of a text, except the first.
fn clauses(text: &str) -> Vec<usize> {
    static CLAUSE: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?i)[.;:,\n]|\s(?:and|then|before|after|by|via|using|but|or|und|dann|et|puis|y|luego|e|poi)\s",
        )
        .ok()
    });
    static GOES_ON: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(?i)^\s*(?:why|how|that|what|warum|wie|dass|wann|pourquoi|comment|que|por qu[ée]|perch[ée])\b").ok()
    });
    let Some(clause) = CLAUSE.as_ref() else {
        return Vec::new();
    };
    // "Document, why …" is one clause despite the comma.
    let goes_on = |at: &usize| {
        GOES_ON
            .as_ref()
            .is_some_and(|goes_on| goes_on.is_match(&text[*at..]))
    };
    let ends = clause.find_iter(text).map(|border| border.end());
    ends.filter(|end| !goes_on(end)).collect()
}

fn speaks(clause: &str) -> bool {
    static SPEAKS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?i)^\W*(?:document|explain|describe|warn|mention|refuse|reject|forbid|disallow|ban|block|detect|prevent|dokumentier\w*|erkl[äa]r\w*|beschreib\w*|documente[rz]?|explique[rz]?|d[ée]cri\w*|documenta\w*|explica\w*|describ\w*)\b",
        )
        .ok()
    });
    SPEAKS
        .as_ref()
        .is_some_and(|speaks| speaks.is_match(clause))
}

/// Whether the clause introduces a quoted text that is to be edited or displayed: "Replace `…`", "a
/// message that says `…`".
fn quotes(clause: &str) -> bool {
    static EDITED: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?i)^\W*(?:replace|change|remove|delete|drop|swap|substitute|rename|rewrite|convert|move|find|search|look\s+for|grep)\s+(?:(?:the|a|an|any|all|every|each|our|this|old|literal|text|lines?|strings?|calls?|commands?|uses?|occurrences?|of|to|for)\s+)*[`'\x22“„«]",
        )
        .ok()
    });
    static TOLD: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?i)\b(?:says?|reads?|contains?|mentions?|named|called|texts?|strings?|messages?|warnings?|examples?|(?:refuse|reject|forbid|block|deny|detect|prevent)s?)\s+[`'\x22“„«]$",
        )
        .ok()
    });
    let is = |words: &LazyLock<Option<Regex>>, text| {
        words.as_ref().is_some_and(|words| words.is_match(text))
    };
    is(&EDITED, clause) || is(&TOLD, last_words(clause))
}

/// Whether the clause introduces the means of an action, as in "update the branch with `git push
/// -f`".
fn is_means(clause: &str) -> bool {
    static MEANS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(?i)\b(?:with|via|by|using|run|running|execute|executing|through|mit|avec|con)(?:\W*|\s+`[^`]*)$").ok()
    });
    let clause = last_words(clause);
    MEANS.as_ref().is_some_and(|means| means.is_match(clause))
}

/// The end of a clause, long enough to include the words that qualify what follows.
fn last_words(clause: &str) -> &str {
    const MAX_BYTES: usize = 200;
    &clause[clause.floor_char_boundary(clause.len().saturating_sub(MAX_BYTES))..]
}

fn builds(clause: &str) -> bool {
    static BUILDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?i)^\W*(?:add|adjust|allow|build|catch|code|cover|create|design|display|draft|draw|enable|expose|extend|fix|guard|handle|hide|highlight|implement|introduce|let|lex|lint|log|mark|mock|model|move|offer|parse|protect|provide|record|refactor|render|rename|review|show|sketch|style|support|teach|test|tokeni[sz]e|translate|type|update|verify|wire|write|f[üu]ge|erg[äa]nze|baue|erstelle|implementiere|schreibe|zeige|teste|ajoute[rz]?|cr[ée]e[rz]?|impl[ée]mente[rz]?|[ée]cri\w*|teste[rz]?|a[ñn]ad\w*|agrega\w*|crea\w*|implementa\w*|escrib\w*|proba\w*)\b",
        )
        .ok()
    });
    BUILDS
        .as_ref()
        .is_some_and(|builds| builds.is_match(clause))
}

/// Whether the end of a clause forbids what follows.
fn forbids(clause: &str) -> bool {
    static FORBIDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?i)\b(?:never|not|don't|doesn't|no|avoid|without|instead of|nie|niemals|nicht|kein|keine|jamais|pas|ne|nunca|no)(?:\s+(?:a|the|to|be|get))*\W*$",
        )
        .ok()
    });
    let clause = last_words(clause);
    FORBIDS
        .as_ref()
        .is_some_and(|forbids| forbids.is_match(clause))
}

/// Whether the phrase is the start of a name for a part of a program or screen: "delete all
/// button", "drop table statement", "delete all unused imports".
fn is_part(text: &str, found: &Range<usize>) -> bool {
    const MAX_WORDS: usize = 3;
    // In SQL, any word after the phrase is a table name, except these.
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
    let names = if is_sql { OF_SQL } else { PARTS };
    let ends = |c: char| matches!(c, '.' | ';' | ',' | ':' | '\n' | '(' | '|' | '&' | '/');
    let parts =
        |c: char| ends(c) || c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '”' | '“' | '’');
    // In a code span, any words after a flag are arguments of the command.
    let has_flag = text[found.clone()].contains(" -");
    let is_in_code = text[..found.start].matches('`').count() % 2 == 1;
    let rest = match text[found.end..].split_once('`') {
        Some((_, behind)) if has_flag && is_in_code => behind,
        _ => &text[found.end..],
    };
    let mut is_over = false;
    rest.split_inclusive(parts)
        .map_while(|word| {
            let was_over = std::mem::replace(&mut is_over, word.ends_with(ends));
            (!was_over).then(|| word.trim_end_matches(parts))
        })
        .filter(|word| !word.is_empty())
        .take(MAX_WORDS)
        .take_while(|word| !is_border(word))
        .any(|word| is_in(names, &word.to_ascii_lowercase()))
}

/// Whether a text begins with an HTTP request: "DELETE /rows/:id".
fn is_request(text: &str) -> bool {
    let verb = text.bytes().take_while(u8::is_ascii_uppercase).count();
    verb > 1 && text[verb..].starts_with(" /")
}

fn is_border(word: &str) -> bool {
    crate::word_lists::BORDERS
        .iter()
        .any(|border| word.eq_ignore_ascii_case(border))
}

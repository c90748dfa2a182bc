//! The clauses of a goal, and what each of them is for.

use std::ops::Range;

use super::courtesy::{is_courtesy, is_reason, lead, trailing_reason};
use super::joints;
use super::lines::{chunks, quoted, sentences};
use super::verbs::{among, first_word};

/// A stretch of a goal with one purpose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Clause {
    /// Its bytes, without signs and polite words around it.
    pub(crate) span: Range<usize>,
    /// What it is for.
    pub(crate) role: Role,
}

/// What a clause is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// It asks for something.
    Wish,
    /// It forbids something, or wants something kept.
    Limit,
    /// It says why.
    Reason,
    /// It only is polite.
    Courtesy,
}

impl Clause {
    /// Whether a limit asks for work: "keep memory under 200 MB", "keep the history across save and
    /// reload". "Keep its signature" asks to leave something alone.
    pub(crate) fn is_promise(&self, goal: &str) -> bool {
        const AS_IT_IS: [&str; 16] = [
            "unchanged",
            "as is",
            "as it is",
            "as they are",
            "same",
            "compatib",
            "signature",
            "existing",
            "current",
            " api",
            "untouched",
            "alone",
            "intact",
            "behaviour",
            "behavior",
            "format",
        ];
        let words = goal[self.span.clone()].to_lowercase();
        self.role == Role::Limit
            && ["keep ", "preserve "]
                .iter()
                .any(|verb| words.starts_with(verb))
            && joints::words(&words) >= 4
            && !AS_IT_IS.iter().any(|mark| words.contains(mark))
    }
}

/// Openings of a clause that forbids, or asks to keep.
const LIMITS: &[&str] = &[
    "do not ",
    "don't ",
    "don’t ",
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
    "nicht ",
    "ohne ",
    "niemals ",
    "keine ",
    "sans ",
    "ne pas ",
    "ne ",
    "sin ",
    "no debe ",
    "不要",
    "不能",
    "不得",
    "请勿",
];

/// Whether a text begins with a limit.
pub(super) fn opens_limit(text: &str) -> bool {
    let text = text.trim_start();
    LIMITS.iter().any(|limit| {
        text.get(..limit.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(limit))
    })
}

/// Bytes of a goal that are taken apart; what stands behind them stays one wish.
const LONGEST: usize = 16 << 10;

/// The clauses of a goal in its own order.
pub(super) fn read(whole: &str) -> Vec<Clause> {
    let mut found = Vec::new();
    let goal = beginning(whole);
    // The same length, so that places stay; line ends are blanks here.
    let flat = goal.replace(['\n', '\r', '\t'], " ");
    let quoted = quoted(&flat);
    for chunk in chunks(goal) {
        for sentence in sentences(&flat, &chunk.span, &quoted) {
            let sentence = without_intro(&flat, sentence, &quoted);
            for part in joints::parts(&flat, &sentence, &quoted) {
                take(&flat, part, &quoted, &mut found);
            }
        }
    }
    let rest = trimmed(whole, goal.len()..whole.len());
    if !rest.is_empty() {
        found.push(Clause {
            span: rest,
            role: Role::Wish,
        });
    }
    found
}

/// As much of a goal as is taken apart: all of it, or whole lines or words.
fn beginning(goal: &str) -> &str {
    if goal.len() <= LONGEST {
        return goal;
    }
    let most = &goal[..goal.floor_char_boundary(LONGEST)];
    let end = most.rfind('\n').or_else(|| most.rfind(' '));
    &most[..end.unwrap_or(most.len())]
}

/// A sentence without what introduces its list: "Speed up the gallery: cache …, load …".
fn without_intro(flat: &str, sentence: Range<usize>, quoted: &[bool]) -> Range<usize> {
    let words = &flat[sentence.clone()];
    let Some(at) = words.find(": ").filter(|at| !quoted[sentence.start + at]) else {
        return sentence;
    };
    let rest = sentence.start + at + 2..sentence.end;
    let parts = joints::parts(flat, &rest, quoted).len();
    if parts >= 2 && joints::words(&words[..at]) <= 8 {
        rest
    } else {
        sentence
    }
}

fn take(flat: &str, part: Range<usize>, quoted: &[bool], found: &mut Vec<Clause>) {
    let part = trimmed(flat, part);
    if !flat[part.clone()].chars().any(char::is_alphanumeric) {
        return;
    }
    let words = &flat[part.clone()];
    if is_courtesy(words) {
        found.push(Clause {
            span: part,
            role: Role::Courtesy,
        });
        return;
    }
    let polite = lead(words);
    if polite > 0 {
        let span = part.start..part.start + polite;
        found.push(Clause {
            span,
            role: Role::Courtesy,
        });
    }
    let part = trimmed(flat, part.start + polite..part.end);
    let words = &flat[part.clone()];
    if is_courtesy(words) {
        found.push(Clause {
            span: part,
            role: Role::Courtesy,
        });
        return;
    }
    if is_reason(words) {
        found.push(Clause {
            span: part,
            role: Role::Reason,
        });
        return;
    }
    let mut end = part.end;
    let mut behind = Vec::new();
    if let Some(at) = trailing_reason(words, &quoted[part.clone()]) {
        end = part.start + at;
        behind.push(Clause {
            span: trimmed(flat, end..part.end),
            role: Role::Reason,
        });
    }
    let part = trimmed(flat, part.start..end);
    let words = &flat[part.clone()];
    if opens_limit(words) {
        found.push(Clause {
            span: part,
            role: Role::Limit,
        });
    } else {
        let (wish, limit) = trailing_limit(words, &quoted[part.clone()]);
        let at =
            |place: Range<usize>| trimmed(flat, part.start + place.start..part.start + place.end);
        let wish = at(wish);
        if !wish.is_empty() {
            found.push(Clause {
                span: wish,
                role: Role::Wish,
            });
        }
        found.extend(limit.map(|limit| Clause {
            span: at(limit),
            role: Role::Limit,
        }));
    }
    found.extend(behind);
}

fn trimmed(flat: &str, span: Range<usize>) -> Range<usize> {
    let words = &flat[span.clone()];
    let is_sign = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '，' | '；' | '、');
    let left = words.trim_start_matches(is_sign);
    let start = span.start + (words.len() - left.len());
    let right =
        left.trim_end_matches(|c| is_sign(c) || matches!(c, '.' | '!' | '。' | '！' | ':' | '：'));
    start..start + right.len()
}

/// Cuts " without …" or ", but do not …" off the end of a clause.
fn trailing_limit(clause: &str, quoted: &[bool]) -> (Range<usize>, Option<Range<usize>>) {
    const MARKS: [&str; 22] = [
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
        " ohne ",
        ", aber nicht ",
        " sans ",
        " mais ne ",
        " sin ",
        "，但不要",
        "，不要",
    ];
    let plain = clause.to_ascii_lowercase();
    let cut = MARKS
        .iter()
        .filter_map(|mark| plain.find(mark).map(|at| (at, *mark)))
        .filter(|(at, _)| !quoted.get(*at).copied().unwrap_or_default())
        .min();
    match cut {
        // "a command without arguments" describes; "without new dependencies" forbids.
        Some((at, mark @ (" without " | " ohne " | " sans " | " sin ")))
            if !forbids(&plain[at + mark.len()..]) =>
        {
            (0..clause.len(), None)
        }
        Some((at, mark)) => {
            let words = [
                "do not", "don't", "keep", "never", "leave", "without", "ohne", "nicht", "sans",
                "ne ", "sin", "不要",
            ];
            let lead = words
                .iter()
                .filter_map(|word| mark.find(word))
                .min()
                .unwrap_or(1);
            let end = clause[..at].trim_end().len();
            (0..end, Some(at + lead..clause.len()))
        }
        None => (0..clause.len(), None),
    }
}

/// Whether what follows "without" is a limit on the work.
fn forbids(rest: &str) -> bool {
    let first = first_word(rest);
    let kinds = [
        "dependenc",
        "librar",
        "package",
        "chang",
        "break",
        "crate",
        "downtime",
        "regression",
        "abhängigkeit",
        "bibliothek",
        "änder",
        "dépendance",
        "bibliothèque",
        "dependencia",
        "librería",
        "cambi",
    ];
    (first.ends_with("ing") && first.len() > 4)
        || among(
            &first,
            "new any a changes additional extra further neue neuen weitere nouvelle nouvelles nuevas",
        ) && kinds.iter().any(|word| rest.contains(word))
}

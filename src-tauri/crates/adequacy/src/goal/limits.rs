//! What forbids something, or wants it left as it is: at the beginning of a clause, at its end, or behind what is
//! asked for.

use super::verbs::{among, first_word};

/// Openings of a clause that forbids, or wants something left as it is.
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
    "keeping ",
    "leave ",
    "preserve ",
    "only touch ",
    "only change ",
    "only in ",
    "only where ",
    "only when ",
    "only if ",
    "only for ",
    "nothing else",
    "nowhere else",
    "nur in ",
    "nur dort",
    "nur wo ",
    "nur wenn ",
    "nichts sonst",
    "sonst nichts",
    "sonst nirgends",
    "seulement ",
    "rien d'autre",
    "nulle part ailleurs",
    "solo en ",
    "solo donde ",
    "solo si ",
    "nada más",
    "no cambi",
    "no modifi",
    "no toqu",
    "no toc",
    "no elimin",
    "no borr",
    "no añad",
    "no agreg",
    "não mud",
    "não alter",
    "não toqu",
    "non modific",
    "non cambi",
    "non tocc",
    "ändere nicht",
    "Ändere nicht",
    "verändere nicht",
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
    // In Japanese and Korean what is not to be done is said at the end.
    // So it may be in German: "die README nicht anfassen".
    const ENDS: [&str; 16] = [
        "nicht anfassen",
        "nicht ändern",
        "nicht verändern",
        "nicht anrühren",
        "nicht löschen",
        "nicht entfernen",
        "nicht umbenennen",
        "in ruhe",
        "ないでください",
        "ないで",
        "ないこと",
        "てはいけない",
        "てはならない",
        "禁止",
        "지 마세요",
        "지 말 것",
    ];
    let text = text.trim_start();
    let bare = text.trim_end_matches(['。', '.', '!', '！', ' ']);
    let plain = bare.to_lowercase();
    if ENDS.iter().any(|end| plain.ends_with(end)) {
        return true;
    }
    // "No behaviour change", "no other changes".
    if plain.starts_with("no ")
        && among(
            plain.rsplit(' ').next().unwrap_or_default(),
            "change changes",
        )
    {
        return true;
    }
    let opens = |limit: &&str| {
        text.get(..limit.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(limit))
    };
    LIMITS.iter().any(opens)
}

/// Where a limit begins that ends a clause: "without new dependencies". "A command without arguments"
/// describes.
pub(super) fn trailing_limit(clause: &str, quoted: &[bool]) -> Option<usize> {
    const MARKS: [&str; 4] = [" without ", " ohne ", " sans ", " sin "];
    const MORE: &str = "new any changes additional extra further neue neuen weitere nouvelle nouvelles nueva nuevas";
    let plain = clause.to_ascii_lowercase();
    let forbids = |rest: &str| {
        let first = first_word(rest);
        first.len() > 4 && first.ends_with("ing") || among(&first, MORE)
    };
    let cuts = MARKS.iter().filter_map(|mark| {
        let at = plain.find(mark)?;
        (forbids(&plain[at + mark.len()..]) && !quoted[at]).then_some(at + 1)
    });
    cuts.min()
}

//! Recognizes constraints at the beginning or end of a clause, or after a requirement.

use super::verbs::{among, first_word};

/// Beginnings of clauses that forbid something or say to leave something unchanged.
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

/// Whether a text begins with a constraint.
pub(super) fn opens_constraint(text: &str) -> bool {
    // Japanese, Korean and often German place the prohibition at the end: "die README nicht
    // anfassen".
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
    // Phrases such as "no behaviour change" and "no other changes".
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

/// Start of a constraint at the end of a clause, such as "without new dependencies". In contrast,
/// "a command without arguments" is a description.
pub(super) fn trailing_constraint(clause: &str, quoted: &[bool]) -> Option<usize> {
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

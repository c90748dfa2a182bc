//! Quickly scans a text for rules that may apply, so that the exact rules can be skipped for most
//! tasks. Hints can be false positives but never false negatives: every phrase of a rule contains a
//! word that begins with one of the prefixes listed here, or a non-ASCII letter.

use std::sync::LazyLock;

/// The rules that may match a text, as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Hints(u8);

impl Hints {
    /// Vague words, and words that postpone work.
    pub(crate) const VAGUE: Self = Self(1);
    /// Destructive words.
    pub(crate) const DANGER: Self = Self(2);
    /// Backups, rollbacks and rehearsals.
    pub(crate) const WAY_BACK: Self = Self(4);
    /// Releases and irreversible actions.
    pub(crate) const RELEASE: Self = Self(8);
    /// Open questions.
    pub(crate) const OPEN: Self = Self(16);

    /// The hints of a text.
    pub(crate) fn of(text: &str) -> Self {
        let roots = &*ROOTS;
        let bytes = text.as_bytes();
        let mut found = 0;
        let mut is_inside = false;
        for (at, byte) in bytes.iter().enumerate() {
            if *byte == b'?' {
                found |= O;
            }
            if !byte.is_ascii() {
                // Other scripts and accented words are left to the exact rules.
                found |= BEYOND_ASCII;
                is_inside = true;
                continue;
            }
            let is_letter = byte.is_ascii_alphabetic();
            if is_letter && !is_inside {
                let group = roots.groups[index(&bytes[at..])];
                if group != 0 {
                    found |= roots.bits_at(group, &bytes[at..]);
                }
            }
            is_inside = is_letter;
        }
        Self(found)
    }

    /// Whether any of these bits is set.
    pub(crate) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

const V: u8 = Hints::VAGUE.0;
const D: u8 = Hints::DANGER.0;
const W: u8 = Hints::WAY_BACK.0;
const F: u8 = Hints::RELEASE.0;
const O: u8 = Hints::OPEN.0;
/// Hints that words in other languages can raise; vague words exist only in English.
const BEYOND_ASCII: u8 = D | W | F | O;

/// Lowercase prefixes of words; two-letter entries are whole words.
#[rustfmt::skip] // rustfmt would put each root on its own line
const WORDS: &[(&str, u8)] = &[
    ("fix", V), ("clean", V | D), ("misc", V), ("various", V), ("todo", V), ("some", V), ("refactor", V),
    ("placeh", V), ("tbd", V), ("stub", V),
    // Commands.
    ("rm", D), ("dd", D), ("chmod", D), ("format", D), ("mkfs", D), ("wip", D), ("shred", D), ("dropdb", D),
    ("flush", D), ("find", D), ("reset", D), ("checkout", D), ("restor", D | W), ("stash", D), ("reflog", D),
    ("filter", D), ("push", D | F), ("terra", D), ("tofu", D), ("pulumi", D), ("cdk", D), ("zfs", D),
    ("vagrant", D), ("kubectl", D), ("helm", D), ("docker", D), ("aws", D), ("gsutil", D), ("gcloud", D),
    ("az", D), ("prisma", D | F), ("pg", D | W), ("db", D | F), ("migrat", D | F), ("manage", D),
    ("downgrade", D), ("lvremove", D), ("vgremove", D), ("unpublish", D), ("alter", D | F), ("npm", D | F),
    ("git", D | F), ("pnpm", F), ("yarn", F),
    // Destructive verbs.
    ("delet", D), ("drop", D), ("truncat", D), ("forc", D), ("rewrit", D), ("eras", D), ("purg", D),
    ("destr", D), ("clear", D | O), ("empt", D), ("nuk", D), ("obliterat", D), ("annihilat", D), ("zero", D),
    ("remov", D), ("discard", D), ("overwrit", D), ("prun", D), ("scrap", D), ("terminat", D), ("trash", D),
    ("squash", D), ("scrub", D), ("strip", D), ("history", D), ("disabl", D), ("turn", D | F),
    ("switch", D | F), ("stop", D), ("deactivat", D), ("suspend", D), ("paus", D), ("revok", D),
    ("invalidat", D), ("charg", D), ("bill", D), ("debit", D), ("refund", D), ("invoice", D), ("rid", D),
    ("throw", D), ("blow", D), ("tear", D), ("torn", D), ("lost", D), ("go", D), ("vanish", D),
    ("disappear", D), ("fresh", D), ("blank", D), ("reformat", D), ("versioning", D), ("soft", D),
    // Destructive verbs in other languages.
    ("losch", D), ("ausl", D), ("leer", D), ("geleert", D), ("geloscht", D), ("verw", D), ("vernicht", D),
    ("uberschr", D), ("zuruck", D), ("weg", D), ("suppr", D), ("effac", D), ("vid", D), ("detrui", D),
    ("ecras", D), ("elimin", D), ("borr", D), ("vaci", D), ("sobrescri", D), ("trunc", D), ("apag", D),
    ("exclu", D), ("esvazi", D), ("limp", D), ("cancell", D), ("svuot", D), ("distru", D), ("sovrascri", D),
    ("wis", D), ("gewist", D), ("leegm", D), ("geleegd", D), ("disparai", D),
    // Backups, rollbacks and rehearsals.
    ("back", W), ("snapshot", W), ("dry", W), ("mysqldump", W), ("dump", W), ("archiv", W), ("cop", W),
    ("rehears", W), ("roll", W | F), ("revert", W), ("undo", W), ("way", W), ("down", W), ("flag", W),
    ("toggl", W), ("blue", W), ("gradual", W), ("dual", W), ("both", W), ("canar", W), ("reversib", W),
    ("sicher", W), ("probe", W), ("trocken", W), ("sauvegard", W), ("resguard", W), ("respald", W),
    ("simul", W), ("percent", W), ("fallback", W), ("parallel", W), ("essai", W), ("schnapp", W),
    ("previous", W), ("yank", W), ("withdr", W),
    // Releases and irreversible actions.
    ("deploy", F), ("redeploy", F), ("publish", F), ("releas", F), ("ship", F), ("live", F), ("launch", F),
    ("announc", F), ("merg", F), ("cut", F), ("promot", F), ("upload", F), ("submit", F), ("cargo", F),
    ("twine", F), ("gh", F), ("tag", F), ("prod", F), ("rails", F), ("alembic", F), ("flyway", F),
    ("sqlx", F), ("diesel", F), ("knex", F), ("renam", F), ("customer", F), ("subscriber", F),
    ("newsletter", F), ("users", F), ("members", F), ("everyone", F), ("shut", F), ("decommission", F),
    ("retir", F), ("sunset", F), ("branch", F), ("public", F), ("deprecat", F), ("traffic", F), ("dns", F),
    ("veroff", F), ("ausroll", F), ("ausliefer", F), ("desplieg", F), ("despleg", F), ("lanz", F),
    ("implant", F), ("rilasci", F), ("pubblic", F), ("freigeb", F),
    // Open questions.
    ("decid", O), ("determin", O), ("defin", O), ("unclear", O), ("undecid", O), ("undeterm", O), ("unklar", O),
    ("sure", O), ("open", O), ("offen", O), ("figure", O), ("clarif", O), ("choos", O), ("chosen", O),
    ("confirmed", O), ("klar", O), ("entsch", O), ("agreed", O),
];

/// The prefixes, indexed by their first three letters.
struct Roots {
    /// The group of each combination of three letters; 0 for none.
    groups: Vec<u8>,
    members: Vec<Vec<(&'static [u8], u8)>>,
}

static ROOTS: LazyLock<Roots> = LazyLock::new(|| {
    let mut roots = Roots {
        groups: vec![0; 32 * 32 * 32],
        members: vec![Vec::new()],
    };
    for (word, bits) in WORDS {
        let bytes = word.as_bytes();
        let triple = index(bytes);
        if roots.groups[triple] == 0 {
            roots.members.push(Vec::new());
            roots.groups[triple] = u8::try_from(roots.members.len() - 1).unwrap_or(u8::MAX);
        }
        let group = usize::from(roots.groups[triple]);
        roots.members[group].push((bytes, *bits));
    }
    roots
});

impl Roots {
    fn bits_at(&self, group: u8, text: &[u8]) -> u8 {
        let is_here =
            |root: &[u8]| text.len() >= root.len() && text[..root.len()].eq_ignore_ascii_case(root);
        self.members[usize::from(group)]
            .iter()
            .filter(|(root, _)| is_here(root))
            .fold(0, |bits, (_, more)| bits | more)
    }
}

/// Table index of the first three letters; characters other than letters count as 0.
fn index(text: &[u8]) -> usize {
    let letter = |at: usize| {
        text.get(at)
            .filter(|byte| byte.is_ascii_alphabetic())
            .map_or(0, |byte| usize::from(byte & 0x1f))
    };
    (letter(0) << 10) | (letter(1) << 5) | letter(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_prefix_gives_its_hints() {
        assert!(
            ROOTS.members.len() < usize::from(u8::MAX),
            "the table counts in bytes"
        );
        for (word, bits) in WORDS {
            assert_eq!(Hints::of(&word.to_uppercase()).0 & bits, *bits, "{word}");
            let ending = if word.len() == 2 { "_" } else { "ing" };
            let inside = format!("the_{word}{ending}");
            assert_eq!(Hints::of(&inside).0 & bits, *bits, "{inside}");
        }
    }

    #[test]
    fn plain_words_give_no_hints() {
        let hints = Hints::of("Add the export button to every report page");
        assert!(!hints.has(Hints::DANGER) && !hints.has(Hints::VAGUE));
        assert!(Hints::of("设置").has(Hints::DANGER));
    }
}

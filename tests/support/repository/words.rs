//! The vocabulary of generated files: words from the goals, and words that no goal contains.

/// Domains in every repository, with the nouns of their modules.
const DOMAINS: [(&str, [&str; 8]); 12] = [
    (
        "reporting",
        [
            "report", "column", "chart", "export", "summary", "period", "row", "total",
        ],
    ),
    (
        "accounts",
        [
            "session", "user", "password", "profile", "role", "login", "device", "token",
        ],
    ),
    (
        "billing",
        [
            "invoice", "payment", "refund", "tax", "card", "discount", "ledger", "charge",
        ],
    ),
    (
        "search",
        [
            "query",
            "index",
            "suggestion",
            "synonym",
            "ranking",
            "facet",
            "term",
            "result",
        ],
    ),
    (
        "media",
        [
            "image",
            "upload",
            "thumbnail",
            "video",
            "gallery",
            "caption",
            "format",
            "crop",
        ],
    ),
    (
        "gateway",
        [
            "request", "route", "header", "limit", "client", "proxy", "cache", "rate",
        ],
    ),
    (
        "notifications",
        [
            "mail", "reminder", "template", "language", "digest", "channel", "message", "push",
        ],
    ),
    (
        "inventory",
        [
            "stock",
            "article",
            "warehouse",
            "order",
            "reservation",
            "shelf",
            "batch",
            "piece",
        ],
    ),
    (
        "integrations",
        [
            "webhook",
            "signature",
            "event",
            "partner",
            "feed",
            "mapping",
            "secret",
            "retry",
        ],
    ),
    (
        "shipping",
        [
            "parcel", "label", "carrier", "address", "tracking", "customs", "weight", "zone",
        ],
    ),
    (
        "analytics",
        [
            "visit",
            "funnel",
            "cohort",
            "metric",
            "segment",
            "experiment",
            "goal",
            "count",
        ],
    ),
    (
        "support",
        [
            "ticket", "answer", "agent", "queue", "macro", "rating", "note", "reply",
        ],
    ),
];

pub(super) const VERBS: [&str; 16] = [
    "load", "save", "merge", "filter", "sort", "validate", "render", "collect", "split", "convert",
    "archive", "count", "send", "schedule", "round", "sign",
];
pub(super) const ASPECTS: [&str; 14] = [
    "policy", "store", "view", "rules", "history", "batch", "codec", "limits", "settings",
    "errors", "jobs", "filters", "audit", "client",
];
const AREAS: [&str; 10] = [
    "core", "api", "jobs", "legacy", "internal", "partners", "mobile", "admin", "tools", "beta",
];
pub(super) const REMARKS: [&str; 14] = [
    "Times are in minutes unless the name says otherwise.",
    "The last one wins when two have the same key.",
    "Rounded once, at the end.",
    "A timeout counts as a failure and is tried again later.",
    "Kept for a day, then dropped.",
    "Nothing is sent twice.",
    "The customer sees this text, so keep it short.",
    "Reads the whole file; large ones come in pieces.",
    "English is used where a language has no text.",
    "Callers hold the lock.",
    "The list is sorted by name.",
    "Empty input gives empty output.",
    "Called from the nightly job.",
    "See the handbook for how this is decided.",
];

/// Number of files per domain in repositories that have further domains.
const FILES_OF_DOMAIN: usize = 40;

/// Number of folders per further domain: about four files per folder, as in real repositories.
const FURTHER_AREAS: usize = 2;

/// Syllables for the words of further domains: first, middle and last. None forms a word of a goal.
const SYLLABLES: [[&str; 20]; 4] = [
    [
        "bar", "cal", "dor", "fen", "gal", "hol", "jar", "kel", "lum", "mor", "nim", "pel", "quil",
        "ras", "sel", "tor", "ul", "ver", "wex", "yar",
    ],
    [
        "a", "be", "cu", "di", "e", "fo", "gi", "hu", "i", "jo", "ka", "li", "mo", "na", "o", "pi",
        "ru", "so", "u", "ve",
    ],
    [
        "ra", "ne", "lo", "mi", "tu", "da", "ke", "po", "si", "gu", "ba", "fe", "vo", "zi", "xu",
        "ja", "he", "no", "ti", "ku",
    ],
    [
        "ban", "den", "dock", "fer", "gan", "hald", "kin", "lund", "mer", "nex", "pont", "rick",
        "sand", "tane", "vik", "worn", "zel", "bolt", "cram", "drin",
    ],
];

/// A topic that modules are about.
pub(super) struct Domain {
    pub(super) name: String,
    pub(super) nouns: Vec<String>,
    /// The names of the folders that its modules are in.
    pub(super) areas: &'static [&'static str],
}

/// The domains of a repository with this many files.
pub(super) fn domains(files: usize) -> Vec<Domain> {
    let count = files / FILES_OF_DOMAIN;
    let mut domains: Vec<Domain> = DOMAINS
        .iter()
        .map(|(name, nouns)| {
            let nouns = nouns.iter().map(|noun| (*noun).to_owned());
            Domain {
                name: (*name).to_owned(),
                nouns: nouns.collect(),
                areas: &AREAS,
            }
        })
        .collect();
    let mut words = (0..).map(word);
    while domains.len() < count {
        let name = words.next().unwrap_or_default();
        domains.push(Domain {
            name,
            nouns: words.by_ref().take(8).collect(),
            areas: &AREAS[..FURTHER_AREAS],
        });
    }
    domains
}

/// A unique word for each number. The words of consecutive numbers start differently.
fn word(number: usize) -> String {
    let mut rest = number.wrapping_mul(7_919) % 160_000;
    let mut word = String::new();
    for syllables in SYLLABLES {
        word.push_str(syllables[rest % syllables.len()]);
        rest /= syllables.len();
    }
    word
}

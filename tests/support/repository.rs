//! A repository of any size that looks like one that people wrote, and goals whose right files are known.
//!
//! The files that the goals are about are written by hand (`fixtures/knowing.txt`), the rest is made: modules
//! of a dozen domains in four languages with imports, tests, documents and data, whose words are those
//! of the goals too. The same size gives the same bytes. The made files know nothing of how a search
//! ranks.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io;
use std::path::Path;

/// A goal as a person writes it.
#[derive(Debug, Clone, Copy)]
pub struct Goal {
    /// Its words.
    pub text: &'static str,
    /// The files that somebody who reaches it has to change or read.
    pub right: &'static [&'static str],
}

/// Ten goals.
pub const GOALS: [Goal; 10] = [
    Goal {
        text: "The CSV export drops the last row of a report, fix it",
        right: &[
            "reporting/export/csv_writer.py",
            "tests/reporting/test_csv_writer.py",
        ],
    },
    Goal {
        text: "People are logged out after five minutes although a session should last a day",
        right: &["accounts/sessions.py", "tests/accounts/test_sessions.py"],
    },
    Goal {
        text: "The VAT of an invoice with several lines is rounded wrongly, round the sum once",
        right: &["billing/tax.py", "tests/billing/test_tax.py"],
    },
    Goal {
        text: "Retry with a growing pause when the payment gateway times out",
        right: &[
            "billing/gateway_client.py",
            "tests/billing/test_gateway_client.py",
        ],
    },
    Goal {
        text: "Searching should find é when somebody types e: normalize the query accordingly",
        right: &[
            "web/src/search/normalize.ts",
            "web/src/search/normalize.test.ts",
        ],
    },
    Goal {
        text: "Say clearly why the upload of an image above 10 MB is refused",
        right: &["media/upload_handler.go", "media/upload_handler_test.go"],
    },
    Goal {
        text: "Rate limiting counts every request twice",
        right: &["gateway/src/limiter.rs"],
    },
    Goal {
        text: "Send reminder mails in the customer's own language instead of always in English",
        right: &[
            "notifications/reminders.py",
            "notifications/templates.py",
            "tests/notifications/test_reminders.py",
        ],
    },
    Goal {
        text: "Two orders at the same moment can reserve the last piece in stock, prevent that",
        right: &[
            "inventory/reservations.py",
            "inventory/levels.py",
            "tests/inventory/test_reservations.py",
        ],
    },
    Goal {
        text: "Document how webhooks are signed",
        right: &["docs/webhooks.md", "integrations/webhook_signature.py"],
    },
];

const WRITTEN: &str = include_str!("../fixtures/knowing.txt");

/// Domains with the nouns that their modules are about.
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

const VERBS: [&str; 16] = [
    "load", "save", "merge", "filter", "sort", "validate", "render", "collect", "split", "convert",
    "archive", "count", "send", "schedule", "round", "sign",
];
const ASPECTS: [&str; 14] = [
    "policy", "store", "view", "rules", "history", "batch", "codec", "limits", "settings",
    "errors", "jobs", "filters", "audit", "client",
];
const AREAS: [&str; 10] = [
    "core", "api", "jobs", "legacy", "internal", "partners", "mobile", "admin", "tools", "beta",
];
const REMARKS: [&str; 14] = [
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

/// Numbers that look like chance and are the same each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        // Knuth's MMIX generator; its high bits are the good ones.
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % most
    }

    fn of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }
}

/// Writes a repository of so many files.
///
/// # Errors
/// When a file cannot be written.
pub fn fill(root: &Path, files: usize) -> io::Result<()> {
    let mut taken = BTreeSet::new();
    for part in WRITTEN.split("=== ").filter(|part| !part.is_empty()) {
        let (path, text) = part.split_once('\n').unwrap_or((part, ""));
        put(root, path, text)?;
        taken.insert(path.to_owned());
    }
    let mut chance = Chance(20_261_122);
    while taken.len() < files {
        for (path, text) in made(&mut chance) {
            if taken.len() < files && taken.insert(path.clone()) {
                put(root, &path, &text)?;
            }
        }
    }
    Ok(())
}

fn put(root: &Path, path: &str, text: &str) -> io::Result<()> {
    let path = root.join(path);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, text)
}

/// A module, at times with its test or its page.
fn made(chance: &mut Chance) -> Vec<(String, String)> {
    let (domain, nouns) = DOMAINS[chance.below(DOMAINS.len())];
    let area = chance.of(&AREAS);
    let (noun, other) = (chance.of(&nouns), chance.of(&nouns));
    let (verb, aspect) = (chance.of(&VERBS), chance.of(&ASPECTS));
    let number = chance.below(40);
    let name = match chance.below(3) {
        0 => format!("{noun}_{aspect}"),
        1 => format!("{noun}_{other}_{aspect}"),
        _ => format!(
            "{verb}_{noun}{}",
            if number < 6 {
                String::new()
            } else {
                format!("_{number}")
            }
        ),
    };
    let folder = format!("{domain}/{area}");
    match chance.below(20) {
        0 => vec![(
            format!("docs/{domain}/{name}.md"),
            page(chance, domain, &nouns),
        )],
        1 => vec![(
            format!("fixtures/{domain}/{name}_{number}.json"),
            format!("{{\"{noun}\": [{number}, 2, 3], \"{other}\": {{\"{aspect}\": true}}}}\n"),
        )],
        2..=4 => vec![(
            format!("web/src/{domain}/{area}/{name}.ts"),
            typescript(chance, &nouns, &name),
        )],
        5 => vec![(format!("{folder}/{name}.go"), go(chance, domain, &nouns))],
        6 => vec![(
            format!("gateway/{domain}/src/{name}.rs"),
            rust(chance, &nouns),
        )],
        _ => {
            let mut files = vec![(
                format!("{folder}/{name}.py"),
                python(chance, domain, &nouns),
            )];
            if chance.below(3) == 0 {
                let text = format!(
                    "from {domain}.{area}.{name} import {verb}_{noun}\n\n\ndef test_{verb}_{noun}({other}):\n    \
                     assert {verb}_{noun}({other}) is not None\n"
                );
                files.push((format!("tests/{folder}/test_{name}.py"), text));
            }
            files
        }
    }
}

/// A sentence about things of a domain, at times with a thing of another.
fn sentence(chance: &mut Chance, nouns: &[&str]) -> String {
    let foreign = DOMAINS[chance.below(DOMAINS.len())].1;
    let (verb, noun) = (chance.of(&VERBS), chance.of(nouns));
    let second = if chance.below(4) == 0 {
        chance.of(&foreign)
    } else {
        chance.of(nouns)
    };
    match chance.below(3) {
        0 => chance.of(&REMARKS).to_owned(),
        1 => format!(
            "{}{} the {noun} of a {second}.",
            verb[..1].to_uppercase(),
            &verb[1..]
        ),
        _ => format!("Every {noun} has its own {second}. {}", chance.of(&REMARKS)),
    }
}

fn python(chance: &mut Chance, domain: &str, nouns: &[&str]) -> String {
    let mut text = format!(
        "\"\"\"{}\"\"\"\n\nimport logging\n",
        sentence(chance, nouns)
    );
    let (imported, aspect) = (chance.of(nouns), chance.of(&ASPECTS));
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "from {domain}.core.{imported}_{aspect} import {aspect}_of\n"
    );
    for _ in 0..2 + chance.below(5) {
        let (verb, noun, other) = (chance.of(&VERBS), chance.of(nouns), chance.of(nouns));
        let (said, limit) = (sentence(chance, nouns), chance.below(90));
        let _ = write!(
            text,
            "\n\ndef {verb}_{noun}({other}s, limit={limit}):\n    # {said}\n    found = [{other} for {other} in \
             {other}s if {other}.{noun} > limit]\n    logging.debug(\"{verb} %d {noun}s\", len(found))\n    \
             return {aspect}_of(found)\n"
        );
    }
    text
}

fn typescript(chance: &mut Chance, nouns: &[&str], name: &str) -> String {
    let (noun, aspect) = (chance.of(nouns), chance.of(&ASPECTS));
    let mut text = format!("import {{ {aspect}Of }} from './{noun}_{aspect}';\n\n// {name}\n");
    for _ in 0..2 + chance.below(3) {
        let (verb, noun, other) = (chance.of(&VERBS), chance.of(nouns), chance.of(nouns));
        let upper = format!("{}{}", noun[..1].to_uppercase(), &noun[1..]);
        let said = sentence(chance, nouns);
        let _ = write!(
            text,
            "\n/** {said} */\nexport function {verb}{upper}({other}: string[]): string[] {{\n  return \
             {other}.filter((one) => {aspect}Of(one).{noun} !== '');\n}}\n"
        );
    }
    text
}

fn go(chance: &mut Chance, domain: &str, nouns: &[&str]) -> String {
    let mut text = format!("package {domain}\n\nimport \"fmt\"\n");
    for _ in 0..2 + chance.below(3) {
        let (verb, noun, said) = (chance.of(&VERBS), chance.of(nouns), sentence(chance, nouns));
        let _ = write!(
            text,
            "\n// {said}\nfunc {verb}{noun}({noun} string) error {{\n\tif {noun} == \"\" {{\n\t\treturn \
             fmt.Errorf(\"no {noun} to {verb}\")\n\t}}\n\treturn nil\n}}\n"
        );
    }
    text
}

fn rust(chance: &mut Chance, nouns: &[&str]) -> String {
    let mut text = format!(
        "//! {}\n\nuse std::collections::HashMap;\n",
        sentence(chance, nouns)
    );
    for _ in 0..2 + chance.below(3) {
        let (verb, noun, said) = (chance.of(&VERBS), chance.of(nouns), sentence(chance, nouns));
        let _ = write!(
            text,
            "\n/// {said}\npub fn {verb}_{noun}({noun}s: &HashMap<String, u32>, limit: u32) -> usize {{\n    \
             {noun}s.values().filter(|{noun}| **{noun} > limit).count()\n}}\n"
        );
    }
    text
}

fn page(chance: &mut Chance, domain: &str, nouns: &[&str]) -> String {
    let mut text = format!("# {domain}: {}\n", chance.of(nouns));
    for _ in 0..3 + chance.below(8) {
        let _ = write!(text, "\n{}\n", sentence(chance, nouns));
    }
    text
}

/// How well a list of files answers a goal: which part of the right ones is in it, and which part of
/// it is right. An empty list has a precision of 1: it claims nothing.
pub fn quality(goal: &Goal, offered: &[String]) -> (f64, f64) {
    let hits = goal
        .right
        .iter()
        .filter(|right| offered.iter().any(|path| path == *right))
        .count();
    let share = |of: usize| {
        #[allow(clippy::cast_precision_loss, reason = "a handful of files")]
        let share = hits as f64 / of as f64;
        share
    };
    let precision = if offered.is_empty() {
        1.0
    } else {
        share(offered.len())
    };
    (share(goal.right.len()), precision)
}

//! Generates realistic repositories of any size, with goals whose relevant files are known.
//!
//! The goals' relevant files are written by hand (`fixtures/knowing.txt`). The rest is generated:
//! modules in four languages with imports, tests, documents and data. Twelve domains use the words
//! of the goals. Larger repositories get further domains with their own words, because real
//! vocabularies grow with the code. With only the twelve domains, a median of 33 of 10,000 files
//! would match a goal's words as well as its relevant file, and no search could tell them apart. In
//! four public repositories of 700 to 13,000 files, the median is 0 and the upper quartile is 3.
//! The same size always gives the same bytes. The generator doesn't depend on how the search ranks
//! files.

mod made;
mod words;

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use made::made;
use words::{Domain, domains};

/// A goal as a person would write it.
#[derive(Debug, Clone, Copy)]
pub struct Goal {
    /// The goal's text.
    pub text: &'static str,
    /// The files that have to be changed or read to reach the goal.
    pub right: &'static [&'static str],
}

/// The ten goals.
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

/// A deterministic random number generator, and functions that choose with it.
struct Chance<'a> {
    state: u64,
    domains: &'a [Domain],
}

impl<'a> Chance<'a> {
    fn below(&mut self, most: usize) -> usize {
        // Knuth's MMIX generator. Uses the high bits, which are more random than the low ones.
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.state >> 33).unwrap_or(0) % most
    }

    fn of<'w, W: AsRef<str>>(&mut self, words: &'w [W]) -> &'w str {
        words[self.below(words.len())].as_ref()
    }

    fn domain(&mut self) -> &'a Domain {
        &self.domains[self.below(self.domains.len())]
    }
}

/// Writes a repository with this many files.
///
/// # Errors
/// If a file cannot be written.
pub fn fill(root: &Path, files: usize) -> io::Result<()> {
    let mut taken = BTreeSet::new();
    for part in WRITTEN.split("=== ").filter(|part| !part.is_empty()) {
        let (path, text) = part.split_once('\n').unwrap_or((part, ""));
        put(root, path, text)?;
        taken.insert(path.to_owned());
    }
    let domains = domains(files);
    let mut chance = Chance {
        state: 20_261_122,
        domains: &domains,
    };
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

/// The recall and precision of a list of files for a goal. An empty list has a precision of 1,
/// since it claims nothing.
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

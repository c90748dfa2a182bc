//! What was said of earlier changes, and which files they touched: where a goal speaks as an earlier
//! change did, the work is often in the same files.
//!
//! Words of people about work are told here, not words of code: a subject says "sessions" where the file
//! says `Sess`. A change counts by the share of the goal's words that its subject has, each by its rarity
//! among the subjects; much for nearly all of them, next to nothing for one of several. The newer
//! counts more, and one that touched many files says little of each.

use std::collections::{BTreeMap, HashMap};

use super::query::told;

/// Begins a change in the written form.
const MARK: char = '\u{1}';
/// After so many changes one counts half.
const HALF: f64 = 500.0;
/// A goal whose words are less rare than this together says little by all of them.
const MIN_SAID: f64 = 5.0;
/// How steeply the share of common words counts.
const STEEPNESS: i32 = 3;

/// Earlier changes, the newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Past {
    changes: Vec<Change>,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Change {
    words: Vec<String>,
    files: Vec<String>,
}

impl Past {
    /// Takes a change in, older than those before: what was said of it, and its files.
    pub fn add(&mut self, subject: &str, files: Vec<String>) {
        let words = told(subject);
        if !words.is_empty() {
            self.changes.push(Change { words, files });
        }
    }

    /// As a text that [`Past::read`] reads.
    pub fn written(&self) -> String {
        let mut text = String::new();
        for change in &self.changes {
            text.push(MARK);
            text.push_str(&change.words.join(" "));
            for file in &change.files {
                text.push('\n');
                text.push_str(file);
            }
        }
        text
    }

    /// Reads what [`Past::written`] wrote.
    pub fn read(text: &str) -> Self {
        let changes = text.split(MARK).skip(1).map(|change| {
            let mut lines = change.lines();
            let words = lines.next().unwrap_or_default();
            Change {
                words: words.split(' ').map(str::to_owned).collect(),
                files: lines.map(str::to_owned).collect(),
            }
        });
        Self {
            changes: changes.collect(),
        }
    }

    /// The files that changes touched which a goal speaks like, with how much speaks for each: 1 is one
    /// change with all its words, just made.
    pub fn touched(&self, goal: &str) -> BTreeMap<&str, f64> {
        let goal = told(goal);
        let mut holding: HashMap<&str, usize> = goal.iter().map(|word| (&**word, 0)).collect();
        for word in self.changes.iter().flat_map(|change| &change.words) {
            if let Some(count) = holding.get_mut(&**word) {
                *count += 1;
            }
        }
        #[allow(clippy::cast_precision_loss, reason = "thousands of changes")]
        let rarity = |word: &str| {
            let count = holding.get(word).copied()?;
            Some((1.0 + self.changes.len() as f64 / (count as f64 + 0.5)).ln())
        };
        let whole: f64 = goal.iter().filter_map(|word| rarity(word)).sum();
        let mut touched: BTreeMap<&str, f64> = BTreeMap::new();
        for (age, change) in self.changes.iter().enumerate() {
            let common: f64 = change.words.iter().filter_map(|word| rarity(word)).sum();
            if common > 0.0 {
                #[allow(clippy::cast_precision_loss, reason = "thousands of changes")]
                let (age, files) = (age as f64, change.files.len() as f64);
                let alike = (common / whole.max(MIN_SAID)).powi(STEEPNESS);
                let one = alike / (1.0 + age / HALF) / files.sqrt();
                for file in &change.files {
                    *touched.entry(file).or_default() += one;
                }
            }
        }
        touched
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn past(changes: &[(&str, &[&str])]) -> Past {
        let mut past = Past::default();
        for (subject, files) in changes {
            past.add(
                subject,
                files.iter().map(|file| (*file).to_owned()).collect(),
            );
        }
        past
    }

    #[test]
    fn a_change_that_speaks_like_the_goal_tells_its_files() {
        let past = past(&[
            ("Fix the colour of links", &["ui/links.css"]),
            (
                "sessions: end after a day (#12)",
                &["auth/life.rs", "auth/store.rs"],
            ),
            ("Round the total of a session", &["shop/total.rs"]),
        ]);
        let touched = past.touched("A session should end after a day");
        let score = |file: &str| touched.get(file).copied().unwrap_or(0.0);
        assert!(
            score("auth/life.rs") > 5.0 * score("shop/total.rs"),
            "{touched:?}"
        );
        assert_eq!(score("ui/links.css"), 0.0);
        assert!(past.touched("").is_empty());
        assert!(past.touched("Fix it").values().all(|score| *score < 0.1));
    }

    #[test]
    fn newer_ones_and_small_ones_tell_more_and_the_written_form_holds_all() {
        let many: Vec<String> = (0..9).map(|at| format!("f{at}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let past = past(&[
            ("Sort rows", &["new"]),
            ("Sort rows", &["old"]),
            ("Sort rows", &many),
        ]);
        let touched = past.touched("Sort the rows");
        assert!(touched["new"] > touched["old"] && touched["old"] > 2.0 * touched["f1"]);
        assert_eq!(Past::read(&past.written()), past);
        assert_eq!(Past::read(""), Past::default());
    }
}

//! Descriptions of earlier changes and the files they touched: a goal worded like an earlier change
//! often concerns the same files.
//!
//! This matches the words that people use, which may differ from those in the code: a subject says
//! "sessions" where the file says `Sess`. A change is scored by the share of the goal's words in
//! its subject, weighted by their rarity among subjects; the score falls steeply as that share
//! drops. Newer changes count more, and a change that touched many files is weak evidence for each
//! of them.

use std::collections::{BTreeMap, HashMap};

use super::query::subject_words;

/// The character that marks the start of a change in the serialized form.
const MARK: char = '\u{1}';
/// Number of newer changes after which a change counts half as much.
const HALF_LIFE: f64 = 500.0;
/// Minimum total rarity of the goal's words; below it, matches aren't meaningful.
const MIN_RARITY: f64 = 5.0;
/// Exponent applied to the share of the goal's words that a change has.
const STEEPNESS: i32 = 3;

/// Earlier changes, newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChangeHistory {
    changes: Vec<Change>,
}

/// The words that describe a change, and the files that it touched.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Change {
    words: Vec<String>,
    files: Vec<String>,
}

impl ChangeHistory {
    /// Adds a change, given by its description and its files, that is older than those already
    /// added.
    pub fn add(&mut self, subject: &str, files: Vec<String>) {
        let words = subject_words(subject);
        if !words.is_empty() {
            self.changes.push(Change { words, files });
        }
    }

    /// Serializes the changes for [`ChangeHistory::read`].
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

    /// Parses the output of [`ChangeHistory::written`].
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

    /// The files touched by changes that are worded like the goal, each with a score. A file
    /// touched only by the most recent change scores 1 if that change has all of the goal's words.
    pub fn touched(&self, goal: &str) -> BTreeMap<&str, f64> {
        let goal = subject_words(goal);
        let mut holding: HashMap<&str, usize> = goal.iter().map(|word| (&**word, 0)).collect();
        for word in self.changes.iter().flat_map(|change| &change.words) {
            if let Some(count) = holding.get_mut(&**word) {
                *count += 1;
            }
        }
        #[allow(clippy::cast_precision_loss, reason = "only thousands of changes")]
        let rarity = |word: &str| {
            let count = holding.get(word).copied()?;
            Some((1.0 + self.changes.len() as f64 / (count as f64 + 0.5)).ln())
        };
        let whole: f64 = goal.iter().filter_map(|word| rarity(word)).sum();
        let mut touched: BTreeMap<&str, f64> = BTreeMap::new();
        for (age, change) in self.changes.iter().enumerate() {
            let common: f64 = change.words.iter().filter_map(|word| rarity(word)).sum();
            if common > 0.0 {
                #[allow(clippy::cast_precision_loss, reason = "only thousands of changes")]
                let (age, files) = (age as f64, change.files.len() as f64);
                let alike = (common / whole.max(MIN_RARITY)).powi(STEEPNESS);
                let one = alike / (1.0 + age / HALF_LIFE) / files.sqrt();
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

    fn past(changes: &[(&str, &[&str])]) -> ChangeHistory {
        let mut past = ChangeHistory::default();
        for (subject, files) in changes {
            past.add(
                subject,
                files.iter().map(|file| (*file).to_owned()).collect(),
            );
        }
        past
    }

    #[test]
    fn similar_changes_suggest_their_files() {
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
    fn newer_and_smaller_changes_count_more() {
        let many: Vec<String> = (0..9).map(|at| format!("f{at}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let past = past(&[
            ("Sort rows", &["new"]),
            ("Sort rows", &["old"]),
            ("Sort rows", &many),
        ]);
        let touched = past.touched("Sort the rows");
        assert!(touched["new"] > touched["old"] && touched["old"] > 2.0 * touched["f1"]);
        assert_eq!(ChangeHistory::read(&past.written()), past);
        assert_eq!(ChangeHistory::read(""), ChangeHistory::default());
    }
}

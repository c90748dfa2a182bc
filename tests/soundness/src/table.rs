//! Counts over many histories.

use std::collections::BTreeMap;

use crate::edits::Edit;

/// Counts of one or more histories.
#[derive(Debug, Default, Clone)]
pub struct Counts {
    /// Histories played.
    pub histories: usize,
    /// Histories with a run that ended as done.
    pub done: usize,
    /// Calls and checks executed.
    pub effects: usize,
    /// Questions that the runs asked.
    pub questions: usize,
    /// Processes that crashed.
    pub crashes: usize,
    /// Journals that lost their last entries.
    pub losses: usize,
    /// Violations found by the oracle.
    pub violations: usize,
    /// Edits by other programs, by kind.
    pub edits: BTreeMap<Edit, usize>,
}

impl Counts {
    /// Counts an edit.
    pub fn edited(&mut self, edit: Edit) {
        *self.edits.entry(edit).or_default() += 1;
    }

    /// Adds the counts of other histories.
    pub fn add(&mut self, other: &Self) {
        self.histories += other.histories;
        self.done += other.done;
        self.effects += other.effects;
        self.questions += other.questions;
        self.crashes += other.crashes;
        self.losses += other.losses;
        self.violations += other.violations;
        for (edit, count) in &other.edits {
            *self.edits.entry(*edit).or_default() += count;
        }
    }

    /// The counts as a table.
    pub fn text(&self, seconds: f64) -> String {
        let mut text = rows(&[
            ("histories", self.histories),
            ("  that end with every step done", self.done),
            ("effects", self.effects),
            ("questions", self.questions),
            ("crashes", self.crashes),
            ("lost ends of a journal", self.losses),
            ("edits by others", self.edits.values().sum()),
        ]);
        for (edit, count) in &self.edits {
            text.push_str(&format!("  {:<34}{count:>10}\n", format!("{edit:?}")));
        }
        text.push_str(&rows(&[("violations", self.violations)]));
        text.push_str(&format!("{:<36}{seconds:>10.1}\n", "seconds"));
        text
    }
}

/// Formats rows of a table.
pub fn rows(rows: &[(&str, usize)]) -> String {
    let rows = rows
        .iter()
        .map(|(name, count)| format!("{name:<36}{count:>10}\n"));
    rows.collect()
}

//! Counts over many real histories.

use std::collections::BTreeMap;

use super::record::Damage;
use crate::edits::Edit;
use crate::table::rows;

/// Counts of one or more histories.
#[derive(Debug, Default, Clone)]
pub struct Counts {
    /// Histories played.
    pub histories: usize,
    /// Histories with a run that ended as done.
    pub done: usize,
    /// Processes started to carry out a run.
    pub processes: usize,
    /// Processes that were killed.
    pub kills: usize,
    /// Second processes that were started while a run was open.
    pub barred: usize,
    /// Commands that logged that they ran.
    pub effects: usize,
    /// Questions that the processes asked.
    pub questions: usize,
    /// Violations found by the oracle.
    pub violations: usize,
    /// Damaged databases, by kind.
    pub damages: BTreeMap<Damage, usize>,
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
        self.processes += other.processes;
        self.kills += other.kills;
        self.barred += other.barred;
        self.effects += other.effects;
        self.questions += other.questions;
        self.violations += other.violations;
        for (damage, count) in &other.damages {
            *self.damages.entry(*damage).or_default() += count;
        }
        for (edit, count) in &other.edits {
            *self.edits.entry(*edit).or_default() += count;
        }
    }

    /// The counts as a table.
    pub fn text(&self, seconds: f64) -> String {
        let mut text = rows(&[
            ("histories of real processes", self.histories),
            ("  that end with every step done", self.done),
            ("processes", self.processes),
            ("  killed", self.kills),
            ("  begun while a run was open", self.barred),
            ("effects", self.effects),
            ("questions", self.questions),
            ("damaged databases", self.damages.values().sum()),
        ]);
        for (damage, count) in &self.damages {
            text.push_str(&format!("  {:<34}{count:>10}\n", format!("{damage:?}")));
        }
        text.push_str(&rows(&[("edits by others", self.edits.values().sum())]));
        for (edit, count) in &self.edits {
            text.push_str(&format!("  {:<34}{count:>10}\n", format!("{edit:?}")));
        }
        text.push_str(&rows(&[("violations", self.violations)]));
        text.push_str(&format!("{:<36}{seconds:>10.1}\n", "seconds"));
        text
    }
}

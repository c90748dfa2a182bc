//! Counts over many histories, and the table that shows them.

use soundness::table::rows;

use crate::change_gate::GateCounts;
use crate::record::{Answer, Place, Record, Verdict};

/// Counts of one or more histories.
#[derive(Debug, Default, Clone)]
pub struct Counts {
    /// Histories played.
    pub histories: usize,
    /// Reviews that agents asked for.
    pub reviews: usize,
    /// Reviews that were approved.
    pub approved: usize,
    /// Reviews for which an agent received requested changes.
    pub changes: usize,
    /// Decisions in the window that were accepted.
    pub decisions: usize,
    /// Decisions in the window that were refused.
    pub refused: usize,
    /// Approvals given in editors.
    pub editors: usize,
    /// Approvals stored in the databases.
    pub stored: usize,
    /// Runs that were started.
    pub runs: usize,
    /// Files changed by runs.
    pub files: usize,
    /// Hooks that were killed.
    pub kills: usize,
    /// Windows that were restarted.
    pub restarts: usize,
    /// Calls of MCP tools by agents.
    pub calls: usize,
    /// Results of the changes that agents tried to make.
    pub gate: GateCounts,
    /// Violations found by the oracles.
    pub violations: usize,
}

impl Counts {
    /// Adds what was recorded in one history.
    pub(crate) fn count(&mut self, record: &Record, violations: &[String]) {
        self.histories += 1;
        self.reviews += record.asks.iter().filter(|ask| ask.asked.is_some()).count();
        for ask in &record.asks {
            let got = |is_it: fn(&Answer) -> bool| {
                usize::from(ask.answers.iter().any(|(_, answer)| is_it(answer)))
            };
            self.approved += got(|answer| matches!(answer, Answer::Approved(_)));
        }
        for one in &record.decisions {
            let counted = match (one.place, one.is_accepted) {
                (Place::Editor, _) => &mut self.editors,
                (Place::Window, true) => &mut self.decisions,
                (Place::Window, false) => &mut self.refused,
            };
            *counted += 1;
            let is_change = matches!(one.verdict, Verdict::Change(_));
            self.changes += usize::from(is_change && one.told > 0);
        }
        self.stored += record.approvals.len();
        self.runs += record.runs.len();
        self.files += record.changed.len();
        self.calls += record.said.len();
        self.violations += violations.len();
    }

    /// Adds the counts of one history of the gate for changes.
    pub(crate) fn add_gate(&mut self, gate: GateCounts, violations: usize) {
        self.gate.changes += gate.changes;
        self.gate.allowed += gate.allowed;
        self.gate.refused += gate.refused;
        self.gate.replies += gate.replies;
        self.violations += violations;
    }

    /// Adds the counts of other histories.
    pub fn add(&mut self, other: &Self) {
        let counts = [
            (&mut self.histories, other.histories),
            (&mut self.reviews, other.reviews),
            (&mut self.approved, other.approved),
            (&mut self.changes, other.changes),
            (&mut self.decisions, other.decisions),
            (&mut self.refused, other.refused),
            (&mut self.editors, other.editors),
            (&mut self.stored, other.stored),
            (&mut self.runs, other.runs),
            (&mut self.files, other.files),
            (&mut self.kills, other.kills),
            (&mut self.restarts, other.restarts),
            (&mut self.calls, other.calls),
            (&mut self.violations, other.violations),
        ];
        for (count, more) in counts {
            *count += more;
        }
        self.add_gate(other.gate, 0);
    }

    /// Formats the counts as a table.
    pub fn text(&self, seconds: f64) -> String {
        let table = rows(&[
            ("histories of the entrances", self.histories),
            ("reviews asked for by agents", self.reviews),
            ("  approved", self.approved),
            ("  with requested changes", self.changes),
            ("decisions in the window", self.decisions),
            ("  refused", self.refused),
            ("approvals in an editor", self.editors),
            ("stored approvals", self.stored),
            ("runs", self.runs),
            ("files changed by runs", self.files),
            ("calls of MCP tools", self.calls),
            ("hooks killed", self.kills),
            ("windows restarted", self.restarts),
            ("changes that an agent wanted", self.gate.changes),
            ("  allowed", self.gate.allowed),
            ("  refused", self.gate.refused),
            ("answers about changes", self.gate.replies),
            ("violations", self.violations),
        ]);
        format!("{table}{:<36}{seconds:>10.1}\n", "seconds")
    }
}

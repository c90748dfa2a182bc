//! Adequacy: expanding a plan in bounded rounds, the one open question about it, and Insights.

use adequacy::expansion::Change;
use serde::{Deserialize, Serialize};
use specta::Type;

use super::{Badge, DiffLine};

/// A summary of a plan's adequacy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct Standing {
    /// The badge: a word and a number.
    pub badge: Badge,
    /// Whether the plan is too thin to run with confidence.
    pub is_too_thin: bool,
    /// Mean risk of its steps, 0 to 100.
    pub risk: u32,
    /// Number of tasks.
    pub tasks: u32,
}

/// The changes that expanding a plan would make. Nothing has been written yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ExpansionView {
    /// The plan's key.
    pub plan: String,
    /// The revision that was expanded.
    pub revision: String,
    /// Why the expansion ended, in one sentence.
    pub stopped_because: String,
    /// The plan before the expansion.
    pub before: Standing,
    /// The plan with every proposed change.
    pub after: Standing,
    /// Whether score, verdict or risk improved by more than noise.
    pub improved: bool,
    /// All rounds, including rejected ones.
    pub rounds: Vec<ExpansionRound>,
    /// The changes of the best state found; each can be accepted or rejected.
    pub changes: Vec<ExpansionChange>,
}

/// One round of an expansion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ExpansionRound {
    /// The round's number, from 1.
    pub number: u32,
    /// Whether its result was kept.
    pub is_accepted: bool,
    /// What the round did, or why it was rejected, in one sentence.
    pub message: String,
    /// The plan before the round.
    pub before: Standing,
    /// The plan after the round.
    pub after: Standing,
}

/// One change that an expansion proposes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ExpansionChange {
    /// The change, with the changes it requires. Requests name it by its `id` in `chosen`.
    #[serde(flatten)]
    pub change: Change,
    /// The diff of this change alone.
    pub diff: Vec<DiffLine>,
}

/// A preview of the plan with the chosen changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ExpansionPreview {
    /// The diff.
    pub diff: Vec<DiffLine>,
    /// Number of tasks after the changes.
    pub tasks: u32,
    /// Adequacy after the changes.
    pub after: Standing,
}

/// The open question about a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct PlanQuestion {
    /// The question's id; an answer has to name it.
    pub id: String,
    /// The plan's key.
    pub plan: String,
    /// The question.
    pub question: String,
    /// Why it matters, in one sentence.
    pub stakes: String,
    /// The possible answers, each with its effect on the plan.
    pub options: Vec<PlanOption>,
    /// Index of the option to use if nobody answers.
    pub default: u32,
}

/// A possible answer to a question about a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct PlanOption {
    /// The text to choose.
    pub label: String,
    /// The effect on the plan.
    pub consequence: String,
}

/// How plans changed over time: adequacy by revision, results of expansions, and how findings were
/// resolved.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Type)]
pub struct Insights {
    /// Adequacy by revision, oldest first; bounded.
    pub points: Vec<InsightPoint>,
    /// Expansions, newest first; bounded.
    pub expansions: Vec<InsightExpansion>,
    /// Findings by code, most often resolved first.
    pub findings: Vec<InsightFinding>,
    /// Number of older points that were left out.
    pub more: u32,
    /// How carefully approvals were read. Shown only to the user.
    pub approvals: InsightApprovals,
}

/// Statistics on how long plans were on screen before approval, which show whether they are read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Type)]
pub struct InsightApprovals {
    /// All approvals, including those given in the terminal.
    pub given: u32,
    /// Approvals with a known time on screen.
    pub timed: u32,
    /// Median time on screen in milliseconds; `None` if no time is known.
    pub usual_ms: Option<u32>,
    /// Approvals given in under two seconds.
    pub quick: u32,
    /// Approvals given in under two seconds, among the last ten with a known time.
    pub quick_lately: u32,
}

/// The adequacy of one revision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct InsightPoint {
    /// The plan's key.
    pub plan: String,
    /// The plan's display path.
    pub path: String,
    /// The revision.
    pub revision: String,
    /// When it was first scored.
    pub at_ms: i64,
    /// Who wrote it: `person`, `model`, `app` or `outside`.
    pub author: String,
    /// The score, 0 to 100.
    pub score: u32,
    /// Mean risk of its steps, 0 to 100.
    pub risk: u32,
    /// Number of tasks.
    pub tasks: u32,
    /// The badge's word: `empty`, `outline`, `thin`, `overgrown`, `fair` or `adequate`.
    pub badge: String,
    /// Whether the plan is too thin to run with confidence.
    pub is_too_thin: bool,
}

/// One expansion, with the plan before and after it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct InsightExpansion {
    /// The plan's key.
    pub plan: String,
    /// The plan's display path.
    pub path: String,
    /// When it ran.
    pub at_ms: i64,
    /// The status it ended with.
    pub status: String,
    /// Why it ended.
    pub stop_reason: String,
    /// Number of rounds.
    pub rounds: u32,
    /// Score before the expansion, 0 to 100.
    pub score_before: u32,
    /// Score after the expansion, 0 to 100.
    pub score_after: u32,
    /// Number of tasks before the expansion.
    pub tasks_before: u32,
    /// Number of tasks after the expansion.
    pub tasks_after: u32,
    /// Number of changes the user accepted.
    pub accepted: u32,
    /// Number of changes it proposed.
    pub offered: u32,
    /// Whether the plan improved by more than noise.
    pub improved: bool,
}

/// How people resolved findings of one code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct InsightFinding {
    /// The finding code.
    pub code: String,
    /// Number of times a fix was applied.
    pub fixed: u32,
    /// Number of times a finding was muted.
    pub muted: u32,
    /// Number of times a plan was approved despite such a finding, with a reason.
    pub overridden: u32,
    /// Number of findings in the latest scored revisions that are neither fixed nor muted.
    pub open: u32,
}

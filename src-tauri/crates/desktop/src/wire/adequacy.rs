//! Adequacy: growing a plan in bounded rounds, the one open question about it, and how plans fared.

use adequacy::expansion::Change;
use serde::{Deserialize, Serialize};
use specta::Type;

use super::{Badge, DiffLine};

/// How adequate a plan is, in a few numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct Standing {
    /// Word and number.
    pub badge: Badge,
    /// Whether it is too thin to be carried out with confidence.
    pub is_too_thin: bool,
    /// Mean doubt about its steps, of 100.
    pub risk: u32,
    /// How many tasks it has.
    pub tasks: u32,
}

/// What the bounded loop proposes for a plan. Nothing of it is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ExpansionView {
    /// The plan's key.
    pub plan: String,
    /// The revision that it was grown from.
    pub revision: String,
    /// Why the loop ended, as a sentence.
    pub stopped_because: String,
    /// The plan as it is.
    pub before: Standing,
    /// The plan with all changes.
    pub after: Standing,
    /// Whether score, verdict or doubt became better by more than noise.
    pub improved: bool,
    /// The rounds, refused ones too.
    pub rounds: Vec<ExpansionRound>,
    /// The changes of the best state, each of which can be taken or left.
    pub changes: Vec<ExpansionChange>,
}

/// One round of the loop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ExpansionRound {
    /// From 1.
    pub number: u32,
    /// Whether its result was kept.
    pub is_accepted: bool,
    /// One sentence: what it did, or why it was refused.
    pub message: String,
    /// The plan before it.
    pub before: Standing,
    /// The plan as the round left it.
    pub after: Standing,
}

/// One change that an expansion proposes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ExpansionChange {
    /// What it does, and what it needs; `id` is what `chosen` names.
    #[serde(flatten)]
    pub change: Change,
    /// The lines of this change alone.
    pub diff: Vec<DiffLine>,
}

/// What the chosen changes make of the plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ExpansionPreview {
    /// The lines.
    pub diff: Vec<DiffLine>,
    /// How many tasks there would be.
    pub tasks: u32,
    /// How adequate the plan would be.
    pub after: Standing,
}

/// The one question that is open about a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct PlanQuestion {
    /// What an answer names.
    pub id: String,
    /// The plan's key.
    pub plan: String,
    /// What is asked.
    pub question: String,
    /// What hangs on it, one sentence.
    pub stakes: String,
    /// The answers, each with what becomes of the plan.
    pub options: Vec<PlanOption>,
    /// The index of the answer that is taken when nobody answers.
    pub default: u32,
}

/// An answer to a question about a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct PlanOption {
    /// What the person picks.
    pub label: String,
    /// What becomes of the plan.
    pub consequence: String,
}

/// How plans fared: over their revisions, through expansions, and which findings people settle how.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Type)]
pub struct Insights {
    /// Adequacy by revision, the oldest first; bounded.
    pub points: Vec<InsightPoint>,
    /// Expansions, the newest first; bounded.
    pub expansions: Vec<InsightExpansion>,
    /// Findings by code, those that people settled most often first.
    pub findings: Vec<InsightFinding>,
    /// How many older points there are.
    pub more: u32,
    /// How approvals were given, for the person alone to see.
    pub approvals: InsightApprovals,
}

/// Whether approvals are still read: how many there were, and how long they were on screen.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Type)]
pub struct InsightApprovals {
    /// All of them, also those given in the terminal.
    pub given: u32,
    /// Those of which it is known how long they were on screen.
    pub timed: u32,
    /// The time that half of those stayed below, in milliseconds; absent where none is known.
    pub usual_ms: Option<u32>,
    /// Those in under two seconds.
    pub quick: u32,
    /// Those in under two seconds of the last ten that are known.
    pub quick_lately: u32,
}

/// The adequacy of one revision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct InsightPoint {
    /// The plan's key.
    pub plan: String,
    /// Its path as it is shown.
    pub path: String,
    /// The revision.
    pub revision: String,
    /// When it was first judged.
    pub at_ms: i64,
    /// `person`, `model`, `app` or `outside`.
    pub author: String,
    /// 0 to 100.
    pub score: u32,
    /// Mean doubt about its steps, of 100.
    pub risk: u32,
    /// How many tasks it has.
    pub tasks: u32,
    /// `empty`, `outline`, `thin`, `overgrown`, `fair` or `adequate`.
    pub badge: String,
    /// Whether it is too thin.
    pub is_too_thin: bool,
}

/// One expansion, before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct InsightExpansion {
    /// The plan's key.
    pub plan: String,
    /// Its path as it is shown.
    pub path: String,
    /// When.
    pub at_ms: i64,
    /// Where the loop ended.
    pub status: String,
    /// Why it ended.
    pub stop_reason: String,
    /// How many rounds.
    pub rounds: u32,
    /// 0 to 100.
    pub score_before: u32,
    /// 0 to 100.
    pub score_after: u32,
    /// How many tasks.
    pub tasks_before: u32,
    /// How many tasks.
    pub tasks_after: u32,
    /// How many of its changes were taken into the plan.
    pub accepted: u32,
    /// How many it offered.
    pub offered: u32,
    /// Whether the plan became better by more than noise.
    pub improved: bool,
}

/// What people did about findings of one code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct InsightFinding {
    /// The code.
    pub code: String,
    /// How often one was mended by its fix.
    pub fixed: u32,
    /// How often one was muted.
    pub muted: u32,
    /// How often a plan was approved in spite of it, with a reason.
    pub overridden: u32,
    /// How many stand in the newest judged revisions, neither mended nor muted.
    pub open: u32,
}

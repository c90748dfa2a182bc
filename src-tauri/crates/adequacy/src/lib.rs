//! Whether a plan is good enough to carry out, and if not, why and where.
//!
//! [`check`] reads one parsed plan and gives a [`Report`]: score, badge, verdict, and a
//! [`Finding`] for every reason. [`gate::blocks`] says why one step must not be carried out as it
//! stands. [`WorkspaceFacts`] is all that either may know about the workspace.
//!
//! **Architecture invariants.** Never does IO; knows no clock, no randomness, no locale. The same
//! input gives the same report, byte for byte. A fact that is missing raises nothing. No number
//! without a finding that explains it. Never writes a plan: a [`Fix`] is data for someone who does.
//!
#![doc = include_str!("../SIGNALS.md")]

pub mod asking;
mod base;
mod binding;
mod check;
mod code;
mod commands;
mod coverage;
mod danger;
mod dangers;
mod dimensions;
pub mod expansion;
mod facts;
mod finals;
mod fixes;
pub mod gate;
pub mod goal;
mod hints;
mod identity;
mod idle;
mod maps;
mod mend;
mod mute;
mod near;
mod open_questions;
mod order;
mod oversized;
mod parallel;
mod path_rules;
mod phrasing;
mod places;
mod plan_fixes;
mod plan_rules;
mod problems;
mod proof;
mod questions;
pub mod rarity;
mod reach;
mod reading;
mod reasons;
mod recovery;
mod regression;
mod release;
mod report;
mod size;
mod surplus;
pub mod symbols;
mod task_fixes;
mod task_rules;
mod terms;
mod text;
mod vague;
mod verbs;
mod words;

pub use check::check;
pub use code::{Badge, Code, Severity};
pub use dimensions::{Dimension, DimensionName, Missing, most_missing};
pub use facts::WorkspaceFacts;
pub use mend::{Fix, Mend, made_on};
pub use report::{CheckInput, Finding, Reason, Report, WantedReport};
pub use size::PlanDepth;
pub use terms::stems;

//! Checks whether a plan is good enough to carry out, and if not, why and where.
//!
//! [`check()`] evaluates a parsed plan and returns a [`Report`]: score, badge, verdict, and a
//! [`Finding`] for every reason. [`step_gate::blocks`] says why a step must not be carried out as
//! it is. Both know about the workspace only what [`WorkspaceFacts`] contains.
//!
//! **Architecture invariants.** This crate does no IO and uses no clock, randomness or locale. The
//! same input gives the same report, byte for byte. A missing fact raises no finding. A finding
//! explains every number. The crate never writes a plan: a [`Fix`] is data for the caller to apply.
#![doc = include_str!("../SIGNALS.md")]

mod check;
pub mod clarification;
mod code;
mod commands;
mod coverage;
mod danger;
mod destructive_steps;
mod dimensions;
pub mod expansion;
mod facts;
mod finding_questions;
mod fixes;
mod fuzzy;
pub mod goal;
mod hints;
mod identity;
mod idle;
mod mend;
mod mute;
mod open_questions;
mod order;
mod outdated_base;
mod oversized;
mod parallel;
mod path_rules;
mod plan_context;
mod plan_fixes;
mod plan_rules;
mod prerequisites;
mod problems;
pub mod rarity;
mod reasons;
mod regression;
mod release;
mod release_steps;
mod repeated_phrasing;
mod report;
mod safeguards;
mod size;
mod spans;
pub mod step_gate;
mod surplus;
pub mod symbols;
mod task_fixes;
mod task_rules;
mod task_text;
mod terms;
mod unbound_verification;
mod vague;
mod verbs;
mod verification;
mod word_lists;

pub use check::check;
pub use code::{Badge, Code, Severity};
pub use dimensions::{Dimension, DimensionName, Missing, most_missing};
pub use facts::WorkspaceFacts;
pub use mend::{Fix, Mend, made_on};
pub use report::{CheckInput, Finding, Reason, Report, RequirementReport};
pub use size::PlanDepth;
pub use terms::stems;

//! Tests that each finding is raised for one plan and not for a similar one, and tests of the
//! report as a whole.

mod build;
mod destructive_steps;
mod false_positives;
mod fixes;
mod gate;
mod graph;
mod hollow;
mod invariants;
mod order;
mod plans;
mod report;
mod requirements;
mod seed_rules;
mod steps;
mod unbound_verification;
mod workspace;

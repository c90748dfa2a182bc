//! Each signal is raised by one plan and not by a similar one. Also tests properties of the whole
//! report.

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

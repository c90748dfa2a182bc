//! Each signal raised by one plan and not by its neighbour, and the promises of the whole report.

mod believable;
mod binding;
mod build;
mod dangers;
mod fixes;
mod gate;
mod graph;
mod hollow;
mod order;
mod plans;
mod promises;
mod report;
mod requirements;
mod seed_rules;
mod steps;
mod workspace;

//! What a plan has earned: coverage, substance, checks, order and safety, each 0 to 1.
//!
//! A score that begins at its best and only loses says the best of a plan that says nothing; so each point is
//! earned here first. The four are combined as a weighted geometric mean, so that none makes up for
//! another that is empty. What cannot be known (no goal and no list of requirements) takes no part.

mod checks;
mod substance;

use crate::coverage::Coverage;
use crate::reading::Reading;

/// How much each counts. Chosen on real plans: see `cargo xtask eval --adequacy --corpus`.
const COVERAGE: f64 = 0.5;
const SUBSTANCE: f64 = 0.3;
const CHECKS: f64 = 0.2;
/// The least that each counts as, so that one empty dimension leaves a difference between two plans.
const LEAST_COVERAGE: f64 = 0.03;
const LEAST_SUBSTANCE: f64 = 0.01;
const LEAST_CHECKS: f64 = 0.2;

/// The dimensions of one plan.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dimensions {
    /// Share of what is wanted that the steps do; `None` where nothing is known to be wanted.
    pub(crate) coverage: Option<f64>,
    /// What the steps say beyond words that could stand in any plan.
    pub(crate) substance: f64,
    /// Share of the changes that a check could find wrong.
    pub(crate) checks: f64,
}

impl Dimensions {
    pub(crate) fn of(reading: &Reading<'_>, coverage: &Coverage) -> Self {
        Self {
            coverage: coverage.earned,
            substance: substance::of(reading),
            checks: checks::of(reading),
        }
    }

    /// All of them together, 0 to 1.
    pub(crate) fn earned(self) -> f64 {
        let coverage = self.coverage.map(|share| (share.max(LEAST_COVERAGE), COVERAGE));
        let parts = [
            (self.substance.max(LEAST_SUBSTANCE), SUBSTANCE),
            (self.checks.max(LEAST_CHECKS), CHECKS),
        ];
        let parts: Vec<(f64, f64)> = parts.into_iter().chain(coverage).collect();
        let weight: f64 = parts.iter().map(|(_, weight)| weight).sum();
        let logs: f64 = parts.iter().map(|(share, weight)| share.ln() * weight).sum();
        (logs / weight).exp()
    }
}

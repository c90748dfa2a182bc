//! The four dimensions of a plan's score: coverage, substance, checks and order, each from 0 to 1,
//! with an explanation and the best improvement.
//!
//! Points are earned rather than deducted: a score that starts at its maximum would rate an empty
//! plan highest. The dimensions are combined as a weighted geometric mean, so that a high value in
//! one can't make up for a zero in another. Unknown dimensions (no goal and no list of
//! requirements) are left out. Serious findings scale the score down rather than cutting it off, so
//! that plans with such findings still get different scores.

mod checks;
mod order;
mod restated;
mod substance;
mod units;

pub(crate) use checks::{has_check, runs_command, shows_command};
use serde::Serialize;
pub(crate) use substance::Substance;

use crate::code::Code;
use crate::coverage::Coverage;
use crate::plan_context::PlanContext;
use crate::report::Finding;

/// Weights of the dimensions, tuned on real plans with `cargo xtask eval --adequacy --corpus`.
const COVERAGE: f64 = 0.6;
const SUBSTANCE: f64 = 0.17;
const CHECKS: f64 = 0.15;
const ORDER: f64 = 0.08;
/// Lower bounds of the dimensions, so that plans with one empty dimension still get different
/// scores.
const MIN_COVERAGE: f64 = 0.02;
const MIN_SUBSTANCE: f64 = 0.08;
const MIN_CHECKS: f64 = 0.2;
const MIN_ORDER: f64 = 0.05;

/// Below this substance, a plan is an outline: its steps say what to do but not how.
const OUTLINE: f64 = 0.23;
/// Minimum value of each dimension for the adequate badge.
const ENOUGH_COVERAGE: f64 = 0.5;
const ENOUGH_SUBSTANCE: f64 = 0.4;
const ENOUGH_CHECKS: f64 = 0.5;
const ENOUGH_ORDER: f64 = 0.7;

/// The name of a dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DimensionName {
    /// Whether the steps do what the goal and the requirements ask for.
    Coverage,
    /// Whether the steps contain details specific to this plan.
    Substance,
    /// Whether changes are checked.
    Checks,
    /// Whether steps come after their prerequisites and destructive steps have safeguards.
    Order,
}

impl DimensionName {
    /// The name used in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Coverage => "coverage",
            Self::Substance => "substance",
            Self::Checks => "checks",
            Self::Order => "order",
        }
    }
}

/// One dimension of a plan's score, with its explanation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Dimension {
    /// The dimension's name.
    pub name: DimensionName,
    /// Its value, 0 to 1; `None` if unknown.
    pub share: Option<f64>,
    /// The reason for the value, in one sentence.
    pub credited: String,
    /// The change that would increase the value most; `None` if nothing is missing.
    pub missing: Option<Missing>,
}

/// A change that would raise the score.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Missing {
    /// Line of the step concerned, starting at 1; `None` for the plan as a whole.
    pub line: Option<u32>,
    /// What to do, in one sentence.
    pub message: String,
    /// How much the score would increase, 0 to 1.
    pub adds: f64,
}

/// The dimensions of one plan.
#[derive(Debug, Clone)]
pub(crate) struct Dimensions(Vec<Dimension>);

impl Dimensions {
    pub(crate) fn of(
        context: &PlanContext<'_>,
        coverage: &Coverage,
        substance: &Substance,
        findings: &[Finding],
    ) -> Self {
        Self(vec![
            coverage.dimension(),
            substance.dimension.clone(),
            checks::of(context),
            order::of(findings),
        ])
    }

    pub(crate) fn share(&self, name: DimensionName) -> Option<f64> {
        let mut all = self.0.iter();
        all.find(|one| one.name == name).and_then(|one| one.share)
    }

    pub(crate) fn into_list(self) -> Vec<Dimension> {
        self.0
    }

    /// Weighted geometric mean of all known dimensions, 0 to 1.
    pub(crate) fn earned(&self) -> f64 {
        let (mut logs, mut weights) = (0.0, 0.0);
        for one in &self.0 {
            let Some(share) = one.share else { continue };
            let (least, weight) = match one.name {
                DimensionName::Coverage => (MIN_COVERAGE, COVERAGE),
                DimensionName::Substance => (MIN_SUBSTANCE, SUBSTANCE),
                DimensionName::Checks => (MIN_CHECKS, CHECKS),
                DimensionName::Order => (MIN_ORDER, ORDER),
            };
            logs += share.max(least).ln() * weight;
            weights += weight;
        }
        (logs / weights).exp()
    }

    /// Whether the steps say what to do, but not how.
    pub(crate) fn is_outline(&self) -> bool {
        self.share(DimensionName::Substance)
            .is_some_and(|share| share < OUTLINE)
    }

    /// Converts each dimension's possible gain into a gain of the score. `rest` is the factor
    /// applied to the combined dimensions.
    pub(crate) fn scale_missing(&mut self, rest: f64) {
        let now = self.earned();
        for at in 0..self.0.len() {
            let mut improved = self.clone();
            let Dimension {
                share: Some(share),
                missing: Some(missing),
                ..
            } = &mut improved.0[at]
            else {
                continue;
            };
            *share = (*share + missing.adds).min(1.0);
            let adds = (improved.earned() - now) * rest;
            if let Some(missing) = &mut self.0[at].missing {
                missing.adds = adds;
            }
        }
    }

    /// Whether every dimension reaches the minimum for the adequate badge.
    pub(crate) fn meet_minimums(&self) -> bool {
        self.0.iter().all(|one| {
            let enough = match one.name {
                DimensionName::Coverage => ENOUGH_COVERAGE,
                DimensionName::Substance => ENOUGH_SUBSTANCE,
                DimensionName::Checks => ENOUGH_CHECKS,
                DimensionName::Order => ENOUGH_ORDER,
            };
            // Without known requirements, a plan can't be shown to meet them.
            let is_needed = one.name == DimensionName::Coverage;
            one.share.map_or(!is_needed, |share| share >= enough)
        })
    }
}

/// The change that would raise the score most.
pub fn most_missing(dimensions: &[Dimension]) -> Option<&Missing> {
    let all = dimensions.iter().filter_map(|one| one.missing.as_ref());
    all.max_by(|one, other| one.adds.total_cmp(&other.adds))
}

/// Factor on the score that keeps it below a maximum when there are serious findings.
pub(crate) fn cap(findings: &[Finding]) -> f64 {
    const NO_STEPS: f64 = 0.0;
    const CYCLE: f64 = 0.3;
    const CRITICAL: f64 = 0.6;
    const UNCOVERED: f64 = 0.84;
    let of_finding = findings.iter().map(|finding| match finding.code {
        Code::NoTasks => NO_STEPS,
        Code::Problem(plan::ProblemCode::Cycle) => CYCLE,
        _ if finding.severity == crate::code::Severity::Critical => CRITICAL,
        Code::UncoveredRequirement => UNCOVERED,
        _ => 1.0,
    });
    of_finding.fold(1.0, f64::min)
}

/// The mean; 0 for an empty slice.
fn mean(shares: &[f64]) -> f64 {
    // The sum of an empty slice would be -0.
    match shares.len() {
        0 => 0.0,
        count => shares.iter().sum::<f64>() / count as f64,
    }
}

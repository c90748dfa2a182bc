//! What a plan has earned: coverage, substance, checks, order and safety, each 0 to 1, each with what it was
//! credited for and what would add most.
//!
//! A score that begins at its best and only loses says the best of a plan that says nothing; so each point is
//! earned here first. The four are combined as a weighted geometric mean, so that none makes up for
//! another that is empty. What cannot be known (no goal and no list of requirements) takes no part.
//! What must not be missed scales the score down as a whole, so that plans stay apart below its cap.

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
use crate::reading::Reading;
use crate::report::Finding;

/// How much each counts. Chosen on real plans: see `cargo xtask eval --adequacy --corpus`.
const COVERAGE: f64 = 0.6;
const SUBSTANCE: f64 = 0.17;
const CHECKS: f64 = 0.15;
const ORDER: f64 = 0.08;
/// The least that each counts as, so that one empty dimension leaves a difference between two plans.
const MIN_COVERAGE: f64 = 0.02;
const MIN_SUBSTANCE: f64 = 0.08;
const MIN_CHECKS: f64 = 0.2;
const MIN_ORDER: f64 = 0.05;

/// Below, the steps say what, not how: an outline.
const OUTLINE: f64 = 0.23;
/// What each must have reached for a plan to be adequate.
const ENOUGH_COVERAGE: f64 = 0.5;
const ENOUGH_SUBSTANCE: f64 = 0.4;
const ENOUGH_CHECKS: f64 = 0.5;
const ENOUGH_ORDER: f64 = 0.7;

/// One of the four.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DimensionName {
    /// What the goal and the requirements ask for has steps that do it.
    Coverage,
    /// The steps say what only this plan needs.
    Substance,
    /// What is changed is checked.
    Checks,
    /// Nothing stands before what it needs; nothing is destroyed without a way back.
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

/// One dimension of a plan, and why.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Dimension {
    /// Which.
    pub name: DimensionName,
    /// 0 to 1; `None` where it cannot be known.
    pub share: Option<f64>,
    /// One plain sentence: what was credited.
    pub credited: String,
    /// What would add most to it; `None` where nothing is missing.
    pub missing: Option<Missing>,
}

/// A change that would lift the score.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Missing {
    /// The line of the step that it is about, from 1; `None` where it is about the plan as a whole.
    pub line: Option<u32>,
    /// One plain sentence: what to do.
    pub message: String,
    /// By how much the score would rise, 0 to 1.
    pub adds: f64,
}

/// The dimensions of one plan.
#[derive(Debug, Clone)]
pub(crate) struct Dimensions(Vec<Dimension>);

impl Dimensions {
    pub(crate) fn of(
        reading: &Reading<'_>,
        coverage: &Coverage,
        substance: &Substance,
        findings: &[Finding],
    ) -> Self {
        Self(vec![
            coverage.dimension(),
            substance.dimension.clone(),
            checks::of(reading),
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

    /// All of them together, 0 to 1.
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

    /// Whether the steps say what, not how.
    pub(crate) fn is_outline(&self) -> bool {
        self.share(DimensionName::Substance)
            .is_some_and(|share| share < OUTLINE)
    }

    /// Turns what each would gain into what the score would, where `rest` is what all that was earned is
    /// multiplied by.
    pub(crate) fn weigh_missing(&mut self, rest: f64) {
        let now = self.earned();
        for at in 0..self.0.len() {
            let mut lifted = self.clone();
            let Dimension {
                share: Some(share),
                missing: Some(missing),
                ..
            } = &mut lifted.0[at]
            else {
                continue;
            };
            *share = (*share + missing.adds).min(1.0);
            let adds = (lifted.earned() - now) * rest;
            if let Some(missing) = &mut self.0[at].missing {
                missing.adds = adds;
            }
        }
    }

    /// Whether each has reached what an adequate plan needs.
    pub(crate) fn are_enough(&self) -> bool {
        self.0.iter().all(|one| {
            let enough = match one.name {
                DimensionName::Coverage => ENOUGH_COVERAGE,
                DimensionName::Substance => ENOUGH_SUBSTANCE,
                DimensionName::Checks => ENOUGH_CHECKS,
                DimensionName::Order => ENOUGH_ORDER,
            };
            // Nobody can say that a plan does what is asked where nothing is known to be asked.
            let is_needed = one.name == DimensionName::Coverage;
            one.share.map_or(!is_needed, |share| share >= enough)
        })
    }
}

/// Of what is missing what would add most.
pub fn most_missing(dimensions: &[Dimension]) -> Option<&Missing> {
    let all = dimensions.iter().filter_map(|one| one.missing.as_ref());
    all.max_by(|one, other| one.adds.total_cmp(&other.adds))
}

/// What the score can reach at most, whatever else the plan says.
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

/// 0 for none.
fn mean(shares: &[f64]) -> f64 {
    // The sum of nothing would be -0.
    match shares.len() {
        0 => 0.0,
        count => shares.iter().sum::<f64>() / count as f64,
    }
}

//! Whether the steps can be carried out in the given order, and irreversible steps have safeguards.

use plan::ProblemCode;

use super::{Dimension, DimensionName, Missing};
use crate::code::{Code, Severity};
use crate::report::Finding;

/// Factor for an unguarded destructive step or any other critical finding.
const CRITICAL: f64 = 0.5;
/// Factor for a step that comes before its prerequisites, or that has no rollback.
const MISPLACED: f64 = 0.8;

/// Starts at 1 and applies a factor for each finding about order or safety.
pub(super) fn of(findings: &[Finding]) -> Dimension {
    let left = |finding: &Finding| match finding.code {
        Code::Problem(ProblemCode::Cycle) => 0.0,
        _ if finding.severity == Severity::Critical => CRITICAL,
        Code::DepsIncompleteOrOrder
        | Code::ReleaseBeforeCheck
        | Code::NoWayBack
        | Code::Problem(ProblemCode::DanglingReference) => MISPLACED,
        _ => 1.0,
    };
    let taken: Vec<(&Finding, f64)> = findings
        .iter()
        .map(|finding| (finding, left(finding)))
        .filter(|(_, left)| *left < 1.0)
        .collect();
    let share: f64 = taken.iter().map(|(_, left)| left).product();
    let gravest = taken.iter().min_by(|one, other| one.1.total_cmp(&other.1));
    let missing = gravest.map(|(finding, left)| Missing {
        line: finding.task.is_some().then_some(finding.line),
        message: finding.message.clone(),
        adds: if *left > 0.0 {
            share / left - share
        } else {
            1.0
        },
    });
    let credited = match taken.len() {
        0 => "Every step comes after what it needs, and destructive steps have safeguards."
            .to_owned(),
        1 => "1 step is out of order or has no safeguard.".to_owned(),
        many => format!("{many} ordering problems or missing safeguards."),
    };
    Dimension {
        name: DimensionName::Order,
        share: Some(share),
        credited,
        missing,
    }
}

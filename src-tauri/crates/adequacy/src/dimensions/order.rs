//! Whether the steps can be carried out in their order, and whether what cannot be taken back is guarded.

use plan::ProblemCode;

use super::{Dimension, DimensionName, Missing};
use crate::code::{Code, Severity};
use crate::report::Finding;

/// What is left where a step destroys something unguarded or something else is critical.
const CRITICAL: f64 = 0.5;
/// What is left where a step stands before what it needs, or has no way back.
const MISPLACED: f64 = 0.8;

/// Beginning at 1, each finding about order and safety takes its part.
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
        0 => {
            "No step stands before what it needs, and none destroys without a way back.".to_owned()
        }
        1 => "One thing is out of order or unguarded.".to_owned(),
        many => format!("{many} things are out of order or unguarded."),
    };
    Dimension {
        name: DimensionName::Order,
        share: Some(share),
        credited,
        missing,
    }
}

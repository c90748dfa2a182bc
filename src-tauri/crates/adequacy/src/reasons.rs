//! Explains how plan codes affect the score.

use crate::code::Code;
use crate::coverage::Coverage;
use crate::plan_rules::Verdict;
use crate::report::Reason;

/// One reason for each raised code, in the order of the table of plan codes. The score is the
/// combined dimensions multiplied by the factors of the codes.
pub(crate) fn of(verdicts: &[Verdict], coverage: &Coverage) -> Vec<Reason> {
    let mut reasons: Vec<Reason> = Vec::new();
    for verdict in verdicts {
        let code = verdict.finding.code;
        match reasons.iter_mut().find(|reason| reason.code == code) {
            Some(reason) => reason.factor *= verdict.factor,
            None => reasons.push(Reason {
                code,
                factor: verdict.factor,
                message: verdict.finding.message.clone(),
            }),
        }
    }
    for reason in &mut reasons {
        if reason.code == Code::MissingPlanVerification {
            // The checks dimension already accounts for this code.
            reason.factor = 1.0;
        }
        let open = verdicts
            .iter()
            .filter(|verdict| verdict.finding.code == reason.code)
            .count();
        let all = coverage.requirements.len();
        match reason.code {
            Code::UncoveredRequirement => {
                reason.message = format!("Requirements without a step: {open} of {all}.");
            }
            Code::UncoveredGoal => {
                reason.message = format!("Parts of the goal without a step: {open} of {all}.");
            }
            _ => {}
        }
    }
    let place = |reason: &Reason| Code::ALL.iter().position(|code| *code == reason.code);
    reasons.sort_by_key(place);
    reasons
}

//! What the plan codes take from the score beside what was earned, in words.

use crate::code::Code;
use crate::coverage::Coverage;
use crate::plan_rules::Verdict;
use crate::report::Reason;

/// One for each code that was raised, in the order of the table of plan codes. Their factors are what the score is
/// multiplied by beside its dimensions.
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
            // The dimension of checks has it.
            reason.factor = 1.0;
        }
        let open = verdicts
            .iter()
            .filter(|verdict| verdict.finding.code == reason.code)
            .count();
        let all = coverage.wanted.len();
        match reason.code {
            Code::UncoveredRequirement => {
                reason.message = format!("No step covers {open} of {all} requirements.");
            }
            Code::UncoveredGoal => {
                reason.message =
                    format!("No step speaks of {open} of the {all} things that the goal asks for.");
            }
            _ => {}
        }
    }
    let place = |reason: &Reason| Code::ALL.iter().position(|code| *code == reason.code);
    reasons.sort_by_key(place);
    reasons
}

//! What the score is made of, in words: each plan code that looks at this plan, what it counted, and
//! what it costs or would cost.

use crate::code::Code;
use crate::coverage::Coverage;
use crate::plan_rules::{Verdict, changes_behaviour};
use crate::reading::Reading;
use crate::report::Reason;
use crate::surplus::Surplus;
use crate::task_rules::has_own_check;

/// In the order of the table of plan codes. The factors of the raised ones multiply to the score.
pub(crate) fn of(
    reading: &Reading<'_>,
    verdicts: &[Verdict],
    coverage: &Coverage,
    surplus: &Surplus,
) -> Vec<Reason> {
    let mut reasons: Vec<Reason> = Vec::new();
    for verdict in verdicts {
        let code = verdict.finding.code;
        match reasons.iter_mut().find(|reason| reason.code == code) {
            Some(reason) => reason.factor *= verdict.factor,
            None => reasons.push(Reason {
                code,
                is_raised: true,
                factor: verdict.factor,
                message: verdict.finding.message.clone(),
            }),
        }
    }
    for reason in &mut reasons {
        let open = |code| {
            verdicts
                .iter()
                .filter(|verdict| verdict.finding.code == code)
                .count()
        };
        match reason.code {
            Code::UncoveredRequirement => {
                reason.message = format!(
                    "No step covers {} of {} requirements.",
                    open(reason.code),
                    coverage.wanted.len()
                );
            }
            Code::UncoveredGoal => {
                reason.message = format!(
                    "No step speaks of {} of the {} things that the goal asks for.",
                    open(reason.code),
                    coverage.wanted.len()
                );
            }
            _ => {}
        }
    }
    let held = HELD
        .iter()
        .filter(|code| !reasons.iter().any(|reason| reason.code == **code))
        .filter_map(|code| holds(reading, coverage, surplus, *code))
        .collect::<Vec<_>>();
    reasons.extend(held);
    let place = |reason: &Reason| {
        Code::ALL
            .iter()
            .position(|code| *code == reason.code)
            .unwrap_or(usize::MAX)
    };
    reasons.sort_by_key(place);
    reasons
}

/// The codes that may speak for a plan.
const HELD: &[Code] = &[
    Code::NoTasks,
    Code::TooFewTasks,
    Code::MegaTaskCluster,
    Code::MissingPlanVerification,
    Code::FlatDependencyGraph,
    Code::GoalPathsUnlinked,
    Code::VerboseButLowSurface,
    Code::RepeatedTaskPhrasing,
    Code::UncoveredRequirement,
    Code::UncoveredGoal,
    Code::Overgrown,
    Code::PossibleRewriteCompression,
    Code::FileLinkageReduced,
    Code::DescriptionMassReduced,
];

/// Why a code that looks at this plan is not raised; `None` where it does not look at it.
fn holds(
    reading: &Reading<'_>,
    coverage: &Coverage,
    surplus: &Surplus,
    code: Code,
) -> Option<Reason> {
    let count = reading.steps.len();
    let linked = || reading.steps.iter().filter(|step| step.is_linked).count();
    let steps = |count: usize| {
        if count == 1 {
            "1 step".to_owned()
        } else {
            format!("{count} steps")
        }
    };
    if count == 0 {
        return None;
    }
    let (factor, message) = match code {
        Code::TooFewTasks => {
            if reading.goal.is_none() || reading.is_growing() {
                return None;
            }
            let message = format!(
                "{} for a goal that asks for at least {}.",
                capital(&steps(surplus.substantial(reading).max(1))),
                reading.floor
            );
            (0.55, message)
        }
        Code::MegaTaskCluster => {
            let largest = reading.steps.iter().map(|step| step.complexity).max()?;
            (0.78, format!("The largest step has complexity {largest}."))
        }
        Code::MissingPlanVerification => {
            if !reading.goal.is_some_and(changes_behaviour) {
                return None;
            }
            let checked = reading
                .steps
                .iter()
                .filter(|step| has_own_check(step.task))
                .count();
            (
                0.72,
                format!(
                    "The result is checked; {checked} of {} carry a check of their own.",
                    steps(count)
                ),
            )
        }
        Code::FlatDependencyGraph => {
            if count < 4 || reading.is_growing() {
                return None;
            }
            let named = reading
                .plan
                .tasks
                .iter()
                .filter(|task| task.depends.is_some())
                .count();
            (
                0.85,
                format!("{named} of {count} steps say what they wait for."),
            )
        }
        Code::GoalPathsUnlinked => {
            crate::plan_rules::goal_path(reading)?;
            (
                0.80,
                format!("{} of {} name a file.", linked(), steps(count)),
            )
        }
        Code::VerboseButLowSurface => {
            if reading.goal.is_none() || reading.complexity < 6 || count < 3 {
                return None;
            }
            (
                0.86,
                format!(
                    "{} of {} name a file, or the steps are long enough.",
                    linked(),
                    steps(count)
                ),
            )
        }
        Code::RepeatedTaskPhrasing => {
            if count < 4 {
                return None;
            }
            (
                0.88,
                format!("The {count} steps begin with words of their own."),
            )
        }
        Code::UncoveredRequirement if !reading.listed().is_empty() => (
            0.84,
            format!(
                "Every one of {} requirements is covered.",
                coverage.wanted.len()
            ),
        ),
        Code::UncoveredGoal if reading.listed().is_empty() && !coverage.wanted.is_empty() => (
            0.84,
            format!(
                "Each of the {} things that the goal asks for has a step.",
                coverage.wanted.len()
            ),
        ),
        Code::PossibleRewriteCompression if reading.input.before.is_some() => (
            0.87,
            format!("{} and not fewer than before.", capital(&steps(count))),
        ),
        Code::FileLinkageReduced if reading.input.before.is_some() => (
            0.85,
            format!(
                "{} with files, not fewer than before.",
                capital(&steps(linked()))
            ),
        ),
        Code::DescriptionMassReduced if reading.input.before.is_some() => {
            (0.90, "The descriptions kept their details.".to_owned())
        }
        _ => return None,
    };
    Some(Reason {
        code,
        is_raised: false,
        factor,
        message,
    })
}

fn capital(text: &str) -> String {
    crate::coverage::capitalised(text)
}

//! Decides whether a round may be kept: nothing may be lost, nothing may get worse, and something
//! must improve.
//!
//! Compares only the two texts and their reports, not how one was made from the other, so it also
//! catches mistakes of the driver.

mod losses;

use std::collections::HashSet;
use std::fmt;

use plan::TaskId;

use super::candidate::Candidate;
use crate::code::{Badge, Code, Severity};
use crate::report::{Finding, Report};

pub(crate) use losses::lost_dependencies;
pub use losses::{Loss, losses};

/// Why a round was refused.
#[derive(Debug, Clone, PartialEq)]
pub enum Refusal {
    /// Content of the plan was lost.
    Lost(Loss),
    /// The text looks like a shortened version of the text that the round started from.
    Regression(Code),
    /// There is a new finding with severity major or critical, or about padding.
    NewFinding {
        /// The finding's code.
        code: Code,
        /// The task's id in the refused text; `None` for the plan as a whole.
        task: Option<TaskId>,
    },
    /// The score fell.
    ScoreFell {
        /// The score before, 0 to 1.
        from: f64,
        /// The score after, 0 to 1.
        to: f64,
    },
    /// The risk rose.
    RiskRose {
        /// The risk before, 0 to 1.
        from: f64,
        /// The risk after, 0 to 1.
        to: f64,
    },
    /// The badge got worse.
    BadgeFell {
        /// The badge before the round.
        from: Badge,
        /// The badge after the round.
        to: Badge,
    },
    /// There are more tasks than allowed.
    TooManyTasks {
        /// Number of tasks in the refused text.
        count: u32,
        /// Maximum number of tasks allowed.
        most: u32,
    },
    /// No finding was fixed and no metric improved.
    NothingBetter,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |share: f64| (share * 100.0).round();
        match self {
            Self::Lost(loss) => write!(f, "it loses {loss}"),
            Self::Regression(code) => match code {
                Code::PossibleRewriteCompression => write!(f, "it has fewer steps ({code})"),
                Code::FileLinkageReduced => write!(f, "fewer steps name a file ({code})"),
                _ => write!(f, "the steps are much shorter ({code})"),
            },
            Self::NewFinding { code, task } => match task {
                Some(task) => write!(f, "{task} gets a new finding, {code}"),
                None => write!(f, "the plan gets a new finding, {code}"),
            },
            Self::ScoreFell { from, to } => write!(
                f,
                "the score falls from {} to {}",
                percent(*from),
                percent(*to)
            ),
            Self::RiskRose { from, to } => write!(
                f,
                "the risk rises from {} to {} of 100",
                percent(*from),
                percent(*to)
            ),
            Self::BadgeFell { from, to } => {
                write!(
                    f,
                    "the rating falls from {} to {}",
                    from.as_str(),
                    to.as_str()
                )
            }
            Self::TooManyTasks { count, most } => {
                write!(f, "it has {count} steps; the limit is {most}")
            }
            Self::NothingBetter => f.write_str("it doesn't improve the plan"),
        }
    }
}

/// Increases in risk up to this amount are ignored; the improvement heuristic uses the same amount.
const RISK_NOISE: f64 = 0.02;

/// Why `after` must not replace `best`; empty if it may. A forced loop also accepts a text that is
/// no better, unless it is identical.
pub(crate) fn refusals(
    best: &Candidate,
    after: &Candidate,
    is_forced: bool,
    max_tasks: u32,
) -> Vec<Refusal> {
    let places = after.places_of(&best.names);
    let may_reword = |task: &TaskId| asks_for_words(&best.report, task);
    let lost = losses::between(&best.plan, &after.plan, &places, &may_reword);
    let text = (best.text.as_str(), after.text.as_str());
    let mut refusals: Vec<Refusal> = lost.into_iter().map(Refusal::Lost).collect();
    refusals.extend(losses::around(&best.plan, &after.plan, text).map(Refusal::Lost));
    refusals.extend(worse(best, after));
    let count = u32::try_from(after.plan.tasks.len()).unwrap_or(u32::MAX);
    if count > max_tasks && after.plan.tasks.len() > best.plan.tasks.len() {
        refusals.push(Refusal::TooManyTasks {
            count,
            most: max_tasks,
        });
    }
    let keeps_idle = is_forced && best.text != after.text;
    if refusals.is_empty() && !keeps_idle && !is_better(best, after) {
        refusals.push(Refusal::NothingBetter);
    }
    refusals
}

/// The metrics in the report that got worse.
fn worse(best: &Candidate, after: &Candidate) -> Vec<Refusal> {
    let (was, is) = (&best.standing, &after.standing);
    let mut worse: Vec<Refusal> = is
        .adequacy_reason_codes
        .iter()
        .copied()
        .filter(|code| is_regression(*code))
        .map(Refusal::Regression)
        .collect();
    worse.extend(new_findings(best, after));
    if is.score < was.score - 1e-9 {
        worse.push(Refusal::ScoreFell {
            from: was.score,
            to: is.score,
        });
    }
    if is.aggregate_unresolved_risk > was.aggregate_unresolved_risk + RISK_NOISE {
        worse.push(Refusal::RiskRose {
            from: was.aggregate_unresolved_risk,
            to: is.aggregate_unresolved_risk,
        });
    }
    let outgrows = is.badge == Badge::Overgrown && was.badge != Badge::Overgrown;
    // A step that is less specific than the others can turn a plan into an outline even though its
    // score rises.
    let fell = rank(is.badge) < rank(was.badge) && is.badge != Badge::Outline;
    if fell || outgrows {
        worse.push(Refusal::BadgeFell {
            from: was.badge,
            to: is.badge,
        });
    }
    worse
}

/// Whether any measurement improved.
pub(crate) fn is_better(best: &Candidate, after: &Candidate) -> bool {
    let (was, is) = (&best.standing, &after.standing);
    is.score > was.score + 1e-9
        || is.aggregate_unresolved_risk < was.aggregate_unresolved_risk - 1e-9
        || rank(is.badge) > rank(was.badge)
        || is.findings < was.findings
}

fn is_regression(code: Code) -> bool {
    matches!(
        code,
        Code::PossibleRewriteCompression | Code::FileLinkageReduced | Code::DescriptionMassReduced
    )
}

/// Whether a code reports padding. Such findings are refused at any severity.
fn is_padding(code: Code) -> bool {
    matches!(
        code,
        Code::FillerTask
            | Code::DuplicateTask
            | Code::RepeatedTaskPhrasing
            | Code::VerboseButLowSurface
            | Code::Overgrown
    )
}

fn rank(badge: Badge) -> u8 {
    match badge {
        Badge::Empty => 0,
        // The two weak badges have the same rank; of two such plans, the one with the higher score
        // is better.
        Badge::Outline | Badge::Thin => 1,
        Badge::Overgrown => 2,
        Badge::Fair => 3,
        Badge::Adequate => 4,
    }
}

/// Severe findings, and findings about padding, that `best` doesn't have. A reworded task counts as
/// the same task.
fn new_findings(best: &Candidate, after: &Candidate) -> Vec<Refusal> {
    let known: HashSet<(&str, String)> = best
        .report
        .findings
        .iter()
        .map(|finding| (finding.code.as_str(), whose(best, finding)))
        .collect();
    let is_new = |finding: &&Finding| {
        (finding.severity <= Severity::Major || is_padding(finding.code))
            && !is_regression(finding.code)
            && !known.contains(&(finding.code.as_str(), whose(after, finding)))
    };
    let new = after.report.findings.iter().filter(is_new);
    new.map(|finding| Refusal::NewFinding {
        code: finding.code,
        task: finding.task.clone(),
    })
    .collect()
}

/// A stable key for the subject of a finding: the name of its task; for an uncovered requirement or
/// part of the goal, the finding's id; empty for other findings about the plan.
fn whose(candidate: &Candidate, finding: &Finding) -> String {
    match &finding.task {
        None => match finding.code {
            // Each requirement has its own finding.
            Code::UncoveredRequirement | Code::UncoveredGoal => finding.id.clone(),
            _ => String::new(),
        },
        Some(task) => {
            let at = candidate.plan.index_of(task);
            let name = at.and_then(|at| candidate.names.get(at));
            name.unwrap_or(task).0.clone()
        }
    }
}

/// Whether a finding about this task can be fixed only by rewording the task.
pub(crate) fn asks_for_words(report: &Report, task: &TaskId) -> bool {
    report.findings.iter().any(|finding| {
        finding.task.as_ref() == Some(task)
            && finding.muted.is_none()
            && is_about_words(finding.code)
    })
}

fn is_about_words(code: Code) -> bool {
    matches!(
        code,
        Code::VagueShort
            | Code::VaguePhrase
            | Code::TbdPlaceholder
            | Code::RiskDestructive
            | Code::FillerTask
            | Code::OpenQuestion
            | Code::OversizedTask
            | Code::DuplicateTask
    )
}

//! The best plan so far among the results of a request's solvers, and whether it is so weak that
//! the next solver is tried.

use adequacy::WorkspaceFacts;

use crate::checking;
use crate::new_plan::save::DraftedPlan;

/// A plan and its quality.
pub(super) struct Candidate {
    pub(super) drafted: DraftedPlan,
    /// Whether the plan's content is weak; merely repeating the goal doesn't count as weak.
    pub(super) is_weak: bool,
    /// Its adequacy score, 0 to 1.
    pub(super) score: f64,
}

#[derive(Default)]
pub(super) struct Best(Option<Candidate>);

impl Best {
    /// Keeps the better plan. A proposal from a conversation, which involves the person, comes
    /// first; then a plan that isn't weak, one that adds to the goal, and one with a higher score.
    pub(super) fn put(&mut self, other: Candidate) {
        let rank = |one: &Candidate| {
            let route = &one.drafted.route;
            let says_more = route.template.is_some() || route.solver != "gs-symbolic";
            let is_offered = one.drafted.conversation.is_some();
            (is_offered, !one.is_weak, says_more, one.score)
        };
        let is_better = match &self.0 {
            None => true,
            Some(best) => rank(&other) > rank(best),
        };
        if is_better {
            self.0 = Some(other);
        }
    }

    pub(super) fn is_none(&self) -> bool {
        self.0.is_none()
    }

    pub(super) fn take(&mut self) -> Option<DraftedPlan> {
        self.0.take().map(|best| best.drafted)
    }
}

pub(crate) struct Assessment {
    /// Why the plan is weak, as the end of a sentence: it is an outline, thin, or covers fewer than
    /// half of the requirements. `None` if it isn't weak.
    pub(crate) weakness: Option<String>,
    /// Its adequacy score, 0 to 1.
    pub(crate) score: f64,
    pub(crate) names_files: bool,
}

pub(crate) fn assess(drafted: &DraftedPlan, around: &WorkspaceFacts) -> Assessment {
    let (plan, problems) = plan::parse(&drafted.grown.text);
    let report = checking::report(&plan, &problems, around);
    let score = report.score * 100.0;
    let badge = report.badge;
    let by_badge = badge
        .is_weak()
        .then(|| format!("is {}, with a score of {score:.0}", badge.as_word()));
    let is_open = report.coverage.is_some_and(|covered| covered < 0.5);
    let by_coverage = is_open.then(|| "covers fewer than half of the requirements".to_owned());
    Assessment {
        weakness: by_badge.or(by_coverage),
        score: report.score,
        names_files: plan.tasks.iter().any(|task| !task.files.is_empty()),
    }
}

//! The best plan so far of those that the solvers of one request came to.

use adequacy::WorkspaceFacts;

use crate::checking;
use crate::planning::keeping::Drafted;

/// A plan and how good it is.
pub(super) struct Candidate {
    pub(super) drafted: Drafted,
    /// Why it is weak; `None` where it is not.
    pub(super) weakness: Option<String>,
    /// Its adequacy, 0 to 1.
    pub(super) score: f64,
}

/// The best one so far; none before the first.
#[derive(Default)]
pub(super) struct Best(Option<Candidate>);

impl Best {
    /// Keeps the better one. A plan that says more than the goal goes over one that repeats it, as long
    /// as it is not weak.
    pub(super) fn put(&mut self, other: Candidate) {
        let rank = |one: &Candidate| {
            let route = &one.drafted.route;
            let says_more = route.template.is_some() || route.solver != "gs-symbolic";
            (one.weakness.is_none(), says_more, one.score)
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

    pub(super) fn take(&mut self) -> Option<Drafted> {
        self.0.take().map(|best| best.drafted)
    }
}

/// Why a plan is weak, and its adequacy: it is an outline, or thin, after it was made fuller.
pub(super) fn weakness(drafted: &Drafted, around: &WorkspaceFacts) -> (Option<String>, f64) {
    let (plan, problems) = plan::parse(&drafted.grown.text);
    let report = checking::report(&plan, &problems, around);
    let why = report.badge.is_weak().then(|| {
        format!(
            "is {}, with a score of {:.0}",
            report.badge.as_word(),
            report.score * 100.0
        )
    });
    (why, report.score)
}

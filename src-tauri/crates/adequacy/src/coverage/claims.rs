//! Requirements that steps claim in `covers:`. A claim counts as coverage, because the step may use
//! other words for the same thing; credit and percentage depend only on the words that the steps
//! contain.

use crate::plan_context::PlanContext;
use rustc_hash::{FxHashMap, FxHashSet};

/// The claimed requirement ids, each with the indices of the steps that claim it.
pub(super) struct Claims<'a>(FxHashMap<&'a str, Vec<usize>>);

impl<'a> Claims<'a> {
    /// Collects the claims of all steps except idle ones.
    pub(super) fn of(context: &PlanContext<'a>, idle: &FxHashSet<usize>) -> Self {
        let mut claims: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        let tasks = context.plan.tasks.iter().enumerate();
        for (at, task) in tasks.filter(|(at, _)| !idle.contains(at)) {
            for id in context.covers(task) {
                claims.entry(id).or_default().push(at);
            }
        }
        Self(claims)
    }

    /// Indices of the steps that claim a requirement.
    pub(super) fn of_requirement(&self, id: &str) -> &[usize] {
        self.0.get(id).map_or(&[], Vec::as_slice)
    }
}

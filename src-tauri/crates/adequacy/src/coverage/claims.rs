//! What steps say in `covers:` that they take care of. It counts as said, since other words may mean the same; how
//! much of it the steps say is told beside it, and what they earn hangs on that alone.

use crate::maps::{QuickMap, QuickSet};
use crate::reading::Reading;

/// The ids of requirements that steps name, each with the places of those steps.
pub(super) struct Claims<'a>(QuickMap<&'a str, Vec<usize>>);

impl<'a> Claims<'a> {
    /// Without those of steps that do nothing.
    pub(super) fn of(reading: &Reading<'a>, idle: &QuickSet<usize>) -> Self {
        let mut claims: QuickMap<&str, Vec<usize>> = QuickMap::default();
        let tasks = reading.plan.tasks.iter().enumerate();
        for (at, task) in tasks.filter(|(at, _)| !idle.contains(at)) {
            for id in reading.covers(task) {
                claims.entry(id).or_default().push(at);
            }
        }
        Self(claims)
    }

    /// The places of the steps that name a requirement.
    pub(super) fn of_requirement(&self, id: &str) -> &[usize] {
        self.0.get(id).map_or(&[], Vec::as_slice)
    }
}

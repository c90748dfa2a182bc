//! What steps say in `covers:` that they take care of. It counts where such a step says something of it: else a
//! plan could praise itself.

use super::Wanted;
use super::overlap::Overlap;
use crate::maps::{QuickMap, QuickSet};
use crate::reading::Reading;

/// A share of a requirement that is there by chance.
const CHANCE: f64 = 0.05;

/// The ids of requirements that steps name, each with the places of those steps.
pub(super) struct Claims<'a>(QuickMap<&'a str, Vec<usize>>);

impl<'a> Claims<'a> {
    pub(super) fn of(
        reading: &Reading<'a>,
        wanted: &[Wanted<'_>],
        overlap: &Overlap,
        idle: &QuickSet<usize>,
    ) -> Self {
        let mut claims: QuickMap<&str, Vec<usize>> = QuickMap::default();
        let tasks = reading.plan.tasks.iter().enumerate();
        for (at, task) in tasks.filter(|(at, _)| !idle.contains(at)) {
            for id in reading.covers(task) {
                claims.entry(id).or_default().push(at);
            }
        }
        let mut claims = Self(claims);
        let empty: Vec<String> = claims.empty(reading, wanted, overlap);
        claims
            .0
            .retain(|id, _| !empty.iter().any(|empty| empty == id));
        claims
    }

    /// Whether a step names a requirement.
    pub(super) fn name(&self, id: &str) -> bool {
        self.0.contains_key(id)
    }

    /// Those of which the steps that name them say nothing. Where that is so of most, the words of the list and of
    /// the steps cannot be compared, as in two languages, and none is taken out.
    fn empty(
        &self,
        reading: &Reading<'_>,
        wanted: &[Wanted<'_>],
        overlap: &Overlap,
    ) -> Vec<String> {
        let tasks = &reading.plan.tasks;
        let (mut empty, mut said) = (Vec::new(), 0);
        for wanted in wanted.iter().filter(|wanted| !wanted.is_plain) {
            let Some(requirement) = wanted.requirement else {
                continue;
            };
            let Some(naming) = self.0.get(requirement.id.as_str()) else {
                continue;
            };
            let is_of_one = |task: usize| {
                let mut above = std::iter::successors(Some(task), |at| tasks[*at].parent);
                above.any(|at| naming.contains(&at))
            };
            let all = overlap.said(&wanted.weighed).tasks;
            match all
                .iter()
                .any(|(task, share)| *share >= CHANCE && is_of_one(*task))
            {
                true => said += 1,
                false => empty.push(requirement.id.clone()),
            }
        }
        match empty.len() < said {
            true => empty,
            false => Vec::new(),
        }
    }
}

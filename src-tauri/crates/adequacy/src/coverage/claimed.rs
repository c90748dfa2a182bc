//! A wish that no step clearly speaks of, and a step that clearly speaks of no wish: one word in common
//! says that they belong together.

use super::{ENOUGH, Postings, Wanted, Words, mapped};
use crate::reading::Reading;
use crate::task_rules::is_work;

/// The share that will do for a step that speaks of nothing else that is wanted.
const LITTLE: f64 = 0.1;

/// Leaves out what a step is about that is about nothing else. Of a wish and a step that both stand
/// alone, one word in common says that they belong together.
pub(super) fn left_open<'w, 'a>(
    reading: &Reading<'_>,
    wanted: &'w [Wanted<'a>],
    open: Vec<(&'w Wanted<'a>, String)>,
    postings: &Postings,
    words: &[Words],
) -> Vec<(&'w Wanted<'a>, String)> {
    if open.is_empty() {
        return open;
    }
    let mut is_free: Vec<bool> = words.iter().map(|words| !words.says_covers).collect();
    for wanted in wanted {
        for (task, share) in postings.shares(wanted) {
            is_free[task] &= share < ENOUGH;
        }
    }
    for step in &reading.steps {
        is_free[step.index] &= !mapped::serves_plan(step);
    }
    open.into_iter()
        .filter(|(wanted, _)| {
            let shares = postings.shares(wanted);
            let claim = shares.into_iter().find(|(task, share)| {
                is_free[*task]
                    && *share >= LITTLE
                    && is_work(&reading.plan.tasks[words[*task].index])
            });
            match claim {
                Some((task, _)) => {
                    is_free[task] = false;
                    false
                }
                None => true,
            }
        })
        .collect()
}

//! Collects the targets of a plan, each with its weighted words: the listed requirements or, if
//! there are none, the parts of the goal.

use plan::Requirement;

use super::overlap::Weighed;
use super::{Target, is_modal};
use crate::plan_context::PlanContext;
use crate::terms::{self, Kind, Term};
use rustc_hash::FxHashMap;

/// The listed requirements or, if there are none, the parts of the goal.
pub(super) fn targets<'a>(context: &'a PlanContext<'_>) -> Vec<Target<'a>> {
    let list = context.listed().iter();
    let list: Vec<_> = list.map(|one| (one.text.as_str(), Some(one))).collect();
    match list.is_empty() {
        true => of_goal(context),
        false => weighed(list, true),
    }
}

/// The parts of the goal.
pub(super) fn of_goal<'a>(context: &'a PlanContext<'_>) -> Vec<Target<'a>> {
    if context.steps.is_empty() {
        return Vec::new();
    }
    let parts = context.asked.requirements.iter();
    let parts = parts.map(|part| (part.text.as_str(), None)).collect();
    // If goal and steps use different scripts, only names can match.
    weighed(parts, context.has_words_in_common_script())
}

/// Splits the texts into words and weighs the words.
fn weighed<'a>(
    texts: Vec<(&'a str, Option<&'a Requirement>)>,
    is_comparable: bool,
) -> Vec<Target<'a>> {
    let words: Vec<(Vec<Term>, bool)> = texts
        .iter()
        .map(|(text, _)| {
            let mut words = Vec::new();
            let mut is_plain = true;
            terms::of(text, None, &mut |term, kind, word| {
                if (is_comparable || word.is_ascii()) && !is_modal(word) {
                    is_plain &= kind == Kind::Common;
                    words.push(term);
                }
            });
            words.sort_unstable();
            words.dedup();
            (words, is_plain)
        })
        .collect();
    let mut shared: FxHashMap<Term, usize> = FxHashMap::default();
    for term in words.iter().flat_map(|(words, _)| words) {
        *shared.entry(*term).or_default() += 1;
    }
    texts
        .into_iter()
        .zip(words)
        .map(|((text, requirement), (words, is_plain))| {
            let weighed = Weighed::of(words.into_iter().map(|term| (term, shared[&term])));
            Target {
                text,
                requirement,
                is_plain: is_plain || !weighed.can_be_found(),
                weighed,
            }
        })
        .collect()
}

//! What is wanted of a plan: the requirements of a list, else the parts of the goal, each with the words that are looked
//! for and how much they tell.

use plan::Requirement;

use super::overlap::Weighed;
use super::{Wanted, is_modal};
use crate::maps::QuickMap;
use crate::reading::Reading;
use crate::terms::{self, Kind, Term};

/// The list of requirements, else the parts of the goal.
pub(super) fn wanted<'a>(reading: &'a Reading<'_>) -> Vec<Wanted<'a>> {
    let list = reading.listed().iter();
    let list: Vec<_> = list.map(|one| (one.text.as_str(), Some(one))).collect();
    match list.is_empty() {
        true => of_goal(reading),
        false => weighed(list, true),
    }
}

/// The parts of the goal.
pub(super) fn of_goal<'a>(reading: &'a Reading<'_>) -> Vec<Wanted<'a>> {
    if reading.steps.is_empty() {
        return Vec::new();
    }
    let parts = reading.asked.requirements.iter();
    let parts = parts.map(|part| (part.text.as_str(), None)).collect();
    // Where the scripts differ, only names can be the same.
    weighed(parts, reading.has_words_in_common_script())
}

/// Texts with their words, and how much each of these tells.
fn weighed<'a>(
    texts: Vec<(&'a str, Option<&'a Requirement>)>,
    is_comparable: bool,
) -> Vec<Wanted<'a>> {
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
    let mut shared: QuickMap<Term, usize> = QuickMap::default();
    for term in words.iter().flat_map(|(words, _)| words) {
        *shared.entry(*term).or_default() += 1;
    }
    texts
        .into_iter()
        .zip(words)
        .map(|((text, requirement), (words, is_plain))| {
            let weighed = Weighed::of(words.into_iter().map(|term| (term, shared[&term])));
            Wanted {
                text,
                requirement,
                is_plain: is_plain || !weighed.can_be_found(),
                weighed,
            }
        })
        .collect()
}

//! What the steps of a plan earn of what is asked for, by the words that they share with it.

use super::{Wanted, findings};
use crate::dimensions::Missing;

/// What of all that is wanted the steps say, each by how much it says itself; and what would add most. `benefit`
/// is how far the steps have the benefit of the doubt, 0 to 1.
pub(super) fn earned<'w, 'a: 'w>(
    wanted: impl Iterator<Item = (&'w Wanted<'a>, f64)>,
    benefit: f64,
) -> (Option<f64>, Option<Missing>) {
    /// Shares below are there by chance; from above on it is said whole.
    const CHANCE: f64 = 0.05;
    const WHOLE: f64 = 0.38;
    /// What a long requirement counts at most, beside short ones.
    const MOST: f64 = 30.0;
    /// Bits that a goal is taken to ask for beside its words.
    const UNKNOWN: f64 = 8.0;
    let (mut said, mut all) = (0.0, 0.0);
    let mut largest: Option<(f64, &str)> = None;
    for (wanted, bits) in wanted.filter(|(wanted, _)| !wanted.is_plain) {
        let weight = wanted.weighed.bits().min(MOST);
        let share = ((bits - CHANCE) / (WHOLE - CHANCE)).clamp(0.0, 1.0);
        said += share * weight;
        all += weight;
        let gap = (1.0 - share) * weight;
        if largest.is_none_or(|(other, _)| gap > other) && gap > 0.0 {
            largest = Some((gap, wanted.text));
        }
    }
    if all <= 0.0 {
        return (None, None);
    }
    let missing = largest.map(|(gap, text)| Missing {
        line: None,
        message: format!(
            "Say in a step what is done about {}.",
            findings::quoted_whole(text)
        ),
        adds: gap / all,
    });
    // Of a goal of two words little can be looked for: what it means beside them is taken as half said by steps
    // that say something.
    let least = benefit * (said + UNKNOWN / 2.0) / (all + UNKNOWN);
    (Some((said / all).max(least.min(0.5))), missing)
}

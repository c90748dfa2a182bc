//! Coverage credit, based on the words that the steps share with the requirements.

use super::{Target, findings};
use crate::dimensions::Missing;

/// The share of the requirements that the steps cover, weighted by information content, and the
/// addition that would increase it most. `benefit`, 0 to 1, says how much benefit of the doubt the
/// steps get.
pub(super) fn earned<'w, 'a: 'w>(
    targets: impl Iterator<Item = (&'w Target<'a>, f64)>,
    benefit: f64,
) -> (Option<f64>, Option<Missing>) {
    /// Shares below `CHANCE` can be chance matches; from `WHOLE` on, a requirement counts as fully
    /// covered.
    const CHANCE: f64 = 0.05;
    const WHOLE: f64 = 0.38;
    /// Maximum weight of one requirement, so that a long one does not dominate.
    const MAX_BITS: f64 = 30.0;
    /// Bits of information that a goal is assumed to imply beyond its words.
    const UNKNOWN: f64 = 8.0;
    let (mut said, mut all) = (0.0, 0.0);
    let mut largest: Option<(f64, &str)> = None;
    for (target, bits) in targets.filter(|(target, _)| !target.is_plain) {
        let weight = target.weighed.bits().min(MAX_BITS);
        let share = ((bits - CHANCE) / (WHOLE - CHANCE)).clamp(0.0, 1.0);
        said += share * weight;
        all += weight;
        let gap = (1.0 - share) * weight;
        if largest.is_none_or(|(other, _)| gap > other) && gap > 0.0 {
            largest = Some((gap, target.text));
        }
    }
    if all <= 0.0 {
        return (None, None);
    }
    let missing = largest.map(|(gap, text)| Missing {
        line: None,
        message: format!(
            "Describe in a step how to handle {}.",
            findings::quoted_long(text)
        ),
        adds: gap / all,
    });
    // A goal of two words offers little to compare. If the steps have substance, the unstated part
    // of the goal counts as half covered.
    let least = benefit * (said + UNKNOWN / 2.0) / (all + UNKNOWN);
    (Some((said / all).max(least.min(0.5))), missing)
}

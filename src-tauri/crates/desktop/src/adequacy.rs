//! Adequacy of plans: `asking` handles the one open question, `expanding` expands a plan, `muting`
//! mutes findings, and `insights` reports how plans changed over time.

mod asking;
mod expanding;
mod insights;
mod muting;

pub(crate) use expanding::Expansions;

use adequacy::expansion;

use crate::document::percent;
use crate::wire::{Badge, Standing};

/// Converts a standing to its wire form.
fn standing(standing: &expansion::Standing) -> Standing {
    Standing {
        badge: Badge {
            word: standing.badge.as_str().to_owned(),
            score: percent(standing.score),
            findings: standing.findings,
            critical: standing.critical_count,
        },
        is_too_thin: standing.is_too_thin,
        risk: percent(standing.aggregate_unresolved_risk),
        tasks: standing.tasks,
    }
}

//! Adequacy as the window shows and settles it. Submodules: `asking` has the one open question, `expanding` makes a plan fuller, `muting`
//! settles findings, `insights` looks back.

mod asking;
mod expanding;
mod insights;
mod muting;

pub(crate) use expanding::Expansions;

use adequacy::expansion;

use crate::document::percent;
use crate::wire::{Badge, Standing};

/// The wire form of a standing.
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

//! What becomes of each thing that is wanted, for the report.

use super::{Postings, Wanted, Words};
use crate::maps::QuickMap;
use crate::reading::Reading;
use crate::report::WantedReport;

/// Of each thing that is wanted, whether it is taken care of and by which steps. `open` are those of them
/// that are not, in the same order.
pub(super) fn reports(
    reading: &Reading<'_>,
    wanted: &[Wanted<'_>],
    open: &[(&Wanted<'_>, String)],
    postings: &Postings,
    words: &[Words],
) -> Vec<WantedReport> {
    let mut claiming: QuickMap<&str, Vec<usize>> = QuickMap::default();
    for (at, words) in words.iter().enumerate() {
        for id in reading.covers(&reading.plan.tasks[words.index]) {
            claiming.entry(id.as_str()).or_default().push(at);
        }
    }
    let mut open = open.iter().peekable();
    wanted
        .iter()
        .map(|wanted| {
            let part = open.next_if(|(open, _)| std::ptr::eq(*open, wanted));
            let id = wanted.requirement.map(|requirement| requirement.id.clone());
            let id = id.unwrap_or_default();
            let claiming = claiming.get(id.as_str()).map_or(&[][..], Vec::as_slice);
            let shares = postings.shares(wanted);
            let best = shares.first().map_or(0.0, |(_, share)| *share);
            let lines = lines(reading, claiming, &shares, words);
            let percent = (best * 100.0).round();
            let why = match (part, claiming, lines.first()) {
                (Some((_, part)), ..) if part != wanted.text => {
                    format!("No step speaks of “{part}”.")
                }
                (Some(_), ..) if best <= 0.0 => "No step says a word of it.".to_owned(),
                (Some(_), ..) => format!("No step says more than {percent} % of it."),
                (None, [_, ..], Some(line)) => format!("Line {line} says that it covers it."),
                (None, _, Some(line)) => format!("Line {line} says {percent} % of it."),
                (None, _, None) => {
                    "Its words fit any plan, so nothing can be looked for.".to_owned()
                }
            };
            WantedReport {
                id,
                text: wanted.text.to_owned(),
                covered: part.is_none(),
                lines: part.map_or(lines, |_| Vec::new()),
                why,
            }
        })
        .collect()
}

/// The lines of the steps that do it: those that say so, then those that say the most of it.
fn lines(
    reading: &Reading<'_>,
    claiming: &[usize],
    shares: &[(usize, f64)],
    words: &[Words],
) -> Vec<u32> {
    /// Steps that do it say at least so much of it, beside the one that says the most.
    const NEARLY: f64 = 0.6;
    const MOST: usize = 5;
    let best = shares.first().map_or(0.0, |(_, share)| *share);
    let said = shares
        .iter()
        .take_while(|(_, share)| *share >= best * NEARLY);
    let said = said.map(|(at, _)| at).filter(|at| !claiming.contains(at));
    let doing = claiming.iter().chain(said).take(MOST);
    doing
        .map(|at| reading.plan.tasks[words[*at].index].line)
        .collect()
}

//! The results that Planwright must reach in the evaluation.
//!
//! Aims apply only to simulated models; for a real model the same figures are reported without a
//! requirement. An aim for the lower end of a confidence interval needs enough trials; with fewer
//! trials it stays open.

use super::options::{Options, Planning};
use super::print::number;
use super::sweep::{Group, Part, Table, of_length};
use super::{Rate, Score};

/// A result that Planwright must reach.
#[derive(Debug, Clone, PartialEq)]
pub struct Aim {
    /// The requirement, in words.
    pub what: &'static str,
    /// The measured value, as text.
    pub is: String,
    /// Whether the measured value meets the requirement.
    pub is_met: bool,
    /// Whether there were enough trials for the aim to be met at all.
    pub is_in_reach: bool,
}

impl Aim {
    /// The aim's status, padded to seven characters.
    #[must_use]
    pub fn mark(&self) -> &'static str {
        match (self.is_met, self.is_in_reach) {
            (true, _) => "met    ",
            (false, true) => "NOT met",
            (false, false) => "too few",
        }
    }
}

/// The outcome of all aims.
#[derive(Debug, PartialEq)]
pub struct Verdict<'a> {
    /// Aims that were missed despite enough trials.
    pub missed: Vec<&'a Aim>,
    /// Whether the evaluation failed; always false for a real model.
    pub is_failed: bool,
}

/// Judges the aims.
#[must_use]
pub fn verdict<'a>(aims: &'a [Aim], options: &Options) -> Verdict<'a> {
    let missed: Vec<&Aim> = aims
        .iter()
        .filter(|aim| !aim.is_met && aim.is_in_reach)
        .collect();
    Verdict {
        is_failed: options.place.is_none() && !missed.is_empty(),
        missed,
    }
}

/// The aims for Planwright that have measurements.
#[must_use]
pub fn aims(table: &Table) -> Vec<Aim> {
    let mut aims = Vec::new();
    let ours = |part| {
        table
            .of(part)
            .filter(|(group, trials)| group.client == "planwright" && !trials.is_empty())
    };
    for (group, trials) in ours(Part::Main) {
        let of = |steps| of_length(trials, steps).completion;
        let all = Score::of(trials);
        match group.profile.as_str() {
            "7b" => aims.extend([
                lower_end("7b, 7 steps, lower end >= 92 %", of(7), 0.92),
                lower_end("7b, 14 steps, lower end >= 88 %", of(14), 0.88),
                overhead("7b, requests over fewest <= 1.35", all.overhead, 1.35),
                share("7b, extraction >= 95 %", None, all.extraction, 0.95),
                share(
                    "7b, impossible ends rightly >= 95 %",
                    None,
                    all.right_ends,
                    0.95,
                ),
            ]),
            "14b" => aims.extend([
                lower_end("14b, 7 steps, lower end >= 97 %", of(7), 0.97),
                lower_end("14b, 14 steps, lower end >= 88 %", of(14), 0.88),
            ]),
            "clean" => {
                let what = "clean, requests over fewest = 1.0";
                aims.push(overhead(what, all.overhead, 1.005));
            }
            _ => {}
        }
        aims.push(none("false done 0", &group.profile, all.false_done));
        let over_window = all.over_window;
        aims.push(none(
            "no request over its window",
            &group.profile,
            over_window,
        ));
    }
    let grows = |group: &Group| group.planning == Planning::Iterative;
    for (group, trials) in ours(Part::Strategy).filter(|(group, _)| grows(group)) {
        let planned = Score::of(trials).decomposition;
        let what = "next steps planned in two requests >= 95 %";
        aims.push(share(what, Some(&group.profile), planned, 0.95));
    }
    for (group, trials) in ours(Part::Single) {
        let recovery = Score::of(trials).recovery;
        let rate = recovery.values().next().map(|kind| kind.rate());
        let what = "single faults go on >= 98 %";
        aims.push(share(
            what,
            Some(&group.profile),
            rate.unwrap_or_default(),
            0.98,
        ));
    }
    aims
}

fn plain(what: &'static str, is: String, is_met: bool) -> Aim {
    Aim {
        what,
        is,
        is_met,
        is_in_reach: true,
    }
}

/// The share must be at least `least`; met if nothing was measured.
fn share(what: &'static str, profile: Option<&str>, rate: Rate, least: f64) -> Aim {
    let is = match profile {
        Some(profile) => format!("{profile} {rate}"),
        None => rate.to_string(),
    };
    let is_met = rate.share().is_none_or(|share| share >= least);
    plain(what, is, is_met)
}

/// The number of requests may be at most `most` times the minimum.
fn overhead(what: &'static str, overhead: Option<f64>, most: f64) -> Aim {
    let is_met = overhead.is_none_or(|over| over <= most);
    plain(what, number(overhead, 2), is_met)
}

/// The share must be zero.
fn none(what: &'static str, profile: &str, rate: Rate) -> Aim {
    plain(what, format!("{profile} {rate}"), rate.hits == 0)
}

/// The lower end of the share's interval must be at least `least`; met if nothing was measured.
fn lower_end(what: &'static str, rate: Rate, least: f64) -> Aim {
    let faultless = Rate {
        hits: rate.of,
        of: rate.of,
    };
    let reaches = |rate: Rate| rate.of == 0 || rate.wilson().low >= least;
    Aim {
        what,
        is: rate.to_string(),
        is_met: reaches(rate),
        is_in_reach: reaches(faultless),
    }
}

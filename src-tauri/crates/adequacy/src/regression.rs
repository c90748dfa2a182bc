//! What a rewrite lost, against the revision it was made from.
//!
//! Raised only where the earlier revision is given. They speak of numbers alone; whether a
//! particular task was lost is for the diff of the two revisions to say.

use crate::code::{Code, Severity};
use crate::plan_rules::{Verdict, verdict};
use crate::reading::{Reading, Step, steps};

pub(crate) fn verdicts(reading: &Reading<'_>) -> Vec<Verdict> {
    let Some(before) = reading.input.before else {
        return Vec::new();
    };
    let before = steps(before);
    [
        possible_rewrite_compression(reading, &before),
        file_linkage_reduced(reading, &before),
        description_mass_reduced(reading, &before),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn possible_rewrite_compression(reading: &Reading<'_>, before: &[Step<'_>]) -> Option<Verdict> {
    let (had, has) = (before.len(), reading.steps.len());
    let worth_keeping = (reading.floor.saturating_sub(1) as usize).max(2);
    if has >= had || had < worth_keeping {
        return None;
    }
    let message = format!(
        "The earlier revision had {had} steps and this one has {has}: bring back what was merged away."
    );
    verdict(
        reading,
        Code::PossibleRewriteCompression,
        Severity::Major,
        0.87,
        message,
    )
}

fn file_linkage_reduced(reading: &Reading<'_>, before: &[Step<'_>]) -> Option<Verdict> {
    let linked = |steps: &[Step<'_>]| steps.iter().filter(|step| step.is_linked).count();
    let (had, has) = (linked(before), linked(&reading.steps));
    if has >= had {
        return None;
    }
    let message = format!(
        "The earlier revision had {had} steps with files and this one has {has}: name the files again."
    );
    verdict(
        reading,
        Code::FileLinkageReduced,
        Severity::Major,
        0.85,
        message,
    )
}

fn description_mass_reduced(reading: &Reading<'_>, before: &[Step<'_>]) -> Option<Verdict> {
    let bytes = |steps: &[Step<'_>]| {
        steps
            .iter()
            .map(|step| step.text.description().len())
            .sum::<usize>()
    };
    let (had, has) = (bytes(before), bytes(&reading.steps));
    let shrank = (has + 50) * 10 < had * 9;
    if !shrank || reading.steps.len() > before.len() {
        return None;
    }
    let message = format!(
        "The steps' descriptions shrank from {had} to {has} bytes: put back the details that were dropped."
    );
    verdict(
        reading,
        Code::DescriptionMassReduced,
        Severity::Minor,
        0.90,
        message,
    )
}

//! Reports what a rewritten plan lost compared with the revision it was made from.
//!
//! Findings are raised only if the earlier revision is given. They are based on counts alone; the
//! diff of the two revisions shows whether a particular task was lost.

use crate::code::{Code, Severity};
use crate::plan_context::{PlanContext, Step, steps};
use crate::plan_rules::{Verdict, verdict};

pub(crate) fn verdicts(context: &PlanContext<'_>) -> Vec<Verdict> {
    let Some(before) = context.input.before else {
        return Vec::new();
    };
    let before = steps(before);
    [
        possible_rewrite_compression(context, &before),
        file_linkage_reduced(context, &before),
        description_mass_reduced(context, &before),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn possible_rewrite_compression(context: &PlanContext<'_>, before: &[Step<'_>]) -> Option<Verdict> {
    let (had, has) = (before.len(), context.steps.len());
    let worth_keeping = (context.floor.saturating_sub(1) as usize).max(2);
    if has >= had || had < worth_keeping {
        return None;
    }
    let message = format!(
        "The number of steps fell from {had} to {has}: restore the steps that were merged."
    );
    verdict(
        context,
        Code::PossibleRewriteCompression,
        Severity::Major,
        0.87,
        message,
    )
}

fn file_linkage_reduced(context: &PlanContext<'_>, before: &[Step<'_>]) -> Option<Verdict> {
    let linked = |steps: &[Step<'_>]| steps.iter().filter(|step| step.is_linked).count();
    let (had, has) = (linked(before), linked(&context.steps));
    if has >= had {
        return None;
    }
    let message =
        format!("The number of steps with files fell from {had} to {has}: list the files again.");
    verdict(
        context,
        Code::FileLinkageReduced,
        Severity::Major,
        0.85,
        message,
    )
}

fn description_mass_reduced(context: &PlanContext<'_>, before: &[Step<'_>]) -> Option<Verdict> {
    let bytes = |steps: &[Step<'_>]| {
        steps
            .iter()
            .map(|step| step.text.description().len())
            .sum::<usize>()
    };
    let (had, has) = (bytes(before), bytes(&context.steps));
    let shrank = (has + 50) * 10 < had * 9;
    if !shrank || context.steps.len() > before.len() {
        return None;
    }
    let message = format!(
        "The steps' descriptions shrank from {had} to {has} bytes: restore the details that were dropped."
    );
    verdict(
        context,
        Code::DescriptionMassReduced,
        Severity::Minor,
        0.90,
        message,
    )
}

//! `risk_destructive` for a whole plan: which steps would destroy something, and what guards them.

use plan::TaskKind;

use crate::fixes::step_before;
use crate::mend::Fix;
use crate::reading::Reading;
use crate::recovery::guards_of;
use crate::report::{Finding, place};
use crate::task_rules::{danger, risk_destructive};

/// One finding for each dangerous step, with the index of its task.
pub(crate) fn findings(reading: &Reading<'_>) -> Vec<(usize, Finding)> {
    let (dangers, phrases): (Vec<usize>, Vec<&str>) = reading
        .steps
        .iter()
        .filter_map(|step| Some((step.index, danger(&step.text)?)))
        .unzip();
    if dangers.is_empty() {
        return Vec::new();
    }
    let guards = guards_of(reading, &dangers);
    dangers
        .into_iter()
        .zip(phrases)
        .zip(guards)
        .filter_map(|((index, phrase), guard)| {
            let step = reading.step_at(index)?;
            let guard = guard.map(|guard| &reading.plan.tasks[guard]);
            let mut finding = risk_destructive(step.task, &step.text, phrase, guard);
            if guard.is_none() {
                finding.fixes = ways_out(reading, index);
            }
            Some((index, finding))
        })
        .collect()
}

fn ways_out(reading: &Reading<'_>, index: usize) -> Vec<Fix> {
    let here = place(&reading.plan.tasks[index]);
    let pause = step_before(
        reading,
        index,
        TaskKind::Checkpoint,
        "Look at what is about to be lost",
        format!("Stop for a look before {here}"),
    );
    let backup = step_before(
        reading,
        index,
        TaskKind::Normal,
        "Back up everything that the next step touches",
        format!("Back up what {here} touches, as a step of its own before it"),
    );
    vec![pause, backup]
}

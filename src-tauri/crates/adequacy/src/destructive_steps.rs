//! `risk_destructive`: destructive steps of a plan and their safeguards.

use plan::TaskKind;

use crate::fixes::step_before;
use crate::mend::Fix;
use crate::plan_context::PlanContext;
use crate::report::{Finding, place};
use crate::safeguards::guards_of;
use crate::task_rules::{danger, risk_destructive};

/// One finding for each destructive step, with the index of the step's task.
pub(crate) fn findings(context: &PlanContext<'_>) -> Vec<(usize, Finding)> {
    let (dangers, phrases): (Vec<usize>, Vec<&str>) = context
        .steps
        .iter()
        .filter_map(|step| Some((step.index, danger(&step.text)?)))
        .unzip();
    if dangers.is_empty() {
        return Vec::new();
    }
    let guards = guards_of(context, &dangers);
    dangers
        .into_iter()
        .zip(phrases)
        .zip(guards)
        .filter_map(|((index, phrase), guard)| {
            let step = context.step_at(index)?;
            let guard = guard.map(|guard| &context.plan.tasks[guard]);
            let mut finding = risk_destructive(step.task, &step.text, phrase, guard);
            if guard.is_none() {
                finding.fixes = suggested_fixes(context, index);
            }
            Some((index, finding))
        })
        .collect()
}

fn suggested_fixes(context: &PlanContext<'_>, index: usize) -> Vec<Fix> {
    let here = place(&context.plan.tasks[index]);
    let pause = step_before(
        context,
        index,
        TaskKind::Checkpoint,
        "Review what is about to be lost",
        format!("Add a checkpoint before {here}"),
    );
    let backup = step_before(
        context,
        index,
        TaskKind::Normal,
        "Back up everything that the next step touches",
        format!("Add a backup step before {here}"),
    );
    vec![pause, backup]
}

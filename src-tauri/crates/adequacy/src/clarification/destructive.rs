//! Destructive steps: whether to keep a copy first or delete permanently.

use super::{Ambiguity, AskInput, Interpretation, Reversibility};
use crate::code::Code;
use crate::report::{place, quoted};

/// Destructive steps without a safeguard. The fixes of their findings are the safe options; the
/// remaining option is to keep no copy.
pub(super) fn unguarded(input: &AskInput<'_>) -> Vec<Ambiguity> {
    let mut found = Vec::new();
    for finding in &input.report.findings {
        let is_danger = matches!(finding.code, Code::RiskDestructive | Code::NoWayBack);
        let Some(task) = finding.task.as_ref().and_then(|id| input.plan.task(id)) else {
            continue;
        };
        if !is_danger || finding.fixes.is_empty() || finding.muted.is_some() || task.done {
            continue;
        }
        let here = place(task);
        let size = u32::from(task.complexity.unwrap_or(3));
        let guards: Vec<_> = finding.fixes.iter().take(3).collect();
        let share = 0.7 / guards.len() as f64;
        let mut readings: Vec<Interpretation> = guards
            .iter()
            .map(|fix| Interpretation {
                label: fix.label.clone(),
                consequence: format!(
                    "{} before {here}, so nothing is lost by mistake.",
                    match fix.mends.len() {
                        1 => "Adds one step".to_owned(),
                        count => format!("Makes {count} changes to the plan"),
                    }
                ),
                probability: share,
                complexity: (size + 1).min(10),
                reversibility: Reversibility::Reversible,
                mends: fix.mends.clone(),
                note: String::new(),
            })
            .collect();
        let about = format!("what {here} destroys");
        readings.push(Interpretation {
            label: "No, delete it for good".to_owned(),
            consequence: format!(
                "The plan stays as it is; what {here} destroys cannot be restored."
            ),
            probability: 0.3,
            complexity: size,
            reversibility: Reversibility::Irreversible,
            mends: Vec::new(),
            note: format!("{about} is no longer needed"),
        });
        found.push(Ambiguity {
            question: format!("Do you still need {about} ({})?", quoted(&task.title)),
            about,
            stakes: "Deleted data cannot be restored.".to_owned(),
            task: Some(task.id.clone()),
            readings,
            inferred: 0.0,
        });
    }
    found
}

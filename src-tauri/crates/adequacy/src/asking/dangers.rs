//! A step that destroys something: with a copy kept, or for good.

use super::{Ambiguity, AskInput, Interpretation, Reversibility};
use crate::code::Code;
use crate::report::{place, quoted};

/// Dangerous steps that nothing guards. Their findings say what would; the other answer is that
/// nothing has to be kept.
pub(super) fn without_a_copy(input: &AskInput<'_>) -> Vec<Ambiguity> {
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
                    "{} before {here}; nothing is lost if it was wrong.",
                    match fix.mends.len() {
                        1 => "The plan gets one step more".to_owned(),
                        count => format!("The plan is changed in {count} places"),
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
            label: "Nothing of it is needed again".to_owned(),
            consequence: format!(
                "The plan stays as it is, and what {here} destroys is gone for good."
            ),
            probability: 0.3,
            complexity: size,
            reversibility: Reversibility::Irreversible,
            mends: Vec::new(),
            note: format!("nothing of {about} is needed again"),
        });
        found.push(Ambiguity {
            question: format!(
                "Is anything of {about} needed again ({})?",
                quoted(&task.title)
            ),
            about,
            stakes: "What is gone then cannot be brought back.".to_owned(),
            task: Some(task.id.clone()),
            readings,
            inferred: 0.0,
        });
    }
    found
}

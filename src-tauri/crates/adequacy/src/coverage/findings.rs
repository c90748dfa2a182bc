//! What is said of requirements and parts of the goal that are open, or done in part.

use plan::{Requirement, Task};

use super::overlap::Overlap;
use super::{Judged, Wanted, Words, fixes};
use crate::code::{Code, Severity};
use crate::plan_rules::Verdict;
use crate::reading::Reading;
use crate::report::{Finding, quoted};

/// Below, none of it is said.
const NOTHING: f64 = 0.05;

/// One for each that is open, on which the badge rests. What files beside the plan ask for in words of their own is
/// open only where no step says any of it: such files also hold what was done before.
pub(super) fn verdicts(
    reading: &Reading<'_>,
    judged: &[Judged<'_, '_>],
    words: &[Words],
) -> Vec<Verdict> {
    /// Findings of their own; the last one says how many more there are.
    const MOST: usize = 200;
    let is_document = reading.asked.is_document;
    let open = || {
        judged
            .iter()
            .filter(|judged| match judged.wanted.requirement {
                Some(_) => !reading.lists_beside() || judged.said.share < NOTHING,
                None => !is_document,
            })
            .filter_map(|judged| Some((judged, judged.open.as_deref()?)))
    };
    let mut verdicts: Vec<Verdict> = open()
        .take(MOST)
        .map(|(judged, part)| {
            let mut tasks = judged.said.tasks.iter();
            let best = tasks
                .by_ref()
                .map(|(at, _)| &reading.plan.tasks[words[*at].index])
                .find(|task| crate::task_rules::is_work(task));
            let finding = match judged.wanted.requirement {
                Some(requirement) => of_requirement(reading, requirement, best),
                None => of_goal(reading, judged.wanted, part, best),
            };
            // What is open is earned less already.
            Verdict {
                finding,
                factor: 1.0,
            }
        })
        .collect();
    let more = open().count().saturating_sub(MOST);
    if let (Some(last), 1..) = (verdicts.last_mut(), more) {
        last.finding.message = format!("{} ({more} more of this kind)", last.finding.message);
    }
    verdicts
}

fn of_requirement(
    reading: &Reading<'_>,
    requirement: &Requirement,
    best: Option<&Task>,
) -> Finding {
    let message = format!(
        "No step covers requirement {} ({}): add `covers: {}` to the step that does, or a step for it.",
        requirement.id,
        quoted(&requirement.text),
        requirement.id
    );
    let code = Code::UncoveredRequirement;
    let mut finding = Finding::of_plan(reading.plan, &requirement.text, code, Severity::Major);
    if !reading.lists_itself() {
        // Its list is another file, so there is no place in the plan to name and no `covers:` to write.
        return finding.saying(format!(
            "No step does what the list asks for: {}. Add a step for it.",
            quoted_whole(&requirement.text)
        ));
    }
    finding.line = requirement.line;
    finding.place = requirement.span.clone();
    finding.question = Some(format!(
        "Which step takes care of {} ({})?",
        requirement.id,
        quoted(&requirement.text)
    ));
    finding
        .saying(message)
        .mended_by(fixes::of_requirement(reading, requirement, best))
        .asking_only_with_answers()
}

fn of_goal(reading: &Reading<'_>, wanted: &Wanted<'_>, part: &str, best: Option<&Task>) -> Finding {
    let what = quoted_whole(part);
    let message = format!(
        "The goal asks for {what} and no step speaks of it: add a step for it, or say in a step that it \
         does."
    );
    let about = format!("{}\n{part}", wanted.text);
    let mut finding = Finding::of_plan(reading.plan, &about, Code::UncoveredGoal, Severity::Major);
    finding.question = Some(format!("Which step takes care of {what}?"));
    finding
        .saying(message)
        .mended_by(fixes::of_goal(reading, part, best))
        .asking_only_with_answers()
}

/// A part of the goal in quotation marks. Longer than other quotes: nothing else says which it is.
pub(super) fn quoted_whole(text: &str) -> String {
    const LONGEST: usize = 160;
    match text.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("“{}…”", text[..cut].trim_end()),
        None => format!("“{text}”"),
    }
}

/// What informs only: requirements of which no step says the rarest words, and sentences of a goal that
/// is a document which bind: most of such a document asks for nothing.
pub(super) fn informing(
    reading: &Reading<'_>,
    judged: &[Judged<'_, '_>],
    overlap: &Overlap,
) -> Vec<Finding> {
    const MAX_TOLD: usize = 50;
    /// Below, none of it is said.
    const NOTHING: f64 = 0.05;
    let is_document = reading.asked.is_document;
    let finding = |judged: &Judged<'_, '_>| {
        let (text, share) = (judged.wanted.text, judged.said.share);
        let about = |code| Finding::of_plan(reading.plan, text, code, Severity::Info);
        match judged.wanted.requirement {
            Some(requirement)
                if judged.open.is_none() || reading.lists_beside() && share >= NOTHING =>
            {
                let unsaid = listed(&judged.unsaid(overlap))?;
                let mut finding = about(Code::PartlyCovered);
                if reading.lists_itself() {
                    finding.line = requirement.line;
                    finding.place = requirement.span.clone();
                }
                let id = &requirement.id;
                Some(finding.saying(format!(
                    "The steps say {:.0} % of requirement {id} ({}), and none says {unsaid}.",
                    share * 100.0,
                    quoted(text),
                )))
            }
            None if is_document && is_binding(text) && judged.open.is_some() && share < NOTHING => {
                let message = format!(
                    "No step speaks of what the goal says: {}.",
                    quoted_whole(text)
                );
                Some(about(Code::UncoveredGoal).saying(message))
            }
            _ => None,
        }
    };
    judged.iter().filter_map(finding).take(MAX_TOLD).collect()
}

/// Whether a sentence of a document binds whoever fulfils it: documents in any language write that in capitals, as
/// RFC 2119 has it.
fn is_binding(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric())
        .any(|word| matches!(word, "MUST" | "SHALL"))
}

/// Words in quotation marks; `None` for none.
pub(super) fn listed(words: &[String]) -> Option<String> {
    let quoted: Vec<String> = words.iter().map(|word| format!("“{word}”")).collect();
    (!quoted.is_empty()).then(|| quoted.join(", "))
}

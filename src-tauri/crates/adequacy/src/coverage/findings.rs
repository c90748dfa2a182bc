//! Findings about requirements and parts of the goal that are open or only partly covered.

use plan::{Requirement, Task};

use super::overlap::Overlap;
use super::{JudgedTarget, Target, Words, fixes};
use crate::code::{Code, Severity};
use crate::plan_context::PlanContext;
use crate::plan_rules::Verdict;
use crate::report::{Finding, quoted};

/// Below this share, a requirement is not covered at all.
const MIN_SHARE: f64 = 0.05;

/// One verdict per open requirement; the badge depends on them. Requirements listed in files next
/// to the plan are open only if no step mentions any of them, because such files also list finished
/// work.
pub(super) fn verdicts(
    context: &PlanContext<'_>,
    judged: &[JudgedTarget<'_, '_>],
    words: &[Words],
) -> Vec<Verdict> {
    /// Maximum number of separate findings; the last one gives the number of the remaining ones.
    const MAX_FINDINGS: usize = 200;
    let is_document = context.asked.is_document;
    let open = || {
        judged
            .iter()
            .filter(|judged| match judged.target.requirement {
                Some(_) => !context.lists_in_other_files() || judged.said.share < MIN_SHARE,
                None => !is_document,
            })
            .filter_map(|judged| Some((judged, judged.open.as_deref()?)))
    };
    let mut verdicts: Vec<Verdict> = open()
        .take(MAX_FINDINGS)
        .map(|(judged, part)| {
            let mut tasks = judged.said.tasks.iter();
            let best = tasks
                .by_ref()
                .map(|(at, _)| &context.plan.tasks[words[*at].index])
                .find(|task| crate::task_rules::is_work(task));
            let finding = match judged.target.requirement {
                Some(requirement) => of_requirement(context, requirement, best),
                None => of_goal(context, judged.target, part, best),
            };
            // The coverage dimension already accounts for open requirements.
            Verdict {
                finding,
                factor: 1.0,
            }
        })
        .collect();
    let more = open().count().saturating_sub(MAX_FINDINGS);
    if let (Some(last), 1..) = (verdicts.last_mut(), more) {
        last.finding.message = format!("{} ({more} more like this)", last.finding.message);
    }
    verdicts
}

fn of_requirement(
    context: &PlanContext<'_>,
    requirement: &Requirement,
    best: Option<&Task>,
) -> Finding {
    let message = format!(
        "No step covers requirement {} ({}): add `covers: {}` to the step that implements it, or add such a step.",
        requirement.id,
        quoted(&requirement.text),
        requirement.id
    );
    let code = Code::UncoveredRequirement;
    let mut finding = Finding::for_plan(context.plan, &requirement.text, code, Severity::Major);
    if !context.lists_in_plan() {
        // The list is in another file, so there is no position in the plan to point to and no
        // `covers:` to add.
        return finding.with_message(format!(
            "No step covers {}: add a step for it.",
            quoted_long(&requirement.text)
        ));
    }
    finding.line = requirement.line;
    finding.place = requirement.span.clone();
    finding.question = Some(format!(
        "Which step covers {} ({})?",
        requirement.id,
        quoted(&requirement.text)
    ));
    finding
        .with_message(message)
        .with_fixes(fixes::of_requirement(context, requirement, best))
        .drop_question_without_answers()
}

fn of_goal(
    context: &PlanContext<'_>,
    target: &Target<'_>,
    part: &str,
    best: Option<&Task>,
) -> Finding {
    let what = quoted_long(part);
    let message = format!(
        "No step covers {what}, which the goal asks for: add a step for it, or mention it in the step \
         that does it."
    );
    let about = format!("{}\n{part}", target.text);
    let mut finding = Finding::for_plan(context.plan, &about, Code::UncoveredGoal, Severity::Major);
    finding.question = Some(format!("Which step covers {what}?"));
    finding
        .with_message(message)
        .with_fixes(fixes::of_goal(context, part, best))
        .drop_question_without_answers()
}

/// A part of the goal in quotation marks. It is truncated less than other quotes, because only its
/// text identifies it.
pub(super) fn quoted_long(text: &str) -> String {
    const MAX_CHARS: usize = 160;
    match text.char_indices().nth(MAX_CHARS) {
        Some((cut, _)) => format!("“{}…”", text[..cut].trim_end()),
        None => format!("“{text}”"),
    }
}

/// Findings with severity info: requirements whose rarest words no step mentions, and sentences of
/// a goal document that are binding. Most sentences of such a document are not requirements.
pub(super) fn info_findings(
    context: &PlanContext<'_>,
    judged: &[JudgedTarget<'_, '_>],
    overlap: &Overlap,
) -> Vec<Finding> {
    const MAX_FINDINGS: usize = 50;
    /// Below this share, a requirement is not covered at all.
    const MIN_SHARE: f64 = 0.05;
    let is_document = context.asked.is_document;
    let finding = |judged: &JudgedTarget<'_, '_>| {
        let (text, share) = (judged.target.text, judged.said.share);
        let about = |code| Finding::for_plan(context.plan, text, code, Severity::Info);
        match judged.target.requirement {
            Some(requirement)
                if judged.open.is_none()
                    || context.lists_in_other_files() && share >= MIN_SHARE =>
            {
                let missing_words = listed(&judged.missing_words(overlap))?;
                let mut finding = about(Code::PartlyCovered);
                if context.lists_in_plan() {
                    finding.line = requirement.line;
                    finding.place = requirement.span.clone();
                }
                let id = &requirement.id;
                Some(finding.with_message(format!(
                    "The steps contain {:.0}% of requirement {id} ({}), and none mentions {missing_words}.",
                    share * 100.0,
                    quoted(text),
                )))
            }
            None if is_document
                && is_binding(text)
                && judged.open.is_some()
                && share < MIN_SHARE =>
            {
                let message = format!("No step mentions {} from the goal.", quoted_long(text));
                Some(about(Code::UncoveredGoal).with_message(message))
            }
            _ => None,
        }
    };
    judged
        .iter()
        .filter_map(finding)
        .take(MAX_FINDINGS)
        .collect()
}

/// Whether a sentence of a document is binding: documents in any language use "MUST" and "SHALL" in
/// capitals, as defined by RFC 2119.
fn is_binding(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric())
        .any(|word| matches!(word, "MUST" | "SHALL"))
}

/// Words in quotation marks, joined as a list; `None` if there are none.
pub(super) fn listed(words: &[String]) -> Option<String> {
    let quoted: Vec<String> = words.iter().map(|word| format!("“{word}”")).collect();
    (!quoted.is_empty()).then(|| quoted.join(", "))
}

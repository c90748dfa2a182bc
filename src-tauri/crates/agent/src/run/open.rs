//! Lists open questions, using only the journal and the plan.

use gate::question::{Question, QuestionKind};
use plan::{Plan, Task};

use super::questions;
use super::state::{Standing, State, TaskState};
use crate::journal::SkippedBy;

/// The open questions of a run, in plan order: unanswered questions, failed steps, and side effects
/// that were announced but have no outcome.
///
/// `lives` tells whether a process is currently running the run. If so, the effects that this
/// process announced are in progress and not questions; those of an earlier process are questions
/// until they are answered. Each question has the fingerprint that the step had when the question
/// was asked or, if that is unknown, when the step was approved.
pub fn open_questions(state: &State, plan: &Plan, lives: bool) -> Vec<Question> {
    let in_plan = plan.leaves().map(|(_, task)| task);
    let asked = in_plan.filter_map(|task| {
        let known = state.task(&task.id)?;
        question(known, task.id.as_str(), Some(task), lives)
    });
    // The outcome of a step stays unknown even if the plan no longer contains the step.
    let gone = state.tasks.iter().filter_map(|(id, known)| {
        let is_gone = plan.tasks.iter().all(|task| task.id.as_str() != id);
        let has_intents = is_gone && !known.intents.is_empty();
        question(known, id, None, lives).filter(|_| has_intents)
    });
    let is_asked = state.ended.is_some() || lives;
    let of_plan = state.question.iter().filter(|_| is_asked).cloned();
    let all = of_plan.chain(asked).chain(gone);
    all.map(|question| {
        let approved = || state.covered.get(&question.task).cloned();
        Question {
            fingerprint: question.fingerprint.clone().or_else(approved),
            ..question
        }
    })
    .collect()
}

/// The question to ask about an announced side effect that was interrupted in this call.
pub fn unknown_outcome(task: &str, line: &str) -> Question {
    questions::unknown(task, line, "", None)
}

fn question(known: &TaskState, id: &str, task: Option<&Task>, lives: bool) -> Option<Question> {
    let parked = known.question.as_ref();
    if let Some(intent) = known.intents.values().next() {
        let asked = parked.filter(|asked| asked.question == QuestionKind::Unknown);
        let is_answered = known.answers.contains_key(&QuestionKind::Unknown);
        let is_in_progress = lives && (!intent.is_cut_off || is_answered);
        return (!is_in_progress).then(|| match asked {
            Some(asked) => asked.clone(),
            None => unknown_outcome(id, &intent.line),
        });
    }
    let task = task?;
    let is_over = match known.standing {
        Standing::Done => !known.is_unverified(),
        Standing::Skipped(by) => by != SkippedBy::Model,
        Standing::Pending | Standing::Running | Standing::Failed => false,
    };
    if known.lost.is_none() && known.standing == Standing::Failed {
        let asked = parked.filter(|asked| asked.question != QuestionKind::Failure);
        let failure = || questions::failure(id, &task.title, known);
        return Some(asked.cloned().unwrap_or_else(failure));
    }
    parked.filter(|_| known.lost.is_some() || !is_over).cloned()
}

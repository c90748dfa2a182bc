//! What waits for a person, read from the journal and the plan alone.

use gate::question::{Question, QuestionKind};
use plan::{Plan, Task};

use super::asking;
use super::state::{Standing, State, TaskState};
use crate::journal::SkippedBy;

/// What a run asks a person, in the plan's order: questions that were put and not answered, steps
/// that failed, and side effects that were announced and have no outcome.
///
/// `lives` says whether a process carries the run: then what it announced itself is under way, and no
/// question; what an earlier process left is one until it is answered. Each question carries the fingerprint under which the step was asked
/// about, or else approved.
pub fn open_questions(state: &State, plan: &Plan, lives: bool) -> Vec<Question> {
    let in_plan = plan.leaves().map(|(_, task)| task);
    let asked = in_plan.filter_map(|task| {
        let known = state.task(&task.id)?;
        question(known, task.id.as_str(), Some(task), lives)
    });
    // What a step did outside stays unknown though the plan no longer speaks of the step.
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

/// The question after a side effect that was announced on this line and cut off, as it is first put.
pub fn unknown_outcome(task: &str, line: &str) -> Question {
    asking::unknown(task, line, "", None)
}

fn question(known: &TaskState, id: &str, task: Option<&Task>, lives: bool) -> Option<Question> {
    let parked = known.question.as_ref();
    if let Some(intent) = known.intents.values().next() {
        let asked = parked.filter(|asked| asked.question == QuestionKind::Unknown);
        let is_answered = known.answers.contains_key(&QuestionKind::Unknown);
        let is_under_way = lives && (!intent.is_cut_off || is_answered);
        return (!is_under_way).then(|| match asked {
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
        let failure = || asking::failure(id, &task.title, known);
        return Some(asked.cloned().unwrap_or_else(failure));
    }
    parked.filter(|_| known.lost.is_some() || !is_over).cloned()
}

//! Questions for display: the possible answers and their effects.

use agent::journal::CallOutcome;
use gate::question::{Question, QuestionKind};
use plan::{ChoiceEffect, ChoiceOption, TaskId};

use super::{RunRead, permission};
use crate::Shared;
use crate::runs::effect_of_label;
use crate::wire::{QuestionOption, RunQuestion};

impl Shared {
    /// The questions of a run, in plan order.
    pub(crate) fn questions_of(&self, read: &RunRead) -> Vec<RunQuestion> {
        let questions = read.questions().into_iter();
        questions.map(|asked| self.question(read, asked)).collect()
    }

    fn question(&self, read: &RunRead, asked: Question) -> RunQuestion {
        let options = asked.options.iter().map(|label| {
            let option = option_of(read, &asked, label);
            QuestionOption {
                label: label.clone(),
                effect: match option {
                    Some(option) => effect(&option.effect),
                    None => effect_of_label(asked.question, label).to_owned(),
                },
                is_review: option.is_some_and(|option| option.effect == ChoiceEffect::Review),
            }
        });
        RunQuestion {
            run: read.row.id.clone(),
            title: read.title(&asked.task),
            kind: asked.question.as_str().to_owned(),
            options: options.collect(),
            permission: asked
                .permission
                .as_ref()
                .map(|request| permission::view(self, read, &asked.task, request)),
            effects: starts(&asked)
                .then(|| read.parsed.as_ref()?.index_of(&asked.task))
                .flatten()
                .map(|index| permission::effects(self, read, index))
                .unwrap_or_default(),
            fingerprint: Some(read.token(&asked)),
            state: read.state_of(&asked.task).unwrap_or("ready").to_owned(),
            task: asked.task,
            message: asked.message,
        }
    }
}

/// Whether approving would start the step.
fn starts(asked: &Question) -> bool {
    matches!(
        asked.question,
        QuestionKind::Approval | QuestionKind::SkippedDependency | QuestionKind::Gate
    )
}

/// The plan's option with this label, if the question is a checkpoint or a decision.
fn option_of<'a>(read: &'a RunRead, asked: &Question, label: &str) -> Option<&'a ChoiceOption> {
    let is_choice = matches!(
        asked.question,
        QuestionKind::Checkpoint | QuestionKind::Decision
    );
    let task = read.task(&asked.task).filter(|_| is_choice)?;
    task.options.iter().find(|option| option.label == label)
}

/// Describes the effect of an option.
fn effect(effect: &ChoiceEffect) -> String {
    let named = |ids: &[TaskId]| {
        let ids: Vec<&str> = ids.iter().map(TaskId::as_str).collect();
        ids.join(", ")
    };
    match effect {
        ChoiceEffect::Continue => "continues the run".to_owned(),
        ChoiceEffect::Skip(ids) => format!("continues without {}", named(ids)),
        ChoiceEffect::Review => "shows the changes; the question stays".to_owned(),
        ChoiceEffect::Stop => "ends the run; completed steps stay".to_owned(),
        ChoiceEffect::Branch(ids) if ids.is_empty() => "continues the run".to_owned(),
        ChoiceEffect::Branch(ids) => format!("continues with {}", named(ids)),
    }
}

/// Extracts “2 hits” from the result of a search.
pub(super) fn hits(outcome: &CallOutcome) -> Option<String> {
    let (found, _) = outcome.summary.split_once(" in ")?;
    let (count, noun) = found.split_once(' ')?;
    let is_count = count.chars().all(|digit| digit.is_ascii_digit());
    (is_count && matches!(noun, "hit" | "hits")).then(|| found.to_owned())
}

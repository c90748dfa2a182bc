//! Answers given on screen. Each one has a type and is bound to the step that the person saw.
//!
//! An answer is kept until the run asks its question. It is used once, for a question of the same
//! kind about the same step. An answer that doesn't fit is dropped, and the question is asked
//! again.

use gate::answers::Answer;
use gate::question::{PermissionRequest, Question, QuestionKind};
use serde::{Deserialize, Serialize};

/// An answer, and the question that it belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenAnswer {
    /// The id of the step that the question is about.
    pub task: String,
    /// The kind of question.
    pub question: QuestionKind,
    /// The fingerprint of the step that the person saw. If the step has changed by the time the
    /// answer is used, the answer is dropped. With `None`, only the id of the step must match.
    #[serde(default)]
    pub fingerprint: Option<String>,
    /// The person's answer.
    pub answer: Answer,
    /// For [`QuestionKind::Permission`] and [`QuestionKind::Destructive`], exactly what the person
    /// allowed or refused. Without it, the answer allows nothing.
    #[serde(default)]
    pub permission: Option<PermissionRequest>,
}

impl GivenAnswer {
    /// Whether the answer belongs to this question: same step, same kind and, for a permission,
    /// same request.
    pub fn is_for(&self, question: &Question) -> bool {
        self.answers(
            &question.task,
            question.question,
            question.permission.as_ref(),
        )
    }

    /// Whether the answer belongs to a question of this kind about this step. For a permission, the
    /// request must match too.
    pub(crate) fn answers(
        &self,
        task: &str,
        kind: QuestionKind,
        request: Option<&PermissionRequest>,
    ) -> bool {
        let same = self.task == task && self.question == kind;
        same && (!kind.is_about_request() || self.permission.as_ref() == request)
    }

    /// Checks whether the question permits this answer. The error is shown next to the question.
    pub fn fits(&self, question: &Question) -> Result<(), String> {
        use QuestionKind as Kind;
        let fits = match (&self.answer, question.question) {
            (Answer::Permission { .. }, Kind::Permission | Kind::Destructive)
            | (Answer::Unknown { .. }, Kind::Unknown) => true,
            (_, Kind::Permission | Kind::Destructive | Kind::Unknown) => false,
            (Answer::Skip { .. } | Answer::Stop, _)
            | (Answer::Done { .. }, Kind::Person | Kind::Unverified)
            | (Answer::Retry, Kind::Unverified)
            | (Answer::Retry | Answer::Recover { .. }, Kind::Failure)
            | (Answer::Run, Kind::Approval | Kind::SkippedDependency) => true,
            (Answer::Choice { label, .. }, Kind::Question) => !label.trim().is_empty(),
            (Answer::Reason { reason }, Kind::Gate) => !reason.trim().is_empty(),
            (
                Answer::Choice { label, .. },
                Kind::Checkpoint | Kind::Decision | Kind::Claims | Kind::Changed,
            ) => {
                if question.options.is_empty() {
                    !label.trim().is_empty()
                } else if question.options.contains(label) {
                    true
                } else {
                    let options = question.options.join(" · ");
                    return Err(format!(
                        "invalid answer “{label}”; choose one of: {options}"
                    ));
                }
            }
            _ => false,
        };
        match fits {
            true => Ok(()),
            false => Err("that doesn't answer this question".to_owned()),
        }
    }
}

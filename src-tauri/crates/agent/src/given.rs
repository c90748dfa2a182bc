//! Answers given at a screen: typed, and bound to the step that the person saw.
//!
//! An answer waits for its question. It is used once, for the question of its task and kind; one
//! that does not fit is dropped and the question is put anew, never bent into one that fits.

use gate::answers::Answer;
use gate::question::{PermissionRequest, Question, QuestionKind};
use serde::{Deserialize, Serialize};

/// One answer, with what it was given for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenAnswer {
    /// The task asked about.
    pub task: String,
    /// What was asked.
    pub question: QuestionKind,
    /// The fingerprint of the step that the person saw. If the step reads otherwise when the
    /// answer's turn comes, the answer is dropped. `None` binds it to the task alone.
    #[serde(default)]
    pub fingerprint: Option<String>,
    /// What was answered.
    pub answer: Answer,
    /// For [`QuestionKind::Permission`] and [`QuestionKind::Destructive`]: exactly what was allowed or
    /// refused. An answer without it
    /// allows nothing.
    #[serde(default)]
    pub permission: Option<PermissionRequest>,
}

impl GivenAnswer {
    /// Whether this is meant for the question: its task, its kind and, for a permission, its
    /// request.
    pub fn is_for(&self, question: &Question) -> bool {
        self.answers(
            &question.task,
            question.question,
            question.permission.as_ref(),
        )
    }

    /// Whether this is meant for a question of this task and kind. Permissions are told apart by
    /// their request.
    pub(crate) fn answers(
        &self,
        task: &str,
        kind: QuestionKind,
        request: Option<&PermissionRequest>,
    ) -> bool {
        let same = self.task == task && self.question == kind;
        same && (!kind.is_about_request() || self.permission.as_ref() == request)
    }

    /// What keeps the answer from being one of those that the question allows.
    ///
    /// # Errors
    /// The words to show beside the question.
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
                    return Err(format!("“{label}” is none of: {options}"));
                }
            }
            _ => false,
        };
        match fits {
            true => Ok(()),
            false => Err("that is no answer to this question".to_owned()),
        }
    }
}

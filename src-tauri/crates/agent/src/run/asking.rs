//! Questions: looked up among the answers at hand, else put to the person.

use plan::Task;

use super::{Effect, Machine};
use crate::answers::{Answer, Lookup};
use crate::journal::Entry;
use crate::question::{PermissionRequest, Question, QuestionKind, label};

impl Machine {
    /// The answer to a question, if one is known. Otherwise the question is journaled and shown,
    /// and the task waits in this process.
    pub(super) fn ask(&mut self, question: Question) -> Option<Answer> {
        let known = self.state.tasks.get(&question.task);
        if let Some(answer) = known.and_then(|task| task.answers.get(&question.question)) {
            return Some(answer.clone());
        }
        match self.config.answers.take(&question) {
            Lookup::Answer(answer) => {
                self.record(Entry::Answered {
                    task: question.task.clone(),
                    question: question.question,
                    answer: answer.clone(),
                    permission: question.permission,
                });
                Some(answer)
            }
            Lookup::NoMatch(words) => {
                let message = format!("{} ({words})", question.message);
                self.park(Question {
                    message,
                    ..question
                });
                None
            }
            Lookup::None => {
                self.park(question);
                None
            }
        }
    }

    /// Puts a question to the person and leaves the task waiting.
    pub(super) fn park(&mut self, question: Question) {
        let asked = self
            .state
            .tasks
            .get(&question.task)
            .and_then(|task| task.question.as_ref());
        if asked != Some(&question) {
            self.record(Entry::Asked {
                question: question.clone(),
            });
        }
        self.waiting.insert(question.task.clone(), question.clone());
        self.out.push(Effect::Ask(question));
    }
}

fn options(labels: &[&str]) -> Vec<String> {
    labels.iter().map(|label| (*label).to_owned()).collect()
}

fn question(task: &str, kind: QuestionKind, message: String, labels: &[&str]) -> Question {
    Question {
        task: task.to_owned(),
        question: kind,
        message,
        options: options(labels),
        permission: None,
    }
}

pub(super) fn person(task: &Task, by_agent: bool) -> Question {
    let title = &task.title;
    let message = if by_agent {
        format!(
            "“{title}” needs a model and none is configured. Do it yourself and say when it is done."
        )
    } else {
        format!("“{title}” is for a person. Say when it is done.")
    };
    question(
        task.id.as_str(),
        QuestionKind::Person,
        message,
        &[label::DONE, label::SKIP],
    )
}

pub(super) fn choice(task: &Task, kind: QuestionKind) -> Question {
    let labels: Vec<&str> = if task.options.is_empty() && kind == QuestionKind::Checkpoint {
        vec![label::CONTINUE, label::STOP]
    } else {
        task.options
            .iter()
            .map(|option| option.label.as_str())
            .collect()
    };
    question(task.id.as_str(), kind, task.title.clone(), &labels)
}

pub(super) fn approval(task: &Task) -> Question {
    let message = format!("Start “{}”?", task.title);
    let labels = [label::RUN, label::SKIP, label::STOP];
    question(task.id.as_str(), QuestionKind::Approval, message, &labels)
}

pub(super) fn gate(task: &Task, findings: &[String]) -> Question {
    let message = format!(
        "The quality gate blocks “{}”: {} Reword the step, or let it pass with a written reason.",
        task.title,
        findings.join(" ")
    );
    question(
        task.id.as_str(),
        QuestionKind::Gate,
        message,
        &[label::SKIP, label::STOP],
    )
}

pub(super) fn permission(task: &str, request: PermissionRequest, why: &str) -> Question {
    let message = format!("May `{}` run `{}`? {why}", request.tool, request.subject);
    Question {
        permission: Some(request),
        ..question(
            task,
            QuestionKind::Permission,
            message,
            &["once", "run", "no"],
        )
    }
}

pub(super) fn unknown(task: &str, line: &str, reason: Option<&str>) -> Question {
    let message = match reason {
        None => format!(
            "The run was cut off inside `{line}`; whether it happened is not known. “check” looks \
             and takes back what is half done before it goes on, “repeat” does it again whatever \
             happened, “skip” leaves the step out."
        ),
        Some(reason) => format!("`{line}` was cut off and a look did not settle it: {reason}"),
    };
    let labels = [label::CHECK, label::REPEAT, label::SKIP_UNKNOWN];
    question(task, QuestionKind::Unknown, message, &labels)
}

pub(super) fn cut(task: &Task, looked: bool) -> Question {
    let title = &task.title;
    let message = if looked {
        format!(
            "Nothing on record tells whether “{title}” was carried out. Look at the workspace, then \
             answer “repeat” or “skip”."
        )
    } else {
        format!(
            "The record of this run was damaged and a copy took its place; whether “{title}” was \
             carried out since is not known."
        )
    };
    let labels = [label::CHECK, label::REPEAT, label::SKIP_UNKNOWN];
    question(task.id.as_str(), QuestionKind::Unknown, message, &labels)
}

pub(super) fn failure(task: &str, title: &str, reason: &str) -> Question {
    let message = format!("“{title}” failed: {reason}");
    let labels = [label::RETRY, label::SKIP, label::STOP];
    question(task, QuestionKind::Failure, message, &labels)
}

pub(super) fn skipped_dependency(task: &Task, before: &Task) -> Question {
    let message = format!(
        "“{}” depends on {}, which a person left out. Start it all the same?",
        task.title, before.id
    );
    let labels = [label::RUN, label::SKIP, label::STOP];
    question(
        task.id.as_str(),
        QuestionKind::SkippedDependency,
        message,
        &labels,
    )
}

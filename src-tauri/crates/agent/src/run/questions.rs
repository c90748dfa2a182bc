//! Answers a question if the answer is already known; otherwise asks the person.
//!
//! Long because: the wording of every question in a run is in one place.

use gate::answers::{Answer, Lookup};
use gate::destructive::Danger;
use gate::question::{PermissionRequest, Question, QuestionKind, label};
use plan::{Task, TaskId, ToolName};

use super::state::TaskState;
use super::{Effect, Executor, Machine};
use crate::journal::{Changes, Entry, HalfDone};
use crate::pending_answers::GivenAnswer;

impl Machine {
    /// The answer to a question, if it is already known. Otherwise, the question is journaled and
    /// shown, and the task waits for the answer.
    pub(super) fn ask(&mut self, question: Question) -> Option<Answer> {
        let mut given = self.state.given.iter();
        if let Some(given) = given.find(|given| given.is_for(&question)).cloned() {
            return self.take_given(given, question);
        }
        let known = self.state.tasks.get(&question.task);
        let known = known.filter(|task| {
            // A permission applies to one particular request; old journals don't record which one.
            match question.question {
                QuestionKind::Permission => {
                    task.permitted.is_none() || task.permitted == question.permission
                }
                QuestionKind::Destructive => task.permitted == question.permission,
                _ => true,
            }
        });
        if let Some(answer) = known.and_then(|task| task.answers.get(&question.question)) {
            return Some(answer.clone());
        }
        match self.config.answers.take(&question) {
            Lookup::Answer(answer) => self.answered_by(question, answer),
            Lookup::NoMatch(words) => self.park_with(question, &words),
            Lookup::None => {
                self.park(question);
                None
            }
        }
    }

    /// Uses an answer that was given in advance, unless the step has changed since.
    fn take_given(&mut self, given: GivenAnswer, question: Question) -> Option<Answer> {
        if self.is_stale(&given) {
            self.park(changed(question));
            return None;
        }
        match given.fits(&question) {
            Err(words) => self.park_with(question, &words),
            Ok(()) => self.answered_by(question, given.answer),
        }
    }

    fn answered_by(&mut self, question: Question, answer: Answer) -> Option<Answer> {
        self.record(Entry::Answered {
            task: question.task,
            question: question.question,
            answer: answer.clone(),
            permission: question.permission,
        });
        Some(answer)
    }

    fn park_with(&mut self, question: Question, words: &str) -> Option<Answer> {
        let message = format!("{} ({words})", question.message);
        self.park(Question {
            message,
            ..question
        });
        None
    }

    pub(super) fn is_stale(&self, given: &GivenAnswer) -> bool {
        let seen = given.fingerprint.as_deref();
        seen.is_some() && seen != self.fingerprint(&given.task)
    }

    /// The fingerprint of the step in the file as last read or, if the file doesn't contain the
    /// step, in the approved plan.
    fn fingerprint(&self, task: &str) -> Option<&str> {
        let id = TaskId::from(task);
        let read = self.file.as_ref();
        let read = read.and_then(|file| file.fingerprints.get(&id));
        read.or_else(|| self.view.fingerprints.get(&id))
            .map(String::as_str)
    }

    /// Asks the question again if the step has changed since it was answered; `false` if there is
    /// no outdated answer.
    pub(super) fn drop_stale_answer(&mut self, task: &Task) -> bool {
        let id = task.id.as_str();
        let mut given = self.state.given.iter();
        let stale = given.find(|given| given.task == id && self.is_stale(given));
        let question = match stale.map(|given| given.question) {
            Some(QuestionKind::Approval) => approval(task, self.executor_of(task)),
            Some(QuestionKind::Person) => person(task, false, false),
            Some(kind @ (QuestionKind::Checkpoint | QuestionKind::Decision)) => choice(task, kind),
            // The other kinds of questions concern the step's actions and are asked again when they
            // come up.
            _ => return false,
        };
        self.park(changed(question));
        true
    }

    /// Asks the person a question. The task then waits for the answer.
    pub(super) fn park(&mut self, question: Question) {
        // The inspected files may change before the answer arrives.
        self.looked.remove(&question.task);
        let question = Question {
            fingerprint: self.fingerprint(&question.task).map(str::to_owned),
            ..question
        };
        let is_answered = self.state.given.iter().any(|given| given.is_for(&question));
        let known = self.state.tasks.get(&question.task);
        let asked = known.and_then(|known| known.question.as_ref());
        // Recording the question again uses up an answer that was given in advance.
        if is_answered || asked != Some(&question) {
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

pub(super) fn question(
    task: &str,
    kind: QuestionKind,
    message: String,
    labels: &[&str],
) -> Question {
    Question {
        task: task.to_owned(),
        question: kind,
        message,
        options: options(labels),
        permission: None,
        fingerprint: None,
    }
}

/// The same question again, because the answer was given for a different text.
fn changed(question: Question) -> Question {
    let message = format!(
        "{} The step changed after you answered; read it again.",
        question.message
    );
    Question {
        message,
        ..question
    }
}

pub(super) fn person(task: &Task, by_agent: bool, is_ticked: bool) -> Question {
    let title = &task.title;
    let whose = match by_agent {
        true => "needs a model, but none is configured. Do it yourself, then mark it as done",
        false => "is your step. Mark it as done when you have finished",
    };
    let but = match is_ticked {
        true => ". It is checked off in the file, but only your answer counts",
        false => "",
    };
    let message = format!("“{title}” {whose}{but}.");
    let labels = [label::DONE, label::SKIP];
    question(task.id.as_str(), QuestionKind::Person, message, &labels)
}

/// Asks whether a step that an agent program carries out itself is done.
pub(super) fn of_host(task: &Task, agent: &str) -> Question {
    let title = &task.title;
    let message = format!("{agent} is carrying out “{title}”. Mark it as done when finished.");
    let labels = [label::DONE, label::SKIP];
    question(task.id.as_str(), QuestionKind::Person, message, &labels)
}

/// Asks the person to describe the work. A signature alone proves nothing if no file changed and
/// there is no check.
pub(super) fn what_was_done(task: &Task, kind: QuestionKind) -> Question {
    let message = format!(
        "“{}” changed no files and has no check. Describe in one line what was done.",
        task.title
    );
    let done = match kind {
        QuestionKind::Unverified => label::MARK_AS_DONE,
        _ => label::DONE,
    };
    question(task.id.as_str(), kind, message, &[done, label::SKIP])
}

pub(super) fn choice(task: &Task, kind: QuestionKind) -> Question {
    let labels: Vec<&str> = if task.options.is_empty() && kind == QuestionKind::Checkpoint {
        vec![label::CONTINUE, label::STOP]
    } else {
        let options = task.options.iter();
        options.map(|option| option.label.as_str()).collect()
    };
    question(task.id.as_str(), kind, task.title.clone(), &labels)
}

pub(super) fn approval(task: &Task, executor: Option<&Executor>) -> Question {
    let message = match executor {
        Some(Executor { name, line, .. }) => {
            format!("Hand “{}” over to {name}: `{line}`?", task.title)
        }
        None => format!("Start “{}”?", task.title),
    };
    let labels = [label::RUN, label::SKIP, label::STOP];
    question(task.id.as_str(), QuestionKind::Approval, message, &labels)
}

pub(super) fn gate(task: &Task, findings: &[String]) -> Question {
    let message = format!(
        "The quality gate blocked “{}”: {} Reword the step, or enter a reason to override.",
        task.title,
        findings.join(" ")
    );
    let labels = [label::SKIP, label::STOP];
    question(task.id.as_str(), QuestionKind::Gate, message, &labels)
}

pub(super) fn permission(task: &str, request: PermissionRequest, why: &str) -> Question {
    let verb = match ToolName::from_name(&request.tool) {
        Some(ToolName::RunCommand) => "run",
        Some(ToolName::DeleteFile) => "delete",
        Some(ToolName::EditFile | ToolName::WriteFile) => "change",
        _ => &format!("use {} on", request.tool),
    };
    let message = format!("Allow {task} to {verb} `{}`? {why}", request.subject);
    let labels = [label::ONCE, label::THIS_RUN, label::NO];
    Question {
        permission: Some(request),
        ..question(task, QuestionKind::Permission, message, &labels)
    }
}

/// Maximum number of things that the question names; the complete list is shown next to it.
const MAX_NAMED: usize = 6;

pub(super) fn destructive(task: &Task, request: &PermissionRequest, danger: Danger) -> Question {
    let request = PermissionRequest {
        danger: Some(danger),
        ..request.clone()
    };
    let why = "No approved checkpoint covers this.";
    about_danger(task.id.as_str(), &task.title, request, why)
}

/// The question about file content that a command deleted without approval.
pub(super) fn lost(task: &str, title: &str, request: PermissionRequest, is_step: bool) -> Question {
    let line = &request.subject;
    let undone = match is_step {
        true => "the step's changes",
        false => "its changes",
    };
    let why = format!(
        "`{line}` already did this. Allow it to keep the result, or answer “no” to undo \
         {undone}."
    );
    about_danger(task, title, request.clone(), &why)
}

fn about_danger(task: &str, title: &str, request: PermissionRequest, why: &str) -> Question {
    let danger = request.danger.clone().unwrap_or_default();
    let subjects = danger.subjects.iter().take(MAX_NAMED);
    let said: Vec<String> = subjects.map(|subject| format!("`{subject}`")).collect();
    let more = danger.subjects.len().saturating_sub(MAX_NAMED);
    let subjects = match (said.is_empty(), more) {
        (true, _) => String::new(),
        (false, 0) => format!(": {}", said.join(", ")),
        (false, more) => format!(": {} and {more} more", said.join(", ")),
    };
    let message = format!("“{title}” {}{subjects}. {why}", danger.what);
    let labels = [label::ONCE, label::THIS_RUN, label::NO];
    Question {
        permission: Some(request),
        ..question(task, QuestionKind::Destructive, message, &labels)
    }
}

/// The question about an interrupted call with unknown outcome. `left` describes what the step
/// changed in the workspace, `reason` why examining the changes was inconclusive.
pub(super) fn unknown(task: &str, line: &str, left: &str, reason: Option<&str>) -> Question {
    let message = match reason {
        None => format!(
            "Interrupted during `{line}`, so the outcome is unknown.{left} “check” inspects the \
             workspace and reverts partial changes, “repeat” runs it again, “skip” skips the \
             step."
        ),
        Some(reason) => format!("`{line}` was interrupted; its outcome is unknown: {reason}"),
    };
    let labels = [label::CHECK, label::REPEAT, label::SKIP_UNKNOWN];
    question(task, QuestionKind::Unknown, message, &labels)
}

pub(super) fn cut(task: &Task, left: &str, looked: bool) -> Question {
    let title = &task.title;
    let message = if looked {
        format!(
            "There is no record of whether “{title}” was carried out. Look at the workspace, \
             then answer “repeat” or “skip”."
        )
    } else {
        format!(
            "Part of the record of this run or an earlier one was lost, so it is unknown whether \
             “{title}” was carried out.{left}"
        )
    };
    // Checking again would show nothing new.
    let labels = [label::CHECK, label::REPEAT, label::SKIP_UNKNOWN];
    let labels = &labels[usize::from(looked)..];
    question(task.id.as_str(), QuestionKind::Unknown, message, labels)
}

pub(super) fn half_done(task: &Task, earlier: &HalfDone, left: &str, looked: bool) -> Question {
    let next = match looked {
        true => "Look at the workspace, then answer “repeat” or “skip”.",
        false => "“repeat” runs all of it again, “skip” skips the step.",
    };
    let (run, done, title) = (&earlier.run, earlier.lines.join("`, `"), &task.title);
    let message =
        format!("Run {run} started `{done}` for “{title}” but didn't finish it.{left} {next}");
    let labels = [label::CHECK, label::REPEAT, label::SKIP_UNKNOWN];
    question(task.id.as_str(), QuestionKind::Unknown, message, &labels)
}

pub(super) fn failure(task: &str, title: &str, known: &TaskState) -> Question {
    let reason = known.reason.as_deref().unwrap_or_default();
    // The step was reopened, which discarded its checkpoint.
    let was_taken_back = known.undone && !known.has_checkpoint;
    let end = match known.is_refused {
        _ if was_taken_back => "was reopened",
        true => "was not carried out",
        false => "failed",
    };
    let message = format!("“{title}” {end}: {reason}");
    let labels = [label::RETRY, label::SKIP, label::STOP];
    question(task, QuestionKind::Failure, message, &labels)
}

/// The question about a step without evidence. `by_model` tells whether a retry could have a
/// different result.
pub(super) fn unverified(task: &Task, known: &TaskState, by_model: bool) -> Question {
    let reasons = known.verdict.as_ref().map(|verdict| &verdict.reasons[..]);
    let reasons = reasons.unwrap_or_default().join("; ");
    let message = format!(
        "“{}” is unverified: {reasons}. {}. Mark as done?",
        task.title,
        changes_of(&known.changes)
    );
    let all = [label::MARK_AS_DONE, label::RETRY, label::SKIP, label::STOP];
    let labels = all.iter().filter(|one| by_model || **one != label::RETRY);
    let labels: Vec<&str> = labels.copied().collect();
    question(task.id.as_str(), QuestionKind::Unverified, message, &labels)
}

/// What a step with unknown outcome has changed.
pub(super) fn left_by_step(changes: &Changes) -> String {
    format!(" {} since the step started.", changes_of(changes))
}

/// The message that the state before the step is no longer available, with the files that differ
/// from the last commit instead.
pub(super) fn uncommitted(files: Option<Vec<String>>) -> String {
    let lost = " The checkpoint from before the step was lost, so its changes can't be shown";
    match files {
        Some(files) if files.is_empty() => {
            format!("{lost}; nothing has changed since the last commit.")
        }
        Some(files) => {
            let changes = Changes {
                files,
                ..Changes::default()
            };
            format!("{lost}. {} since the last commit.", changes_of(&changes))
        }
        None => format!("{lost}."),
    }
}

/// What a step has changed, as a sentence without its final period.
fn changes_of(changes: &Changes) -> String {
    let named: Vec<&str> = changes.files.iter().map(String::as_str).collect();
    match (named.len(), changes.ignored) {
        (0, 0) => "No files changed".to_owned(),
        (0, _) => "Only files that Git ignores changed".to_owned(),
        (1..=MAX_NAMED, _) => format!("Changed: {}", named.join(", ")),
        (count, _) => format!(
            "Changed: {} and {} more",
            named[..MAX_NAMED].join(", "),
            count - MAX_NAMED
        ),
    }
}

pub(super) fn skipped_by_model(task: &Task, known: &TaskState) -> Question {
    let reason = known.reason.as_deref().unwrap_or_default();
    let message = format!("“{}” is not done: {reason}", task.title);
    let labels = [label::RETRY, label::SKIP, label::STOP];
    question(task.id.as_str(), QuestionKind::Failure, message, &labels)
}

pub(super) fn skipped_dependency(task: &Task, before: &Task) -> Question {
    let message = format!(
        "“{}” depends on {}, which was skipped. Start it anyway?",
        task.title, before.id
    );
    let labels = [label::RUN, label::SKIP, label::STOP];
    let kind = QuestionKind::SkippedDependency;
    question(task.id.as_str(), kind, message, &labels)
}

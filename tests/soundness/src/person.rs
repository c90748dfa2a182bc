//! A simulated person: what they answer and when. The record is kept where the run can't write.

use agent::pending_answers::GivenAnswer;
use gate::answers::{Answer, Grant, Unknown};
use gate::question::{Question, QuestionKind, label};
use serde_json::{Map, Value, json};

use crate::dice::Dice;
use crate::program::{Kind, Leads, Program};

/// A person's way of answering.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    /// Gives the answer that lets the run continue.
    Willing,
    /// Gives a random answer.
    Mixed,
    /// Gives no answer.
    Silent,
}

/// An answer of the person to a question.
#[derive(Debug, Clone)]
pub struct Said {
    /// The step that it is about; empty for any step.
    pub task: String,
    /// The kind of question.
    pub kind: QuestionKind,
    /// The answer that the person gave.
    pub answer: Answer,
    /// The tool and subject that a permission applies to.
    pub request: Option<(String, String)>,
    /// The process that may use it; `None` for any.
    pub process: Option<usize>,
    /// The content of the step that the person saw, if the answer applies only to it.
    pub bound_to: Option<String>,
    /// Whether a run has used it.
    pub is_used: bool,
}

impl Said {
    fn new(task: &str, kind: QuestionKind, answer: Answer, process: Option<usize>) -> Self {
        Self {
            task: task.to_owned(),
            kind,
            answer,
            request: None,
            process,
            bound_to: None,
            is_used: false,
        }
    }
}

/// The note of a person who signs off a step.
const SIGNED: &str = "looked at";

/// The kinds of question for which an answers file accepts "skip" and "stop".
const WORDED: [QuestionKind; 7] = [
    QuestionKind::Person,
    QuestionKind::Unverified,
    QuestionKind::Approval,
    QuestionKind::Gate,
    QuestionKind::Failure,
    QuestionKind::SkippedDependency,
    QuestionKind::Question,
];

/// The answers that a process starts with, as the text of an answers file and as a list.
pub fn answers_file(
    dice: &mut Dice,
    mood: Mood,
    program: &Program,
    asked: &[Question],
    process: usize,
) -> (String, Vec<Said>) {
    let mut file = Map::new();
    let mut said = Vec::new();
    if mood == Mood::Silent {
        return ("{}".to_owned(), said);
    }
    let mut say =
        |task: &str, kind, answer| said.push(Said::new(task, kind, answer, Some(process)));
    let is_willing = mood == Mood::Willing;
    let mut ids: Vec<String> = program.steps.iter().map(|step| step.id.clone()).collect();
    for question in asked
        .iter()
        .filter(|question| !question.question.is_about_plan())
    {
        if !ids.contains(&question.task) {
            ids.push(question.task.clone());
        }
    }
    for id in &ids {
        if !is_willing && dice.chance(40) {
            continue;
        }
        let step = program.place(id).map(|place| &program.steps[place]);
        if let Some(step) = step.filter(|step| step.is_gate()) {
            let label = choose(dice, is_willing, &labels(step.kind, &step.options));
            let kind = match step.kind {
                Kind::Decision => QuestionKind::Decision,
                _ => QuestionKind::Checkpoint,
            };
            say(
                id,
                kind,
                Answer::Choice {
                    label: label.clone(),
                    note: None,
                },
            );
            file.insert(id.clone(), json!({ "option": label }));
            continue;
        }
        if !is_willing && dice.chance(15) {
            let reason = "not wanted".to_owned();
            for kind in WORDED {
                say(
                    id,
                    kind,
                    Answer::Skip {
                        reason: reason.clone(),
                    },
                );
            }
            file.insert(id.clone(), json!({ "skip": reason }));
            continue;
        }
        if !is_willing && dice.chance(5) {
            WORDED
                .into_iter()
                .for_each(|kind| say(id, kind, Answer::Stop));
            file.insert(id.clone(), json!({ "stop": true }));
            continue;
        }
        let mut word = Map::new();
        let mut has_note = false;
        let mut has = |dice: &mut Dice, key: &str, value: Value| {
            let is_said = is_willing || dice.chance(80);
            if is_said {
                word.insert(key.to_owned(), value);
            }
            is_said
        };
        if has(dice, "done", json!(true)) {
            has_note = true;
            for kind in [QuestionKind::Person, QuestionKind::Unverified] {
                let note = Some(SIGNED.to_owned());
                say(id, kind, Answer::Done { note });
            }
            say(id, QuestionKind::Failure, Answer::Retry);
        }
        if has(dice, "run", json!(true)) {
            say(id, QuestionKind::Approval, Answer::Run);
            say(id, QuestionKind::SkippedDependency, Answer::Run);
        }
        if has(dice, "retry", json!(true)) {
            say(id, QuestionKind::Failure, Answer::Retry);
            say(id, QuestionKind::Unverified, Answer::Retry);
        }
        if has(dice, "reason", json!("it is small")) {
            let reason = "it is small".to_owned();
            say(id, QuestionKind::Gate, Answer::Reason { reason });
        }
        if has(dice, "answer", json!("as you like")) {
            let label = "as you like".to_owned();
            let note = has_note.then(|| SIGNED.to_owned());
            say(id, QuestionKind::Question, Answer::Choice { label, note });
        }
        if has_note {
            word.insert("note".to_owned(), json!(SIGNED));
        }
        file.insert(id.clone(), Value::Object(word));
    }
    if is_willing || dice.chance(70) {
        let (word, how) = unknown(dice, is_willing);
        file.insert("unknown".to_owned(), json!(word));
        say("", QuestionKind::Unknown, Answer::Unknown { how });
    }
    for kind in [QuestionKind::Changed, QuestionKind::Claims] {
        if is_willing || dice.chance(60) {
            let label = about_plan(dice, kind);
            file.insert(kind.as_str().to_owned(), json!(label));
            say(kind.as_str(), kind, Answer::Choice { label, note: None });
        }
    }
    let mut permissions = Vec::new();
    for request in asked
        .iter()
        .filter_map(|question| question.permission.as_ref())
    {
        let (word, grant) = grant(dice, is_willing);
        permissions.push(json!({"tool": request.tool, "match": request.exact(), "answer": word}));
        for kind in [QuestionKind::Permission, QuestionKind::Destructive] {
            let answer = Answer::Permission { grant, words: None };
            // A permission in an answers file applies to any step that asks for it.
            said.push(Said {
                request: Some((request.tool.clone(), request.subject.clone())),
                ..Said::new("", kind, answer, Some(process))
            });
        }
    }
    if !permissions.is_empty() {
        file.insert("permissions".to_owned(), Value::Array(permissions));
    }
    (Value::Object(file).to_string(), said)
}

/// An answer given on screen to a pending question; `seen` is the content of the question's step in
/// the file. `None` if the person stays silent.
pub fn answer(
    dice: &mut Dice,
    mood: Mood,
    question: &Question,
    seen: Option<String>,
) -> Option<(GivenAnswer, Said)> {
    if mood == Mood::Silent {
        return None;
    }
    let is_willing = mood == Mood::Willing;
    let refuses = !is_willing && dice.chance(15);
    let choice = |label: String| Answer::Choice { label, note: None };
    let answer = match question.question {
        QuestionKind::Unknown => Answer::Unknown {
            how: unknown(dice, is_willing).1,
        },
        QuestionKind::Permission | QuestionKind::Destructive => Answer::Permission {
            grant: grant(dice, is_willing).1,
            words: None,
        },
        QuestionKind::Changed | QuestionKind::Claims => {
            let label = about_plan(dice, question.question);
            let fits = question.options.contains(&label);
            choice(if fits {
                label
            } else {
                question.options[0].clone()
            })
        }
        QuestionKind::Checkpoint | QuestionKind::Decision => {
            choice(choose(dice, is_willing, &question.options))
        }
        _ if refuses => Answer::Skip {
            reason: "not wanted".to_owned(),
        },
        QuestionKind::Person | QuestionKind::Unverified => Answer::Done {
            note: Some(SIGNED.to_owned()),
        },
        QuestionKind::Approval | QuestionKind::SkippedDependency => Answer::Run,
        QuestionKind::Failure => Answer::Retry,
        QuestionKind::Gate => Answer::Reason {
            reason: "it is small".to_owned(),
        },
        QuestionKind::Question => choice("as you like".to_owned()),
    };
    let bound_to = seen.filter(|_| question.fingerprint.is_some() && dice.chance(70));
    let given = GivenAnswer {
        task: question.task.clone(),
        question: question.question,
        fingerprint: question.fingerprint.clone().filter(|_| bound_to.is_some()),
        answer: answer.clone(),
        permission: question.permission.clone(),
    };
    let request = question.permission.as_ref();
    let said = Said {
        request: request.map(|request| (request.tool.clone(), request.subject.clone())),
        bound_to,
        ..Said::new(&question.task, question.question, answer, None)
    };
    Some((given, said))
}

/// An answer to a gate that the run hasn't asked about yet; `None` if the plan has no gates.
pub fn ahead(dice: &mut Dice, program: &Program) -> Option<(GivenAnswer, Said)> {
    let gates = program.places(|step| step.is_gate() || step.kind == Kind::Person);
    let step = &program.steps[*dice.pick(&gates)?];
    let (question, answer) = match step.kind {
        Kind::Person => (
            QuestionKind::Person,
            Answer::Done {
                note: Some(SIGNED.to_owned()),
            },
        ),
        kind => {
            let label = choose(dice, true, &labels(kind, &step.options));
            let question = match kind {
                Kind::Decision => QuestionKind::Decision,
                _ => QuestionKind::Checkpoint,
            };
            (question, Answer::Choice { label, note: None })
        }
    };
    let given = GivenAnswer {
        task: step.id.clone(),
        question,
        fingerprint: None,
        answer: answer.clone(),
        permission: None,
    };
    Some((given, Said::new(&step.id, question, answer, None)))
}

/// The answer to a failed step that requests a retry.
pub fn retry(task: &str) -> Said {
    Said::new(task, QuestionKind::Failure, Answer::Retry, None)
}

fn labels(kind: Kind, options: &[(String, Leads)]) -> Vec<String> {
    if options.is_empty() && kind == Kind::Checkpoint {
        return vec![label::CONTINUE.to_owned(), label::STOP.to_owned()];
    }
    options.iter().map(|(label, _)| label.clone()).collect()
}

fn choose(dice: &mut Dice, is_willing: bool, labels: &[String]) -> String {
    let on = labels.iter().find(|label| *label == label::CONTINUE);
    match on {
        Some(on) if is_willing || dice.chance(60) => on.clone(),
        _ => dice.pick(labels).cloned().unwrap_or_default(),
    }
}

fn unknown(dice: &mut Dice, is_willing: bool) -> (&'static str, Unknown) {
    match dice.roll(if is_willing { 9 } else { 10 }) {
        0..6 => (label::CHECK, Unknown::Check),
        6..9 => (label::REPEAT, Unknown::Repeat),
        _ => (label::SKIP_UNKNOWN, Unknown::Skip),
    }
}

fn about_plan(dice: &mut Dice, kind: QuestionKind) -> String {
    let (most, else_) = match kind {
        QuestionKind::Changed => (label::KEEP, label::STOP),
        _ if dice.chance(30) => (label::CARRY_OUT_AGAIN, label::COUNT),
        _ => (label::CARRY_OUT, label::COUNT),
    };
    let is_most = dice.chance(if kind == QuestionKind::Changed {
        90
    } else {
        60
    });
    if is_most { most } else { else_ }.to_owned()
}

fn grant(dice: &mut Dice, is_willing: bool) -> (&'static str, Grant) {
    match dice.roll(if is_willing { 8 } else { 10 }) {
        0..5 => ("once", Grant::Once),
        5..8 => ("run", Grant::Run),
        _ => ("no", Grant::No),
    }
}

//! The open questions of a run, and answers given as text.
//!
//! Text is parsed like an answers file. An answer is bound to the question and to the step's text
//! as they were shown; if the step has changed since, the run asks again.

use std::path::Path;

use agent::pending_answers::GivenAnswer;
use agent::run::open_questions;
use gate::answers::{Answer, Grant, Lookup, find_option, read_answer};
use gate::question::{Question, QuestionKind, label};
use gate::recovery::RecoveryStrategy;
use serde_json::{Value, json};

use crate::error::Result;
use crate::{Workbench, plan_file};

/// An open question of a run, and the step it is about.
#[derive(Debug, Clone)]
pub struct OpenQuestion {
    /// The question, with its options.
    pub question: Question,
    /// The current text of the step; empty for a question about the whole plan.
    pub step: String,
}

impl Workbench {
    /// The open questions of a run, in the plan's order. Fails with
    /// [`crate::Code::UnknownRun`] for an unknown ID.
    pub fn questions_of(&self, run: &str) -> Result<Vec<OpenQuestion>> {
        let row = self.find_run(run)?;
        let Some(state) = self.state_of(&row.id)? else {
            return Ok(Vec::new());
        };
        // A missing plan is reported when the run is resumed.
        let text = plan_file::read_anywhere(Path::new(&row.plan)).map(|content| content.text);
        let text = text.unwrap_or_default();
        let (plan, _) = plan::parse(&text);
        let step = |id: &str| {
            let task = plan.tasks.iter().find(|task| task.id.as_str() == id)?;
            text.get(task.span.clone()).map(str::to_owned)
        };
        let questions = open_questions(&state, &plan, false).into_iter();
        let questions = questions.map(|question| OpenQuestion {
            step: step(&question.task).unwrap_or_default(),
            question,
        });
        Ok(questions.collect())
    }
}

/// Parses a text answer to a question. An option may be shortened to a unique prefix. `note` says
/// what was done, why a step is skipped, or what to do instead. Fails with
/// [`crate::Code::Usage`] for text that doesn't answer the question.
pub fn parse_answer(question: &Question, words: &str, note: Option<&str>) -> Result<GivenAnswer> {
    let words = words.trim();
    let note = note.map(str::trim).filter(|note| !note.is_empty());
    let kind = question.question;
    let no_answer = || {
        let allowed = match kind {
            QuestionKind::Question => "any text".to_owned(),
            QuestionKind::Gate => format!(
                "{}, or a reason of at least two words",
                question.options.join(", ")
            ),
            _ => format!("one of: {}", question.options.join(", ")),
        };
        err!(Usage: "“{words}” doesn't answer {}; expected {allowed}", question.task)
    };
    let option = find_option(words, &question.options);
    let answer = if kind.is_about_request() {
        let grant = match option.ok_or_else(no_answer)? {
            label::ONCE => Grant::Once,
            label::THIS_RUN => Grant::Run,
            _ => Grant::No,
        };
        let words = note.map(str::to_owned);
        Answer::Permission { grant, words }
    } else {
        let value = answer_value(kind, option.unwrap_or(words), note).ok_or_else(no_answer)?;
        match read_answer(&value, question) {
            Lookup::Answer(answer) => answer,
            Lookup::NoMatch(_) | Lookup::None => return Err(no_answer()),
        }
    };
    let given = GivenAnswer {
        task: question.task.clone(),
        question: kind,
        fingerprint: question.fingerprint.clone(),
        answer,
        permission: question.permission.clone(),
    };
    given.fits(question).map_err(|_| no_answer())?;
    Ok(given)
}

/// The answer in the form of an answers file; `None` if a reason is too short.
fn answer_value(kind: QuestionKind, words: &str, note: Option<&str>) -> Option<Value> {
    let is = |label: &str| words.eq_ignore_ascii_case(label);
    let is_choice = matches!(
        kind,
        QuestionKind::Checkpoint
            | QuestionKind::Decision
            | QuestionKind::Claims
            | QuestionKind::Changed
            | QuestionKind::Question
    );
    Some(match (kind, note) {
        (QuestionKind::Gate, _) if !is(label::SKIP) && !is(label::STOP) => {
            // A single word is more likely a mistyped option than a reason.
            words
                .contains(char::is_whitespace)
                .then(|| json!({ "reason": words }))?
        }
        (QuestionKind::Failure, note) if RecoveryStrategy::from_name(words).is_some() => {
            json!({ "way": words, "words": note })
        }
        (_, None) => json!(words),
        (_, Some(note)) if is_choice => json!({ "answer": words, "note": note }),
        (_, Some(note)) if is(label::SKIP) => json!({ "skip": note }),
        (kind, Some(note)) if kind.is_signed() && (is(label::DONE) || is(label::MARK_AS_DONE)) => {
            json!({ "done": true, "note": note })
        }
        (_, Some(_)) => json!(words),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Code;

    fn asked(kind: QuestionKind, options: &[&str]) -> Question {
        Question {
            task: "T1".to_owned(),
            question: kind,
            message: String::new(),
            options: options.iter().map(|option| (*option).to_owned()).collect(),
            permission: None,
            fingerprint: Some("f".to_owned()),
        }
    }

    #[test]
    fn words_are_read_as_in_the_answers_file() {
        use QuestionKind as Kind;
        let done = |note: Option<&str>| Answer::Done {
            note: note.map(str::to_owned),
        };
        let cases = [
            (
                asked(Kind::Person, &["Done", "Skip"]),
                "done",
                None,
                done(None),
            ),
            (
                asked(Kind::Unverified, &["Mark as done", "Retry", "Skip", "Stop"]),
                "mark",
                Some("read it"),
                done(Some("read it")),
            ),
            (
                asked(Kind::Person, &["Done", "Skip"]),
                "Skip",
                Some("not needed"),
                Answer::Skip {
                    reason: "not needed".to_owned(),
                },
            ),
            (
                asked(Kind::Decision, &["Comma", "Semicolon"]),
                "semi",
                None,
                Answer::Choice {
                    label: "Semicolon".to_owned(),
                    note: None,
                },
            ),
            (
                asked(Kind::Gate, &["Skip", "Stop"]),
                "nothing of value is lost",
                None,
                Answer::Reason {
                    reason: "nothing of value is lost".to_owned(),
                },
            ),
            (
                asked(Kind::Failure, &["Retry", "Skip", "Stop"]),
                "r",
                None,
                Answer::Retry,
            ),
            (
                asked(Kind::Failure, &["Retry", "Skip", "Stop"]),
                "try_alternative",
                Some("by hand"),
                Answer::Recover {
                    strategy: RecoveryStrategy::TryAlternative,
                    words: Some("by hand".to_owned()),
                },
            ),
            (
                asked(Kind::Permission, &["once", "run", "no"]),
                "no",
                Some("use cp"),
                Answer::Permission {
                    grant: Grant::No,
                    words: Some("use cp".to_owned()),
                },
            ),
        ];
        for (question, words, note, answer) in cases {
            let given = parse_answer(&question, words, note);
            let given = given.unwrap_or_else(|error| panic!("{words}: {error}"));
            assert_eq!(given.answer, answer, "{words}");
            assert_eq!(given.fingerprint.as_deref(), Some("f"));
        }
    }

    #[test]
    fn words_that_answer_nothing_are_refused_with_what_would() {
        let cases = [
            (asked(QuestionKind::Permission, &["once", "run", "no"]), ""),
            (
                asked(QuestionKind::Permission, &["once", "run", "no"]),
                "yes",
            ),
            (asked(QuestionKind::Approval, &["Run", "Skip", "Stop"]), "S"),
            (asked(QuestionKind::Gate, &["Skip", "Stop"]), "Skpi"),
            (
                asked(QuestionKind::Decision, &["Comma", "Semicolon"]),
                "Tab",
            ),
        ];
        for (question, words) in cases {
            let refused = parse_answer(&question, words, None).unwrap_err();
            assert_eq!(refused.code, Code::Usage);
            let first = &question.options[0];
            assert!(refused.message.contains(first), "{}", refused.message);
        }
    }
}

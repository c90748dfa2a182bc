//! A person's answers, matched to the questions of a run.
//!
//! An answers file is one JSON object keyed by task id, plus the keys `permissions` and `unknown`.
//! Unused answers are kept. An answer that matches no option is reported, never mapped to one.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use crate::destructive;
use crate::permissions::{Match, Rule, Verdict};
use crate::question::{PermissionRequest, Question, QuestionKind, label};
use crate::recovery::RecoveryStrategy;

/// A person's answer to a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum Answer {
    /// The person's step is done.
    Done {
        /// The person's note.
        #[serde(default)]
        note: Option<String>,
    },
    /// One of the options.
    Choice {
        /// The label as written in the plan.
        label: String,
        /// An optional note.
        #[serde(default)]
        note: Option<String>,
    },
    /// Run a step that the quality gate blocks, for a reason.
    Reason {
        /// The reason.
        reason: String,
    },
    /// Start the step.
    Run,
    /// Skip the step.
    Skip {
        /// The reason.
        reason: String,
    },
    /// Retry the step.
    Retry,
    /// Recover a failed step that a model carries out.
    Recover {
        /// The recovery strategy.
        strategy: RecoveryStrategy,
        /// Instructions for the next attempt, or the reason if the step is skipped.
        #[serde(default)]
        words: Option<String>,
    },
    /// End the run.
    Stop,
    /// Handle an action whose outcome is unknown.
    Unknown {
        /// How to handle it.
        how: Unknown,
    },
    /// Allow or refuse a request.
    Permission {
        /// The scope of the permission, or a refusal.
        grant: Grant,
        /// The reason for a refusal.
        #[serde(default)]
        words: Option<String>,
    },
}

plan::named! {
    /// How to handle a side effect whose outcome is unknown.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    pub enum Unknown {
        /// Find out what happened, undo a half-finished command from its checkpoint, then continue.
        Check = "check",
        /// Repeat the action, even if it already happened.
        Repeat = "repeat",
        /// Skip the step.
        Skip = "skip",
    }
}

plan::named! {
    /// The scope of a permission.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    pub enum Grant {
        /// Only this time.
        Once = "once",
        /// For the rest of this run.
        Run = "run",
        /// Not allowed.
        No = "no",
    }
}

/// Why an answers file cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AnswersError {
    /// Not JSON, or not an object.
    #[error("answers must be a JSON object: {0}")]
    NotAnObject(String),
    /// One of the keys `permissions` and `unknown` has an invalid value.
    #[error("invalid answers: `{key}` {problem}")]
    BadValue {
        /// The key.
        key: String,
        /// The problem and the allowed values.
        problem: String,
    },
}

/// The result of looking up the answer to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lookup {
    /// There is no answer.
    None,
    /// The answer.
    Answer(Answer),
    /// The answer matches none of the options: the message to show with the question.
    NoMatch(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct PermissionAnswer {
    rule: Rule,
    grant: Grant,
    words: Option<String>,
    used: bool,
}

/// The answers available to one process.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Answers {
    by_task: BTreeMap<String, Value>,
    permissions: Vec<PermissionAnswer>,
    unknown: Option<Unknown>,
    used: BTreeSet<(String, QuestionKind)>,
}

impl Answers {
    /// Reads an answers file. Fails with [`AnswersError`] if it isn't a JSON object, or if
    /// `permissions` or `unknown` has an invalid value.
    pub fn parse(text: &str) -> Result<Self, AnswersError> {
        let value: Value = serde_json::from_str(text)
            .map_err(|error| AnswersError::NotAnObject(error.to_string()))?;
        let Value::Object(map) = value else {
            return Err(AnswersError::NotAnObject(
                "for example, {\"T1\": {\"done\": true}}".to_owned(),
            ));
        };
        let mut answers = Self::default();
        for (key, value) in map {
            match key.as_str() {
                "unknown" => answers.unknown = Some(parse_unknown(&key, &value)?),
                "permissions" => answers.permissions = parse_permissions(&value)?,
                _ => {
                    answers.by_task.insert(key, value);
                }
            }
        }
        Ok(answers)
    }

    /// The tasks that have answers.
    pub fn tasks(&self) -> impl Iterator<Item = &str> {
        self.by_task.keys().map(String::as_str)
    }

    /// Takes the answer to a question. Except for refusals and permissions for the whole run, each
    /// is used once per process and kind of question, so that retries end.
    pub fn take(&mut self, question: &Question) -> Lookup {
        if question.question.is_about_request() {
            return match &question.permission {
                Some(request) => self.take_permission(request),
                None => Lookup::None,
            };
        }
        let key = (question.task.clone(), question.question);
        if self.used.contains(&key) {
            return Lookup::None;
        }
        let value = self.by_task.get(&question.task);
        let found = value.map_or(Lookup::None, |value| read_answer(value, question));
        let found = match (found, self.unknown) {
            (Lookup::None, Some(how)) if question.question == QuestionKind::Unknown => {
                Lookup::Answer(Answer::Unknown { how })
            }
            (found, _) => found,
        };
        if matches!(found, Lookup::Answer(_)) {
            self.used.insert(key);
        }
        found
    }

    fn take_permission(&mut self, request: &PermissionRequest) -> Lookup {
        let fitting = self
            .permissions
            .iter_mut()
            .filter(|answer| !answer.used && covers(&answer.rule, request))
            // As with rules, the strictest answer wins.
            .max_by_key(|answer| answer.rule.verdict);
        match fitting {
            Some(answer) => {
                answer.used = answer.grant == Grant::Once;
                Lookup::Answer(Answer::Permission {
                    grant: answer.grant,
                    words: answer.words.clone(),
                })
            }
            None => Lookup::None,
        }
    }
}

/// Whether an answer covers this request. To allow a destructive request, the answer has to name
/// what would be lost.
fn covers(rule: &Rule, request: &PermissionRequest) -> bool {
    let is_harmless = request.danger.is_none() || rule.verdict == Verdict::Deny;
    rule.applies(request) && (is_harmless || destructive::is_allowed_by(rule, request))
}

/// Parses an answer in an answers file, except to a request for permission.
pub fn read_answer(value: &Value, question: &Question) -> Lookup {
    if question.question == QuestionKind::Unknown {
        let named = value.get("unknown");
        return match (parse_unknown("unknown", named.unwrap_or(value)), named) {
            (Ok(how), _) => Lookup::Answer(Answer::Unknown { how }),
            (Err(error), Some(_)) => Lookup::NoMatch(error.to_string()),
            (Err(_), None) => Lookup::None,
        };
    }
    let said = value.as_str().map(str::trim);
    let flag = |key: &str| value.get(key).and_then(Value::as_bool) == Some(true);
    let words = |key: &str| {
        value
            .get(key)
            .and_then(Value::as_str)
            .map(str::trim)
            .filter(|text| !text.is_empty())
    };
    let is = |label: &str| said.is_some_and(|said| said.eq_ignore_ascii_case(label));
    let note = || words("note").map(str::to_owned);

    let is_choice = matches!(
        question.question,
        QuestionKind::Checkpoint
            | QuestionKind::Decision
            | QuestionKind::Claims
            | QuestionKind::Changed
    );
    if !is_choice {
        if is(label::SKIP) || flag("skip") || words("skip").is_some() {
            let reason = words("skip")
                .or_else(|| words("note"))
                .unwrap_or("no reason given");
            return Lookup::Answer(Answer::Skip {
                reason: reason.to_owned(),
            });
        }
        if is(label::STOP) || flag("stop") {
            return Lookup::Answer(Answer::Stop);
        }
    }
    match question.question {
        QuestionKind::Person if is(label::DONE) || flag("done") => {
            Lookup::Answer(Answer::Done { note: note() })
        }
        QuestionKind::Unverified if is(label::MARK_AS_DONE) || is(label::DONE) || flag("done") => {
            Lookup::Answer(Answer::Done { note: note() })
        }
        QuestionKind::Unverified if is(label::RETRY) || flag("retry") => {
            Lookup::Answer(Answer::Retry)
        }
        QuestionKind::Failure if value.get("way").is_some() => {
            let named = value.get("way").and_then(Value::as_str);
            match named.and_then(RecoveryStrategy::from_name) {
                Some(strategy) => Lookup::Answer(Answer::Recover {
                    strategy,
                    words: words("words").map(str::to_owned),
                }),
                None => {
                    let known = RecoveryStrategy::ALL.map(RecoveryStrategy::as_str);
                    Lookup::NoMatch(format!("\"way\" must be one of: {}", known.join(", ")))
                }
            }
        }
        QuestionKind::Failure if is(label::RETRY) || flag("retry") || flag("done") => {
            Lookup::Answer(Answer::Retry)
        }
        QuestionKind::Approval | QuestionKind::SkippedDependency
            if is(label::RUN) || flag("run") || flag("approve") =>
        {
            Lookup::Answer(Answer::Run)
        }
        QuestionKind::Gate => match words("reason") {
            Some(reason) => Lookup::Answer(Answer::Reason {
                reason: reason.to_owned(),
            }),
            None => Lookup::None,
        },
        QuestionKind::Question => match said.or_else(|| words("answer")) {
            Some(said) => Lookup::Answer(Answer::Choice {
                label: said.to_owned(),
                note: note(),
            }),
            None => Lookup::None,
        },
        _ if is_choice => match said.or_else(|| words("option")).or_else(|| words("answer")) {
            Some(said) => choose(said, &question.options, note()),
            None => Lookup::None,
        },
        _ => Lookup::None,
    }
}

fn choose(said: &str, options: &[String], note: Option<String>) -> Lookup {
    if options.is_empty() {
        return match said {
            "" => Lookup::None,
            _ => Lookup::Answer(Answer::Choice {
                label: said.to_owned(),
                note,
            }),
        };
    }
    match find_option(said, options) {
        Some(label) => Lookup::Answer(Answer::Choice {
            label: label.to_owned(),
            note,
        }),
        None => Lookup::NoMatch(format!(
            "invalid answer “{said}”; choose one of: {}",
            options.join(" · ")
        )),
    }
}

/// The option that the text names: exactly, ignoring case, or by a prefix of only this option.
pub fn find_option<'a>(said: &str, options: &'a [String]) -> Option<&'a str> {
    let lower = said.to_lowercase();
    let mut named = options
        .iter()
        .filter(|option| option.to_lowercase() == lower);
    let same = options
        .iter()
        .find(|option| *option == said)
        .or_else(|| named.next());
    let mut starting = options
        .iter()
        .filter(|option| !lower.is_empty() && option.to_lowercase().starts_with(&lower));
    let only = starting.next().filter(|_| starting.next().is_none());
    same.or(only).map(String::as_str)
}

fn parse_unknown(key: &str, value: &Value) -> Result<Unknown, AnswersError> {
    let named = value.as_str().and_then(Unknown::from_name);
    named.ok_or_else(|| AnswersError::BadValue {
        key: key.to_owned(),
        problem: "must be \"check\", \"repeat\" or \"skip\"".to_owned(),
    })
}

fn parse_permissions(value: &Value) -> Result<Vec<PermissionAnswer>, AnswersError> {
    let bad = |problem: &str| AnswersError::BadValue {
        key: "permissions".to_owned(),
        problem: problem.to_owned(),
    };
    let list = value.as_array().ok_or_else(|| bad("must be a list"))?;
    let mut permissions = Vec::new();
    for item in list {
        let text = |key: &str| item.get(key).and_then(Value::as_str);
        let tool = text("tool").ok_or_else(|| bad("must have a \"tool\" in each entry"))?;
        let matches = text("match").and_then(Match::parse).ok_or_else(|| {
            bad("must have a \"match\" that starts with \"exact \" or \"prefix \" in each entry")
        })?;
        let grant = text("answer").and_then(Grant::from_name).ok_or_else(|| {
            bad("must have an \"answer\" of \"once\", \"run\" or \"no\" in each entry")
        })?;
        let verdict = match grant {
            Grant::Once | Grant::Run => Verdict::Allow,
            Grant::No => Verdict::Deny,
        };
        permissions.push(PermissionAnswer {
            rule: Rule {
                tool: tool.to_owned(),
                matches,
                verdict,
            },
            grant,
            words: text("words").map(str::to_owned),
            used: false,
        });
    }
    Ok(permissions)
}

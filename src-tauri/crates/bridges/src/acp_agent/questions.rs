//! Shows the questions of a run as permission requests with the same options.

use agent_client_protocol::v1::schema::{PermissionOptionKind, ToolKind};
use workbench::{GivenAnswer, OpenQuestion, Question, QuestionKind, parse_answer};

use super::editor::{Choice, Editor, Reply, Request};
use super::prompt::fence_around;

/// Maximum bytes shown of each part of a question.
const MAX_SHOWN: usize = 20_000;

/// The outcome of a question.
#[derive(Debug)]
pub(super) enum Asked {
    /// The person chose an option.
    Answered {
        /// The answer for the run.
        answer: Box<GivenAnswer>,
        /// Whether the answer marks the step as done; if that requires a note, the run asks again.
        is_signature: bool,
    },
    /// The question needs an answer in words, which the editor can't give.
    NeedsWords,
    /// The person didn't answer.
    Nothing,
}

/// Asks the person one of a run's questions.
pub(super) fn ask(editor: &Editor, open: &OpenQuestion) -> Asked {
    let question = &open.question;
    if question.options.is_empty() {
        return Asked::NeedsWords;
    }
    let choices = question.options.iter().enumerate();
    let choices = choices.map(|(at, option)| Choice {
        id: format!("planwright_option_{at}"),
        name: name_of(question.question, option).to_owned(),
        kind: kind_of(question.question, option),
    });
    let reply = editor.ask(Request {
        title: &title(question),
        kind: match question.question.is_about_request() {
            true => ToolKind::Execute,
            false => ToolKind::Other,
        },
        content: card(open),
        choices: choices.collect(),
    });
    let option = match reply {
        Reply::Chosen(at) => question.options.get(at),
        Reply::Nothing => None,
    };
    let Some(option) = option else {
        return Asked::Nothing;
    };
    match parse_answer(question, option, None) {
        Ok(answer) => Asked::Answered {
            answer: Box::new(answer),
            is_signature: question.question.is_signed()
                && matches!(option.as_str(), "Done" | "Mark as done"),
        },
        Err(error) => {
            tracing::warn!(%error, "couldn't use the chosen option as an answer");
            Asked::NeedsWords
        }
    }
}

fn title(question: &Question) -> String {
    let line = one_line(&question.message);
    match question.question.is_about_plan() {
        true => line,
        false => format!("{}: {line}", question.task),
    }
}

/// The details needed to answer: the question, the action to allow, what it would destroy, and the
/// step as written in the plan file.
fn card(open: &OpenQuestion) -> String {
    let question = &open.question;
    let mut text = format!("{}\n", cut(&question.message));
    if let Some(request) = &question.permission {
        text.push_str(&format!(
            "\n{}:\n\n{}",
            request.tool,
            fenced(&request.subject)
        ));
        if let Some(danger) = &request.danger {
            let when = if danger.is_past { "It" } else { "This" };
            let subjects = danger.subjects.join("\n");
            text.push_str(&format!(
                "\n{when} {}:\n\n{}",
                danger.what,
                fenced(&subjects)
            ));
        }
    }
    if !open.step.is_empty() {
        text.push_str(&format!(
            "\nIn the plan:\n\n{}",
            fenced(open.step.trim_end())
        ));
    }
    text
}

fn fenced(text: &str) -> String {
    let text = cut(text);
    let fence = fence_around(&text);
    format!("{fence}\n{text}\n{fence}\n")
}

fn cut(text: &str) -> String {
    if text.len() <= MAX_SHOWN {
        return text.to_owned();
    }
    let mut end = MAX_SHOWN;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}\n… and {} more bytes", &text[..end], text.len() - end)
}

fn one_line(text: &str) -> String {
    let line: String = text.lines().next().unwrap_or_default().chars().collect();
    match line.char_indices().nth(120) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// The label of an option's button; options that aren't self-explanatory are spelled out.
fn name_of(kind: QuestionKind, option: &str) -> &str {
    match (kind, option) {
        (_, "once") if kind.is_about_request() => "Allow once",
        (_, "run") if kind.is_about_request() => "Allow for this run",
        (_, "no") if kind.is_about_request() => "Don't allow",
        (QuestionKind::Unknown, "check") => "Check what happened",
        (QuestionKind::Unknown, "repeat") => "Repeat it",
        (QuestionKind::Unknown, "skip") => "Skip the step",
        (_, option) => option,
    }
}

/// The kind of option, which determines how the editor displays it.
fn kind_of(kind: QuestionKind, option: &str) -> PermissionOptionKind {
    match option {
        "run" if kind.is_about_request() => PermissionOptionKind::AllowAlways,
        "no" | "skip" | "Skip" | "Stop" => PermissionOptionKind::RejectOnce,
        _ => PermissionOptionKind::AllowOnce,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(kind: QuestionKind, options: &[&str]) -> OpenQuestion {
        let question = Question {
            task: "T1".to_owned(),
            question: kind,
            message: "May it?".to_owned(),
            options: options.iter().map(|option| (*option).to_owned()).collect(),
            permission: None,
            fingerprint: None,
        };
        OpenQuestion {
            question,
            step: "- [ ] **T1** Make ```it```\n".to_owned(),
        }
    }

    #[test]
    fn a_card_holds_the_step_as_it_is_in_the_file() {
        let card = card(&asked(QuestionKind::Approval, &["Run", "Skip", "Stop"]));
        assert!(card.starts_with("May it?\n"));
        assert!(
            card.contains("```\n- [ ] **T1** Make ```it```\n```\n"),
            "{card}"
        );
    }

    #[test]
    fn options_that_refuse_are_shown_as_refusals() {
        use PermissionOptionKind::{AllowAlways, AllowOnce, RejectOnce};
        let of = |kind, option| kind_of(kind, option);
        assert_eq!(of(QuestionKind::Permission, "run"), AllowAlways);
        assert_eq!(of(QuestionKind::Permission, "no"), RejectOnce);
        assert_eq!(of(QuestionKind::Approval, "Run"), AllowOnce);
        assert_eq!(of(QuestionKind::Approval, "Skip"), RejectOnce);
        assert_eq!(of(QuestionKind::Failure, "Stop"), RejectOnce);
    }
}

//! Questions to the person at the terminal: first the details needed to answer, then the options.
//!
//! **Architecture invariants.** Asks only if both standard input and standard error are terminals.
//! Pressing Enter alone is not an answer, and input typed before a question appeared is discarded,
//! so nothing is allowed by accident. At the end of input or on Ctrl-C, the run keeps waiting.

use std::io::{self, BufRead};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use rustix::termios::{QueueSelector, tcflush};
use workbench::{CancelToken, GivenAnswer, OpenQuestion, Question, QuestionKind, parse_answer};

use crate::print::{ask, terminal, warn};

/// Interval of checks for Ctrl-C while the person types.
const TICK: Duration = Duration::from_millis(50);

/// The person at the terminal.
#[derive(Debug)]
pub(crate) struct Prompt {
    has_ended: bool,
}

impl Prompt {
    /// `None` if no person can be asked.
    pub(crate) fn at_terminal() -> Option<Self> {
        terminal::has_person().then_some(Self { has_ended: false })
    }

    /// Asks the questions and returns the answers; stops at the end of input.
    pub(crate) fn answers(
        &mut self,
        questions: &[OpenQuestion],
        cancel: &CancelToken,
    ) -> Vec<GivenAnswer> {
        let mut answers = Vec::new();
        for open in questions {
            match self.answer(open, cancel) {
                Some(answer) => answers.push(answer),
                None => break,
            }
        }
        answers
    }

    /// Asks for words of the person's own; `None` if they enter none.
    pub(crate) fn words(&mut self, prompt: &str, cancel: &CancelToken) -> Option<String> {
        if self.has_ended {
            return None;
        }
        // Input typed before the prompt appeared isn't an answer to it.
        let _ = tcflush(io::stdin(), QueueSelector::IFlush);
        self.line(prompt, cancel).filter(|words| !words.is_empty())
    }

    fn answer(&mut self, open: &OpenQuestion, cancel: &CancelToken) -> Option<GivenAnswer> {
        let asked = &open.question;
        if self.has_ended {
            return None;
        }
        for line in card(open) {
            warn(format_args!("{line}"));
        }
        loop {
            // Input typed before the question appeared isn't an answer to it.
            let _ = tcflush(io::stdin(), QueueSelector::IFlush);
            let typed = self.line(&prompt_of(asked), cancel)?;
            let words = chosen(asked, &typed);
            if words.is_empty() {
                warn(format_args!(
                    "No answer entered. Press Ctrl-D to leave the run waiting."
                ));
                continue;
            }
            let note = match note_for(asked, words) {
                Some(about) => Some(self.line(about, cancel)?),
                None => None,
            };
            match parse_answer(asked, words, note.as_deref()) {
                Ok(answer) => return Some(answer),
                Err(error) => warn(format_args!("{error}")),
            }
        }
    }

    /// Reads a line from the person; `None` at the end of input.
    fn line(&mut self, prompt: &str, cancel: &CancelToken) -> Option<String> {
        ask(prompt);
        let (sender, typed) = channel();
        // A read can't be cancelled: after Ctrl-C the thread keeps reading, but is ignored.
        std::thread::spawn(move || {
            let mut line = Vec::new();
            let read = io::stdin().lock().read_until(b'\n', &mut line);
            let is_line = read.is_ok() && line.ends_with(b"\n");
            let line = String::from_utf8_lossy(&line).trim().to_owned();
            drop(sender.send(is_line.then_some(line)));
        });
        let line = loop {
            match typed.recv_timeout(TICK) {
                Ok(line) => break line,
                Err(RecvTimeoutError::Timeout) if !cancel.is_cancelled() => {}
                Err(_) => break None,
            }
        };
        match line {
            Some(_) => terminal::typed(),
            None => {
                self.has_ended = true;
                ask("\n");
            }
        }
        line
    }
}

/// Everything needed to answer: the question, the action to allow, what it would destroy, the step
/// as written in the plan file, and the options.
fn card(open: &OpenQuestion) -> Vec<String> {
    let asked = &open.question;
    let kind = asked.question.as_str().replace('_', " ");
    let mut lines = vec![String::new(), format!("? {}  {kind}", asked.task)];
    lines.extend(asked.message.lines().map(|line| format!("  {line}")));
    if let Some(request) = &asked.permission {
        lines.push(format!("  {}:", request.tool));
        lines.extend(request.subject.lines().map(|line| format!("    {line}")));
        if let Some(danger) = &request.danger {
            let when = if danger.is_past { "It" } else { "This" };
            lines.push(format!("  {when} {}:", danger.what));
            lines.extend(danger.subjects.iter().map(|lost| format!("    - {lost}")));
        }
    }
    if !open.step.is_empty() {
        lines.push("  In the plan:".to_owned());
        lines.extend(open.step.lines().map(|line| format!("  | {line}")));
    }
    let options = asked.options.iter().enumerate();
    lines.extend(options.map(|(at, option)| {
        let effect = match effect(asked.question, option) {
            "" => String::new(),
            effect => format!("  {effect}"),
        };
        format!("  {}. {option}{effect}", at + 1)
    }));
    lines
}

/// Explains an option whose name isn't self-explanatory; empty for any other option.
fn effect(kind: QuestionKind, option: &str) -> &'static str {
    match (kind, option) {
        (_, "once") => "allows it now; asks again next time",
        (_, "run") => "allows it for the rest of this run",
        (_, "no") => "denies it",
        (QuestionKind::Unknown, "check") => "checks what happened and reverts unfinished changes",
        (QuestionKind::Unknown, "repeat") => "runs it again, whatever happened",
        (_, "Stop") => "ends the run; completed steps stay",
        _ => "",
    }
}

fn prompt_of(asked: &Question) -> String {
    let count = asked.options.len();
    match (asked.question, count) {
        (_, 0) => "Your answer: ".to_owned(),
        (QuestionKind::Question, _) => format!("Answer (1-{count}, or your own answer): "),
        (QuestionKind::Gate, _) => format!("Answer (1-{count}, or a reason to override): "),
        _ => format!("Answer (1-{count}): "),
    }
}

/// The option with the typed number, else the typed text.
fn chosen<'a>(asked: &'a Question, typed: &'a str) -> &'a str {
    let number = typed.parse::<usize>().ok();
    let option = number.and_then(|number| asked.options.get(number.checked_sub(1)?));
    option.map_or(typed, String::as_str)
}

/// The prompt for a note, if the chosen option can have one.
fn note_for(asked: &Question, words: &str) -> Option<&'static str> {
    let is = |option: &str| words.eq_ignore_ascii_case(option);
    let kind = asked.question;
    if kind.is_about_request() {
        return is("no").then_some("What to do instead (optional): ");
    }
    if kind.is_signed() && (is("Done") || is("Mark as done")) {
        return Some("What was done (optional): ");
    }
    let can_skip = kind != QuestionKind::Unknown && asked.options.iter().any(|one| one == "Skip");
    (can_skip && is("Skip")).then_some("Why (optional): ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(kind: QuestionKind, options: &[&str]) -> Question {
        Question {
            task: "T1".to_owned(),
            question: kind,
            message: "May it?".to_owned(),
            options: options.iter().map(|option| (*option).to_owned()).collect(),
            permission: None,
            fingerprint: None,
        }
    }

    #[test]
    fn a_number_names_its_option_and_enter_alone_none() {
        let question = asked(QuestionKind::Permission, &["once", "run", "no"]);
        assert_eq!(chosen(&question, "1"), "once");
        assert_eq!(chosen(&question, "3"), "no");
        assert_eq!(chosen(&question, "0"), "0");
        assert_eq!(chosen(&question, "4"), "4");
        assert_eq!(chosen(&question, "run"), "run");
        assert_eq!(chosen(&question, ""), "");
        for typed in ["", "0", "4", "y", "yes"] {
            let answer = parse_answer(&question, chosen(&question, typed), None);
            assert!(answer.is_err(), "{typed}");
        }
    }

    #[test]
    fn a_card_holds_the_whole_step_before_its_options() {
        let open = OpenQuestion {
            question: asked(QuestionKind::Approval, &["Run", "Skip", "Stop"]),
            step: "- [ ] **T1** Make it\n  - call: `run_command {}`".to_owned(),
        };
        let card = card(&open);
        let at = |line: &str| card.iter().position(|one| one.contains(line)).unwrap();
        assert!(at("May it?") < at("call: `run_command"));
        assert!(at("call: `run_command") < at("1. Run"));
        assert!(at("3. Stop") > at("2. Skip"));
    }

    #[test]
    fn notes_are_asked_for_where_they_count() {
        let person = asked(QuestionKind::Person, &["Done", "Skip"]);
        assert!(note_for(&person, "Done").is_some());
        assert!(note_for(&person, "skip").is_some());
        let unknown = asked(QuestionKind::Unknown, &["check", "repeat", "skip"]);
        assert!(note_for(&unknown, "skip").is_none());
        let request = asked(QuestionKind::Permission, &["once", "run", "no"]);
        assert!(note_for(&request, "once").is_none());
        assert!(note_for(&request, "no").is_some());
    }
}

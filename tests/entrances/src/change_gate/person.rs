//! The person at the window: answers the questions of a run while a hook waits.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use soundness::dice::Dice;
use workbench::{CancelToken, ModelChoice, ResumeRequest, Workbench, parse_answer};

use super::Held;

/// How often the person checks for a question.
const LOOK: Duration = Duration::from_millis(4);

/// The person's answer to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The kind of the question.
    pub kind: String,
    /// The path or command line in question.
    pub subject: Option<String>,
    /// The chosen option, in lower case.
    pub choice: String,
    /// The message given with the answer.
    pub words: Option<String>,
    /// Whether the run used the answer at once. If another question came first, it is used later or
    /// not at all.
    pub is_used: bool,
}

impl Reply {
    /// Applies the effects that the answer has on later changes.
    pub(super) fn apply(&self, held: &mut Held) {
        match (self.kind.as_str(), self.choice.as_str()) {
            ("person" | "unverified" | "skipped_dependency", "done" | "skip") if !self.is_used => {
                held.may_end += 1;
            }
            ("person" | "unverified", "done" | "skip") | ("skipped_dependency", "skip") => {
                let mut steps = 0..held.steps.len();
                let current = steps.find(|step| !held.ended.contains(step));
                held.ended.extend(current);
            }
            ("permission" | "destructive", "run") => held.always.extend(self.subject.clone()),
            (_, "stop") => held.is_stopped = true,
            // The person resumes a stopped run.
            ("changed", _) => held.is_stopped = false,
            _ => {}
        }
    }
}

/// A person who answers at random.
pub(super) struct Person {
    bench: Workbench,
    dice: Dice,
    number: usize,
}

impl Person {
    pub(super) fn new(bench: Workbench, seed: u64) -> Self {
        Self {
            bench,
            dice: Dice::new(seed, 0),
            number: 0,
        }
    }

    /// Answers questions about the plan until the hooks have ended, or closes the window.
    pub(super) fn answer_until(
        &mut self,
        plan: Option<&str>,
        is_over: &AtomicBool,
        is_closed: &AtomicBool,
    ) -> Result<Vec<Reply>, String> {
        let mut replies = Vec::new();
        let Some(plan) = plan else {
            return Ok(replies);
        };
        while !is_over.load(Ordering::SeqCst) {
            match self.look(plan)? {
                Looked::Nothing => std::thread::sleep(LOOK),
                Looked::Answered(reply) => replies.push(reply),
                Looked::Closes => {
                    is_closed.store(true, Ordering::SeqCst);
                    return Ok(replies);
                }
            }
        }
        Ok(replies)
    }

    fn look(&mut self, plan: &str) -> Result<Looked, String> {
        let runs = self.bench.store.runs().of_plan(plan);
        let runs = runs.map_err(|error| error.to_string())?;
        let Some(run) = runs.first().map(|run| run.id.clone()) else {
            return Ok(Looked::Nothing);
        };
        let questions = self.bench.questions_of(&run);
        let questions = questions.map_err(|error| error.message)?;
        let Some(question) = questions.into_iter().next().map(|open| open.question) else {
            return Ok(Looked::Nothing);
        };
        let kind = question.question.as_str().to_owned();
        self.number += 1;
        let words = format!("Not so ({}). “Ask me” first.", self.number);
        let (choice, words) = match (kind.as_str(), self.dice.roll(10)) {
            (_, 0) => return Ok(Looked::Closes),
            ("permission" | "destructive", 1..=3) => ("once", None),
            ("permission" | "destructive", 4 | 5) => ("run", None),
            ("permission" | "destructive", _) => ("no", Some(words)),
            ("person" | "unverified", 1..=6) => ("done", Some("Looked at it.".to_owned())),
            ("person" | "unverified", _) => ("skip", Some("Not needed.".to_owned())),
            ("changed" | "failure", 1..=4) => ("stop", None),
            _ => {
                // Only the product knows which steps “count as done” would mark.
                let options = question.options.iter();
                let options = options.filter(|option| option.to_lowercase() != "count as done");
                let options: Vec<String> = options.cloned().collect();
                let option = self.dice.pick(&options).cloned();
                return self.reply(&run, &question, kind, &option.unwrap_or_default(), None);
            }
        };
        self.reply(&run, &question, kind, choice, words)
    }

    /// The number of journal entries of this kind.
    fn count(&self, run: &str, kind: &str) -> Result<usize, String> {
        let journal = self.bench.store.journal();
        let found = journal.of_kinds(run, &[kind], usize::MAX, usize::MAX);
        found
            .map(|found| found.len())
            .map_err(|error| error.to_string())
    }

    fn reply(
        &mut self,
        run: &str,
        question: &workbench::Question,
        kind: String,
        choice: &str,
        words: Option<String>,
    ) -> Result<Looked, String> {
        let Ok(given) = parse_answer(question, choice, words.as_deref()) else {
            // The question doesn't accept this answer; it may require a message.
            return Ok(Looked::Closes);
        };
        let request = ResumeRequest {
            run: run.to_owned(),
            answers: None,
            model: ModelChoice::Configured,
            hand_over: None,
        };
        let cancel = CancelToken::new().map_err(|error| error.to_string())?;
        let before = [self.count(run, "given")?, self.count(run, "answered")?];
        // Fails if the run is in use, or if something goes wrong after the answer was recorded.
        let _ = self
            .bench
            .resume_answered(&request, vec![given], &cancel, &mut |_| {});
        let after = [self.count(run, "given")?, self.count(run, "answered")?];
        if after == before {
            return Ok(Looked::Nothing);
        }
        Ok(Looked::Answered(Reply {
            kind,
            subject: question
                .permission
                .as_ref()
                .map(|wanted| wanted.subject.clone()),
            choice: choice.to_lowercase(),
            words,
            is_used: after[1] > before[1],
        }))
    }
}

/// The result of checking for a question.
enum Looked {
    Nothing,
    Answered(Reply),
    Closes,
}

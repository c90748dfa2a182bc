//! One turn: handles a prompt by creating or changing a plan, asking for approval, or following a
//! run.

use std::path::{Path, PathBuf};

use agent_client_protocol::v1::schema::{PermissionOptionKind, StopReason, ToolKind};
use workbench::reports::can_resume;
use workbench::{Code, Result, Workbench};

use super::editor::{Choice, Editor, Reply, Request};
use super::prompt::Prompt;
use super::{approval, review, run};

/// The command that starts over with a new goal.
pub(super) const NEW: &str = "new";

/// The command that shows the plan again and asks for its approval.
pub(super) const REVIEW: &str = "review";

/// The subject of a conversation.
#[derive(Debug, Default)]
pub(super) enum Talk {
    /// Nothing yet.
    #[default]
    Nothing,
    /// A plan that isn't approved yet.
    Plan(OpenPlan),
    /// A run that hasn't ended; its ID.
    Run(String),
}

/// A plan that isn't approved yet.
#[derive(Debug, Clone)]
pub(super) struct OpenPlan {
    /// The plan file, which may not exist yet while the model asks about it.
    pub(super) path: PathBuf,
    /// The revision shown last.
    pub(super) shown: Option<String>,
    /// The conversation with the model that writes the plan.
    pub(super) conversation: Option<String>,
    /// Whether the model is waiting for an answer.
    pub(super) is_asked: bool,
}

/// A turn in progress.
pub(super) struct Turn<'a> {
    pub(super) bench: Workbench,
    pub(super) editor: &'a Editor,
    pub(super) root: &'a Path,
    pub(super) talk: Talk,
}

impl<'a> Turn<'a> {
    pub(super) fn new(bench: Workbench, editor: &'a Editor, root: &'a Path, talk: Talk) -> Self {
        Self {
            bench,
            editor,
            root,
            talk,
        }
    }

    /// Handles the prompt. Returns the new subject of the conversation, and why the turn ended.
    pub(super) fn carry_out(mut self, prompt: &Prompt) -> (Talk, Result<StopReason>) {
        let ended = self.answer(prompt);
        let ended = match ended {
            // Cancellation takes precedence over any error it caused.
            _ if self.editor.is_cancelled() => Ok(StopReason::Cancelled),
            Err(error) if error.code == Code::Cancelled => Ok(StopReason::Cancelled),
            Err(error) => Err(error),
            Ok(()) => Ok(StopReason::EndTurn),
        };
        if let Err(error) = self.bench.close() {
            tracing::warn!(%error, "couldn't back up after a turn");
        }
        (self.talk, ended)
    }

    fn answer(&mut self, prompt: &Prompt) -> Result<()> {
        if let Some(goal) = after_command(&prompt.words, NEW) {
            self.talk = Talk::Nothing;
            if goal.is_empty() {
                self.editor
                    .say_paragraph("Enter a goal after /new, or as the next message.");
                return Ok(());
            }
            return self.plan(goal, &prompt.context);
        }
        let is_review = after_command(&prompt.words, REVIEW).is_some();
        match &self.talk {
            Talk::Plan(plan) if is_review && plan.path.exists() => {
                let plan = plan.clone();
                self.review(plan)
            }
            Talk::Nothing | Talk::Plan(_) if is_review => {
                self.editor.say_paragraph("There is no plan to review.");
                Ok(())
            }
            Talk::Nothing => self.plan(&prompt.words, &prompt.context),
            Talk::Plan(plan) => {
                let plan = plan.clone();
                self.change(plan, prompt)
            }
            Talk::Run(run) => {
                let run = run.clone();
                self.offer_to_resume(&run)
            }
        }
    }

    /// Shows a plan, asks for its approval, and acts on the person's choice.
    pub(super) fn review(&mut self, mut plan: OpenPlan) -> Result<()> {
        let shown = review::show(&self.bench, self.editor, &plan.path, self.root)?;
        let revision = shown.revision().to_owned();
        plan.shown = Some(revision.clone());
        plan.is_asked = false;
        self.talk = Talk::Plan(plan.clone());
        let path = plan.path;
        let decision = review::decide(&self.bench, self.editor, &shown);
        let at = shown.milliseconds_ago();
        drop(shown);
        let is_same = match decision {
            review::Decision::Refused => return Ok(()),
            review::Decision::NotNow => {
                self.editor.say_paragraph(
                    "Nothing was approved. Say what to change, or ask again with /review.",
                );
                return Ok(());
            }
            review::Decision::Run | review::Decision::Store => {
                approval::refuse_changed(&path, &revision)
            }
        };
        let done = is_same.and_then(|()| match decision {
            review::Decision::Run => self.run(&path, &revision),
            _ => self.store(&path, &revision, at),
        });
        match done {
            Err(error) if error.code == Code::NotCovered => {
                let message = error.to_wire().message;
                self.editor.say_paragraph(&format!(
                    "Not approved: {message} Use /review to see the current plan."
                ));
                Ok(())
            }
            done => done,
        }
    }

    fn store(&mut self, path: &Path, revision: &str, shown_ms: i64) -> Result<()> {
        approval::store(&self.bench, path, self.root, revision, shown_ms)?;
        self.talk = Talk::Nothing;
        let (short, shown) = (review::short(revision), path.display().to_string());
        self.editor.say_paragraph(&format!(
            "Revision `{short}` is approved. Run it in the window, or with `planwright run {} \
             --approve {short}`.",
            workbench::shell_word(&shown)
        ));
        Ok(())
    }

    fn run(&mut self, path: &Path, revision: &str) -> Result<()> {
        let request = run::request(path, self.root, revision);
        let followed = run::follow(&mut self.bench, self.editor, path, |bench, cancel, sink| {
            bench.run(&request, cancel, sink)
        })?;
        self.keep_run(followed);
        Ok(())
    }

    fn keep_run(&mut self, followed: run::Followed) {
        match followed {
            // The plan still needs approval.
            run::Followed::NotStarted => {}
            run::Followed::Open(run) => self.talk = Talk::Run(run),
            run::Followed::Over => self.talk = Talk::Nothing,
        }
    }

    /// Asks whether to resume a waiting run. A message alone never resumes it.
    fn offer_to_resume(&mut self, run: &str) -> Result<()> {
        let row = self.bench.find_run(run)?;
        let state = self.bench.live_state(&row)?;
        if !can_resume(&state) {
            self.talk = Talk::Nothing;
            self.editor.say_paragraph(&format!(
                "Run `{run}` has ended ({state}). `planwright receipt {run}` shows what was done. \
                 Enter the next goal."
            ));
            return Ok(());
        }
        let choices = [
            ("resume", "Resume", PermissionOptionKind::AllowOnce),
            ("not_now", "Not now", PermissionOptionKind::RejectOnce),
        ];
        let reply = self.editor.ask(Request {
            title: &format!("Resume run {run}"),
            kind: ToolKind::Execute,
            content: format!("Run `{run}` of `{}`: {}", row.plan, state.replace('_', " ")),
            choices: choices.map(Choice::from).into(),
        });
        if reply != Reply::Chosen(0) {
            self.editor.say_paragraph(&format!(
                "Run `{run}` stays as it is. /new starts with another goal."
            ));
            return Ok(());
        }
        let (request, path) = (run::resume_request(run), PathBuf::from(&row.plan));
        let followed = run::follow(
            &mut self.bench,
            self.editor,
            &path,
            |bench, cancel, sink| bench.resume(&request, cancel, sink),
        )?;
        self.keep_run(followed);
        Ok(())
    }
}

/// The text after a command; `None` if the prompt isn't this command.
fn after_command<'w>(words: &'w str, command: &str) -> Option<&'w str> {
    let rest = words.strip_prefix('/')?.strip_prefix(command)?;
    let is_whole = rest.is_empty() || rest.starts_with(char::is_whitespace);
    is_whole.then(|| rest.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_a_whole_word_at_the_beginning() {
        assert_eq!(
            after_command("/new rename a to b", NEW),
            Some("rename a to b")
        );
        assert_eq!(after_command("/review", REVIEW), Some(""));
        assert_eq!(after_command("/newer files first", NEW), None);
        assert_eq!(after_command("use /new", NEW), None);
    }
}

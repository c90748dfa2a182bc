//! Creates and changes plans, and shows the progress.

use workbench::sessions::no_model;
use workbench::text::sentence;
use workbench::wire::{ModelEvent, PlanningEvent, SessionEvent, SessionState};
use workbench::{
    Code, ModelChoice, PlanRequest, Planned, PlanningHandle, Result, SessionEnd, SessionInput,
};

use agent_client_protocol::v1::schema::{PermissionOptionKind, ToolKind};

use super::editor::{Choice, Editor, Reply, Request};
use super::prompt::Prompt;
use super::turn::{OpenPlan, Talk, Turn};

impl Turn<'_> {
    /// Creates a plan for a goal, as `planwright plan` does, and shows it.
    pub(super) fn plan(&mut self, goal: &str, context: &str) -> Result<()> {
        let request = PlanRequest {
            goal: goal.to_owned(),
            context: context.to_owned(),
            workspace: Some(self.root.to_owned()),
            ..PlanRequest::default()
        };
        let editor = self.editor;
        let handle = PlanningHandle::cancelled_by(editor.cancel_token().clone())?;
        let mut sink = |event: PlanningEvent| show_planning(editor, &event);
        let model = ModelChoice::Configured;
        let planned = self
            .bench
            .plan_in_session(&request, &model, &handle, &mut sink)?;
        let outcome = match planned {
            Planned::Made(outcome) => *outcome,
            Planned::Open(end) => return self.after(end),
        };
        for notice in &outcome.notices {
            editor.note(notice);
        }
        let conversation = outcome.report.session;
        if conversation.is_none() && !context.is_empty() {
            editor.say_paragraph(
                "The attachments weren't used: this plan was made by rules, which read only your \
                 text.",
            );
        }
        self.review(OpenPlan {
            path: outcome.report.path.into(),
            shown: None,
            conversation,
            is_asked: false,
        })
    }

    /// Has the model change a plan, or passes it the person's answer to its question. Without a
    /// model, explains how to change the plan instead.
    pub(super) fn change(&mut self, plan: OpenPlan, prompt: &Prompt) -> Result<()> {
        let conversation = match self.conversation_about(&plan) {
            Ok(conversation) => conversation,
            Err(error) if error.code == Code::Model => {
                return self.without_model(plan, &error.to_wire().message);
            }
            Err(error) => return Err(error),
        };
        let words = match prompt.context.as_str() {
            "" => prompt.words.clone(),
            context => format!("{}\n\n{context}", prompt.words),
        };
        let input = match &plan.shown {
            Some(revision) if !plan.is_asked => SessionInput::Feedback {
                revision: revision.clone(),
                words,
            },
            _ => SessionInput::Say { words },
        };
        self.talk = Talk::Plan(OpenPlan {
            conversation: Some(conversation.clone()),
            ..plan
        });
        self.converse(&conversation, input)
    }

    /// The conversation in which the plan was written, or a new one about it.
    fn conversation_about(&mut self, plan: &OpenPlan) -> Result<String> {
        // The error tells the person what to configure.
        self.bench.model_access(None)?.ok_or_else(no_model)?;
        match &plan.conversation {
            Some(conversation) => Ok(conversation.clone()),
            None => self.bench.session_about(&plan.path, None),
        }
    }

    fn without_model(&mut self, plan: OpenPlan, why: &str) -> Result<()> {
        let path = plan.path.display().to_string();
        let content = workbench::plan_file::read_anywhere(&plan.path)?;
        let is_changed = plan
            .shown
            .as_deref()
            .is_some_and(|shown| shown != content.revision.as_str());
        let now = match is_changed {
            true => "The file has changed, so here it is again.",
            false => {
                "Nothing was changed. /review asks again for the approval; /new starts with another \
                 goal."
            }
        };
        self.editor.say_paragraph(&format!(
            "Changes need a model, or edit `{path}` yourself. {now} ({why})"
        ));
        match is_changed {
            true => self.review(plan),
            false => Ok(()),
        }
    }

    fn converse(&mut self, conversation: &str, input: SessionInput) -> Result<()> {
        let (editor, mut input) = (self.editor, input);
        loop {
            let mut sink = |event: SessionEvent| show_session(editor, &event);
            let cancel = editor.cancel_token();
            let end = self
                .bench
                .converse(conversation, vec![input], None, cancel, &mut sink)?;
            match self.permission(&end)? {
                Some(answer) => input = answer,
                None => return self.after(end),
            }
        }
    }

    /// Asks the person for a permission that the model needs to continue; `None` if it needs none
    /// or the person didn't answer.
    fn permission(&self, end: &SessionEnd) -> Result<Option<SessionInput>> {
        if end.state != SessionState::Waiting {
            return Ok(None);
        }
        let Some(question) = self.bench.open_question(&end.session)? else {
            return Ok(None);
        };
        if question.permission.is_none() {
            return Ok(None);
        }
        let choices = [
            ("once", "Allow once", PermissionOptionKind::AllowOnce),
            (
                "session",
                "Allow in this conversation",
                PermissionOptionKind::AllowAlways,
            ),
            ("no", "Don't allow", PermissionOptionKind::RejectOnce),
        ];
        let reply = self.editor.ask(Request {
            title: "Allow the model's request",
            kind: ToolKind::Execute,
            content: end.message.clone(),
            choices: choices.map(Choice::from).into(),
        });
        use workbench::Answer;
        let answer = match reply {
            Reply::Chosen(0) => Answer::Once,
            Reply::Chosen(1) => Answer::Session,
            Reply::Chosen(_) => Answer::No {
                words: String::new(),
            },
            Reply::Nothing => return Ok(None),
        };
        let call = question.call;
        Ok(Some(SessionInput::Answer { call, answer }))
    }

    /// Handles the end of a turn of the conversation with a model.
    fn after(&mut self, end: SessionEnd) -> Result<()> {
        let known = match &self.talk {
            Talk::Plan(plan) => plan.shown.clone(),
            _ => None,
        };
        let plan = OpenPlan {
            path: end.path,
            shown: known,
            conversation: Some(end.session),
            is_asked: end.state == SessionState::Waiting,
        };
        match end.state {
            SessionState::Proposed => return self.review(plan),
            // The model's text was shown as it arrived.
            SessionState::Answered | SessionState::Waiting => {}
            SessionState::Cancelled | SessionState::Idle => {}
            SessionState::Unfinished | SessionState::Cut | SessionState::Failed => {
                self.editor.say_paragraph(&end.message);
            }
        }
        self.talk = Talk::Plan(plan);
        Ok(())
    }
}

/// Shows the progress of planning as thoughts.
fn show_planning(editor: &Editor, event: &PlanningEvent) {
    match event {
        PlanningEvent::Started { model, .. } => editor.note(&format!("Asking {model}")),
        PlanningEvent::Tried(step) if !step.why.is_empty() => editor.note(&sentence(&step.why)),
        PlanningEvent::Round {
            number, message, ..
        } => editor.note(&format!("Round {number}: {message}")),
        PlanningEvent::Notice { message } => editor.note(message),
        // A draft isn't the plan yet, so its text isn't part of the answer.
        PlanningEvent::Model(ModelEvent::Text { text } | ModelEvent::Thinking { text }) => {
            editor.think(text);
        }
        PlanningEvent::Model(event) => show_model(editor, event),
        PlanningEvent::Session(event) => show_session(editor, event),
        PlanningEvent::Decided(_)
        | PlanningEvent::Trying(_)
        | PlanningEvent::Tried(_)
        | PlanningEvent::Skipped(_)
        | PlanningEvent::Request { .. }
        | PlanningEvent::Replied { .. } => {}
    }
}

/// Shows an event of the conversation with a model.
fn show_session(editor: &Editor, event: &SessionEvent) {
    match event {
        SessionEvent::Model(event) => show_model(editor, event),
        SessionEvent::Replied { text, .. } if !text.trim().is_empty() => editor.say("\n\n"),
        SessionEvent::Call { name, subject, .. } => editor.note(&format!("{name} `{subject}`")),
        SessionEvent::Refused { message, .. }
        | SessionEvent::Notice { message }
        | SessionEvent::Faulted { message } => editor.note(message),
        SessionEvent::Question {
            message,
            options,
            tool: None,
            ..
        } => {
            let options: Vec<String> = options.iter().map(|one| format!("- {one}\n")).collect();
            editor.say_paragraph(&format!("{message}\n\n{}", options.concat()));
        }
        SessionEvent::Changed { files, count, .. } => editor.say_paragraph(&format!(
            "{count} files changed in the meantime: {}",
            files.join(", ")
        )),
        _ => {}
    }
}

fn show_model(editor: &Editor, event: &ModelEvent) {
    match event {
        ModelEvent::Text { text } => editor.say(text),
        ModelEvent::Thinking { text } => editor.think(text),
        ModelEvent::Quiet { silence_ms } => editor.note(&format!(
            "No output from the model for {} s",
            silence_ms / 1_000
        )),
        ModelEvent::Retry {
            made, of, reason, ..
        } => editor.note(&format!(
            "Request {made} of {of} failed, retrying: {reason}"
        )),
        ModelEvent::Notice { message } => editor.note(message),
    }
}

//! Follows a run as `planwright run` does: shows its steps, asks its questions in the editor, and
//! reports the result.

use std::collections::BTreeMap;
use std::path::Path;

use agent_client_protocol::v1::schema::{ToolCallId, ToolCallStatus, ToolKind};
use workbench::reports::can_resume;
use workbench::wire::RunEvent;
use workbench::{
    CancelToken, EndState, ModelChoice, Policy, Result, ResumeRequest, RunChoice, RunReceipt,
    RunRequest, Workbench, plan_file,
};

use super::editor::Editor;
use super::entries::Steps;
use super::questions::{self, Asked};

/// Maximum bytes of a step's output to show; the end is kept.
const MAX_OUTPUT: usize = 8_000;

/// Maximum number of files named on a line.
const MAX_FILES: usize = 8;

/// Maximum number of steps in the summary.
const MAX_STEPS: usize = 100;

type Sink<'a> = &'a mut dyn FnMut(RunEvent);

/// How following a run ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Followed {
    /// The run was rejected before it started.
    NotStarted,
    /// The run is waiting and can be resumed; its ID.
    Open(String),
    /// The run has ended.
    Over,
}

/// The request to run the approved revision, asking before each step.
pub(super) fn request(path: &Path, root: &Path, revision: &str) -> RunRequest {
    RunRequest {
        file: path.to_owned(),
        revision: revision.to_owned(),
        workspace: Some(root.to_owned()),
        policy: Some(Policy::Each),
        upto: None,
        answers: None,
        reason: None,
        parallel: 1,
        model: ModelChoice::Configured,
        choice: RunChoice::default(),
        hand_over: None,
    }
}

/// The request to resume a run.
pub(super) fn resume_request(run: &str) -> ResumeRequest {
    ResumeRequest {
        run: run.to_owned(),
        answers: None,
        model: ModelChoice::Configured,
        hand_over: None,
    }
}

/// Starts or resumes a run, and asks its questions until it ends or the person leaves it waiting.
pub(super) fn follow(
    bench: &mut Workbench,
    editor: &Editor,
    path: &Path,
    start: impl FnOnce(&mut Workbench, &CancelToken, Sink<'_>) -> Result<EndState>,
) -> Result<Followed> {
    let cancel = editor.cancel_token().clone();
    let mut progress = Progress::new(editor, path);
    let mut ended = start(bench, &cancel, &mut |event| progress.event(event))?;
    let Some(run) = progress.run.clone() else {
        editor.say_paragraph(&format!("Not approved: {}", progress.message));
        return Ok(Followed::NotStarted);
    };
    let mut signed: Vec<String> = Vec::new();
    let mut needs_words = None;
    while matches!(ended, EndState::Waiting | EndState::Unverified) && !editor.is_cancelled() {
        let mut open = bench.questions_of(&run)?;
        open.retain(|one| progress.waiting.contains(&one.question.task));
        let mut answers = Vec::new();
        for question in open {
            let task = &question.question.task;
            if signed.contains(task) && question.question.question.is_signed() {
                needs_words = Some(task.clone());
                break;
            }
            match questions::ask(editor, &question) {
                Asked::Answered {
                    answer,
                    is_signature,
                } => {
                    signed.extend(is_signature.then(|| task.clone()));
                    answers.push(*answer);
                }
                Asked::NeedsWords => {
                    needs_words = Some(task.clone());
                    editor.say_paragraph(&question.question.message);
                    break;
                }
                Asked::Nothing => break,
            }
        }
        if answers.is_empty() {
            break;
        }
        let request = resume_request(&run);
        ended = bench.resume_answered(&request, answers, &cancel, &mut |event| {
            progress.event(event);
        })?;
    }
    progress.end_calls();
    let receipt = bench.receipt(&run)?;
    editor.say_paragraph(&summary(&receipt, &progress.message));
    editor.say_paragraph(&what_next(&run, ended, needs_words.as_deref()));
    Ok(match can_resume(ended.as_str()) {
        true => Followed::Open(run),
        false => Followed::Over,
    })
}

/// The progress of a run, as shown in the editor.
struct Progress<'a> {
    editor: &'a Editor,
    path: &'a Path,
    steps: Steps,
    run: Option<String>,
    /// The keys of the pending questions.
    waiting: Vec<String>,
    /// The tool calls of the steps in progress, each with the end of its output.
    calls: BTreeMap<String, (ToolCallId, String)>,
    message: String,
}

impl<'a> Progress<'a> {
    fn new(editor: &'a Editor, path: &'a Path) -> Self {
        let mut progress = Self {
            editor,
            path,
            steps: Steps::default(),
            run: None,
            waiting: Vec::new(),
            calls: BTreeMap::new(),
            message: String::new(),
        };
        progress.read_steps();
        progress
    }

    fn read_steps(&mut self) {
        // If the plan is missing, the run reports that.
        if let Ok(content) = plan_file::read_anywhere(self.path) {
            self.steps = Steps::of(&plan::parse(&content.text).0);
        }
    }

    fn event(&mut self, event: RunEvent) {
        let editor = self.editor;
        match event {
            RunEvent::Started { run, sandbox, .. } => {
                self.waiting.clear();
                if self.run.is_none() {
                    editor.note(&format!("Run {run}, sandbox {sandbox}"));
                }
                self.run = Some(run);
            }
            RunEvent::Notice { message } | RunEvent::Delayed { message } => editor.note(&message),
            RunEvent::Progress {
                task,
                current_action,
                ..
            } => {
                self.start(&task);
                if let Some(action) = current_action {
                    editor.note(&format!("{task}: {action}"));
                }
            }
            RunEvent::Output { task, text, .. } => {
                if let Some((_, output)) = self.calls.get_mut(&task) {
                    output.push_str(&text);
                    keep_end(output);
                }
            }
            RunEvent::Text { text, .. } | RunEvent::Thinking { text, .. } => editor.think(&text),
            RunEvent::Report { task, summary, .. } => editor.note(&format!("{task}: {summary}")),
            RunEvent::Planned { .. } => {
                self.read_steps();
                self.steps.show(editor);
            }
            RunEvent::Recovery { task, reason, .. } => {
                editor.note(&format!("{task}: {reason}"));
            }
            RunEvent::Server {
                task,
                state,
                reason,
                waited_ms,
                ..
            } => editor.note(&match state.as_str() {
                "back" => format!(
                    "{task}: the model server is back after {} s",
                    waited_ms / 1_000
                ),
                _ => format!("{task} is waiting for the model server: {reason}"),
            }),
            RunEvent::Task {
                task,
                state,
                reason,
                changes,
                ..
            } => self.end(&task, &state, reason.as_deref(), &changes),
            RunEvent::Waiting { id, .. } => self.waiting.push(id),
            RunEvent::Ended { message, .. } => self.message = message,
            RunEvent::Request { .. } | RunEvent::Replied { .. } => {}
        }
    }

    fn start(&mut self, task: &str) {
        if self.calls.contains_key(task) {
            return;
        }
        let (title, status) = (self.steps.name(task), ToolCallStatus::InProgress);
        let call = self
            .editor
            .start_call(&title, ToolKind::Execute, status, "");
        self.calls.insert(task.to_owned(), (call, String::new()));
        if self.steps.start(task) {
            self.steps.show(self.editor);
        }
    }

    fn end(&mut self, task: &str, state: &str, reason: Option<&str>, changes: &[String]) {
        if self.steps.end(task, state) {
            self.steps.show(self.editor);
        }
        let Some((call, output)) = self.calls.remove(task) else {
            return;
        };
        let mut content = match reason {
            Some(reason) => format!("{state}: {reason}\n"),
            None => format!("{state}\n"),
        };
        if !changes.is_empty() {
            content.push_str(&format!("\nChanged {}\n", files(changes)));
        }
        if !output.trim().is_empty() {
            let fence = super::prompt::fence_around(&output);
            content.push_str(&format!("\n{fence}\n{}\n{fence}\n", output.trim_end()));
        }
        let is_ok = matches!(state, "done" | "skipped");
        self.editor.end_call(&call, is_ok, Some(&content));
    }

    /// Ends the tool calls that an interrupted run left open.
    fn end_calls(&mut self) {
        for (call, _) in std::mem::take(&mut self.calls).into_values() {
            self.editor.end_call(&call, false, None);
        }
    }
}

/// Drops the beginning of an output that has become too long.
fn keep_end(output: &mut String) {
    if output.len() > 2 * MAX_OUTPUT {
        let mut from = output.len() - MAX_OUTPUT;
        while !output.is_char_boundary(from) {
            from += 1;
        }
        output.drain(..from);
    }
}

/// A short summary of the receipt.
fn summary(receipt: &RunReceipt, message: &str) -> String {
    let body = &receipt.receipt;
    let state = body.state.replace('_', " ");
    let mut text = format!("**Run `{}`: {state}**\n\n", receipt.run);
    for step in body.steps.iter().take(MAX_STEPS) {
        let undone = if step.undone { ", undone" } else { "" };
        text.push_str(&format!("- {} {}{undone}", step.task, step.state));
        let passed = step.evidence.iter().filter(|piece| piece.ok);
        let checks: Vec<String> = passed
            .filter(|piece| piece.kind == "check")
            .filter_map(|piece| piece.command.as_ref())
            .map(|command| format!("`{}` passed", plan::visible_line(command)))
            .collect();
        if !checks.is_empty() {
            text.push_str(&format!(" · {}", checks.join(", ")));
        }
        if !step.changes.is_empty() {
            text.push_str(&format!(" · changed {}", files(&step.changes)));
        }
        if let Some(reason) = &step.reason {
            text.push_str(&format!(" · {}", plan::visible_line(reason)));
        }
        text.push('\n');
    }
    let more = body.steps.len().saturating_sub(MAX_STEPS);
    if more > 0 {
        text.push_str(&format!("- … and {more} more\n"));
    }
    let mut reasons = body.steps.iter().filter_map(|step| step.reason.as_ref());
    let is_said = reasons.any(|reason| message.contains(reason.as_str()));
    if !message.is_empty() && body.state != "done" && !is_said {
        text.push_str(&format!("\n{}\n", plan::visible_line(message)));
    }
    text
}

/// The person's options now that the run has ended or is waiting.
fn what_next(run: &str, ended: EndState, needs_words: Option<&str>) -> String {
    let receipt = format!("Receipt: `planwright receipt {run}` · Undo: `planwright undo {run}`");
    match (needs_words, ended) {
        (Some(task), _) => format!(
            "{task} needs an answer in words. Give it in the window, or with `planwright answer \
             {run} {} ANSWER`; in the terminal, `planwright resume {run}` asks.",
            workbench::shell_word(task)
        ),
        (None, EndState::Waiting) => format!(
            "The run is waiting on you. Send a message to resume it here, or use the window or \
             `planwright resume {run}`."
        ),
        (None, state) if can_resume(state.as_str()) => format!(
            "Send a message to resume it here, or use the window or `planwright resume {run}`. \
             {receipt}"
        ),
        (None, _) => receipt,
    }
}

fn files(paths: &[String]) -> String {
    let named = paths.iter().take(MAX_FILES);
    let named: Vec<String> = named
        .map(|path| format!("`{}`", plan::visible_line(path)))
        .collect();
    match paths.len().saturating_sub(MAX_FILES) {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}

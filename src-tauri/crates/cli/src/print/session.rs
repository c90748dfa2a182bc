//! Conversations as human-readable text or JSON lines.

use std::time::Instant;

use workbench::text::counted;
use workbench::wire::{ModelEvent, SessionEvent};
use workbench::{SessionEnd, SessionSummary};

use super::{Out, short, terminal};

/// Prints the events of a turn as they arrive.
#[derive(Debug)]
pub(crate) struct Printer {
    out: Out,
    json: bool,
    /// Whether the cursor is on a line of the model's text.
    is_in_words: bool,
    /// Whether any text of this reply was streamed.
    was_streamed: bool,
}

impl Printer {
    pub(crate) fn new(json: bool) -> Self {
        Self {
            out: Out::new(),
            json,
            is_in_words: false,
            was_streamed: false,
        }
    }

    /// Prints an event.
    pub(crate) fn event(&mut self, event: &SessionEvent) {
        if self.json {
            return self.out.json(event);
        }
        if let SessionEvent::Model(ModelEvent::Text { text }) = event {
            self.is_in_words = true;
            self.was_streamed = true;
            return self.out.text(text);
        }
        if std::mem::take(&mut self.is_in_words) {
            self.out.text("\n");
        }
        self.line(event);
        match event {
            SessionEvent::Request { .. } => {
                terminal::working("waiting for the model", Instant::now());
            }
            SessionEvent::Call { name, .. } => terminal::working(name, Instant::now()),
            SessionEvent::Replied { .. }
            | SessionEvent::Result { .. }
            | SessionEvent::Question { .. }
            | SessionEvent::Ended { .. } => terminal::idle(),
            _ => {}
        }
    }

    fn line(&mut self, event: &SessionEvent) {
        let out = &mut self.out;
        match event {
            SessionEvent::Started {
                session,
                model,
                mode,
                ..
            } => out.line(format!(
                "session {session}  {}  {} mode",
                model,
                mode.as_str()
            )),
            SessionEvent::Mode { to, approved, .. } => {
                let approved = approved
                    .as_ref()
                    .map(|revision| format!(", revision {} approved", short(revision)));
                out.line(format!(
                    "  {} mode{}",
                    to.as_str(),
                    approved.unwrap_or_default()
                ));
            }
            SessionEvent::Request { attempt, .. } => {
                self.was_streamed = false;
                if *attempt > 1 {
                    out.line(format!("  retrying, attempt {attempt}"));
                }
            }
            SessionEvent::Model(news) => {
                if let Some(words) = words_of(news) {
                    out.notice(&words);
                }
            }
            SessionEvent::Replied { text, repairs, .. } => {
                // Thinking and repaired text were not streamed.
                if !self.was_streamed && !text.trim().is_empty() {
                    out.line(text.trim());
                }
                for repair in repairs {
                    out.line(format!("  repaired: {repair}"));
                }
            }
            SessionEvent::Call { name, subject, .. } => {
                out.line(format!("  {name}  {subject}"));
            }
            SessionEvent::Output { text, .. } => {
                for line in text.lines() {
                    out.line(format!("      | {line}"));
                }
            }
            SessionEvent::Result { ok, summary, .. } if !ok => {
                out.line(format!("    failed: {summary}"));
            }
            SessionEvent::Refused { message, .. } => {
                out.line(format!("    refused: {message}"));
            }
            SessionEvent::Plan { path, revision } => {
                out.line(format!("    wrote {}  revision {}", path, short(revision)));
            }
            SessionEvent::Question {
                message, options, ..
            } => {
                out.line(format!("? {message}"));
                for option in options {
                    out.line(format!("    - {option}"));
                }
            }
            SessionEvent::Proposal {
                path,
                revision,
                badge,
                score,
                change,
            } => {
                out.line(format!(
                    "proposed: {}  revision {}  {badge} · {score}",
                    path,
                    short(revision)
                ));
                if !change.is_empty() {
                    out.line(format!("    {change}"));
                }
            }
            SessionEvent::Context { percent, .. } if *percent >= 50 => {
                out.line(format!("  context window {percent}% full"));
            }
            SessionEvent::Changed {
                files,
                count,
                is_alarm,
            } => {
                let files = files.join(", ");
                match is_alarm {
                    true => out.notice(&format!(
                        "WARNING: {} changed during a read-only command: {files}",
                        counted(*count, "file")
                    )),
                    false => out.line(format!("  changed by another program: {files} ({count})")),
                }
            }
            SessionEvent::Compacted => out.line("  conversation compacted"),
            SessionEvent::Planned(report) => super::route::came_by_another(out, report),
            SessionEvent::Notice { message } | SessionEvent::Faulted { message } => {
                out.notice(message)
            }
            // Text is handled above; the caller or the surrounding lines show the rest.
            SessionEvent::Calling { .. }
            | SessionEvent::Result { .. }
            | SessionEvent::Context { .. }
            | SessionEvent::Ended { .. } => {}
        }
    }
}

impl Drop for Printer {
    fn drop(&mut self) {
        terminal::idle();
    }
}

/// Prints the commands available for a proposed plan.
pub(crate) fn how_to_go_on(out: &mut Out, session: &str, revision: &str) {
    let revision = short(revision);
    out.line(format!(
        "Request changes:  planwright chat {session} --changes {revision} \"what to change\""
    ));
    out.line(format!(
        "Approve:          planwright chat {session} --approve {revision}"
    ));
}

/// Prints how to answer the pending question.
pub(crate) fn how_to_answer(out: &mut Out, end: &SessionEnd) {
    let session = &end.session;
    out.line(format!(
        "Answer:  planwright chat {session} \"your answer\""
    ));
    out.line(format!(
        "Allow:  planwright chat {session} --allow once|session, or say what to do instead"
    ));
}

pub(crate) fn sessions(out: &mut Out, sessions: &[SessionSummary]) {
    if sessions.is_empty() {
        out.line(
            "no conversations yet; with a model configured, `planwright plan GOAL` starts one",
        );
    }
    for session in sessions {
        let room = " ".repeat(9_usize.saturating_sub(session.state.chars().count()));
        let after = format!(
            "{room}  {:<4}  {}  {}",
            session.mode, session.model, session.plan
        );
        out.state(&format!("{}  ", session.session), &session.state, &after);
    }
}

/// Model events as text for a terminal, except the model's own text and thinking.
pub(crate) fn words_of(news: &ModelEvent) -> Option<String> {
    Some(match news {
        ModelEvent::Quiet { silence_ms } => format!(
            "no output from the model for {} s; Ctrl-C stops it",
            silence_ms / 1000
        ),
        ModelEvent::Retry {
            made,
            of,
            wait_ms,
            reason,
            ..
        } => format!(
            "request {made} of {of} failed, retrying in {:.1} s: {reason}",
            *wait_ms as f64 / 1000.0
        ),
        ModelEvent::Notice { message } => message.clone(),
        ModelEvent::Text { .. } | ModelEvent::Thinking { .. } => return None,
    })
}

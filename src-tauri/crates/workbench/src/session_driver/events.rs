//! Turns rows and state into events. Decides nothing.

use agent::session::context::gauge;
use agent::session::entry::Entry;
use agent::session::machine::Machine;
use serde_json::{Map, Value};

use super::SessionDriver;
use crate::wire::SessionEvent;

/// Maximum number of characters of a one-line subject or result.
const MAX_LINE_LENGTH: usize = 200;

impl SessionDriver<'_> {
    /// Sends the event for a stored row.
    pub(super) fn tell(&mut self, entry: &Entry) {
        let event = match entry {
            Entry::ModeSet {
                from,
                to,
                by,
                approved,
            } => SessionEvent::Mode {
                from: *from,
                to: *to,
                by: *by,
                approved: approved.clone(),
            },
            Entry::Replied { reply } => {
                self.calls.clone_from(&reply.calls);
                let repairs = reply.calls.iter().flat_map(|call| call.repairs.clone());
                let faults = reply.faults.iter().map(|fault| fault.message.clone());
                SessionEvent::Replied {
                    text: reply.text.clone(),
                    repairs: repairs.collect(),
                    faults: faults.collect(),
                    input: reply.usage.input,
                    cached: reply.usage.cached,
                    output: reply.usage.output,
                    elapsed_ms: reply.elapsed_ms,
                }
            }
            Entry::CallBegan { id } => {
                let Some(call) = self.calls.iter().find(|call| call.id == *id) else {
                    return;
                };
                SessionEvent::Call {
                    id: id.clone(),
                    name: call.name.clone(),
                    subject: subject(&call.arguments),
                }
            }
            Entry::CallEnded { id, result, .. } => SessionEvent::Result {
                id: id.clone(),
                ok: result.ok,
                summary: line(&result.content),
            },
            Entry::Refused { id, message } => SessionEvent::Refused {
                id: id.clone(),
                message: message.clone(),
            },
            Entry::Faulted { message, .. } => SessionEvent::Faulted {
                message: format!(
                    "Couldn't use the reply. Message to the model: {}",
                    line(message)
                ),
            },
            Entry::Compacted { .. } => SessionEvent::Compacted,
            _ => return,
        };
        (self.sink)(event);
    }

    /// Reports how full the context window is.
    pub(super) fn report_context(&mut self, machine: &Machine) {
        let gauge = gauge(machine.state(), &self.access.limits());
        (self.sink)(SessionEvent::Context {
            tokens: gauge.tokens,
            window: gauge.window,
            percent: gauge.percent,
        });
    }
}

/// The subject of a call: the first of its path, command, pattern, task, question and texts that
/// isn't blank; empty if there is none.
fn subject(arguments: &Map<String, Value>) -> String {
    let named = [
        "path", "command", "pattern", "task", "after", "question", "old_text", "new_text",
    ];
    let found = named
        .iter()
        .filter_map(|key| arguments.get(*key)?.as_str())
        .find(|text| !text.trim().is_empty());
    found.map(line).unwrap_or_default()
}

/// The first line with content, truncated.
pub(super) fn line(text: &str) -> String {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty());
    let first = first.unwrap_or_default();
    let mut shown: String = first.chars().take(MAX_LINE_LENGTH).collect();
    if shown.len() < first.len() {
        shown.push('…');
    }
    shown
}

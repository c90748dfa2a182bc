//! Measures how full the context window is, and compacts the conversation if it is too full.
//!
//! The number of tokens is overestimated from the number of bytes. Compaction replaces the
//! beginning of the conversation with a summary and keeps the plan, the person's decisions and the
//! latest messages.

use std::collections::BTreeMap;

use serde::Serialize;
use specta::Type;

use super::entry::ShownPlan;
use super::handoff;
use super::message::{Message, Part, Role};
use super::request::{BYTES_OF_A_TOKEN, Profile, Request, SYSTEM, request, tokens_of};
use super::state::State;
use super::tools;
use crate::envelope::{clipped, escaped, one_line};

/// The conversation is compacted if it takes up more than this percentage of the window.
const COMPACT_AT: u64 = 70;

/// The messages that are kept take up at most this percentage of the window.
const KEPT: usize = 20;

/// Size of a message besides its content, in bytes.
const FRAME: usize = 30;

/// The usage of a model's context window.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Type)]
#[serde(rename = "TalkGauge")]
pub struct Gauge {
    /// Estimated tokens of the next request.
    pub tokens: u32,
    /// The window's size in tokens.
    pub window: u32,
    /// The usage in percent; can exceed 100.
    pub percent: u32,
    /// How much each kind of content takes up.
    pub parts: Vec<Use>,
}

/// One kind of content in the window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename = "TalkPart")]
pub struct Use {
    /// `system`, `tools`, `summary`, `plan`, `person`, `model`, `results` or `host`.
    #[specta(type = String)]
    pub kind: Part,
    /// Estimated tokens.
    pub tokens: u32,
}

/// Measures the request for the current state.
pub fn gauge(state: &State, profile: &Profile) -> Gauge {
    let mut bytes: BTreeMap<Part, usize> = BTreeMap::new();
    bytes.insert(Part::System, SYSTEM.len());
    bytes.insert(Part::Tools, tools::table().to_string().len());
    for message in &state.messages {
        for (part, size) in &message.parts {
            *bytes.entry(*part).or_default() += size + FRAME / message.parts.len();
        }
    }
    let parts = bytes.into_iter().map(|(kind, size)| Use {
        kind,
        tokens: tokens_of(size),
    });
    let parts: Vec<Use> = parts.collect();
    let tokens = parts
        .iter()
        .fold(0, |sum: u32, part| sum.saturating_add(part.tokens));
    let window = profile.context_window.max(1);
    Gauge {
        percent: u32::try_from(u64::from(tokens) * 100 / u64::from(window)).unwrap_or(u32::MAX),
        parts,
        tokens,
        window,
    }
}

/// How many of the latest messages to keep if the conversation should be compacted now; `None` if
/// there is enough room or nothing to remove.
pub fn to_keep(state: &State, profile: &Profile) -> Option<usize> {
    let gauge = gauge(state, profile);
    let window = u64::from(profile.context_window);
    let room = window.saturating_sub(u64::from(profile.max_output_tokens));
    let limit = room.min(window * COMPACT_AT / 100);
    if u64::from(gauge.tokens) <= limit {
        return None;
    }
    let most = profile.context_window as usize * BYTES_OF_A_TOKEN * KEPT / 100;
    let total = state.messages.len();
    // Go backward from the end; results stay with their calls.
    let (mut size, mut keep, mut keep_turns) = (0, 0, 0);
    for (at, message) in state.messages.iter().enumerate().rev() {
        size += message.parts.iter().map(|(_, size)| size).sum::<usize>() + FRAME;
        if size > most && keep > 0 {
            break;
        }
        match message.role {
            Role::User => (keep, keep_turns) = (total - at, total - at),
            Role::Assistant => keep = total - at,
            Role::Tool => {}
        }
    }
    // Keep whole turns if at least one turn fits.
    if keep_turns > 0 {
        keep = keep_turns;
    }
    // The first message may already be a summary, so at least two messages must be removed.
    (total - keep >= 2).then_some(keep)
}

/// Maximum size of the next call's result, in bytes: the limit in the profile, but no more than its
/// share of the remaining room. Otherwise, the results of several calls in one reply could exceed
/// the window, and compaction can't make them smaller.
pub(crate) fn result_bytes(state: &State, profile: &Profile) -> usize {
    /// Enough to say which part was omitted and how to ask for a smaller one.
    const LEAST: usize = 600;
    /// Tokens reserved for requesting a summary and for the text around results.
    const SUMMING: u32 = 400;
    let room = profile
        .context_window
        .saturating_sub(profile.max_output_tokens)
        .saturating_sub(SUMMING)
        .saturating_sub(gauge(state, profile).tokens);
    let share = room as usize * BYTES_OF_A_TOKEN / state.calls.len().max(1);
    share.clamp(LEAST, profile.result_bytes().max(LEAST))
}

/// The request for a summary: the conversation, unchanged so that the provider's cache applies,
/// followed by an instruction.
pub fn summary_request(state: &State, profile: &Profile) -> Request {
    const WANTED: &str = "[The conversation is too long. Without calling a tool, sum up in at most 300 \
                          words what must be known to go on: what was asked, what was found (paths, \
                          names), what was done, what is open. Do not repeat the plan.]";
    let mut request = request(state, profile);
    request
        .messages
        .push(Message::user(vec![(Part::Host, WANTED.to_owned())]));
    request
}

/// A summary made without a model, from the messages and calls.
pub fn symbolic_summary(state: &State, keep: usize) -> String {
    const BYTES: usize = 3_000;
    let gone = state.messages.len().saturating_sub(keep);
    let mut lines: Vec<String> = Vec::new();
    for message in &state.messages[..gone] {
        match message.role {
            Role::User => {
                // The person's own text is at the end of a message, after hand-offs and notices.
                let own = message
                    .parts
                    .iter()
                    .rev()
                    .find(|(part, _)| matches!(part, Part::Person | Part::Summary));
                if let Some((part, size)) = own {
                    let at = message.content.len().saturating_sub(*size);
                    let words = message.content.get(at..).unwrap_or_default();
                    lines.push(match part {
                        Part::Summary => clipped(words, BYTES / 2),
                        _ => format!("Person: {}", one_line(words, 300)),
                    });
                }
            }
            Role::Assistant => {
                if !message.content.trim().is_empty() {
                    lines.push(format!("You: {}", one_line(&message.content, 200)));
                }
                lines.extend(message.calls.iter().map(|call| {
                    let keys = ["path", "command", "task", "pattern", "question"];
                    let about = keys.iter().find_map(|key| call.text(key));
                    let about = one_line(about.unwrap_or_default(), 100);
                    format!("Call: {} {about}", call.name)
                }));
            }
            Role::Tool => {}
        }
    }
    // The latest lines matter most.
    let mut size = 0;
    let mut kept: Vec<String> = lines
        .into_iter()
        .rev()
        .take_while(|line| {
            size += line.len() + 1;
            size <= BYTES
        })
        .collect();
    kept.reverse();
    kept.join("\n")
}

pub(crate) fn compacted(
    state: &State,
    summary: &str,
    keep: usize,
    plan: Option<&ShownPlan>,
) -> Vec<Message> {
    let cut = state.messages.len().saturating_sub(keep);
    let kept = state.messages.get(cut..).unwrap_or_default();
    let mut text = String::from("[The conversation before this was summed up.]\n<summary>\n");
    text.push_str(&escaped(summary.trim()));
    text.push_str("\n</summary>");
    if !state.decisions.is_empty() {
        text.push_str("\nThe person decided:");
        // Only the latest decisions are listed: a long session has many, and the plan contains them
        // too.
        const DECISIONS: usize = 30;
        let from = state.decisions.len().saturating_sub(DECISIONS);
        for decision in &state.decisions[from..] {
            text.push_str(&format!("\n- {} → {}", decision.question, decision.answer));
        }
    }
    if let Some(mode) = state.told_mode {
        text.push_str(&format!("\n[Mode: {}.]", mode.as_str()));
    }
    let mut pieces = vec![(Part::Summary, text)];
    if let Some(plan) = plan {
        let approved = state.plan.approved.as_deref();
        pieces.push((Part::Plan, handoff::shown(plan, approved)));
    }
    // Keep the purpose of the current turn even if the beginning of the turn was removed.
    let has_words = kept
        .iter()
        .any(|message| message.parts.iter().any(|(part, _)| *part == Part::Person));
    if let (false, Some(turn)) = (has_words, &state.turn) {
        pieces.push((Part::Person, clipped(&turn.words, 4_000)));
    }
    let mut messages = Vec::with_capacity(kept.len() + 1);
    match kept.split_first() {
        // Some chat templates reject two user messages in a row.
        Some((first, rest)) if first.role == Role::User => {
            let parts = first.parts.clone();
            let mut merged = Message::user(pieces);
            merged.content.push_str("\n\n");
            merged.content.push_str(&first.content);
            merged.parts.extend(parts);
            messages.push(merged);
            messages.extend_from_slice(rest);
        }
        _ => {
            messages.push(Message::user(pieces));
            messages.extend_from_slice(kept);
        }
    }
    messages
}

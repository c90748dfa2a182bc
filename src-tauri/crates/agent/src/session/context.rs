//! How full a model's window is, and what stays when it is too full.
//!
//! Tokens are estimated from bytes, rather too many than too few. Compaction replaces the beginning
//! of the conversation by a summary, once; the plan, the person's decisions, calls whose outcome is
//! not known and the latest messages stay.

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

/// How full the window may be before the conversation is compacted, in percent.
const COMPACT_AT: u64 = 70;

/// How much of the window the messages that stay may take, in percent.
const KEPT: usize = 20;

/// What a message takes besides its content, in bytes.
const FRAME: usize = 30;

/// How full a model's window is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Type)]
#[serde(rename = "TalkGauge")]
pub struct Gauge {
    /// Tokens of the next request, estimated.
    pub tokens: u32,
    /// What the window holds.
    pub window: u32,
    /// How full it is; may be above 100.
    pub percent: u32,
    /// What it is used for.
    pub parts: Vec<Use>,
}

/// One use of the window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename = "TalkPart")]
pub struct Use {
    /// `system`, `tools`, `summary`, `plan`, `person`, `model`, `results` or `host`.
    #[specta(type = String)]
    pub kind: Part,
    /// Tokens, estimated.
    pub tokens: u32,
}

/// Measures the request that the state amounts to.
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

/// How many of the latest messages stay, when the conversation is to be compacted now; `None` while
/// there is room, and where there is nothing to leave out.
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
    // From the end on: the answers to calls stay with the calls.
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
    // Whole turns, where one fits.
    if keep_turns > 0 {
        keep = keep_turns;
    }
    // What begins the conversation already is a summary of what was before.
    (total - keep >= 2).then_some(keep)
}

/// The most bytes of the next call's answer: what the profile gives one, and no more than its share of
/// the room that is left. Several large answers to one reply would go over the window together, where
/// no compaction can make them smaller.
pub(crate) fn result_bytes(state: &State, profile: &Profile) -> usize {
    /// Enough to say what was left out, and to ask for a smaller part.
    const LEAST: usize = 600;
    /// Tokens of the question for a summary, which comes on top, and of what stands around answers.
    const SUMMING: u32 = 400;
    let room = profile
        .context_window
        .saturating_sub(profile.max_output_tokens)
        .saturating_sub(SUMMING)
        .saturating_sub(gauge(state, profile).tokens);
    let share = room as usize * BYTES_OF_A_TOKEN / state.calls.len().max(1);
    share.clamp(LEAST, profile.result_bytes().max(LEAST))
}

/// The request for a summary: the conversation as it is, so that it comes from the provider's cache,
/// and what is wanted.
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

/// A summary made without a model: what was said, and which calls were made.
pub fn symbolic_summary(state: &State, keep: usize) -> String {
    const BYTES: usize = 3_000;
    let gone = state.messages.len().saturating_sub(keep);
    let mut lines: Vec<String> = Vec::new();
    for message in &state.messages[..gone] {
        match message.role {
            Role::User => {
                // The person's words stand at the end of a message, behind hand-off and notices.
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
    // The latest lines say most.
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

/// The messages after a compaction: one that sums up what was before, then the latest ones.
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
        // The latest ones; a long session has many, and the plan holds them too.
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
    // What the turn under way is for must not be lost with its beginning.
    let has_words = kept
        .iter()
        .any(|message| message.parts.iter().any(|(part, _)| *part == Part::Person));
    if let (false, Some(turn)) = (has_words, &state.turn) {
        pieces.push((Part::Person, clipped(&turn.words, 4_000)));
    }
    let mut messages = Vec::with_capacity(kept.len() + 1);
    match kept.split_first() {
        // Two messages of the person's side in a row are refused by some chat templates.
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

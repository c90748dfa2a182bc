//! Assembles tool calls from the parts in a stream.
//!
//! A part belongs to the call with its index, or preferably with its id. Some servers send neither,
//! or index 0 for every call.

use super::chunk::CallPart;
use crate::ToolCall;

/// Maximum calls in one answer; more indicate a runaway model.
const MAX_CALLS: usize = 128;

#[derive(Debug)]
struct Slot {
    index: Option<u64>,
    call: ToolCall,
    is_complete: bool,
    span: Span,
}

/// Tracks character by character whether a JSON value is complete, so that a long one isn't parsed
/// again with each part. Only objects and arrays matter, because arguments are one or the other.
#[derive(Debug, Default)]
struct Span {
    depth: usize,
    in_text: bool,
    after_backslash: bool,
    is_closed: bool,
}

impl Span {
    fn add(&mut self, more: &str) {
        for byte in more.bytes() {
            if self.in_text {
                self.in_text = self.after_backslash || byte != b'"';
                self.after_backslash = byte == b'\\' && !self.after_backslash;
                continue;
            }
            match byte {
                b'"' => self.in_text = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    self.is_closed |= self.depth == 0;
                }
                _ => {}
            }
        }
    }
}

/// The calls of an answer so far.
#[derive(Debug, Default)]
pub(super) struct Calls {
    slots: Vec<Slot>,
}

/// How a part changed a call.
pub(super) struct Grown {
    pub(super) at: usize,
    pub(super) name: Option<String>,
    pub(super) arguments: String,
}

impl Calls {
    /// Adds a part; `None` if there are too many calls.
    pub(super) fn add(&mut self, part: CallPart) -> Option<Grown> {
        let at = match self.place(&part) {
            Some(at) => at,
            None if self.slots.len() >= MAX_CALLS => return None,
            None => {
                self.slots.push(Slot {
                    index: part.index,
                    call: ToolCall::default(),
                    is_complete: false,
                    span: Span::default(),
                });
                self.slots.len() - 1
            }
        };
        let slot = self.slots.get_mut(at)?;
        let call = &mut slot.call;
        if call.id.is_empty() {
            call.id = part.id;
        }
        // Servers send the name once, repeat it with each part, or rarely split it.
        let is_new = !part.name.is_empty() && part.name != call.name;
        if is_new && call.arguments.is_empty() {
            call.name.push_str(&part.name);
        }
        call.arguments.push_str(&part.arguments);
        slot.span.add(&part.arguments);
        slot.is_complete |= part.is_object;
        Some(Grown {
            at,
            name: is_new.then(|| call.name.clone()),
            arguments: part.arguments,
        })
    }

    /// The call that a part continues, or `None` if it begins a new one.
    fn place(&self, part: &CallPart) -> Option<usize> {
        let begins = !part.name.is_empty();
        if !part.id.is_empty()
            && let Some(at) = self.slots.iter().rposition(|slot| slot.call.id == part.id)
        {
            return Some(at);
        }
        let at = match part.index {
            Some(index) => {
                let same = |slot: &Slot| slot.index == Some(index);
                self.slots.iter().rposition(same)?
            }
            None => self.slots.len().checked_sub(1)?,
        };
        let slot = self.slots.get(at)?;
        let other_id = !part.id.is_empty() && !slot.call.id.is_empty();
        if begins && (other_id || slot.is_complete) {
            return None;
        }
        // Without an index, a name after complete arguments has to begin the next call.
        let has_begun = !slot.call.arguments.is_empty();
        let is_next = begins
            && has_begun
            && (slot.call.name != part.name || (part.index.is_none() && slot.span.is_closed));
        (!is_next).then_some(at)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The calls, each with an id.
    pub(super) fn finish(self) -> Vec<ToolCall> {
        let mut calls: Vec<ToolCall> = self.slots.into_iter().map(|slot| slot.call).collect();
        for at in 0..calls.len() {
            let is_missing = calls.get(at).is_some_and(|call| call.id.is_empty());
            if is_missing {
                let id = (at + 1..)
                    .map(|number| format!("call_{number}"))
                    .find(|id| calls.iter().all(|call| call.id != *id));
                if let (Some(call), Some(id)) = (calls.get_mut(at), id) {
                    call.id = id;
                }
            }
        }
        calls
    }
}

//! Counts a model's faults in actual use, and lowers a profile that is too optimistic.
//!
//! Pure. Faults count within a window of recent answers: old ones are forgotten, and a single one
//! changes nothing.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::{Profile, ToolChannel};

/// A fault in an answer's format. The content isn't judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// A call written as text although native calls were available.
    TextCall,
    /// Arguments that are damaged or don't match the tool.
    Arguments,
    /// A call to a tool that wasn't offered.
    UnknownTool,
    /// Text that isn't JSON although JSON was requested.
    Json,
}

/// A lowered capability, for display.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Downgrade {
    /// Calls are made in text from now on.
    Channel,
    /// Tool calling reliability was lowered by one level.
    Tools,
    /// JSON reliability was lowered by one level.
    Json,
}

/// Number of recent answers considered.
const RECENT_ANSWERS: usize = 10;

/// Minimum number of faults among [`RECENT_ANSWERS`] to lower a capability.
const MIN_FAULTS: usize = 2;

/// The counters of one model at one endpoint. Plain data, stored with the probe result.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Counters {
    /// The fault, if any, in each recent answer with a required format.
    latest: VecDeque<Option<Fault>>,
    /// Text calls since the last native call.
    text_calls: u32,
    /// Number of levels by which tool calling reliability was lowered.
    tools_down: u8,
    /// Number of levels by which JSON reliability was lowered.
    json_down: u8,
    /// Whether calls were switched to text.
    text_channel: bool,
    /// The window stated by the server when it rejected a request as too large.
    #[serde(skip_serializing_if = "Option::is_none")]
    window: Option<u64>,
}

impl Counters {
    /// Counts an answer with a required format; `None` if it had no fault. Returns what was
    /// lowered.
    pub fn note(&mut self, fault: Option<Fault>) -> Option<Downgrade> {
        self.latest.push_back(fault);
        while self.latest.len() > RECENT_ANSWERS {
            self.latest.pop_front();
        }
        match fault {
            Some(Fault::TextCall) => self.text_calls += 1,
            // Faults in JSON say nothing about calls.
            Some(Fault::Json) => {}
            _ => self.text_calls = 0,
        }
        if self.text_calls >= 2 && !self.text_channel {
            self.text_channel = true;
            self.forget(|fault| fault == Fault::TextCall);
            return Some(Downgrade::Channel);
        }
        let is_tools = |fault: Fault| matches!(fault, Fault::Arguments | Fault::UnknownTool);
        if self.tools_down < 2 && self.count(is_tools) >= MIN_FAULTS {
            self.tools_down += 1;
            self.forget(is_tools);
            return Some(Downgrade::Tools);
        }
        let is_json = |fault: Fault| fault == Fault::Json;
        if self.json_down < 2 && self.count(is_json) >= MIN_FAULTS {
            self.json_down += 1;
            self.forget(is_json);
            return Some(Downgrade::Json);
        }
        None
    }

    /// Records the window stated by the server when it rejected a request as too large.
    pub fn note_window(&mut self, window: u64) {
        let known = self.window.unwrap_or(u64::MAX);
        self.window = Some(window.min(known));
    }

    /// Drops that window, because the server now reports a different one.
    pub fn forget_window(&mut self) {
        self.window = None;
    }

    /// The window stated by the server when it rejected a request.
    #[must_use]
    pub fn window(&self) -> Option<u64> {
        self.window
    }

    /// The number of recent answers considered, and their faults, oldest first.
    #[must_use]
    pub fn latest(&self) -> (usize, Vec<Fault>) {
        (
            self.latest.len(),
            self.latest.iter().flatten().copied().collect(),
        )
    }

    /// Whether anything was lowered.
    #[must_use]
    pub fn is_lowered(&self) -> bool {
        self.text_channel || self.tools_down > 0 || self.json_down > 0
    }

    /// The profile `first`, lowered by the counters.
    #[must_use]
    pub fn applied_to(&self, first: &Profile) -> Profile {
        let mut profile = first.clone();
        for _ in 0..self.tools_down {
            profile.tool_calling_reliability = profile.tool_calling_reliability.lower();
        }
        for _ in 0..self.json_down {
            profile.json_reliability = profile.json_reliability.lower();
        }
        if let Some(window) = self.window {
            profile.context_window = profile.context_window.min(window);
        }
        if self.text_channel {
            profile.tool_channel = ToolChannel::JsonText;
        }
        if self.tools_down > 0 || self.json_down > 0 {
            super::score::cap_strategy(&mut profile);
        }
        profile
    }

    fn count(&self, is_one: impl Fn(Fault) -> bool) -> usize {
        self.latest
            .iter()
            .flatten()
            .filter(|fault| is_one(**fault))
            .count()
    }

    /// Removes faults that have lowered a capability, so that they don't count twice.
    fn forget(&mut self, is_one: impl Fn(Fault) -> bool) {
        for entry in &mut self.latest {
            if entry.is_some_and(&is_one) {
                *entry = None;
            }
        }
    }
}

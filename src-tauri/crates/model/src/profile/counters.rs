//! What a model does in earnest, counted, so that a profile that trusts it too much comes down.
//!
//! Pure. Faults count in a window of the latest answers: an old one is forgotten, and one alone
//! changes nothing.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::{Profile, ToolChannel};

/// A fault of form. What an answer says is not judged here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// A call was written as text although native calls were offered.
    TextCall,
    /// Arguments were damaged, or did not fit the tool.
    Arguments,
    /// A tool was called that was not offered.
    UnknownTool,
    /// JSON that was asked for was none.
    Json,
}

/// What came down, for the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Downgrade {
    /// Calls go through the text from now on.
    Channel,
    /// Tool calls are trusted one step less.
    Tools,
    /// JSON is trusted one step less.
    Json,
}

/// How many of the latest answers count.
const LATEST: usize = 10;

/// How many faults in them bring something down.
const ENOUGH: usize = 2;

/// The counters of one model at one endpoint. Plain data, to be kept with the probe's result.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Counters {
    /// The latest answers in which a form was asked for: what was wrong with each, if anything.
    latest: VecDeque<Option<Fault>>,
    /// Text calls since the last native one.
    text_calls: u32,
    /// Steps down for tools.
    tools_down: u8,
    /// Steps down for JSON.
    json_down: u8,
    /// Whether the channel was switched.
    text_channel: bool,
    /// The window that the server named when it refused a request as too large.
    #[serde(skip_serializing_if = "Option::is_none")]
    window: Option<u64>,
}

impl Counters {
    /// Counts one answer in which a form was asked for; `None` is a good one. Says what came down.
    pub fn note(&mut self, fault: Option<Fault>) -> Option<Downgrade> {
        self.latest.push_back(fault);
        while self.latest.len() > LATEST {
            self.latest.pop_front();
        }
        match fault {
            Some(Fault::TextCall) => self.text_calls += 1,
            // JSON says nothing of how calls come.
            Some(Fault::Json) => {}
            _ => self.text_calls = 0,
        }
        if self.text_calls >= 2 && !self.text_channel {
            self.text_channel = true;
            self.forget(|fault| fault == Fault::TextCall);
            return Some(Downgrade::Channel);
        }
        let is_tools = |fault: Fault| matches!(fault, Fault::Arguments | Fault::UnknownTool);
        if self.tools_down < 2 && self.count(is_tools) >= ENOUGH {
            self.tools_down += 1;
            self.forget(is_tools);
            return Some(Downgrade::Tools);
        }
        let is_json = |fault: Fault| fault == Fault::Json;
        if self.json_down < 2 && self.count(is_json) >= ENOUGH {
            self.json_down += 1;
            self.forget(is_json);
            return Some(Downgrade::Json);
        }
        None
    }

    /// Takes in the window that the server named when it refused a request as too large.
    pub fn note_window(&mut self, window: u64) {
        let known = self.window.unwrap_or(u64::MAX);
        self.window = Some(window.min(known));
    }

    /// Forgets that window: the server tells another one now.
    pub fn forget_window(&mut self) {
        self.window = None;
    }

    /// The window that the server named when it refused a request.
    #[must_use]
    pub fn window(&self) -> Option<u64> {
        self.window
    }

    /// How many of the latest answers count, and what was wrong with those that had a fault, oldest
    /// first.
    #[must_use]
    pub fn latest(&self) -> (usize, Vec<Fault>) {
        (
            self.latest.len(),
            self.latest.iter().flatten().copied().collect(),
        )
    }

    /// Whether anything came down.
    #[must_use]
    pub fn is_lowered(&self) -> bool {
        self.text_channel || self.tools_down > 0 || self.json_down > 0
    }

    /// The profile that the counters leave of `first`.
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
            super::score::settle(&mut profile);
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

    /// What has had its effect counts no second time.
    fn forget(&mut self, is_one: impl Fn(Fault) -> bool) {
        for entry in &mut self.latest {
            if entry.is_some_and(&is_one) {
                *entry = None;
            }
        }
    }
}

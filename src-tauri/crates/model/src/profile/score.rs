//! Scores the answers to the probe's questions.
//!
//! Pure, so that each score can be shown with its reason and tested without a server.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Profile, Reliability, Strategy, ToolChannel};
use crate::servers::Window;
use crate::{ModelError, Reply};

/// One question of the probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trial {
    /// Call a tool with one argument.
    OneCall,
    /// Call a tool with quotes and line breaks in its argument.
    HardArguments,
    /// Make two tool calls in one answer.
    TwoCalls,
    /// Answer a question that needs no tool, with a call required.
    ForcedCall,
    /// Answer a question with a JSON schema.
    Schema,
    /// Answer in JSON as requested in the prompt.
    PlainJson,
}

impl Trial {
    /// All questions in order; the most important ones come first, in case the user stops the
    /// probe.
    pub const ALL: [Self; 6] = [
        Self::OneCall,
        Self::Schema,
        Self::HardArguments,
        Self::PlainJson,
        Self::ForcedCall,
        Self::TwoCalls,
    ];
}

/// Whether native calls work.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NativeTools {
    /// Not tested.
    #[default]
    Unknown,
    /// The model made native calls.
    Works,
    /// The model wrote calls as text.
    AsText,
    /// The model made no call.
    Absent,
    /// The server doesn't support tools for this model.
    Refused,
}

/// Whether the server respected an option.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OptionSupport {
    /// Not tested.
    #[default]
    Unknown,
    /// It respected the option.
    Honoured,
    /// It ignored the option.
    Ignored,
    /// It rejected the request.
    Refused,
}

/// The result of a probe. Plain data, stored under [`cache_key`](super::cache_key).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProbeResult {
    /// Whether native calls work.
    pub native_tools: NativeTools,
    /// Whether a required call is made.
    pub tool_choice: OptionSupport,
    /// Whether a schema is followed.
    pub json_schema: OptionSupport,
    /// Whether the model made two calls in one answer.
    pub parallel_calls: bool,
    /// Number of well-formed calls across all questions.
    pub good_calls: u32,
    /// Number of calls requested.
    pub asked_calls: u32,
    /// Number of well-formed JSON answers.
    pub good_json: u32,
    /// Number of JSON answers requested.
    pub asked_json: u32,
    /// Whether it reasons before answering.
    pub reasons: bool,
    /// Tokens generated per second.
    pub tokens_per_second: Option<f64>,
    /// The context window, if the server reports it.
    pub window: Option<Window>,
    /// The questions that were answered or rejected.
    pub done: Vec<Trial>,
    /// Why it ended early, if it did.
    pub ended: Option<String>,
}

impl ProbeResult {
    /// Whether every question was asked.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.done.len() == Trial::ALL.len()
    }

    /// The profile fields that this result covers, by JSON name.
    pub(super) fn confirmed(&self) -> Vec<&'static str> {
        let all = [
            ("contextWindow", self.window.is_some()),
            ("toolCallingReliability", self.asked_calls > 0),
            ("jsonReliability", self.asked_json > 0),
            ("toolChannel", self.native_tools != NativeTools::Unknown),
            (
                "supportsStructuredOutput",
                self.json_schema != OptionSupport::Unknown,
            ),
            (
                "honoursToolChoice",
                self.tool_choice != OptionSupport::Unknown,
            ),
            ("parallelCalls", self.done.contains(&Trial::TwoCalls)),
            ("reasons", self.reasons),
        ];
        let said = all.into_iter().filter(|(_, is_said)| *is_said);
        said.map(|(name, _)| name).collect()
    }

    /// The profile `first`, updated by this result.
    #[must_use]
    pub fn applied_to(&self, first: &Profile) -> Profile {
        let mut profile = first.clone();
        if let Some(window) = self.window {
            profile.context_window = window.tokens;
        }
        if self.asked_calls > 0 {
            profile.tool_calling_reliability = reliability(self.good_calls, self.asked_calls);
        }
        if self.asked_json > 0 {
            profile.json_reliability = reliability(self.good_json, self.asked_json);
        }
        match self.native_tools {
            NativeTools::Unknown => {}
            NativeTools::Works => profile.tool_channel = ToolChannel::Native,
            NativeTools::AsText | NativeTools::Absent | NativeTools::Refused => {
                profile.tool_channel = ToolChannel::JsonText;
            }
        }
        if self.json_schema != OptionSupport::Unknown {
            profile.supports_structured_output = self.json_schema == OptionSupport::Honoured;
        }
        if self.tool_choice != OptionSupport::Unknown {
            profile.honours_tool_choice = self.tool_choice == OptionSupport::Honoured;
        }
        if self.done.contains(&Trial::TwoCalls) {
            profile.parallel_calls = self.parallel_calls;
        }
        profile.reasons |= self.reasons;
        profile.tokens_per_second = self.tokens_per_second.or(profile.tokens_per_second);
        cap_strategy(&mut profile);
        profile
    }
}

/// Reliability from a few trials. With so few, they can prove failures but barely support success:
/// all good is high, one bad is medium, half bad is low.
fn reliability(good: u32, asked: u32) -> Reliability {
    Reliability::of_share(f64::from(good) / f64::from(asked.max(1)))
}

/// Lowers the planning strategy to what the reliabilities allow. Never raises it, because a model
/// that calls tools well may still plan badly.
pub(super) fn cap_strategy(profile: &mut Profile) {
    let worst = profile
        .tool_calling_reliability
        .min(profile.json_reliability);
    if worst == Reliability::Low {
        profile.recommended_strategy = Strategy::Iterative;
        profile.max_tasks_per_plan = profile.max_tasks_per_plan.min(2);
        profile.needs_simplified_prompts = true;
    } else if worst == Reliability::Medium && profile.recommended_strategy == Strategy::Upfront {
        profile.recommended_strategy = Strategy::Hybrid;
        profile.max_tasks_per_plan = profile.max_tasks_per_plan.min(5);
    }
}

/// Values that the questions use.
pub(super) const PATH: &str = "notes/todo.txt";
pub(super) const HARD_TEXT: &str = "say(\"hi\")\n\tpath = 'C:\\new'\n";
pub(super) const SECOND_PATH: &str = "notes/done.txt";

/// Adds the score of one answer.
pub fn score(result: &mut ProbeResult, trial: Trial, answer: &Result<Reply, ModelError>) {
    let reply = match answer {
        Ok(reply) => reply,
        Err(error) => {
            refused(result, trial, error);
            return;
        }
    };
    result.done.push(trial);
    result.reasons |= !reply.reasoning.is_empty();
    let native = |wanted: &[(&str, &str)]| {
        let all = reply.calls.iter().filter_map(|call| {
            let arguments: Value = serde_json::from_str(&call.arguments).ok()?;
            let is_wanted = |(name, value): &(&str, &str)| {
                arguments.get(*name).and_then(Value::as_str) == Some(value)
            };
            wanted.iter().any(is_wanted).then_some(())
        });
        u32::try_from(all.count()).unwrap_or(u32::MAX)
    };
    match trial {
        Trial::OneCall => {
            let good = native(&[("path", PATH)]).min(1);
            result.asked_calls += 1;
            result.good_calls += good;
            result.native_tools = if !reply.calls.is_empty() {
                NativeTools::Works
            } else if reply.text.contains("read_file") && reply.text.contains(PATH) {
                NativeTools::AsText
            } else {
                NativeTools::Absent
            };
        }
        Trial::HardArguments => {
            result.asked_calls += 1;
            result.good_calls += native(&[("text", HARD_TEXT)]).min(1);
        }
        Trial::TwoCalls => {
            let good = native(&[("path", PATH), ("path", SECOND_PATH)]);
            result.asked_calls += 1;
            result.good_calls += good.min(1);
            result.parallel_calls = good == 2;
        }
        Trial::ForcedCall => {
            result.tool_choice = match reply.calls.is_empty() {
                true => OptionSupport::Ignored,
                false => OptionSupport::Honoured,
            };
        }
        Trial::Schema => {
            let bare = keeps_schema(reply.text.trim());
            result.json_schema = if bare {
                OptionSupport::Honoured
            } else {
                OptionSupport::Ignored
            };
            result.asked_json += 1;
            result.good_json += u32::from(bare);
        }
        Trial::PlainJson => {
            result.asked_json += 1;
            let text = reply.text.trim();
            // Ignore a code fence around the JSON; readers remove it.
            let inner = text
                .strip_prefix("```json")
                .or_else(|| text.strip_prefix("```"))
                .and_then(|text| text.strip_suffix("```"))
                .unwrap_or(text);
            result.good_json += u32::from(keeps_schema(inner.trim()));
        }
    }
}

fn refused(result: &mut ProbeResult, trial: Trial, error: &ModelError) {
    let no_tools = matches!(error, ModelError::NoTools { .. });
    let said_no = no_tools || matches!(error, ModelError::Refused { .. });
    if !said_no {
        result.ended = Some(error.to_string());
        return;
    }
    result.done.push(trial);
    match trial {
        Trial::OneCall => {
            result.native_tools = NativeTools::Refused;
            result.asked_calls += 1;
        }
        Trial::HardArguments | Trial::TwoCalls => result.asked_calls += 1,
        Trial::ForcedCall => result.tool_choice = OptionSupport::Refused,
        Trial::Schema => {
            result.json_schema = OptionSupport::Refused;
        }
        Trial::PlainJson => result.asked_json += 1,
    }
}

/// Whether a text is the requested object: `{"count": a number, "word": a text}`.
fn keeps_schema(text: &str) -> bool {
    let Ok(Value::Object(fields)) = serde_json::from_str(text) else {
        return false;
    };
    fields.len() == 2
        && fields.get("count").is_some_and(Value::is_u64)
        && fields.get("word").is_some_and(Value::is_string)
}

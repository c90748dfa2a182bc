//! The model in use, its key and its capabilities, as shown by the window and the terminal. Never
//! contains a key.

use serde::Serialize;
use specta::Type;

/// The model configuration, and what is known about the model.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct ModelsView {
    /// The kinds of servers to choose from.
    pub presets: Vec<ModelPreset>,
    /// The endpoint in use; absent if none is configured or, as `problem` says, it is unusable.
    pub in_force: Option<ModelInForce>,
    /// Why the configuration is unusable.
    pub problem: Option<ModelProblem>,
    /// Whether the system has a working keyring.
    pub has_keyring: bool,
}

/// A kind of server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ModelPreset {
    /// `ollama`, `lm_studio`, `llama_cpp`, `vllm`, `openai`, `openrouter`, `custom`.
    pub id: String,
    /// A display name.
    pub name: String,
    /// The usual address; empty if there is none.
    pub base_url: String,
    /// The environment variable that usually holds its key.
    pub key_variable: Option<String>,
    /// Whether it usually runs on this machine.
    pub is_local: bool,
}

/// The endpoint in use.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct ModelInForce {
    /// The display name of its kind of server.
    pub preset_name: String,
    /// Its address.
    pub base_url: String,
    /// Where the address is configured: `settings` or `environment`.
    pub base_url_from: String,
    /// The model's name.
    pub model: String,
    /// Where the model is configured: `settings`, `environment` or `flag`.
    pub model_from: String,
    /// The environment variable that the settings name for the key.
    pub key_variable: Option<String>,
    /// The context window, in tokens.
    pub window: u64,
    /// The source of the window's size, in words.
    pub window_from: String,
    /// The window that the model was trained for, if the server reports it and offers less.
    pub window_trained: Option<u64>,
    /// A warning that the window is too small for planning, and how to enlarge it.
    pub too_small: Option<ModelProblem>,
    /// Its capabilities, one value each.
    pub profile: Vec<ProfileField>,
    /// Results of the probe; absent if it wasn't probed.
    pub probe: Option<ProbeView>,
    /// Statistics about its replies.
    pub counters: CountersView,
    /// Request fields that its server refuses and that are no longer sent.
    pub refuses: Vec<String>,
}

/// The source of the key in use, never the key itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ModelKeyView {
    /// `none`, `environment`, `session`, `keyring`, `missing` or `locked`.
    pub source: String,
    /// The name of the environment variable or keyring entry.
    pub name: Option<String>,
    /// The message, one sentence.
    pub message: String,
}

/// One value of a model's profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ProfileField {
    /// Its name in data, such as `contextWindow`.
    pub name: String,
    /// A display name.
    pub label: String,
    /// What it is used for, in one sentence.
    pub about: String,
    /// The current value, as JSON.
    pub value: String,
    /// The value without the user's override, as JSON.
    pub found: String,
    /// The source of the value: `name`, `probe`, `counters` or `user`.
    pub source: String,
    /// `number`, `boolean`, `choice`, or `fixed` for measured values.
    pub kind: String,
    /// The allowed values of a `choice`.
    pub choices: Vec<String>,
}

/// Results of a probe.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ProbeView {
    /// When it ended, in milliseconds since 1970; absent while it is running.
    pub at_ms: Option<i64>,
    /// Questions answered so far.
    pub done: u32,
    /// Total questions.
    pub of: u32,
    /// Its results, one line each.
    pub lines: Vec<String>,
    /// Why it ended early.
    pub ended: Option<String>,
}

/// Statistics about a model's replies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct CountersView {
    /// The number of recent replies that are considered.
    pub answers: u32,
    /// Their faults.
    pub faults: Vec<String>,
    /// Whether the profile was downgraded because of them.
    pub is_lowered: bool,
}

/// A server found on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ServerFound {
    /// The ID of its kind of server.
    pub preset: String,
    /// A display name.
    pub name: String,
    /// Its address.
    pub base_url: String,
    /// The models it lists; may be empty.
    pub models: Vec<ListedModel>,
    /// The command that downloads a model to it, if it has none.
    pub fetch_line: Option<String>,
}

/// A model listed by a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ListedModel {
    /// Its name.
    pub id: String,
    /// Its context window in tokens, if listed.
    pub window: Option<u64>,
    /// Whether it is the one in use.
    pub in_force: bool,
}

/// The models of a server, or why they can't be listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ServerModels {
    /// The models it lists.
    pub models: Vec<ListedModel>,
    /// Why the request failed.
    pub problem: Option<ModelProblem>,
}

/// The result of a connection test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ConnectionTrial {
    /// Why the model is unusable; absent if it isn't.
    pub problem: Option<ModelProblem>,
    /// The message, one sentence.
    pub message: String,
}

/// Why a model is unusable, and how to fix it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ModelProblem {
    /// Selects the screen: `no_endpoint`, `key_missing`, or the code of a model error, such as
    /// `model_key_refused`, `model_unknown`, `model_unreachable`, `model_window_exceeded`.
    pub kind: String,
    /// A short title.
    pub title: String,
    /// What happened, in one or two sentences.
    pub message: String,
    /// What to do, one line each, the most likely fix first.
    pub help: Vec<String>,
    /// A command line that fixes it, to copy.
    pub line: Option<String>,
    /// The models that the server has instead.
    pub models: Vec<String>,
}

/// A running job for the model in use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ModelJob {
    /// `probe` or `trial`.
    pub kind: String,
    /// The model.
    pub model: String,
    /// The progress of a probe.
    pub probe: Option<ProbeView>,
}

/// An endpoint chosen by a person.
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize, Type)]
pub struct ModelChoice {
    /// The server's address.
    pub base_url: String,
    /// The model's name.
    pub model: String,
    /// The name of the variable or keyring entry with its key, if it needs one.
    pub key_variable: Option<String>,
}

//! Which model is asked, with which key, and how far it is trusted, as the window and the terminal
//! show it. No key stands in any of these.

use serde::Serialize;
use specta::Type;

/// What is configured, and what is known of it.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct ModelsView {
    /// The kinds of servers to choose from.
    pub presets: Vec<ModelPreset>,
    /// The endpoint in force; absent where none is configured, or `problem` says why it is none.
    pub in_force: Option<ModelInForce>,
    /// Why what is configured cannot be used.
    pub problem: Option<ModelProblem>,
    /// Whether this system has a keyring that answers.
    pub has_keyring: bool,
}

/// A kind of server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ModelPreset {
    /// `ollama`, `lm_studio`, `llama_cpp`, `vllm`, `openai`, `openrouter`, `custom`.
    pub id: String,
    /// For people.
    pub name: String,
    /// Where it usually is; empty where the person must say.
    pub base_url: String,
    /// The name of the environment variable that usually holds its key.
    pub key_variable: Option<String>,
    /// Whether it usually runs on this machine.
    pub is_local: bool,
}

/// The endpoint in force.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct ModelInForce {
    /// The name of its kind of server, for people.
    pub preset_name: String,
    /// Its address.
    pub base_url: String,
    /// `settings` or `environment`: who says the address.
    pub base_url_from: String,
    /// The model's name.
    pub model: String,
    /// `settings`, `environment` or `flag`: who says the model.
    pub model_from: String,
    /// The name of the variable that the settings give.
    pub key_variable: Option<String>,
    /// The window, in tokens.
    pub window: u64,
    /// Where the window is known from, in words.
    pub window_from: String,
    /// What it was trained for, where the server tells and it gives less.
    pub window_trained: Option<u64>,
    /// That the window is too small to plan with, and what raises it.
    pub too_small: Option<ModelProblem>,
    /// What it can be trusted with, field by field.
    pub profile: Vec<ProfileField>,
    /// What the probe showed; absent where it was not probed.
    pub probe: Option<ProbeView>,
    /// What use showed.
    pub counters: CountersView,
    /// What its server was seen to refuse, and is not sent any more.
    pub refuses: Vec<String>,
}

/// The key of the endpoint in force: whether it is there, never what it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ModelKeyView {
    /// `none`, `environment`, `session`, `keyring`, `missing` or `locked`.
    pub source: String,
    /// The variable or the keyring's entry.
    pub name: Option<String>,
    /// One sentence.
    pub message: String,
}

/// One value of a profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ProfileField {
    /// Its name in data, such as `contextWindow`.
    pub name: String,
    /// For people.
    pub label: String,
    /// What it is for, in one sentence.
    pub about: String,
    /// The value in force, as JSON.
    pub value: String,
    /// The value without the person's word, as JSON.
    pub found: String,
    /// Where the value is from: `name`, `probe`, `counters` or `user`.
    pub source: String,
    /// `number`, `boolean`, `choice`, or `fixed` for what is only measured.
    pub kind: String,
    /// What can be chosen.
    pub choices: Vec<String>,
}

/// What a probe showed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ProbeView {
    /// When; absent while it is under way.
    pub at_ms: Option<i64>,
    /// Questions that were answered.
    pub done: u32,
    /// Questions in all.
    pub of: u32,
    /// What it showed, one line each.
    pub lines: Vec<String>,
    /// Why it ended early.
    pub ended: Option<String>,
}

/// What use showed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct CountersView {
    /// How many of the latest answers count.
    pub answers: u32,
    /// What was wrong with those that had a fault.
    pub faults: Vec<String>,
    /// Whether the profile came down because of them.
    pub is_lowered: bool,
}

/// A server that answers on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ServerFound {
    /// The kind of server, by id.
    pub preset: String,
    /// Its name for people.
    pub name: String,
    /// Its address.
    pub base_url: String,
    /// What it lists; may be none.
    pub models: Vec<ListedModel>,
    /// The line that brings a model to it, where it has none.
    pub fetch_line: Option<String>,
}

/// A model that a server lists.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ListedModel {
    /// Its name.
    pub id: String,
    /// Its window in tokens, where the list tells.
    pub window: Option<u64>,
    /// Whether it is the one in force.
    pub in_force: bool,
}

/// The models of one server, or why there are none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ServerModels {
    /// What it lists.
    pub models: Vec<ListedModel>,
    /// Why it could not be asked.
    pub problem: Option<ModelProblem>,
}

/// How the connection was when it was tried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ConnectionTrial {
    /// Why it cannot be used; absent where it can.
    pub problem: Option<ModelProblem>,
    /// One sentence.
    pub message: String,
}

/// Why a model cannot be asked, and what helps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ModelProblem {
    /// Chooses the screen: `no_endpoint`, `key_missing`, or the code of a model's error, such as
    /// `model_key_refused`, `model_unknown`, `model_unreachable`, `model_window_exceeded`.
    pub kind: String,
    /// A few words.
    pub title: String,
    /// One or two sentences: what happened.
    pub message: String,
    /// What to do, one line each, the likeliest first.
    pub help: Vec<String>,
    /// A command line that mends it, to copy.
    pub line: Option<String>,
    /// The models that the server has instead.
    pub models: Vec<String>,
}

/// What is under way with the model in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ModelJob {
    /// `probe` or `trial`.
    pub kind: String,
    /// The model.
    pub model: String,
    /// How far a probe is.
    pub probe: Option<ProbeView>,
}

/// An endpoint that a person chose.
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize, Type)]
pub struct ModelChoice {
    /// The server's address.
    pub base_url: String,
    /// The model's name.
    pub model: String,
    /// The variable or keyring entry of its key, where it needs one.
    pub key_variable: Option<String>,
}

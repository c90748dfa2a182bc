//! The model configuration and what is known about the model, for display. Sends nothing.

use model::servers::{DiscoveredServer, ModelInfo, Preset};
use model::{Endpoint, KeyError, KeyStore};

use super::access::Known;
use super::configured::{ConfiguredEndpoint, Origin};
use super::key_lookup::KeySource;
use super::stored::base_of;
use super::{problem, profile_view};
use crate::Workbench;
use crate::error::{Code, Result};
use crate::sessions::{MIN_PROMPT_TOKENS, PLAN_TOKENS};
use crate::wire::models::{
    ListedModel, ModelInForce, ModelKeyView, ModelPreset, ModelProblem, ModelsView, ServerFound,
};

impl Workbench {
    /// The model configuration and what is known about the model. Never opens a keyring dialog.
    pub fn models(&self, flag: Option<&str>) -> Result<ModelsView> {
        let (in_force, problem) = match self.configured_model(flag) {
            Ok(None) => (None, None),
            Ok(Some(named)) => {
                let (_, known) = self.known_of(&named.endpoint)?;
                (Some(in_force(&named, &known)), None)
            }
            Err(error) if error.code == Code::Model => {
                (None, Some(problem::unusable(&error.message)))
            }
            Err(error) => return Err(error),
        };
        Ok(ModelsView {
            presets: Preset::ALL.into_iter().map(preset).collect(),
            in_force,
            problem,
            has_keyring: KeyStore.is_there(),
        })
    }

    /// Whether the key of the current model is available. May wait for the keyring to be unlocked.
    /// Fails with [`Code::Model`] if the configured endpoint is invalid.
    pub fn model_key(&self, flag: Option<&str>) -> Result<ModelKeyView> {
        let Some(named) = self.configured_model(flag)? else {
            return Ok(key_view("none", None, "No model is set up.".to_owned()));
        };
        Ok(match self.key_finder().find(&named) {
            Ok((_, source)) => key_found(&source),
            Err(error) => key_error(&error, &named.endpoint),
        })
    }
}

fn preset(preset: Preset) -> ModelPreset {
    ModelPreset {
        id: preset.id().to_owned(),
        name: preset.name().to_owned(),
        base_url: preset.base_url().to_owned(),
        key_variable: preset.key_variable().map(str::to_owned),
        is_local: preset.port().is_some(),
    }
}

fn in_force(named: &ConfiguredEndpoint, known: &Known) -> ModelInForce {
    let endpoint = &named.endpoint;
    let model = &endpoint.model;
    let server = known.server(endpoint);
    let sourced = known.sourced(model);
    let window = sourced.profile.context_window;
    let told = known
        .server_info
        .as_ref()
        .and_then(|server_info| server_info.window);
    let probe = known.probe.as_ref();
    let dialect = known.dialect.as_ref();
    ModelInForce {
        preset_name: server.name().to_owned(),
        base_url: endpoint.base_url.clone(),
        base_url_from: origin(named.base_url).to_owned(),
        model: model.clone(),
        model_from: origin(named.model).to_owned(),
        key_variable: endpoint.key_variable.clone(),
        window,
        window_from: profile_view::window_origin(known, model).to_owned(),
        window_trained: told
            .and_then(|told| told.trained)
            .filter(|trained| *trained > window),
        too_small: too_small(endpoint, known),
        profile: profile_view::profile(known, model),
        probe: probe.map(|probe| profile_view::probe(probe, known.probed_ms)),
        counters: profile_view::counters(known),
        refuses: dialect.map_or_else(Vec::new, |dialect| {
            let fields = dialect.without.iter();
            fields.map(|field| field.name().to_owned()).collect()
        }),
    }
}

/// The problem to show if the window is too small for planning; `None` if it isn't.
pub(super) fn too_small(endpoint: &Endpoint, known: &Known) -> Option<ModelProblem> {
    let small = known.too_small(endpoint, MIN_PROMPT_TOKENS, PLAN_TOKENS)?;
    Some(small.problem())
}

fn origin(origin: Origin) -> &'static str {
    match origin {
        Origin::Flag => "flag",
        Origin::Environment => "environment",
        Origin::Settings => "settings",
    }
}

fn key_view(source: &str, name: Option<&str>, message: String) -> ModelKeyView {
    ModelKeyView {
        source: source.to_owned(),
        name: name.map(str::to_owned),
        message,
    }
}

fn key_found(source: &KeySource) -> ModelKeyView {
    match source {
        KeySource::None => key_view("none", None, "No key is sent.".to_owned()),
        KeySource::Environment(name) => key_view(
            "environment",
            Some(name),
            format!("The key is in the environment variable {name}."),
        ),
        KeySource::Session(name) => key_view(
            "session",
            Some(name),
            "The key is kept until Planwright closes.".to_owned(),
        ),
        KeySource::Keyring(name) => key_view(
            "keyring",
            Some(name),
            format!("The key is in the keyring, under {name}."),
        ),
    }
}

fn key_error(error: &KeyError, endpoint: &Endpoint) -> ModelKeyView {
    let source = match error {
        KeyError::Locked { .. } => "locked",
        _ => "missing",
    };
    let message = problem::key(error, endpoint).message;
    key_view(source, endpoint.key_variable.as_deref(), message)
}

/// A found server for display, with the current model marked.
pub(super) fn server(found: DiscoveredServer, named: Option<&ConfiguredEndpoint>) -> ServerFound {
    let here = named.filter(|named| is_same(&named.endpoint.base_url, &found.base_url));
    let fetch_line = match found.models.is_empty() {
        true => found.preset.fetch_line("qwen2.5-coder:7b"),
        false => None,
    };
    ServerFound {
        preset: found.preset.id().to_owned(),
        name: found.preset.name().to_owned(),
        base_url: found.base_url,
        models: listed(found.models, here),
        fetch_line,
    }
}

/// The models that a server lists; `here` is the current model if it belongs to that server.
pub(super) fn listed(
    models: Vec<ModelInfo>,
    here: Option<&ConfiguredEndpoint>,
) -> Vec<ListedModel> {
    let models = models.into_iter().map(|info| ListedModel {
        in_force: here.is_some_and(|named| named.endpoint.model == info.id),
        window: info.context_window,
        id: info.id,
    });
    models.collect()
}

/// Whether two addresses are the same server, as `localhost` and `127.0.0.1` are.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    let plain = |base_url: &str| base_of(base_url).replacen("://localhost", "://127.0.0.1", 1);
    plain(one) == plain(other)
}

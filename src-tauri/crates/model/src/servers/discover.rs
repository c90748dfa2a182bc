//! Finds model servers on this machine by their usual ports.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::{ModelInfo, Preset, models};
use crate::{Client, Endpoint, ModelError, Options};

/// Timeout per server. A closed port responds immediately.
const LIMIT: Duration = Duration::from_millis(1_500);

/// A port to check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServerPort {
    /// The kind of server expected there.
    pub preset: Preset,
    /// The port on this machine.
    pub port: u16,
}

/// The usual ports of the known kinds.
#[must_use]
pub fn default_ports() -> Vec<ServerPort> {
    let default = |preset: Preset| {
        let port = preset.port()?;
        Some(ServerPort { preset, port })
    };
    Preset::ALL.into_iter().filter_map(default).collect()
}

/// A server that responded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiscoveredServer {
    /// Its kind according to its model list, else the usual kind for the port.
    pub preset: Preset,
    /// Its base URL.
    pub base_url: String,
    /// The models it lists, possibly none.
    pub models: Vec<ModelInfo>,
}

/// The servers at `ports`, in the same order. All are queried in parallel, without a key.
///
/// Returns once all have responded or timed out. If cancelled, returns immediately with those found
/// so far.
pub async fn discover(ports: &[ServerPort], cancel: &CancellationToken) -> Vec<DiscoveredServer> {
    let mut probes = JoinSet::new();
    for (at, port) in ports.iter().enumerate() {
        let (port, cancel) = (*port, cancel.clone());
        probes.spawn(async move { probe(port, &cancel).await.map(|found| (at, found)) });
    }
    let mut all = Vec::new();
    while let Some(done) = probes.join_next().await {
        all.extend(done.ok().flatten());
    }
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, found)| found).collect()
}

async fn probe(port: ServerPort, cancel: &CancellationToken) -> Option<DiscoveredServer> {
    let endpoint = Endpoint {
        // Use the address, because `localhost` may resolve to one where nothing is listening.
        base_url: format!("http://127.0.0.1:{}/v1", port.port),
        model: "any".to_owned(),
        key_variable: None,
    };
    let client = Client::new(&endpoint, None, Options::for_endpoint(&endpoint)).ok()?;
    let address = endpoint.url("models");
    let list = client
        .fetch_json(&address, None, LIMIT, cancel)
        .await
        .ok()?;
    let models = models::read(&list)?;
    Some(DiscoveredServer {
        preset: kind(&models).unwrap_or(port.preset),
        base_url: endpoint.base_url,
        models,
    })
}

impl Client {
    /// The kind of this server, from its address or else from its model list, which has to be
    /// fetched then. Fails like [`Client::models`].
    pub async fn kind(&self, cancel: &CancellationToken) -> Result<Preset, ModelError> {
        match Preset::of(&self.endpoint().base_url) {
            Preset::Custom => Ok(kind(&self.models(cancel).await?).unwrap_or(Preset::Custom)),
            known => Ok(known),
        }
    }
}

/// The kind of server indicated by a model list.
fn kind(models: &[ModelInfo]) -> Option<Preset> {
    models
        .iter()
        .find_map(|model| match model.owned_by.as_deref()? {
            "library" => Some(Preset::Ollama),
            "llamacpp" => Some(Preset::LlamaCpp),
            "vllm" => Some(Preset::Vllm),
            "organization_owner" => Some(Preset::LmStudio),
            _ => None,
        })
}

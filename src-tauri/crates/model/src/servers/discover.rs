//! Model servers on this machine, found on the ports they usually have.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::{ModelInfo, Preset, models};
use crate::{Client, Endpoint, ModelError, Options};

/// How long one server may take to answer. A closed port answers at once.
const LIMIT: Duration = Duration::from_millis(1_500);

/// An address at which to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Door {
    /// The kind of server that is expected there.
    pub preset: Preset,
    /// The port, on this machine.
    pub port: u16,
}

/// The doors of the kinds that are known.
#[must_use]
pub fn usual_doors() -> Vec<Door> {
    let door = |preset: Preset| {
        let port = preset.port()?;
        Some(Door { preset, port })
    };
    Preset::ALL.into_iter().filter_map(door).collect()
}

/// A server that answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// What it is, as far as its list tells; else what is usual at its port.
    pub preset: Preset,
    /// Its address, as an endpoint names it.
    pub base_url: String,
    /// What it lists; may be none.
    pub models: Vec<ModelInfo>,
}

/// The servers behind `doors`, in their order. All are asked at once, without a key.
///
/// Ends when all have answered or their time is over, or at once when cancelled; then with what was
/// found until then.
pub async fn discover(doors: &[Door], cancel: &CancellationToken) -> Vec<Found> {
    let mut asking = JoinSet::new();
    for (at, door) in doors.iter().enumerate() {
        let (door, cancel) = (*door, cancel.clone());
        asking.spawn(async move { look(door, &cancel).await.map(|found| (at, found)) });
    }
    let mut all = Vec::new();
    while let Some(done) = asking.join_next().await {
        all.extend(done.ok().flatten());
    }
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, found)| found).collect()
}

async fn look(door: Door, cancel: &CancellationToken) -> Option<Found> {
    let endpoint = Endpoint {
        // The number, not the name: a name may lead to an address where nobody listens first.
        base_url: format!("http://127.0.0.1:{}/v1", door.port),
        model: "any".to_owned(),
        key_variable: None,
    };
    let client = Client::new(&endpoint, None, Options::for_endpoint(&endpoint)).ok()?;
    let address = endpoint.url("models");
    let list = client.json(&address, None, LIMIT, cancel).await.ok()?;
    let models = models::read(&list)?;
    Some(Found {
        preset: kind(&models).unwrap_or(door.preset),
        base_url: endpoint.base_url,
        models,
    })
}

impl Client {
    /// The kind of its server: what the address suggests, else what the list of models tells.
    ///
    /// # Errors
    /// As [`Client::models`], where the address suggests nothing.
    pub async fn kind(&self, cancel: &CancellationToken) -> Result<Preset, ModelError> {
        match Preset::of(&self.endpoint().base_url) {
            Preset::Custom => Ok(kind(&self.models(cancel).await?).unwrap_or(Preset::Custom)),
            known => Ok(known),
        }
    }
}

/// What a list says of the server that made it.
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

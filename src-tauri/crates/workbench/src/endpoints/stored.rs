//! Stored knowledge about models, by address, model and template.
//!
//! An unreadable row counts as empty and is overwritten by the next result. The user's overrides
//! apply to a new template too; probe results and fault counts don't.

use model::Endpoint;
use model::profile::{ProbeResult, cache_key};
use serde::Serialize;
use serde::de::DeserializeOwned;
use store::ModelProfile;

use super::access::{Known, ModelAccess};
use super::server_info::ServerInfo;
use crate::Workbench;
use crate::error::Result;

/// The key of a model's row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ProfileKey {
    /// The row's key; see [`cache_key`].
    pub(crate) key: String,
    /// The address, normalized by [`base_of`].
    pub(crate) base_url: String,
    pub(crate) model: String,
    /// The short name of the model's template; empty if unknown.
    pub(crate) template: String,
}

impl ProfileKey {
    /// The key for a model and template at an endpoint.
    pub(crate) fn of(endpoint: &Endpoint, template: &str) -> Self {
        let base_url = base_of(&endpoint.base_url);
        Self {
            key: cache_key(&base_url, &endpoint.model, template),
            base_url,
            model: endpoint.model.clone(),
            template: template.to_owned(),
        }
    }

    fn row(&self, at_ms: i64) -> ModelProfile {
        ModelProfile {
            key: self.key.clone(),
            base_url: self.base_url.clone(),
            model: self.model.clone(),
            template: self.template.clone(),
            at_ms,
            ..ModelProfile::default()
        }
    }
}

/// Normalizes an address for use in rows.
pub(crate) fn base_of(base_url: &str) -> String {
    base_url.trim_end_matches('/').to_ascii_lowercase()
}

impl Workbench {
    /// The stored knowledge about a model, and the key of its row.
    pub(crate) fn known_of(&self, endpoint: &Endpoint) -> Result<(ProfileKey, Known)> {
        let base = base_of(&endpoint.base_url);
        let row = self.store.model_profiles().newest(&base, &endpoint.model)?;
        Ok(match row {
            Some(row) => (ProfileKey::of(endpoint, &row.template), read(&row)),
            None => (ProfileKey::of(endpoint, ""), Known::default()),
        })
    }

    /// Stores what the server reported. A new template counts as a new model: probe results and
    /// fault counts of the old one stay with the old row.
    pub(crate) fn store_server_info(
        &self,
        access: &mut ModelAccess,
        server_info: ServerInfo,
    ) -> Result<()> {
        if !server_info.template.is_empty() && server_info.template != access.profile_key.template {
            let profile_key = ProfileKey::of(access.client.endpoint(), &server_info.template);
            let row = self.store.model_profiles().get(&profile_key.key)?;
            let overrule = access.known.overrule.clone();
            access.known = match row {
                Some(row) => read(&row),
                // The template was unknown until now, so the knowledge was about this template.
                None if access.profile_key.template.is_empty() => access.known.clone(),
                None => Known::default(),
            };
            access.known.overrule = overrule;
            access.profile_key = profile_key;
            self.write(access, |known, row| ModelProfile {
                probe: known.probe.as_ref().and_then(json),
                counters: json(&known.counters),
                dialect: known.dialect.as_ref().and_then(json),
                overrule: json(&known.overrule),
                probed_ms: known.probed_ms,
                ..row
            })?;
        }
        let told = access
            .known
            .server_info
            .as_ref()
            .and_then(|last| last.window);
        if told != server_info.window {
            // A larger prompt may fit into the new window.
            access.known.counters.forget_window();
        }
        access.known.server_info = Some(server_info);
        access.settle();
        self.write(access, |known, row| ModelProfile {
            counters: json(&known.counters),
            window: known.server_info.as_ref().and_then(json),
            ..row
        })
    }

    /// Stores a probe's result and resets the counters.
    pub(crate) fn store_probe(&self, access: &mut ModelAccess, probe: ProbeResult) -> Result<()> {
        access.known.probe = Some(probe);
        access.known.probed_ms = Some(self.clock.now_ms());
        access.known.counters = model::profile::Counters::default();
        access.known.dialect = Some(access.client.dialect());
        access.settle();
        self.write(access, |known, row| ModelProfile {
            probe: known.probe.as_ref().and_then(json),
            counters: json(&known.counters),
            dialect: known.dialect.as_ref().and_then(json),
            probed_ms: known.probed_ms,
            ..row
        })
    }

    /// Stores the fault counts and the features that the server refused. Call it after a fault and
    /// at the end of a turn, so that a good reply doesn't cause a write.
    pub(crate) fn store_counters(&self, access: &mut ModelAccess) -> Result<()> {
        let dialect = Some(access.client.dialect());
        if !access.is_unkept && dialect == access.known.dialect {
            return Ok(());
        }
        access.known.dialect = dialect;
        access.is_unkept = false;
        self.write(access, |known, row| ModelProfile {
            counters: json(&known.counters),
            dialect: known.dialect.as_ref().and_then(json),
            ..row
        })
    }

    pub(crate) fn store_overrule(&self, profile_key: &ProfileKey, known: &Known) -> Result<()> {
        let row = ModelProfile {
            overrule: json(&known.overrule),
            ..profile_key.row(self.clock.now_ms())
        };
        Ok(self.store.model_profiles().keep(&row)?)
    }

    fn write(
        &self,
        access: &ModelAccess,
        columns: impl FnOnce(&Known, ModelProfile) -> ModelProfile,
    ) -> Result<()> {
        let row = access.profile_key.row(self.clock.now_ms());
        let row = columns(&access.known, row);
        Ok(self.store.model_profiles().keep(&row)?)
    }
}

fn read(row: &ModelProfile) -> Known {
    let server_info: Option<ServerInfo> = of_json(row.window.as_deref());
    Known {
        server_info: server_info.map(|server_info| ServerInfo {
            template: row.template.clone(),
            ..server_info
        }),
        probe: of_json(row.probe.as_deref()),
        probed_ms: row.probed_ms,
        counters: of_json(row.counters.as_deref()).unwrap_or_default(),
        dialect: of_json(row.dialect.as_deref()),
        overrule: of_json(row.overrule.as_deref()).unwrap_or_default(),
    }
}

fn json<T: Serialize>(value: &T) -> Option<String> {
    serde_json::to_string(value).ok()
}

fn of_json<T: DeserializeOwned>(text: Option<&str>) -> Option<T> {
    let text = text?;
    serde_json::from_str(text)
        .inspect_err(|error| tracing::warn!(%error, "couldn't read the stored data of a model"))
        .ok()
}

//! What is known of models, in the store: by address, model and template.
//!
//! A row that cannot be read counts as nothing known, and is written over by the next finding. The
//! user's own values follow a model to a new template; what was found does not.

use model::Endpoint;
use model::profile::{ProbeResult, cache_key};
use serde::Serialize;
use serde::de::DeserializeOwned;
use store::ModelProfile;

use super::access::{Known, ModelAccess};
use super::looking::Looked;
use crate::Workbench;
use crate::error::Result;

/// Where a model's row is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// [`cache_key`].
    pub(crate) key: String,
    /// The address, as [`base_of`] has it.
    pub(crate) base_url: String,
    /// The model's name.
    pub(crate) model: String,
    /// Its template's short name; empty where none is known.
    pub(crate) template: String,
}

impl Place {
    /// The place of an endpoint's model with a template.
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

/// An address as rows have it.
pub(crate) fn base_of(base_url: &str) -> String {
    base_url.trim_end_matches('/').to_ascii_lowercase()
}

impl Workbench {
    /// What is known of a model, and where that is kept.
    pub(crate) fn known_of(&self, endpoint: &Endpoint) -> Result<(Place, Known)> {
        let base = base_of(&endpoint.base_url);
        let row = self.store.model_profiles().newest(&base, &endpoint.model)?;
        Ok(match row {
            Some(row) => (Place::of(endpoint, &row.template), read(&row)),
            None => (Place::of(endpoint, ""), Known::default()),
        })
    }

    /// Keeps what the server told. Another template makes another model of it: what use and probe
    /// showed of the one before stays with that.
    pub(crate) fn keep_looked(&self, access: &mut ModelAccess, looked: Looked) -> Result<()> {
        if !looked.template.is_empty() && looked.template != access.place.template {
            let place = Place::of(access.client.endpoint(), &looked.template);
            let row = self.store.model_profiles().get(&place.key)?;
            let overrule = access.known.overrule.clone();
            access.known = match row {
                Some(row) => read(&row),
                // Nothing was known of the template before, so it was this one.
                None if access.place.template.is_empty() => access.known.clone(),
                None => Known::default(),
            };
            access.known.overrule = overrule;
            access.place = place;
            self.write(access, |known, row| ModelProfile {
                probe: known.probe.as_ref().and_then(json),
                counters: json(&known.counters),
                dialect: known.dialect.as_ref().and_then(json),
                overrule: json(&known.overrule),
                probed_ms: known.probed_ms,
                ..row
            })?;
        }
        let told = access.known.looked.as_ref().and_then(|last| last.window);
        if told != looked.window {
            // What it refused before, it may take with another window.
            access.known.counters.forget_window();
        }
        access.known.looked = Some(looked);
        access.settle();
        self.write(access, |known, row| ModelProfile {
            counters: json(&known.counters),
            window: known.looked.as_ref().and_then(json),
            ..row
        })
    }

    /// Keeps what a probe showed, and starts the counters anew.
    pub(crate) fn keep_probe(&self, access: &mut ModelAccess, probe: ProbeResult) -> Result<()> {
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

    /// Keeps what use showed and what the server was seen to refuse. To be called at the end of a
    /// turn; in between only what is bad is kept, so that a good answer costs no write.
    pub(crate) fn keep_noted(&self, access: &mut ModelAccess) -> Result<()> {
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

    /// Keeps the user's own values.
    pub(crate) fn keep_overrule(&self, place: &Place, known: &Known) -> Result<()> {
        let row = ModelProfile {
            overrule: json(&known.overrule),
            ..place.row(self.clock.now_ms())
        };
        Ok(self.store.model_profiles().keep(&row)?)
    }

    fn write(
        &self,
        access: &ModelAccess,
        columns: impl FnOnce(&Known, ModelProfile) -> ModelProfile,
    ) -> Result<()> {
        let row = access.place.row(self.clock.now_ms());
        let row = columns(&access.known, row);
        Ok(self.store.model_profiles().keep(&row)?)
    }
}

fn read(row: &ModelProfile) -> Known {
    let looked: Option<Looked> = of_json(row.window.as_deref());
    Known {
        looked: looked.map(|looked| Looked {
            template: row.template.clone(),
            ..looked
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
        .inspect_err(|error| tracing::warn!(%error, "what is known of a model cannot be read"))
        .ok()
}

//! Finding servers, testing the connection, probing a model and overriding its profile: operations
//! of the window and the terminal other than sending requests.
//!
//! Each call blocks on the network, and on the keyring if a key is configured. Don't call it from
//! an async runtime or while holding a lock.

use model::profile::{self, ProbeResult};
use model::servers::{Preset, discover};
use model::{Client, Endpoint, Key, KeyStore, ModelError, Options};
use serde_json::Value;
use tools::sandbox::CancelToken;

use super::access::ModelAccess;
use super::configured::ConfiguredEndpoint;
use super::local_ports::ports;
use super::server_info::query_server;
use super::{problem, profile_view, report, test_connection, wait_for};
use crate::Workbench;
use crate::clock::millis;
use crate::error::{Code, Error, Result};
use crate::wire::models::{ConnectionTrial, ModelProblem, ProbeView, ServerFound, ServerModels};

impl Workbench {
    /// The model servers on this machine, with their models. Contacts only the loopback address and
    /// sends no key.
    pub fn find_models(&self, cancel: &CancelToken) -> Result<Vec<ServerFound>> {
        let ports = ports(|name| self.environment.text(name));
        let found = wait_for(cancel, async |cancel| discover(&ports, cancel).await)?;
        let named = self.usable_model(None);
        let servers = found.into_iter();
        Ok(servers
            .map(|found| report::server(found, named.as_ref()))
            .collect())
    }

    /// The models that a server lists, using the key named by `key_variable`. Fails with
    /// [`Code::Usage`] for an invalid address.
    pub fn server_models(
        &self,
        base_url: &str,
        key_variable: Option<&str>,
        cancel: &CancelToken,
    ) -> Result<ServerModels> {
        let endpoint = Endpoint {
            base_url: base_url.trim().to_owned(),
            model: "any".to_owned(),
            key_variable: key_variable.map(str::to_owned),
        };
        endpoint
            .validate()
            .map_err(|error| Error::from_cause(Code::Usage, error))?;
        let failed = |problem: ModelProblem| ServerModels {
            models: Vec::new(),
            problem: Some(problem),
        };
        let named = self.usable_model(None);
        let here = named.filter(|named| report::is_same(&named.endpoint.base_url, base_url));
        let finder = self.key_finder();
        let key = match &here {
            Some(named) if named.endpoint.key_variable == endpoint.key_variable => {
                finder.find(named)
            }
            _ => finder.find_for(&endpoint),
        };
        let key = match key {
            Ok((key, _)) => key,
            Err(error) => return Ok(failed(problem::key(&error, &endpoint))),
        };
        let server = Preset::of(&endpoint.base_url);
        let shown = |error: &ModelError| failed(problem::failed(error, &endpoint, server, &[]));
        let client = match Client::new(&endpoint, key, Options::for_endpoint(&endpoint)) {
            Ok(client) => client,
            Err(error) => return Ok(shown(&error)),
        };
        Ok(
            match wait_for(cancel, async |cancel| client.models(cancel).await)? {
                Err(error) => shown(&error),
                Ok(models) => ServerModels {
                    models: report::listed(models, here.as_ref()),
                    problem: None,
                },
            },
        )
    }

    /// Tests the connection to the current model: a few small requests and one short chat. Fails
    /// with [`Code::Storage`]; a problem with the connection is part of the result.
    pub fn try_model(&self, flag: Option<&str>, cancel: &CancelToken) -> Result<ConnectionTrial> {
        let (endpoint, key) = match self.ready(flag)? {
            Ok(ready) => ready,
            Err(problem) => return Ok(trial(Some(problem), 0)),
        };
        let result = wait_for(cancel, async |cancel| {
            test_connection(&endpoint, key, cancel).await
        })??;
        let (profile_key, known) = self.known_of(&endpoint)?;
        let mut known_access = ModelAccess::new(endpoint.clone(), None, profile_key, known)?;
        if let Some(server_info) = result.server_info {
            self.store_server_info(&mut known_access, server_info)?;
        }
        let known = &known_access.known;
        if let Some(error) = &result.error {
            let server = known.server(&endpoint);
            let problem = problem::failed(error, &endpoint, server, &result.listed);
            return Ok(trial(Some(problem), 0));
        }
        let took = millis(result.took);
        Ok(trial(report::too_small(&endpoint, known), took))
    }

    /// Probes the current model with at most six short requests. Stores the result, and calls
    /// `told` after each request. Fails with [`Code::Model`] if the model is unusable,
    /// [`Code::Cancelled`] if cancelled before the first result, [`Code::Storage`].
    pub fn probe_model(
        &self,
        flag: Option<&str>,
        cancel: &CancelToken,
        told: &mut (dyn FnMut(ProbeView) + Send),
    ) -> Result<ProbeView> {
        let (endpoint, key) = self
            .ready(flag)?
            .map_err(|problem| Error::new(Code::Model, problem.message))?;
        let (profile_key, known) = self.known_of(&endpoint)?;
        let mut access = ModelAccess::new(endpoint, key, profile_key, known)?;
        let server_info = wait_for(cancel, async |cancel| {
            query_server(&access.client, cancel).await
        })?
        .map_err(model_error)?;
        self.store_server_info(&mut access, server_info)?;
        let mut tell = |result: &ProbeResult| told(profile_view::probe(result, None));
        let result = wait_for(cancel, async |cancel| {
            profile::probe(&access.client, cancel, &mut tell).await
        })?;
        if result.done.is_empty() {
            let code = match cancel.is_cancelled() {
                true => Code::Cancelled,
                false => Code::Model,
            };
            let why = result.ended.unwrap_or_else(|| "no reply".to_owned());
            return Err(Error::new(code, format!("couldn't probe the model: {why}")));
        }
        self.store_probe(&mut access, result.clone())?;
        Ok(profile_view::probe(&result, access.known.probed_ms))
    }

    /// Overrides one value of the current model's profile, or clears the override with `None`.
    /// Fails with [`Code::Usage`] for a value that isn't allowed, [`Code::Model`] if no model is
    /// configured, [`Code::Storage`].
    pub fn overrule_model(
        &self,
        flag: Option<&str>,
        name: &str,
        value: Option<Value>,
    ) -> Result<()> {
        let named = self
            .configured_model(flag)?
            .ok_or_else(|| Error::new(Code::Model, problem::none().message))?;
        let (profile_key, mut known) = self.known_of(&named.endpoint)?;
        known.overrule = profile_view::overruled(&known.overrule, name, value)
            .map_err(|message| Error::new(Code::Usage, message))?;
        self.store_overrule(&profile_key, &known)
    }

    /// Deletes everything that was found out about the current model; the user's overrides stay.
    pub fn forget_model(&self) -> Result<()> {
        if let Some(named) = self.configured_model(None)? {
            let (profile_key, _) = self.known_of(&named.endpoint)?;
            let now = self.clock.now_ms();
            self.store
                .model_profiles()
                .forget_found(&profile_key.key, now)?;
        }
        Ok(())
    }

    /// Stores a key under a variable's name: in the keyring, or only until the program exits. Fails
    /// with [`Code::Usage`] for an invalid key or name, [`Code::Model`] if the keyring refuses it;
    /// then the key isn't stored anywhere.
    pub fn keep_model_key(&self, variable: &str, key: &str, in_keyring: bool) -> Result<()> {
        let key = Key::new(key).map_err(|error| Error::from_cause(Code::Usage, error))?;
        check_variable_name(variable)?;
        if in_keyring {
            KeyStore
                .store(variable, &key)
                .map_err(|error| Error::from_cause(Code::Model, error))?;
            // A session key would take precedence over it.
            self.session_keys.forget(variable);
        } else {
            self.session_keys.keep(variable, key);
        }
        Ok(())
    }

    /// Removes a key from this session and from the keyring. Fails with [`Code::Usage`] for an
    /// invalid name, [`Code::Model`] if the keyring fails to delete it.
    pub fn forget_model_key(&self, variable: &str) -> Result<()> {
        check_variable_name(variable)?;
        self.session_keys.forget(variable);
        if !KeyStore.is_there() {
            return Ok(());
        }
        KeyStore
            .forget(variable)
            .map_err(|error| Error::from_cause(Code::Model, error))
    }

    /// The current endpoint, if it is usable.
    fn usable_model(&self, flag: Option<&str>) -> Option<ConfiguredEndpoint> {
        self.configured_model(flag).ok().flatten()
    }

    /// The current endpoint with its key, or the problem with it.
    fn ready(
        &self,
        flag: Option<&str>,
    ) -> Result<std::result::Result<(Endpoint, Option<Key>), ModelProblem>> {
        let named = match self.configured_model(flag) {
            Ok(Some(named)) => named,
            Ok(None) => return Ok(Err(problem::none())),
            Err(error) if error.code == Code::Model => {
                return Ok(Err(problem::unusable(&error.message)));
            }
            Err(error) => return Err(error),
        };
        Ok(match self.key_finder().find(&named) {
            Ok((key, _)) => Ok((named.endpoint, key)),
            Err(error) => Err(problem::key(&error, &named.endpoint)),
        })
    }
}

fn trial(problem: Option<ModelProblem>, answered_ms: u64) -> ConnectionTrial {
    let message = match (&problem, answered_ms) {
        (Some(problem), _) => problem.message.clone(),
        #[expect(clippy::cast_precision_loss, reason = "shown with one decimal place")]
        (None, ms) => format!("The model answered in {:.1} s.", ms as f64 / 1_000.0),
    };
    ConnectionTrial { problem, message }
}

fn model_error(error: ModelError) -> Error {
    let code = match error {
        ModelError::Cancelled => Code::Cancelled,
        _ => Code::Model,
    };
    Error::from_cause(code, error)
}

fn check_variable_name(variable: &str) -> Result<()> {
    let endpoint = Endpoint {
        base_url: "http://localhost/v1".to_owned(),
        model: "any".to_owned(),
        key_variable: Some(variable.to_owned()),
    };
    endpoint
        .validate()
        .map_err(|error| Error::from_cause(Code::Usage, error))
}

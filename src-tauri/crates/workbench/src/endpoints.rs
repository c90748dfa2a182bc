//! Determines the model to use, its key and its capabilities.
//!
//! Only the user decides this: `--model` overrides `PLANWRIGHT_MODEL`, which overrides the
//! `endpoint` in the user's `settings.json`; `PLANWRIGHT_BASE_URL` overrides its address. A model's
//! profile starts as a guess from its name. Results of a probe and of use override the guess, and
//! the user's own values override everything. All of these are stored by address, model and
//! template.
//!
//! Submodules: `configured` (flag, environment, settings), `key_lookup` (keys), `access` (a client
//! that is ready for requests), `stored` (stored knowledge about models), `server_info` (window and
//! template, from the server), `reply_faults` (counts malformed replies), `problem` (errors and
//! their fixes), `connection_test`, `profile_view` and `report` (views for people), `local_ports`
//! (servers on this machine), `management` (operations of window and terminal other than requests).
//!
//! **Architecture invariants.** [`Workbench::model_access`] sends nothing. Workspaces are never
//! consulted. No message contains a key, or a value that could be one by mistake. A key stored for
//! one address isn't sent to another.

mod access;
mod configured;
mod connection_test;
mod key_lookup;
mod local_ports;
mod management;
pub mod problem;
mod profile_view;
mod reply_faults;
mod report;
mod run_model;
mod server_info;
mod stored;

use std::time::Duration;

use model::CancellationToken;
use tools::sandbox::CancelToken;

use crate::Workbench;
use crate::error::{Code, Error, Result};
use crate::runtime;

pub(crate) use access::ModelAccess;
pub(crate) use configured::ConfiguredEndpoint;
use connection_test::test_connection;
pub(crate) use key_lookup::SessionKeys;

/// How often a blocking call checks for cancellation.
const CANCEL_CHECK_INTERVAL: Duration = Duration::from_millis(20);

impl Workbench {
    /// A client for the model, or `None` if none is configured. `flag` is the value of `--model`.
    ///
    /// Sends nothing. May block on the system's keyring, so don't call it from an async runtime.
    /// Fails with [`Code::Model`] if the configuration is unusable: an address without a model, a
    /// model without an address, a missing key; with [`Code::Storage`] if the database can't be
    /// read.
    pub fn model_access(&self, flag: Option<&str>) -> Result<Option<ModelAccess>> {
        let Some(named) = self.configured_model(flag)? else {
            return Ok(None);
        };
        let (key, _) = self
            .key_finder()
            .find(&named)
            .map_err(|error| Error::from_cause(Code::Model, error))?;
        let (profile_key, known) = self.known_of(&named.endpoint)?;
        let mut access = ModelAccess::new(named.endpoint, key, profile_key, known)?;
        if let Some(limit) = self.patience()? {
            access.client = access.client.with_idle_limit(limit);
        }
        Ok(Some(access))
    }

    /// The user's idle timeout for model responses, if set.
    fn patience(&self) -> Result<Option<Duration>> {
        const NAME: &str = "PLANWRIGHT_MODEL_PATIENCE_S";
        let Some(text) = self.environment.text(NAME) else {
            return Ok(None);
        };
        match text.parse::<u64>() {
            Ok(seconds) if seconds > 0 => Ok(Some(Duration::from_secs(seconds))),
            _ => Err(err!(Model: "{NAME} must be a whole number of seconds, at least 1")),
        }
    }

    /// Whether a model is configured. Also true for an invalid configuration, since using it
    /// reports what to fix.
    pub fn has_model(&self) -> bool {
        !matches!(self.configured_model(None), Ok(None))
    }

    /// The configured endpoint, from the user's settings only, without its key. Fails with
    /// [`Code::Model`] as [`Workbench::model_access`] does, except for a missing key.
    pub(crate) fn configured_model(
        &self,
        flag: Option<&str>,
    ) -> Result<Option<ConfiguredEndpoint>> {
        let (settings, _) = self.settings_for(None);
        let variable = |name: &str| self.environment.text(name);
        configured::configured_endpoint(settings.endpoint.as_ref(), flag, variable)
            .map_err(|message| Error::new(Code::Model, message))
    }

    /// A key lookup that can be moved to another thread, since the keyring may block.
    pub(crate) fn key_finder(&self) -> key_lookup::Finder {
        key_lookup::Finder {
            environment: self.environment.clone(),
            session: self.session_keys.clone(),
        }
    }
}

/// Blocks this thread on async work. If `cancel` is cancelled, the work's own token is cancelled
/// shortly after, and the work then ends on its own. Fails with [`Code::Failed`] if the system
/// lacks resources.
fn wait_for<T>(cancel: &CancelToken, work: impl AsyncFnOnce(&CancellationToken) -> T) -> Result<T> {
    let runtime = runtime::runtime()?;
    Ok(runtime::wait_for(
        &runtime,
        CANCEL_CHECK_INTERVAL,
        work,
        || cancel.is_cancelled(),
    ))
}

//! Which model is asked, with which key, and how far it is trusted.
//!
//! The user alone says so: `--model` goes over `PLANWRIGHT_MODEL`, that over the `endpoint` of the
//! user's `settings.json`; `PLANWRIGHT_BASE_URL` goes over its address. The profile is the guess by
//! the model's name, over it what a probe and use showed, over all the user's own values; these are
//! kept in the store, by address, model and template.
//!
//! Submodules: `named` (flag, environment, settings), `secret` (keys), `access` (a model ready to be
//! asked), `kept` (what is known, in the store), `looking` (window and template, from the server),
//! `noting` (what use shows), `problem` (what went wrong, with what helps), `trying` (the connection),
//! `describe` and `report` (what is known, for people), `doors` (servers on this machine), `using`
//! (what window and terminal do with a model beside asking it).
//!
//! **Architecture invariants.** [`Workbench::model_access`] sends nothing. No workspace is looked
//! at. No message holds a key or a value that could be one by mistake. A key that was stored for one
//! address is not sent to another.

mod access;
mod describe;
mod doors;
mod kept;
mod looking;
mod named;
mod noting;
pub mod problem;
mod report;
mod run_model;
mod secret;
mod trying;
mod using;

use std::time::Duration;

use model::CancellationToken;
use tools::sandbox::CancelToken;

use crate::Workbench;
use crate::error::{Code, Error, Result};
use crate::waiting;

pub(crate) use access::ModelAccess;
pub(crate) use named::Named;
pub(crate) use secret::SessionKeys;
use trying::try_out;

/// How often a waiting call looks whether it is to end.
const A_MOMENT: Duration = Duration::from_millis(20);

impl Workbench {
    /// The model to ask, ready; `None` where none is configured. `flag` is the value of `--model`.
    ///
    /// Sends nothing. May wait for the system's keyring: call it off an async runtime.
    /// Fails with [`Code::Model`] where what is configured cannot be used: an address without a model,
    /// a model without an address, a key that is named and not there. [`Code::Storage`].
    pub fn model_access(&self, flag: Option<&str>) -> Result<Option<ModelAccess>> {
        let Some(named) = self.model_named(flag)? else {
            return Ok(None);
        };
        let (key, _) = self
            .key_finder()
            .find(&named)
            .map_err(|error| Error::from_cause(Code::Model, error))?;
        let (place, known) = self.known_of(&named.endpoint)?;
        let mut access = ModelAccess::new(named.endpoint, key, place, known)?;
        if let Some(limit) = self.patience()? {
            access.client = access.client.with_patience_of(limit);
        }
        Ok(Some(access))
    }

    /// How long silence is borne at most, where the user says so.
    fn patience(&self) -> Result<Option<Duration>> {
        const NAME: &str = "PLANWRIGHT_MODEL_PATIENCE_S";
        let Some(text) = self.environment.text(NAME) else {
            return Ok(None);
        };
        match text.parse::<u64>() {
            Ok(seconds) if seconds > 0 => Ok(Some(Duration::from_secs(seconds))),
            _ => Err(err!(Model: "{NAME} must be a number of seconds, 1 or more")),
        }
    }

    /// Whether a model is configured; one that is configured wrongly counts, since asking it says what
    /// to mend.
    pub fn has_model(&self) -> bool {
        !matches!(self.model_named(None), Ok(None))
    }

    /// The endpoint that is configured, which only the user's settings can say, before its key is looked for.
    /// Fails with [`Code::Model`] as [`Workbench::model_access`], but for the key.
    pub(crate) fn model_named(&self, flag: Option<&str>) -> Result<Option<Named>> {
        let (settings, _) = self.settings_for(None);
        let variable = |name: &str| self.environment.text(name);
        named::named(settings.endpoint.as_ref(), flag, variable)
            .map_err(|message| Error::new(Code::Model, message))
    }

    /// What finds keys: it can be taken to another thread, since the keyring may make it wait.
    pub(crate) fn key_finder(&self) -> secret::Finder {
        secret::Finder {
            environment: self.environment.clone(),
            session: self.session_keys.clone(),
        }
    }
}

/// Waits for something of the async side, on this thread. A cancelled `cancel` reaches the work's own
/// token within a moment; the work then ends by itself.
/// Fails with [`Code::Failed`] when the system refuses what it needs.
fn wait_for<T>(cancel: &CancelToken, work: impl AsyncFnOnce(&CancellationToken) -> T) -> Result<T> {
    let runtime = waiting::runtime()?;
    Ok(waiting::wait_for(&runtime, A_MOMENT, work, || {
        cancel.is_cancelled()
    }))
}

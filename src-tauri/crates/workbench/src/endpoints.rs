//! Which model is asked, with which key, and how far it is trusted.
//!
//! The user alone says so: `--model` goes over `PLANWRIGHT_MODEL`, that over the `endpoint` of the
//! user's `settings.json`; `PLANWRIGHT_BASE_URL` goes over its address. The profile is the guess by
//! the model's name, over it what a probe and use showed, over all the user's own values.
//!
//! **Architecture invariants.** Sends nothing. Looks at no workspace. No message holds a key or a
//! value that could be one by mistake. A key that was stored for one address is not used for
//! another.

mod access;
mod named;
mod noting;
mod secret;

use crate::Workbench;
use crate::error::{Code, Error, Result};
use crate::settings::Settings;

pub(crate) use access::ModelAccess;
pub(crate) use named::{Named, Origin};
pub(crate) use secret::KeySource;

impl Workbench {
    /// The model to ask, ready; `None` where none is configured. `flag` is the value of `--model`.
    ///
    /// Sends nothing. May wait for the system's keyring: call it off an async runtime.
    ///
    /// # Errors
    /// [`Code::Model`] where what is configured cannot be used: an address without a model, a model
    /// without an address, a key that is named and not there.
    pub(crate) fn model_access(
        &self,
        settings: &Settings,
        flag: Option<&str>,
    ) -> Result<Option<ModelAccess>> {
        let Some(named) = self.model_named(settings, flag)? else {
            return Ok(None);
        };
        let (key, _) = secret::find(&named, |name| self.text_variable(name))
            .map_err(|error| Error::from_cause(Code::Model, error))?;
        ModelAccess::new(named.endpoint, key).map(Some)
    }

    /// The endpoint that is configured, before its key is looked for.
    ///
    /// # Errors
    /// [`Code::Model`] as [`Workbench::model_access`], but for the key.
    pub(crate) fn model_named(
        &self,
        settings: &Settings,
        flag: Option<&str>,
    ) -> Result<Option<Named>> {
        let variable = |name: &str| self.text_variable(name);
        named::named(settings.endpoint.as_ref(), flag, variable)
            .map_err(|message| Error::new(Code::Model, message))
    }

    /// A variable's text without blanks around it; `None` when nothing is left.
    pub(crate) fn text_variable(&self, name: &str) -> Option<String> {
        let text = self.environment.variable(name)?;
        let text = text.to_str()?.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }
}

//! Model endpoints: what one is, and what may be said about it.
//!
//! An endpoint is named by the user alone; a workspace cannot name one. The key itself is never
//! held here: an endpoint names the environment variable that holds it.
//!
//! **Architecture invariants.** Knows nothing of plans, tools or the store. Makes no request on its
//! own account; without an endpoint every use case of Planwright works with symbolic planning and
//! `call:` steps.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// One OpenAI-compatible endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Endpoint {
    /// For example `http://localhost:11434/v1`.
    pub base_url: String,
    /// The model's name at that server.
    pub model: String,
    /// The environment variable that holds the key, where one is needed.
    #[serde(default)]
    pub key_variable: Option<String>,
}

/// Why an endpoint cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EndpointError {
    /// Not an http(s) address.
    #[error("base_url must begin with http:// or https://, not “{0}”")]
    Scheme(String),
    /// An address that carries a user name or a key.
    #[error("base_url must not contain a user name or key; name the variable in key_variable")]
    Credentials,
    /// No model.
    #[error("model must name a model")]
    NoModel,
    /// A variable name that looks like the key itself.
    #[error("key_variable must be the name of an environment variable, such as OPENAI_API_KEY")]
    KeyVariable,
}

impl Endpoint {
    /// Checks the three values.
    ///
    /// # Errors
    /// [`EndpointError`] names the value and what it must be.
    pub fn validate(&self) -> Result<(), EndpointError> {
        let rest = ["http://", "https://"]
            .iter()
            .find_map(|scheme| self.base_url.strip_prefix(scheme))
            .filter(|rest| !rest.is_empty())
            .ok_or_else(|| EndpointError::Scheme(self.base_url.clone()))?;
        if rest
            .split('/')
            .next()
            .is_some_and(|host| host.contains('@'))
        {
            return Err(EndpointError::Credentials);
        }
        if self.model.trim().is_empty() {
            return Err(EndpointError::NoModel);
        }
        let is_name = |name: &str| {
            !name.is_empty()
                && name
                    .chars()
                    .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
        };
        match self.key_variable.as_deref() {
            Some(name) if !is_name(name) => Err(EndpointError::KeyVariable),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(base_url: &str, model: &str, key: Option<&str>) -> Endpoint {
        let key_variable = key.map(str::to_owned);
        Endpoint {
            base_url: base_url.to_owned(),
            model: model.to_owned(),
            key_variable,
        }
    }

    #[test]
    fn an_endpoint_names_a_server_a_model_and_a_variable() {
        let local = endpoint("http://localhost:11434/v1", "qwen2.5-coder:7b", None);
        assert_eq!(local.validate(), Ok(()));
        let hosted = endpoint(
            "https://api.example.com/v1",
            "large",
            Some("EXAMPLE_API_KEY"),
        );
        assert_eq!(hosted.validate(), Ok(()));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let cases = [
            (
                endpoint("ftp://x", "m", None),
                EndpointError::Scheme("ftp://x".to_owned()),
            ),
            (
                endpoint("https://", "m", None),
                EndpointError::Scheme("https://".to_owned()),
            ),
            (
                endpoint("https://me:pw@host/v1", "m", None),
                EndpointError::Credentials,
            ),
            (
                endpoint("https://host/a@b", " ", None),
                EndpointError::NoModel,
            ),
            (
                endpoint("https://host", "m", Some("sk-live-123")),
                EndpointError::KeyVariable,
            ),
        ];
        for (given, expected) in cases {
            assert_eq!(given.validate(), Err(expected));
        }
    }
}

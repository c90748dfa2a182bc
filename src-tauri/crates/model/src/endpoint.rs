//! An endpoint: an address, a model's name, and where its key is stored.
//!
//! Pure. Never holds the key itself.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// One OpenAI-compatible endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Endpoint {
    /// The base URL, for example `http://localhost:11434/v1`.
    pub base_url: String,
    /// The model's name on that server.
    pub model: String,
    /// The environment variable for the key, if one is needed.
    #[serde(default)]
    pub key_variable: Option<String>,
}

/// Why an endpoint is invalid.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EndpointError {
    /// Not an HTTP(S) address.
    #[error("base_url must start with http:// or https://, not “{0}”")]
    Scheme(String),
    /// The address contains a user name or key.
    #[error("base_url must not contain a user name or key; set key_variable instead")]
    Credentials,
    /// No model name.
    #[error("model is empty; enter a model name")]
    NoModel,
    /// The variable name looks like the key itself.
    #[error("key_variable must be the name of an environment variable, such as OPENAI_API_KEY")]
    KeyVariable,
}

impl Endpoint {
    /// Checks the three values. On failure, [`EndpointError`] names the invalid value and what is
    /// expected.
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

    /// The URL of `path` below the base URL, such as `chat/completions`.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("{}/{path}", self.base_url.trim_end_matches('/'))
    }

    /// The URL of `path` on the server, outside `/v1`, where servers offer information beyond the
    /// protocol.
    #[must_use]
    pub fn server_url(&self, path: &str) -> String {
        let base = self.base_url.trim_end_matches('/');
        let root = base.strip_suffix("/v1").unwrap_or(base);
        format!("{root}/{path}")
    }

    /// Whether the server is on this machine. If so, its model may take minutes to start answering,
    /// and no proxy is used.
    #[must_use]
    pub fn is_local(&self) -> bool {
        let host = self.host();
        host == "localhost"
            || host.ends_with(".localhost")
            || host == "[::1]"
            || host
                .parse::<std::net::Ipv4Addr>()
                .is_ok_and(|address| address.is_loopback() || address.is_unspecified())
    }

    /// The host name in lower case, without the port.
    pub(crate) fn host(&self) -> String {
        let rest = self
            .base_url
            .split_once("://")
            .map_or(self.base_url.as_str(), |(_, rest)| rest);
        let place = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let host = match place.find(']') {
            Some(end) => place.get(..=end).unwrap_or(place),
            None => place.split(':').next().unwrap_or(place),
        };
        host.to_ascii_lowercase()
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

    #[test]
    fn addresses_are_made_from_the_base() {
        let with = endpoint("http://localhost:11434/v1/", "m", None);
        assert_eq!(with.url("models"), "http://localhost:11434/v1/models");
        assert_eq!(
            with.server_url("api/show"),
            "http://localhost:11434/api/show"
        );
        let without = endpoint("https://host/api", "m", None);
        assert_eq!(without.server_url("props"), "https://host/api/props");
    }

    #[test]
    fn only_this_machine_is_local() {
        for local in [
            "localhost:1",
            "127.0.0.1",
            "127.9.9.9:80/v1",
            "[::1]:8080/v1",
            "LOCALHOST",
        ] {
            assert!(
                endpoint(&format!("http://{local}"), "m", None).is_local(),
                "{local}"
            );
        }
        for other in [
            "localhost.example.com",
            "10.0.0.1",
            "api.openai.com/localhost",
            "[2001::1]",
        ] {
            assert!(
                !endpoint(&format!("http://{other}"), "m", None).is_local(),
                "{other}"
            );
        }
    }
}

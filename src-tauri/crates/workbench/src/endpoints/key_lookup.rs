//! Looks up the key of an endpoint: in the environment, in this process's memory, then in the
//! system's keyring.
//!
//! Keys never appear in a file, a message or the database.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use model::servers::Preset;
use model::{Endpoint, Key, KeyError, KeyStore};

use super::configured::ConfiguredEndpoint;
use crate::environment::Environment;
use crate::lock;

/// The variable for the key of the current endpoint.
pub(crate) const API_KEY: &str = "PLANWRIGHT_API_KEY";

/// Where a key was found; holds only names, never the key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum KeySource {
    /// No key is sent: none is configured, and the provider's usual one isn't set.
    None,
    /// The environment variable with this name.
    Environment(String),
    /// This session's memory, under this name.
    Session(String),
    /// The keyring, under this name.
    Keyring(String),
}

/// Keys entered for this session only, by the name they would have in the environment.
#[derive(Debug, Clone, Default)]
pub(crate) struct SessionKeys {
    keys: Arc<Mutex<BTreeMap<String, Key>>>,
}

impl SessionKeys {
    /// Keeps a key until the program exits.
    pub(crate) fn keep(&self, name: &str, key: Key) {
        lock(&self.keys).insert(name.to_owned(), key);
    }

    pub(crate) fn forget(&self, name: &str) {
        lock(&self.keys).remove(name);
    }

    fn get(&self, name: &str) -> Option<Key> {
        lock(&self.keys).get(name).cloned()
    }
}

/// Looks up keys. May block on the keyring, so don't call it while holding a lock.
#[derive(Debug, Clone)]
pub(crate) struct Finder {
    pub(super) environment: Environment,
    pub(super) session: SessionKeys,
}

impl Finder {
    /// The key for an endpoint: `PLANWRIGHT_API_KEY`, else the one that its `key_variable` names,
    /// in the environment, this session or the keyring. Without a `key_variable`, the provider's
    /// usual one is used if it is set. Fails with [`KeyError`] if a configured key is missing or
    /// invalid.
    pub(crate) fn find(
        &self,
        named: &ConfiguredEndpoint,
    ) -> Result<(Option<Key>, KeySource), KeyError> {
        if let Some(text) = self.environment.text(API_KEY) {
            let source = KeySource::Environment(API_KEY.to_owned());
            return Ok((Some(Key::new(&text)?), source));
        }
        self.find_for(&named.endpoint)
    }

    /// Like [`Finder::find`], but for an endpoint other than the current one, to which
    /// `PLANWRIGHT_API_KEY` doesn't apply.
    pub(crate) fn find_for(
        &self,
        endpoint: &Endpoint,
    ) -> Result<(Option<Key>, KeySource), KeyError> {
        let preset = Preset::of(&endpoint.base_url);
        let (name, is_named) = match &endpoint.key_variable {
            Some(name) => (name.as_str(), true),
            None => match preset.key_variable() {
                Some(usual) => (usual, false),
                None => return Ok((None, KeySource::None)),
            },
        };
        if self.environment.text(name).is_none()
            && let Some(key) = self.session.get(name)
        {
            return Ok((Some(key), KeySource::Session(name.to_owned())));
        }
        let wanted = Endpoint {
            key_variable: Some(name.to_owned()),
            ..endpoint.clone()
        };
        let source = match self.environment.text(name) {
            Some(_) => KeySource::Environment(name.to_owned()),
            None => KeySource::Keyring(name.to_owned()),
        };
        match KeyStore.find(&wanted, |name| self.environment.text(name)) {
            Ok(key) => Ok((key, source)),
            // No key was configured; the server will say if it needs one.
            Err(_) if !is_named => Ok((None, KeySource::None)),
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endpoints::configured::Origin;

    fn named(base_url: &str, key_variable: Option<&str>) -> ConfiguredEndpoint {
        ConfiguredEndpoint {
            endpoint: Endpoint {
                base_url: base_url.to_owned(),
                model: "m".to_owned(),
                key_variable: key_variable.map(str::to_owned),
            },
            base_url: Origin::Settings,
            model: Origin::Settings,
        }
    }

    fn finder(set: &[&str]) -> Finder {
        let variables = set.iter().map(|name| {
            let secret = format!("secret-of-{name}");
            ((*name).to_owned(), secret.into())
        });
        Finder {
            environment: Environment {
                variables: variables.collect(),
                cwd: "/".into(),
                program: "/".into(),
            },
            session: SessionKeys::default(),
        }
    }

    const OPENAI: &str = "https://api.openai.com/v1";

    #[test]
    fn the_variable_for_all_goes_first_and_the_usual_one_last() {
        let from = |name: &str| KeySource::Environment(name.to_owned());
        let table = [
            (OPENAI, Some("MINE"), &["MINE", API_KEY][..], from(API_KEY)),
            (
                OPENAI,
                Some("MINE"),
                &["MINE", "OPENAI_API_KEY"],
                from("MINE"),
            ),
            (OPENAI, None, &["OPENAI_API_KEY"], from("OPENAI_API_KEY")),
            (
                "https://host/v1",
                None,
                &["OPENAI_API_KEY"],
                KeySource::None,
            ),
            ("http://localhost:11434/v1", None, &[], KeySource::None),
        ];
        for (base_url, variable, set, expected) in table {
            let found = finder(set).find(&named(base_url, variable)).unwrap();
            assert_eq!(found.1, expected, "{set:?}");
        }
    }

    #[test]
    fn the_key_for_all_is_not_for_an_endpoint_that_is_only_looked_at() {
        let other = named("https://host/v1", None).endpoint;
        let (key, source) = finder(&[API_KEY]).find_for(&other).unwrap();
        assert!(key.is_none());
        assert_eq!(source, KeySource::None);
    }

    #[test]
    fn a_key_of_this_session_is_found_until_it_is_forgotten() {
        let finder = finder(&[]);
        finder
            .session
            .keep("OPENAI_API_KEY", Key::new("sk-session").unwrap());
        let (key, source) = finder.find(&named(OPENAI, None)).unwrap();
        assert!(key.is_some());
        assert_eq!(source, KeySource::Session("OPENAI_API_KEY".to_owned()));
        assert!(!format!("{finder:?}").contains("sk-session"));
        finder.session.forget("OPENAI_API_KEY");
        assert_eq!(
            finder.find(&named(OPENAI, None)).unwrap().1,
            KeySource::None
        );
    }
}

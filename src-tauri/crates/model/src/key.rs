//! An endpoint's key, taken from the environment or the system's keyring and never shown.
//!
//! A [`Key`] can't be printed, compared or serialized. Nothing here writes a file: on
//! a machine without a keyring, a key can be in the environment or be entered for one session.

use std::fmt;

use keyring::v1::{Entry, Error as Ring};
use thiserror::Error;

use crate::Endpoint;

/// A secret. `Debug` and error messages show `[key]` instead.
#[derive(Clone)]
pub struct Key(String);

impl fmt::Debug for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("[key]")
    }
}

impl Key {
    /// Creates a key from user input, without the surrounding whitespace that copying may add.
    /// Fails with [`KeyError::Malformed`] if it is empty or not valid in a header.
    pub fn new(text: &str) -> Result<Self, KeyError> {
        let text = text.trim();
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(KeyError::Malformed);
        }
        Ok(Self(text.to_owned()))
    }

    /// The secret itself, for the one header that needs it.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// Redacts the key in `text`, including anything that looks like its beginning, because servers
    /// quote parts of a rejected key.
    pub(crate) fn redact(&self, text: &str) -> String {
        let whole = text.replace(&self.0, "[key]");
        let Some(start) = self.0.get(..6) else {
            return whole;
        };
        let end = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ',' | ';' | ')' | '<');
        let mut out = String::with_capacity(whole.len());
        let mut rest = whole.as_str();
        while let Some(at) = rest.find(start) {
            let (before, from) = rest.split_at(at);
            out.push_str(before);
            out.push_str("[key]");
            rest = from.find(end).map_or("", |to| from.split_at(to).1);
        }
        out + rest
    }
}

/// Why there is no usable key.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum KeyError {
    /// The variable isn't set, and the keyring has no key of that name.
    #[error(
        "{variable} is not set, and the keyring has no key with that name; set it, or add a key in Settings"
    )]
    Missing {
        /// The environment variable named by the endpoint.
        variable: String,
    },
    /// The system has no usable keyring.
    #[error(
        "no system keyring is available; set {variable} in the environment, or enter a key for this session only"
    )]
    NoKeyring {
        /// The environment variable named by the endpoint.
        variable: String,
    },
    /// The keyring denied access.
    #[error("couldn't access the keyring; unlock it and try again ({why})")]
    Locked {
        /// The system's error message.
        why: String,
    },
    /// The key has characters other than letters, digits and punctuation.
    #[error("the key must contain only letters, digits and punctuation, without spaces")]
    Malformed,
}

/// Where keys are stored: entries in the system's keyring, named like the environment variable.
///
/// Calls block on the system and may open its unlock dialog, so make them off the async runtime.
#[derive(Debug, Clone, Copy, Default)]
pub struct KeyStore;

/// This program's service name in the keyring.
const SERVICE: &str = "planwright";

impl KeyStore {
    /// Finds the key for `endpoint` in `environment` or else in the keyring; `None` if it names no
    /// key. On failure, [`KeyError`] says where the key was looked for and what to do.
    pub fn find(
        self,
        endpoint: &Endpoint,
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<Key>, KeyError> {
        let Some(variable) = endpoint.key_variable.as_deref() else {
            return Ok(None);
        };
        if let Some(text) = environment(variable).filter(|text| !text.trim().is_empty()) {
            return Key::new(&text).map(Some);
        }
        match Entry::new(SERVICE, variable).and_then(|entry| entry.get_password()) {
            Ok(text) => Key::new(&text).map(Some),
            Err(error) => Err(explain(error, variable)),
        }
    }

    /// Whether this system has a usable keyring. Opens no dialog.
    #[must_use]
    pub fn is_there(self) -> bool {
        // Without a keyring, creating an entry fails.
        Entry::new(SERVICE, "PLANWRIGHT_API_KEY").is_ok()
    }

    /// Stores a key in the keyring under `variable`. Fails with [`KeyError`] if the system has no
    /// keyring or denies access; the key is then not stored.
    pub fn store(self, variable: &str, key: &Key) -> Result<(), KeyError> {
        Entry::new(SERVICE, variable)
            .and_then(|entry| entry.set_password(key.reveal()))
            .map_err(|error| explain(error, variable))
    }

    /// Deletes a key from the keyring. It is not an error if there is none. Fails with [`KeyError`]
    /// if the system has no keyring or denies access.
    pub fn forget(self, variable: &str) -> Result<(), KeyError> {
        match Entry::new(SERVICE, variable).and_then(|entry| entry.delete_credential()) {
            Ok(()) | Err(Ring::NoEntry) => Ok(()),
            Err(error) => Err(explain(error, variable)),
        }
    }
}

/// Converts a keyring error, dropping the secret bytes that some kinds contain.
fn explain(error: Ring, variable: &str) -> KeyError {
    let variable = variable.to_owned();
    match error {
        Ring::NoEntry => KeyError::Missing { variable },
        Ring::NoStorageAccess(why) => KeyError::Locked {
            why: why.to_string(),
        },
        Ring::BadEncoding(_) | Ring::BadDataFormat(..) => KeyError::Malformed,
        _ => KeyError::NoKeyring { variable },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(variable: Option<&str>) -> Endpoint {
        Endpoint {
            base_url: "https://host/v1".to_owned(),
            model: "m".to_owned(),
            key_variable: variable.map(str::to_owned),
        }
    }

    #[test]
    fn a_key_cannot_be_printed() {
        let key = Key::new("sk-live-0123456789").unwrap();
        let shown = format!("{key:?} {:?} {:#?}", Some(&key), vec![&key]);
        assert!(!shown.contains("sk-") && shown.contains("[key]"), "{shown}");
    }

    #[test]
    fn what_a_server_repeats_of_a_key_is_taken_out() {
        let key = Key::new("sk-live-0123456789").unwrap();
        let table = [
            ("bad key sk-live-0123456789.", "bad key [key]."),
            ("bad key sk-live-****6789, ask us", "bad key [key], ask us"),
            (
                "{\"key\":\"sk-live-01\"} sk-liv",
                "{\"key\":\"[key]\"} [key]",
            ),
            ("sk-other stays", "sk-other stays"),
        ];
        for (given, expected) in table {
            assert_eq!(key.redact(given), expected);
        }
        assert_eq!(Key::new("abc").unwrap().redact("an abc b"), "an [key] b");
    }

    #[test]
    fn the_environment_goes_before_the_keyring() {
        let given = |name: &str| (name == "MY_KEY").then(|| " secret-1\n".to_owned());
        let found = KeyStore.find(&endpoint(Some("MY_KEY")), given).unwrap();
        assert_eq!(found.unwrap().reveal(), "secret-1");
        assert!(KeyStore.find(&endpoint(None), given).unwrap().is_none());
    }

    #[test]
    fn a_key_is_one_word() {
        for bad in ["", "  ", "two words", "line\nbreak", "schlüssel"] {
            assert_eq!(Key::new(bad).unwrap_err(), KeyError::Malformed, "{bad:?}");
        }
    }

    #[test]
    fn a_missing_keyring_is_said_with_what_to_do() {
        let said = explain(Ring::NoDefaultStore, "MY_KEY").to_string();
        assert!(
            said.contains("MY_KEY") && said.contains("session"),
            "{said}"
        );
        let bytes = explain(Ring::BadEncoding(b"secret".to_vec()), "MY_KEY");
        assert!(!format!("{bytes:?} {bytes}").contains("secret"));
    }
}

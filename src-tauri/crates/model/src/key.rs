//! The key of an endpoint: taken from the environment or the system's keyring, and never shown.
//!
//! A [`Key`] cannot be printed, compared in a message or serialised. Nothing here writes a file: on
//! a machine without a keyring a key can be in the environment, or be given for one session.

use std::fmt;

use keyring::v1::{Entry, Error as Ring};
use thiserror::Error;

use crate::Endpoint;

/// A secret. `Debug` and error messages show `[key]` in its place.
#[derive(Clone)]
pub struct Key(String);

impl fmt::Debug for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("[key]")
    }
}

impl Key {
    /// A key as the user gave it. Blanks around it, which copying leaves, are no part of it.
    ///
    /// # Errors
    /// [`KeyError::Malformed`] when it is empty or could not stand in a header.
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

    /// `text` without the key and without what looks like the beginning of it: servers repeat a
    /// refused key in part.
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

/// Why there is no key.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum KeyError {
    /// The variable is not set, and the keyring holds none under its name.
    #[error(
        "{variable} is not set and the keyring holds no key of that name; set it, or store a key in Settings"
    )]
    Missing {
        /// The variable that the endpoint names.
        variable: String,
    },
    /// The system has no keyring that answers.
    #[error(
        "this system has no keyring that answers; set {variable} in the environment, or give the key for this session only"
    )]
    NoKeyring {
        /// The variable that the endpoint names.
        variable: String,
    },
    /// The keyring refuses.
    #[error("the keyring did not give access: {why}; unlock it and try again")]
    Locked {
        /// What the system said.
        why: String,
    },
    /// No text of letters, digits and signs.
    #[error("the key must be one word of letters, digits and signs, without blanks inside")]
    Malformed,
}

/// Where keys are kept: entries of the system's keyring, named like the environment variable.
///
/// Its calls wait for the system and may open its unlock dialog: call them off the async runtime.
#[derive(Debug, Clone, Copy, Default)]
pub struct KeyStore;

/// The keyring's name for this program.
const SERVICE: &str = "planwright";

impl KeyStore {
    /// The key that `endpoint` names: from `environment`, else from the keyring; `None` where it
    /// names none.
    ///
    /// # Errors
    /// [`KeyError`] says where a key was looked for and what to do.
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

    /// Whether this system has a keyring that answers. Opens no dialog.
    #[must_use]
    pub fn is_there(self) -> bool {
        // Without one no entry can even be named.
        Entry::new(SERVICE, "PLANWRIGHT_API_KEY").is_ok()
    }

    /// Puts a key into the keyring under `variable`.
    ///
    /// # Errors
    /// [`KeyError`], where the system has no keyring or refuses; the key is then stored nowhere.
    pub fn store(self, variable: &str, key: &Key) -> Result<(), KeyError> {
        Entry::new(SERVICE, variable)
            .and_then(|entry| entry.set_password(key.reveal()))
            .map_err(|error| explain(error, variable))
    }

    /// Takes a key out of the keyring; one that is not there is fine.
    ///
    /// # Errors
    /// [`KeyError`], where the system has no keyring or refuses.
    pub fn forget(self, variable: &str) -> Result<(), KeyError> {
        match Entry::new(SERVICE, variable).and_then(|entry| entry.delete_credential()) {
            Ok(()) | Err(Ring::NoEntry) => Ok(()),
            Err(error) => Err(explain(error, variable)),
        }
    }
}

/// A keyring's error, without the bytes that some of its kinds carry.
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

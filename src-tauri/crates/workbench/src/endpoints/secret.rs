//! Where the key of an endpoint is: in the environment, else in the system's keyring.
//!
//! Never in a file, a message or the database.

use model::{Endpoint, Key, KeyError, KeyStore};

use super::named::Named;
use model::servers::Preset;

/// The key of whatever endpoint is in force.
pub(crate) const API_KEY: &str = "PLANWRIGHT_API_KEY";

/// Where a key was found. Holds names alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum KeySource {
    /// None is sent: none is named, and none is usual there.
    None,
    /// In this variable.
    Environment(String),
    /// In the keyring, under this name.
    Keyring(String),
}

/// The key to send to an endpoint: `PLANWRIGHT_API_KEY`, else what its `key_variable` names, in the
/// environment or the keyring; where it names none, what is usual for its provider, if it is there.
///
/// # Errors
/// [`KeyError`] where a key is named and not there, or is none.
pub(crate) fn find(
    named: &Named,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<(Option<Key>, KeySource), KeyError> {
    if let Some(text) = variable(API_KEY) {
        let source = KeySource::Environment(API_KEY.to_owned());
        return Ok((Some(Key::new(&text)?), source));
    }
    let source = |name: &str| match variable(name) {
        Some(_) => KeySource::Environment(name.to_owned()),
        None => KeySource::Keyring(name.to_owned()),
    };
    if let Some(name) = &named.endpoint.key_variable {
        let key = KeyStore.find(&named.endpoint, &variable)?;
        return Ok((key, source(name)));
    }
    let Some(usual) = Preset::of(&named.endpoint.base_url).key_variable() else {
        return Ok((None, KeySource::None));
    };
    let of_provider = Endpoint {
        key_variable: Some(usual.to_owned()),
        ..named.endpoint.clone()
    };
    match KeyStore.find(&of_provider, &variable) {
        Ok(key) => Ok((key, source(usual))),
        // Nobody promised one; the server says whether it needs one.
        Err(_) => Ok((None, KeySource::None)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endpoints::named::Origin;

    fn named(base_url: &str, key_variable: Option<&str>) -> Named {
        Named {
            endpoint: Endpoint {
                base_url: base_url.to_owned(),
                model: "m".to_owned(),
                key_variable: key_variable.map(str::to_owned),
            },
            base_url: Origin::Settings,
            model: Origin::Settings,
        }
    }

    fn source(named: &Named, set: &[&str]) -> KeySource {
        let variable = |name: &str| set.contains(&name).then(|| format!("secret-of-{name}"));
        find(named, variable).unwrap().1
    }

    #[test]
    fn the_variable_for_all_goes_first_and_the_usual_one_last() {
        let openai = "https://api.openai.com/v1";
        let in_variable = |name: &str| KeySource::Environment(name.to_owned());
        let table = [
            (
                openai,
                Some("MINE"),
                &["MINE", API_KEY][..],
                in_variable(API_KEY),
            ),
            (
                openai,
                Some("MINE"),
                &["MINE", "OPENAI_API_KEY"],
                in_variable("MINE"),
            ),
            (
                openai,
                None,
                &["OPENAI_API_KEY"],
                in_variable("OPENAI_API_KEY"),
            ),
            (
                "https://host/v1",
                None,
                &["OPENAI_API_KEY"],
                KeySource::None,
            ),
            ("http://localhost:11434/v1", None, &[], KeySource::None),
        ];
        for (base_url, variable, set, expected) in table {
            assert_eq!(source(&named(base_url, variable), set), expected, "{set:?}");
        }
    }
}

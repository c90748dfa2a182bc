//! Parses the text of a settings file into a layer and a list of problems.
//!
//! Pure. A file that isn't a JSON object gives an empty layer and one problem; otherwise keys are
//! parsed independently, so that one mistake affects only its own key.

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::error::Category;

use super::SettingProblem;
use super::layer::{Layer, owner_of};
use super::values;

/// Whose settings file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    /// The user's, which may set every key.
    User,
    /// A workspace's: keys that only a user may set are reported and not read.
    Workspace,
}

/// Reads one file.
pub(super) fn layer(text: &str, owner: Owner) -> (Layer, Vec<SettingProblem>) {
    // Some editors start a file with a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let entries = match serde_json::from_str::<Entries>(text) {
        Ok(Entries(entries)) => entries,
        Err(error) => {
            return (
                Layer::default(),
                vec![SettingProblem::new("", unreadable(&error))],
            );
        }
    };
    let mut reading = Reading {
        layer: Layer::default(),
        complaints: Vec::new(),
    };
    for (place, (key, value)) in entries.iter().enumerate() {
        if entries[..place].iter().any(|(earlier, _)| earlier == key) {
            reading.complain(&values::tamed(key), "stands twice; the last one counts");
        }
        if owner == Owner::Workspace && owner_of(key) == Owner::User {
            reading.complain(
                key,
                "is ignored: only your own settings can set it, no workspace",
            );
        } else {
            reading.take(key, value);
        }
    }
    (reading.layer, reading.complaints)
}

fn unreadable(error: &serde_json::Error) -> String {
    const NOTHING: &str = "nothing in it applies until it is mended";
    if error.classify() == Category::Data {
        return format!("must hold one JSON object {{…}}; {NOTHING}");
    }
    let (line, column) = (error.line(), error.column());
    let reason = error.to_string();
    let place = format!(" at line {line} column {column}");
    let reason = reason.strip_suffix(&place).unwrap_or(&reason);
    format!("is not JSON at line {line}, column {column}: {reason}; {NOTHING}")
}

pub(super) struct Reading {
    pub(super) layer: Layer,
    pub(super) complaints: Vec<SettingProblem>,
}

impl Reading {
    fn complain(&mut self, key: &str, message: impl Into<String>) {
        self.complaints.push(SettingProblem::new(key, message));
    }

    pub(super) fn one<T>(
        &mut self,
        key: &str,
        value: &Value,
        read: fn(&Value) -> Result<T, String>,
    ) -> Option<T> {
        self.all(key, value, |key, value, complaints| {
            let complain = |message| complaints.push(SettingProblem::new(key, message));
            read(value).map_err(complain).ok()
        })
    }

    pub(super) fn many<T>(
        &mut self,
        key: &str,
        value: &Value,
        read: fn(&Value) -> Result<T, String>,
    ) -> Option<Vec<T>> {
        self.all(key, value, |key, value, complaints| {
            values::list(key, value, complaints, read)
        })
    }

    /// Treats `null` as unset.
    pub(super) fn all<T>(
        &mut self,
        key: &str,
        value: &Value,
        read: impl Fn(&str, &Value, &mut Vec<SettingProblem>) -> Option<T>,
    ) -> Option<T> {
        let value = Some(value).filter(|value| !value.is_null())?;
        read(key, value, &mut self.complaints)
    }
}

/// The entries of an object in order, including duplicates.
struct Entries(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Entries;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}

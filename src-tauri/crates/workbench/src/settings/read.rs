//! Parses the text of a settings file into a layer and a list of problems.
//!
//! Pure. A file that isn't a JSON object gives an empty layer and one problem; otherwise keys are
//! parsed independently, so that one mistake affects only its own key.

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::error::Category;

use super::SettingProblem;
use super::layer::{Layer, owner_of};
use super::value_parsers;

/// Whose settings file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    /// The user's, which may set every key.
    User,
    /// A workspace's: keys that only a user may set are reported and not read.
    Workspace,
}

/// Parses the text of one settings file; returns the values that it sets, and its problems.
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
    let mut reader = LayerReader {
        layer: Layer::default(),
        problems: Vec::new(),
    };
    for (place, (key, value)) in entries.iter().enumerate() {
        if entries[..place].iter().any(|(earlier, _)| earlier == key) {
            reader.report(
                &value_parsers::sanitized(key),
                "set twice; the last value is used",
            );
        }
        if owner == Owner::Workspace && owner_of(key) == Owner::User {
            reader.report(key, "ignored: only user settings can set it");
        } else {
            reader.take(key, value);
        }
    }
    (reader.layer, reader.problems)
}

fn unreadable(error: &serde_json::Error) -> String {
    const IGNORED: &str = "the file is ignored until you fix it";
    if error.classify() == Category::Data {
        return format!("must be a JSON object {{…}}; {IGNORED}");
    }
    let (line, column) = (error.line(), error.column());
    let reason = error.to_string();
    let place = format!(" at line {line} column {column}");
    let reason = reason.strip_suffix(&place).unwrap_or(&reason);
    format!("invalid JSON at line {line}, column {column}: {reason}; {IGNORED}")
}

pub(super) struct LayerReader {
    pub(super) layer: Layer,
    pub(super) problems: Vec<SettingProblem>,
}

impl LayerReader {
    fn report(&mut self, key: &str, message: impl Into<String>) {
        self.problems.push(SettingProblem::new(key, message));
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

//! Table `model_profiles`: profiles of the models that were used.
//!
//! The JSON columns are defined by the caller and not interpreted here; SQLite only checks their
//! syntax. API keys are never stored here.

use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::StoreError;

/// The profile of one model at one address, with one chat template.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelProfile {
    /// The key, which combines address, model and template.
    pub key: String,
    /// The server's address.
    pub base_url: String,
    /// The model's name on the server.
    pub model: String,
    /// A short name for its chat template; empty if the server doesn't report one.
    pub template: String,
    /// The context window that the server reports, as JSON.
    pub window: Option<String>,
    /// The results of probing the model, as JSON.
    pub probe: Option<String>,
    /// Usage statistics, as JSON.
    pub counters: Option<String>,
    /// Features that the server has rejected, as JSON.
    pub dialect: Option<String>,
    /// The user's overrides, as JSON.
    pub overrule: Option<String>,
    /// When it was last probed, in milliseconds since 1970 UTC.
    pub probed_ms: Option<i64>,
    /// When it was last updated, in milliseconds since 1970 UTC.
    pub at_ms: i64,
}

/// Access to the model profiles.
pub struct ModelProfiles<'s> {
    pub(crate) conn: &'s Connection,
}

const COLUMNS: &str = "key, base_url, model, template, window_json, probe_json, counters_json,
    dialect_json, overrule_json, probed_ms, at_ms";

impl ModelProfiles<'_> {
    /// Stores a profile. Fields that are `None` keep their stored values.
    pub fn keep(&self, known: &ModelProfile) -> Result<(), StoreError> {
        self.conn
            .prepare_cached(&format!(
                "INSERT INTO model_profiles ({COLUMNS})
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
                 ON CONFLICT (key) DO UPDATE SET
                     window_json = coalesce(excluded.window_json, window_json),
                     probe_json = coalesce(excluded.probe_json, probe_json),
                     counters_json = coalesce(excluded.counters_json, counters_json),
                     dialect_json = coalesce(excluded.dialect_json, dialect_json),
                     overrule_json = coalesce(excluded.overrule_json, overrule_json),
                     probed_ms = coalesce(excluded.probed_ms, probed_ms),
                     at_ms = excluded.at_ms"
            ))?
            .execute(params![
                known.key,
                known.base_url,
                known.model,
                known.template,
                known.window,
                known.probe,
                known.counters,
                known.dialect,
                known.overrule,
                known.probed_ms,
                known.at_ms,
            ])?;
        Ok(())
    }

    /// The profile with this key.
    pub fn get(&self, key: &str) -> Result<Option<ModelProfile>, StoreError> {
        let mut statement = self.conn.prepare_cached(&format!(
            "SELECT {COLUMNS} FROM model_profiles WHERE key = ?1"
        ))?;
        Ok(statement.query_row([key], profile).optional()?)
    }

    /// The most recently updated profile of a model at an address, with any template.
    pub fn newest(&self, base_url: &str, model: &str) -> Result<Option<ModelProfile>, StoreError> {
        let mut statement = self.conn.prepare_cached(&format!(
            "SELECT {COLUMNS} FROM model_profiles WHERE base_url = ?1 AND model = ?2
             ORDER BY at_ms DESC, key DESC LIMIT 1"
        ))?;
        Ok(statement.query_row([base_url, model], profile).optional()?)
    }

    /// All profiles, most recently updated first.
    pub fn list(&self) -> Result<Vec<ModelProfile>, StoreError> {
        let mut statement = self.conn.prepare_cached(&format!(
            "SELECT {COLUMNS} FROM model_profiles ORDER BY at_ms DESC, key"
        ))?;
        let all = statement.query_map([], profile)?;
        Ok(all.collect::<Result<_, _>>()?)
    }

    /// Deletes everything that was found out about the model, but keeps the user's overrides;
    /// `false` if there is no profile with this key.
    pub fn forget_found(&self, key: &str, at_ms: i64) -> Result<bool, StoreError> {
        let mut statement = self.conn.prepare_cached(
            "UPDATE model_profiles SET window_json = NULL, probe_json = NULL, counters_json = NULL,
                 dialect_json = NULL, probed_ms = NULL, at_ms = ?2
             WHERE key = ?1",
        )?;
        Ok(statement.execute(params![key, at_ms])? > 0)
    }
}

fn profile(row: &Row<'_>) -> rusqlite::Result<ModelProfile> {
    Ok(ModelProfile {
        key: row.get(0)?,
        base_url: row.get(1)?,
        model: row.get(2)?,
        template: row.get(3)?,
        window: row.get(4)?,
        probe: row.get(5)?,
        counters: row.get(6)?,
        dialect: row.get(7)?,
        overrule: row.get(8)?,
        probed_ms: row.get(9)?,
        at_ms: row.get(10)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::testing::fresh;

    fn row(key: &str, template: &str, at_ms: i64) -> ModelProfile {
        ModelProfile {
            key: key.to_owned(),
            base_url: "http://localhost:11434/v1".to_owned(),
            model: "qwen".to_owned(),
            template: template.to_owned(),
            at_ms,
            ..ModelProfile::default()
        }
    }

    #[test]
    fn what_is_absent_in_a_write_stays() {
        let (_folder, store) = fresh();
        let profiles = store.model_profiles();
        let probed = ModelProfile {
            probe: Some("{\"a\":1}".to_owned()),
            probed_ms: Some(1),
            ..row("k", "t", 1)
        };
        profiles.keep(&probed).unwrap();
        let counted = ModelProfile {
            counters: Some("{}".to_owned()),
            ..row("k", "t", 2)
        };
        profiles.keep(&counted).unwrap();
        let found = profiles.get("k").unwrap().unwrap();
        assert_eq!(found.probe, probed.probe);
        assert_eq!(found.counters, counted.counters);
        assert_eq!((found.probed_ms, found.at_ms), (Some(1), 2));
        assert_eq!(profiles.get("other").unwrap(), None);
    }

    #[test]
    fn the_newest_template_of_a_model_is_found() {
        let (_folder, store) = fresh();
        let profiles = store.model_profiles();
        profiles.keep(&row("old", "t1", 1)).unwrap();
        profiles.keep(&row("new", "t2", 2)).unwrap();
        let newest = |model| {
            profiles
                .newest("http://localhost:11434/v1", model)
                .unwrap()
                .map(|row| row.key)
        };
        assert_eq!(newest("qwen").as_deref(), Some("new"));
        assert_eq!(newest("other"), None);
        let keys: Vec<_> = profiles
            .list()
            .unwrap()
            .into_iter()
            .map(|row| row.key)
            .collect();
        assert_eq!(keys, ["new", "old"]);
    }

    #[test]
    fn forgetting_what_was_found_keeps_the_users_word() {
        let (_folder, store) = fresh();
        let profiles = store.model_profiles();
        let all = ModelProfile {
            probe: Some("{}".to_owned()),
            counters: Some("{}".to_owned()),
            overrule: Some("{\"x\":1}".to_owned()),
            ..row("k", "", 1)
        };
        profiles.keep(&all).unwrap();
        assert!(profiles.forget_found("k", 2).unwrap());
        assert!(!profiles.forget_found("other", 2).unwrap());
        let found = profiles.get("k").unwrap().unwrap();
        assert_eq!((found.probe, found.counters), (None, None));
        assert_eq!(found.overrule, all.overrule);
    }

    #[test]
    fn what_is_no_json_is_refused() {
        let (_folder, store) = fresh();
        let bad = ModelProfile {
            probe: Some("{".to_owned()),
            ..row("k", "", 1)
        };
        assert!(store.model_profiles().keep(&bad).is_err());
        assert_eq!(store.model_profiles().get("k").unwrap(), None);
    }
}

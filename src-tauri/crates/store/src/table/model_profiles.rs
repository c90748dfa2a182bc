//! Table `model_profiles`: what is known of each model that was asked.
//!
//! The columns of JSON belong to the caller and are never read here; SQLite checks that they are
//! JSON. There is no column for a key of an endpoint.

use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::StoreError;

/// What is known of one model at one address, with one template.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelProfile {
    /// Address, model and template in one.
    pub key: String,
    /// The server's address.
    pub base_url: String,
    /// The model's name there.
    pub model: String,
    /// A short name of its template; empty where the server tells none.
    pub template: String,
    /// The window that the server gives it.
    pub window: Option<String>,
    /// What a probe showed.
    pub probe: Option<String>,
    /// What use showed.
    pub counters: Option<String>,
    /// What the server was seen to refuse.
    pub dialect: Option<String>,
    /// The user's own values.
    pub overrule: Option<String>,
    /// When it was probed last, in milliseconds since 1970 UTC.
    pub probed_ms: Option<i64>,
    /// When anything of it was written last.
    pub at_ms: i64,
}

/// Reads and writes of what is known of models.
pub struct ModelProfiles<'s> {
    pub(crate) conn: &'s Connection,
}

const COLUMNS: &str = "key, base_url, model, template, window_json, probe_json, counters_json,
    dialect_json, overrule_json, probed_ms, at_ms";

impl ModelProfiles<'_> {
    /// Writes what is known. What is absent here stays as it was.
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

    /// What is known under a key.
    pub fn get(&self, key: &str) -> Result<Option<ModelProfile>, StoreError> {
        let mut statement = self.conn.prepare_cached(&format!(
            "SELECT {COLUMNS} FROM model_profiles WHERE key = ?1"
        ))?;
        Ok(statement.query_row([key], profile).optional()?)
    }

    /// What was written last of a model at an address, whatever its template.
    pub fn newest(&self, base_url: &str, model: &str) -> Result<Option<ModelProfile>, StoreError> {
        let mut statement = self.conn.prepare_cached(&format!(
            "SELECT {COLUMNS} FROM model_profiles WHERE base_url = ?1 AND model = ?2
             ORDER BY at_ms DESC, key DESC LIMIT 1"
        ))?;
        Ok(statement.query_row([base_url, model], profile).optional()?)
    }

    /// All, the newest first.
    pub fn list(&self) -> Result<Vec<ModelProfile>, StoreError> {
        let mut statement = self.conn.prepare_cached(&format!(
            "SELECT {COLUMNS} FROM model_profiles ORDER BY at_ms DESC, key"
        ))?;
        let all = statement.query_map([], profile)?;
        Ok(all.collect::<Result<_, _>>()?)
    }

    /// Forgets what a probe and use showed; the user's own values stay. `false` if nothing is known
    /// under the key.
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

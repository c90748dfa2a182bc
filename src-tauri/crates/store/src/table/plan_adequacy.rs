//! Table `plan_adequacy`: the adequacy score of each plan revision.
//!
//! One row per revision. When more becomes known about the workspace, a revision is scored again;
//! the new values replace the old ones, but the time of the first scoring is kept.

use rusqlite::{Connection, Row, params};

use crate::StoreError;

/// The score of a revision.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// Absolute path of the plan file.
    pub plan: String,
    /// SHA-256 of the content.
    pub revision: String,
    /// When it was first scored, in milliseconds since 1970 UTC.
    pub at_ms: i64,
    /// Who made the revision: `person`, `model`, `app` or `outside`.
    pub author: String,
    /// Adequacy score, 0 to 1.
    pub score: f64,
    /// Mean risk of its steps, 0 to 1.
    pub risk: f64,
    /// The text of the badge.
    pub badge: String,
    /// Whether the plan is not detailed enough.
    pub is_too_thin: bool,
    /// Number of steps.
    pub tasks: u32,
    /// The number of open findings by code, as a JSON object.
    pub codes: String,
}

/// Access to the scores.
pub struct PlanAdequacy<'s> {
    pub(crate) conn: &'s Connection,
}

const COLUMNS: &str =
    "plan, revision, at_ms, author, score, risk, badge, is_too_thin, tasks, codes_json";

/// SQL condition for the plans at or below the path `?1`, or for all plans if it is null.
const WITHIN: &str = "(?1 IS NULL OR plan = ?1 OR substr(plan, 1, length(?1) + 1) = ?1 || '/')";

impl PlanAdequacy<'_> {
    /// Stores a score; returns `true` if it is new or differs from the stored one.
    pub fn put(&self, judged: &Judged) -> Result<bool, StoreError> {
        let changed = self
            .conn
            .prepare_cached(
                "INSERT INTO plan_adequacy (plan, revision, at_ms, author, score, risk, badge,
                     is_too_thin, tasks, codes_json)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
                 ON CONFLICT (plan, revision) DO UPDATE SET score = excluded.score,
                     risk = excluded.risk, badge = excluded.badge,
                     is_too_thin = excluded.is_too_thin, codes_json = excluded.codes_json
                 WHERE score <> excluded.score OR risk <> excluded.risk
                     OR badge <> excluded.badge OR codes_json <> excluded.codes_json",
            )?
            .execute(params![
                judged.plan,
                judged.revision,
                judged.at_ms,
                judged.author,
                judged.score,
                judged.risk,
                judged.badge,
                judged.is_too_thin,
                judged.tasks,
                judged.codes
            ])?;
        Ok(changed > 0)
    }

    /// The newest `count` scores, the oldest of these first, and the number of scores before them.
    /// Covers one plan, the plans below a folder, or all plans.
    pub fn newest(
        &self,
        within: Option<&str>,
        count: u32,
    ) -> Result<(Vec<Judged>, u32), StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM plan_adequacy WHERE {WITHIN}
             ORDER BY at_ms DESC, rowid DESC LIMIT ?2"
        );
        let mut statement = self.conn.prepare_cached(&sql)?;
        let found = statement.query_map(params![within, count], judged)?;
        let mut found: Vec<Judged> = found.collect::<Result<_, _>>()?;
        found.reverse();
        let sql = format!("SELECT count(*) FROM plan_adequacy WHERE {WITHIN}");
        let all: u32 = self
            .conn
            .prepare_cached(&sql)?
            .query_row([within], |row| row.get(0))?;
        let older = all.saturating_sub(u32::try_from(found.len()).unwrap_or(u32::MAX));
        Ok((found, older))
    }

    /// The newest score of each plan. Covers one plan, the plans below a folder, or all plans.
    pub fn latest(&self, within: Option<&str>) -> Result<Vec<Judged>, StoreError> {
        // SQLite takes the columns outside of `max()` from the row with the maximum.
        let sql = format!(
            "SELECT {COLUMNS}, max(at_ms * 1000000 + rowid) FROM plan_adequacy
             WHERE {WITHIN} GROUP BY plan ORDER BY plan"
        );
        let mut statement = self.conn.prepare_cached(&sql)?;
        let found = statement.query_map([within], judged)?;
        Ok(found.collect::<Result<_, _>>()?)
    }
}

fn judged(row: &Row<'_>) -> rusqlite::Result<Judged> {
    Ok(Judged {
        plan: row.get(0)?,
        revision: row.get(1)?,
        at_ms: row.get(2)?,
        author: row.get(3)?,
        score: row.get(4)?,
        risk: row.get(5)?,
        badge: row.get(6)?,
        is_too_thin: row.get(7)?,
        tasks: row.get(8)?,
        codes: row.get(9)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::testing::{PLAN, fresh};

    fn one(plan: &str, revision: &str, at_ms: i64, score: f64) -> Judged {
        Judged {
            plan: plan.to_owned(),
            revision: revision.to_owned(),
            at_ms,
            author: "person".to_owned(),
            score,
            risk: 0.1,
            badge: "fair".to_owned(),
            is_too_thin: false,
            tasks: 3,
            codes: "{}".to_owned(),
        }
    }

    #[test]
    fn a_revision_is_judged_anew_and_keeps_its_place_in_time() {
        let (_folder, store) = fresh();
        let adequacy = store.plan_adequacy();
        assert!(adequacy.put(&one(PLAN, "a", 1, 0.5)).unwrap());
        assert!(!adequacy.put(&one(PLAN, "a", 5, 0.5)).unwrap(), "no news");
        assert!(adequacy.put(&one(PLAN, "b", 2, 0.6)).unwrap());
        assert!(adequacy.put(&one(PLAN, "a", 9, 0.7)).unwrap());
        let (points, older) = adequacy.newest(Some(PLAN), 9).unwrap();
        assert_eq!(points, [one(PLAN, "a", 1, 0.7), one(PLAN, "b", 2, 0.6)]);
        assert_eq!(older, 0);
        let (points, older) = adequacy.newest(None, 1).unwrap();
        assert_eq!((points, older), (vec![one(PLAN, "b", 2, 0.6)], 1));
        assert_eq!(adequacy.latest(None).unwrap(), [one(PLAN, "b", 2, 0.6)]);
    }

    #[test]
    fn a_folder_has_the_plans_below_it_and_no_others() {
        let (_folder, store) = fresh();
        let adequacy = store.plan_adequacy();
        adequacy.put(&one("/w/plans/a.md", "a", 1, 0.5)).unwrap();
        adequacy.put(&one("/w2/a.md", "a", 1, 0.5)).unwrap();
        let (points, _) = adequacy.newest(Some("/w"), 9).unwrap();
        assert_eq!(points, [one("/w/plans/a.md", "a", 1, 0.5)]);
        assert!(adequacy.latest(Some("/w%")).unwrap().is_empty());
    }
}

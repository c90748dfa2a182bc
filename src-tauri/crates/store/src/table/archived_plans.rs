//! Table `archived_plans`: the plans that the user has archived. The plan files themselves are not
//! affected.

use std::collections::BTreeSet;

use rusqlite::{Connection, params};

use crate::StoreError;

/// Access to the archived plans.
pub struct ArchivedPlans<'s> {
    pub(crate) conn: &'s Connection,
}

impl ArchivedPlans<'_> {
    /// Archives a plan. Archiving it again has no effect.
    pub fn add(&self, plan: &str, at_ms: i64) -> Result<(), StoreError> {
        self.conn
            .prepare_cached("INSERT OR IGNORE INTO archived_plans (plan, at_ms) VALUES (?1, ?2)")?
            .execute(params![plan, at_ms])?;
        Ok(())
    }

    /// Takes a plan out of the archive; returns `false` if it wasn't in it.
    pub fn remove(&self, plan: &str) -> Result<bool, StoreError> {
        let mut statement = self
            .conn
            .prepare_cached("DELETE FROM archived_plans WHERE plan = ?1")?;
        Ok(statement.execute([plan])? > 0)
    }

    /// The absolute paths of all archived plans.
    pub fn all(&self) -> Result<BTreeSet<String>, StoreError> {
        let mut statement = self
            .conn
            .prepare_cached("SELECT plan FROM archived_plans")?;
        let plans = statement.query_map([], |row| row.get(0))?;
        Ok(plans.collect::<Result<_, _>>()?)
    }
}

#[cfg(test)]
mod tests {
    use crate::table::testing::{PLAN, fresh};

    #[test]
    fn a_plan_is_archived_until_it_is_restored_and_stays_so_when_it_moves() {
        let (_folder, store) = fresh();
        let archived = store.archived_plans();
        let all = |plans: &[&str]| plans.iter().map(|plan| (*plan).to_owned()).collect();
        archived.add(PLAN, 1).unwrap();
        archived.add(PLAN, 2).unwrap();
        assert_eq!(archived.all().unwrap(), all(&[PLAN]));
        store
            .plan_moves()
            .add(PLAN, "/w/plans/moved.md", 3)
            .unwrap();
        assert_eq!(archived.all().unwrap(), all(&["/w/plans/moved.md"]));
        assert!(archived.remove("/w/plans/moved.md").unwrap());
        assert!(!archived.remove("/w/plans/moved.md").unwrap());
        assert_eq!(archived.all().unwrap(), all(&[]));
    }
}

//! Table `plan_nodes`: the steps of each version of a plan.

use rusqlite::{Connection, params};

use super::immediate;
use super::plan_sessions::CURRENT_VERSION;
use crate::StoreError;

/// A step to store.
#[derive(Clone, Copy, Debug)]
pub struct NewPlanNode<'a> {
    /// The step's id in the plan.
    pub node: &'a str,
    /// The step's title.
    pub description: &'a str,
    /// The ids of the steps that it depends on, as a JSON array.
    pub dependencies: &'a str,
    /// Its files, its checks and who carries it out, as a JSON object.
    pub policy: &'a str,
    /// `pending` or `completed`; [`PlanNodes::set_statuses`] sets more detailed statuses during a
    /// run.
    pub status: &'a str,
}

/// Access to the steps.
pub struct PlanNodes<'s> {
    pub(crate) conn: &'s Connection,
}

impl PlanNodes<'_> {
    /// Stores the steps of a version. If several have the same id, only the first is stored.
    pub fn add(
        &self,
        session: &str,
        version: u32,
        nodes: &[NewPlanNode<'_>],
    ) -> Result<(), StoreError> {
        let tx = immediate(self.conn)?;
        {
            let mut statement = tx.prepare_cached(
                "INSERT OR IGNORE INTO plan_nodes (plan_session_id, version, node_id, description,
                     dependencies_json, execution_policy_json, status)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )?;
            for node in nodes {
                statement.execute(params![
                    session,
                    version,
                    node.node,
                    node.description,
                    node.dependencies,
                    node.policy,
                    node.status
                ])?;
            }
        }
        Ok(tx.commit()?)
    }

    /// Stores a run's step statuses for a plan's newest version, by step id. Steps that are not in
    /// that version are ignored.
    pub fn set_statuses(&self, plan: &str, statuses: &[(&str, &str)]) -> Result<(), StoreError> {
        let tx = immediate(self.conn)?;
        {
            let sql = format!(
                "UPDATE plan_nodes SET status = ?3
                 WHERE node_id = ?2 AND (plan_session_id, version) = ({CURRENT_VERSION})"
            );
            let mut statement = tx.prepare_cached(&sql)?;
            for (node, status) in statuses {
                statement.execute(params![plan, node, status])?;
            }
        }
        Ok(tx.commit()?)
    }

    /// The number of steps in a version of a plan.
    pub fn count(&self, session: &str, version: u32) -> Result<u32, StoreError> {
        let mut statement = self.conn.prepare_cached(
            "SELECT count(*) FROM plan_nodes WHERE plan_session_id = ?1 AND version = ?2",
        )?;
        Ok(statement.query_row(params![session, version], |row| row.get(0))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::testing::{PLAN, fresh};
    use crate::{NewPlanSession, NewPlanVersion, ReviewerVerdict};

    #[test]
    fn steps_belong_to_a_version_of_a_session() {
        let (_folder, store) = fresh();
        let node = NewPlanNode {
            node: "T1",
            description: "Add a flag",
            dependencies: "[]",
            policy: "{}",
            status: "pending",
        };
        let nodes = store.plan_nodes();
        assert!(
            nodes.add("s1", 1, &[node]).is_err(),
            "there is no such session"
        );
        let session = NewPlanSession {
            id: "s1",
            plan: PLAN,
            goal: "",
            strategy: "expansion",
            at_ms: 1,
        };
        store.plan_sessions().add(&session).unwrap();
        let version = NewPlanVersion {
            session: "s1",
            version: 1,
            parent: None,
            trigger: "initial",
            payload: "{}",
            quality: 0.5,
            at_ms: 1,
        };
        store.plan_versions().add(&version).unwrap();
        nodes.add("s1", 1, &[node, node]).unwrap();
        assert_eq!(nodes.count("s1", 1).unwrap(), 1);
        assert_eq!(store.plan_versions().of("s1").unwrap(), [(1, 0.5)]);
    }

    #[test]
    fn a_review_and_a_run_are_kept_with_the_newest_version() {
        let (_folder, store) = fresh();
        let session = NewPlanSession {
            id: "s1",
            plan: PLAN,
            goal: "",
            strategy: "expansion",
            at_ms: 1,
        };
        store.plan_sessions().add(&session).unwrap();
        for version in [1, 2] {
            let new = NewPlanVersion {
                session: "s1",
                version,
                parent: None,
                trigger: "initial",
                payload: "{}",
                quality: 0.5,
                at_ms: 1,
            };
            store.plan_versions().add(&new).unwrap();
            let node = |node| NewPlanNode {
                node,
                description: "",
                dependencies: "[]",
                policy: "{}",
                status: "pending",
            };
            let nodes = [node("T1"), node("T2")];
            store.plan_nodes().add("s1", version, &nodes).unwrap();
        }
        store.plan_sessions().at_version("s1", 2, 2).unwrap();
        let approved = ReviewerVerdict::Approved;
        assert!(store.plan_versions().review(PLAN, approved).unwrap());
        assert!(!store.plan_versions().review("/w/b.md", approved).unwrap());
        let statuses = [("T1", "completed"), ("T9", "failed")];
        store.plan_nodes().set_statuses(PLAN, &statuses).unwrap();
        let words = |sql: &str| -> Vec<String> {
            let mut statement = store.conn.prepare(sql).unwrap();
            let rows = statement.query_map([], |row| row.get(0)).unwrap();
            rows.map(Result::unwrap).collect()
        };
        let verdicts = words("SELECT reviewer_verdict FROM plan_versions ORDER BY version");
        assert_eq!(verdicts, ["pending", "approved"]);
        let statuses = words("SELECT status FROM plan_nodes ORDER BY version, node_id");
        assert_eq!(statuses, ["pending", "pending", "completed", "pending"]);
    }
}

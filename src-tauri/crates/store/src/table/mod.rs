//! One file per table: its row type, reads, writes and tests; and [`run_copy`], the copies of
//! journals outside the database.
//!
//! Each handle borrows the store's connection. If a write has to read first, both happen in one
//! IMMEDIATE transaction. Statements are cached per connection.

pub(crate) mod approvals;
pub(crate) mod archived_plans;
pub(crate) mod comments;
pub(crate) mod drafts;
pub(crate) mod facts;
pub(crate) mod finding_actions;
pub(crate) mod journal;
pub(crate) mod leases;
pub(crate) mod model_profiles;
pub(crate) mod permissions;
pub(crate) mod places;
pub(crate) mod plan_adequacy;
pub(crate) mod plan_bases;
pub(crate) mod plan_conflicts;
pub(crate) mod plan_events;
pub(crate) mod plan_marks;
pub(crate) mod plan_moves;
pub(crate) mod plan_nodes;
pub(crate) mod plan_questions;
pub(crate) mod plan_sessions;
pub(crate) mod plan_undo;
pub(crate) mod plan_versions;
pub(crate) mod reviews;
pub(crate) mod revisions;
pub(crate) mod routes;
pub(crate) mod run_copy;
pub(crate) mod runs;
pub(crate) mod session_entries;
pub(crate) mod sessions;
pub(crate) mod snapshots;
pub(crate) mod workspaces;

use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::StoreError;

/// Starts a transaction with the write lock, so that everything read in it stays valid until it is
/// committed.
fn immediate(conn: &Connection) -> Result<Transaction<'_>, StoreError> {
    Ok(Transaction::new_unchecked(
        conn,
        TransactionBehavior::Immediate,
    )?)
}

#[cfg(test)]
pub(crate) mod testing {
    //! Test fixture: a new store in its own folder, with a revision and a run to refer to.

    use sha2::{Digest, Sha256};

    use crate::{Author, NewRevision, NewRun, Store};

    pub(crate) const PLAN: &str = "/w/plans/a.md";

    pub(crate) fn fresh() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let (store, report) = Store::open(folder.path(), 0).unwrap();
        assert!(report.created && report.damaged.is_none());
        (folder, store)
    }

    pub(crate) fn hash(content: &[u8]) -> String {
        Sha256::digest(content)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }

    pub(crate) fn record(store: &Store, content: &str, parent: Option<&str>) -> String {
        record_as(store, PLAN, content, parent)
    }

    pub(crate) fn record_at(store: &Store, plan: &str, content: &str) -> String {
        record_as(store, plan, content, None)
    }

    fn record_as(store: &Store, plan: &str, content: &str, parent: Option<&str>) -> String {
        let hash = hash(content.as_bytes());
        let revision = NewRevision {
            plan,
            hash: &hash,
            parent,
            author: Author::Person,
            reason: "test",
            at_ms: 1,
            content: content.as_bytes(),
        };
        store.revisions().record(&revision).unwrap();
        hash
    }

    pub(crate) fn run(store: &Store, id: &str) {
        let revision = record(store, "a plan", None);
        let run = NewRun {
            id,
            plan: PLAN,
            workspace: "/w",
            revision: &revision,
            policy: "all",
            state: "running",
            title: "A plan",
            at_ms: 5,
        };
        store.runs().create(&run).unwrap();
    }
}

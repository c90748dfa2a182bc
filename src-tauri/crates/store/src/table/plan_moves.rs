//! Table `plan_moves`: plan files that were moved.
//!
//! Revision events and approvals keep the path that they were written under; the spans returned by
//! [`lineage`] tell which of these rows belong to a plan. The rows of the tables in `GO_ALONG` are
//! updated to the new path. Leases are not: their holder continues to use the old path.

use rusqlite::{Connection, OptionalExtension, params};

use super::immediate;
use crate::StoreError;

/// Maximum number of moves that are followed per plan.
const MAX_MOVES: usize = 64;

/// The tables whose rows are updated to the new path.
const GO_ALONG: [&str; 16] = [
    "archived_plans",
    "runs",
    "drafts",
    "comments",
    "plan_marks",
    "plan_undo",
    "plan_conflicts",
    "plan_sessions",
    "plan_events",
    "plan_adequacy",
    "finding_actions",
    "plan_questions",
    "plan_bases",
    "facts",
    "reviews",
    "routes",
];

/// The rows of one path that belong to a plan: their numbers are greater than the first value and
/// at most the second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) plan: String,
    pub(crate) events: (i64, i64),
    pub(crate) approvals: (i64, i64),
}

/// A recorded move, with the last event and approval before it.
struct Move {
    seq: i64,
    from: String,
    event: i64,
    approval: i64,
}

/// Access to the moves.
pub struct PlanMoves<'s> {
    pub(crate) conn: &'s Connection,
}

impl PlanMoves<'_> {
    /// Records that the plan at `from` moved to `to` and updates the rows that belong to it. In
    /// tables with one row per plan, an existing row of the new path is replaced. `at_ms` is in
    /// milliseconds since 1970 UTC.
    pub fn add(&self, from: &str, to: &str, at_ms: i64) -> Result<(), StoreError> {
        let tx = immediate(self.conn)?;
        tx.prepare_cached(
            "INSERT INTO plan_moves (from_plan, to_plan, event_seq, approval_seq, at_ms)
             VALUES (?1, ?2, (SELECT coalesce(max(seq), 0) FROM revision_events),
                     (SELECT coalesce(max(seq), 0) FROM approvals), ?3)",
        )?
        .execute(params![from, to, at_ms])?;
        for table in GO_ALONG {
            let sql = format!("UPDATE OR REPLACE {table} SET plan = ?2 WHERE plan = ?1");
            tx.prepare_cached(&sql)?.execute([from, to])?;
        }
        Ok(tx.commit()?)
    }

    /// The current path of the plan that used to be at this path; `None` if it never moved. There
    /// may be another plan at this path now.
    pub fn moved_to(&self, from: &str) -> Result<Option<String>, StoreError> {
        let mut to = None;
        let mut at = (from.to_owned(), 0);
        for _ in 0..MAX_MOVES {
            // Start with the newest move from this path, then follow the next move from each later
            // path.
            let next = self
                .conn
                .prepare_cached(
                    "SELECT to_plan, seq FROM plan_moves WHERE from_plan = ?1 AND seq > ?2
                     ORDER BY CASE WHEN ?2 = 0 THEN -seq ELSE seq END LIMIT 1",
                )?
                .query_row(params![at.0, at.1], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()?;
            let Some(next) = next else { break };
            at = next;
            to = Some(at.0.clone());
        }
        Ok(to)
    }
}

/// The spans that belong to a plan, newest first. Never empty.
pub(crate) fn lineage(conn: &Connection, plan: &str) -> Result<Vec<Span>, StoreError> {
    let mut spans = Vec::new();
    let mut plan = plan.to_owned();
    let mut upto = (i64::MAX, i64::MAX, i64::MAX);
    for _ in 0..MAX_MOVES {
        // If another plan moved away from this path, the rows from before belong to that plan.
        let left = newest(conn, "from_plan", &plan, upto.0)?;
        let came = newest(conn, "to_plan", &plan, upto.0)?;
        let after = left
            .as_ref()
            .map_or((0, 0, 0), |left| (left.seq, left.event, left.approval));
        spans.push(Span {
            plan,
            events: (after.1, upto.1),
            approvals: (after.2, upto.2),
        });
        match came {
            Some(came) if came.seq > after.0 => {
                plan = came.from;
                upto = (came.seq, came.event, came.approval);
            }
            _ => break,
        }
    }
    Ok(spans)
}

fn newest(
    conn: &Connection,
    side: &str,
    plan: &str,
    before: i64,
) -> Result<Option<Move>, StoreError> {
    let sql = format!(
        "SELECT seq, from_plan, event_seq, approval_seq FROM plan_moves
         WHERE {side} = ?1 AND seq < ?2 ORDER BY seq DESC LIMIT 1"
    );
    let mut statement = conn.prepare_cached(&sql)?;
    let found = statement.query_row(params![plan, before], |row| {
        Ok(Move {
            seq: row.get(0)?,
            from: row.get(1)?,
            event: row.get(2)?,
            approval: row.get(3)?,
        })
    });
    Ok(found.optional()?)
}

#[cfg(test)]
mod tests {
    use crate::table::testing::{PLAN, fresh, hash, record_at};
    use crate::{Lookup, NewApproval, NewDraft, NewRoute, Store};

    const B: &str = "/w/plans/b.md";
    const C: &str = "/w/plans/c.md";

    fn held(store: &Store, plan: &str) -> Vec<String> {
        let events = store.revisions().events(plan).unwrap();
        let text = |hash: &str| store.revisions().content(hash).unwrap().unwrap();
        let texts = events.iter().map(|event| text(&event.hash));
        texts.map(|text| String::from_utf8(text).unwrap()).collect()
    }

    fn approve(store: &Store, plan: &str, revision: &str) {
        let approval = NewApproval {
            plan,
            revision,
            run: None,
            actor: "person",
            policy: "all",
            upto: None,
            reason: None,
            at_ms: 1,
            shown_ms: None,
        };
        store.approvals().add(&approval).unwrap();
    }

    #[test]
    fn how_a_plan_was_made_goes_along_with_it() {
        let (_folder, store) = fresh();
        let revision = record_at(&store, PLAN, "one");
        let route = NewRoute {
            workspace: "/w",
            goal: "Greet",
            kind: "feature",
            model: "",
            plan: Some((PLAN, &revision)),
            route: "{}",
            at_ms: 1,
        };
        store.routes().add(&route, &[]).unwrap();
        store.plan_moves().add(PLAN, B, 5).unwrap();
        assert_eq!(store.routes().of_plan(PLAN).unwrap(), None);
        let moved = store.routes().of_plan(B).unwrap().unwrap();
        assert_eq!(moved.revision, revision);
    }

    #[test]
    fn a_plan_keeps_its_history_over_any_number_of_moves() {
        let (_folder, store) = fresh();
        let first = record_at(&store, PLAN, "one");
        approve(&store, PLAN, &first);
        let moves = store.plan_moves();
        moves.add(PLAN, B, 5).unwrap();
        record_at(&store, B, "two");
        moves.add(B, C, 6).unwrap();
        // There is no event between these moves.
        moves.add(C, B, 7).unwrap();
        assert_eq!(held(&store, B), ["one", "two"]);
        assert!(held(&store, PLAN).is_empty() && held(&store, C).is_empty());
        let revisions = store.revisions();
        assert_eq!(revisions.latest(B).unwrap().unwrap().hash, hash(b"two"));
        let found = revisions.by_prefix(B, &first[..12]).unwrap();
        assert_eq!(found, Lookup::One(first.clone()));
        let last = revisions.last_with(B, &first).unwrap().unwrap();
        assert_eq!(last.plan, PLAN, "where it lay then");
        assert_eq!(store.approvals().of_plan(B).unwrap().len(), 1);
        assert!(store.approvals().of_plan(PLAN).unwrap().is_empty());
        assert_eq!(moves.moved_to(PLAN).unwrap().as_deref(), Some(B));
        assert_eq!(moves.moved_to("/w/other.md").unwrap(), None);
        // Paging continues past the move.
        let newest = revisions.page(B, None, 1).unwrap();
        assert_eq!(newest[0].hash, hash(b"two"));
        let older = revisions.page(B, Some(newest[0].seq), 5).unwrap();
        assert_eq!(older.len(), 1);
    }

    #[test]
    fn what_comes_to_lie_at_the_old_place_is_another_plan() {
        let (_folder, store) = fresh();
        record_at(&store, PLAN, "one");
        store.plan_moves().add(PLAN, B, 5).unwrap();
        let other = record_at(&store, PLAN, "other");
        approve(&store, PLAN, &other);
        assert_eq!(held(&store, PLAN), ["other"]);
        assert_eq!(held(&store, B), ["one"]);
        assert!(store.approvals().of_plan(B).unwrap().is_empty());
        assert_eq!(store.approvals().of_plan(PLAN).unwrap().len(), 1);
        // The plan returns to its first path after the other one has moved away.
        store.plan_moves().add(PLAN, C, 6).unwrap();
        store.plan_moves().add(B, PLAN, 7).unwrap();
        assert_eq!(held(&store, PLAN), ["one"]);
        assert_eq!(held(&store, C), ["other"]);
    }

    #[test]
    fn what_belongs_to_a_plan_goes_along() {
        let (_folder, store) = fresh();
        let draft = NewDraft {
            plan: PLAN,
            key: "goal",
            text: "half",
            revision: None,
            at_ms: 1,
        };
        store.drafts().put(&draft).unwrap();
        let old = NewDraft {
            plan: B,
            text: "of one that is gone",
            ..draft
        };
        store.drafts().put(&old).unwrap();
        store.plan_moves().add(PLAN, B, 5).unwrap();
        let drafts = store.drafts().of_plan(B).unwrap();
        assert_eq!(drafts.len(), 1);
        assert_eq!(drafts[0].text, "half");
        assert!(store.drafts().of_plan(PLAN).unwrap().is_empty());
    }

    #[test]
    fn plans_below_a_folder_are_found_where_they_are() {
        let (_folder, store) = fresh();
        record_at(&store, PLAN, "one");
        record_at(&store, "/w0/plans/a.md", "elsewhere");
        record_at(&store, C, "three");
        let below = || store.revisions().plans_below("/w").unwrap();
        assert_eq!(below(), [PLAN, C]);
        store.plan_moves().add(PLAN, B, 5).unwrap();
        assert_eq!(below(), [B, C]);
    }

    #[test]
    fn moves_cannot_be_rewritten() {
        let (_folder, store) = fresh();
        store.plan_moves().add(PLAN, B, 5).unwrap();
        for sql in ["DELETE FROM plan_moves", "UPDATE plan_moves SET at_ms = 0"] {
            let refused = store.conn.execute(sql, []).unwrap_err();
            assert!(refused.to_string().contains("append-only"), "{refused}");
        }
    }
}

//! Table `plan_events`: an append-only log of what happened to plans.

use rusqlite::{Connection, params};

use crate::StoreError;

/// Something that happened to a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanEvent {
    /// Absolute path of the plan file.
    pub plan: String,
    /// The session that the event belongs to, if any.
    pub session: Option<String>,
    /// The kind of event, such as `plan_session_created`.
    pub kind: String,
    /// All other data, as a JSON object.
    pub payload: String,
    /// Time of the event, in milliseconds since 1970 UTC.
    pub at_ms: i64,
}

/// Access to the events.
pub struct PlanEvents<'s> {
    pub(crate) conn: &'s Connection,
}

impl PlanEvents<'_> {
    /// Appends an event to the log.
    pub fn add(&self, event: &PlanEvent) -> Result<(), StoreError> {
        self.conn
            .prepare_cached(
                "INSERT INTO plan_events (plan, plan_session_id, kind, payload_json, at_ms)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![
                event.plan,
                event.session,
                event.kind,
                event.payload,
                event.at_ms
            ])?;
        Ok(())
    }

    /// Up to `count` events of a kind, newest first.
    pub fn of_kind(&self, kind: &str, count: u32) -> Result<Vec<PlanEvent>, StoreError> {
        let mut statement = self.conn.prepare_cached(
            "SELECT plan, plan_session_id, kind, payload_json, at_ms FROM plan_events
             WHERE kind = ?1 ORDER BY seq DESC LIMIT ?2",
        )?;
        let events = statement.query_map(params![kind, count], |row| {
            Ok(PlanEvent {
                plan: row.get(0)?,
                session: row.get(1)?,
                kind: row.get(2)?,
                payload: row.get(3)?,
                at_ms: row.get(4)?,
            })
        })?;
        Ok(events.collect::<Result<_, _>>()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::testing::{PLAN, fresh};

    #[test]
    fn events_are_found_by_kind_the_newest_first() {
        let (_folder, store) = fresh();
        let event = |kind: &str, at_ms| PlanEvent {
            plan: PLAN.to_owned(),
            session: None,
            kind: kind.to_owned(),
            payload: "{}".to_owned(),
            at_ms,
        };
        let events = store.plan_events();
        for (kind, at) in [("a", 1), ("b", 2), ("a", 3)] {
            events.add(&event(kind, at)).unwrap();
        }
        assert_eq!(
            events.of_kind("a", 9).unwrap(),
            [event("a", 3), event("a", 1)]
        );
        assert_eq!(events.of_kind("a", 1).unwrap().len(), 1);
    }
}

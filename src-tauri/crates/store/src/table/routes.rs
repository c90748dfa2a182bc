//! Tables `routes` and `route_outcomes`: how plans were made, the outcome of each plugin tried, and
//! whether the plans were accepted.

use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::immediate;
use crate::StoreError;

/// Maximum number of requests kept; the oldest are deleted first.
const MAX_REQUESTS: i64 = 2_000;

/// A completed planning request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewRoute<'a> {
    /// Absolute path of the workspace.
    pub workspace: &'a str,
    /// The goal that the plan was requested for.
    pub goal: &'a str,
    /// The kind of request, such as `bug-fix`.
    pub kind: &'a str,
    /// The model's name; empty for none.
    pub model: &'a str,
    /// Absolute path of the resulting plan and the SHA-256 of its content.
    pub plan: Option<(&'a str, &'a str)>,
    /// The full route, as JSON.
    pub route: &'a str,
    /// Time of the request, in milliseconds since 1970 UTC.
    pub at_ms: i64,
}

/// The outcome of a plugin in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewRouteOutcome<'a> {
    /// The plugin's id.
    pub plugin: &'a str,
    /// `success`, `weak` or `failed`.
    pub verdict: &'a str,
    /// Whether the resulting plan came from this plugin.
    pub is_used: bool,
    /// Duration in milliseconds.
    pub ms: u64,
    /// Number of model requests.
    pub calls: u32,
    /// Tokens, input and output.
    pub tokens: u64,
    /// Number of unparseable answers.
    pub faults: u32,
}

/// An outcome, with the approval and run result of its plan.
#[derive(Clone, Debug, PartialEq)]
pub struct RouteOutcome {
    /// The request's id.
    pub request: i64,
    /// The kind of request, such as `bug-fix`.
    pub kind: String,
    /// The model's name; empty for none.
    pub model: String,
    /// The plugin's id.
    pub plugin: String,
    /// `success`, `weak` or `failed`.
    pub verdict: String,
    /// Whether the resulting plan came from this plugin.
    pub is_used: bool,
    /// Duration in milliseconds.
    pub ms: u64,
    /// Number of model requests.
    pub calls: u32,
    /// Tokens, input and output.
    pub tokens: u64,
    /// Number of unparseable answers.
    pub faults: u32,
    /// Whether the plan was approved; `None` if undecided.
    pub accepted: Option<bool>,
    /// The share of the plan's steps that the user changed before approval.
    pub edited: f64,
    /// Whether the plan's first run succeeded; `None` if it was not run.
    pub checks: Option<bool>,
}

/// How a plan was made.
#[derive(Clone, Debug, PartialEq)]
pub struct Route {
    /// The request's id.
    pub request: i64,
    /// SHA-256 of the plan's content.
    pub revision: String,
    /// The full route, as JSON.
    pub route: String,
    /// Whether the plan was approved; `None` if undecided.
    pub accepted: Option<bool>,
    /// Time of the request, in milliseconds since 1970 UTC.
    pub at_ms: i64,
}

/// Access to the routes.
pub struct Routes<'s> {
    pub(crate) conn: &'s Connection,
}

impl Routes<'_> {
    /// Stores a request and its outcomes atomically; returns its id. Planning a goal again doesn't
    /// count against earlier plans: see [`Routes::accept`].
    ///
    /// # Errors
    /// Any database error.
    pub fn add(
        &self,
        route: &NewRoute<'_>,
        outcomes: &[NewRouteOutcome<'_>],
    ) -> Result<i64, StoreError> {
        let tx = immediate(self.conn)?;
        let (plan, revision) = route.plan.unzip();
        tx.prepare_cached(
            "INSERT INTO routes (workspace, goal, kind, model, plan, revision, route_json, at_ms)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?
        .execute(params![
            route.workspace,
            route.goal,
            route.kind,
            route.model,
            plan,
            revision,
            route.route,
            route.at_ms
        ])?;
        let request = tx.last_insert_rowid();
        {
            let mut insert = tx.prepare_cached(
                "INSERT INTO route_outcomes
                     (request, seq, plugin, verdict, is_used, ms, calls, tokens, faults)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            )?;
            for (seq, outcome) in (0_i64..).zip(outcomes) {
                insert.execute(params![
                    request,
                    seq,
                    outcome.plugin,
                    outcome.verdict,
                    outcome.is_used,
                    bounded(outcome.ms),
                    outcome.calls,
                    bounded(outcome.tokens),
                    outcome.faults
                ])?;
            }
            tx.prepare_cached("DELETE FROM routes WHERE request <= ?1 - ?2")?
                .execute([request, MAX_REQUESTS])?;
        }
        tx.commit()?;
        Ok(request)
    }

    /// Records that the user approved a plan, with the share of steps changed before approval. Only
    /// the first decision counts. Other undecided plans for the same goal and workspace count as
    /// rejected. Returns `true` if this was new.
    ///
    /// # Errors
    /// Any database error.
    pub fn accept(&self, plan: &str, edited: f64) -> Result<bool, StoreError> {
        let tx = immediate(self.conn)?;
        let changed = tx
            .prepare_cached(
                "UPDATE routes SET accepted = 1, edited = ?2
                 WHERE request = (SELECT max(request) FROM routes WHERE plan = ?1) AND accepted IS NULL",
            )?
            .execute(params![plan, edited.clamp(0.0, 1.0)])?;
        if changed > 0 {
            tx.prepare_cached(
                "UPDATE routes SET accepted = 0
                 FROM (SELECT workspace, goal FROM routes WHERE plan = ?1
                       ORDER BY request DESC LIMIT 1) AS chosen
                 WHERE routes.workspace = chosen.workspace AND routes.goal = chosen.goal
                   AND routes.plan IS NOT NULL AND routes.accepted IS NULL",
            )?
            .execute([plan])?;
        }
        tx.commit()?;
        Ok(changed > 0)
    }

    /// Records the result of a plan's first run. Returns `true` if this was new.
    ///
    /// # Errors
    /// Any database error.
    pub fn checked(&self, plan: &str, passed: bool) -> Result<bool, StoreError> {
        let changed = self
            .conn
            .prepare_cached(
                "UPDATE routes SET checks = ?2
                 WHERE request = (SELECT max(request) FROM routes WHERE plan = ?1) AND checks IS NULL",
            )?
            .execute(params![plan, passed])?;
        Ok(changed > 0)
    }

    /// All stored outcomes, oldest first.
    ///
    /// # Errors
    /// Any database error.
    pub fn outcomes(&self) -> Result<Vec<RouteOutcome>, StoreError> {
        let mut statement = self.conn.prepare_cached(
            "SELECT o.request, r.kind, r.model, o.plugin, o.verdict, o.is_used, o.ms, o.calls,
                    o.tokens, o.faults, r.accepted, r.edited, r.checks
             FROM route_outcomes o JOIN routes r USING (request) ORDER BY o.request, o.seq",
        )?;
        let rows = statement.query_map([], outcome)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// How a plan was made; `None` if Planwright did not make it or its record was deleted.
    ///
    /// # Errors
    /// Any database error.
    pub fn of_plan(&self, plan: &str) -> Result<Option<Route>, StoreError> {
        let mut statement = self.conn.prepare_cached(
            "SELECT request, revision, route_json, accepted, at_ms FROM routes
             WHERE plan = ?1 ORDER BY request DESC LIMIT 1",
        )?;
        let found = statement.query_row([plan], |row| {
            Ok(Route {
                request: row.get(0)?,
                revision: row.get(1)?,
                route: row.get(2)?,
                accepted: row.get(3)?,
                at_ms: row.get(4)?,
            })
        });
        Ok(found.optional()?)
    }

    /// Deletes the outcomes of one kind of request and model, or all; keeps the routes of plans.
    /// Returns the number of requests affected.
    ///
    /// # Errors
    /// Any database error.
    pub fn forget(&self, of: Option<(&str, &str)>) -> Result<u32, StoreError> {
        let tx = immediate(self.conn)?;
        let (kind, model) = of.unzip();
        let requests: u32 = tx.query_row(
            "SELECT count(DISTINCT request) FROM route_outcomes JOIN routes USING (request)
             WHERE ?1 IS NULL OR (kind = ?1 AND model = ?2)",
            params![kind, model],
            |row| row.get(0),
        )?;
        tx.execute(
            "DELETE FROM route_outcomes WHERE request IN (
                 SELECT request FROM routes WHERE ?1 IS NULL OR (kind = ?1 AND model = ?2))",
            params![kind, model],
        )?;
        tx.commit()?;
        Ok(requests)
    }
}

/// A count clamped to the database's integer range.
fn bounded(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn outcome(row: &Row<'_>) -> rusqlite::Result<RouteOutcome> {
    let count = |at: usize| -> rusqlite::Result<u64> {
        let count: i64 = row.get(at)?;
        Ok(u64::try_from(count).unwrap_or_default())
    };
    Ok(RouteOutcome {
        request: row.get(0)?,
        kind: row.get(1)?,
        model: row.get(2)?,
        plugin: row.get(3)?,
        verdict: row.get(4)?,
        is_used: row.get(5)?,
        ms: count(6)?,
        calls: row.get(7)?,
        tokens: count(8)?,
        faults: row.get(9)?,
        accepted: row.get(10)?,
        edited: row.get(11)?,
        checks: row.get(12)?,
    })
}

#[cfg(test)]
mod tests;

//! Outcomes of plugins: stored per request, summarized as statistics, and completed with the
//! person's verdict on the plan.
//!
//! Unreadable rows are skipped and reported; they affect nothing else.

use std::collections::{BTreeMap, BTreeSet};

use planning::Intake;
use planning::decision::{Attempt, Key, Outcome, RequestProgress, Statistics, Status, Verdict};
use serde_json::Value;
use store::{NewRoute, NewRouteOutcome, ReviewerVerdict, RouteOutcome};
use tools::Workspace;

use crate::approval::{prints, revision_text};
use crate::error::Result;
use crate::new_plan::provenance::Provenance;
use crate::text::counted;
use crate::{Workbench, wire};

/// A request that produced no plan.
pub(super) struct Failed<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) intake: &'a Intake,
    pub(super) model: Option<&'a str>,
}

/// A plan that was made for a goal.
pub struct Made<'a> {
    /// The absolute path of the workspace.
    pub workspace: &'a str,
    /// The parsed goal.
    pub intake: &'a Intake,
    /// The plan's key and revision.
    pub plan: (&'a str, &'a str),
    /// How the plan was made.
    pub route: &'a Provenance,
}

impl Workbench {
    /// The statistics so far, and a notice if some outcomes are unreadable.
    pub(super) fn route_statistics(&self) -> Result<(Statistics, Option<String>)> {
        let rows = self.store.routes().outcomes()?;
        let count = rows.len();
        let outcomes: Vec<Outcome> = rows.into_iter().filter_map(outcome).collect();
        let statistics = Statistics::of(&outcomes, &|id| id.starts_with("planner-"));
        let lost = count - outcomes.len();
        let notice = (lost > 0).then(|| {
            format!(
                "ignored {}; “Forget all” in Insights deletes all planning outcomes",
                counted(lost, "unreadable planning outcome")
            )
        });
        Ok((statistics, notice))
    }

    /// Stores how a plan was made and the outcome of each plugin.
    pub fn keep_route(&self, made: &Made<'_>) -> Result<()> {
        let (route, json) = (made.route, made.route.to_json().to_string());
        let mut outcomes: Vec<NewRouteOutcome<'_>> = Vec::new();
        for attempt in &route.attempts {
            outcomes.extend(kept(attempt, attempt.plugin == route.solver));
        }
        for (planner, status, cost) in &route.planners {
            outcomes.extend(verdict(*status).map(|verdict| NewRouteOutcome {
                plugin: planner,
                verdict: verdict.as_str(),
                is_used: route.planner == *planner,
                ms: cost.ms,
                calls: cost.calls,
                tokens: cost.tokens,
                faults: cost.faults,
            }));
        }
        self.store.routes().add(
            &NewRoute {
                workspace: made.workspace,
                goal: &made.intake.goal,
                kind: made.intake.kind.as_str(),
                model: route.model.as_deref().unwrap_or_default(),
                plan: Some(made.plan),
                route: &json,
                at_ms: self.clock.now_ms(),
            },
            &outcomes,
        )?;
        Ok(())
    }

    /// Like [`Workbench::keep_route`], for a request whose pinned plugin failed.
    pub(super) fn keep_failed_route(
        &self,
        failed: &Failed<'_>,
        following: &RequestProgress,
    ) -> Result<()> {
        let outcomes: Vec<NewRouteOutcome<'_>> = following
            .attempts()
            .iter()
            .filter_map(|attempt| kept(attempt, false))
            .collect();
        self.store.routes().add(
            &NewRoute {
                workspace: &failed.workspace.path().display().to_string(),
                goal: &failed.intake.goal,
                kind: failed.intake.kind.as_str(),
                model: failed.model.unwrap_or_default(),
                plan: None,
                route: &wire::route_of_attempts(following).to_string(),
                at_ms: self.clock.now_ms(),
            },
            &outcomes,
        )?;
        Ok(())
    }

    /// Records that a person approved a plan in its current form. A failure to record it is only
    /// logged.
    pub fn learn_approved(&self, key: &str, now: &str) {
        self.keep_verdict(key, ReviewerVerdict::Approved);
        let learn = || -> Result<()> {
            let routes = self.store.routes();
            let Some(route) = routes
                .of_plan(key)?
                .filter(|route| route.accepted.is_none())
            else {
                return Ok(());
            };
            let made = revision_text(&self.store, &route.revision)?;
            routes.accept(key, edited_share(&made, now))?;
            Ok(())
        };
        if let Err(error) = learn() {
            tracing::warn!(%error, plan = key, "couldn't record the plan's approval");
        }
    }

    /// Records whether a run of the plan passed; only its first run counts.
    pub(crate) fn learn_checked(&self, key: &str, passed: bool) {
        if let Err(error) = self.store.routes().checked(key, passed) {
            tracing::warn!(%error, plan = key, "couldn't record how the run ended");
        }
    }
}

/// The share of steps that were changed, added or removed, 0 to 1.
fn edited_share(made: &str, now: &str) -> f64 {
    let (made, now) = (prints(made), prints(now));
    let all: BTreeSet<&String> = made.keys().chain(now.keys()).collect();
    if all.is_empty() {
        return 0.0;
    }
    let changed = all.iter().filter(|id| made.get(**id) != now.get(**id));
    changed.count() as f64 / all.len() as f64
}

fn verdict(status: Status) -> Option<Verdict> {
    Some(match status {
        Status::Success => Verdict::Success,
        Status::Weak => Verdict::Weak,
        Status::Failed => Verdict::Failed,
        Status::Skipped => return None,
    })
}

/// The row for an attempt; `None` if it was skipped, which says nothing about the plugin.
fn kept(attempt: &Attempt, is_used: bool) -> Option<NewRouteOutcome<'_>> {
    let cost = attempt.cost;
    Some(NewRouteOutcome {
        plugin: &attempt.plugin,
        verdict: verdict(attempt.status)?.as_str(),
        is_used: is_used && attempt.status != Status::Failed,
        ms: cost.ms,
        calls: cost.calls,
        tokens: cost.tokens,
        faults: cost.faults,
    })
}

/// Converts a stored row; `None` if it is invalid. The person's verdict counts only for plugins
/// whose result was used.
fn outcome(row: RouteOutcome) -> Option<Outcome> {
    let is_sound = row.edited.is_finite() && !row.plugin.is_empty();
    let verdict = Verdict::from_name(&row.verdict).filter(|_| is_sound)?;
    let is_used = row.is_used;
    Some(Outcome {
        key: Key {
            request: row.kind,
            model: row.model,
            plugin: row.plugin,
        },
        request: row.request,
        verdict,
        ms: row.ms,
        calls: row.calls,
        tokens: row.tokens,
        faults: row.faults,
        accepted: row.accepted.filter(|_| is_used),
        edited: if is_used { row.edited } else { 0.0 },
        checks: row.checks.filter(|_| is_used),
    })
}

/// Parses a plan's stored route; empty if it is unreadable.
pub(super) fn route_json(text: &str) -> BTreeMap<String, Value> {
    serde_json::from_str(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::edited_share;

    #[test]
    fn the_share_of_steps_that_were_rewritten() {
        let made = "# A\n\n## Tasks\n\n- [ ] **T1** One\n- [ ] **T2** Two\n- [ ] **T3** Three\n- [ ] **T4** Four\n";
        let same = edited_share(made, made);
        assert!(same.abs() < f64::EPSILON, "{same}");
        let one = edited_share(made, &made.replace("Two", "Two, and test it"));
        assert!((one - 0.25).abs() < 1e-9, "{one}");
        let all = edited_share(made, "# B\n\n## Tasks\n\n- [ ] **T9** Else\n");
        assert!((all - 1.0).abs() < 1e-9, "{all}");
        assert!(edited_share("", "").abs() < f64::EPSILON);
    }
}

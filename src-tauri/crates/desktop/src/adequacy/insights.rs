//! Insights: adequacy over revisions, results of expansions, and how people resolved findings.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use store::Judged;

use crate::document::percent;
use crate::wire::{InsightApprovals, InsightExpansion, InsightFinding, InsightPoint, Insights};
use crate::{Desktop, Shared};
use workbench::error::Result;
use workbench::telemetry::last_metadata;

/// Maximum revisions in one response.
const MAX_POINTS: u32 = 1_000;

/// Maximum expansions in one response, and database rows read to find them.
const MAX_EXPANSIONS: usize = 200;
const LOOKED_AT: u32 = 2_000;

impl Desktop {
    /// Insights for one plan, for a workspace, or for all plans.
    pub fn insights(&self, workspace: Option<&str>, plan: Option<&str>) -> Result<Insights> {
        let within = plan.or(workspace);
        let workbench = self.shared.workbench();
        let store = &workbench.store;
        let (points, more) = store.plan_adequacy().newest(within, MAX_POINTS)?;
        let latest = store.plan_adequacy().latest(within)?;
        let counts = store.finding_actions().counts(within)?;
        let sessions = store.plan_sessions().with_loop(LOOKED_AT)?;
        let approvals = approvals(&store.approvals().times_on_screen(within)?);
        drop(workbench);

        let mut findings: BTreeMap<String, InsightFinding> = BTreeMap::new();
        let mut of_code = |code: &str, add: &dyn Fn(&mut InsightFinding)| {
            let one = findings
                .entry(code.to_owned())
                .or_insert_with(|| InsightFinding {
                    code: code.to_owned(),
                    fixed: 0,
                    muted: 0,
                    overridden: 0,
                    open: 0,
                });
            add(one);
        };
        for counted in &counts {
            of_code(&counted.code, &|one| {
                one.fixed += counted.fixed;
                one.muted += counted.muted;
                one.overridden += counted.overridden;
            });
        }
        for judged in &latest {
            let codes: BTreeMap<String, u32> =
                serde_json::from_str(&judged.codes).unwrap_or_default();
            for (code, open) in codes {
                of_code(&code, &|one| one.open += open);
            }
        }
        let mut findings: Vec<InsightFinding> = findings.into_values().collect();
        let settled = |one: &InsightFinding| one.fixed + one.muted + one.overridden;
        findings.sort_by_key(|one| std::cmp::Reverse((settled(one), one.open)));

        let is_within = |of: &str| within.is_none_or(|within| Path::new(of).starts_with(within));
        let expansions = sessions.iter().filter(|session| is_within(&session.plan));
        Ok(Insights {
            points: points
                .into_iter()
                .map(|one| self.shared.point(one))
                .collect(),
            expansions: expansions
                .take(MAX_EXPANSIONS)
                .map(|session| {
                    let known = last_metadata(session);
                    let of = |pointer: &str| known.pointer(pointer).unwrap_or(&Value::Null);
                    let count = |pointer: &str| {
                        u32::try_from(of(pointer).as_u64().unwrap_or_default()).unwrap_or(u32::MAX)
                    };
                    let share = |pointer: &str| percent(of(pointer).as_f64().unwrap_or_default());
                    InsightExpansion {
                        plan: session.plan.clone(),
                        path: self.shared.shown_path(&session.plan),
                        at_ms: session.created_ms,
                        status: session.status.clone(),
                        stop_reason: session.stop_reason.clone().unwrap_or_default(),
                        rounds: session.rounds,
                        score_before: share("/adequacy_before/score"),
                        score_after: share("/adequacy_after/score"),
                        tasks_before: count("/task_count_before_refine"),
                        tasks_after: count("/task_count_after_refine"),
                        accepted: count("/changes_accepted"),
                        offered: count("/changes_offered"),
                        improved: of("/adequacy_improved_heuristic").as_bool() == Some(true),
                    }
                })
                .collect(),
            findings,
            more,
            approvals,
        })
    }
}

/// Summarizes how long approvals were on screen; `times` has the newest first.
fn approvals(times: &[Option<i64>]) -> InsightApprovals {
    /// An approval given faster than this is considered too quick for reading the plan.
    const QUICK_MS: i64 = 2_000;
    const LATELY: usize = 10;
    let known: Vec<i64> = times.iter().flatten().copied().collect();
    let count = |times: &[i64]| times.iter().filter(|ms| **ms < QUICK_MS).count();
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let mut sorted = known.clone();
    sorted.sort_unstable();
    let usual = sorted.get(sorted.len() / 2);
    InsightApprovals {
        given: number(times.len()),
        timed: number(known.len()),
        usual_ms: usual.map(|ms| u32::try_from(*ms).unwrap_or(u32::MAX)),
        quick: number(count(&known)),
        quick_lately: number(count(&known[..known.len().min(LATELY)])),
    }
}

impl Shared {
    /// A plan's display path: relative to the open workspace that contains it.
    pub(crate) fn shown_path(&self, plan: &str) -> String {
        let root = self.workspace_around(Path::new(plan));
        let relative =
            root.and_then(|root| Some(Path::new(plan).strip_prefix(root).ok()?.to_owned()));
        relative.map_or_else(|| plan.to_owned(), |path| path.display().to_string())
    }

    fn point(&self, judged: Judged) -> InsightPoint {
        InsightPoint {
            path: self.shown_path(&judged.plan),
            plan: judged.plan,
            revision: judged.revision,
            at_ms: judged.at_ms,
            author: judged.author,
            score: percent(judged.score),
            risk: percent(judged.risk),
            tasks: judged.tasks,
            badge: judged.badge,
            is_too_thin: judged.is_too_thin,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn approvals_are_counted_by_how_long_they_were_on_screen() {
        assert_eq!(approvals(&[]), InsightApprovals::default());
        let times = [Some(900), None, Some(60_000), Some(1_999), Some(2_000)];
        let expected = InsightApprovals {
            given: 5,
            timed: 4,
            usual_ms: Some(2_000),
            quick: 2,
            quick_lately: 2,
        };
        assert_eq!(approvals(&times), expected);
        let mut later = vec![Some(5_000); 10];
        later.extend(times);
        assert_eq!(approvals(&later).quick_lately, 0);
    }
}

//! Records how plans were made and expanded: tables `plan_sessions`, `plan_versions`, `plan_nodes`,
//! and the event `plan_session_created`.

use adequacy::expansion::{Outcome, Standing};
use plan::{By, Plan};
use serde_json::{Value, json};
use store::{LoopEnd, NewPlanNode, NewPlanSession, NewPlanVersion, PlanEvent, PlanSession};

use crate::error::Result;
use crate::settings::Settings;
use crate::text::number;
use crate::{Workbench, ids};

/// Length of a session's ID.
const ID_LENGTH: usize = 16;

/// Maximum number of characters of the goal in an event.
const GOAL_PREVIEW: usize = 240;

/// A plan that was made or expanded.
pub struct Session<'a> {
    /// The plan's key.
    pub key: &'a str,
    /// The revision before the expansion.
    pub revision: &'a str,
    /// The ID of the solver that wrote the plan, or `expansion`.
    pub strategy: &'a str,
    /// The full route, if it was made for a goal.
    pub route: Option<Value>,
    /// The plan before the expansion.
    pub before: &'a Plan,
    /// The output token limit for the first plan; `None` if no model made it.
    pub first_cap: Option<u32>,
    /// The result of the expansion.
    pub outcome: &'a Outcome,
    /// The effective settings.
    pub settings: &'a Settings,
}

impl Session<'_> {
    fn end<'m>(&self, metadata: &'m str) -> LoopEnd<'m> {
        LoopEnd {
            status: self.outcome.status.as_str(),
            rounds: number(self.outcome.rounds.len()),
            stop_reason: self.outcome.stop_reason.as_str(),
            metadata,
        }
    }
}

impl Workbench {
    /// Records that a plan was made or expanded; returns the session's ID. Repeated expansions of
    /// the same revision share a session as long as nothing was accepted.
    pub fn keep_session(&self, session: &Session<'_>) -> Result<String> {
        let now = self.clock.now_ms();
        let sessions = self.store.plan_sessions();
        let mut metadata = metadata(session, 0);
        let last = sessions.last_loop_of(session.key)?;
        let again = last.filter(|last| {
            let known = last_metadata(last);
            known["revision"] == session.revision && known["changes_accepted"] == 0
        });
        if let (Some(again), None) = (&again, &session.route) {
            // Expanding a plan again doesn't change how it was made.
            metadata["route"] = last_metadata(again)["route"].take();
        }
        let id = match again {
            Some(again) => again.id,
            None => self.begin_plan_session(session, now)?,
        };
        sessions.end_loop(&id, &session.end(&metadata.to_string()), now)?;
        Ok(id)
    }

    fn begin_plan_session(&self, session: &Session<'_>, now: i64) -> Result<String> {
        let id = ids::random(ID_LENGTH)?;
        let goal = session.before.goal().unwrap_or_default();
        let before = &session.outcome.before;
        self.store.plan_sessions().add(&NewPlanSession {
            id: &id,
            plan: session.key,
            goal,
            strategy: session.strategy,
            at_ms: now,
        })?;
        self.keep_version(&id, 1, session.before, before, &json!({}))?;
        let payload = json!({
            "strategy": session.strategy,
            "version": 1,
            "node_count": session.before.tasks.len(),
            "goal": goal.chars().take(GOAL_PREVIEW).collect::<String>(),
            "adequacy": block(before),
            "plan_adequacy_shadow": session.settings.plan_adequacy_shadow,
            "plan_adequacy_enforce": session.settings.plan_adequacy_enforce,
        });
        if before.is_too_thin {
            tracing::info!(
                plan = session.key,
                score = before.score,
                codes = ?block(before)["adequacy_reason_codes"],
                "plan_session_created: the plan is thin"
            );
        }
        self.store.plan_events().add(&PlanEvent {
            plan: session.key.to_owned(),
            session: Some(id.clone()),
            kind: "plan_session_created".to_owned(),
            payload: payload.to_string(),
            at_ms: now,
        })?;
        Ok(id)
    }

    /// Records that changes of an expansion were accepted, and the resulting plan.
    pub fn keep_accepted(
        &self,
        session: &Session<'_>,
        id: &str,
        accepted: usize,
        after: (&Plan, &Standing),
    ) -> Result<()> {
        let now = self.clock.now_ms();
        let sessions = self.store.plan_sessions();
        let metadata = metadata(session, accepted).to_string();
        sessions.end_loop(id, &session.end(&metadata), now)?;
        let known = sessions.get(id)?;
        let version = known.map_or(2, |known| known.version + 1);
        let (plan, standing) = after;
        let payload = json!({ "trigger": "expansion", "changes_accepted": accepted });
        self.keep_version(id, version, plan, standing, &payload)?;
        sessions.at_version(id, version, now)?;
        Ok(())
    }

    fn keep_version(
        &self,
        session: &str,
        version: u32,
        plan: &Plan,
        standing: &Standing,
        payload: &Value,
    ) -> Result<()> {
        self.store.plan_versions().add(&NewPlanVersion {
            session,
            version,
            parent: (version > 1).then(|| version - 1),
            trigger: if version == 1 { "initial" } else { "replan" },
            payload: &payload.to_string(),
            quality: standing.score,
            at_ms: self.clock.now_ms(),
        })?;
        let texts: Vec<(String, String)> = plan
            .tasks
            .iter()
            .map(|task| {
                let depends: Vec<&str> = task
                    .depends
                    .iter()
                    .flatten()
                    .map(|id| id.as_str())
                    .collect();
                let by = match task.carried_out_by(false) {
                    By::Person => "person",
                    _ => "agent",
                };
                let policy = json!({ "files": task.files, "verify": task.verify, "by": by });
                (json!(depends).to_string(), policy.to_string())
            })
            .collect();
        let nodes: Vec<NewPlanNode<'_>> = plan
            .tasks
            .iter()
            .zip(&texts)
            .map(|(task, (dependencies, policy))| NewPlanNode {
                node: task.id.as_str(),
                description: &task.title,
                dependencies,
                policy,
                status: if task.done { "completed" } else { "pending" },
            })
            .collect();
        Ok(self.store.plan_nodes().add(session, version, &nodes)?)
    }
}

/// The stored result of a session's expansion; null if there was none.
pub fn last_metadata(session: &PlanSession) -> Value {
    let text = session.metadata.as_deref().unwrap_or("null");
    serde_json::from_str(text).unwrap_or_default()
}

/// The adequacy block, with the field names used in telemetry.
fn block(standing: &Standing) -> Value {
    let codes = standing.adequacy_reason_codes.iter();
    let codes: Vec<&str> = codes.map(|code| code.as_str()).collect();
    json!({
        "score": standing.score,
        "is_too_thin": standing.is_too_thin,
        "reason_codes": codes,
        "adequacy_reason_codes": codes,
        "aggregate_unresolved_risk": standing.aggregate_unresolved_risk,
        "critical_count": standing.critical_count,
        "detail_target_min_tasks": standing.detail_target_min_tasks,
        "estimated_goal_complexity": standing.estimated_goal_complexity,
    })
}

fn metadata(session: &Session<'_>, accepted: usize) -> Value {
    let outcome = session.outcome;
    let (before, after) = (&outcome.before, &outcome.after);
    let codes = after.adequacy_reason_codes.iter();
    let codes: Vec<&str> = codes.map(|code| code.as_str()).collect();
    json!({
        "telemetry": "planwright",
        "revision": session.revision,
        "route": session.route,
        "loop_mode_effective": outcome.loop_mode_effective,
        "loop_status": outcome.status.as_str(),
        "stop_reason": outcome.stop_reason.as_str(),
        "loop_stop_reason": outcome.stop_reason.as_str(),
        "refinement_rounds": outcome.rounds.len(),
        "rounds_accepted": outcome.rounds.iter().filter(|round| round.is_accepted).count(),
        "plan_depth": session.settings.expansion.plan_depth.as_str(),
        "initial_plan_max_output_tokens": session.first_cap,
        "tokens_used": outcome.tokens_used,
        "task_count_before_refine": before.tasks,
        "task_count_after_refine": after.tasks,
        "adequacy_improved_heuristic": outcome.adequacy_improved_heuristic,
        "adequacy_before": block(before),
        "adequacy_after": block(after),
        "adequacy": block(after),
        "adequacy_score": after.score,
        "is_too_thin": after.is_too_thin,
        "adequacy_reason_codes": codes,
        "detail_target_min_tasks": after.detail_target_min_tasks,
        "estimated_goal_complexity": after.estimated_goal_complexity,
        "aggregate_unresolved_risk": after.aggregate_unresolved_risk,
        "changes_offered": outcome.changes.len(),
        "changes_accepted": accepted,
    })
}

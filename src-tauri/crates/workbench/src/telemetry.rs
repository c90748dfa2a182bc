//! Records how plans were made, checked and expanded. All of it stays on this machine.
//!
//! Column names and keys are those of the original system's documentation, so that its queries work
//! here. Submodule `sessions` records how plans were made and expanded.

mod sessions;

use std::collections::BTreeMap;

use adequacy::{Report, step_gate};
use agent::run::state::{Standing, TaskState};
use plan::graph::Graph;
use plan::{Plan, Revision};
use store::{FindingAction, Judged, NewFindingAction, ReviewerVerdict, Store};

use crate::Workbench;
use crate::error::Result;
use crate::opening::Opened;

pub use sessions::{Session, last_metadata};

/// The result of checking a revision, before its author and time are added.
pub fn judged(key: &str, revision: &Revision, plan: &Plan, report: &Report) -> Judged {
    let mut codes: BTreeMap<&str, u32> = BTreeMap::new();
    let open = report
        .findings
        .iter()
        .filter(|finding| finding.muted.is_none());
    for finding in open {
        *codes.entry(finding.code.as_str()).or_default() += 1;
    }
    Judged {
        plan: key.to_owned(),
        revision: revision.as_str().to_owned(),
        at_ms: 0,
        author: String::new(),
        score: report.score,
        risk: report.aggregate_unresolved_risk,
        badge: report.badge.as_str().to_owned(),
        is_too_thin: report.is_too_thin,
        tasks: u32::try_from(plan.leaves().count()).unwrap_or(u32::MAX),
        codes: serde_json::json!(codes).to_string(),
    }
}

/// Stores check results under the time and author of their revisions, skipping revisions that were
/// never in a file. Returns `true` if any of them is new.
pub fn keep_judged(store: &Store, judged: &[Judged]) -> Result<bool> {
    let mut is_news = false;
    for one in judged {
        let Some(event) = store.revisions().last_with(&one.plan, &one.revision)? else {
            continue;
        };
        let one = Judged {
            at_ms: event.at_ms,
            author: event.author.as_str().to_owned(),
            ..one.clone()
        };
        is_news |= store.plan_adequacy().put(&one)?;
    }
    Ok(is_news)
}

impl Workbench {
    /// Stores a person's verdict on a plan. A failure is only logged.
    pub fn keep_verdict(&self, key: &str, verdict: ReviewerVerdict) {
        if let Err(error) = self.store.plan_versions().review(key, verdict) {
            tracing::warn!(%error, plan = key, "couldn't store the verdict on the plan");
        }
    }

    /// Stores the progress of a plan's steps in a run. A failure is only logged.
    pub(crate) fn keep_steps(&self, key: &str, tasks: &BTreeMap<String, TaskState>) {
        let status = |task: &TaskState| match task.standing {
            Standing::Pending => "pending",
            Standing::Running => "running",
            Standing::Done if task.is_unverified() => "unverified",
            Standing::Done => "completed",
            Standing::Failed => "failed",
            Standing::Skipped(_) => "skipped",
        };
        let statuses = tasks.iter().map(|(id, task)| (id.as_str(), status(task)));
        let statuses: Vec<(&str, &str)> = statuses.collect();
        if let Err(error) = self.store.plan_nodes().set_statuses(key, &statuses) {
            tracing::warn!(%error, plan = key, "couldn't store the progress of the run");
        }
    }

    /// Records that a person runs a plan although the quality gate blocks these steps or, if a
    /// report is given, enforcement rejects the whole plan.
    pub fn keep_override(
        &self,
        opened: &Opened,
        steps: &[usize],
        enforced: Option<&Report>,
        reason: &str,
    ) -> Result<()> {
        let key = opened.file.key();
        let now = self.clock.now_ms();
        let note = |finding: &str, code: &str, task: Option<&str>| {
            tracing::warn!(plan = %opened.file.relative, code, task, reason, "approved despite a finding");
            self.store.finding_actions().add(&NewFindingAction {
                plan: &key,
                revision: opened.content.revision.as_str(),
                finding,
                code,
                task,
                action: FindingAction::Overridden,
                reason: Some(reason),
                at_ms: now,
            })
        };
        let graph = Graph::of(&opened.plan);
        for index in steps {
            for found in step_gate::blocks(&opened.plan, &graph, *index, false) {
                let task = found.task.as_ref().map(|task| task.as_str());
                note(&found.id, found.code.as_str(), task)?;
            }
        }
        let Some(report) = enforced else {
            return Ok(());
        };
        // If there are no reason codes, the steps' total risk is the reason.
        if report.adequacy_reason_codes.is_empty() {
            note(
                "aggregate_unresolved_risk",
                "aggregate_unresolved_risk",
                None,
            )?;
        }
        for code in &report.adequacy_reason_codes {
            let mut findings = report.findings.iter();
            let found = findings.find(|found| found.code == *code && found.task.is_none());
            note(
                found.map_or(code.as_str(), |found| &found.id),
                code.as_str(),
                None,
            )?;
        }
        Ok(())
    }
}

//! `check`: scores a plan's adequacy and explains the score.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use adequacy::{CheckInput, PlanDepth, Report, WorkspaceFacts};
use plan::{Plan, Problem, Requirement};

use crate::Workbench;
use crate::error::{Code, Error, Result};
use crate::facts::KnownWorkspaces;
use crate::plan_file;
use crate::settings::Settings;
use crate::telemetry;
use crate::wire::{CheckReport, Finding, TaskCount};

/// The input of a check.
#[derive(Debug, Clone)]
pub struct CheckRequest {
    /// The plan file, relative to the current folder.
    pub file: PathBuf,
    /// The plan's goal, if the file doesn't contain it.
    pub goal: Option<String>,
    /// A file that lists the plan's requirements, relative to the current folder.
    pub requirements: Option<PathBuf>,
    /// The desired level of detail.
    pub depth: PlanDepth,
    /// The files that the goal is about.
    pub scope: Vec<String>,
    /// The file with an earlier version of the plan.
    pub before: Option<PathBuf>,
}

impl Workbench {
    /// Checks a plan file and stores its content as a revision, so that it can be approved even if
    /// the file changes. Files of the same workspace share facts through `known`. Fails with
    /// [`crate::Code::UnusablePlan`] for a file that isn't plan text, [`crate::Code::Usage`] for an
    /// unreadable list of requirements.
    pub fn check(
        &mut self,
        request: &CheckRequest,
        known: &mut KnownWorkspaces,
    ) -> Result<CheckReport> {
        let path = self.environment.cwd.join(&request.file);
        let content = plan_file::read_anywhere(&path)?;
        let before = request.before.as_ref();
        let before = before.map(|file| plan_file::read_anywhere(&self.environment.cwd.join(file)));
        let before = before
            .transpose()?
            .map(|before| plan::parse(&before.text).0);
        let requirements = request.requirements.as_ref();
        let requirements = requirements
            .map(|file| self.requirements_in(file))
            .transpose()?;
        let (plan, problems) = plan::parse(&content.text);
        let mut facts = Arc::default();
        let key = path.canonicalize().ok();
        if let Some(path) = &key {
            let now = self.clock.now_ms();
            let key = path.display().to_string();
            plan_file::record_found(&self.store, &key, &content, now)?;
            facts = self.facts_for(known, path, &key, &plan);
        }
        let report = adequacy::check(&CheckInput {
            plan: &plan,
            problems: &problems,
            goal: request.goal.as_deref(),
            requirements: requirements.as_deref().unwrap_or_default(),
            depth: request.depth,
            scope: &request.scope,
            before: before.as_ref(),
            facts: &facts,
            has_model: false,
        });
        let is_plain = request.goal.is_none()
            && request.requirements.is_none()
            && request.before.is_none()
            && request.scope.is_empty();
        if let Some(key) = key.filter(|_| is_plain && request.depth == PlanDepth::Standard) {
            let key = key.display().to_string();
            let judged = telemetry::judged(&key, &content.revision, &plan, &report);
            telemetry::keep_judged(&self.store, &[judged])?;
        }
        let (done, total) = plan.counted();
        Ok(CheckReport {
            path: request.file.display().to_string(),
            revision: content.revision.as_str().to_owned(),
            dialect: plan.dialect.as_str().to_owned(),
            tasks: TaskCount { total, done },
            requirements: report.requirements.clone(),
            findings: report.findings.iter().map(finding).collect(),
            dimensions: report.dimensions.clone(),
            reasons: report.reasons.clone(),
            adequacy: report,
        })
    }
}

impl Workbench {
    /// Reads a list of requirements, one per line as `- text` or `- R1 text`. Fails with
    /// [`crate::Code::Usage`] if it is unreadable or empty.
    fn requirements_in(&self, file: &Path) -> Result<Vec<Requirement>> {
        let wrong = |message: String| Error::new(Code::Usage, format!("--requirements: {message}"));
        let content = plan_file::read_anywhere(&self.environment.cwd.join(file));
        let content = content.map_err(|error| wrong(error.message))?;
        // Parsed like the requirements of a plan, so that there is only one syntax.
        let (list, _) = plan::parse(&format!("# List\n\n## Requirements\n\n{}", content.text));
        if list.requirements.is_empty() {
            let shown = file.display();
            return Err(wrong(format!(
                "no requirements found in {shown}; write one per line, as `- text`"
            )));
        }
        Ok(list.requirements)
    }
}

/// Checks a plan against the facts of its workspace.
pub fn report(plan: &Plan, problems: &[Problem], facts: &WorkspaceFacts) -> Report {
    report_at(PlanDepth::Standard, plan, problems, facts)
}

/// Like [`report`], for the given target depth.
pub(crate) fn report_at(
    depth: PlanDepth,
    plan: &Plan,
    problems: &[Problem],
    facts: &WorkspaceFacts,
) -> Report {
    adequacy::check(&CheckInput {
        plan,
        problems,
        goal: None,
        requirements: &[],
        depth,
        scope: &[],
        before: None,
        facts,
        has_model: false,
    })
}

/// The objection of enforcement, which requires a written reason; `None` if there is none. Without
/// enforcement, a weak plan is only logged.
pub fn objection(settings: &Settings, plan: &str, report: &Report) -> Option<String> {
    let risk = report.aggregate_unresolved_risk;
    let over = settings.max_gap_risk.filter(|most| risk > *most);
    if !settings.plan_adequacy_enforce {
        if report.badge.is_weak() && settings.plan_adequacy_shadow {
            tracing::info!(plan, score = report.score, "weak plan, not enforced");
        } else if report.badge.is_weak() {
            tracing::warn!(
                plan,
                score = report.score,
                "weak plan, neither recorded nor enforced"
            );
        }
        return None;
    }
    match over {
        _ if report.badge.is_weak() => Some(format!(
            "the plan is {}, and adequacy is enforced",
            report.badge.as_word()
        )),
        Some(most) => Some(format!(
            "the plan's risk is {risk:.2}, above the limit of {most:.2}"
        )),
        None => None,
    }
}

fn finding(finding: &adequacy::Finding) -> Finding {
    Finding {
        id: finding.id.clone(),
        code: finding.code.as_str().to_owned(),
        severity: finding.severity.as_str().to_owned(),
        task: finding.task.as_ref().map(|task| task.0.clone()),
        line: finding.line,
        message: finding.message.clone(),
        question: finding.question.clone(),
        fix: finding.fixes.first().map(|fix| fix.label.clone()),
        fixes: labels(&finding.fixes),
        place: [finding.place.start, finding.place.end],
        muted: finding.muted.clone(),
    }
}

/// The labels of a finding's fixes.
pub fn labels(fixes: &[adequacy::Fix]) -> Vec<String> {
    fixes.iter().map(|fix| fix.label.clone()).collect()
}

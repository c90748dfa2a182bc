//! A plan's outline, its sections, and the reasons for its badge. Sizes don't depend on the number
//! of tasks.

use std::collections::HashMap;
use std::ops::Range;

use adequacy::Report;
use plan::TaskKind;

use super::parsed::ParsedPlan;
use super::reading::Located;
use super::rows::cut;
use super::summaries::{mark, progress};
use crate::wire::{
    Badge, CouldBeTasks, FindingsReport, Outline, PlanProblem, Requirement, ScoreDimension,
    ScoreMissing, ScoreReason, Section, WindowFinding,
};
use crate::{Desktop, Shared};
use workbench::checking::labels;
use workbench::error::Result;
use workbench::markdown;
use workbench::text::{counted, number};

/// Maximum bytes of introductory text in an outline.
const MAX_INTRO_LEN: usize = 16 << 10;

/// Maximum bytes of one section.
const MAX_SECTION_LEN: usize = 256 << 10;

/// Maximum problems listed.
const MAX_PROBLEMS: usize = 100;

/// Maximum requirements listed.
const MAX_REQUIREMENTS: usize = 500;

/// Maximum tasks listed per requirement.
const MAX_COVERING: usize = 20;

/// Maximum findings in one answer.
const MAX_FINDINGS: usize = 200;

/// The word and number next to the shield.
pub(crate) fn badge(report: &Report) -> Badge {
    Badge {
        word: report.badge.as_str().to_owned(),
        score: percent(report.score),
        findings: number(heard(report).count()),
        critical: report.critical_count,
    }
}

/// The findings that aren't muted.
pub(crate) fn heard(report: &Report) -> impl Iterator<Item = &adequacy::Finding> {
    report
        .findings
        .iter()
        .filter(|finding| finding.muted.is_none())
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the number is between 0 and 100"
)]
pub(crate) fn percent(share: f64) -> u32 {
    (share * 100.0).clamp(0.0, 100.0).round_ties_even() as u32
}

impl Shared {
    /// The outline of a parsed plan.
    pub(super) fn outline_of(&self, located: &Located, parsed: &ParsedPlan) -> Result<Outline> {
        let plan = &parsed.plan;
        let revision = parsed.revision().as_str();
        let (done, total) = progress(plan);
        let intro = intro(parsed).map_or("", |range| &parsed.text()[range]);
        let problems = parsed.problems.iter().take(MAX_PROBLEMS);
        let (items, headings) = plan::edit::could_be_tasks(parsed.text(), plan);
        let workbench = self.workbench();
        let undo = workbench.store.plan_undo();
        let (conflicts, own_conflicts) = self.open_conflicts(&workbench.store, &parsed.key)?;
        Ok(Outline {
            plan: parsed.key.clone(),
            path: located.shown(),
            workspace: located.root.display().to_string(),
            revision: revision.to_owned(),
            title: plan
                .title
                .as_ref()
                .map(|title| title.text.clone())
                .unwrap_or_default(),
            goal: plan.front.goal.clone(),
            intro_html: markdown::render(intro, MAX_INTRO_LEN),
            intro: markdown::cut(intro, MAX_INTRO_LEN).to_owned(),
            requirements: requirements(parsed),
            rows: number(plan.tasks.len()),
            done,
            total,
            is_over: plan.is_over(),
            badge: badge(&parsed.report),
            dialect: plan.dialect.as_str().to_owned(),
            problems: problems
                .map(|problem| PlanProblem {
                    code: problem.code.as_str().to_owned(),
                    task: problem.task.as_ref().map(ToString::to_string),
                    line: problem.line,
                    message: problem.message.clone(),
                })
                .collect(),
            is_writable: located.is_writable(),
            read_only: located.refusal(),
            is_foreign: located.foreign.is_some(),
            could_be_tasks: CouldBeTasks {
                items: number(items),
                headings: number(headings),
            },
            conflicts,
            own_conflicts,
            undo: undo.last(&parsed.key)?.map(|entry| entry.label),
            redo: undo.next(&parsed.key)?.map(|entry| entry.label),
            mark: mark(&workbench, &parsed.key, revision)?,
            run: workbench
                .store
                .runs()
                .of_plan(&parsed.key)?
                .into_iter()
                .next()
                .map(|run| run.id),
        })
    }
}

fn intro(parsed: &ParsedPlan) -> Option<Range<usize>> {
    plan::edit::intro(parsed.text(), &parsed.plan)
}

fn requirements(parsed: &ParsedPlan) -> Vec<Requirement> {
    let mut covering: HashMap<&str, Vec<&str>> = HashMap::new();
    for task in &parsed.plan.tasks {
        for id in &task.covers {
            let tasks = covering.entry(id).or_default();
            if tasks.len() < MAX_COVERING {
                tasks.push(task.id.as_str());
            }
        }
    }
    let requirements = parsed.plan.requirements.iter().take(MAX_REQUIREMENTS);
    requirements
        .map(|requirement| {
            let tasks = covering.get(requirement.id.as_str());
            let covered_by = tasks.into_iter().flatten();
            Requirement {
                id: requirement.id.clone(),
                text: requirement.text.clone(),
                is_covered: tasks.is_some(),
                covered_by: covered_by.map(|task| (*task).to_owned()).collect(),
            }
        })
        .collect()
}

impl Desktop {
    /// One section, up to 256 KiB: `intro`, `requirements`, `decisions` or a heading's text.
    ///
    /// # Errors
    /// Same as [`Desktop::outline`]; [`workbench::Code::Usage`] if there is no such section.
    pub fn section(&self, plan: &str, revision: &str, name: &str) -> Result<Section> {
        let parsed = &*self.shared.parsed_at(plan, revision)?;
        let found = match name {
            "intro" => Some(intro(parsed).unwrap_or_default()),
            "decisions" => parsed.plan.decisions_section.clone(),
            heading => markdown::section(parsed.text(), heading),
        };
        let range =
            found.ok_or_else(|| err!(Usage: "the plan has no section “{}”", cut(name, 100)))?;
        let text = parsed.text().get(range).unwrap_or_default();
        Ok(Section {
            revision: parsed.revision().as_str().to_owned(),
            markdown: markdown::cut(text, MAX_SECTION_LEN).to_owned(),
            html: markdown::render(text, MAX_SECTION_LEN),
        })
    }

    /// The findings, the score and the reasons for the badge.
    pub fn findings(&self, plan: &str, revision: &str) -> Result<FindingsReport> {
        let parsed = &*self.shared.parsed_at(plan, revision)?;
        let report = &parsed.report;
        let shown = report.findings.iter().take(MAX_FINDINGS);
        let codes = report.adequacy_reason_codes.iter();
        Ok(FindingsReport {
            revision: parsed.revision().as_str().to_owned(),
            badge: badge(report),
            summary: summary(parsed),
            reason_codes: codes.map(|code| code.as_str().to_owned()).collect(),
            findings: shown
                .map(|finding| WindowFinding {
                    id: finding.id.clone(),
                    code: finding.code.as_str().to_owned(),
                    severity: finding.severity.as_str().to_owned(),
                    task: finding.task.as_ref().map(ToString::to_string),
                    line: finding.line,
                    message: finding.message.clone(),
                    question: finding.question.clone(),
                    fixes: labels(&finding.fixes),
                    muted: finding.muted.clone(),
                })
                .collect(),
            more: number(report.findings.len().saturating_sub(MAX_FINDINGS)),
            dimensions: report.dimensions.iter().map(dimension).collect(),
            missing: adequacy::most_missing(&report.dimensions).map(missing),
            reasons: report.reasons.iter().map(reason).collect(),
        })
    }
}

fn dimension(one: &adequacy::Dimension) -> ScoreDimension {
    ScoreDimension {
        name: one.name.as_str().to_owned(),
        share: one.share.map(percent),
        credited: one.credited.clone(),
        missing: one.missing.as_ref().map(missing),
    }
}

fn missing(one: &adequacy::Missing) -> ScoreMissing {
    ScoreMissing {
        line: one.line,
        message: one.message.clone(),
        points: percent(one.adds),
    }
}

fn reason(reason: &adequacy::Reason) -> ScoreReason {
    ScoreReason {
        code: reason.code.as_str().to_owned(),
        points: percent(1.0 - reason.factor),
        message: reason.message.clone(),
    }
}

/// The numbers that led to the badge, as short phrases.
fn summary(parsed: &ParsedPlan) -> Vec<String> {
    let (plan, report) = (&parsed.plan, &parsed.report);
    let work = plan
        .leaves()
        .filter(|(_, task)| task.kind == TaskKind::Normal);
    let steps = work.count();
    let least = report.detail_target_min_tasks;
    let mut summary = vec![format!(
        "{}, at least {least} expected",
        counted(steps, "step")
    )];
    if !plan.requirements.is_empty() {
        let covered = report.requirements.iter().filter(|one| one.covered).count();
        let all = counted(plan.requirements.len(), "requirement");
        summary.push(format!("{covered} of {all} covered"));
    }
    if report.critical_count > 0 {
        let steps = counted(report.critical_count as usize, "step");
        summary.push(format!("{steps} with a critical finding"));
    }
    let risk = percent(report.aggregate_unresolved_risk);
    summary.push(format!("risk {risk} of 100"));
    summary
}

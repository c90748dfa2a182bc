//! Checks one plan: runs every rule once, then computes score, verdict and badge.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use crate::code::{Badge, Code, Severity};
use crate::coverage::Coverage;
use crate::dimensions::{DimensionName, Dimensions, Substance, cap};
use crate::finding_questions::{limit_questions, urgency};
use crate::plan_context::PlanContext;
use crate::plan_rules::{self, Verdict};
use crate::release_steps::{ReleaseSteps, no_way_back};
use crate::report::{CheckInput, Finding, Report};
use crate::surplus::Surplus;
use crate::{
    commands, destructive_steps, mute, open_questions, order, outdated_base, oversized, parallel,
    path_rules, problems, reasons, symbols, task_fixes, task_rules, unbound_verification,
};

/// Scores a plan and explains the score. Deterministic: the same input gives the same report.
pub fn check(input: &CheckInput<'_>) -> Report {
    let context = PlanContext::of(input);
    let Rules {
        tasks,
        surplus,
        mut coverage,
        substance,
        release_steps,
        mut findings,
    } = Rules::of(&context);

    let mut verdicts = plan_rules::verdicts(&context, &surplus, &coverage.unmapped);
    verdicts.append(&mut coverage.verdicts);
    verdicts.extend(order::releases(&context, &release_steps));
    verdicts.extend(no_way_back(&context, &release_steps));
    let factor = factor_of(&verdicts, is_beside);
    // The checks dimension already accounts for missing verification.
    let beside = factor_of(&verdicts, |code| {
        is_beside(code) && code != Code::MissingPlanVerification
    });
    let reason_codes = reason_codes(&verdicts);
    let reasons = reasons::of(&verdicts, &coverage);
    let risk = tasks.risk;

    findings.extend(tasks.findings);
    findings.extend(surplus.duplicates);
    findings.extend(verdicts.into_iter().map(|verdict| verdict.finding));
    findings.append(&mut coverage.findings);
    put_in_order(&mut findings);
    let mut dimensions = Dimensions::of(&context, &coverage, &substance, &findings);
    let rest = beside * cap(&findings);
    let score = dimensions.earned() * rest;
    dimensions.scale_missing(rest);
    let is_too_thin = input.plan.tasks.is_empty()
        || is_too_thin(factor, reason_codes.iter().copied().any(is_beside), risk)
        || coverage.is_mostly_open;
    mute::mark(input.plan, &mut findings);
    limit_questions(&context, &mut findings);

    Report {
        score,
        factor,
        badge: badge(
            &context,
            &dimensions,
            score,
            is_too_thin || coverage.is_for_another_goal,
            coverage.requirements.is_empty() || coverage.requirements.iter().any(|one| one.covered),
            &reason_codes,
            &findings,
        ),
        is_too_thin,
        adequacy_reason_codes: reason_codes,
        detail_target_min_tasks: context.floor,
        estimated_goal_complexity: context.complexity,
        aggregate_unresolved_risk: risk,
        critical_count: critical_count(&findings),
        coverage: dimensions.share(DimensionName::Coverage),
        substance: dimensions.share(DimensionName::Substance),
        checks: dimensions.share(DimensionName::Checks).unwrap_or(0.0),
        order: dimensions.share(DimensionName::Order).unwrap_or(0.0),
        dimensions: dimensions.into_list(),
        requirements: coverage.requirements,
        findings,
        reasons,
    }
}

/// Whether a plan code is not reflected in any dimension, so its factor lowers the score directly.
fn is_beside(code: Code) -> bool {
    !matches!(
        code,
        Code::UncoveredRequirement
            | Code::UncoveredGoal
            | Code::ReleaseBeforeCheck
            | Code::NoWayBack
    )
}

/// The product of the factors of all raised codes for which `counts` is true.
fn factor_of(verdicts: &[Verdict], counts: impl Fn(Code) -> bool) -> f64 {
    let counted = verdicts
        .iter()
        .filter(|verdict| counts(verdict.finding.code));
    counted
        .map(|verdict| verdict.factor)
        .product::<f64>()
        .clamp(0.0, 1.0)
}

/// Results of the rules that examine only the plan, not the results of other rules.
struct Rules {
    tasks: TaskFindings,
    surplus: Surplus,
    coverage: Coverage,
    substance: Substance,
    release_steps: ReleaseSteps,
    /// Findings of all remaining rules.
    findings: Vec<Finding>,
}

impl Rules {
    /// Runs the rules in pairs of roughly equal cost, so that each pair can run in parallel.
    fn of(context: &PlanContext<'_>) -> Self {
        let words = || context.both(|| TaskFindings::of(context), || Surplus::of(context));
        let places = || {
            let paths = || path_rules::findings(context);
            context.both(paths, || of_commands(context))
        };
        let said = || {
            let substance = Substance::of(context);
            (Coverage::of(context, &substance), substance)
        };
        let whole = || context.both(said, || of_order(context));
        let (
            ((mut tasks, mut surplus), (paths, commands)),
            ((coverage, substance), (release_steps, order)),
        ) = context.both(|| context.both(words, places), whole);
        surplus.fillers = std::mem::take(&mut tasks.fillers);
        let findings = [paths, commands, order].into_iter().flatten().collect();
        Self {
            tasks,
            surplus,
            coverage,
            substance,
            release_steps,
            findings,
        }
    }
}

fn of_commands(context: &PlanContext<'_>) -> Vec<Finding> {
    let mut findings = problems::findings(context);
    task_fixes::fix_problems(context, &mut findings);
    findings.extend(unbound_verification::findings(context));
    findings.extend(commands::findings(context));
    findings.extend(outdated_base::findings(context));
    findings.extend(symbols::findings(context));
    findings
}

fn of_order(context: &PlanContext<'_>) -> (ReleaseSteps, Vec<Finding>) {
    let mut findings = parallel::findings(context);
    findings.extend(open_questions::of_plan(context));
    findings.extend(mute::findings(context.plan));
    (ReleaseSteps::of(context), findings)
}

/// Findings about individual tasks, and the tasks' combined risk.
struct TaskFindings {
    findings: Vec<Finding>,
    fillers: HashSet<usize>,
    risk: f64,
}

impl TaskFindings {
    fn of(context: &PlanContext<'_>) -> Self {
        let mut beside: HashMap<usize, Vec<Finding>> = HashMap::new();
        let dependencies = (0..context.plan.tasks.len()).filter_map(|index| {
            Some((index, task_rules::deps_incomplete_or_order(context, index)?))
        });
        for (index, finding) in dependencies
            .chain(order::inversions(context))
            .chain(destructive_steps::findings(context))
        {
            beside.entry(index).or_default().push(finding);
        }
        let mut findings = Vec::new();
        let mut fillers = HashSet::new();
        let mut doubt = 0.0;
        for step in &context.steps {
            let mut own = task_rules::of_step(context, step);
            own.extend(beside.remove(&step.index).into_iter().flatten());
            own.extend(oversized::finding(context, step));
            own.extend(open_questions::finding(context, step));
            let confidence: f64 = own.iter().map(task_rules::confidence_factor).product();
            doubt += 1.0 - confidence;
            if own.iter().any(|finding| finding.code == Code::FillerTask) {
                fillers.insert(step.index);
            }
            findings.append(&mut own);
        }
        // Findings of groups, checkpoints and decisions, which have no confidence of their own.
        // Their order does not matter: the report is sorted.
        findings.extend(beside.into_values().flatten());
        let risk = if context.steps.is_empty() {
            0.0
        } else {
            doubt / context.steps.len() as f64
        };
        Self {
            findings,
            fillers,
            risk,
        }
    }
}

fn reason_codes(verdicts: &[Verdict]) -> Vec<Code> {
    let mut codes: Vec<Code> = Vec::new();
    for verdict in verdicts {
        if !codes.contains(&verdict.finding.code) {
            codes.push(verdict.finding.code);
        }
    }
    codes
}

/// Below this score the badge is thin, even if `is_too_thin` is false.
const THIN: f64 = 0.45;
/// Minimum score for the adequate badge.
const ADEQUATE: f64 = 0.7;

fn is_too_thin(score: f64, has_plan_code: bool, risk: f64) -> bool {
    (has_plan_code && score < 0.82) || score < 0.58 || risk > 0.32
}

fn badge(
    context: &PlanContext<'_>,
    dimensions: &Dimensions,
    score: f64,
    is_thin: bool,
    is_any_covered: bool,
    reason_codes: &[Code],
    findings: &[Finding],
) -> Badge {
    let is_critical = findings
        .iter()
        .any(|finding| finding.severity == Severity::Critical);
    if context.plan.tasks.is_empty() {
        Badge::Empty
    } else if dimensions.is_outline() {
        Badge::Outline
    } else if is_thin || score < THIN {
        Badge::Thin
    } else if reason_codes.contains(&Code::Overgrown) {
        Badge::Overgrown
    } else if score >= ADEQUATE
        && dimensions.meet_minimums()
        && !is_critical
        && !reason_codes.contains(&Code::UncoveredRequirement)
        && !is_unfinished(findings)
        && is_any_covered
    {
        Badge::Adequate
    } else {
        Badge::Fair
    }
}

/// Whether a step contains a placeholder for text still to be written.
fn is_unfinished(findings: &[Finding]) -> bool {
    let mut placeholders = findings
        .iter()
        .filter(|one| one.code == Code::TbdPlaceholder);
    placeholders.any(|one| one.severity <= Severity::Major)
}

fn critical_count(findings: &[Finding]) -> u32 {
    let tasks: HashSet<&str> = findings
        .iter()
        .filter(|finding| finding.severity == Severity::Critical)
        .filter_map(|finding| finding.task.as_ref())
        .map(|task| task.as_str())
        .collect();
    u32::try_from(tasks.len()).unwrap_or(u32::MAX)
}

/// Sorts the findings and makes their ids unique.
fn put_in_order(findings: &mut [Finding]) {
    findings.sort_by_cached_key(|finding| {
        (
            finding.severity,
            finding.line,
            Reverse(urgency(finding.code)),
            finding.code.as_str(),
        )
    });
    let mut times: HashMap<&str, u32> = HashMap::with_capacity(findings.len());
    let again: Vec<(usize, u32)> = findings
        .iter()
        .enumerate()
        .filter_map(|(index, finding)| {
            let nth = times.entry(&finding.id).or_default();
            *nth += 1;
            (*nth > 1).then_some((index, *nth))
        })
        .collect();
    for (index, nth) in again {
        let finding = &mut findings[index];
        finding.id = format!("{}-{nth}", finding.id);
    }
}

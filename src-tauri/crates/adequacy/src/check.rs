//! The check of one plan: every rule once, then score, verdict and badge.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use crate::code::{Badge, Code, Severity};
use crate::coverage::Coverage;
use crate::dimensions::{DimensionName, Dimensions, Substance, cap};
use crate::finals::{Finals, no_way_back};
use crate::plan_rules::{self, Verdict};
use crate::questions::{keep_few, urgency};
use crate::reading::Reading;
use crate::report::{CheckInput, Finding, Report};
use crate::surplus::Surplus;
use crate::{
    base, binding, commands, dangers, mute, open_questions, order, oversized, parallel, path_rules,
    problems, reasons, symbols, task_fixes, task_rules,
};

/// Says how adequate a plan is, and why. The same input gives the same report.
pub fn check(input: &CheckInput<'_>) -> Report {
    let reading = Reading::of(input);
    let Rules {
        tasks,
        surplus,
        mut coverage,
        substance,
        finals,
        mut findings,
    } = Rules::of(&reading);

    let mut verdicts = plan_rules::verdicts(&reading, &surplus, &coverage.unmapped);
    verdicts.append(&mut coverage.verdicts);
    verdicts.extend(order::releases(&reading, &finals));
    verdicts.extend(no_way_back(&reading, &finals));
    let factor = factor_of(&verdicts, is_beside);
    // Whether anything is checked is earned in a dimension.
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
    let mut dimensions = Dimensions::of(&reading, &coverage, &substance, &findings);
    let rest = beside * cap(&findings);
    let score = dimensions.earned() * rest;
    dimensions.weigh_missing(rest);
    let is_too_thin = input.plan.tasks.is_empty()
        || is_too_thin(factor, reason_codes.iter().copied().any(is_beside), risk)
        || coverage.is_mostly_open;
    mute::mark(input.plan, &mut findings);
    keep_few(&reading, &mut findings);

    Report {
        score,
        factor,
        badge: badge(
            &reading,
            &dimensions,
            score,
            is_too_thin || coverage.is_for_another,
            coverage.wanted.is_empty() || coverage.wanted.iter().any(|wanted| wanted.covered),
            &reason_codes,
            &findings,
        ),
        is_too_thin,
        adequacy_reason_codes: reason_codes,
        detail_target_min_tasks: reading.floor,
        estimated_goal_complexity: reading.complexity,
        aggregate_unresolved_risk: risk,
        critical_count: critical_count(&findings),
        coverage: dimensions.share(DimensionName::Coverage),
        substance: dimensions.share(DimensionName::Substance),
        checks: dimensions.share(DimensionName::Checks).unwrap_or(0.0),
        order: dimensions.share(DimensionName::Order).unwrap_or(0.0),
        dimensions: dimensions.into_list(),
        requirements: coverage.wanted,
        findings,
        reasons,
    }
}

/// The plan codes that the four dimensions do not look at.
fn is_beside(code: Code) -> bool {
    !matches!(
        code,
        Code::UncoveredRequirement
            | Code::UncoveredGoal
            | Code::ReleaseBeforeCheck
            | Code::NoWayBack
    )
}

/// The factors of the codes that were raised.
fn factor_of(verdicts: &[Verdict], counts: impl Fn(Code) -> bool) -> f64 {
    let counted = verdicts
        .iter()
        .filter(|verdict| counts(verdict.finding.code));
    counted
        .map(|verdict| verdict.factor)
        .product::<f64>()
        .clamp(0.0, 1.0)
}

/// What every rule says that looks at the plan alone, and not at what other rules say.
struct Rules {
    tasks: TaskFindings,
    surplus: Surplus,
    coverage: Coverage,
    substance: Substance,
    finals: Finals,
    /// Those of all other rules.
    findings: Vec<Finding>,
}

impl Rules {
    /// Two by two, so that each pair takes about as long as the other.
    fn of(reading: &Reading<'_>) -> Self {
        let words = || reading.both(|| TaskFindings::of(reading), || Surplus::of(reading));
        let places = || {
            let paths = || path_rules::findings(reading);
            reading.both(paths, || of_commands(reading))
        };
        let said = || {
            let substance = Substance::of(reading);
            (Coverage::of(reading, &substance), substance)
        };
        let whole = || reading.both(said, || of_order(reading));
        let (
            ((mut tasks, mut surplus), (paths, commands)),
            ((coverage, substance), (finals, order)),
        ) = reading.both(|| reading.both(words, places), whole);
        surplus.fillers = std::mem::take(&mut tasks.fillers);
        let findings = [paths, commands, order].into_iter().flatten().collect();
        Self {
            tasks,
            surplus,
            coverage,
            substance,
            finals,
            findings,
        }
    }
}

fn of_commands(reading: &Reading<'_>) -> Vec<Finding> {
    let mut findings = problems::findings(reading);
    task_fixes::mend_problems(reading, &mut findings);
    findings.extend(binding::findings(reading));
    findings.extend(commands::findings(reading));
    findings.extend(base::findings(reading));
    findings.extend(symbols::findings(reading));
    findings
}

fn of_order(reading: &Reading<'_>) -> (Finals, Vec<Finding>) {
    let mut findings = parallel::findings(reading);
    findings.extend(open_questions::of_plan(reading));
    findings.extend(mute::findings(reading.plan));
    (Finals::of(reading), findings)
}

/// The findings about single tasks and what they add up to.
struct TaskFindings {
    findings: Vec<Finding>,
    fillers: HashSet<usize>,
    risk: f64,
}

impl TaskFindings {
    fn of(reading: &Reading<'_>) -> Self {
        let mut beside: HashMap<usize, Vec<Finding>> = HashMap::new();
        let dependencies = (0..reading.plan.tasks.len()).filter_map(|index| {
            Some((index, task_rules::deps_incomplete_or_order(reading, index)?))
        });
        for (index, finding) in dependencies
            .chain(order::inversions(reading))
            .chain(dangers::findings(reading))
        {
            beside.entry(index).or_default().push(finding);
        }
        let mut findings = Vec::new();
        let mut fillers = HashSet::new();
        let mut doubt = 0.0;
        for step in &reading.steps {
            let mut own = task_rules::of_step(reading, step);
            own.extend(beside.remove(&step.index).into_iter().flatten());
            own.extend(oversized::finding(reading, step));
            own.extend(open_questions::finding(reading, step));
            let confidence: f64 = own.iter().map(task_rules::confidence_factor).product();
            doubt += 1.0 - confidence;
            if own.iter().any(|finding| finding.code == Code::FillerTask) {
                fillers.insert(step.index);
            }
            findings.append(&mut own);
        }
        // Those of groups, checkpoints and decisions, which have no confidence of their own. Their
        // order does not matter: the report is sorted.
        findings.extend(beside.into_values().flatten());
        let risk = if reading.steps.is_empty() {
            0.0
        } else {
            doubt / reading.steps.len() as f64
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

/// Below, the badge is thin whatever the rule for `is_too_thin` says.
const THIN: f64 = 0.45;
/// From here on it can be adequate.
const ADEQUATE: f64 = 0.7;

fn is_too_thin(score: f64, has_plan_code: bool, risk: f64) -> bool {
    (has_plan_code && score < 0.82) || score < 0.58 || risk > 0.32
}

fn badge(
    reading: &Reading<'_>,
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
    if reading.plan.tasks.is_empty() {
        Badge::Empty
    } else if dimensions.is_outline() {
        Badge::Outline
    } else if is_thin || score < THIN {
        Badge::Thin
    } else if reason_codes.contains(&Code::Overgrown) {
        Badge::Overgrown
    } else if score >= ADEQUATE
        && dimensions.are_enough()
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

/// Whether a step says of itself that it is still to be written.
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

//! Converts parse problems to findings.

use std::collections::HashMap;

use plan::{Dialect, Problem, ProblemCode, Requirement, Task};

use crate::code::{Code, Severity};
use crate::identity::own_text;
use crate::plan_context::PlanContext;
use crate::report::Finding;

/// Maximum number of separate findings for problems of the same kind in one task; the last finding
/// says how many more there are.
const MAX_OF_A_KIND: usize = 50;

/// One finding for each problem, with the code and message of the problem.
pub(crate) fn findings(context: &PlanContext<'_>) -> Vec<Finding> {
    let (plan, problems) = (context.plan, context.input.problems);
    if problems.is_empty() {
        return Vec::new();
    }
    let listed = context.listed();
    let mut tasks: HashMap<&str, Vec<&Task>> = HashMap::new();
    for task in &plan.tasks {
        tasks.entry(task.id.as_str()).or_default().push(task);
    }
    let kind = |problem: &'_ Problem| (problem.code, problem.task.as_ref().map(|id| id.0.clone()));
    let mut counts: HashMap<_, usize> = HashMap::new();
    let mut findings = Vec::new();
    for problem in problems {
        if !context.lists_in_plan() && names_one_of(listed, problem) {
            continue;
        }
        let count = counts.entry(kind(problem)).or_default();
        *count += 1;
        if *count <= MAX_OF_A_KIND || problem.task.is_none() {
            findings.push((problem, finding(context, &tasks, problem)));
        }
    }
    for (problem, finding) in findings.iter_mut().rev() {
        if let Some(count) = counts.remove(&kind(problem))
            && count > MAX_OF_A_KIND
            && problem.task.is_some()
        {
            let more = count - MAX_OF_A_KIND;
            finding.message = format!("{} ({more} more like this)", finding.message);
        }
    }
    findings.into_iter().map(|(_, finding)| finding).collect()
}

/// Whether the target of a reference that the parser could not resolve is listed outside the file.
fn names_one_of(listed: &[Requirement], problem: &Problem) -> bool {
    problem.code == ProblemCode::DanglingReference
        && problem.message.starts_with("`covers`")
        && listed
            .iter()
            .any(|one| problem.message.contains(&format!(" names {},", one.id)))
}

fn finding(
    context: &PlanContext<'_>,
    tasks: &HashMap<&str, Vec<&Task>>,
    problem: &Problem,
) -> Finding {
    let code = Code::Problem(problem.code);
    let severity = match severity(problem.code) {
        // In a format in which steps don't refer to each other, a duplicate number is a typo.
        Severity::Critical
            if problem.code == ProblemCode::DuplicateId && !has_references(context) =>
        {
            Severity::Minor
        }
        severity => severity,
    };
    // Several tasks may share an id; the line tells which of them has the problem.
    let task = problem.task.as_ref().and_then(|id| {
        let same_id = tasks.get(id.as_str())?;
        let after = same_id.partition_point(|task| task.line <= problem.line);
        same_id.get(after.saturating_sub(1))
    });
    let mut finding = match task {
        Some(task) => Finding::for_task(task, own_text(task), code, severity),
        None => Finding::for_plan(context.plan, &problem.message, code, severity),
    };
    finding.line = problem.line;
    finding.task.clone_from(&problem.task);
    finding.with_message(problem.message.clone())
}

/// Whether steps in this format refer to each other by id.
fn has_references(context: &PlanContext<'_>) -> bool {
    matches!(context.plan.dialect, Dialect::Native | Dialect::SpecKit)
}

fn severity(code: ProblemCode) -> Severity {
    match code {
        ProblemCode::DuplicateId | ProblemCode::GroupWithWork | ProblemCode::Cycle => {
            Severity::Critical
        }
        ProblemCode::FrontMatter
        | ProblemCode::UnknownVersion
        | ProblemCode::DanglingReference
        | ProblemCode::BadCall => Severity::Major,
        ProblemCode::BadValue => Severity::Minor,
        ProblemCode::LooseKey | ProblemCode::OddBox => Severity::Info,
    }
}

//! Rules about the plan as a whole: too few tasks, nothing checked, nothing linked.
//!
//! Each rule results in a [`Verdict`]: a finding and its factor on the score. [`verdicts`]
//! determines the order of `adequacy_reason_codes`.

use std::collections::HashSet;
use std::sync::LazyLock;

use plan::Dialect;
use regex::Regex;

use crate::code::{Code, Severity};
use crate::dimensions;
use crate::mend::Fix;
use crate::plan_context::{PlanContext, Step};
use crate::regression;
use crate::report::{Finding, quoted};
use crate::surplus::Surplus;
use crate::task_text::says_check;
use crate::verification::text_or_command_matches;
use crate::{parallel, plan_fixes, repeated_phrasing};

/// A plan code that was raised, with its factor on the score.
pub(crate) struct Verdict {
    pub(crate) finding: Finding,
    /// 0 to 1; 1 if the code doesn't affect the score.
    pub(crate) factor: f64,
}

impl Verdict {
    /// Adds fixes and, if there are several to choose from, a question.
    fn mended(mut self, question: Option<String>, fixes: impl IntoIterator<Item = Fix>) -> Self {
        self.finding.question = question;
        self.finding = self
            .finding
            .with_fixes(fixes)
            .drop_question_without_answers();
        self
    }
}

/// All plan codes that apply, except those about requirements.
pub(crate) fn verdicts(
    context: &PlanContext<'_>,
    surplus: &Surplus,
    unmapped: &HashSet<usize>,
) -> Vec<Verdict> {
    let mut verdicts: Vec<Verdict> = [
        no_tasks(context, surplus),
        too_few_tasks(context, surplus),
        mega_task_cluster(context),
        missing_plan_verification(context),
        flat_dependency_graph(context),
        goal_paths_unlinked(context),
        verbose_but_low_surface(context),
        repeated_phrasing::verdict(context),
        surplus.overgrown(context, unmapped),
    ]
    .into_iter()
    .flatten()
    .collect();
    verdicts.extend(regression::verdicts(context));
    verdicts
}

pub(crate) fn verdict(
    context: &PlanContext<'_>,
    code: Code,
    severity: Severity,
    factor: f64,
    message: String,
) -> Option<Verdict> {
    let finding = Finding::for_plan(context.plan, "", code, severity).with_message(message);
    Some(Verdict { finding, factor })
}

fn no_tasks(context: &PlanContext<'_>, surplus: &Surplus) -> Option<Verdict> {
    if !context.plan.tasks.is_empty() {
        return None;
    }
    // `too_few_tasks` already lowers the score of an empty plan by this much; count it only once.
    let factor = if too_few_tasks(context, surplus).is_some() {
        1.0
    } else {
        factor_of_missing(1.0)
    };
    let message = "The plan has no steps: write them as list items that start with `- [ ]`.";
    verdict(
        context,
        Code::NoTasks,
        Severity::Major,
        factor,
        message.to_owned(),
    )
    .map(|verdict| verdict.mended(None, plan_fixes::first_steps(context)))
}

fn factor_of_missing(share: f64) -> f64 {
    (1.0 - 0.45 * share).max(0.35)
}

fn too_few_tasks(context: &PlanContext<'_>, surplus: &Surplus) -> Option<Verdict> {
    const SIZEABLE: u32 = 5;
    // Generic steps and duplicates aren't counted.
    let (count, floor) = (surplus.substantial(context), context.floor as usize);
    let written = context.steps.len();
    let applies = context.goal.is_some() && context.complexity >= SIZEABLE && !context.is_growing();
    if !applies || count >= floor {
        return None;
    }
    let missing = floor - count;
    let remedy = if count == 0 {
        "write them"
    } else {
        "split the largest, or add what is missing"
    };
    let message = if written > count {
        format!(
            "A goal of this size needs at least {floor} steps, and only {count} of the {written} in the plan \
             are specific: {remedy}."
        )
    } else {
        format!(
            "A goal of this size needs at least {floor} steps and the plan has {count}: {remedy}."
        )
    };
    let factor = factor_of_missing(missing as f64 / floor as f64);
    let question = "What work is missing from the plan?".to_owned();
    let fixes = if count == 0 {
        Vec::new()
    } else {
        plan_fixes::more_steps(context, missing)
    };
    // Acceptance criteria don't count as steps.
    let severity = match context.lists_criteria {
        true => Severity::Info,
        false => Severity::Major,
    };
    verdict(context, Code::TooFewTasks, severity, factor, message)
        .map(|verdict| verdict.mended(Some(question), fixes))
}

fn mega_task_cluster(context: &PlanContext<'_>) -> Option<Verdict> {
    const MEGA: u8 = 9;
    let mut mega = context.steps.iter().filter(|step| step.complexity >= MEGA);
    let (first, second) = (mega.next()?, mega.next()?);
    if context.steps.len() >= context.floor as usize + 2 {
        return None;
    }
    let message = format!(
        "The plan depends on very large steps such as {} and {}: split each into steps that can be \
         checked one by one.",
        quoted(&first.task.title),
        quoted(&second.task.title)
    );
    verdict(
        context,
        Code::MegaTaskCluster,
        Severity::Major,
        0.78,
        message,
    )
}

fn missing_plan_verification(context: &PlanContext<'_>) -> Option<Verdict> {
    let goal = context.goal?;
    if context.steps.is_empty() || context.lists_criteria || !changes_behavior(goal) {
        return None;
    }
    // Formats without `verify:` describe their checks in prose and code.
    let is_keyless = context.plan.dialect != Dialect::Native;
    let shows_command = |step| is_keyless && dimensions::shows_command(step);
    if context
        .steps
        .iter()
        .any(|step| checks(step) || dimensions::has_check(step) || shows_command(step))
    {
        return None;
    }
    let example = context.input.facts.commands.first();
    let example = example
        .map(|command| format!(", for example `{command}`"))
        .unwrap_or_default();
    let message = format!(
        "The goal changes behavior, but no step checks it: add a `verify:` command{example}, or a step \
         that tests the result."
    );
    verdict(
        context,
        Code::MissingPlanVerification,
        Severity::Major,
        0.72,
        message,
    )
    .map(|verdict| {
        let (question, fixes) = plan_fixes::verification(context);
        verdict.mended(question, fixes)
    })
}

/// Whether a step checks something, by a key or according to its words.
pub(crate) fn checks(step: &Step<'_>) -> bool {
    step.is_proved
        || text_or_command_matches(step.task, &step.text, says_check)
        || step.task.files.iter().any(|path| says_check(path))
}

pub(crate) fn changes_behavior(goal: &str) -> bool {
    static CHANGES: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?i-u)\b(?:(?:re-?)?implement(?:s|ing|ation)?\b|refactor(?:s|ing)?\b|migrat(?:e|es|ing|ion|ions)\b|fix(?:es|ing)? (?:the\b|an? bug|bugs?\b)|add (?:an? )?(?:new )?feature|change (?:the )?api|deprecat(?:e|es|ing|ion)\b|schema|databases?\b)",
        )
        .ok()
    });
    CHANGES
        .as_ref()
        .is_some_and(|changes| changes.is_match(goal))
}

fn flat_dependency_graph(context: &PlanContext<'_>) -> Option<Verdict> {
    const ENOUGH_TO_BRANCH: usize = 4;
    let has_edge = |task: &plan::Task| {
        task.depends
            .as_ref()
            .is_some_and(|depends| !depends.is_empty())
    };
    let count = context.steps.len();
    // Other formats have no explicit dependencies.
    let can_say = context.plan.dialect == Dialect::Native;
    if count < ENOUGH_TO_BRANCH
        || !can_say
        || context.is_growing()
        || context.plan.tasks.iter().any(has_edge)
    {
        return None;
    }
    if parallel::are_independent(context) {
        return None;
    }
    let message = format!(
        "None of the {count} steps has `depends:`, so each depends on the one above it: name the \
         real prerequisites, or `none`."
    );
    verdict(
        context,
        Code::FlatDependencyGraph,
        Severity::Minor,
        0.85,
        message,
    )
    .map(|verdict| verdict.mended(None, plan_fixes::edges(context)))
}

fn goal_paths_unlinked(context: &PlanContext<'_>) -> Option<Verdict> {
    let path = goal_path(context)?;
    // Other formats have no `files:`.
    let can_say = context.plan.dialect == Dialect::Native;
    if !can_say || context.steps.iter().any(|step| step.is_linked) {
        return None;
    }
    let message = format!(
        "The goal names `{path}`, but no step names a file: add `files:` to the steps that change it."
    );
    verdict(
        context,
        Code::GoalPathsUnlinked,
        Severity::Major,
        0.80,
        message,
    )
    .map(|verdict| {
        let (question, fixes) = plan_fixes::links(context, path);
        verdict.mended(question, fixes)
    })
}

/// The first path in the goal.
pub(crate) fn goal_path<'a>(context: &PlanContext<'a>) -> Option<&'a str> {
    let mut tokens = context.goal?.split_whitespace().map(bare);
    tokens.find(|token| is_path_like(token, context))
}

/// The token without surrounding punctuation; a leading dot is kept, because it belongs to a path.
fn bare(token: &str) -> &str {
    let is_around = |c: char| {
        matches!(
            c,
            '`' | '"' | '\'' | '(' | ')' | ',' | ';' | ':' | '!' | '?'
        )
    };
    token
        .trim_start_matches(is_around)
        .trim_end_matches(|c| c == '.' || is_around(c))
}

fn is_path_like(token: &str, context: &PlanContext<'_>) -> bool {
    const ROOTS: [&str; 3] = ["crates/", "src/", "docs/"];
    if !token.contains('/') || token.contains("://") {
        return false;
    }
    let name = token.rsplit('/').next().unwrap_or_default();
    let has_extension = name.rsplit_once('.').is_some_and(|(_, extension)| {
        extension.starts_with(|c: char| c.is_ascii_alphabetic())
            && extension.len() <= 5
            && extension.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    has_extension
        || ROOTS.iter().any(|root| token.starts_with(root))
        || context.input.facts.has_file(token) == Some(true)
}

fn verbose_but_low_surface(context: &PlanContext<'_>) -> Option<Verdict> {
    const LARGE: u32 = 6;
    const SHORT_BYTES: usize = 28;
    context.goal?;
    let count = context.steps.len();
    if context.complexity < LARGE || count < (context.floor as usize).max(3) {
        return None;
    }
    let bytes: usize = context
        .steps
        .iter()
        .map(|step| step.text.description().len())
        .sum();
    let linked = context.steps.iter().filter(|step| step.is_linked).count();
    if bytes >= SHORT_BYTES * count || linked * 3 >= count {
        return None;
    }
    let naming = match linked {
        0 => "none names a file".to_owned(),
        1 => "only 1 names a file".to_owned(),
        linked => format!("only {linked} name a file"),
    };
    let message =
        format!("The {count} steps are short, and {naming}: say in each what changes and where.");
    verdict(
        context,
        Code::VerboseButLowSurface,
        Severity::Minor,
        0.86,
        message,
    )
}

//! What is wrong with a plan as a whole: too few tasks, nothing checked, nothing linked.
//!
//! Each rule gives a [`Verdict`]: a finding and the factor it puts on the score. The order of
//! [`verdicts`] is the order of `adequacy_reason_codes`.

use std::collections::HashSet;
use std::sync::LazyLock;

use plan::Dialect;
use regex::Regex;

use crate::code::{Code, Severity};
use crate::dimensions;
use crate::mend::Fix;
use crate::proof::speaks_of;
use crate::reading::{Reading, Step};
use crate::regression;
use crate::report::{Finding, quoted};
use crate::surplus::Surplus;
use crate::text::says_check;
use crate::{parallel, phrasing, plan_fixes};

/// One plan code: why, and what it costs.
pub(crate) struct Verdict {
    pub(crate) finding: Finding,
    /// 0 to 1; 1 where the score stays as it is.
    pub(crate) factor: f64,
}

impl Verdict {
    /// With what can be done about it, and what to ask where there is a choice.
    fn mended(mut self, question: Option<String>, fixes: impl IntoIterator<Item = Fix>) -> Self {
        self.finding.question = question;
        self.finding = self.finding.mended_by(fixes).asking_only_with_answers();
        self
    }
}

/// Every plan code that applies, save those about requirements.
pub(crate) fn verdicts(
    reading: &Reading<'_>,
    surplus: &Surplus,
    unmapped: &HashSet<usize>,
) -> Vec<Verdict> {
    let mut verdicts: Vec<Verdict> = [
        no_tasks(reading, surplus),
        too_few_tasks(reading, surplus),
        mega_task_cluster(reading),
        missing_plan_verification(reading),
        flat_dependency_graph(reading),
        goal_paths_unlinked(reading),
        verbose_but_low_surface(reading),
        phrasing::repeated(reading),
        surplus.overgrown(reading, unmapped),
    ]
    .into_iter()
    .flatten()
    .collect();
    verdicts.extend(regression::verdicts(reading));
    verdicts
}

pub(crate) fn verdict(
    reading: &Reading<'_>,
    code: Code,
    severity: Severity,
    factor: f64,
    message: String,
) -> Option<Verdict> {
    let finding = Finding::of_plan(reading.plan, "", code, severity).saying(message);
    Some(Verdict { finding, factor })
}

fn no_tasks(reading: &Reading<'_>, surplus: &Surplus) -> Option<Verdict> {
    if !reading.plan.tasks.is_empty() {
        return None;
    }
    // `too_few_tasks` already takes this much from an empty plan; one lack is not counted twice.
    let factor = if too_few_tasks(reading, surplus).is_some() {
        1.0
    } else {
        factor_of_missing(1.0)
    };
    let message = "The plan has no task: write the steps as list items that begin with `- [ ]`.";
    verdict(
        reading,
        Code::NoTasks,
        Severity::Major,
        factor,
        message.to_owned(),
    )
    .map(|verdict| verdict.mended(None, plan_fixes::first_steps(reading)))
}

fn factor_of_missing(share: f64) -> f64 {
    (1.0 - 0.45 * share).max(0.35)
}

fn too_few_tasks(reading: &Reading<'_>, surplus: &Surplus) -> Option<Verdict> {
    const SIZEABLE: u32 = 5;
    // Steps that say nothing, or the same again, do not make a plan fuller.
    let (count, floor) = (surplus.substantial(reading), reading.floor as usize);
    let written = reading.steps.len();
    let applies = reading.goal.is_some() && reading.complexity >= SIZEABLE && !reading.is_growing();
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
            "A goal of this size needs at least {floor} steps and of the {written} in the plan only {count} \
             say something of their own: {remedy}."
        )
    } else {
        format!(
            "A goal of this size needs at least {floor} steps and the plan has {count}: {remedy}."
        )
    };
    let factor = factor_of_missing(missing as f64 / floor as f64);
    let question = "What is the work that the plan leaves out?".to_owned();
    let fixes = if count == 0 {
        Vec::new()
    } else {
        plan_fixes::more_steps(reading, missing)
    };
    // What must hold in the end is not counted in steps.
    let severity = match reading.lists_criteria {
        true => Severity::Info,
        false => Severity::Major,
    };
    verdict(reading, Code::TooFewTasks, severity, factor, message)
        .map(|verdict| verdict.mended(Some(question), fixes))
}

fn mega_task_cluster(reading: &Reading<'_>) -> Option<Verdict> {
    const MEGA: u8 = 9;
    let mut mega = reading.steps.iter().filter(|step| step.complexity >= MEGA);
    let (first, second) = (mega.next()?, mega.next()?);
    if reading.steps.len() >= reading.floor as usize + 2 {
        return None;
    }
    let message = format!(
        "The plan rests on very large steps such as {} and {}: split each into steps that can be \
         checked one by one.",
        quoted(&first.task.title),
        quoted(&second.task.title)
    );
    verdict(
        reading,
        Code::MegaTaskCluster,
        Severity::Major,
        0.78,
        message,
    )
}

fn missing_plan_verification(reading: &Reading<'_>) -> Option<Verdict> {
    let goal = reading.goal?;
    if reading.steps.is_empty() || reading.lists_criteria || !changes_behaviour(goal) {
        return None;
    }
    // Formats without `verify:` name their checks in words and code.
    let is_keyless = reading.plan.dialect != Dialect::Native;
    let shows_command = |step| is_keyless && dimensions::shows_command(step);
    if reading
        .steps
        .iter()
        .any(|step| checks(step) || dimensions::has_check(step) || shows_command(step))
    {
        return None;
    }
    let example = reading.input.facts.commands.first();
    let example = example
        .map(|command| format!(", for example `{command}`"))
        .unwrap_or_default();
    let message = format!(
        "The goal changes behaviour and no step checks it: add a `verify:` command{example}, or a step \
         that tests the result."
    );
    verdict(
        reading,
        Code::MissingPlanVerification,
        Severity::Major,
        0.72,
        message,
    )
    .map(|verdict| {
        let (question, fixes) = plan_fixes::verification(reading);
        verdict.mended(question, fixes)
    })
}

/// Whether a step checks anything, by a key or by its words.
pub(crate) fn checks(step: &Step<'_>) -> bool {
    step.is_proved
        || speaks_of(step.task, &step.text, says_check)
        || step.task.files.iter().any(|path| says_check(path))
}

pub(crate) fn changes_behaviour(goal: &str) -> bool {
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

fn flat_dependency_graph(reading: &Reading<'_>) -> Option<Verdict> {
    const ENOUGH_TO_BRANCH: usize = 4;
    let has_edge = |task: &plan::Task| {
        task.depends
            .as_ref()
            .is_some_and(|depends| !depends.is_empty())
    };
    let count = reading.steps.len();
    // Other formats cannot say what a step waits for.
    let can_say = reading.plan.dialect == Dialect::Native;
    if count < ENOUGH_TO_BRANCH
        || !can_say
        || reading.is_growing()
        || reading.plan.tasks.iter().any(has_edge)
    {
        return None;
    }
    if parallel::are_independent(reading) {
        return None;
    }
    let message = format!(
        "None of the {count} steps says what it needs, so each waits for the one above it: name the \
         real prerequisites with `depends:`, and none where there are none."
    );
    verdict(
        reading,
        Code::FlatDependencyGraph,
        Severity::Minor,
        0.85,
        message,
    )
    .map(|verdict| verdict.mended(None, plan_fixes::edges(reading)))
}

fn goal_paths_unlinked(reading: &Reading<'_>) -> Option<Verdict> {
    let path = goal_path(reading)?;
    // Other formats have no `files:`.
    let can_say = reading.plan.dialect == Dialect::Native;
    if !can_say || reading.steps.iter().any(|step| step.is_linked) {
        return None;
    }
    let message = format!(
        "The goal names `{path}` and no step names a file: add `files:` to the steps that change it."
    );
    verdict(
        reading,
        Code::GoalPathsUnlinked,
        Severity::Major,
        0.80,
        message,
    )
    .map(|verdict| {
        let (question, fixes) = plan_fixes::links(reading, path);
        verdict.mended(question, fixes)
    })
}

/// The first path that the goal names.
pub(crate) fn goal_path<'a>(reading: &Reading<'a>) -> Option<&'a str> {
    let mut tokens = reading.goal?.split_whitespace().map(bare);
    tokens.find(|token| is_path_like(token, reading))
}

/// A token of the goal without the punctuation around it; a leading dot belongs to a path.
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

fn is_path_like(token: &str, reading: &Reading<'_>) -> bool {
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
        || reading.input.facts.has_file(token) == Some(true)
}

fn verbose_but_low_surface(reading: &Reading<'_>) -> Option<Verdict> {
    const LARGE: u32 = 6;
    const SHORT_BYTES: usize = 28;
    reading.goal?;
    let count = reading.steps.len();
    if reading.complexity < LARGE || count < (reading.floor as usize).max(3) {
        return None;
    }
    let bytes: usize = reading
        .steps
        .iter()
        .map(|step| step.text.description().len())
        .sum();
    let linked = reading.steps.iter().filter(|step| step.is_linked).count();
    if bytes >= SHORT_BYTES * count || linked * 3 >= count {
        return None;
    }
    let message = format!(
        "The {count} steps are short and only {linked} name a file: say in each what changes and where."
    );
    verdict(
        reading,
        Code::VerboseButLowSurface,
        Severity::Minor,
        0.86,
        message,
    )
}

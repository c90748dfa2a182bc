//! Whether a mistake in a step would be noticed: by the step's own check, or by a later step's
//! check, which counts less the further away it is.

use plan::Dialect;

use super::{Dimension, DimensionName, Missing, mean};
use crate::idle::forbids;
use crate::plan_context::{PlanContext, Step};
use crate::task_text::says_check;
use crate::terms::{Term, words_of};
use crate::verbs::WorkKind;
use crate::verification::{can_fail, has_specific_acceptance, text_or_command_matches};
use rustc_hash::FxHashSet;

/// Words for tests at the start of a step in other languages, where no verb list distinguishes
/// checks from changes.
const CHECKS: &[&str] = &[
    "测试",
    "測試",
    "验证",
    "驗證",
    "校验",
    "检查",
    "テスト",
    "検証",
    "確認",
    "테스트",
    "검증",
    "확인",
    "тест",
    "провер",
    "перевір",
    "prueb",
    "comprob",
    "verific",
    "vérifi",
    "prüf",
    "controleer",
    "kiểm",
    "اختبار",
];
/// Credit for a step that has an acceptance criterion or mentions a check.
const SAID: f64 = 0.7;
/// Credit for a step whose acceptance criterion is generic.
const PRAISED: f64 = 0.2;
/// Credit for a check in one of the next `NEAR_STEPS` steps, and in a later step.
const NEAR: f64 = 0.8;
const FAR: f64 = 0.6;
const NEAR_STEPS: usize = 3;

/// The checks dimension: the mean credit of all steps, and the step whose check would raise it
/// most.
pub(super) fn of(context: &PlanContext<'_>) -> Dimension {
    let listed = context.listed().iter().map(|one| &*one.text);
    let asked = words_of(context.goal.into_iter().chain(listed));
    let own_of = |step| match own(step) {
        share if share < 1.0 && has_only_generic_acceptance(step, &asked) => share.min(PRAISED),
        share => share,
    };
    let mut own: Vec<f64> = context.steps.iter().map(own_of).collect();
    let each = with_later_checks(&own);
    let share = mean(&each);
    let checked = each.iter().filter(|share| **share > 0.0).count();
    let least = each
        .iter()
        .enumerate()
        .rev()
        .min_by(|one, other| one.1.total_cmp(other.1));
    let missing = least.filter(|(_, share)| **share < 1.0).map(|(at, _)| {
        own[at] = 1.0;
        let task = context.steps[at].task;
        let what = if each[at] > 0.0 {
            "has only a distant or vague check"
        } else {
            "has no check"
        };
        let how = match context.plan.dialect {
            Dialect::Native => "add `verify:` with a command",
            _ => "add the command that checks it",
        };
        Missing {
            line: Some(task.line),
            message: format!("The step on line {} {what}: {how}.", task.line),
            adds: mean(&with_later_checks(&own)) - share,
        }
    });
    Dimension {
        name: DimensionName::Checks,
        share: Some(share),
        credited: format!(
            "Steps checked, directly or by a later step: {checked} of {}.",
            each.len()
        ),
        missing,
    }
}

/// Each step's credit, including credit for the checks of later steps. `own` is the credit of each
/// step's own check.
fn with_later_checks(own: &[f64]) -> Vec<f64> {
    let mut further = 0.0_f64;
    let mut each = vec![0.0; own.len()];
    for at in (0..own.len()).rev() {
        let next = &own[at + 1..own.len().min(at + 1 + NEAR_STEPS)];
        let near = next.iter().copied().fold(0.0, f64::max) * NEAR;
        each[at] = own[at].max(near).max(further * FAR);
        further = further.max(own[at]);
    }
    each
}

/// Whether a step has a check or mentions one.
pub(crate) fn has_check(step: &Step<'_>) -> bool {
    own(step) > 0.0
}

/// Whether a step's only check is a generic `accept:` line.
fn has_only_generic_acceptance(step: &Step<'_>, asked: &FxHashSet<Term>) -> bool {
    !step.task.accept.is_empty()
        && !says_of_a_check(step)
        && !has_specific_acceptance(step.task, asked)
}

fn says_of_a_check(step: &Step<'_>) -> bool {
    is_criterion(&step.task.title)
        || text_or_command_matches(step.task, &step.text, |text| {
            says_check(text) || says_check_elsewhere(text)
        })
}

fn own(step: &Step<'_>) -> f64 {
    if forbids(step) {
        return 0.0;
    }
    let text = step.text.prose();
    if step.runs_check || names_command(text) {
        1.0
    } else if step.is_proved || says_of_a_check(step) {
        SAID
    } else {
        0.0
    }
}

/// Whether a step is a numbered acceptance criterion in the style of Backlog.md: `#1 The tab
/// closes`.
fn is_criterion(title: &str) -> bool {
    let number = title
        .strip_prefix('#')
        .and_then(|rest| rest.split_once(' '));
    number.is_some_and(|(number, _)| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Whether a code span is a command to run: a lowercase program name with an argument, at the start
/// of a clause, after the first word of a later clause, or as the last of several spans. Elsewhere
/// the command is only mentioned, as in "Add `tool init`".
fn names_command(text: &str) -> bool {
    let mut before = "";
    let spans = text.matches('`').count() / 2;
    text.split('`').enumerate().any(|(nth, part)| {
        if nth % 2 == 0 {
            before = part;
            return false;
        }
        let ends = ['.', ':', ';', ',', '\n', '(', '。', '，', '；'];
        let (is_later, clause) = match before.rsplit_once(ends) {
            Some((_, clause)) => (true, clause),
            None => (nth > 1, before),
        };
        let words = clause.split_whitespace().count();
        let is_last = spans > 1 && nth + 1 == spans * 2;
        (is_last || words <= usize::from(is_later)) && is_command_line(part)
    })
}

/// Whether any code span of a step is a command that can fail.
pub(crate) fn shows_command(step: &Step<'_>) -> bool {
    let mut spans = step.text.prose().split('`').skip(1).step_by(2);
    spans.any(is_command_line)
}

/// Whether a title begins with running a command that can fail: "Run `tool check`".
pub(crate) fn runs_command(title: &str) -> bool {
    let mut parts = title.split('`');
    let before = parts.next().unwrap_or_default();
    let is_run = match before.split_whitespace().count() {
        0 => true,
        1 => WorkKind::of(before) == WorkKind::Other,
        _ => false,
    };
    is_run && parts.next().is_some_and(is_command_line)
}

fn is_command_line(code: &str) -> bool {
    let code = code.trim_start_matches("$ ");
    let Some((program, rest)) = code.split_once(' ') else {
        return false;
    };
    let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "._/+-".contains(c);
    let begins = program.starts_with(|c: char| c.is_ascii_lowercase() || c == '.');
    begins
        && program.chars().all(is_name)
        && !rest.trim().is_empty()
        && !code.contains('\n')
        && can_fail(code)
}

fn says_check_elsewhere(text: &str) -> bool {
    // In many languages, words about testing begin with "test".
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    let begins = |word: &str| {
        let start = word.as_bytes().first_chunk::<4>();
        start.is_some_and(|start| start.eq_ignore_ascii_case(b"test"))
    };
    if words.any(begins) {
        return true;
    }
    if text.is_ascii() {
        return CHECKS
            .iter()
            .filter(|word| word.is_ascii())
            .any(|word| text.contains(word));
    }
    let lower = text.to_lowercase();
    CHECKS.iter().any(|word| lower.contains(word))
}

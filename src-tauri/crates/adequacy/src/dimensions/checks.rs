//! Whether what the steps change would be noticed if it were wrong: by a check of their own, or by one
//! of a later step, which counts less the further away it is.

use crate::reading::{Reading, Step};
use crate::text::says_check;

/// How other languages than English begin to speak of tests: a check must be told from a change, and
/// nothing but the word tells it.
const CHECKS: &[&str] = &[
    "测试", "測試", "验证", "驗證", "校验", "检查", "テスト", "検証", "確認", "테스트", "검증", "확인", "тест", "провер", "перевір",
    "prueb", "comprob", "verific", "vérifi", "prüf", "controleer", "kiểm",
];
/// A step that says when it is done, or speaks of a check.
const SAID: f64 = 0.7;
/// A check of one of the next steps, and of one further down.
const NEAR: f64 = 0.8;
const FAR: f64 = 0.6;
const NEAR_STEPS: usize = 3;

/// The mean over the steps, 0 to 1.
pub(super) fn of(reading: &Reading<'_>) -> f64 {
    if reading.steps.is_empty() {
        return 0.0;
    }
    let own: Vec<f64> = reading.steps.iter().map(own).collect();
    let mut further = 0.0_f64;
    let mut sum = 0.0;
    for at in (0..own.len()).rev() {
        let next = &own[at + 1..own.len().min(at + 1 + NEAR_STEPS)];
        let near = next.iter().copied().fold(0.0, f64::max) * NEAR;
        sum += own[at].max(near).max(further * FAR);
        further = further.max(own[at]);
    }
    sum / own.len() as f64
}

fn own(step: &Step<'_>) -> f64 {
    let text = step.text.all();
    if !step.task.verify.is_empty() || names_command(text) {
        1.0
    } else if !step.task.accept.is_empty() || says_check(text) || says_check_elsewhere(text) {
        SAID
    } else {
        0.0
    }
}

/// Whether a code span reads like a command line: a program's name in small letters and an argument.
fn names_command(text: &str) -> bool {
    text.split('`').skip(1).step_by(2).any(|code| {
        let code = code.trim_start_matches("$ ");
        let Some((program, rest)) = code.split_once(' ') else {
            return false;
        };
        let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "._/+-".contains(c);
        let begins = program.starts_with(|c: char| c.is_ascii_lowercase() || c == '.');
        begins && program.chars().all(is_name) && !rest.trim().is_empty() && !code.contains('\n')
    })
}

fn says_check_elsewhere(text: &str) -> bool {
    if text.is_ascii() {
        return CHECKS.iter().filter(|word| word.is_ascii()).any(|word| text.contains(word));
    }
    let lower = text.to_lowercase();
    CHECKS.iter().any(|word| lower.contains(word))
}

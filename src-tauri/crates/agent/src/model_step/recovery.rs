//! Decides how a failed step recovers. Rules decide first; if no rule applies, the model chooses a
//! letter or a person decides. No strategy is used twice for the same step, so recovery always
//! ends.

use gate::recovery::RecoveryStrategy;

use super::entry::{FailureKind, RecoveryBy, RecoveryDecision};
use super::work::Work;

/// The input for a recovery decision.
#[derive(Debug, Clone, Copy)]
pub struct RecoveryInput<'a> {
    /// The kind of failure.
    pub failure: FailureKind,
    /// The reason in one sentence.
    pub reason: &'a str,
    /// The work done so far.
    pub work: &'a Work,
    /// Whether the step can be split.
    pub can_be_split: bool,
}

/// The result of applying the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// The rules determined the recovery.
    Decided(RecoveryDecision),
    /// The model should choose.
    AskModel,
}

/// The options that a model chooses from, lettered `A` to `D`.
pub const LETTERS: [(RecoveryStrategy, &str); 4] = [
    (
        RecoveryStrategy::RetrySame,
        "Try again (the error may have been temporary)",
    ),
    (
        RecoveryStrategy::TryAlternative,
        "Try a different approach (say which)",
    ),
    (
        RecoveryStrategy::SkipAndContinue,
        "Skip this step and continue with the others",
    ),
    (RecoveryStrategy::AskUser, "Ask the person"),
];

/// Applies the rules to a failure.
pub fn decide(input: &RecoveryInput<'_>) -> Choice {
    use FailureKind::{
        Cap, Check, Format, GaveUp, Loop, NotFound, Refused, Server, Stopped, TooLarge,
    };
    use RecoveryStrategy::{AskUser, DecomposeFurther, RetrySame, RetrySimplified, TryAlternative};
    let untried = |strategy| !input.work.has_tried(strategy);
    let strategy = match input.failure {
        Refused | Stopped => AskUser,
        Server if untried(RetrySame) => RetrySame,
        TooLarge | Format | NotFound | Loop if untried(RetrySimplified) => RetrySimplified,
        TooLarge | Cap | Check | GaveUp if input.can_be_split && untried(DecomposeFurther) => {
            DecomposeFurther
        }
        TooLarge | Format if untried(TryAlternative) => TryAlternative,
        Server | TooLarge | Cap | Format => AskUser,
        Check | GaveUp | Loop | NotFound if untried(TryAlternative) || untried(RetrySame) => {
            return Choice::AskModel;
        }
        Check | GaveUp | Loop | NotFound => AskUser,
    };
    Choice::Decided(RecoveryDecision::by_rule(
        input.failure,
        strategy,
        input.reason,
    ))
}

/// The question to the model.
pub fn question(title: &str, reason: &str) -> String {
    let letters: Vec<String> = LETTERS
        .iter()
        .zip('A'..)
        .map(|((_, says), letter)| format!("{letter}) {says}"))
        .collect();
    format!(
        "This step failed: {title}\nWhat went wrong: {reason}\n\nWhat now?\n{}\n\nAnswer with one \
         letter, and a few words behind it if needed.",
        letters.join("\n")
    )
}

/// The decision that follows from the model's answer. A person decides if the strategy was already
/// tried or the answer is to skip the step. If the answer contains no letter, another approach is
/// tried or, if that was already tried, a person decides.
pub fn picked(input: &RecoveryInput<'_>, answer: &str) -> RecoveryDecision {
    let choice = repair::read_choice(answer, LETTERS.len()).ok();
    let picked = choice.and_then(|choice| {
        let (strategy, _) = LETTERS.get(usize::from(choice.letter as u8 - b'A'))?;
        Some((*strategy, choice.detail))
    });
    let untried = |strategy| !input.work.has_tried(strategy);
    let Some((strategy, words)) = picked else {
        let strategy = match untried(RecoveryStrategy::TryAlternative) {
            true => RecoveryStrategy::TryAlternative,
            false => RecoveryStrategy::AskUser,
        };
        return RecoveryDecision::by_rule(input.failure, strategy, input.reason);
    };
    // A skipped step is not done, so a person must decide whether the plan works without it.
    let strategy = match untried(strategy) && strategy != RecoveryStrategy::SkipAndContinue {
        true => strategy,
        false => RecoveryStrategy::AskUser,
    };
    RecoveryDecision {
        by: RecoveryBy::Model,
        words: Some(words).filter(|words| !words.trim().is_empty()),
        ..RecoveryDecision::by_rule(input.failure, strategy, input.reason)
    }
}

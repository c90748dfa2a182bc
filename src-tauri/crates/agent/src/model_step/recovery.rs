//! How a failed step recovers. Rules decide first; failing that, the model picks a letter or a
//! person decides. No strategy is used twice for one step, so recovery always ends.

use gate::recovery::RecoveryStrategy;

use super::entry::{FailureKind, RecoveryBy, RecoveryDecision};
use super::work::Work;

/// Maximum depth of nested splits.
pub const DEPTH: usize = 2;

/// The input to a recovery decision.
#[derive(Debug, Clone, Copy)]
pub struct Ground<'a> {
    /// What failed.
    pub failure: FailureKind,
    /// The reason in one sentence.
    pub reason: &'a str,
    /// The work so far.
    pub work: &'a Work,
    /// Whether other steps depend on this one.
    pub is_needed: bool,
    /// Whether it can be split.
    pub can_be_split: bool,
}

/// The rules' decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// The rules decided.
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
        "Skip this step and go on with the others",
    ),
    (RecoveryStrategy::AskUser, "Ask the person"),
];

/// Applies the rules to a failure.
pub fn decide(ground: &Ground<'_>) -> Choice {
    use FailureKind::{
        Cap, Check, Format, GaveUp, Loop, NotFound, Refused, Server, Stopped, TooLarge,
    };
    use RecoveryStrategy::{AskUser, DecomposeFurther, RetrySame, RetrySimplified, TryAlternative};
    let untried = |strategy| !ground.work.has_tried(strategy);
    let decided = |strategy, why: &str| {
        Choice::Decided(RecoveryDecision::by_rule(ground.failure, strategy, why))
    };
    match ground.failure {
        Refused => decided(AskUser, "a person refused what the step needs"),
        Stopped => decided(AskUser, "a person stepped in"),
        Server if untried(RetrySame) => decided(RetrySame, "the server may answer again"),
        Server => decided(AskUser, "the server does not answer"),
        TooLarge if untried(RetrySimplified) => decided(
            RetrySimplified,
            "the request did not fit the model's window: it begins anew with less",
        ),
        TooLarge if ground.can_be_split && untried(DecomposeFurther) => decided(
            DecomposeFurther,
            "the step does not fit the model's window: it is done in smaller ones",
        ),
        TooLarge if untried(TryAlternative) => decided(
            TryAlternative,
            "the request still did not fit the model's window: it begins anew with the least",
        ),
        TooLarge => decided(AskUser, "the step does not fit the model's window"),
        Format if untried(RetrySimplified) => {
            decided(RetrySimplified, "a smaller prompt is easier to answer")
        }
        NotFound if untried(RetrySimplified) => decided(
            RetrySimplified,
            "something was not found: it is searched for first",
        ),
        Loop if untried(RetrySimplified) => decided(
            RetrySimplified,
            "the model went round in circles: it begins anew with less",
        ),
        Cap | Check | GaveUp if ground.can_be_split && untried(DecomposeFurther) => decided(
            DecomposeFurther,
            "the step is long: it is done in smaller ones",
        ),
        Cap => decided(AskUser, "a limit of the step is used up"),
        Format if untried(TryAlternative) => decided(
            TryAlternative,
            "its replies could not be used: one small call at a time",
        ),
        Format => decided(AskUser, "the model's replies cannot be used"),
        Check | GaveUp | Loop | NotFound if untried(TryAlternative) || untried(RetrySame) => {
            Choice::AskModel
        }
        Check => decided(AskUser, "the check still does not pass"),
        GaveUp => decided(AskUser, "the model says that it cannot do it"),
        Loop => decided(AskUser, "the model goes round in circles"),
        NotFound => decided(AskUser, "it was not found"),
    }
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

/// The decision for a model's answer. A strategy already tried, skipping, or an answer without a
/// letter is left to a person.
pub fn picked(ground: &Ground<'_>, answer: &str) -> RecoveryDecision {
    let choice = repair::choice(answer, LETTERS.len()).ok();
    let picked = choice.and_then(|choice| {
        let (strategy, _) = LETTERS.get(usize::from(choice.letter as u8 - b'A'))?;
        Some((*strategy, choice.detail))
    });
    let untried = |strategy| !ground.work.has_tried(strategy);
    let Some((strategy, words)) = picked else {
        let strategy = match untried(RecoveryStrategy::TryAlternative) {
            true => RecoveryStrategy::TryAlternative,
            false => RecoveryStrategy::AskUser,
        };
        let reason = "the model picked nothing";
        return RecoveryDecision::by_rule(ground.failure, strategy, reason);
    };
    let name = strategy.as_str();
    let (strategy, reason) = if !untried(strategy) {
        let reason = format!("the model picked {name} once more");
        (RecoveryStrategy::AskUser, reason)
    } else if strategy == RecoveryStrategy::SkipAndContinue {
        // A skipped step is not done, so a person decides whether the plan can do without it.
        let reason = match ground.is_needed {
            true => "the model would leave it out, but other steps wait for it",
            false => "the model would leave it out",
        };
        (RecoveryStrategy::AskUser, reason.to_owned())
    } else {
        (strategy, format!("the model picked {name}"))
    };
    RecoveryDecision {
        by: RecoveryBy::Model,
        words: Some(words).filter(|words| !words.trim().is_empty()),
        ..RecoveryDecision::by_rule(ground.failure, strategy, reason)
    }
}

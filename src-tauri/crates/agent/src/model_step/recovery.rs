//! How a step that failed goes on. Rules decide what they can; the model is asked for one letter where
//! they cannot, and a person where neither helps. No strategy is used twice for one step, so that it
//! always comes to an end.

use gate::recovery::RecoveryStrategy;

use super::entry::{FailureKind, RecoveryBy, RecoveryDecision};
use super::work::Work;
use crate::repair::{self};

/// How often a step is split, one split in the other.
pub const DEPTH: usize = 2;

/// What is to be decided on.
#[derive(Debug, Clone, Copy)]
pub struct Ground<'a> {
    /// What failed.
    pub failure: FailureKind,
    /// One sentence.
    pub reason: &'a str,
    /// The work so far.
    pub work: &'a Work,
    /// Whether other steps wait for this one.
    pub is_needed: bool,
    /// Whether it can be taken apart.
    pub can_be_split: bool,
}

/// What the rules say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// This.
    Decided(RecoveryDecision),
    /// The model is to pick one.
    AskModel,
}

/// The letters that a model picks from, in the order of `A`, `B`, `C`, `D`.
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

/// What the rules say of a failure.
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

/// What a model is asked.
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

/// What a model's letter amounts to. What was tried already, leaving the step out, and an answer without a
/// letter go to the person.
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
        // What is left out is not done: whether the plan does without it is the person's word.
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

//! The ways in which a failed step goes on, as a person, a model or a rule chooses them.

use serde::{Deserialize, Serialize};

/// How a failed step goes on; the names are the seed's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecoveryStrategy {
    /// The same step again.
    RetrySame,
    /// The same step with a smaller prompt and a hint.
    RetrySimplified,
    /// Smaller steps in its place.
    DecomposeFurther,
    /// Another way to the same end.
    TryAlternative,
    /// Without it.
    SkipAndContinue,
    /// A person says.
    AskUser,
    /// Not at all: the run ends.
    Abort,
}

impl RecoveryStrategy {
    /// All of them, from the least to the most that is given up.
    pub const ALL: [Self; 7] = [
        Self::RetrySame,
        Self::RetrySimplified,
        Self::TryAlternative,
        Self::DecomposeFurther,
        Self::SkipAndContinue,
        Self::AskUser,
        Self::Abort,
    ];

    /// The strategy of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.as_str() == name)
    }

    /// The name in events and receipts.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::RetrySame => "retry_same",
            Self::RetrySimplified => "retry_simplified",
            Self::DecomposeFurther => "decompose_further",
            Self::TryAlternative => "try_alternative",
            Self::SkipAndContinue => "skip_and_continue",
            Self::AskUser => "ask_user",
            Self::Abort => "abort",
        }
    }
}

//! The ways in which a failed step goes on, as a person, a model or a rule chooses them.

use serde::{Deserialize, Serialize};

crate::named! {
    /// How a failed step goes on, from the least to the most that is given up; the names are the seed's.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    pub enum RecoveryStrategy {
        /// The same step again.
        RetrySame = "retry_same",
        /// The same step with a smaller prompt and a hint.
        RetrySimplified = "retry_simplified",
        /// Another way to the same end.
        TryAlternative = "try_alternative",
        /// Smaller steps in its place.
        DecomposeFurther = "decompose_further",
        /// Without it.
        SkipAndContinue = "skip_and_continue",
        /// A person says.
        AskUser = "ask_user",
        /// Not at all: the run ends.
        Abort = "abort",
    }
}

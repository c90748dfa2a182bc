//! How to recover from a failed step, as chosen by a person, a model or a rule.

use serde::{Deserialize, Serialize};

plan::named! {
    /// How to recover from a failed step, ordered by how much is given up.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    pub enum RecoveryStrategy {
        /// Retry the step unchanged.
        RetrySame = "retry_same",
        /// Retry with a smaller prompt and a hint.
        RetrySimplified = "retry_simplified",
        /// Try another way to the same result.
        TryAlternative = "try_alternative",
        /// Replace the step with smaller ones.
        DecomposeFurther = "decompose_further",
        /// Skip the step.
        SkipAndContinue = "skip_and_continue",
        /// Ask a person.
        AskUser = "ask_user",
        /// End the run.
        Abort = "abort",
    }
}

//! The settings of verification, merged so that a workspace only tightens.
//!
//! It can have more verified, and less often be asked again what failed; it can switch nothing off: what
//! a check says is what "done" rests on.

use agent::verifying::Verification;

use super::merge::Merging;

pub(super) fn merge(merging: &mut Merging<'_>) -> Verification {
    let default = Verification::default();
    Verification {
        verify_file_changes: merging.only_on(
            "verifyFileChanges",
            default.verify_file_changes,
            |layer| layer.verify_file_changes,
        ),
        run_tests_after_changes: merging.only_on(
            "runTestsAfterChanges",
            default.run_tests_after_changes,
            |layer| layer.run_tests_after_changes,
        ),
        verify_search_results: merging.only_on(
            "verifySearchResults",
            default.verify_search_results,
            |layer| layer.verify_search_results,
        ),
        max_verification_attempts: attempts(merging, default.max_verification_attempts),
    }
}

fn attempts(merging: &mut Merging<'_>, default: u32) -> u32 {
    let key = "maxVerificationAttempts";
    let (own, wish) = merging.both(|layer| layer.max_verification_attempts);
    let own = own.unwrap_or(default);
    match wish {
        Some(0) if own > 0 => {
            merging.ignore(key, "0 switches verification off, which a workspace cannot");
            own
        }
        // Where the user has it off, any number switches it on.
        Some(wish) if own == 0 => wish,
        wish => merging.lowered(key, Some(own), wish).unwrap_or(own),
    }
}

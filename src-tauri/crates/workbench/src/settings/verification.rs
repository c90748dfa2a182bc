//! The settings of verification, merged so that a workspace only tightens.
//!
//! It can have more verified, and less often be asked again what failed; it can switch nothing off: what
//! a check says is what "done" rests on.

use agent::verifying::Verification;

use super::layer::keys;
use super::merge::Merging;

pub(super) fn merge(merging: &mut Merging<'_>) -> Verification {
    let default = Verification::default();
    Verification {
        verify_file_changes: merging
            .only_on(&keys::verify_file_changes, default.verify_file_changes),
        run_tests_after_changes: merging.only_on(
            &keys::run_tests_after_changes,
            default.run_tests_after_changes,
        ),
        verify_search_results: merging
            .only_on(&keys::verify_search_results, default.verify_search_results),
        max_verification_attempts: attempts(merging, default.max_verification_attempts),
    }
}

fn attempts(merging: &mut Merging<'_>, default: u32) -> u32 {
    let key = &keys::max_verification_attempts;
    let (own, wish) = merging.both(key);
    let own = own.unwrap_or(default);
    match wish {
        Some(0) if own > 0 => {
            merging.ignore(
                key.name,
                "0 switches verification off, which a workspace cannot",
            );
            own
        }
        // Where the user has it off, any number switches it on.
        Some(wish) if own == 0 => wish,
        _ => merging.lowered(key, Some(own)).unwrap_or(own),
    }
}

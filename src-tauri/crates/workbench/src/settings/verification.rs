//! The settings of verification: read, and merged so that a workspace only tightens.

use agent::verifying::{MOST_ATTEMPTS, Verification};
use serde_json::Value;

use super::layer::Layer;
use super::values::shown;

/// How often a check is run.
pub(super) fn attempts(value: &Value) -> Result<u32, String> {
    let whole = value.as_f64().filter(|number| number.fract() == 0.0);
    match whole {
        // The range makes the cast exact.
        Some(number) if (0.0..=f64::from(MOST_ATTEMPTS)).contains(&number) => Ok(number as u32),
        _ => Err(format!(
            "must be a whole number from 0 to {MOST_ATTEMPTS}, not {}",
            shown(value)
        )),
    }
}

/// A workspace can have more verified, and less often be asked again what failed; it can switch
/// nothing off: what a check says is what "done" rests on.
pub(super) fn merge(
    user: &Layer,
    workspace: &Layer,
    ignore: &mut impl FnMut(&str, String),
) -> Verification {
    let default = Verification::default();
    let mut only_on = |key: &str, own: Option<bool>, default: bool, wish: Option<bool>| {
        let own = own.unwrap_or(default);
        if own && wish == Some(false) {
            ignore(key, "a workspace can only turn it on".to_owned());
        }
        own || wish == Some(true)
    };
    let verify_file_changes = only_on(
        "verifyFileChanges",
        user.verify_file_changes,
        default.verify_file_changes,
        workspace.verify_file_changes,
    );
    let run_tests_after_changes = only_on(
        "runTestsAfterChanges",
        user.run_tests_after_changes,
        default.run_tests_after_changes,
        workspace.run_tests_after_changes,
    );
    let verify_search_results = only_on(
        "verifySearchResults",
        user.verify_search_results,
        default.verify_search_results,
        workspace.verify_search_results,
    );
    let own = user
        .max_verification_attempts
        .unwrap_or(default.max_verification_attempts);
    let key = "maxVerificationAttempts";
    let max_verification_attempts = match workspace.max_verification_attempts {
        Some(0) if own > 0 => {
            let why = "0 switches verification off, which a workspace cannot".to_owned();
            ignore(key, why);
            own
        }
        // Where the user has it off, any number switches it on.
        Some(wish) if own > 0 && wish > own => {
            ignore(
                key,
                format!("{wish} is more than your {own}; a workspace can only lower it"),
            );
            own
        }
        wish => wish.unwrap_or(own),
    };
    Verification {
        verify_file_changes,
        run_tests_after_changes,
        verify_search_results,
        max_verification_attempts,
    }
}

//! The settings of verification: read, and merged.

use agent::verifying::{MOST_ATTEMPTS, Verification};
use serde_json::Value;

use super::layer::Layer;
use super::merge::nearer;
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

/// What is verified is a project thing: what is switched off ends unverified, and is seen to be.
pub(super) fn merge(user: &Layer, workspace: &Layer) -> Verification {
    let default = Verification::default();
    Verification {
        verify_file_changes: nearer(&workspace.verify_file_changes, &user.verify_file_changes)
            .unwrap_or(default.verify_file_changes),
        run_tests_after_changes: nearer(
            &workspace.run_tests_after_changes,
            &user.run_tests_after_changes,
        )
        .unwrap_or(default.run_tests_after_changes),
        verify_search_results: nearer(
            &workspace.verify_search_results,
            &user.verify_search_results,
        )
        .unwrap_or(default.verify_search_results),
        max_verification_attempts: nearer(
            &workspace.max_verification_attempts,
            &user.max_verification_attempts,
        )
        .unwrap_or(default.max_verification_attempts),
    }
}

//! The helper that runs commands in a sandbox, as a separate program for this crate's tests and for
//! programs that can't act as their own helper. `planwright` is its own helper.

use std::process::ExitCode;

fn main() -> ExitCode {
    // 64 is the exit code for a usage error, in case a person starts it by hand.
    tools::sandbox::become_helper_if_asked().unwrap_or(ExitCode::from(64))
}

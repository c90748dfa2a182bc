//! The helper that runs commands in a sandbox, as a program of its own: for the tests of this
//! crate, and for programs that cannot start themselves again. `planwright` is its own helper.

use std::process::ExitCode;

fn main() -> ExitCode {
    // A person who starts it by hand has nothing to say to it: a usage error.
    tools::sandbox::become_helper_if_asked().unwrap_or(ExitCode::from(64))
}

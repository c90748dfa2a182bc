//! The roles that this program takes when it starts itself again as a helper.
//!
//! Roles are selected by a first argument that no person would type. Every role is single-threaded.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::BorrowedFd;
use std::process::ExitCode;

use rustix::io::{FdFlags, fcntl_setfd};

use super::{attempts, confine, supervise};

/// The first argument that makes the program a helper.
pub(super) const ARGUMENT: &str = "--planwright-command-helper";
/// Supervises a command; started by the app.
pub(super) const SUPERVISE: &str = "supervise";
/// Confines itself and becomes the command; started by the supervisor.
pub(super) const CONFINE: &str = "confine";
/// Tries to escape; runs as a command.
pub(super) const ATTEMPT: &str = "attempt";
/// Leaves its session and parent; started by the escape attempts.
pub(super) const LINGER: &str = "linger";
/// Waits forever; started by the lingering process.
pub(super) const STAY: &str = "stay";

/// Runs the helper if this process was started as one, and returns its exit code; `None` in any
/// other process.
///
/// `main` must call this before anything else, in particular before it starts a thread.
pub fn become_helper_if_asked() -> Option<ExitCode> {
    let mut arguments = env::args_os().skip(1);
    if arguments.next().as_deref() != Some(OsStr::new(ARGUMENT)) {
        return None;
    }
    let rest: Vec<OsString> = arguments.collect();
    let word = |at: usize| rest.get(at).and_then(|word| word.to_str());
    Some(match word(0) {
        Some(SUPERVISE) => supervise::supervise(),
        Some(CONFINE) => confine::confine(word(1)),
        Some(ATTEMPT) => attempts::try_all(word(1)),
        Some(LINGER) => attempts::linger(),
        Some(STAY) => attempts::stay(),
        _ => ExitCode::from(64),
    })
}

/// Closes every file except the standard streams in programs started next. The process that started
/// this one may have left files open that lead out of the sandbox.
pub(super) fn close_on_exec() -> io::Result<()> {
    let mut open = Vec::new();
    for entry in std::fs::read_dir("/proc/self/fd")? {
        if let Some(number) = entry?
            .file_name()
            .to_str()
            .and_then(|name| name.parse::<i32>().ok())
        {
            open.push(number);
        }
    }
    for number in open.into_iter().filter(|number| *number > 2) {
        // One entry is the descriptor of the listing itself, which is already closed: that error is
        // expected.
        let _ = set_close_on_exec(number);
    }
    Ok(())
}

#[allow(
    unsafe_code,
    reason = "inherited file descriptors have no owner in this process"
)]
fn set_close_on_exec(number: i32) -> rustix::io::Result<()> {
    // SAFETY: the number is not negative, so it is a valid `BorrowedFd`. The borrow ends with this
    // call, which only sets a flag, and in a single-threaded process nothing else closes the file.
    let file = unsafe { BorrowedFd::borrow_raw(number) };
    fcntl_setfd(file, FdFlags::CLOEXEC)
}

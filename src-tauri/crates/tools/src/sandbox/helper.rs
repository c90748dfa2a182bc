//! The program as its own helper: which part it plays when it is started again.
//!
//! Parts are told by a first argument that no person types. Every part is single-threaded.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::BorrowedFd;
use std::process::ExitCode;

use rustix::io::{FdFlags, fcntl_setfd};

use super::{attempts, confine, supervise};

/// The first argument of a program that is to be a helper.
pub(super) const ARGUMENT: &str = "--planwright-command-helper";
/// Holds one command; started by the app.
pub(super) const SUPERVISE: &str = "supervise";
/// Shuts itself in and becomes the command; started by the supervisor.
pub(super) const CONFINE: &str = "confine";
/// Tries to escape; runs as a command.
pub(super) const ATTEMPT: &str = "attempt";
/// Leaves its session and its parent; started by the one that tries.
pub(super) const LINGER: &str = "linger";
/// Waits for ever; started by the one that lingers.
pub(super) const STAY: &str = "stay";

/// Plays the helper's part if this process was started for one, and says how it ended; `None` in a
/// process that a person started.
///
/// `main` calls this before anything else, in particular before it starts a thread.
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

/// Keeps every open file but the three standard streams from the programs started next: whoever
/// started this process may have left some open that lead out of the sandbox.
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
        // One of them listed the folder and is closed by now: that error is expected.
        let _ = set_close_on_exec(number);
    }
    Ok(())
}

#[allow(
    unsafe_code,
    reason = "files inherited from another program have no owner in this one"
)]
fn set_close_on_exec(number: i32) -> rustix::io::Result<()> {
    // SAFETY: the number is not negative, so it is a valid `BorrowedFd`; the borrow ends with this
    // call, which only sets a flag, and in a single-threaded process nothing closes it meanwhile.
    let file = unsafe { BorrowedFd::borrow_raw(number) };
    fcntl_setfd(file, FdFlags::CLOEXEC)
}

//! Opens the window by starting the desktop program, found next to this one or on the PATH.
//!
//! Creates no window itself and links no webview; the desktop program interprets the path.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use workbench::{Code, Error, Result};

use crate::print::terminal;

/// The desktop program.
const PROGRAM: &str = "planwright-desktop";

/// How long to watch for a failed start; afterwards the program runs on its own.
const PATIENCE: Duration = Duration::from_millis(800);

/// Opens the window on a folder or a plan file, or where the user left off.
///
/// # Errors
/// [`Code::Usage`] if the path doesn't exist, [`Code::Failed`] without a display or program.
pub(crate) fn open(path: Option<&Path>) -> Result<()> {
    if let Some(path) = path.filter(|path| !path.exists()) {
        let near = path.to_str().and_then(crate::typo::near);
        let help = match near {
            Some(near) => format!("did you mean `planwright {near}`?"),
            None => "see `planwright --help`".to_owned(),
        };
        return Err(Error::new(
            Code::Usage,
            format!(
                "no such command, file or folder: {}; {help}",
                path.display()
            ),
        ));
    }
    let program = check()?;
    start(&program, path)
}

/// The desktop program, if a window can be opened.
///
/// # Errors
/// [`Code::Failed`] without a display or program.
pub(crate) fn check() -> Result<PathBuf> {
    if !has_display(|name| std::env::var_os(name)) {
        return Err(failed(
            "there is no display to open the window on; `planwright --help` lists the commands that \
             need none",
        ));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    workbench::find_own_program(PROGRAM, &path).ok_or_else(|| {
        failed(&format!(
            "`{PROGRAM}` is neither beside this program nor on the PATH; install it, or use the \
             commands that `planwright --help` lists"
        ))
    })
}

fn start(program: &Path, path: Option<&Path>) -> Result<()> {
    let mut command = Command::new(program);
    command
        .args(path)
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    // A pipe's reader waits until every process has closed it, so the window must not keep it open.
    if !terminal::shows_errors() {
        command.stderr(Stdio::null());
    }
    // Ctrl-C in this terminal must not close the window.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let not_started = |what: &dyn std::fmt::Display| {
        failed(&format!("{} did not start: {what}", program.display()))
    };
    let mut window = command.spawn().map_err(|error| not_started(&error))?;
    let deadline = Instant::now() + PATIENCE;
    while Instant::now() < deadline {
        match window.try_wait() {
            // The desktop program passed the path to a window that is already open.
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => return Err(not_started(&status)),
            Ok(None) => std::thread::sleep(Duration::from_millis(20)),
            Err(error) => return Err(not_started(&error)),
        }
    }
    Ok(())
}

fn has_display(variable: impl Fn(&str) -> Option<std::ffi::OsString>) -> bool {
    let is_set = |name| variable(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

fn failed(message: &str) -> Error {
    Error::new(Code::Failed, message)
}

//! What the process was started with: variables, current folder, its own program, signals.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use tools::sandbox::CancelToken;

use crate::error::{Code, Error, Result};

/// What the process was started with. Tests make their own instead of changing the process.
#[derive(Debug, Clone)]
pub struct Environment {
    /// The environment variables.
    pub variables: Vec<(String, OsString)>,
    /// The current folder.
    pub cwd: PathBuf,
    /// The program that calls [`crate::become_helper_if_asked`] first thing in `main`.
    pub program: PathBuf,
}

impl Environment {
    /// That of this process.
    ///
    /// # Errors
    /// [`Code::Failed`] when the current folder or the program cannot be named.
    pub fn of_process() -> Result<Self> {
        let failed =
            |what: &str, error: std::io::Error| err!(Failed: "{what} cannot be found: {error}");
        Ok(Self {
            variables: std::env::vars_os()
                .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
                .collect(),
            cwd: std::env::current_dir().map_err(|error| failed("the current folder", error))?,
            program: std::env::current_exe().map_err(|error| failed("this program", error))?,
        })
    }

    /// A folder as it is named from the current one, which it is itself where none is named.
    pub(crate) fn at(&self, folder: Option<&Path>) -> PathBuf {
        folder.map_or_else(|| self.cwd.clone(), |folder| self.cwd.join(folder))
    }

    /// The value of a variable, when it is set and not empty.
    pub fn variable(&self, name: &str) -> Option<OsString> {
        let found = self.variables.iter().find(|(key, _)| key == name);
        found
            .map(|(_, value)| value.clone())
            .filter(|value| !value.is_empty())
    }

    /// A variable's text without blanks around it; `None` when nothing is left.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        let value = self.variable(name)?;
        let text = value.to_str()?.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// The user's home folder; `/` where none is set.
    pub fn home(&self) -> PathBuf {
        self.variable("HOME")
            .map_or_else(|| PathBuf::from("/"), PathBuf::from)
    }
}

/// A token that nobody has cancelled.
/// Fails with [`Code::Failed`] when the process has no file descriptor left.
pub fn token() -> Result<CancelToken> {
    CancelToken::new().map_err(|error| Error::from_cause(Code::Failed, error))
}

/// A token that Ctrl-C and `SIGTERM` cancel. The first signal asks the run to stop after what is
/// under way; the process goes on until the journal says so.
///
/// # Errors
/// [`Code::Failed`] when signals cannot be listened to.
pub fn cancel_on_signals() -> Result<CancelToken> {
    let failed = |error: std::io::Error| Error::from_cause(Code::Failed, error);
    let token = token()?;
    let cancel = token.clone();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()
        .map_err(failed)?;
    // Listening begins before the thread does, so that no signal falls between.
    let (mut interrupt, mut terminate) = {
        let _inside = runtime.enter();
        use tokio::signal::unix::{SignalKind, signal};
        (
            signal(SignalKind::interrupt()).map_err(failed)?,
            signal(SignalKind::terminate()).map_err(failed)?,
        )
    };
    std::thread::spawn(move || {
        runtime.block_on(async {
            loop {
                tokio::select! {
                    _ = interrupt.recv() => {}
                    _ = terminate.recv() => {}
                }
                cancel.cancel();
            }
        });
    });
    Ok(token)
}

//! The environment of the process: variables, current folder, own program, signals.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use tools::sandbox::CancelToken;

use crate::error::{Code, Error, Result};

/// The environment of the process. Tests create their own rather than change the process.
#[derive(Debug, Clone)]
pub struct Environment {
    /// The environment variables.
    pub variables: Vec<(String, OsString)>,
    /// The current folder.
    pub cwd: PathBuf,
    /// The program to start as a helper; it calls [`crate::become_helper_if_asked`] first in
    /// `main`.
    pub program: PathBuf,
}

impl Environment {
    /// The environment of this process. Fails with [`Code::Failed`] if the current folder or the
    /// program can't be determined.
    pub fn of_process() -> Result<Self> {
        let failed =
            |what: &str, error: std::io::Error| err!(Failed: "couldn't find {what}: {error}");
        Ok(Self {
            variables: std::env::vars_os()
                .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
                .collect(),
            cwd: std::env::current_dir().map_err(|error| failed("the current folder", error))?,
            program: std::env::current_exe()
                .map_err(|error| failed("the planwright program", error))?,
        })
    }

    /// The path of a folder given relative to the current one; the current one if `None`.
    pub(crate) fn at(&self, folder: Option<&Path>) -> PathBuf {
        folder.map_or_else(|| self.cwd.clone(), |folder| self.cwd.join(folder))
    }

    /// The value of a variable, if it is set and not empty.
    pub fn variable(&self, name: &str) -> Option<OsString> {
        let found = self.variables.iter().find(|(key, _)| key == name);
        found
            .map(|(_, value)| value.clone())
            .filter(|value| !value.is_empty())
    }

    /// The trimmed text of a variable; `None` if it is empty.
    pub fn text(&self, name: &str) -> Option<String> {
        let value = self.variable(name)?;
        let text = value.to_str()?.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// The user's home folder; `/` if it isn't set.
    pub fn home(&self) -> PathBuf {
        self.variable("HOME")
            .map_or_else(|| PathBuf::from("/"), PathBuf::from)
    }
}

/// A new cancel token. Fails with [`Code::Failed`] if the process is out of file descriptors.
pub fn token() -> Result<CancelToken> {
    CancelToken::new().map_err(|error| Error::from_cause(Code::Failed, error))
}

/// Finds another program of Planwright: beside the running one, or else on the search path.
pub fn find_own_program(name: &str, path: &OsStr) -> Option<PathBuf> {
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let beside = std::env::current_exe()
        .ok()
        .and_then(|own| own.canonicalize().ok())
        .and_then(|own| Some(own.parent()?.to_owned()));
    beside
        .into_iter()
        .chain(std::env::split_paths(path))
        .map(|folder| folder.join(&name))
        .find(|program| program.is_file())
}

/// A token that Ctrl-C and `SIGTERM` cancel. The first signal asks the run to stop after the
/// current effect; the process continues until the journal is complete. Fails with [`Code::Failed`]
/// if the signal handlers can't be installed.
pub fn cancel_on_signals() -> Result<CancelToken> {
    let failed = |error: std::io::Error| Error::from_cause(Code::Failed, error);
    let token = token()?;
    let cancel = token.clone();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()
        .map_err(failed)?;
    // Start listening before the thread starts, so that no signal is missed.
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

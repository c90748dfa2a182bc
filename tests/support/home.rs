//! A temporary Planwright home for one test, and functions that run the program with it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rusqlite::{Connection, OpenFlags};
use serde_json::Value;
use tempfile::TempDir;

use crate::{Output, Running, planwright_binary};

/// A temporary `PLANWRIGHT_HOME`.
#[derive(Debug)]
pub struct Home {
    folder: TempDir,
    variables: Vec<(String, String)>,
}

impl Default for Home {
    fn default() -> Self {
        Self::new()
    }
}

impl Home {
    /// Creates an empty home.
    pub fn new() -> Self {
        let folder = tempfile::Builder::new()
            .prefix("planwright-home-")
            .tempdir();
        Self {
            folder: folder.expect("a temporary folder"),
            variables: Vec::new(),
        }
    }

    /// Sets an environment variable for every program started from now on.
    #[must_use]
    pub fn with_env(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The path of the home.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The variables set with [`with_env`](Self::with_env).
    pub fn variables(&self) -> impl Iterator<Item = (&str, &str)> {
        let all = self.variables.iter();
        all.map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The journal of a run, in order.
    pub fn journal(&self, run: &str) -> Vec<Value> {
        let path = self.path().join("data/planwright.db");
        let database = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY);
        let database = database.expect("the database is there");
        let mut rows = database
            .prepare("SELECT payload FROM journal WHERE run = ?1 ORDER BY seq")
            .expect("the journal is a table");
        let payloads = rows.query_map([run], |row| row.get::<_, String>(0));
        let payloads = payloads.expect("the journal can be read").flatten();
        payloads
            .map(|payload| serde_json::from_str(&payload).unwrap_or_default())
            .collect()
    }

    /// Writes the user's `settings.json`.
    pub fn write_settings(&self, json: &Value) -> PathBuf {
        let path = self.path().join("settings.json");
        std::fs::write(&path, format!("{json:#}\n")).expect("settings are written");
        path
    }

    /// A `planwright` command with these arguments and this working folder, ready to start. It
    /// inherits none of the caller's `PLANWRIGHT_…` variables.
    pub fn command<A: AsRef<OsStr>>(
        &self,
        folder: impl AsRef<Path>,
        arguments: impl IntoIterator<Item = A>,
    ) -> Command {
        let mut command = Command::new(planwright_binary());
        self.dress(&mut command);
        command.current_dir(folder).args(arguments);
        command
    }

    /// Sets this home for a command and removes the caller's `PLANWRIGHT_…` variables.
    pub(crate) fn dress(&self, command: &mut Command) {
        let names = std::env::vars_os().map(|(name, _)| name);
        for name in names.filter(|name| name.to_string_lossy().starts_with("PLANWRIGHT_")) {
            command.env_remove(name);
        }
        command
            .env("PLANWRIGHT_HOME", self.path())
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            // Programs that a plan's steps start must not inherit this test's build settings.
            .env_remove("CARGO_TARGET_DIR")
            .env_remove("NODE_OPTIONS")
            .stdin(Stdio::null());
    }

    /// Runs `planwright` to completion; panics if it takes longer than
    /// [`PATIENCE`](crate::PATIENCE).
    #[track_caller]
    pub fn planwright<A: AsRef<OsStr>>(
        &self,
        folder: impl AsRef<Path>,
        arguments: impl IntoIterator<Item = A>,
    ) -> Output {
        self.spawn(folder, arguments).finish()
    }

    /// Starts `planwright` and returns immediately.
    pub fn spawn<A: AsRef<OsStr>>(
        &self,
        folder: impl AsRef<Path>,
        arguments: impl IntoIterator<Item = A>,
    ) -> Running {
        Running::start(self.command(folder, arguments))
    }

    /// Like `spawn`, but files cannot grow beyond a number of bytes until the limit is lifted:
    /// larger writes fail as on a full disk.
    pub fn spawn_limited<A: AsRef<OsStr>>(
        &self,
        folder: impl AsRef<Path>,
        arguments: impl IntoIterator<Item = A>,
        bytes: u64,
    ) -> Running {
        let mut command = Command::new("sh");
        self.dress(&mut command);
        // Ignores the signal, so that the write itself fails, as on a full disk.
        let script = format!(
            "trap '' XFSZ; ulimit -S -f {}; exec \"$0\" \"$@\"",
            bytes / 512
        );
        command.current_dir(folder).args(["-c", &script]);
        command.arg(planwright_binary()).args(arguments);
        Running::start(command)
    }
}

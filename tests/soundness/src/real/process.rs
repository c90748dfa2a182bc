//! A running `planwright`: its events as they arrive, and its end.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::Value;

/// Timeout for expected events.
pub const PATIENCE: Duration = Duration::from_secs(60);
/// Polling interval for states that no event reports.
const LOOK: Duration = Duration::from_millis(4);

/// A running process; killed on drop.
#[derive(Debug)]
pub struct Running {
    child: Child,
    lines: Receiver<Value>,
}

/// The result of polling a process.
#[derive(Debug)]
pub enum Seen {
    /// The process reported this event.
    Event(Value),
    /// No event has arrived yet.
    Nothing,
    /// The process ended with this exit code.
    End(i32),
}

impl Running {
    /// Starts a process with this data folder. Its standard error goes to a file there.
    ///
    /// # Errors
    /// If it does not start.
    pub fn start(
        program: &Path,
        home: &Path,
        workspace: &Path,
        words: &[String],
    ) -> Result<Self, String> {
        let failed =
            |error: std::io::Error| format!("{} does not start: {error}", program.display());
        let mut command = Command::new(program);
        let names = std::env::vars_os().map(|(name, _)| name);
        for name in names.filter(|name| name.to_string_lossy().starts_with("PLANWRIGHT_")) {
            command.env_remove(name);
        }
        command
            .args(words)
            .current_dir(workspace)
            .env("PLANWRIGHT_HOME", home)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(File::create(home.join("stderr")).map_err(failed)?);
        let mut child = command.spawn().map_err(failed)?;
        let (sender, lines) = channel();
        if let Some(stdout) = child.stdout.take() {
            std::thread::spawn(move || {
                let mut lines = BufReader::new(stdout).lines().map_while(Result::ok);
                lines.all(|line| {
                    sender
                        .send(serde_json::from_str(&line).unwrap_or_default())
                        .is_ok()
                })
            });
        }
        Ok(Self { child, lines })
    }

    /// Waits a few milliseconds for its next event.
    ///
    /// # Errors
    /// If its exit status cannot be read.
    pub fn look(&mut self) -> Result<Seen, String> {
        match self.lines.recv_timeout(LOOK) {
            Ok(event) => Ok(Seen::Event(event)),
            Err(RecvTimeoutError::Timeout) => Ok(Seen::Nothing),
            Err(RecvTimeoutError::Disconnected) => {
                let status = self.child.wait().map_err(|error| error.to_string())?;
                Ok(Seen::End(status.code().unwrap_or(-1)))
            }
        }
    }

    /// Kills it with SIGKILL, as abruptly as a power failure, and waits until all processes that it
    /// started are gone too. Returns its remaining events.
    ///
    /// # Errors
    /// If one of these processes remains.
    pub fn kill_9(mut self, workspace: &Path) -> Result<Vec<Value>, String> {
        // An error means that it has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let started = Instant::now();
        while is_worked_in(workspace) {
            if started.elapsed() > PATIENCE {
                return Err("a killed process leaves others behind".to_owned());
            }
            std::thread::sleep(LOOK);
        }
        Ok(self.lines.iter().collect())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether any other process has this folder in its command line, as sandboxes do.
fn is_worked_in(workspace: &Path) -> bool {
    let folder = workspace.display().to_string();
    let own = std::process::id().to_string();
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let mut others = processes.filter(|entry| entry.file_name().to_string_lossy() != own);
    others.any(|entry| {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(&folder)
    })
}

//! The output of a finished program: exit code, lines, JSON lines.

use std::os::unix::process::ExitStatusExt;

use serde_json::Value;

/// The result of one run of the program.
#[derive(Debug, Clone)]
pub struct Output {
    /// The command line, for error messages.
    pub command: String,
    /// The exit code; 128 + the signal number for a killed process, as in shells.
    pub status: i32,
    /// Everything on standard output.
    pub stdout: String,
    /// Everything on standard error.
    pub stderr: String,
}

impl Output {
    /// Asserts the exit code; on failure, panics with all output.
    #[track_caller]
    pub fn expect(self, status: i32) -> Self {
        assert_eq!(self.status, status, "the exit code of:\n{}", self.shown());
        self
    }

    /// The lines of standard output.
    pub fn lines(&self) -> Vec<&str> {
        self.stdout.lines().collect()
    }

    /// Every line of standard output as JSON.
    #[track_caller]
    pub fn json(&self) -> Vec<Value> {
        let read = |line: &str| match serde_json::from_str(line) {
            Ok(value) => value,
            Err(error) => panic!("`{line}` is not JSON ({error}) in:\n{}", self.shown()),
        };
        self.stdout.lines().map(read).collect()
    }

    /// The last line of standard output as JSON.
    #[track_caller]
    pub fn last_json(&self) -> Value {
        match self.stdout.lines().last().map(serde_json::from_str) {
            Some(Ok(value)) => value,
            _ => panic!("the last line is not JSON in:\n{}", self.shown()),
        }
    }

    /// The events of this name (`"event": name`), in order.
    #[track_caller]
    pub fn events(&self, name: &str) -> Vec<Value> {
        self.json()
            .into_iter()
            .filter(|line| line["event"] == name)
            .collect()
    }

    /// Command line, exit code and both outputs, for error messages.
    pub fn shown(&self) -> String {
        let Self {
            command,
            status,
            stdout,
            stderr,
        } = self;
        format!("{command}\n── exit code {status}\n── stdout\n{stdout}\n── stderr\n{stderr}")
    }
}

pub(crate) fn exit_code(status: std::process::ExitStatus) -> i32 {
    status
        .code()
        .or_else(|| status.signal().map(|signal| 128 + signal))
        .unwrap_or(-1)
}

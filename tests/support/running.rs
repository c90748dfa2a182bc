//! The program while it runs: its events as they come, and the ways to end it.
//!
//! Waiting is always for something, with a deadline that only a broken program reaches.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::Output;
use crate::output::exit_code;

/// How long a journey waits for what must come. Long, because it is spent only on failure.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A started `planwright`. Killed when dropped, so that no test leaves one behind.
#[derive(Debug)]
pub struct Running {
    command: String,
    child: Child,
    lines: Receiver<String>,
    seen: Vec<String>,
    stderr: Option<JoinHandle<String>>,
}

impl Running {
    pub(crate) fn start(mut command: Command) -> Self {
        let shown = format!("{command:?}");
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("planwright starts");
        let stdout = child.stdout.take().expect("standard output is piped");
        let mut errors = child.stderr.take().expect("standard error is piped");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let stderr = std::thread::spawn(move || {
            let mut bytes = Vec::new();
            // What could be read before an error is still worth showing.
            let _ = errors.read_to_end(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        });
        Self {
            command: shown,
            child,
            lines,
            seen: Vec::new(),
            stderr: Some(stderr),
        }
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the next JSON line that `wanted` accepts and returns it; the lines before it are
    /// kept for the [`Output`].
    #[track_caller]
    pub fn wait_for(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let reason = match self.lines.recv_timeout(left) {
                Ok(line) => {
                    let value = serde_json::from_str(&line).unwrap_or(Value::Null);
                    self.seen.push(line);
                    if wanted(&value) {
                        return value;
                    }
                    continue;
                }
                Err(RecvTimeoutError::Timeout) => "it did not come in time",
                Err(RecvTimeoutError::Disconnected) => "the program ended without it",
            };
            let output = self.end(true);
            panic!("waited for {what}: {reason}\n{}", output.shown());
        }
    }

    /// Waits for the next event of this name.
    #[track_caller]
    pub fn wait_for_event(&mut self, name: &str) -> Value {
        self.wait_for(&format!("the event `{name}`"), |line| line["event"] == name)
    }

    /// Kills it with SIGKILL, as a power cut would, and returns what it had printed. Only this
    /// process is killed: that its children end as well is the program's own duty.
    pub fn kill_9(mut self) -> Output {
        self.end(true)
    }

    /// Lets it run for a moment, then [`kill_9`](Self::kill_9). It may have ended by itself.
    pub fn kill_9_after(mut self, moment: Duration) -> Output {
        let deadline = Instant::now() + moment;
        // A closed output means that the program ended: nothing is left to wait for.
        while let Some(left) = deadline.checked_duration_since(Instant::now()) {
            match self.lines.recv_timeout(left) {
                Ok(line) => self.seen.push(line),
                Err(_) => break,
            }
        }
        self.end(true)
    }

    /// Sends a signal by its name (`INT`, `TERM`, `STOP`, `CONT`).
    pub fn signal(&self, name: &str) {
        let id = self.id().to_string();
        let sent = Command::new("kill")
            .args(["-s", name, &id])
            .status()
            .expect("kill starts");
        assert!(sent.success(), "signal {name} reached {id}");
    }

    /// Waits until it ends by itself.
    #[track_caller]
    pub fn finish(mut self) -> Output {
        let deadline = Instant::now() + PATIENCE;
        while let Some(left) = deadline.checked_duration_since(Instant::now()) {
            match self.lines.recv_timeout(left) {
                Ok(line) => self.seen.push(line),
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return self.end(false),
            }
        }
        let output = self.end(true);
        panic!("it did not end by itself:\n{}", output.shown());
    }

    fn end(&mut self, kill: bool) -> Output {
        if kill {
            // An error means that it ended before.
            let _ = self.child.kill();
        }
        let status = self.child.wait().expect("the program can be waited for");
        // A surviving grandchild may hold the outputs open; after this moment they are left.
        while let Ok(line) = self.lines.recv_timeout(Duration::from_secs(2)) {
            self.seen.push(line);
        }
        let stderr = self.stderr.take().filter(|reader| {
            !kill || wait_quietly(Duration::from_secs(2), || reader.is_finished())
        });
        let stdout = self.seen.iter().map(|line| format!("{line}\n")).collect();
        Output {
            command: self.command.clone(),
            status: exit_code(status),
            stdout,
            stderr: stderr
                .and_then(|reader| reader.join().ok())
                .unwrap_or_default(),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Both fail only where the program has ended and was waited for.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits until `is_so`, with [`PATIENCE`]. For states of the disk or of other processes, which
/// announce themselves by no event.
#[track_caller]
pub fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    assert!(
        wait_quietly(PATIENCE, is_so),
        "{what}: not so after {PATIENCE:?}"
    );
}

fn wait_quietly(limit: Duration, is_so: impl Fn() -> bool) -> bool {
    let deadline = Instant::now() + limit;
    while Instant::now() < deadline {
        if is_so() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    is_so()
}

/// The ids of all live processes whose command line contains `words`; a command that a test
/// starts should therefore carry a word of its own. Reads `/proc`.
pub fn processes_with(words: &str) -> Vec<u32> {
    let own = std::process::id();
    let entries = std::fs::read_dir("/proc").expect("/proc can be read");
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|id| *id != own)
        .filter(|id: &u32| {
            // A process may end while this looks at it.
            let line = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line)
                .replace('\0', " ")
                .contains(words)
        })
        .collect()
}

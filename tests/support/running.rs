//! A running program: its events as they arrive, and ways to end it.
//!
//! Every wait is for an event. The timeouts only expire if the program is broken.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::Output;
use crate::output::exit_code;

/// Timeout for expected events. Long, because it only expires if something is broken.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A running `planwright`. Killed on drop, so that no test leaves one behind.
#[derive(Debug)]
pub struct Running {
    command: String,
    child: Child,
    lines: Receiver<String>,
    seen: Vec<String>,
    stderr: Arc<Mutex<Vec<u8>>>,
    stderr_reader: JoinHandle<()>,
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
            let mut stdout = BufReader::new(stdout);
            let mut line = Vec::new();
            while stdout
                .read_until(b'\n', &mut line)
                .is_ok_and(|read| read > 0)
            {
                let text = String::from_utf8_lossy(&line);
                if sender.send(text.trim_end_matches('\n').to_owned()).is_err() {
                    return;
                }
                line.clear();
            }
        });
        let stderr = Arc::new(Mutex::new(Vec::new()));
        let read = Arc::clone(&stderr);
        let stderr_reader = std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = errors.read(&mut bytes) {
                read.lock()
                    .expect("the lock is not poisoned")
                    .extend(&bytes[..count]);
            }
        });
        let seen = Vec::new();
        Self {
            command: shown,
            child,
            lines,
            seen,
            stderr,
            stderr_reader,
        }
    }

    /// The id of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the next JSON line that `wanted` accepts and returns it; earlier lines are kept
    /// for the [`Output`].
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

    /// Waits for the next event with this name.
    #[track_caller]
    pub fn wait_for_event(&mut self, name: &str) -> Value {
        self.wait_for(&format!("the event `{name}`"), |line| line["event"] == name)
    }

    /// Kills it with SIGKILL, as abruptly as a power failure, and returns its output so far. Only
    /// this process is killed; the program itself must ensure that its children end too.
    pub fn kill_9(mut self) -> Output {
        self.end(true)
    }

    /// Lets it run briefly, then calls [`kill_9`](Self::kill_9). It may have ended on its own by
    /// then.
    pub fn kill_9_after(mut self, moment: Duration) -> Output {
        let deadline = Instant::now() + moment;
        // The loop ends early if the output is closed, which means that the program has ended.
        while let Some(left) = deadline.checked_duration_since(Instant::now()) {
            match self.lines.recv_timeout(left) {
                Ok(line) => self.seen.push(line),
                Err(_) => break,
            }
        }
        self.end(true)
    }

    /// Sends a signal by name (`INT`, `TERM`, `STOP`, `CONT`).
    pub fn signal(&self, name: &str) {
        let id = self.id().to_string();
        let sent = Command::new("kill")
            .args(["-s", name, &id])
            .status()
            .expect("kill starts");
        assert!(sent.success(), "signal {name} reached {id}");
    }

    /// Waits until the program ends on its own.
    #[track_caller]
    pub fn finish(mut self) -> Output {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            // Polls for its exit too, because a child left behind can keep its outputs open.
            match self.lines.recv_timeout(Duration::from_millis(20)) {
                Ok(line) => self.seen.push(line),
                Err(_) if self.has_ended() => return self.end(false),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    wait_quietly(left, || self.has_ended());
                }
            }
        }
        let output = self.end(true);
        panic!("it did not end on its own:\n{}", output.shown());
    }

    fn has_ended(&mut self) -> bool {
        self.child
            .try_wait()
            .expect("the program can be waited for")
            .is_some()
    }

    fn end(&mut self, kill: bool) -> Output {
        if kill {
            // An error means that it has already ended.
            let _ = self.child.kill();
        }
        let status = self.child.wait().expect("the program can be waited for");
        // Remaining output arrives immediately; don't wait for a child that keeps the outputs open.
        let moment = Duration::from_millis(500);
        while let Ok(line) = self.lines.recv_timeout(moment) {
            self.seen.push(line);
        }
        wait_quietly(moment, || self.stderr_reader.is_finished());
        let stderr = self.stderr.lock().expect("the lock is not poisoned");
        Output {
            command: self.command.clone(),
            status: exit_code(status),
            stdout: self.seen.iter().map(|line| format!("{line}\n")).collect(),
            stderr: String::from_utf8_lossy(&stderr).into_owned(),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Both fail only if the program has already ended and been reaped.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Polls until `is_so` returns true, with a timeout of [`PATIENCE`]. For conditions on disk or in
/// other processes, for which there are no events.
#[track_caller]
pub fn wait_until(what: &str, is_so: impl FnMut() -> bool) {
    assert!(
        wait_quietly(PATIENCE, is_so),
        "{what}: still not true after {PATIENCE:?}"
    );
}

pub(crate) fn wait_quietly(limit: Duration, mut is_so: impl FnMut() -> bool) -> bool {
    let deadline = Instant::now() + limit;
    while Instant::now() < deadline {
        if is_so() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    is_so()
}

/// The ids of all live processes whose command line contains `words`. Commands started by a test
/// should therefore contain a unique word. Uses `/proc`.
pub fn processes_with(words: &str) -> Vec<u32> {
    let own = std::process::id();
    let entries = std::fs::read_dir("/proc").expect("/proc can be read");
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|id| *id != own)
        .filter(|id: &u32| {
            // A process may end while it is being read.
            let line = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line)
                .replace('\0', " ")
                .contains(words)
        })
        .collect()
}

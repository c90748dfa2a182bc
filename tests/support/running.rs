//! The program while it runs: its events as they come, and the ways to end it.
//!
//! Waiting is always for something, with a deadline that only a broken program reaches.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
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
                    .expect("nobody panics with the lock")
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
        while Instant::now() < deadline {
            // Its end is looked for as well: a child it left behind can hold its outputs open.
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
        panic!("it did not end by itself:\n{}", output.shown());
    }

    fn has_ended(&mut self) -> bool {
        self.child
            .try_wait()
            .expect("the program can be waited for")
            .is_some()
    }

    fn end(&mut self, kill: bool) -> Output {
        if kill {
            // An error means that it ended before.
            let _ = self.child.kill();
        }
        let status = self.child.wait().expect("the program can be waited for");
        // What is still on its way arrives at once; only a child left behind can keep the outputs
        // open longer, and is not waited for.
        let moment = Duration::from_millis(500);
        while let Ok(line) = self.lines.recv_timeout(moment) {
            self.seen.push(line);
        }
        wait_quietly(moment, || self.stderr_reader.is_finished());
        let stderr = self.stderr.lock().expect("nobody panics with the lock");
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
        // Both fail only where the program has ended and was waited for.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits until `is_so`, with [`PATIENCE`]. For states of the disk or of other processes, which
/// announce themselves by no event.
#[track_caller]
pub fn wait_until(what: &str, is_so: impl FnMut() -> bool) {
    assert!(
        wait_quietly(PATIENCE, is_so),
        "{what}: not so after {PATIENCE:?}"
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

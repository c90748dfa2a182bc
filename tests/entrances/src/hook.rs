//! Hooks that wait for a decision, either on threads of this process or in separate processes,
//! which can be killed.

use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use bridges::hooks::{self, Host};
use bridges::review_wait::Waiter;
use serde_json::Value;
use workbench::{Code, Environment, Error, Workbench};

use crate::record::Moments;

/// How long to wait for an answer before a history counts as stuck.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The first argument of a hook's process.
pub const HOOK: &str = "--hook";

/// A message from a hook.
#[derive(Debug)]
pub enum Told {
    /// It has asked for a review and is opening the window on this plan, at this moment.
    Opened(String, u64),
    /// It answered its host at this moment; `None` if it ended without an answer.
    Ended(Option<Value>, u64),
}

/// A message to a hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The window is open.
    Go,
    /// The window can't be opened.
    Fail,
    /// The host has given up.
    Cancel,
}

impl Order {
    const ALL: [(&'static str, Self); 3] = [
        ("go", Self::Go),
        ("fail", Self::Fail),
        ("cancel", Self::Cancel),
    ];
}

/// A running hook.
#[derive(Debug)]
pub struct Hook {
    /// Receives the hook's messages.
    pub told: Receiver<Told>,
    way: Way,
}

#[derive(Debug)]
enum Way {
    Thread {
        go: Sender<bool>,
        is_cancelled: Arc<AtomicBool>,
    },
    Process {
        child: Child,
        stdin: ChildStdin,
    },
}

impl Hook {
    /// Starts a hook on a thread of this process.
    pub fn thread(bench: Workbench, event: String, limit: Duration, moments: Moments) -> Self {
        let (tell, told) = channel();
        let (go, may_go) = channel();
        let is_cancelled = Arc::new(AtomicBool::new(false));
        let cancelled = Arc::clone(&is_cancelled);
        std::thread::spawn(move || {
            let (opened, ended) = (tell.clone(), moments.clone());
            let open = |plan: &Path| {
                // Fails if the harness has abandoned the history.
                let _ = opened.send(Told::Opened(plan.display().to_string(), moments.next()));
                may_go.recv().unwrap_or(false)
            };
            let answer = answer(&bench, &event, limit, &open, &cancelled);
            let _ = tell.send(Told::Ended(answer, ended.next()));
        });
        let way = Way::Thread { go, is_cancelled };
        Self { told, way }
    }

    /// Starts a hook in a separate process.
    ///
    /// # Errors
    /// If it doesn't start.
    pub fn process(
        program: &Path,
        variables: Vec<(String, PathBuf)>,
        event: &str,
        moments: Moments,
    ) -> Result<Self, String> {
        let failed = |error: std::io::Error| format!("a hook doesn't start: {error}");
        let mut child = Command::new(program)
            .arg(HOOK)
            .envs(variables)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(failed)?;
        let (tell, told) = channel();
        let mut stdin = child.stdin.take().ok_or("a hook has no standard input")?;
        let stdout = child.stdout.take().ok_or("a hook has no standard output")?;
        writeln!(stdin, "{event}").map_err(failed)?;
        std::thread::spawn(move || {
            let mut answer = None;
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                match line.split_once(' ') {
                    Some(("opened", plan)) => {
                        let _ = tell.send(Told::Opened(plan.to_owned(), moments.next()));
                    }
                    Some(("answer", json)) => answer = serde_json::from_str(json).ok(),
                    _ => {}
                }
            }
            let _ = tell.send(Told::Ended(answer, moments.next()));
        });
        let way = Way::Process { child, stdin };
        Ok(Self { told, way })
    }

    /// Sends the hook a message; does nothing if it has ended.
    pub fn order(&mut self, order: Order) {
        match &mut self.way {
            Way::Thread { go, is_cancelled } => match order {
                Order::Go => drop(go.send(true)),
                Order::Fail => drop(go.send(false)),
                Order::Cancel => is_cancelled.store(true, Ordering::SeqCst),
            },
            Way::Process { stdin, .. } => {
                let word = Order::ALL.iter().find(|(_, one)| *one == order);
                let _ = writeln!(stdin, "{}", word.map_or("", |(word, _)| *word));
            }
        }
    }

    /// Kills the hook's process with SIGKILL; returns `false` if it has none.
    pub fn kill(&mut self) -> bool {
        match &mut self.way {
            Way::Thread { .. } => false,
            Way::Process { child, .. } => {
                let is_killed = child.kill().is_ok();
                let _ = child.wait();
                is_killed
            }
        }
    }
}

impl Drop for Hook {
    fn drop(&mut self) {
        self.order(Order::Cancel);
        self.kill();
    }
}

/// Answers an event as `planwright hook claude` does.
fn answer(
    bench: &Workbench,
    event: &str,
    limit: Duration,
    open: &dyn Fn(&Path) -> bool,
    is_cancelled: &AtomicBool,
) -> Option<Value> {
    let event = hooks::read(Host::Claude, event.as_bytes()).ok().flatten()?;
    let waiter = Waiter {
        open_window: &|plan| match open(plan) {
            true => Ok(()),
            false => Err(Error::new(Code::Failed, "there is no display")),
        },
        is_cancelled: &|| is_cancelled.load(Ordering::SeqCst),
        limit,
    };
    match hooks::answer(Host::Claude, &event, bench, &waiter) {
        hooks::Answer::Json(value) => Some(value),
        hooks::Answer::None | hooks::Answer::Refusal(_) => None,
    }
}

/// Runs a hook in a separate process: reads the event from the first line of standard input and
/// messages from the following lines, and prints its own messages.
///
/// # Errors
/// If the data can't be opened.
pub fn main() -> Result<(), String> {
    let mut lines = BufReader::new(std::io::stdin())
        .lines()
        .map_while(Result::ok);
    let event = lines.next().unwrap_or_default();
    let is_cancelled = Arc::new(AtomicBool::new(false));
    let cancelled = Arc::clone(&is_cancelled);
    let (go, may_go) = channel();
    std::thread::spawn(move || {
        for line in lines {
            let order = Order::ALL.iter().find(|(word, _)| *word == line);
            match order.map(|(_, order)| *order) {
                Some(Order::Cancel) => cancelled.store(true, Ordering::SeqCst),
                order => drop(go.send(order == Some(Order::Go))),
            }
        }
    });
    let said = |error: Error| error.message;
    let (bench, _) = Workbench::open(Environment::of_process().map_err(said)?).map_err(said)?;
    let print = |line: &str| {
        let mut out = std::io::stdout().lock();
        // Fails if the harness has ended.
        let _ = writeln!(out, "{line}").and_then(|()| out.flush());
    };
    let open = |plan: &Path| {
        print(&format!("opened {}", plan.display()));
        may_go.recv().unwrap_or(false)
    };
    if let Some(value) = answer(&bench, &event, PATIENCE, &open, &is_cancelled) {
        print(&format!("answer {value}"));
    }
    Ok(())
}

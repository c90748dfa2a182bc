//! P4: time until Planwright's window is usable, and its memory, compared with the bare window of
//! `src-tauri/examples/bare`, measured alternately.
//!
//! A window's title changes when its first frame is painted and commands are answered; titles are
//! read from the X server. Memory is the proportional share (PSS) of the program and the processes
//! that the webview starts for it. Both render in whichever way Planwright chooses on this machine.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::{Figure, middle};

const ROUNDS: usize = 7;
/// How long to wait for a window to become usable.
const PATIENCE: Duration = Duration::from_secs(30);
/// How often the titles are polled.
const LOOK_EVERY: Duration = Duration::from_millis(4);
/// Idle time before a window's memory is read, so that the page has settled.
const REST: Duration = Duration::from_secs(2);

/// The time and memory of one start.
struct Start {
    time: Duration,
    /// Memory in kibibytes.
    memory: u64,
}

/// Measures both programs; needs a display, which `cargo xtask bench` provides.
pub(crate) fn measure() -> Result<Vec<Figure>, Box<dyn Error>> {
    let program = |name: &str| {
        std::env::var_os(name).ok_or_else(|| format!("{name} is not set; use `cargo xtask bench`"))
    };
    let ours = program("PLANWRIGHT_BENCH_DESKTOP")?;
    let bare = program("PLANWRIGHT_BENCH_BARE")?;
    // Without graphics hardware, both programs get the setting that Planwright would choose for
    // itself.
    let composited = Path::new("/dev/dri").exists();
    let mut starts: BTreeMap<&str, Vec<Start>> = BTreeMap::new();
    for _ in 0..ROUNDS {
        for (name, path, title) in [
            ("bare", &bare, "Bare: ready"),
            ("ours", &ours, "New plan · Planwright"),
        ] {
            let home = tempfile::tempdir()?;
            let mut command = Command::new(path);
            command
                .env("PLANWRIGHT_HOME", home.path())
                .env("XDG_DATA_HOME", home.path())
                .env("XDG_CACHE_HOME", home.path())
                .env("XDG_CONFIG_HOME", home.path());
            if !composited {
                command.env("WEBKIT_DISABLE_COMPOSITING_MODE", "1");
            }
            starts.entry(name).or_default().push(start(command, title)?);
        }
    }
    let times = |name: &str| middle(starts[name].iter().map(|start| start.time).collect());
    let memory = |name: &str| {
        let mut sizes: Vec<u64> = starts[name].iter().map(|start| start.memory).collect();
        sizes.sort_unstable();
        sizes[sizes.len() / 2]
    };
    let (ours, bare) = (memory("ours"), memory("bare"));
    let ratio = ours as f64 / bare.max(1) as f64;
    Ok(vec![
        Figure::ratio(
            "P4 window: start to usable / an empty window",
            times("ours"),
            times("bare"),
            1.5,
        ),
        Figure {
            what: "P4 window: memory / an empty window".to_owned(),
            measured: format!("{ratio:.2} × ({} / {} MiB)", ours / 1024, bare / 1024),
            budget: "≤ 1.5 ×".to_owned(),
            within: ratio <= 1.5,
        },
    ])
}

fn start(mut command: Command, title: &str) -> Result<Start, Box<dyn Error>> {
    let began = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let shown = wait_for(&mut child, title, began);
    std::thread::sleep(REST);
    let memory = memory_of(child.id());
    child.kill()?;
    child.wait()?;
    Ok(Start {
        time: shown?,
        memory: memory?,
    })
}

/// Waits for a window with this title; returns the time since `began`.
fn wait_for(child: &mut Child, title: &str, began: Instant) -> Result<Duration, Box<dyn Error>> {
    let pattern = format!("^{title}$");
    while began.elapsed() < PATIENCE {
        if let Some(status) = child.try_wait()? {
            return Err(format!("the window exited ({status}) before it was ready").into());
        }
        let found = Command::new("xdotool")
            .args(["search", "--name", &pattern])
            .stderr(Stdio::null())
            .output()?;
        if !found.stdout.is_empty() {
            return Ok(began.elapsed());
        }
        // Polling without a pause would take CPU time away from the measured program.
        std::thread::sleep(LOOK_EVERY);
    }
    Err(format!("no window titled “{title}” within {PATIENCE:?}").into())
}

/// The memory of a process and all its descendants, in kibibytes.
fn memory_of(root: u32) -> Result<u64, Box<dyn Error>> {
    let mut parents = BTreeMap::new();
    for entry in std::fs::read_dir("/proc")?.flatten() {
        let Some(id) = entry
            .file_name()
            .to_str()
            .and_then(|name| name.parse::<u32>().ok())
        else {
            continue;
        };
        let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let parent = stat
            .rsplit_once(") ")
            .and_then(|(_, rest)| rest.split(' ').nth(1)?.parse().ok());
        parents.insert(id, parent.unwrap_or(0_u32));
    }
    let is_ours = |mut id: u32| {
        while id != root {
            match parents.get(&id) {
                Some(parent) if *parent > 1 => id = *parent,
                _ => return false,
            }
        }
        true
    };
    let mut sum = 0;
    for id in parents.keys().copied().filter(|id| is_ours(*id)) {
        let rollup =
            std::fs::read_to_string(format!("/proc/{id}/smaps_rollup")).unwrap_or_default();
        let line = rollup.lines().find(|line| line.starts_with("Pss:"));
        let size = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
        sum += size.unwrap_or(0);
    }
    Ok(sum)
}

//! Time from the hook of another agent to its painted plan, with the window open and closed.
//!
//! Timing starts when the agent starts the hook. If the window is open, the page reports when the
//! plan's title is painted: after the second frame that contains it. If it is closed, the hook
//! opens it; its window title becomes the plan's title when the plan is shown, and is read from the
//! X server.

use std::error::Error;
use std::io::Write as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use planwright_tests::window::Window;
use planwright_tests::{Home, Project};
use serde_json::json;

use crate::Figure;
use crate::painting::late;

/// Number of plans proposed while the window is open.
const OPEN: usize = 40;

/// Number of plans proposed while the window is closed.
const CLOSED: usize = 20;

/// How long to wait for a plan to be painted.
const PATIENCE: Duration = Duration::from_secs(20);

/// How often titles are polled.
const INTERVAL: Duration = Duration::from_millis(4);

/// A script that reports when the page shows the title of a numbered plan: the time after the
/// second frame that contains it, in milliseconds since 1970.
const WATCH: &str = r"
window.__painted = {};
const look = () => {
  for (const [, number] of document.body.innerText.matchAll(/Plan (\d+) of an agent/g)) {
    if (number in window.__painted) continue;
    window.__painted[number] = null;
    requestAnimationFrame(() => requestAnimationFrame(() => {
      window.__painted[number] = performance.timeOrigin + performance.now();
    }));
  }
};
new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });";

/// Measures both; needs a display, a session bus and the release programs, which
/// `cargo xtask bench` provides.
pub(crate) fn measure() -> Result<Vec<Figure>, Box<dyn Error>> {
    Ok(vec![open()?, closed()?])
}

fn project() -> Project {
    Project::named("greeter")
        .file("hello.py", "GREETING = \"Hello\"\n")
        .git()
}

/// The process of a hook that was given a plan and waits for the decision.
struct Hook(Child);

impl Hook {
    fn start(home: &Home, project: &Project, number: usize) -> Result<Self, Box<dyn Error>> {
        let plan = format!(
            "# Plan {number} of an agent\n\n## Tasks\n- [ ] **T1** Change the greeting to Moin\n  - files: `hello.py`\n  - verify: `grep -q Moin hello.py`\n"
        );
        let event = json!({
            "session_id": format!("session-{number}"),
            "cwd": project.path(),
            "hook_event_name": "PermissionRequest",
            "tool_name": "ExitPlanMode",
            "tool_input": { "plan": plan },
        });
        let mut command = home.command(project.path(), ["hook", "claude"]);
        let folders = ["XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"];
        command
            .envs(folders.map(|name| (name, home.path())))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut child = command.spawn()?;
        let mut input = child.stdin.take().ok_or("the hook has no input")?;
        input.write_all(event.to_string().as_bytes())?;
        Ok(Self(child))
    }
}

impl Drop for Hook {
    fn drop(&mut self) {
        // The process may have ended on its own.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn open() -> Result<Figure, Box<dyn Error>> {
    let (home, project) = (
        Home::new(),
        project().file("plans/p.md", "# First\n\n- [ ] Step\n"),
    );
    let path = project.at("plans/p.md").to_string_lossy().into_owned();
    let window = Window::open(&home, [path]);
    window.resize(1400, 880);
    window.find("row", "Step");
    window.script(WATCH, Vec::new());
    let mut times = Vec::new();
    for number in 0..OPEN {
        let began = SystemTime::now().duration_since(UNIX_EPOCH)?;
        let hook = Hook::start(&home, &project, number)?;
        let is_painted = format!("!!window.__painted['{number}']");
        window.wait_for("the plan to be painted", &is_painted);
        let painted = format!("return window.__painted['{number}'];");
        let painted = window.script(&painted, Vec::new()).as_f64();
        times.push(painted.ok_or("no time")? - began.as_secs_f64() * 1e3);
        drop(hook);
    }
    Ok(Figure::time(
        format!("hook → plan painted, window open, p95 of {OPEN}"),
        late(times),
        Duration::from_millis(400),
    ))
}

fn closed() -> Result<Figure, Box<dyn Error>> {
    let mut times = Vec::new();
    for number in 0..CLOSED {
        let (home, project) = (Home::new(), project());
        let began = Instant::now();
        let hook = Hook::start(&home, &project, number)?;
        let window = shown(&format!("Plan {number} of an agent"), began);
        times.push(began.elapsed().as_secs_f64() * 1e3);
        let process = output(Command::new("xdotool").args(["getwindowpid", &window?]))?;
        drop(hook);
        Command::new("kill").args(["-9", &process]).status()?;
    }
    Ok(Figure::time(
        format!("hook → plan shown, window closed, p95 of {CLOSED}"),
        late(times),
        Duration::from_secs(2),
    ))
}

/// Waits for a window whose title begins with `title`; returns its ID.
fn shown(title: &str, began: Instant) -> Result<String, Box<dyn Error>> {
    let pattern = format!("^{title}");
    while began.elapsed() < PATIENCE {
        let found = output(Command::new("xdotool").args(["search", "--name", &pattern]))?;
        if let Some(window) = found.lines().next() {
            return Ok(window.to_owned());
        }
        std::thread::sleep(INTERVAL);
    }
    Err(format!("no window titled “{title}” within {PATIENCE:?}").into())
}

fn output(command: &mut Command) -> Result<String, Box<dyn Error>> {
    let output = command.stderr(Stdio::null()).output()?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

//! P3 and P10 in the real window: time until another program's edit is painted, smoothness of
//! scrolling 10,000 tasks, latency of a keystroke, and time to open a graph.
//!
//! The page itself reports when something is painted: after the second frame that contains it. The
//! window renders in whichever way Planwright chooses on this machine.

use std::error::Error;
use std::fmt::Write as _;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use planwright_tests::window::Window;
use planwright_tests::{Home, Project};
use serde_json::{Value, json};

use crate::{Figure, middle};

/// Number of edits by another program.
const OUTSIDE: usize = 200;

/// Maximum time for the page to receive a request and become idle again.
const ASKED: Duration = Duration::from_millis(50);

/// Number of keys pressed in one field.
const KEYS: usize = 60;

/// Number of frames to scroll.
const FRAMES: u64 = 240;

/// Measures everything; needs a display and a session bus, which `cargo xtask bench` provides.
pub(crate) fn measure() -> Result<Vec<Figure>, Box<dyn Error>> {
    let (mut figures, large) = (Vec::new(), long_plan(10_000));
    figures.push(outside()?);
    let (home, project) = (Home::new(), Project::new().file("plans/p.md", &large));
    let path = project.at("plans/p.md").to_string_lossy().into_owned();
    let window = Window::open(&home, [path]);
    window.resize(1400, 880);
    window.find("row", "Write file number 00001");
    figures.push(scroll(&window)?);
    figures.push(keys(&window)?);
    drop(window);
    figures.push(graph()?);
    Ok(figures)
}

fn long_plan(tasks: usize) -> String {
    let mut text = String::from("---\nplanwright: 1\nid: many\n---\n# Many steps\n\n## Tasks\n");
    for number in 1..=tasks {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "- [ ] **T{number}** Write file number {number:05}\n  - files: `src/{number:05}.txt`\n  - verify: `true`"
        );
    }
    text
}

/// A script that reports when an outline row shows a numbered title: the time after the second
/// frame that contains it, in milliseconds since 1970. Looks only at changed nodes and their own
/// text, since reading the whole page on each change would force additional layouts.
const WATCH: &str = r"
window.__painted = [];
const seen = new Set();
const look = changes => {
  for (const { target, addedNodes } of changes) {
    const element = target.nodeType === Node.TEXT_NODE ? target.parentElement : target;
    if (!element?.closest('[role=treegrid]')) continue;
    for (const node of [target, ...addedNodes]) {
      for (const found of node.textContent.matchAll(/edit (\d+) of another/g)) {
        if (seen.has(found[1])) continue;
        seen.add(found[1]);
        requestAnimationFrame(() => requestAnimationFrame(() => {
          window.__painted.push([Number(found[1]), performance.timeOrigin + performance.now()]);
        }));
      }
    }
  }
};
new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });";

/// The 95th percentile of the time from another program's edit of a 100 kB plan until it is
/// painted.
///
/// The page is asked to watch for an edit before the edit is made, so that the request itself isn't
/// measured.
fn outside() -> Result<Figure, Box<dyn Error>> {
    let mut text = long_plan(1_200);
    let (home, project) = (Home::new(), Project::new().file("plans/p.md", &text));
    let path = project.at("plans/p.md");
    let window = Window::open(&home, [path.to_string_lossy().into_owned()]);
    window.resize(1400, 880);
    window.find("row", "Write file number 00001");
    window.script(WATCH, Vec::new());
    let mut title = "Write file number 00002".to_owned();
    let mut times = Vec::new();
    for number in 0..OUTSIDE {
        let next = format!("edit {number} of another");
        text = text.replacen(&title, &next, 1);
        title = next;
        let new = project.at("plans/new.tmp");
        std::fs::write(&new, &text)?;
        let is_painted = format!("window.__painted.length === {}", number + 1);
        let written = std::thread::scope(|scope| {
            let other = scope.spawn(|| {
                std::thread::sleep(ASKED);
                let written = SystemTime::now();
                std::fs::rename(&new, &path).map(|()| written)
            });
            window.wait_for("the edit to be painted", &is_painted);
            other.join()
        });
        let written = written.map_err(|_| "the other program exited early")??;
        let written = written.duration_since(UNIX_EPOCH)?;
        let painted = window.script("return window.__painted.at(-1)[1];", Vec::new());
        let painted = painted.as_f64().ok_or("no time")?;
        times.push(painted - written.as_secs_f64() * 1e3);
    }
    let time = late(times);
    Ok(Figure::time(
        format!(
            "P3 external edit of {} kB → painted, p95 of {OUTSIDE}",
            text.len() / 1_000
        ),
        time,
        Duration::from_millis(80),
    ))
}

/// Scrolls by 60 pixels per frame and returns the frame rate.
fn scroll(window: &Window) -> Result<Figure, Box<dyn Error>> {
    let script = r"
const [frames] = arguments; window.__fps = null;
const list = document.querySelector('[role=treegrid]');
let box = list; while (box && getComputedStyle(box).overflowY !== 'auto') box = box.parentElement;
let left = frames, began = 0;
const step = now => {
  if (!began) began = now;
  box.scrollTop += 60;
  if (left-- > 0) requestAnimationFrame(step);
  else window.__fps = frames / ((now - began) / 1000);
};
requestAnimationFrame(step);";
    window.script(script, vec![json!(FRAMES)]);
    window.wait_for("the scrolling to end", "window.__fps !== null");
    let fps = number(&window.script("return window.__fps;", Vec::new()))?;
    Ok(Figure {
        what: "P10 10,000 tasks, 60 px a frame".to_owned(),
        measured: format!("{fps:.0} fps"),
        budget: "≥ 55 fps".to_owned(),
        within: fps >= 55.0,
    })
}

/// Types into the title of an open step and measures the time from each key press to the following
/// frame.
fn keys(window: &Window) -> Result<Figure, Box<dyn Error>> {
    window.press("j");
    window.press("e");
    window.find("textbox", "Title");
    let script = r"
window.__keys = [];
document.addEventListener('keydown', event => {
  const pressed = event.timeStamp;
  requestAnimationFrame(() => setTimeout(() => window.__keys.push(performance.now() - pressed)));
}, { capture: true });";
    window.script(script, Vec::new());
    for number in 0..KEYS {
        window.type_text("x");
        let seen = format!("window.__keys.length > {number}");
        window.wait_for("the key press to show", &seen);
    }
    let times = window.script("return window.__keys;", Vec::new());
    let times: Option<Vec<f64>> = times
        .as_array()
        .map(|times| times.iter().filter_map(Value::as_f64).collect());
    Ok(Figure::time(
        format!("P10 keystroke → painted, p95 of {KEYS}"),
        late(times.ok_or("no times")?),
        Duration::from_millis(50),
    ))
}

/// Opens a graph of 300 tasks and measures the time from the click to the frame that contains it.
fn graph() -> Result<Figure, Box<dyn Error>> {
    let mut text = String::from("---\nplanwright: 1\nid: many\n---\n# A wide plan\n\n## Tasks\n");
    for number in 1..=300_usize {
        let before = number.saturating_sub(7);
        let depends = if before == 0 {
            "none".to_owned()
        } else {
            format!("T{before}")
        };
        let _ = writeln!(
            text,
            "- [ ] **T{number}** Write file number {number:05}\n  - depends: {depends}"
        );
    }
    let mut times = Vec::new();
    for _ in 0..5 {
        let (home, project) = (Home::new(), Project::new().file("plans/p.md", &text));
        let path = project.at("plans/p.md").to_string_lossy().into_owned();
        let window = Window::open(&home, [path]);
        window.resize(1400, 880);
        window.find("row", "Write file number 00001");
        let script = r"
window.__shown = null;
const began = performance.now();
const look = () => document.querySelectorAll('.react-flow__node').length > 20
  ? requestAnimationFrame(() => setTimeout(() => window.__shown = performance.now() - began))
  : requestAnimationFrame(look);
document.getElementById('centre-tab-graph').click(); look();";
        window.script(script, Vec::new());
        window.wait_for("the graph to be drawn", "window.__shown !== null");
        let shown = number(&window.script("return window.__shown;", Vec::new()))?;
        times.push(Duration::from_secs_f64(shown / 1e3));
    }
    Ok(Figure::time(
        "P10 graph of 300 tasks opens",
        middle(times),
        Duration::from_millis(500),
    ))
}

fn number(value: &Value) -> Result<f64, Box<dyn Error>> {
    value
        .as_f64()
        .ok_or_else(|| "the page returned no number".into())
}

/// The 95th percentile of times in milliseconds.
pub(crate) fn late(mut times: Vec<f64>) -> Duration {
    times.sort_unstable_by(f64::total_cmp);
    let at = times.len() * 95 / 100;
    Duration::from_secs_f64(times.get(at).copied().unwrap_or_default().max(0.0) / 1e3)
}

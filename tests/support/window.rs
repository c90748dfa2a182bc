//! The real window, driven through WebDriver as a person would use it.
//!
//! [`Window`] starts `WebKitWebDriver`, which starts the program; each window has its own driver
//! and ends it on drop. Elements are found the way people and screen readers find them: by role and
//! name. Waits run in the page, which checks its condition after each change, with a timeout that
//! only expires if the program is broken.
//!
//! Needs a display and a session bus: `cargo xtask test` provides both.

mod driver;
mod page;

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};
use thirtyfour::prelude::*;
use thirtyfour::{Capabilities, WindowHandle};
use tokio::runtime::Runtime;

use crate::Home;
use driver::Driver;

/// Timeout for expected states. Long, because it only expires if something is broken.
pub const PATIENCE: Duration = Duration::from_secs(60);
/// Timeout of the driver. It is longer than any wait in the page, so that the page can report its
/// content when its own wait times out.
const MAX_WAIT: Duration = Duration::from_secs(280);

/// A running Planwright with its window.
pub struct Window {
    runtime: Runtime,
    web: WebDriver,
    driver: Option<Driver>,
    home: PathBuf,
    size: Cell<Option<(u32, u32)>>,
}

impl Window {
    /// Starts the program with arguments and this home's data, and waits for its first frame.
    #[track_caller]
    pub fn open<A: AsRef<str>>(home: &Home, arguments: impl IntoIterator<Item = A>) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime starts");
        let arguments: Vec<String> = arguments
            .into_iter()
            .map(|argument| argument.as_ref().to_owned())
            .collect();
        let mut wanted = Capabilities::new();
        let options = json!({"binary": crate::desktop_binary(), "args": arguments});
        wanted
            .set("webkitgtk:browserOptions", options)
            .expect("capabilities are JSON");
        // An error means that it is already installed.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let begin = || {
            let driver = Driver::start(home);
            let session = WebDriver::new(driver.address(), wanted.clone());
            let session = async { tokio::time::timeout(PATIENCE, session).await };
            match runtime.block_on(session) {
                Ok(Ok(web)) => Ok((driver, web)),
                Ok(Err(error)) => Err(error.to_string()),
                Err(_) => Err(format!("no answer within {PATIENCE:?}")),
            }
        };
        // A previous program may not have ended yet, or the bus may not have noticed. In that case
        // the new program hands over to the old one and exits, and the driver waits in vain.
        #[expect(
            clippy::print_stdout,
            reason = "shown with the test that fails behind it"
        )]
        let again = |error| {
            println!(
                "started again: {error}; process {:?} was there",
                driver::process_of(home.path())
            );
            driver::end_all(home.path());
            begin()
        };
        let (driver, web) = begin()
            .or_else(again)
            .expect("the driver starts the program");
        let window = Self {
            runtime,
            web,
            driver: Some(driver),
            home: home.path().to_owned(),
            size: Cell::new(None),
        };
        let unlimited = window.web.set_script_timeout(MAX_WAIT);
        window
            .runtime
            .block_on(unlimited)
            .expect("the script timeout can be set");
        window.wait_for_first_frame();
        window
    }

    /// Waits for the first frame. Until the page is loaded, queries return errors.
    #[track_caller]
    fn wait_for_first_frame(&self) {
        let drawn = "document.querySelector('#root') !== null \
                     && document.querySelector('#root').innerText.trim() !== ''";
        let mut seen = String::new();
        let is_there = crate::running::wait_quietly(PATIENCE, || {
            self.wait_up_to(Duration::from_secs(2), drawn)
                .map_err(|error| seen = error)
                .is_ok()
        });
        assert!(
            is_there,
            "the first frame: not drawn after {PATIENCE:?}; {seen}"
        );
    }

    /// Sets the outer size of the window in pixels.
    pub fn resize(&self, width: u32, height: u32) {
        let set = self.web.set_window_rect(0, 0, width, height);
        self.runtime.block_on(set).expect("the window resizes");
        self.size.set(Some((width, height)));
        self.settle();
    }

    /// Runs a script in the page with `arguments`.
    #[track_caller]
    pub fn script(&self, script: &str, arguments: Vec<Value>) -> Value {
        let ran = self.runtime.block_on(self.web.execute(script, arguments));
        ran.unwrap_or_else(|error| panic!("{error}\nin: {script}"))
            .json()
            .clone()
    }

    /// Waits until an expression is true in the page, which evaluates it after each change.
    #[track_caller]
    pub fn wait_for(&self, what: &str, expression: &str) {
        if let Err(seen) = self.wait_up_to(PATIENCE, expression) {
            self.shot("failure");
            let seen: String = seen
                .lines()
                .map(|line| line.chars().take(200).collect::<String>() + "\n")
                .collect();
            panic!("waited for {what}; the page reads:\n{seen}");
        }
    }

    /// Puts the source editor's caret at the end of the line that contains `words`, and waits until
    /// it is there. The editor accepts a selection only after it has focus and has finished its
    /// layout; until then, typed text goes elsewhere.
    #[track_caller]
    pub fn caret_behind(&self, words: &str) {
        let words = json!(words);
        self.wait_for(
            "the caret to stand behind the words",
            &format!(
                "(() => {{
                   if (document.querySelector('.cm-activeLine')?.textContent.includes({words})) return true;
                   const lines = [...document.querySelectorAll('.cm-line')];
                   const line = lines.find(line => line.textContent.includes({words}));
                   if (!line) return false;
                   document.querySelector('.cm-content').focus();
                   const range = document.createRange();
                   range.selectNodeContents(line);
                   range.collapse(false);
                   getSelection().removeAllRanges();
                   getSelection().addRange(range);
                   return false;
                 }})()"
            ),
        );
    }

    /// Like [`Window::wait_for`], with a custom timeout; on timeout, returns the page's text as the
    /// error.
    pub fn wait_up_to(&self, patience: Duration, expression: &str) -> Result<(), String> {
        let script = page::waiting(expression);
        let millis = u64::try_from(patience.as_millis()).unwrap_or(u64::MAX);
        let waited = self
            .runtime
            .block_on(self.web.execute_async(script, vec![json!(millis)]));
        match waited {
            Ok(answer) if answer.json() == &json!(true) => Ok(()),
            Ok(answer) => Err(answer.json().as_str().unwrap_or_default().to_owned()),
            Err(error) => Err(format!("the page cannot be asked: {error}")),
        }
    }

    /// Waits until the page visibly shows this text.
    #[track_caller]
    pub fn wait_for_text(&self, words: &str) {
        let what = format!("the words “{words}”");
        self.wait_for(&what, &page::shows(words));
    }

    /// Whether the page shows this text now.
    pub fn shows(&self, words: &str) -> bool {
        let script = format!("return {};", page::shows(words));
        self.script(&script, Vec::new()) == json!(true)
    }

    /// The whole text of the page.
    pub fn text(&self) -> String {
        let text = self.script("return document.body.innerText;", Vec::new());
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Waits for a visible element with this role whose name equals, starts with or contains
    /// `name`, in this order of preference.
    #[track_caller]
    pub fn find(&self, role: &str, name: &str) -> WebElement {
        // Retries if the element is redrawn between the two lookups.
        const LOOKS: usize = 5;
        let what = format!("a {role} named “{name}”");
        let mut last = None;
        for _ in 0..LOOKS {
            self.wait_for(&what, &format!("{} !== null", page::find(role, name)));
            let script = format!("return {};", page::find(role, name));
            let found = self.runtime.block_on(self.web.execute(script, Vec::new()));
            match found.and_then(|found| found.element()) {
                Ok(element) => return element,
                Err(error) => last = Some(error),
            }
        }
        panic!("{what}: {last:?}")
    }

    /// Whether an element with this role and name is visible now.
    pub fn has(&self, role: &str, name: &str) -> bool {
        let script = format!("return {} !== null;", page::find(role, name));
        self.script(&script, Vec::new()) == json!(true)
    }

    /// Clicks the element with this role and name once it is present and enabled. Retries a click
    /// that missed because the page moved.
    #[track_caller]
    #[expect(
        clippy::print_stdout,
        reason = "shown with the test that fails behind it"
    )]
    pub fn click(&self, role: &str, name: &str) {
        const TRIES: u32 = 20;
        let what = format!("{role} “{name}” to be usable and at rest");
        self.wait_for(&what, &page::is_at_rest(role, name));
        let mut last = String::new();
        for _ in 0..TRIES {
            let element = self.find(role, name);
            last = match self.runtime.block_on(self.click_once(&element)) {
                Ok(true) => return,
                Ok(false) => "it went elsewhere".to_owned(),
                // The element was redrawn between finding and clicking, or something is still
                // moving over it.
                Err(error) => error.to_string(),
            };
            println!("clicking the {role} “{name}” once more: {last}");
        }
        self.shot("failure");
        panic!("clicking the {role} “{name}”: {last}");
    }

    /// Clicks and returns whether this element received the click. If the page is gone afterwards,
    /// the element did receive it.
    async fn click_once(&self, element: &WebElement) -> WebDriverResult<bool> {
        self.web
            .execute(page::WATCH_PRESS, vec![element.to_json()?])
            .await?;
        element.click().await?;
        let pressed = self.web.execute(page::WAS_PRESSED, Vec::new()).await;
        Ok(pressed.map_or(true, |pressed| pressed.json() != &json!(false)))
    }

    /// Clicks once on an element that ignores clicks until it has been on screen for a moment, such
    /// as answers and confirmations that must not be triggered by a stray click.
    #[track_caller]
    pub fn click_armed(&self, role: &str, name: &str) {
        self.wait_until_armed(role, name);
        self.click(role, name);
    }

    /// Waits until the element with this role and name has been on screen long enough to accept
    /// clicks.
    #[track_caller]
    pub fn wait_until_armed(&self, role: &str, name: &str) {
        let there = format!(
            "(e => {{ if (!e || e.disabled || e.getAttribute('aria-disabled') === 'true') return false; \
             e.__seenAt ??= performance.now(); return performance.now() - e.__seenAt > 700; }})({})",
            page::find(role, name)
        );
        self.wait_for(&format!("{role} “{name}” to listen"), &there);
    }

    /// Waits until no element with this role and name is visible.
    #[track_caller]
    pub fn wait_until_gone(&self, role: &str, name: &str) {
        let gone = format!("{} === null", page::find(role, name));
        self.wait_for(&format!("the {role} “{name}” to be gone"), &gone);
    }

    /// Waits until rendering is stable: fonts are loaded, nothing moves, and two frames were
    /// painted. Endless animations (a pulse, a cursor) are ignored.
    pub fn settle(&self) {
        let script = r"
            const done = arguments[arguments.length - 1];
            let changed = performance.now();
            const watch = new MutationObserver(() => changed = performance.now());
            watch.observe(document.documentElement, { subtree: true, childList: true, attributes: true });
            const end = rests => { watch.disconnect(); clearTimeout(late); done(rests); };
            const late = setTimeout(() => end(false), 5000);
            const still = () => performance.now() - changed > 200 && document.getAnimations().every(a =>
              a.playState !== 'running' || a.effect?.getComputedTiming().endTime === Infinity);
            const frames = (left, then) => left ? requestAnimationFrame(() => frames(left - 1, then)) : then();
            const look = () => still() ? frames(3, () => still() ? end(true) : look()) : setTimeout(look, 30);
            document.fonts.ready.then(look);";
        let _ = self
            .runtime
            .block_on(self.web.execute_async(script, Vec::new()));
    }

    /// Double-clicks as fast as the driver can.
    #[track_caller]
    pub fn double_click(&self, role: &str, name: &str) {
        let element = self.find(role, name);
        self.runtime
            .block_on(async {
                let actions = self.web.action_chain();
                actions.double_click_element(&element).perform().await
            })
            .unwrap_or_else(|error| panic!("double click on the {role} “{name}”: {error}"));
    }

    /// Types into the field with this name, after its current text.
    #[track_caller]
    pub fn type_into(&self, name: &str, text: &str) {
        let element = self.find("textbox", name);
        self.runtime
            .block_on(async {
                element.focus().await?;
                element.send_keys(text).await
            })
            .unwrap_or_else(|error| panic!("typing into “{name}”: {error}"));
    }

    /// Replaces the text of the field with this name.
    #[track_caller]
    pub fn fill(&self, name: &str, text: &str) {
        let element = self.find("textbox", name);
        self.runtime
            .block_on(async {
                element.focus().await?;
                element.send_keys(Key::Control + "a").await?;
                element.send_keys(text).await
            })
            .unwrap_or_else(|error| panic!("filling “{name}”: {error}"));
    }

    /// Presses a key with modifiers: `press("Control+Enter")`, `press("j")`.
    #[track_caller]
    pub fn press(&self, keys: &str) {
        let keys = page::keys(keys);
        self.runtime
            .block_on(async {
                let mut chain = self.web.action_chain();
                for held in &keys[..keys.len() - 1] {
                    chain = chain.key_down(*held);
                }
                let last = keys[keys.len() - 1];
                chain = chain.key_down(last).key_up(last);
                for held in keys[..keys.len() - 1].iter().rev() {
                    chain = chain.key_up(*held);
                }
                chain.perform().await
            })
            .unwrap_or_else(|error| panic!("pressing {keys:?}: {error}"));
    }

    /// Presses a sequence of keys, in the notation of the action registry: `chord("g r")`,
    /// `chord("mod+e q")`. Each stroke is sent after the page has handled the one before.
    #[track_caller]
    pub fn chord(&self, strokes: &str) {
        let mut begun = String::new();
        for stroke in strokes.split(' ') {
            if !begun.is_empty() {
                let is_heard =
                    format!("document.querySelector('[data-chord=\"{begun}\"]') !== null");
                self.wait_for(&format!("the keys that go on with {begun:?}"), &is_heard);
                begun.push(' ');
            }
            self.press(&stroke.replace("mod+", "Control+"));
            begun.push_str(stroke);
        }
    }

    /// Holds a key down until it has repeated `times` times, with the events that a keyboard would
    /// send.
    #[track_caller]
    pub fn hold(&self, key: &str, times: u32) {
        let key = page::keys(key)[0];
        self.runtime
            .block_on(async {
                let mut chain = self.web.action_chain();
                for _ in 0..times {
                    chain = chain.key_down(key);
                }
                chain.key_up(key).perform().await
            })
            .unwrap_or_else(|error| panic!("holding {key:?}: {error}"));
    }

    /// Types text into the focused element.
    #[track_caller]
    pub fn type_text(&self, text: &str) {
        self.runtime
            .block_on(async { self.web.action_chain().send_keys(text).perform().await })
            .unwrap_or_else(|error| panic!("typing: {error}"));
    }

    /// The role and name of the focused element, as in `button “Approve”`.
    pub fn focus(&self) -> String {
        let script = format!("return {};", page::FOCUS);
        let focus = self.script(&script, Vec::new());
        focus.as_str().unwrap_or_default().to_owned()
    }

    /// Presses Tab until the element with this role and name has focus.
    #[track_caller]
    pub fn tab_to(&self, role: &str, name: &str) {
        let is_there = format!(
            "return document.activeElement === {};",
            page::find(role, name)
        );
        for _ in 0..200 {
            if self.script(&is_there, Vec::new()) == json!(true) {
                return;
            }
            self.press("Tab");
        }
        panic!(
            "200 tabs did not reach the {role} “{name}”; focus is on {}",
            self.focus()
        );
    }

    /// Whether an element has focus and the focus is visible.
    pub fn focus_is_visible(&self) -> bool {
        self.script(page::FOCUS_IS_VISIBLE, Vec::new()) == json!(true)
    }

    /// Handles of the program's open windows.
    pub fn windows(&self) -> Vec<WindowHandle> {
        let windows = self.runtime.block_on(self.web.windows());
        windows.expect("the driver lists the windows")
    }

    /// Switches to another window of the same program.
    pub fn switch_to(&self, window: WindowHandle) {
        let switched = self.runtime.block_on(self.web.switch_to_window(window));
        switched.expect("the window is there");
    }

    /// Takes a screenshot with this name, if `PLANWRIGHT_TEST_SHOTS` names a folder.
    pub fn shot(&self, name: &str) {
        if let Some(folder) = std::env::var_os("PLANWRIGHT_TEST_SHOTS") {
            self.shot_into(Path::new(&folder), name);
        }
    }

    /// Saves a screenshot as `name.png` in a folder once rendering is stable.
    pub fn shot_into(&self, folder: &Path, name: &str) {
        self.settle();
        let file = folder.join(format!("{name}.png"));
        // The driver's own screenshots hang without compositing.
        let taken = Command::new("import")
            .args(["-window", "root"])
            .args(
                self.size
                    .get()
                    .map(|(width, height)| format!("{width}x{height}+0+0"))
                    .iter()
                    .flat_map(|crop| ["-crop", crop]),
            )
            .arg(&file)
            .status();
        assert!(
            taken.is_ok_and(|status| status.success()),
            "`import` failed to save a screenshot to {}",
            file.display()
        );
    }

    /// The window's process id.
    pub fn process(&self) -> u32 {
        driver::process_of(&self.home).expect("the program runs")
    }

    /// Kills the program with SIGKILL, as a power failure would, and then its driver.
    pub fn kill_9(mut self) {
        let id = self.process();
        driver::kill(id);
        crate::wait_until("the killed program to be gone", || {
            driver::process_of(&self.home).is_none()
        });
        // The session ended with the program, so asking the driver to end it would hang.
        self.driver.take();
        std::mem::forget(self.web.clone());
    }

    /// Runs axe on the current page and returns the serious and critical violations, one per line.
    pub fn axe(&self, source: &str) -> Vec<String> {
        let script = page::axe(source);
        let ran = self
            .runtime
            .block_on(self.web.execute_async(script, Vec::new()));
        let found = ran.expect("axe runs").json().clone();
        let lines = found.as_array().cloned().unwrap_or_default();
        lines
            .iter()
            .map(|line| line.as_str().unwrap_or_default().to_owned())
            .collect()
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        let Some(driver) = self.driver.take() else {
            return;
        };
        // Closes the window as a person would. If the program is still running afterwards, it is
        // killed.
        let closed = self.web.clone().quit();
        let _ = self
            .runtime
            .block_on(async { tokio::time::timeout(Duration::from_secs(5), closed).await });
        drop(driver);
        driver::end_all(&self.home);
    }
}

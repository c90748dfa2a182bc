//! Opens, names, hides and closes windows: `main`, then `w2`, `w3`, …
//!
//! The last window doesn't close while runs are in progress. Its page asks the user whether to
//! continue in the tray, stop after the current step, or stay open. An unresponsive page can't
//! block this: closing a second time quits after the current step, a third time quits immediately.
//!
//! **Architecture invariants.** A window shows only the program's own page: it doesn't navigate,
//! open other windows or download anything, and dropping a file onto it opens nothing.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use desktop::Desktop;
use desktop::wire::Steering;
use tauri::webview::NewWindowResponse;
use tauri::{
    AppHandle, CloseRequestApi, Manager, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder,
    Window,
};
use tauri_specta::Event;

use crate::events::{ShellEvent, ShellNews};
use crate::host::Host;
use crate::{notify, tray};

/// Label of the first window.
pub(crate) const MAIN: &str = "main";

/// How often to check whether the runs have ended, when waiting to quit.
const LOOK: Duration = Duration::from_millis(200);

/// State of closing and quitting.
#[derive(Default)]
pub(crate) struct Closing {
    /// Windows whose page was asked and hasn't answered yet.
    asked: Mutex<BTreeSet<String>>,
    /// Whether to quit as soon as no run is live.
    quitting: AtomicBool,
    /// Whether all windows are hidden and the tray icon is shown.
    in_tray: AtomicBool,
    /// Whether a run has needed the user while the windows were hidden.
    needed: AtomicBool,
}

/// Opens the first window.
///
/// # Errors
/// If the system can't create the window.
pub(crate) fn open_main(app: &AppHandle) -> tauri::Result<()> {
    open(app, MAIN).map(drop)
}

/// Opens another window with the first unused label.
///
/// # Errors
/// If the system can't create the window.
pub(crate) fn open_further(app: &AppHandle) -> tauri::Result<String> {
    let open_now = app.webview_windows();
    let labels =
        std::iter::once(MAIN.to_owned()).chain((2_u32..).map(|number| format!("w{number}")));
    let label = labels
        .into_iter()
        .find(|label| !open_now.contains_key(label));
    let label = label.unwrap_or_else(|| MAIN.to_owned());
    open(app, &label)?;
    Ok(label)
}

fn open(app: &AppHandle, label: &str) -> tauri::Result<WebviewWindow> {
    let builder = WebviewWindowBuilder::new(app, label, WebviewUrl::App("index.html".into()))
        .title("Planwright")
        .inner_size(1400.0, 880.0)
        .min_inner_size(380.0, 480.0)
        .data_directory(web_data(app)?)
        .on_navigation(is_own_page)
        .on_new_window(|_, _| NewWindowResponse::Deny)
        .on_download(|_, _| false);
    let window = builder.build()?;
    #[cfg(target_os = "linux")]
    reload_when_the_page_dies(&window)?;
    Ok(window)
}

/// The webview's data folder, private to the user.
fn web_data(app: &AppHandle) -> tauri::Result<std::path::PathBuf> {
    let folder = app.path().app_local_data_dir()?.join("webview");
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(&folder)?;
    Ok(folder)
}

/// Whether a URL is the program's own page.
fn is_own_page(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    match url.scheme() {
        "tauri" => host == "localhost",
        "http" | "https" if host == "tauri.localhost" => true,
        // Vite's server, in a development build.
        "http" => tauri::is_dev() && host == "localhost" && url.port() == Some(5173),
        _ => false,
    }
}

/// Reloads the page if its process is killed. Input isn't lost, because it is saved to the database
/// while typing.
#[cfg(target_os = "linux")]
fn reload_when_the_page_dies(window: &WebviewWindow) -> tauri::Result<()> {
    use webkit2gtk::WebViewExt;

    /// Maximum reloads, so that a page that keeps crashing isn't reloaded forever.
    const LIVES: u32 = 5;
    window.with_webview(|webview| {
        let deaths = std::cell::Cell::new(0);
        webview
            .inner()
            .connect_web_process_terminated(move |view, reason| {
                tracing::error!(target: "planwright", ?reason, "the page's process ended");
                deaths.set(deaths.get() + 1);
                if deaths.get() < LIVES {
                    view.reload();
                }
            });
    })
}

/// Handles a request to close a window, from its title bar or its page.
pub(crate) fn close_requested(window: &Window, api: &CloseRequestApi) {
    let app = window.app_handle();
    let closing = app.state::<Closing>();
    let others = app.webview_windows();
    let is_last = others
        .iter()
        .all(|(label, other)| label == window.label() || !other.is_visible().unwrap_or(true));
    let host = app.state::<Host>();
    if !is_last {
        if window.label() != MAIN {
            forget_place(&host, window.label().to_owned());
        }
        return;
    }
    let runs = host
        .if_open()
        .map(|desktop| desktop.live_runs())
        .unwrap_or_default();
    if runs.is_empty() || closing.quitting.load(Ordering::Relaxed) {
        return;
    }
    api.prevent_close();
    let is_first_time = closing
        .asked
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .insert(window.label().to_owned());
    if is_first_time {
        ask_page(app.clone(), window.label().to_owned(), runs);
    } else {
        quit_after_step(app);
    }
}

fn forget_place(host: &Host, label: String) {
    let host = host.clone();
    tauri::async_runtime::spawn(async move {
        let forgotten = host.ask(move |desktop| desktop.forget_place(&label)).await;
        if let Err(error) = forgotten {
            tracing::warn!(target: "planwright", message = %error.message, "couldn't delete a window's saved place");
        }
    });
}

fn ask_page(app: AppHandle, window: String, runs: Vec<String>) {
    // Checking for a tray uses D-Bus, which may take a moment.
    std::thread::spawn(move || {
        let what = ShellNews::CloseAsked {
            runs,
            has_tray: tray::is_available(),
        };
        if let Err(error) = (ShellEvent { window, what }).emit(&app) {
            tracing::warn!(target: "planwright", %error, "couldn't ask the page before closing");
        }
    });
}

/// Records that the page has answered, whichever option the user chose.
pub(crate) fn answered(app: &AppHandle, label: &str) {
    let closing = app.state::<Closing>();
    closing
        .asked
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .remove(label);
}

/// Hides all windows and shows the tray icon, or minimizes the windows if there is no tray. Returns
/// whether the tray is used. Don't call it on the UI thread.
///
/// # Errors
/// If a window can't be hidden.
pub(crate) fn leave_to_tray(app: &AppHandle) -> tauri::Result<bool> {
    let shown = tray::is_available()
        && tray::show(app)
            .inspect_err(
                |error| tracing::warn!(target: "planwright", %error, "couldn't show the tray icon"),
            )
            .is_ok();
    for window in app.webview_windows().values() {
        if shown {
            window.hide()?
        } else {
            window.minimize()?
        }
    }
    if shown {
        let closing = app.state::<Closing>();
        closing.needed.store(false, Ordering::Relaxed);
        closing.in_tray.store(true, Ordering::Relaxed);
        quit_from_tray_when_done(app.clone());
    }
    Ok(shown)
}

/// Quits once all runs have ended, unless a run needed the user or the windows are shown again.
fn quit_from_tray_when_done(app: AppHandle) {
    std::thread::spawn(move || {
        let closing = app.state::<Closing>();
        while closing.in_tray.load(Ordering::Relaxed) {
            if live_runs(&app).is_empty() && !closing.needed.load(Ordering::Relaxed) {
                notify::show(
                    &app,
                    "Planwright",
                    "The run has ended. Open its plan to see the receipt.",
                );
                app.exit(0);
                return;
            }
            std::thread::sleep(LOOK);
        }
    });
}

/// Records that the user is needed, so that the program stays in the tray until they return.
pub(crate) fn person_needed(app: &AppHandle) {
    app.state::<Closing>().needed.store(true, Ordering::Relaxed);
}

/// Shows all windows again, with the most recently focused one in front.
pub(crate) fn bring_back(app: &AppHandle) {
    app.state::<Closing>()
        .in_tray
        .store(false, Ordering::Relaxed);
    tray::hide(app);
    let windows = app.webview_windows();
    for window in windows.values() {
        let shown = window.show().and_then(|()| window.unminimize());
        if let Err(error) = shown {
            tracing::warn!(target: "planwright", %error, "couldn't show a window");
        }
    }
    if let Some(window) = front(app) {
        // The desktop may refuse focus, but the window is shown anyway.
        let _ = window.set_focus();
    }
}

/// The window to bring to the front: the focused one, or else `main`, or else any.
pub(crate) fn front(app: &AppHandle) -> Option<WebviewWindow> {
    let windows = app.webview_windows();
    let focused = windows
        .values()
        .find(|window| window.is_focused().unwrap_or(false));
    focused
        .or_else(|| windows.get(MAIN))
        .or_else(|| windows.values().next())
        .cloned()
}

/// Pauses every live run after its current step.
pub(crate) fn pause_runs(app: &AppHandle) {
    let host = app.state::<Host>().inner().clone();
    tauri::async_runtime::spawn(async move {
        let paused = host.ask(|desktop| {
            let runs = desktop.live_runs();
            runs.iter()
                .try_for_each(|run| desktop.steer(run, Steering::Pause))
        });
        if let Err(error) = paused.await {
            tracing::warn!(target: "planwright", message = %error.message, "not paused");
        }
    });
}

/// Pauses all runs, waits for their current steps, and quits. A second call quits immediately.
pub(crate) fn quit_after_step(app: &AppHandle) {
    let closing = app.state::<Closing>();
    if closing.quitting.swap(true, Ordering::Relaxed) {
        app.exit(0);
        return;
    }
    pause_runs(app);
    let app = app.clone();
    std::thread::spawn(move || {
        while !live_runs(&app).is_empty() {
            std::thread::sleep(LOOK);
        }
        app.exit(0);
    });
}

fn live_runs(app: &AppHandle) -> Vec<String> {
    let host = app.state::<Host>();
    host.desktop()
        .map(|desktop| Desktop::live_runs(&desktop))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::is_own_page;
    use tauri::Url;

    #[test]
    fn a_window_shows_its_own_page_and_no_other() {
        for (address, expected) in [
            ("tauri://localhost/index.html", true),
            ("http://tauri.localhost/", true),
            ("https://example.org/", false),
            ("http://localhost/", false),
            ("http://tauri.localhost.example.org/", false),
            ("file:///etc/passwd", false),
            ("data:text/html,x", false),
            ("javascript:alert(1)", false),
            ("about:blank", false),
            ("blob:tauri://localhost/1", false),
        ] {
            assert_eq!(
                is_own_page(&Url::parse(address).unwrap()),
                expected,
                "{address}"
            );
        }
    }
}

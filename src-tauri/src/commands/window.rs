//! Commands about the window itself: its saved place, title, closing, and system dialogs.

use std::path::{Path, PathBuf};

use desktop::Desktop;
use desktop::wire::{Place, Start};
use serde::{Deserialize, Serialize};
use specta::Type;
use tauri::{AppHandle, Manager, State, WebviewWindow};
use tauri_plugin_dialog::DialogExt;
use tauri_plugin_opener::OpenerExt;
use workbench::{Code, Error, Result, WireError};

use crate::host::{Answer, Host};
use crate::rendering::Rendering;
use crate::start::{Target, Waiting};
use crate::{editors, links, plan_links, windows};

/// Maximum length of a logged page error, in characters.
const MAX_FAULT_LEN: usize = 2_000;

/// A window's label and how its page is rendered.
#[derive(Debug, Clone, Serialize, Type)]
pub(crate) struct WindowInfo {
    /// The window's label: `main`, `w2`, …
    label: String,
    /// How the page is rendered.
    rendering: Rendering,
}

/// What to do with runs when the last window closes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CloseChoice {
    /// Continue in the tray, or minimized if there is none.
    Tray,
    /// Stop after the current step, then quit.
    Stop,
    /// Keep the window open.
    Cancel,
}

/// Where runs continue after the user's choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kept {
    /// In the background, with a tray icon.
    Tray,
    /// In the minimized window, because this desktop has no tray.
    Minimised,
    /// In the window; the program quits after the current step.
    Stopping,
    /// In the open window.
    Open,
}

/// A target that the program was asked to open.
#[derive(Debug, Clone, Serialize, Type)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum GivenTarget {
    /// A folder or a plan file.
    Path {
        /// The absolute path.
        path: String,
    },
    /// A link into a workspace that was opened before. Opening it only shows its target.
    Link {
        /// The path of the workspace.
        workspace: String,
        /// The path of the plan; `None` for the workspace itself.
        plan: Option<String>,
        /// The ID of the step to select; the plan may not contain it.
        step: Option<String>,
    },
}

/// The data for this window's first frame.
#[tauri::command]
#[specta::specta]
pub(crate) async fn start(window: WebviewWindow, host: State<'_, Host>) -> Answer<Start> {
    let label = window.label().to_owned();
    host.ask(move |desktop| desktop.start(&label)).await
}

/// Saves what this window is showing.
#[tauri::command]
#[specta::specta]
pub(crate) async fn save_place(
    window: WebviewWindow,
    host: State<'_, Host>,
    place: Place,
) -> Answer<()> {
    let label = window.label().to_owned();
    host.ask(move |desktop| desktop.save_place(&label, place))
        .await
}

/// Information about this window.
#[tauri::command]
#[specta::specta]
pub(crate) fn window_info(window: WebviewWindow, rendering: State<'_, Rendering>) -> WindowInfo {
    WindowInfo {
        label: window.label().to_owned(),
        rendering: *rendering,
    }
}

/// The target that the program was started with, or that a second start passed on. Each target is
/// returned only once.
#[tauri::command]
#[specta::specta]
pub(crate) async fn take_target(
    host: State<'_, Host>,
    waiting: State<'_, Waiting>,
) -> Answer<Option<GivenTarget>> {
    match waiting.take() {
        None => Ok(None),
        Some(Target::Path(path)) => Ok(Some(GivenTarget::Path {
            path: path.to_string_lossy().into_owned(),
        })),
        Some(Target::Link(text)) => {
            let linked = host.ask(move |desktop| {
                plan_links::resolve(plan_links::parse(&text)?, &desktop.known_workspaces()?)
            });
            let plan_links::Linked {
                workspace,
                plan,
                step,
            } = linked.await?;
            Ok(Some(GivenTarget::Link {
                workspace,
                plan,
                step,
            }))
        }
    }
}

/// Opens another window and returns its label.
#[tauri::command]
#[specta::specta]
pub(crate) async fn new_window(app: AppHandle) -> Answer<String> {
    windows::open_further(&app).map_err(refused)
}

/// Sets this window's title.
#[tauri::command]
#[specta::specta]
pub(crate) async fn set_title(window: WebviewWindow, title: String) -> Answer<()> {
    let title: String = workbench::visible_line(&title).chars().take(200).collect();
    window.set_title(&title).map_err(refused)
}

/// Zooms this window's page; 100 is the normal size.
#[tauri::command]
#[specta::specta]
pub(crate) async fn set_zoom(window: WebviewWindow, percent: u32) -> Answer<()> {
    let percent = percent.clamp(50, 300);
    window.set_zoom(f64::from(percent) / 100.0).map_err(refused)
}

/// Closes this window, like the button in its title bar.
#[tauri::command]
#[specta::specta]
pub(crate) async fn close_window(window: WebviewWindow) -> Answer<()> {
    window.close().map_err(refused)
}

/// Carries out the person's answer to the `close_asked` event.
#[tauri::command]
#[specta::specta]
pub(crate) async fn answer_close(
    app: AppHandle,
    window: WebviewWindow,
    choice: CloseChoice,
) -> Answer<Kept> {
    windows::answered(&app, window.label());
    match choice {
        CloseChoice::Cancel => Ok(Kept::Open),
        CloseChoice::Stop => {
            windows::quit_after_step(&app);
            Ok(Kept::Stopping)
        }
        CloseChoice::Tray => {
            let left = tauri::async_runtime::spawn_blocking(move || windows::leave_to_tray(&app));
            match left.await.and_then(|left| left).map_err(refused)? {
                true => Ok(Kept::Tray),
                false => Ok(Kept::Minimised),
            }
        }
    }
}

/// Closes all windows. If runs are active, the last window asks what to do with them first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn quit(app: AppHandle) -> Answer<()> {
    let windows = app.webview_windows();
    windows
        .values()
        .try_for_each(WebviewWindow::close)
        .map_err(refused)
}

/// Lets the person pick a folder.
#[tauri::command]
#[specta::specta]
pub(crate) async fn pick_folder(window: WebviewWindow) -> Answer<Option<String>> {
    pick(move || {
        let dialog = window.dialog().file().set_title("Open a folder");
        dialog.set_parent(&window).blocking_pick_folder()
    })
    .await
}

/// Lets the person pick a plan file.
#[tauri::command]
#[specta::specta]
pub(crate) async fn pick_plan(window: WebviewWindow) -> Answer<Option<String>> {
    pick(move || {
        let dialog = window
            .dialog()
            .file()
            .set_title("Open a plan")
            .add_filter("Markdown", &["md", "markdown"]);
        dialog.set_parent(&window).blocking_pick_file()
    })
    .await
}

async fn pick(
    ask: impl FnOnce() -> Option<tauri_plugin_dialog::FilePath> + Send + 'static,
) -> Answer<Option<String>> {
    let picked = tauri::async_runtime::spawn_blocking(ask)
        .await
        .map_err(refused)?;
    Ok(picked.map(|path| path.to_string()))
}

/// Opens a web or mail address in an external program after a click.
#[tauri::command]
#[specta::specta]
pub(crate) async fn open_link(app: AppHandle, address: String) -> Answer<()> {
    let url = links::checked_address(&address).map_err(|error| error.to_wire())?;
    app.opener().open_url(url, None::<&str>).map_err(refused)
}

/// Shows a file of an open workspace in the system's file manager.
#[tauri::command]
#[specta::specta]
pub(crate) async fn show_in_folder(
    app: AppHandle,
    host: State<'_, Host>,
    workspace: String,
    path: String,
) -> Answer<()> {
    let checked = host.ask(move |desktop| known_path(desktop, &workspace, &path));
    let path = checked.await?;
    app.opener().reveal_item_in_dir(path).map_err(refused)
}

/// Opens a file of an open workspace in the user's editor, at a line if the editor takes one.
#[tauri::command]
#[specta::specta]
pub(crate) async fn open_in_editor(
    host: State<'_, Host>,
    workspace: String,
    path: String,
    line: Option<u32>,
) -> Answer<()> {
    host.ask(move |desktop| {
        let file = known_path(desktop, &workspace, &path)?;
        if !file.is_file() {
            return Err(Error::new(Code::Usage, format!("{path} is not a file.")));
        }
        let visual = std::env::var("VISUAL").ok();
        let opening = editors::choose(
            desktop.editor(),
            visual.as_deref(),
            editors::find_program,
            &file,
            line,
        )?;
        editors::open(&opening, &file)
    })
    .await
}

/// A file or folder of a workspace that was opened before.
fn known_path(desktop: &Desktop, workspace: &str, path: &str) -> Result<PathBuf> {
    if desktop
        .known_workspaces()?
        .iter()
        .any(|known| known == workspace)
    {
        links::checked_path(workspace, path)
    } else {
        let message = format!("{workspace} is not an open workspace.");
        Err(Error::new(Code::Usage, message))
    }
}

/// Lets the person choose a file and writes a plan there as a web page. Returns its path; `None` if
/// the person chose none.
#[tauri::command]
#[specta::specta]
pub(crate) async fn export_html(
    window: WebviewWindow,
    host: State<'_, Host>,
    plan: String,
    revision: String,
) -> Answer<Option<String>> {
    let name = Path::new(&plan).with_extension("html");
    let name = name.file_name().unwrap_or_default().to_string_lossy();
    let name = name.into_owned();
    let chosen = pick(move || {
        let dialog = window
            .dialog()
            .file()
            .set_title("Export as HTML")
            .set_file_name(name)
            .add_filter("HTML", &["html"]);
        dialog.set_parent(&window).blocking_save_file()
    });
    let Some(to) = chosen.await? else {
        return Ok(None);
    };
    let written = host.ask(move |desktop| desktop.export_html(&plan, &revision, Path::new(&to)));
    Ok(Some(written.await?.to_string_lossy().into_owned()))
}

/// Logs an error that occurred on the page, so that it isn't lost when the window closes.
#[tauri::command]
#[specta::specta]
pub(crate) fn report_fault(window: WebviewWindow, message: String) {
    let message: String = message.chars().take(MAX_FAULT_LEN).collect();
    tracing::error!(target: "planwright", window = window.label(), "an error on the page");
    // The message may contain text of a plan.
    tracing::debug!(target: "planwright", message, "an error on the page");
}

fn refused(error: impl std::fmt::Display) -> WireError {
    WireError {
        code: Code::Failed,
        message: format!("The system reported an error: {error}."),
    }
}

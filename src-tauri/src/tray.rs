//! The icon in the tray, there only while a run goes on without a window to watch it.
//!
//! Not every desktop has a tray; where there is none, [`is_available`] says so and the window stays.

use tauri::AppHandle;
use tauri::menu::{Menu, MenuItem};
use tauri::tray::TrayIconBuilder;

use crate::windows;

const ID: &str = "planwright";

/// Whether the desktop shows tray icons. Asks over D-Bus and waits for the answer, so not to be
/// called on the thread that draws.
pub(crate) fn is_available() -> bool {
    #[cfg(target_os = "linux")]
    {
        has_watcher().unwrap_or(false)
    }
    #[cfg(not(target_os = "linux"))]
    {
        true
    }
}

/// Whether anybody shows status icons. Without a session bus in the environment there is nobody, and
/// asking would start a bus.
#[cfg(target_os = "linux")]
fn has_watcher() -> Option<bool> {
    use gtk::gio::{self, prelude::*};
    use gtk::glib;

    let has_bus = std::env::var_os("DBUS_SESSION_BUS_ADDRESS").is_some()
        || std::env::var_os("XDG_RUNTIME_DIR")
            .is_some_and(|folder| std::path::Path::new(&folder).join("bus").exists());
    if !has_bus {
        return None;
    }
    let bus = gio::bus_get_sync(gio::BusType::Session, gio::Cancellable::NONE).ok()?;
    let answer = bus
        .call_sync(
            Some("org.freedesktop.DBus"),
            "/org/freedesktop/DBus",
            "org.freedesktop.DBus",
            "NameHasOwner",
            Some(&("org.kde.StatusNotifierWatcher",).to_variant()),
            glib::VariantTy::new("(b)").ok(),
            gio::DBusCallFlags::NONE,
            500,
            gio::Cancellable::NONE,
        )
        .ok()?;
    answer.get::<(bool,)>().map(|(owned,)| owned)
}

/// Shows the icon; nothing happens when it is there already.
///
/// # Errors
/// When the desktop's library for it is missing or refuses.
pub(crate) fn show(app: &AppHandle) -> tauri::Result<()> {
    if app.tray_by_id(ID).is_some() {
        return Ok(());
    }
    let item = |id: &str, text: &str| MenuItem::with_id(app, id, text, true, None::<&str>);
    let menu = Menu::with_items(
        app,
        &[
            &item("open", "Open Planwright")?,
            &item("pause", "Pause after this step")?,
            &item("quit", "Stop after this step and quit")?,
        ],
    )?;
    let mut tray = TrayIconBuilder::with_id(ID)
        .menu(&menu)
        .tooltip("Planwright: a run goes on")
        .on_menu_event(|app, event| match event.id.as_ref() {
            "open" => windows::bring_back(app),
            "pause" => windows::pause_runs(app),
            "quit" => windows::quit_after_step(app),
            _ => {}
        });
    if let Some(icon) = app.default_window_icon() {
        tray = tray.icon(icon.clone());
    }
    tray.build(app)?;
    Ok(())
}

/// Takes the icon away.
pub(crate) fn hide(app: &AppHandle) {
    // The icon goes when the last handle on it does.
    drop(app.remove_tray_by_id(ID));
}
